internal import WidgetBytes
internal import WidgetCore
internal import WidgetPredicates

/// The facts of a screen that its scene does not keep.
struct ScreenFacts: Sendable {
    var mediators: MediatorTable
    /// The identifiers of the screens that its segues lead to, and of those that it contains.
    var destinations: Set<String>
    /// True if a class of the host performs actions of the screen, which may know more of them.
    var hasHostService: Bool
    /// True if the screen is of a class of the host, which may do anything.
    var isHostClass: Bool
    /// The file of the storyboard, with the screen's identifier.
    var place: Place
}

/// Finds connections between the parts of a program that lead nowhere: actions, masters, screens and pictures.
struct ProgramCheck {
    let scenes: [Scene]
    let facts: [String: ScreenFacts]
    let services: [Service]
    let images: [String: ImageInfo]?
    private(set) var found: [Finding] = []
    private var seen: Set<Finding> = []
    /// The names of each service's actions, sorted.
    private let sortedActions: [String: [String]]
    /// Unknown names that may still be compared with known ones.
    private var comparisonsLeft = ProgramCheck.comparisonCount

    private static let comparisonCount = 300

    init(_ scenes: [Scene], _ facts: [String: ScreenFacts], _ services: [Service], images: [String: ImageInfo]?) {
        self.scenes = scenes
        self.facts = facts
        self.services = services
        self.images = images
        sortedActions = Dictionary(services.map { ($0.name, $0.actions.keys.sorted()) }) { first, _ in first }
    }

    mutating func run() {
        let known = actionNames
        let sorted = known.sorted()
        for scene in scenes {
            guard let facts = facts[scene.name] else { continue }
            checkActions(of: scene, facts)
            checkStatuses(of: scene, facts, known, sorted)
            checkMasters(of: facts.mediators)
            checkPictures(of: scene)
        }
    }

    mutating func report(_ diagnostic: Finding) {
        if seen.insert(diagnostic).inserted { found.append(diagnostic) }
    }

    /// False once there are more findings than are shown. Looking for hints takes its time.
    var hasRoom: Bool { found.count <= Program.diagnosticCount && comparisonsLeft > 0 }

    // MARK: - Actions

    /// The names of all actions that may send signals.
    var actionNames: Set<String> {
        var names = Set(services.flatMap { $0.actions.keys })
        for mediator in facts.values.flatMap({ $0.mediators.all }) where mediator.type != "ActionStatusController" {
            // A target may perform it, and so may a class of the host.
            guard mediator.outlet("target") != nil || mediator.text("serviceProviderClassName") != nil else { continue }
            names.formUnion(["actionName", "elseActionName"].compactMap { mediator.text($0) })
        }
        return names
    }

    /// Reports actions that the service of their screen does not have.
    private mutating func checkActions(of scene: Scene, _ facts: ScreenFacts) {
        guard !facts.hasHostService else { return }
        for action in scene.actions where hasRoom {
            let mediator = facts.mediators[action.id]
            guard mediator?.outlet("target") == nil, let service = action.service else { continue }
            for (key, name) in [("actionName", action.name), ("elseActionName", action.otherName)] {
                guard let name, !name.isEmpty, action.handlers[name] == nil else { continue }
                let place = mediator?.attribute(key)?.place ?? action.place
                guard let description = services.first(where: { $0.name == service }) else {
                    let file = service == WidgetKitVocabulary.scriptedProvider ? "StubService.json" : "Service.json"
                    let hint =
                        services.isEmpty
                        ? "\(file) in the bundle describes its requests"
                        : "give the screen serviceProviderClassName: \(services[0].name), or the bundle a \(file)"
                    report(
                        Finding(
                            .warning, .unknownService,
                            "\(service) is to do \(name.excerpt), and the bundle has no \(file)", at: place, hint: hint)
                    )
                    continue
                }
                guard description.actions[name] == nil else { continue }
                // A stub often has some of the answers alone. The others are reported when they are asked for.
                comparisonsLeft -= 1
                let names = sortedActions[description.name] ?? []
                let nearest = NearestName.of(name, in: names)
                if description.isScripted, nearest == nil { continue }
                report(
                    Finding(
                        .warning, .unknownAction, "\(service) has no action \(name.excerpt)", at: place,
                        value: name.excerpt, nearest: NearestName.of(name, in: names),
                        hint: KeyTable.list(names, "it has")))
            }
        }
    }

    /// - Parameter names: the known ones, sorted.
    private mutating func checkStatuses(
        of scene: Scene, _ facts: ScreenFacts, _ known: Set<String>, _ names: [String]
    ) {
        guard !facts.hasHostService, !services.isEmpty else { return }
        let isScripted = services.contains { $0.isScripted }
        for status in scene.statuses where hasRoom && !known.contains(status.actionName) {
            comparisonsLeft -= 1
            if isScripted, NearestName.of(status.actionName, in: names) == nil { continue }
            report(
                Finding(
                    .warning, .unknownAction,
                    "\(status.id.excerpt) follows \(status.actionName.excerpt), which no service has",
                    at: facts.mediators[status.id]?.attribute("actionName")?.place ?? status.place,
                    value: status.actionName.excerpt, nearest: NearestName.of(status.actionName, in: names),
                    hint: KeyTable.list(names, "there are")))
        }
    }

