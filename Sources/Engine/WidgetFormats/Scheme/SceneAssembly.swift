internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetNib
internal import WidgetPredicates

/// Assembles a screen from its interface, its scheme and the mediators of both.
struct SceneAssembly {
    var skeleton: SceneSkeleton
    var scene: Scene
    let files: BundleFiles
    var data: DataFiles
    var mediators: [MediatorDescription]
    let elements: [ElementDescription]
    var diagnostics: [Finding]
    /// The number of diagnostics of what was read before this screen.
    private let earlierCount: Int
    /// The mediators' own names, by each name and alias.
    var mediatorNames: [String: String] = [:]
    /// The indexes of mediators, by their own names.
    private var mediatorPlaces: [String: Int] = [:]
    /// The elements of each name.
    private var namedNodes: [String: [NodeID]] = [:]
    /// The names that hints choose from, sorted: collected when the first one is looked for.
    private var sortedNames: [MediatorOutlet.Target: [String]] = [:]
    /// The messages of rules as they are written.
    var messages: Set<String> = []
    /// True if a file of rows is missing, whose elements are not known then.
    private(set) var lacksRows = false
    private(set) lazy var elementNames = namedNodes.keys.sorted()
    private(set) lazy var transformerNames = knownTransformers.filter { !$0.hasPrefix("NS") }.sorted()
    private(set) lazy var fileNames = files.paths.compactMap { $0.split(separator: "/").last.map(String.init) }
    let limits: FormatLimits
    var service = WidgetKitVocabulary.standardProvider
    /// True if a class of the host performs actions here.
    var hasHostService = false
    /// True if bindings follow their inputs from one event to the next.
    var isDynamic = false
    var bound: Set<Bound> = []
    var boundScreen: Set<Step.Target> = []
    var hasTooManyScreenBindings = false
    let knownTransformers: Set<String>
    /// The targets of elements' outlets, the first of each name.
    private(set) var outletTargets: [OutletName: NodeID] = [:]
    /// The triggers of bindings: of the screen, of all elements, and of elements that are listed by name.
    var screenTriggers: Set<Trigger> = []
    var usualTriggers: Set<Trigger> = []
    var ownTriggers: [NodeID: Set<Trigger>] = [:]
    var ownTriggerCount = 0
    /// The display of a table, by its list.
    var listDisplays: [NodeID: Int] = [:]
    /// Elements that have reached the limit of properties.
    var crowded: Set<NodeID> = []
    var settingsLeft: Int
    /// The display that each mediator searches, by the mediator's own name.
    var searchDisplays: [String: Int] = [:]
    /// The texts about fields, in the reader's language.
    var fieldTexts = Translations.none
    /// The names of the bundle's documents; `nil` in a bundle without.
    var documents: Set<String>?
    /// The views and steps that show documents.
    var shown = ShownDocuments()
    /// Attributes of elements that a mediator's key paths lead to.
    private var followed: [(name: String, value: SchemeValue, node: NodeID)] = []

    init(
        _ skeleton: SceneSkeleton, _ scheme: SchemeFile?, named name: String, files: BundleFiles,
        data: DataFiles,
        transformers: Set<String>, diagnosticsBefore earlierCount: Int, _ limits: FormatLimits
    ) {
        self.limits = limits
        self.earlierCount = earlierCount
        settingsLeft = limits.settingCount
        knownTransformers = transformers
        self.skeleton = skeleton
        self.files = files
        self.data = data
        scene = Scene(name, nodes: [])
        mediators = skeleton.mediators
        elements = scheme?.elements ?? []
        diagnostics = scheme?.diagnostics ?? []
        var known: [String: Int] = [:]
        for (place, mediator) in mediators.enumerated() { SceneAssembly.note(mediator, place, &known) }
        for mediator in scheme?.mediators ?? [] { merge(mediator, &known) }
    }

