internal import WidgetBytes
internal import WidgetPredicates

/// The values of expressions, and the paths in them that lead to nothing.
extension PathCheck {
    /// The value of an expression that reads one path, or is written out.
    func value(of expression: Expression, _ names: Names) -> KnownValue {
        guard expression.steps.isEmpty else { return .unknown }
        switch expression.start {
        case .literal(let value): return .sample(value)
        case .members(let members):
            let values = members.map { ($0.name, value(of: $0.expression, names)) }
            return .members(Dictionary(values) { first, _ in first }, isCertain: true)
        case .compiled(let compiled): return value(of: compiled.tree.root, compiled.tree, names)
        case .scope, .match: return .unknown
        }
    }

    /// The value of a part of an expression: a path, or a choice among the items of one.
    func value(of root: SyntaxNode.ID, _ tree: SyntaxTree, _ names: Names) -> KnownValue {
        var next = root
        while tree.nodes.indices.contains(next) {
            switch tree[next].kind {
            case .keyPath(nil, let path): return follow(path, names).value
            case .constant(let literal): return .sample(literal.value)
            case .subquery(let list, _, _): next = list
            case .place(let list, .first), .place(let list, .last), .index(let list, _):
                guard case .keyPath(nil, let path) = tree[list].kind else { return .unknown }
                return follow(path, names).value.item
            case .ternary(_, let then, let otherwise):
                // One of them may be without items.
                if case .unknown = value(ofPath: then, tree, names) { next = otherwise } else { next = then }
            default: return .unknown
            }
        }
        return .unknown
    }

    func value(ofPath part: SyntaxNode.ID, _ tree: SyntaxTree, _ names: Names) -> KnownValue {
        guard case .keyPath(nil, let path) = tree[part].kind else { return .unknown }
        return follow(path, names).value
    }

    /// The key of a path that has no value.
    struct Missing {
        var count: Int
        var key: String
        /// The value that lacks it.
        var owner: KnownValue
        var certainty: KnownValue.Certainty
    }

    func follow(_ path: KeyPath, _ names: Names) -> (value: KnownValue, missing: Missing?) {
        guard case .key(let name)? = path.components.first, var known = names[name] else { return (.unknown, nil) }
        for (count, component) in path.components.enumerated().dropFirst() {
            guard case .key(let key) = component else { return (.unknown, nil) }
            switch known.member(key) {
            case .value(let member): known = member
            case .missing(let certainty):
                return (.unknown, Missing(count: count, key: key, owner: known, certainty: certainty))
            }
        }
        return (known, nil)
    }

    mutating func check(_ expression: Expression, _ names: Names) {
        if isCollecting { return }
        var pending = [expression]
        while let next = pending.popLast() {
            let place = next.place ?? expression.place
            switch next.start {
            case .compiled(let compiled): check(compiled.tree, names, place)
            case .members(let members): pending += members.reversed().map { $0.expression }
            case .match(let table):
                pending += [table.subject] + table.cases.sorted { $0.key < $1.key }.map { $0.value }
                pending += [table.otherwise].compactMap { $0 }
            case .literal: break
            case .scope: if let step = next.steps.first { check(step, names, place) }
            }
        }
    }

    /// A step that reads the whole scope.
    mutating func check(_ step: Expression.Step, _ names: Names, _ place: Place?) {
        switch step {
        case .truth(let predicate): check(predicate.tree, names, place)
        case .choice(let predicate, let whenTrue, let whenFalse):
            check(predicate.tree, names, place)
            for case .template(let template)? in [whenTrue, whenFalse] { check(template, names, place) }
        case .format(let template): check(template, names, place)
        default: return
        }
    }

    mutating func check(_ template: Template, _ names: Names, _ place: Place?) {
        for path in template.keyPaths where hasRoom {
            check(KeyPath(path.split(separator: ".").map { .key(String($0)) }), names, place)
        }
    }

    mutating func check(_ tree: SyntaxTree, _ names: Names, _ place: Place?) {
        if isCollecting { return }
        for node in tree.nodes where hasRoom {
            switch node.kind {
            case .keyPath(nil, let path): check(path, names, place, isWhole: tree.nodes.count == 1)
            case .comparison(let comparison): check(comparison, tree, names, place)
            default: continue
            }
        }
    }

