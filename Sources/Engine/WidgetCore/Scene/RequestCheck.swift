internal import WidgetBytes
internal import WidgetPredicates

/// Finds the requests that would change something on a server because a screen opens, and those with a `$name` that
/// nothing gives a value.
package struct RequestCheck {
    private let services: [String: Service]
    private(set) var found: [Finding] = []
    private var known: Set<Finding> = []
    /// The places of each action that was looked at.
    private var places: [ActionKey: [String]] = [:]

    /// The most findings. A program that has more of them has the same ones many times.
    private static let most = 100
    /// The most places of an action that are looked at.
    private static let mostPlaces = 100

    private struct ActionKey: Hashable {
        var service: String
        var action: String
    }

    private init(_ services: [Service]) {
        self.services = Dictionary(services.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The findings about the sources and calls of documents, whose requests are not sent then.
    package static func ofDocuments(_ scenes: [Scene], _ services: [Service]) -> [Finding] {
        var check = RequestCheck(services)
        for scene in scenes where check.hasRoom { check.lookAtCalls(of: scene) }
        return check.found
    }

    /// The findings about the actions of schemes, whose requests are sent all the same.
    ///
    /// - Parameter initial: the name of the first screen, which has no content when it opens.
    package static func ofSchemes(_ scenes: [Scene], _ services: [Service], initial: String?) -> [Finding] {
        var check = RequestCheck(services)
        for scene in scenes where check.hasRoom { check.lookAtActions(of: scene, isFirst: scene.name == initial) }
        return check.found
    }

    private var hasRoom: Bool { found.count < RequestCheck.most }

    private mutating func report(
        _ code: Finding.Code, _ message: String, at place: Place?, value: String? = nil, hint: String
    ) {
        let diagnostic = Finding(.warning, code, message, at: place, value: value, hint: hint)
        if hasRoom, known.insert(diagnostic).inserted { found.append(diagnostic) }
    }

    private func action(_ call: ServiceCall) -> ServiceAction? { services[call.service]?.actions[call.action] }

    // MARK: - Documents

    private mutating func lookAtCalls(of scene: Scene) {
        var asked: Set<String> = []
        let automatic = scene.data.filter { $0.isAutomatic }.map { Step.ask($0.id) }
        for steps in [automatic] + RequestCheck.openings(of: scene) { lookAtOpening(steps, scene) }
        for steps in RequestCheck.all(of: scene) {
            RequestCheck.visit(steps, later: true) { step in
                if case .ask(let id) = step { asked.insert(id) }
                if case .call(let call) = step {
                    lookAtPlaces(of: call, call.data.map(RequestCheck.name), at: call.place)
                }
            }
        }
        for source in scene.data {
            guard case .request(let call) = source.kind, source.isAutomatic || asked.contains(source.id) else {
                continue
            }
            lookAtPlaces(of: call, RequestCheck.name(source.id), at: source.place, follows: source.moment == .change)
        }
    }

    /// Reports the calls that steps make when a screen opens.
    private mutating func lookAtOpening(_ steps: [Step], _ scene: Scene) {
        RequestCheck.visit(steps, later: false) { step in
            var held: ServiceCall?
            if case .call(let call) = step { held = call }
            if case .ask(let id) = step, case .request(let call)? = scene.data(id)?.kind {
                held = call
                held?.data = id
            }
            guard let held, let action = services[held.service]?.writing(from: held.action) else { return }
            if let data = held.data, scene.data(data)?.isSentOnOpening ?? false { return }
            report(
                .sentOnLoad,
                "\(held.data.map { "The source \(RequestCheck.name($0))" } ?? action.name.excerpt) is to be asked when the screen opens, and a \(action.method) is not sent then",
                at: held.place ?? action.place,
                hint:
                    #"send it in an event, or by a source with "when": "load" whose action has "idempotencyKey": true"#)
        }
    }

    /// Reports the places of a request's action that its values leave open.
    private mutating func lookAtPlaces(
        of call: ServiceCall, _ source: String?, at place: Place?, follows: Bool = false
    ) {
        guard hasRoom, let action = action(call) else { return }
        lookAtValues(of: call, action, follows: follows)
        let key = ActionKey(service: call.service, action: call.action)
        let wanted = places[key] ?? RequestCheck.places(of: action)
        places[key] = wanted
        let given = GivenNames(call.argument)
        let open = wanted.filter { given.lack($0.split(separator: ".").map(String.init)) }
        guard !open.isEmpty else { return }
        let owner = source.map { "The source \($0)" } ?? "The call of \(action.name.excerpt)"
        report(
            .unfilled, "\(owner) has no value for \(RequestFaults.list(open))", at: place ?? action.place,
            hint: #"pass one in "with"; the request is not sent without"#)
    }

    /// Reports values that a request has no place for. A stub need not have them, and a source that follows values is
    /// asked again by their changes.
    private mutating func lookAtValues(of call: ServiceCall, _ action: ServiceAction, follows: Bool) {
        guard !follows, case .members(let members)? = call.argument?.start, action.changes.isEmpty, !action.isUpload,
            !(services[call.service]?.isScripted ?? true)
        else { return }
        let templates = [action.url] + action.parameters.templates + action.optimistic.map { $0.value }
        let used = Set(templates.flatMap { $0.keyPaths }.map { String($0.prefix { $0 != "." }) })
        for member in members where !used.contains(member.name) {
            let known = used.sorted()
            report(
                .unusedValue, "The action \(action.name.excerpt) has no place for \(member.name.excerpt)",
                at: member.expression.place ?? call.place,
                hint: NearestName.of(member.name, in: known).map { "did you mean \($0.excerpt)?" }
                    ?? (known.isEmpty
                        ? #"write it into its path or parameters, as in "$\#(member.name.excerpt)""#
                        : "its places are \(NameList(known.map { "$\($0)" }))"))
        }
    }

    private static func places(of action: ServiceAction) -> [String] {
        var names: [String] = []
        var templates = [action.url]
        if action.hasParameters, !action.isUpload || action.parameterPlace == .query {
            templates += action.parameters.templates
        }
        for template in templates {
            for name in template.keyPaths where names.count < mostPlaces && !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// The name of a source as it was written, without the mark of a hosted document.
    private static func name(_ id: String) -> String { String(id.prefix { $0 != "#" }).excerpt }

    // MARK: - Schemes

    private mutating func lookAtActions(of scene: Scene, isFirst: Bool) {
        var opening: Set<String> = []
        var setsContent = false
        for steps in RequestCheck.openings(of: scene) {
            RequestCheck.visit(steps, later: false) { step in
                if case .perform(let id, _) = step { opening.insert(id) }
            }
        }
        for steps in RequestCheck.all(of: scene) {
            RequestCheck.visit(steps, later: true) { step in
                if case .assign(.content, _) = step { setsContent = true }
            }
        }
        for action in scene.actions where hasRoom {
            guard let name = action.name, let service = services[action.service ?? ""],
                let described = service.actions[name], RequestCheck.isOfService(action, name)
            else { continue }
            let isOpening = opening.contains(action.id)
            if isOpening, let writing = service.writing(from: name), !writing.isKeyed {
                report(
                    .sentOnLoad,
                    "\(action.id.excerpt) sends \(writing.name.excerpt) when the screen opens, and its \(writing.method) changes something on a server",
                    at: action.place,
                    hint: #"perform it by a button, or give \#(writing.name.excerpt) "idempotencyKey": true"#)
            }
            if let form = action.form.flatMap({ scene.node($0)?.form }), form.media == nil {
                lookAtFields(of: form, action, described, scene)
            }
            guard action.form == nil, lacksArgument(action, isOpening && isFirst && !setsContent) else { continue }
            let open = RequestCheck.places(of: described)
            guard !open.isEmpty else { continue }
            report(
                .unfilled,
                "\(action.id.excerpt) gives \(name.excerpt) no value for \(RequestFaults.list(open)), which is sent as it is written",
                at: action.place, hint: "give the screen content, or the action a form")
        }
    }

    /// Reports the places of a request that no field of its form has the name of.
    private mutating func lookAtFields(of form: Form, _ action: Action, _ described: ServiceAction, _ scene: Scene) {
        let fields = (form.mandatory + form.optional).compactMap { scene.node($0)?.fieldName }
        guard !fields.isEmpty else { return }
        if let twice = RequestCheck.lostField(of: form, scene) {
            report(
                .duplicateIdentifier,
                "Two fields of the form of \(action.id.excerpt) are called \(twice.fieldName?.excerpt ?? ""), so the value of one is lost",
                at: twice.place ?? action.place, value: twice.identifier, hint: "give each field another name")
        }
        for place in RequestCheck.places(of: described) {
            let name = String(place.prefix { $0 != "." })
            guard !fields.contains(name) else { continue }
            report(
                .unfilled, "\(action.id.excerpt) gives \(described.name.excerpt) no value for $\(name.excerpt)",
                at: described.place ?? action.place,
                hint: NearestName.of(name, in: fields).map { "did you mean $\($0.excerpt)?" }
                    ?? "the fields of its form are \(NameList(Set(fields).sorted().map { $0.excerpt }))")
        }
    }

    /// A field whose name another one of its form has, so that only one of the values is sent. A form may join those of optional
    /// fields.
    private static func lostField(of form: Form, _ scene: Scene) -> Node? {
        var listed: Set<NodeID> = []
        var (mandatory, optional): (Set<String>, Set<String>) = ([], [])
        for (id, isOptional) in form.mandatory.map({ ($0, false) }) + form.optional.map({ ($0, true) }) {
            guard listed.insert(id).inserted, let node = scene.node(id), let name = node.fieldName, !name.isEmpty else {
                continue
            }
            if mandatory.contains(name) { return node }
            if !isOptional {
                mandatory.insert(name)
            } else if !optional.insert(name).inserted, form.duplicates == .overwrite {
                return node
            }
        }
        return nil
    }

    private static func isOfService(_ action: Action, _ name: String) -> Bool {
        if case .service = action.handlers[name] ?? .service { true } else { false }
    }

    /// True for an action that certainly has no argument.
    private func lacksArgument(_ action: Action, _ hasNoContent: Bool) -> Bool {
        guard let argument = action.argument else { return false }
        return argument.literal?.isNull ?? false || hasNoContent && argument.source == "content"
    }

    // MARK: - Steps

    /// The steps that run because a screen has opened.
    private static func openings(of scene: Scene) -> [[Step]] {
        var all = [scene.onLoad]
        all += scene.reactions.filter { !$0.triggers.isDisjoint(with: [.loaded, .appearing]) }.map { $0.steps }
        all += scene.observations.filter { !$0.skipsFirst && $0.runsAtOnce }.map { $0.steps }
        for node in scene.nodes {
            guard let lifecycle = node.lifecycle, isShownAtOnce(node, scene) else { continue }
            all += [lifecycle.appear, lifecycle.once]
        }
        return all
    }

    /// True for an element that neither a condition nor an item decides about.
    private static func isShownAtOnce(_ node: Node, _ scene: Scene) -> Bool {
        var next: Node? = node
        while let node = next {
            if node.repetition != nil || node.prototype != nil || node.kind == .row { return false }
            if let hidden = node[.hidden], hidden.literal.map({ $0.truth }) ?? true { return false }
            next = node.parent.flatMap { scene.node($0) }
        }
        return true
    }

    /// All steps of a screen.
    static func all(of scene: Scene) -> [[Step]] {
        var all =
            [scene.onLoad, scene.instead] + scene.reactions.map { $0.steps } + scene.observations.map { $0.steps }
        for action in scene.actions {
            for (_, handler) in action.handlers.sorted(by: { $0.key < $1.key }) {
                if case .steps(let steps) = handler { all.append(steps) }
            }
        }
        for node in scene.nodes {
            all += NodeEvent.allCases.compactMap { node.events[$0] }
            all.append(node.instead)
            if let lifecycle = node.lifecycle { all += [lifecycle.appear, lifecycle.once, lifecycle.disappear] }
            if let form = node.form { all.append(form.submit) }
        }
        return all
    }

    /// Visits steps and the steps in them.
    ///
    /// - Parameter later: true if those count that follow an act of a person.
    static func visit(_ steps: [Step], later: Bool, _ look: (Step) -> Void) {
        var pending = Array(steps.reversed())
        while let step = pending.popLast() {
            look(step)
            switch step {
            case .within(_, _, let inner), .after(_, _, let inner), .every(_, _, let inner):
                pending += inner.reversed()
            case .when(_, let then, let otherwise), .branch(_, let then, let otherwise):
                pending += (then + otherwise).reversed()
            case .call(let call): pending += (call.then + call.otherwise).reversed()
            case .showForResult(_, _, let result): if later { pending += result.reversed() }
            case .choose(let question): if later { pending += question.answers.flatMap { $0.steps }.reversed() }
            default: continue
            }
        }
    }
}

/// The names that an argument gives values, without its evaluation.
private struct GivenNames {
    private let argument: Expression?

    init(_ argument: Expression?) {
        self.argument = argument
    }

    /// True if a path certainly lacks a value.
    func lack(_ path: [String]) -> Bool { argument.map { GivenNames.lacks($0, path[...]) } ?? true }

    private static func lacks(_ expression: Expression, _ path: ArraySlice<String>) -> Bool {
        guard let first = path.first, expression.steps.isEmpty else { return false }
        switch expression.start {
        case .members(let members):
            guard let member = members.last(where: { $0.name == first }) else { return true }
            return lacks(member.expression, path.dropFirst())
        case .literal(let value): return lacks(value, path)
        case .scope, .compiled, .match: return false
        }
    }

    private static func lacks(_ value: Value, _ path: ArraySlice<String>) -> Bool {
        guard let first = path.first, case .dictionary(let dictionary) = value else { return false }
        return dictionary[first].map { lacks($0, path.dropFirst()) } ?? true
    }
}

extension Observation {
    /// True if its steps run for the first value.
    fileprivate var runsAtOnce: Bool { isOfChanges || (expression.literal?.truth ?? false) }
}