    /// Adds a mediator, or merges it into one of the same name. A scheme may change an interface's mediator, but not
    /// its type.
    private mutating func merge(_ mediator: MediatorDescription, _ known: inout [String: Int]) {
        if let place = known[mediator.id] {
            mediators[place].alias = mediator.alias
            mediators[place].attributes += mediator.attributes
            mediators[place].evals += mediator.evals
            mediators[place].outlets += mediator.outlets
            return
        }
        guard MediatorClass.all[mediator.type] != nil else {
            guard hasRoom else { return }
            diagnostics.append(
                Finding(
                    .warning, .unknownType, SceneAssembly.unknown(mediator), at: mediator.place,
                    value: mediator.type.excerpt, nearest: SceneAssembly.nearestType(mediator.type),
                    hint: SceneAssembly.hint(aboutType: mediator.type)))
            return
        }
        guard mediators.count < limits.mediatorCount else {
            report(
                Finding(
                    .error, .mediatorBudget, "A screen has more than \(limits.mediatorCount) mediators",
                    at: Place(file: mediator.place.file), hint: "the first ones work"))
            return
        }
        SceneAssembly.note(mediator, mediators.count, &known)
        mediators.append(mediator)
    }

    private static func unknown(_ mediator: MediatorDescription) -> String {
        let type = mediator.type.isEmpty ? "without a type" : mediator.type.excerpt
        return "Unknown mediator \(type), so \(mediator.id.excerpt) is left out"
    }

    /// Many classes end alike, so only a name with few other letters is a slip.
    private static func nearestType(_ type: String) -> String? {
        NearestName.of(type, in: SchemeKeys.types, atMost: slipLength)
    }

    private static func hint(aboutType type: String) -> String? {
        if type.isEmpty { return "type names its class, such as ManagedObjectsProvider" }
        return nearestType(type) == nil ? "it is not the framework's; a host may have it" : nil
    }

    /// The most letters by which a class differs from the one that was meant.
    private static let slipLength = 3

    private static func note(_ mediator: MediatorDescription, _ place: Int, _ known: inout [String: Int]) {
        for name in [mediator.id, mediator.alias].compactMap({ $0 }) where known[name] == nil { known[name] = place }
    }

    /// False once there are more diagnostics than are shown. Looking for hints takes its time.
    var hasRoom: Bool { earlierCount + diagnostics.count <= Program.diagnosticCount }

    mutating func report(_ diagnostic: Finding) {
        if diagnostics.last != diagnostic { diagnostics.append(diagnostic) }
    }

    /// True if a diagnostic has to be reported: there is room, and it does not repeat the last one. Its hint is looked
    /// for afterwards.
    func isNew(_ message: String, _ place: Place?) -> Bool {
        hasRoom && (diagnostics.last?.message != message || diagnostics.last?.place != place)
    }

    // MARK: - Assembly

    mutating func assemble() -> Scene {
        loadRows()
        for outlet in skeleton.outlets {
            guard case .node(let target) = outlet.target else { continue }
            let name = OutletName(node: outlet.node, name: outlet.name)
            if outletTargets[name] == nil { outletTargets[name] = target }
        }
        scene.nodes = skeleton.nodes
        scene.root = skeleton.root
        scene.bar = skeleton.bar
        scene.toolbarItems = skeleton.toolbar
        scene.rules = skeleton.rules
        scene.edges = ScreenEdges(skeleton.controller.element)
        scene.identifier = skeleton.controller.restorationIdentifier ?? skeleton.controller.storyboardIdentifier
        scene.title = skeleton.title.map { .literal(.string($0)) }
        nameEverything()
        followKeyPaths()
        checkMediators()
        readTriggers()
        readSelf()
        for prototype in skeleton.prototypes {
            if scene.nodes[prototype.list].list == nil { scene.nodes[prototype.list].list = WidgetKitVocabulary.list }
            scene.nodes[prototype.list].list?.prototypes[prototype.name] = prototype.node
        }
        for attribute in skeleton.attributes {
            set(attribute.name, attribute.value, of: attribute.node, attribute.place)
        }
        readOutlets()
        for (name, value, node) in followed { set(name, value.value, of: node, value.place) }
        for mediator in mediators { addSource(mediator) }
        for mediator in mediators { addDisplay(mediator) }
        for mediator in mediators { addAction(mediator) }
        for mediator in mediators { addStatus(mediator) }
        for (button, field) in skeleton.clearings { addClearing(button, field) }
        readEvents()
        readElements()
        readValidation()
        readDocuments()
        readDocumentActions()
        checkLimits()
        for (node, value) in skeleton.bindings { bind(value, to: [node]) }
        // After those of controls, so that a setting that a control shows is not overwritten before.
        for element in elements where element.id == "@self" {
            for binding in element.bindings { bindScreen(binding) }
        }
        diagnostics += skeleton.diagnostics
        return scene
    }

