internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// States, members of them and items of lists that fields follow and actions change.
extension SceneMaker {
    /// The state, or the part of one, that a key path leads to; `nil` for a path to anything else.
    ///
    /// - Parameters:
    ///   - value: the place of the path.
    ///   - isRead: true for a path that is evaluated too, so that its members are looked at with those of all values.
    mutating func boundState(
        _ path: String, _ value: DocumentValue, _ words: Lexicon, isRead: Bool
    ) throws(ElementFault) -> StatePath? {
        guard let state = words.state(path) else { return nil }
        guard state.parts.count <= limits.memberDepth else {
            throw value.fault(
                .depthBudget,
                "\(path.excerpt) is more than \(limits.memberDepth) members deep in \(state.state.excerpt)",
                hint: "the value of a field or an action lies less deep")
        }
        checkMembers(of: state, value, isRead: isRead)
        return state
    }

    /// The state, or the part of one, that a value is passed from.
    func boundState(of value: DocumentValue, _ words: Lexicon) -> StatePath? {
        guard let text = value.json.string, text.hasPrefix("$"), let state = words.state(String(text.dropFirst())),
            state.parts.count <= limits.memberDepth
        else { return nil }
        return state
    }

    /// The state, or the part of one, that an action changes.
    mutating func state(_ members: CheckedMembers, _ words: Lexicon) throws(ElementFault) -> StatePath {
        let name = members.text("state") ?? ""
        guard let value = members["state"] else { return StatePath(name) }
        if let state = try boundState(name, value, words, isRead: false) { return state }
        let first = String(name.prefix { $0 != "." })
        guard words.states[first] == nil else {
            throw value.fault(
                .badValue, "\(name.excerpt) is not a state, nor a member of one",
                hint: "a member has a name after a dot, as in \(first.excerpt).name")
        }
        let known = words.states.keys.sorted()
        throw value.fault(
            .unknownKey, "No state is called \(first.excerpt)",
            hint: NearestName.of(first, in: known).map { "did you mean \($0)?" }
                ?? (known.isEmpty
                    ? #"write "state": {"\#(first.excerpt)": 0} at the top of the document"#
                    : "there are \(NameList(known))"))
    }

    /// Warns of members that a state cannot have, and of names that are nearly those of members which it has at first.
    private mutating func checkMembers(of path: StatePath, _ value: DocumentValue, isRead: Bool) {
        guard !path.parts.isEmpty, var current = states[path.state] else { return }
        for (count, part) in path.parts.enumerated() {
            guard case .member(let key) = part, !current.isNull else { return }
            guard case .dictionary(let members) = current else {
                report(
                    Finding(
                        .warning, .badValue,
                        "\(path.prefix(count).description.excerpt) is \(current.kindName) at first, and has no members",
                        at: value.place, hint: "write an object"))
                return
            }
            guard let member = members[key] else {
                guard !isRead, work.takeHint(), let nearest = NearestName.of(key, in: members.keys) else { return }
                var finding = Finding(
                    .warning, .unknownKey,
                    "\(path.prefix(count).description.excerpt) has no member \(key.excerpt) at first",
                    at: value.place, value: key.excerpt, nearest: nearest.excerpt)
                finding.hint = "\(Finding.question(nearest.excerpt)) Otherwise write it there as well"
                report(finding)
                return
            }
            current = member
        }
    }
}

extension Lexicon {
    /// The state, or the part of one, that a key path leads to.
    func state(_ path: String) -> StatePath? {
        if let state = states[path] { return state }
        let keys = path.split(separator: ".", omittingEmptySubsequences: false)
        guard let first = keys.first, let state = states[String(first)] else { return nil }
        // Operators of key paths make other values of what is there.
        guard keys.dropFirst().allSatisfy({ !$0.isEmpty && !$0.hasPrefix("@") }) else { return nil }
        return keys.dropFirst().reduce(state) { $0.appending(.member(String($1))) }
    }

    /// Lets the items of a list be changed that is a state, or a part of one.
    ///
    /// - Parameters:
    ///   - name: the name of each item, besides `content`.
    ///   - list: the node that repeats its children.
    mutating func bindItem(_ name: String?, of state: StatePath?, list: NodeID) {
        let item = state?.appending(.item(list))
        states["content"] = item
        if let name { states[name] = item }
    }
}