    /// Reports properties that actions give to records, and that the records do not have.
    mutating func checkProperties(_ model: EntityModel) {
        // By the entity's place; sorted once, for the first name that is unknown.
        var sortedKeys: [Int: [String]] = [:]
        for action in services.flatMap({ $0.actions.values.sorted { $0.name < $1.name } }) {
            var given = action.changes.map { ($0.entity, "changes", ($0.values ?? []).map { $0.name }) }
            if let entity = action.result?.entity {
                given.append((entity, "sets", action.sets.map { $0.name }))
                given.append((entity, "shows", action.optimistic.map { $0.name }))
            }
            for (entity, verb, names) in given where !names.isEmpty {
                guard let place = model.place(of: entity) else { continue }
                let kinds = model.family(of: place).map { model.entities[$0] }
                for name in names where hasRoom && !kinds.contains(where: { $0.slot(name) != nil }) {
                    let known = sortedKeys[place] ?? Set(kinds.flatMap { $0.properties.map { $0.name } }).sorted()
                    sortedKeys[place] = known
                    comparisonsLeft -= 1
                    report(
                        Finding(
                            .warning, .unknownKey,
                            "\(action.name.excerpt) \(verb) \(name.excerpt), which \(entity) does not have",
                            at: action.place, value: name.excerpt, nearest: NearestName.of(name, in: known),
                            hint: KeyTable.list(known, "it has")))
                }
            }
        }
    }

    // MARK: - Masters

    /// Reports providers that are their own masters, directly or through others. Each is reported once.
    private mutating func checkMasters(of table: MediatorTable) {
        var done: Set<String> = []
        for mediator in table.all {
            var path: [String] = []
            var next: MediatorDescription? = mediator
            while let current = next, !done.contains(current.id) {
                if let start = path.firstIndex(of: current.id) {
                    reportMasters(Array(path[start...]), table)
                    break
                }
                path.append(current.id)
                let master = current.outlet("masterObject")?.split(separator: ".").first.map(String.init)
                next = master.flatMap { table[$0] }
            }
            done.formUnion(path)
        }
    }

    private mutating func reportMasters(_ names: [String], _ table: MediatorTable) {
        guard let first = table[names[0]] else { return }
        let place = first.outlets.last { $0.name == "masterObject" }?.place ?? first.place
        let message =
            names.count == 1
            ? "\(names[0].excerpt) is its own master, so it stays empty"
            : "\(NameList(names.map { $0.excerpt })) are masters of each other, so they stay empty"
        report(
            Finding(
                .error, .bindingCycle, message, at: place,
                hint: "masterObject leads to content, or to a provider that does not depend on this one"))
    }

    // MARK: - Pictures

    /// Reports pictures that a binding chooses from and the bundle does not have. Others are looked at when they are
    /// shown.
    private mutating func checkPictures(of scene: Scene) {
        guard let images else { return }
        for node in scene.nodes {
            // A result that a transformer or format converts is another name.
            guard let expression = node[.image], expression.steps.allSatisfy({ $0.keepsChoice }) else { continue }
            for case .choice(_, let whenTrue, let whenFalse) in expression.steps {
                for case .value(let value)? in [whenTrue, whenFalse] {
                    let place = expression.place ?? node.place
                    guard hasRoom, let name = value.string,
                        let fault = Finding.missingPicture(name, among: images, at: place)
                    else { continue }
                    comparisonsLeft -= 1
                    report(fault)
                }
            }
        }
    }

    // MARK: - Screens

    /// Reports screens of a storyboard that nothing leads to.
    mutating func checkReach(
        from initial: String, among identifiers: [String], _ entries: [String: Program.Entry]
    ) {
        var reached: Set<String> = []
        var pending = [initial]
        while let identifier = pending.popLast() {
            for name in entries[identifier]?.scenes ?? [] where reached.insert(name).inserted {
                pending += facts[name]?.destinations ?? []
            }
        }
        for identifier in identifiers {
            guard let name = entries[identifier]?.scene, let facts = facts[name], reached.insert(name).inserted else {
                continue
            }
            report(
                Finding(
                    .warning, .unknownScreen, "No segue leads to \(name.excerpt), so it is never shown",
                    at: facts.place, value: name.excerpt,
                    hint: "draw a segue to it from a screen that is shown, or take it out"))
        }
    }
}

extension Expression.Step {
    /// True if the result of a choice is not converted by the step.
    fileprivate var keepsChoice: Bool {
        switch self {
        case .choice, .placeholder, .truth: true
        case .transformer, .format, .chain, .negation, .named: false
        }
    }
}