    private mutating func nameEverything() {
        for (name, id) in skeleton.identifiers { scene.names[name] = .node(id) }
        namedNodes = skeleton.identifiers.mapValues { [$0] }
        for node in scene.nodes {
            for (name, id) in node.names ?? [:] { namedNodes[name, default: []].append(id) }
        }
        for (place, mediator) in mediators.enumerated() {
            if mediatorPlaces[mediator.id] == nil { mediatorPlaces[mediator.id] = place }
            for name in [mediator.id, mediator.alias].compactMap({ $0 }) where mediatorNames[name] == nil {
                mediatorNames[name] = mediator.id
                guard scene.names[name] == nil else {
                    diagnostics.append(
                        Finding(
                            .warning, .duplicateIdentifier, "\(name) is an element of the screen as well",
                            at: mediator.place, hint: "expressions see the element"))
                    continue
                }
                let lineage = MediatorClass.lineage(of: mediator.type)
                if lineage.contains("BaseContentProvider") { scene.names[name] = .source(mediator.id) }
                if lineage.contains("ActionController") { scene.names[name] = .action(mediator.id) }
                if lineage.contains("ActionStatusController") { scene.names[name] = .status(mediator.id) }
            }
        }
    }

    /// Moves attributes whose names are key paths to the targets of their outlets.
    private mutating func followKeyPaths() {
        for place in mediators.indices {
            guard mediators[place].attributes.contains(where: { $0.name.contains(".") }) else { continue }
            let outlets = Dictionary(mediators[place].outlets.map { ($0.name, $0.targets.last) }) { $1 }
            var own: [(name: String, value: SchemeValue)] = []
            var others: [(target: String, name: String, value: SchemeValue)] = []
            for (name, value) in mediators[place].attributes {
                if let dot = name.firstIndex(of: "."), let target = outlets[String(name[..<dot])] ?? nil {
                    others.append((target, String(name[name.index(after: dot)...]), value))
                } else {
                    own.append((name, value))
                }
            }
            mediators[place].attributes = own
            for (target, name, value) in others {
                if let index = mediatorNames[target].flatMap({ mediatorPlaces[$0] }) {
                    mediators[index].attributes.append((name, value))
                } else {
                    for node in nodes(target) { followed.append((name, value, node)) }
                }
            }
        }
    }

    private mutating func checkMediators() {
        for mediator in mediators {
            for (name, value) in mediator.attributes where hasRoom { checkAttribute(name, value, of: mediator) }
            for (name, value) in mediator.evals where hasRoom && !SchemeKeys.evaluated.contains(name) {
                diagnostics.append(
                    Finding(
                        .warning, .unknownKey, "\(mediator.type) evaluates no \(name.excerpt)", at: value.place,
                        value: name.excerpt, nearest: NearestName.of(name, in: SchemeKeys.evaluated),
                        hint: KeyTable.list(SchemeKeys.evaluated, "it can evaluate")))
            }
            for outlet in mediator.outlets where hasRoom { checkOutlet(outlet, of: mediator) }
        }
    }

    private mutating func checkAttribute(_ name: String, _ value: SchemeValue, of mediator: MediatorDescription) {
        guard let known = MediatorClass.attribute(name, of: mediator.type) else {
            let names = MediatorClass.attributes(of: mediator.type).map { $0.name }
            diagnostics.append(
                Finding(
                    .error, .unknownKey, "\(mediator.type) has no \(name.excerpt)", at: value.place,
                    value: name.excerpt, nearest: NearestName.of(name, in: names), hint: KeyTable.list(names)))
            return
        }
        let shape = AuthoredShape(value.json)
        guard let fault = KeyTable.fault(name, known.kind, shape, coerces: true, at: value.place) else { return }
        diagnostics.append(fault)
    }

