internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// Events and their actions.
extension SceneMaker {
    /// Gives a node the actions of the events of its kind.
    ///
    /// - Parameter names: the events of the node, by their names in documents.
    mutating func addEvents(
        of element: DocumentElement, _ names: [String: NodeEvent], to node: NodeID
    ) throws(ElementFault) {
        guard let on = element.value["on"] else { return }
        guard on.json.object != nil else {
            report(on.fault(.badPayload, "`on` is \(on.json.typeName.rawValue), and has to be an object").diagnostic)
            return
        }
        let known = element.spec.events.map { $0.name }
        for (name, actions) in on.members where !SceneMaker.isOfElements(name) {
            guard known.contains(name) else {
                report(
                    Finding(
                        .warning, .unknownKey, "\(element.spec.name.withArticle) has no event \(name.excerpt)",
                        at: actions.place,
                        value: name.excerpt, nearest: NearestName.of(name, in: known),
                        hint: (known.isEmpty ? "it has no events" : "it has \(NameList(known))")))
                continue
            }
            if name == "instead" { nodes[node].instead = try steps(of: actions, element.words) }
            guard let event = names[name] else { continue }
            nodes[node].events[event] = try steps(of: actions, element.words)
        }
    }

    /// The steps of one action or a list of them. An action with a fault is reported and left out.
    mutating func steps(
        of value: DocumentValue, _ words: Lexicon, depth: Int = 0
    ) throws(ElementFault) -> [Step] {
        guard depth < limits.actionDepth else {
            throw value.fault(.depthBudget, "Actions lie more than \(limits.actionDepth) deep in each other")
        }
        var steps: [Step] = []
        for (place, action) in value.asList.enumerated() {
            guard place < limits.actionCount else {
                throw action.fault(.countBudget, "An event has more than \(limits.actionCount) actions")
            }
            try spendSetting(action)
            do throws(ElementFault) {
                steps += try self.action(action, words, depth)
            } catch {
                if policy == .fail || policy == .strict { throw error }
                report(error.diagnostic)
            }
        }
        return steps
    }

