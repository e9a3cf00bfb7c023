internal import WidgetBytes
internal import WidgetContract
internal import WidgetPredicates

/// Finds key paths that lead to nothing, by what a program says of values before it runs: the first values of states,
/// the values that are passed, the fields of forms, the answers of stubs, and the members of what the engine has.
///
/// A member that a sample lacks is reported if it is shown as it is, or if its name is nearly that of one which the sample has:
/// other values may have more.
package struct PathCheck {
    typealias Names = [String: KnownValue]

    private let scenes: [Scene]
    private let entries: [String: Program.Entry]
    let services: [String: Service]
    private var vocabulary: Vocabulary?
    /// The properties that all elements have.
    private var element = KnownValue.unknown
    private var settings: Settings?
    /// The values that screens get for their parameters, by the screens' names.
    private var passed: [String: Names] = [:]
    /// The screens whose result is taken by what has shown them.
    private var asked: Set<String> = []
    private var present = ""
    private var fixed: [String: Set<String>] = [:]
    private var scopes: [NodeID: Names] = [:]
    var isCollecting = true
    /// True for the value of a property that is shown. A condition may ask for a member that values lack.
    var isShown = false
    /// True if a screen has passed a value on, so that what that one passes on is known after another visit.
    private var hasPassed = false
    var comparisonsLeft = PathCheck.comparisonCount
    private var seen: Set<Finding> = []
    private var found: [Finding] = []

    private static let comparisonCount = 300
    /// Screens that pass values on to further ones, in a chain.
    private static let passCount = 4

    /// The settings of a program, which expressions read as `defaults`.
    package struct Settings: Sendable {
        package var names: Set<String>
        /// True if nothing else gives a setting a value.
        package var areAll: Bool

        package init(_ names: Set<String>, areAll: Bool) {
            self.names = names
            self.areAll = areAll
        }
    }

    /// - Parameters:
    ///   - vocabulary: the names of the properties of elements; `nil` where elements are not looked at.
    ///   - settings: `nil` where they are not known.
    package static func diagnostics(
        _ scenes: [Scene], _ entries: [String: Program.Entry], _ services: [Service],
        vocabulary: Vocabulary? = nil, settings: Settings? = nil
    ) -> [Finding] {
        var check = PathCheck(scenes, entries, services)
        check.vocabulary = vocabulary
        if let vocabulary {
            let names = Array(vocabulary.keys.keys) + vocabulary.facts.keys + [vocabulary.valueKey]
            check.element = .thing(names, isCertain: false)
        }
        check.settings = settings
        for _ in 0..<passCount {
            check.hasPassed = false
            check.visitAll()
            if !check.hasPassed { break }
        }
        check.isCollecting = false
        check.visitAll()
        return check.found
    }

    private init(_ scenes: [Scene], _ entries: [String: Program.Entry], _ services: [Service]) {
        self.scenes = scenes
        self.entries = entries
        self.services = Dictionary(services.map { ($0.name, $0) }) { first, _ in first }
    }

    private mutating func visitAll() {
        for scene in scenes where hasRoom { visit(scene) }
    }

    /// True where screens are of schemes.
    var isOfSchemes: Bool { vocabulary != nil }

    var hasRoom: Bool { found.count <= Program.diagnosticCount && comparisonsLeft > 0 }

    mutating func report(_ diagnostic: Finding) {
        if isCollecting { return }
        if seen.insert(diagnostic).inserted { found.append(diagnostic) }
    }

    // MARK: - Names

    private mutating func screenNames(of scene: Scene) -> Names {
        let fixed = fixedStates(of: scene)
        var names: Names = scene.names["environment"] == nil ? ["environment": .environment] : [:]
        for (name, named) in scene.names {
            switch named {
            case .state(let id): names[name] = .sample(scene.states[id] ?? .null, isFirst: !fixed.contains(id))
            case .parameter(let id):
                let own = KnownValue.sample(scene.parameters[id] ?? .null, isFirst: true)
                names[name] = own.joined(with: passed[scene.name]?[id] ?? .unknown)
            case .data(let id): names[name] = scene.data(id).map { value(of: $0) } ?? .unknown
            case .dataStatus: names[name] = .dataStatus
            case .source: names[name] = .source
            case .action: names[name] = .action
            case .status: names[name] = .status
            case .node(let id): names[name] = element(id, of: scene)
            }
        }
        if let settings, names["defaults"] == nil {
            names["defaults"] = .thing(settings.names, isCertain: settings.areAll)
        }
        return names
    }

    /// The states of a screen that nothing changes, so that their first values are all that they have.
    private mutating func fixedStates(of scene: Scene) -> Set<String> {
        if let known = fixed[scene.name] { return known }
        var states = Set(scene.states.keys)
        // A control writes into its state.
        for node in scene.nodes { if let path = node.state { states.remove(path.state) } }
        for case .state(let path)? in scene.observations.map({ $0.target }) { states.remove(path.state) }
        for steps in RequestCheck.all(of: scene) {
            RequestCheck.visit(steps, later: true) { step in
                switch step {
                case .assign(.state(let path), _): states.remove(path.state)
                case .edit(let edit): states.remove(edit.state.state)
                // A program may change any.
                case .handle: states = []
                default: return
                }
            }
        }
        fixed[scene.name] = states
        return states
    }

    /// The properties of an element. A class of a host may have others.
    private func element(_ id: NodeID, of scene: Scene) -> KnownValue {
        guard vocabulary != nil, let node = scene.node(id), case .members(var known, _) = element else {
            return .unknown
        }
        // The engine's names of properties are not those of authors.
        for name in node.properties.map({ $0.name.name.prefix { $0 != "." } })
        where !name.contains("-") && known[String(name)] == nil {
            known[String(name)] = .unknown
        }
        return .members(known, isCertain: false)
    }

    /// The answer of a stub, or the fixed value of a source.
    private func value(of source: DataSource) -> KnownValue {
        switch source.kind {
        case .constant(let value): return .sample(value)
        case .broken: return .unknown
        case .request(let call): return answer(of: call, at: source.part)
        }
    }

    private func answer(of call: ServiceCall, at part: [String]? = nil) -> KnownValue {
        guard let action = services[call.service]?.actions[call.action], let response = action.response else {
            return .unknown
        }
        return .sample(response.member(at: part ?? action.resultKeyPath))
    }

    /// The names at a node: those of the screen, the items around it, and the values that are passed.
    private mutating func names(at node: NodeID?, of scene: Scene) -> Names {
        var path: [NodeID] = []
        var next = node
        while let id = next, scopes[id] == nil, path.count < scene.nodes.count {
            path.append(id)
            next = scene.node(id)?.parent
        }
        var names = next.flatMap { scopes[$0] } ?? scopes[-1] ?? [:]
        for id in path.reversed() {
            if let parent = scene.nodes[id].parent, let repetition = scene.node(parent)?.repetition,
                repetition.template.contains(id)
            {
                let item = value(of: repetition.items, scopes[parent] ?? names).item
                names["content"] = item
                if let name = repetition.name { names[name] = item }
            }
            // A row sees its own elements by their names.
            for (name, part) in scene.nodes[id].names ?? [:] { names[name] = element(part, of: scene) }
            let around = names
            for local in scene.nodes[id].locals { names[local.name] = value(of: local.expression, around) }
            scopes[id] = names
        }
        return names
    }

    // MARK: - Walks

    private mutating func visit(_ scene: Scene) {
        present = scene.name
        scopes = [-1: screenNames(of: scene)]
        for id in scene.nodes.indices where hasRoom {
            let names = names(at: id, of: scene)
            let node = scene.nodes[id]
            for property in node.properties {
                isShown = property.name != .hidden
                check(property.expression, names)
                isShown = false
                if property.name == .text { checkText(property.expression, names) }
            }
            for local in node.locals { check(local.expression, self.names(at: node.parent, of: scene)) }
            if let repetition = node.repetition {
                check(repetition.items, names)
                if let key = repetition.key, let first = repetition.template.first {
                    check(key, self.names(at: first, of: scene))
                }
            }
            for choice in [node.list?.choice, node.list?.searchChoice].compactMap({ $0 }) { check(choice, names) }
            if node.prototype != nil { checkRow(node, scene) }
            for event in NodeEvent.allCases { run(node.events[event] ?? [], names, scene) }
            run(node.instead, names, scene)
            if let lifecycle = node.lifecycle {
                run(lifecycle.appear + lifecycle.once + lifecycle.disappear, names, scene)
            }
            if let form = node.form { submit(form, names, scene) }
        }
        let names = scopes[-1] ?? [:]
        if let title = scene.title { check(title, names) }
        for source in scene.data {
            let own = self.names(at: source.node, of: scene)
            if let condition = source.condition { check(condition, own) }
            if case .request(let call) = source.kind {
                if let argument = call.argument { check(argument, own) }
                checkSent(call, own)
                checkPart(of: source, call)
            }
        }
        for action in scene.actions {
            if let condition = action.condition { check(condition.tree, names, action.place) }
            for (_, handler) in action.handlers.sorted(by: { $0.key < $1.key }) {
                if case .steps(let steps) = handler { run(steps, names, scene) }
            }
        }
        for observation in scene.observations {
            let own = self.names(at: observation.node, of: scene)
            check(observation.expression, own)
            run(observation.steps, own, scene)
        }
        for case .assign(.property(let id, _), let value) in scene.reactions.flatMap({ $0.steps })
        where scene.node(id)?.prototype != nil {
            checkRow(value, scene)
        }
        for reaction in scene.reactions { run(reaction.steps, names, scene) }
        run(scene.onLoad + scene.instead, names, scene)
    }

    /// The steps of a form, whose argument has the values of its fields.
    private mutating func submit(_ form: Form, _ names: Names, _ scene: Scene) {
        let fields = (form.mandatory + form.optional).compactMap { scene.node($0)?.fieldName }
        var names = names
        names["argument"] = fields.isEmpty ? .unknown : .thing(fields)
        run(form.submit, names, scene)
    }

    private mutating func run(_ steps: [Step], _ names: Names, _ scene: Scene) {
        var pending = steps.reversed().map { ($0, names) }
        func later(_ steps: [Step], _ names: Names) { pending += steps.reversed().map { ($0, names) } }
        while let (step, names) = pending.popLast() {
            switch step {
            case .assign(_, let value), .delete(let value), .open(let value), .searching(_, let value),
                .search(_, let value, _):
                check(value, names)
            case .alert(_, let message): check(message, names)
            case .show(let entry, let content): show(entry, content, names)
            case .showForResult(let entry, let content, let result):
                show(entry, content, names)
                entries[entry]?.scenes.forEach { asked.insert($0) }
                later(result, with("argument", .unknown, names))
            case .leave(let value, let isDismissal):
                check(value, names)
                checkResult(value, isDismissal)
            case .within(let node, let argument, let inner):
                let argument = argument.map { value(of: $0, names) } ?? .unknown
                later(inner, with("argument", argument, self.names(at: node, of: scene)))
            case .edit(let edit): checkEdit(edit, names, scene)
            case .reveal(_, _, let value): check(value, names)
            case .perform(_, let argument?), .native(_, let argument?), .handle(_, let argument?):
                check(argument, names)
            case .call(let call):
                if let argument = call.argument { check(argument, names) }
                checkSent(call, names)
                later(call.otherwise, with("argument", .unknown, names))
                later(call.then, with("argument", answer(of: call), names))
            case .after(_, _, let inner), .every(_, _, let inner): later(inner, names)
            case .when(let condition, let then, let otherwise):
                check(condition.tree, names, nil)
                later(then + otherwise, names)
            case .branch(let condition, let then, let otherwise):
                check(condition, names)
                later(then + otherwise, names)
            case .choose(let question):
                check(question.title, names)
                check(question.message, names)
                for answer in question.answers { later(answer.steps, names) }
            case .openLink(_, let parts): check(parts, names)
            case .cache(let step):
                for value in [step.value, step.seconds, step.upstream].compactMap({ $0 }) { check(value, names) }
            default: continue
            }
        }
    }

    private func with(_ name: String, _ value: KnownValue, _ names: Names) -> Names {
        var names = names
        names[name] = value
        return names
    }

    // MARK: - Screens and their results

    private mutating func show(_ entry: String, _ content: Expression?, _ names: Names) {
        guard let content else { return }
        check(content, names)
        guard isCollecting, case .members(let values, _) = value(of: content, names) else { return }
        for scene in entries[entry]?.scenes ?? [] {
            hasPassed = true
            passed[scene] = (passed[scene] ?? [:]).merging(values) { $0.joined(with: $1) }
        }
    }

    /// Reports a result that no screen takes.
    private mutating func checkResult(_ value: Expression, _ isDismissal: Bool) {
        guard !asked.contains(present), !(value.literal?.isNull ?? false) else { return }
        report(
            Finding(
                .warning, .unusedValue,
                "The \(isDismissal ? "dismiss" : "back") of \(present.excerpt) returns a value, and nothing that shows \(present.excerpt) takes it",
                at: value.place, hint: #"the push or present takes it with "result": […], as $argument"#))
    }

    // MARK: - Lists

    /// Reports an edit that compares objects with one of their members.
    private mutating func checkEdit(_ edit: ListEdit, _ names: Names, _ scene: Scene) {
        for part in [edit.value, edit.match, edit.place].compactMap({ $0 }) { check(part, names) }
        guard edit.operation != .append, edit.key.isEmpty, let match = edit.match,
            case .samples(let items, _) = list(edit.state, scene).item,
            case .dictionary(let item)? = items.first, case .samples(let values, _) = value(of: match, names),
            values.allSatisfy({ $0.text != nil })
        else { return }
        let name = edit.state.description.excerpt
        report(
            Finding(
                .warning, .badValue,
                "The items of \(name) are objects, and none of them is \(values.first?.shown.excerpt ?? "")",
                at: match.place ?? edit.origin,
                hint: #"write "key", the member that is compared: \#(NameList(item.keys.sorted()))"#))
    }

    private func list(_ path: StatePath, _ scene: Scene) -> KnownValue {
        var known = KnownValue.sample(scene.states[path.state] ?? .null)
        for part in path.parts {
            switch part {
            case .item: known = known.item
            case .member(let key):
                guard case .value(let member) = known.member(key) else { return .unknown }
                known = member
            }
        }
        return known
    }

    // MARK: - Sources

    /// Reports the part of an answer that the stub's answer does not have.
    private mutating func checkPart(of source: DataSource, _ call: ServiceCall) {
        guard !isCollecting, let part = source.part, !part.isEmpty,
            let action = services[call.service]?.actions[call.action], let response = action.response,
            response.member(at: action.errorKeyPath).isNull
        else { return }
        var known = KnownValue.sample(response)
        for (count, key) in part.enumerated() {
            switch known.member(key) {
            case .value(let member): known = member
            case .missing:
                let path = part.prefix(count + 1).joined(separator: ".")
                report(
                    Finding(
                        .warning, .unknownKey,
                        "The answer of \(action.name.excerpt) has no \(path.excerpt), so \(source.id.prefix { $0 != "#" }) has no value",
                        at: source.place, value: path.excerpt, nearest: NearestName.of(key, in: known.names)?.excerpt,
                        hint: PathCheck.list(known.names)))
                return
            }
        }
    }

    // MARK: - Rows

    private mutating func checkRow(_ node: Node, _ scene: Scene) {
        for property in node.properties { checkRow(property.expression, scene) }
    }

    /// Reports a value of a row that is of the first or last item of a provider, and so the same in all rows.
    private mutating func checkRow(_ value: Expression, _ scene: Scene) {
        guard isOfSchemes, !isCollecting, value.source.utf8.count <= 200 else { return }
        let keys = value.source.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard keys.count > 2, ["first", "last"].contains(keys[1]), keys.allSatisfy(PathCheck.isKey),
            case .source? = scene.names[keys[0]]
        else { return }
        report(
            Finding(
                .warning, .badValue, "\(value.source.excerpt) is the same in each row", at: value.place,
                value: value.source.excerpt,
                nearest: "content.\(keys.dropFirst(2).joined(separator: "."))".excerpt))
    }

    // MARK: - Texts

    /// Reports a text that is a key path without its sign.
    private mutating func checkText(_ expression: Expression, _ names: Names) {
        guard case .string(let text)? = expression.literal, text.utf8.count <= 100, text.contains(".") else { return }
        let keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard keys.count > 1, keys.allSatisfy(PathCheck.isKey), var known = names[keys[0]] else { return }
        for key in keys.dropFirst() {
            guard case .value(let member) = known.member(key) else { return }
            if case .unknown = member, case .unknown = known { return }
            known = member
        }
        report(
            Finding(
                .warning, .badValue, "The text \(text.excerpt) is shown as it is written", at: expression.place,
                hint: "did you mean $\(text.excerpt)?"))
    }

    private static func isKey(_ text: String) -> Bool {
        guard let first = text.first, first.isLetter || first == "_" else { return false }
        return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}