    private mutating func checkOutlet(_ outlet: OutletDescription, of mediator: MediatorDescription) {
        guard let known = MediatorClass.outlet(outlet.name, of: mediator.type) else {
            let names = MediatorClass.outlets(of: mediator.type).map { $0.name }
            diagnostics.append(
                Finding(
                    .warning, .unknownOutlet, "\(mediator.type) has no outlet \(outlet.name.excerpt)",
                    at: outlet.place, value: outlet.name.excerpt, nearest: NearestName.of(outlet.name, in: names),
                    hint: KeyTable.list(names)))
            return
        }
        for target in outlet.targets where hasRoom {
            let name = "\(mediator.id.excerpt).\(outlet.name.excerpt)"
            guard isKnown(target) else {
                diagnostics.append(
                    Finding(
                        .warning, .unknownObject,
                        "\(name) leads to \(target.excerpt), which is not on the screen", at: outlet.place,
                        value: target.excerpt, nearest: NearestName.of(target, in: names(for: known.target)),
                        hint: KeyTable.list(names(for: known.target), "the screen has")))
                continue
            }
            guard !fits(target, known.target) else { continue }
            diagnostics.append(
                Finding(
                    .warning, .unknownObject,
                    "\(name) leads to \(target.excerpt), which is not \(known.target.name)",
                    at: outlet.place, hint: KeyTable.list(names(for: known.target), "the screen has")))
        }
    }

    /// True if a target may be what an outlet leads to. Elements of unknown classes, and those of rows, fit.
    private func fits(_ target: String, _ kind: MediatorOutlet.Target) -> Bool {
        let mediator = self.mediator(target)
        let lineage = mediator.map { MediatorClass.lineage(of: $0.type) } ?? []
        let kinds = nodes(target).map { scene.nodes[$0].kind }
        switch kind {
        case .anything: return true
        case .provider: return lineage.contains("BaseContentProvider")
        case .action: return lineage.contains("ActionController")
        case .elements, .constraint: return !kinds.isEmpty || target == "@self"
        case .list: return kinds.contains { [.list, .grid, .box].contains($0) }
        case .pageControl: return kinds.contains { [.pageControl, .box].contains($0) }
        }
    }

    /// The names on the screen that an outlet may lead to, sorted.
    private mutating func names(for kind: MediatorOutlet.Target) -> [String] {
        if let known = sortedNames[kind] { return known }
        let all: [String]
        switch kind {
        case .anything: all = Array(mediatorNames.keys) + Array(namedNodes.keys)
        case .provider, .action: all = Array(mediatorNames.keys)
        case .elements, .list, .pageControl, .constraint: all = Array(namedNodes.keys)
        }
        let names = all.filter { fits($0, kind) && !$0.contains("-") }.sorted()
        sortedNames[kind] = names
        return names
    }

    /// The names of everything on the screen that can be sent a message.
    var targetNames: [String] { mutating get { names(for: .anything) + ["@self"] } }

    /// True if an outlet's target exists: an element, a mediator, or any other named object for a master object.
    func isKnown(_ target: String) -> Bool {
        let first = target.split(separator: ".").first.map(String.init) ?? target
        return ["@self", "content", "defaults"].contains(first) || mediatorNames[first] != nil || !nodes(first).isEmpty
    }

    // MARK: - Looking up

    /// The elements of a name: one of the screen, and one of each kind of row.
    func nodes(_ name: String) -> [NodeID] {
        if name.hasPrefix("#"), let id = Int(name.dropFirst()), scene.nodes.indices.contains(id) { return [id] }
        return namedNodes[name] ?? []
    }

    /// The elements of several names, each name once, up to the limit.
    mutating func nodes(named names: [String], _ place: Place?) -> [NodeID] {
        var seen: Set<String> = []
        var found: [NodeID] = []
        for name in names where seen.insert(name).inserted {
            found += nodes(name)
            guard found.count > limits.namedCount else { continue }
            report(
                Finding(
                    .error, .nodeBudget, "A list of elements leads to more than \(limits.namedCount)", at: place,
                    hint: "the first ones count"))
            return Array(found.prefix(limits.namedCount))
        }
        return found
    }

    func mediator(_ name: String?) -> MediatorDescription? {
        guard let place = name.flatMap({ mediatorNames[$0] }).flatMap({ mediatorPlaces[$0] }) else { return nil }
        return mediators[place]
    }

    mutating func predicate(_ text: String?, _ place: Place?) -> CompiledPredicate? {
        guard let text, !text.isEmpty else { return nil }
        do throws(PredicateError) {
            return try CompiledPredicate(text)
        } catch {
            diagnostics.append(Finding(.error, .badPredicate, "`\(text)`: \(error)", at: place, hint: error.hint))
            return nil
        }
    }