    private mutating func action(
        _ value: DocumentValue, _ words: Lexicon, _ depth: Int
    ) throws(ElementFault) -> [Step] {
        guard value.json.object != nil, let name = value["do"]?.json.string else {
            throw value.fault(
                .badPayload, "The action does not say what to do",
                hint: #"write {"do": "set", "state": "count", "to": 1}"#)
        }
        if name == NativeWords.action.name { return [try handlerCall(value, words)] }
        let names = DocumentWords.actions.map { $0.name }
        guard let spec = DocumentWords.action(name) else {
            throw value.fault(
                .unknownAction, "No action is called \(name.excerpt)",
                hint: isMuted
                    ? nil
                    : NearestName.of(name, in: names).map { "did you mean \($0)?" }
                        ?? "the actions are \(NameList(names))")
        }
        let members = try CheckedMembers(
            value, spec.members, of: name, around: value, known: ["do", "comment"], &self)
        switch name {
        case "set":
            let state = try self.state(members, words)
            guard let expression = try members.expression("to", words, &self) else { return [] }
            return [.assign(.state(state), expression)]
        case "toggle":
            let state = try self.state(members, words)
            // By the name that it has here, as fields read it.
            var expression = try keyPath(members.text("state") ?? "", value)
            expression.steps.append(.negation)
            return [.assign(.state(state), expression)]
        case "cache", "uncache": return [try cacheStep(members, words)]
        case "push", "present":
            let screen = members.text("scene") ?? ""
            destinations.insert(screen)
            guard let entry = library.entry(screen, isPushed: name == "push") else {
                throw (members["scene"] ?? value).fault(
                    .unknownScreen, "The bundle has no document or screen \(screen.excerpt)",
                    hint: library.hint(screen))
            }
            checkParameters(of: screen, members["with"], at: value.place)
            let content = try passed(members["with"], words)
            guard let result = members["result"] else { return [.show(entry, content: content)] }
            return [.showForResult(entry, content: content, result: try steps(of: result, words, depth: depth + 1))]
        case "back", "dismiss":
            guard let result = try members.expression("value", words, &self) else {
                return [name == "back" ? .back : .dismiss]
            }
            return [.leave(result, isDismissal: name == "dismiss")]
        case "append", "remove", "update": return [.edit(try listEdit(name, members, around: value, words))]
        case "emit": return try emit(members, words, depth)
        case "focus":
            guard let id = members["id"], let name = members.text("id") else { return [] }
            wantedNames.append((name, id.place))
            return [.focusOn(name)]
        case "reveal":
            guard let list = members["list"], let name = members.text("list"),
                let value = try members.expression("is", words, &self)
            else { return [] }
            wantedLists.append((name, list.place))
            let path = (members.text("key") ?? "").split(separator: ".").map(String.init)
            return [.reveal(list: name, keyPath: path, value)]
        case "alert":
            return [
                try alert(
                    title: try members.expression("title", words, &self),
                    message: try members.expression("message", words, &self), actions: members["actions"], words,
                    depth: depth)
            ]
        case "open": return try opening(value, members, words)
        case "refresh": return try refresh(members, words)
        case "call": return [.call(try call(members, around: value, words, depth))]
        case "after":
            guard let then = members["then"] else { return [] }
            let later = try steps(of: then, words, depth: depth + 1)
            return [.after(name: "after \(value.path)", seconds: max(members.number("seconds") ?? 0, 0), later)]
        default:
            guard let condition = try members.expression("if", words, &self), let then = members["then"] else {
                return []
            }
            return [
                .branch(
                    condition, then: try steps(of: then, words, depth: depth + 1),
                    otherwise: try members["else"].map { value throws(ElementFault) in
                        try steps(of: value, words, depth: depth + 1)
                    } ?? [])
            ]
        }
    }

    private mutating func listEdit(
        _ name: String, _ members: CheckedMembers, around value: DocumentValue, _ words: Lexicon
    ) throws(ElementFault) -> ListEdit {
        let operation: ListEdit.Operation = name == "append" ? .append : name == "remove" ? .remove : .update
        var edit = ListEdit(operation, state: try state(members, words))
        edit.origin = value.place
        let whole = operation == .append ? "item" : "to"
        if operation != .remove {
            guard (members[whole] == nil) != (members["with"] == nil) else {
                throw value.fault(
                    .badPayload, "The \(name) has no item, or two", hint: "write \(whole), or its members in with")
            }
            edit.merges = members["with"] != nil
            edit.value =
                edit.merges ? try passed(members["with"], words) : try members.expression(whole, words, &self)
        }
        if operation != .append {
            guard (members["is"] == nil) != (members["at"] == nil) else {
                throw value.fault(
                    .badPayload, "The \(name) does not say which items", hint: "write key and is, is alone, or at")
            }
            edit.match = try members.expression("is", words, &self)
            edit.place = try members.expression("at", words, &self)
            edit.key = (members.text("key") ?? "").split(separator: ".").map(String.init)
        }
        return edit
    }

    /// The steps of an event that the element around a component or a hosted document has actions for.
    private mutating func emit(
        _ members: CheckedMembers, _ words: Lexicon, _ depth: Int
    ) throws(ElementFault) -> [Step] {
        guard let name = members.text("event") else { return [] }
        guard let outer = words.outer else {
            if let event = members["event"] { strayEvents.append(event.place) }
            return []
        }
        guard let actions = outer.element["on"]?[name] else { return [] }
        let steps = try steps(of: actions, outer.words, depth: depth + 1)
        return [.within(outer.node, argument: try members.expression("value", words, &self), steps)]
    }

    func keyPath(_ path: String, _ value: DocumentValue) throws(ElementFault) -> Expression {
        do throws(PredicateError) {
            return try Expression(keyPath: path, place: value.place)
        } catch {
            throw value.fault(.badPredicate, "\(path.excerpt) is not a key path")
        }
    }

    /// The values that are passed to another document.
    mutating func passed(_ with: DocumentValue?, _ words: Lexicon) throws(ElementFault) -> Expression? {
        guard let with else { return nil }
        var members: [(name: String, expression: Expression)] = []
        for (name, value) in with.members {
            try spendSetting(value)
            members.append(
                (name, try read(words) { reader throws(ElementFault) in try reader.expression(of: value) }))
        }
        let source = members.map { "\($0.name): \($0.expression.literal?.shown ?? $0.expression.source)" }
        return Expression(.members(members), place: with.place, source: source.joined(separator: ", "))
    }
}