    /// - Parameter isWhole: true for a path that is the whole expression.
    mutating func check(_ path: KeyPath, _ names: Names, _ place: Place?, isWhole: Bool = false) {
        // The status of a source was looked at when its document was read.
        guard let missing = follow(path, names).missing, path.components.first.map(PathCheck.isNamed) ?? false else {
            return checkOwnNames(path, names, place)
        }
        comparisonsLeft -= 1
        let names = missing.owner.names
        let nearest = NearestName.of(missing.key, in: names)
        let owner = KeyPath(Array(path.components.prefix(missing.count))).text.excerpt
        let message: String
        var meant = nearest?.excerpt
        var hint: String?
        var isCertain = missing.certainty == .always
        switch missing.certainty {
        case .always:
            message = "\(owner) has no member \(missing.key.excerpt)"
            if let inner = missing.owner.path(to: missing.key) { meant = "\(owner).\(inner.excerpt)" }
            hint = PathCheck.list(names)
            if owner == "defaults", hint == nil {
                hint = #"no scheme has it in its "defaults", and no screen binds it"#
            }
        case .perhaps:
            message = "\(owner) has no member \(missing.key.excerpt)"
            if isShown, isWhole, case .samples = missing.owner {
                isCertain = true
                hint = PathCheck.list(names)
            }
        case .atFirst:
            message = "\(owner) has no member \(missing.key.excerpt) at first"
        }
        if nearest == nil, !isCertain { return }
        var finding = Finding(
            .warning, .unknownKey, message, at: place, value: missing.key.excerpt, nearest: meant, hint: hint)
        if missing.certainty == .atFirst, let question = finding.hint {
            finding.hint = "\(question) Otherwise write it there as well"
        }
        report(finding)
    }

    /// Reports members that the engine has, and the framework of schemes on iOS does not.
    private mutating func checkOwnNames(_ path: KeyPath, _ names: Names, _ place: Place?) {
        guard isOfSchemes, case .key(let name)? = path.components.first, var known = names[name] else { return }
        for component in path.components.dropFirst() {
            guard case .key(let key) = component, case .members(let members, _) = known, let member = members[key]
            else { return }
            if let meant = KnownMembers.own[key], members[meant] != nil {
                report(
                    Finding(
                        .warning, .unknownKey,
                        "\(path.text.excerpt) has a value here, and on iOS \(key.excerpt) does not exist and ends the app",
                        at: place, value: key.excerpt, nearest: meant))
                return
            }
            known = member
        }
    }

    static func list(_ names: [String]) -> String? {
        names.isEmpty ? nil : "it has \(NameList(names.map { $0.excerpt }))"
    }

    /// Reports a comparison with a word that a value never is.
    mutating func check(
        _ comparison: SyntaxNode.Comparison, _ tree: SyntaxTree, _ names: Names, _ place: Place?
    ) {
        guard comparison.operation == .equal || comparison.operation == .notEqual else { return }
        for (side, other) in [(comparison.left, comparison.right), (comparison.right, comparison.left)] {
            guard case .keyPath(nil, let path) = tree[side].kind, case .words(let words) = follow(path, names).value,
                case .constant(let literal) = tree[other].kind, case .string(let word) = literal.value,
                !words.contains(word)
            else { continue }
            report(
                Finding(
                    .warning, .badValue,
                    "\(path.text.replacing("$status", with: ".status").excerpt) is never \(word.excerpt)", at: place,
                    value: word.excerpt, nearest: NearestName.of(word, in: words), hint: "it is \(NameList(words))"))
        }
    }

    /// True for a name that an author can write.
    private static func isNamed(_ component: KeyPath.Component) -> Bool {
        if case .key(let name) = component { !name.contains("$") } else { false }
    }

    // MARK: - Requests

    /// Reports lists and objects that are passed to a place in a form or an address.
    mutating func checkSent(_ call: ServiceCall, _ names: Names) {
        guard !isCollecting, let action = services[call.service]?.actions[call.action], !action.isUpload,
            action.parameterPlace != .json, !action.hasJSONHeader, let argument = call.argument,
            case .members(let members) = argument.start
        else { return }
        let templates = [action.url] + (action.hasParameters ? action.parameters.templates : [])
        let places = Set(templates.flatMap { $0.keyPaths })
        for member in members where hasRoom && places.contains(member.name) {
            guard case .samples(let values, _) = value(of: member.expression, names), let value = values.first,
                value.text == nil, !value.isNull
            else { continue }
            var kind = "a list"
            if case .dictionary = value { kind = "an object" }
            report(
                Finding(
                    .warning, .badValue,
                    "\(member.name.excerpt) is \(kind), which neither a form nor an address can have",
                    at: member.expression.place ?? call.place,
                    hint: #"give the action \#(action.name.excerpt) "parametersIn": "json""#))
        }
    }
}