    mutating func keyPath(_ path: String) -> Expression {
        do throws(PredicateError) {
            var expression = try Expression(keyPath: path)
            expression.source = path.excerpt
            return expression
        } catch {
            diagnostics.append(Finding(.error, .badPredicate, "`\(path)`: \(error.sentence)"))
            return .literal(.null)
        }
    }

    /// An expression that the assembly makes itself, of names that exist.
    func expression(_ text: String) -> Expression {
        guard let compiled = try? CompiledExpression(text) else { return .literal(.null) }
        return Expression(.compiled(compiled), source: text.excerpt)
    }

    // MARK: - Rows in separate files

    private mutating func loadRows() {
        defer { skeleton.nameElements() }
        var files: [String: RowFile?] = [:]
        var loads = 0
        for mediator in mediators {
            guard let names = mediator.texts("cellNibNames", upTo: limits.rowFileCount + 1) else { continue }
            let outlet =
                mediator.outlet("tableView") ?? mediator.outlet("collectionView") ?? mediator.outlet("elements")
            guard
                let list = outlet.flatMap({ skeleton.identifiers[$0] }) ?? (outlet?.dropFirst()).flatMap({ Int($0) }),
                skeleton.nodes.indices.contains(list)
            else { continue }
            if names.count > limits.rowFileCount {
                diagnostics.append(
                    Finding(
                        .error, .nodeBudget, "A list has more than \(limits.rowFileCount) files of rows",
                        at: mediator.place, hint: "the first ones are read"))
            }
            // A repeated name adds nothing.
            var loaded: Set<String> = []
            for name in names.prefix(limits.rowFileCount) where loaded.insert(name).inserted {
                loads += 1
                guard loads <= limits.rowFileUseCount else {
                    diagnostics.append(
                        Finding(
                            .error, .nodeBudget,
                            "The lists of a screen name more than \(limits.rowFileUseCount) files of rows",
                            at: mediator.place, hint: "the first ones are read"))
                    return
                }
                if files[name] == nil { files[name] = .some(rowFile(name, for: mediator)) }
                guard let file = files[name] ?? nil else { continue }
                // The file is read again for each list.
                if let refusal = data.take(file.byteCount, of: file.path) {
                    diagnostics.append(refusal)
                    return
                }
                skeleton.loadPrototype(name, file.document, of: list, translations(name))
            }
        }
    }

    private struct RowFile {
        var path: String
        var byteCount: Int
        var document: NibDocument
    }

    /// The interface of a row, once for all lists that name it.
    private mutating func rowFile(_ name: String, for mediator: MediatorDescription) -> RowFile? {
        guard let (path, bytes) = files.resource("\(name).nib") ?? looseNib(name) else {
            lacksRows = true
            let known = files.paths.filter { $0.hasSuffix(".nib") && !$0.contains("/") }
                .map { String($0.dropLast(".nib".count)) }
            diagnostics.append(
                Finding(
                    .error, .missingFile, "The bundle has no \(name.excerpt).nib, the row of a \(name.excerpt).xib",
                    at: mediator.attribute("cellNibNames")?.place ?? mediator.place, value: name.excerpt,
                    nearest: NearestName.of(name, in: known), hint: KeyTable.list(known, "it has")))
            return nil
        }
        do throws(NibError) {
            return RowFile(path: path, byteCount: bytes.count, document: try NibDocument(parsing: bytes))
        } catch {
            diagnostics.append(Finding(.error, .badFile, "\(error)", at: Place(file: path)))
            return nil
        }
    }

    private mutating func translations(_ table: String) -> Translations {
        guard let (path, bytes) = files.translations(table) else { return .none }
        if let refusal = data.take(bytes.count, of: path) {
            diagnostics.append(refusal)
            return .none
        }
        return Translations(files, table: table, &diagnostics)
    }

    private func looseNib(_ name: String) -> (path: String, bytes: [UInt8])? {
        guard let (path, inside) = files.folder("\(name).nib"),
            let chosen = NibFolder.newest(of: inside.keys.map { $0 }),
            let bytes = inside[chosen]
        else { return nil }
        return ("\(path)/\(chosen)", bytes)
    }
}
