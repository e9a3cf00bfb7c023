internal import JSONText
internal import WidgetBytes
internal import WidgetCore
internal import WidgetNib
internal import WidgetPredicates

/// A screen as its interface files describe it, before its scheme is applied.
struct SceneSkeleton {
    /// The target of an event or an outlet.
    enum Reference: Equatable {
        case segue(destination: String)
        case controller
        case mediator(String)
        case node(NodeID)
        case unknown(String)
    }

    struct Event {
        var node: NodeID
        var target: Reference
        var selector: String
        /// The event of the node that sets it off.
        var trigger: NodeEvent
    }

    struct Outlet {
        var node: NodeID
        var name: String
        var target: Reference
    }

    let limits: FormatLimits
    let controller: NibController
    let translations: Translations
    var nodes: [Node] = []
    var root = 0
    var bar: NodeID?
    /// The items at the bottom of the screen.
    var toolbar: NodeID?
    /// The screen's elements by identifier; the first of each name.
    var identifiers: [String: NodeID] = [:]
    var mediators: [MediatorDescription] = []
    var bindings: [(node: NodeID, value: SchemeValue)] = []
    var attributes: [(node: NodeID, name: String, value: Value, place: Place)] = []
    var events: [Event] = []
    var outlets: [Outlet] = []
    /// The elements of the screen's outlets, by the outlets' names.
    var screenOutlets: [(name: String, node: NodeID)] = []
    /// Rows of lists, by the list and the name.
    var prototypes: [(list: NodeID, name: String, node: NodeID)] = []
    var segues: [String: String] = [:]
    /// Buttons that empty a field.
    var clearings: [(button: NodeID, field: NodeID)] = []
    var diagnostics: [Finding] = []
    var rules: [LayoutRule] = []
    var looks: LookReader
    var isAddingGrounds = false
    /// The heights of rows that are fixed.
    var rowHeights: [NodeID: Double] = [:]
    /// The grounds that their table gives to rows that are fixed.
    var rowGrounds: [NodeID: Paint] = [:]

    /// The interfaces read so far, with the node of each of their objects.
    var interfaces: [Loaded] = []

    struct Loaded {
        var file: String
        var interface: NibInterface
        var nodes: [Int: NodeID] = [:]
        var mediators: [Int: String] = [:]
        /// The elements that replace placeholders.
        var external: [String: (interface: Int, element: NibElement)] = [:]
        /// The guides for bars, and the constraints that hold them until there are bars.
        var guides: [Int: Guide] = [:]
        var guideRules: Set<Int> = []
        /// The values of constraints for size classes.
        var variations: [Int: [RuleVariation]] = [:]
        /// Views behind rows, by their rows.
        let grounds: [Int: [NibElement]]
        /// The attributes of each object.
        let attributes: [Int: [NibRuntimeAttribute]]

        init(file: String, interface: NibInterface) {
            self.file = file
            self.interface = interface
            attributes = Dictionary(grouping: interface.attributes) { $0.object.index }
            grounds = SceneSkeleton.grounds(interface)
        }
    }

    /// An archived object, and the place of its interface.
    struct Original {
        var element: NibElement
        var interface: Int
    }

    /// The numbers of nodes, rules and interfaces that were read before others.
    struct ReadMark {
        var node: NodeID = 0
        var rule = 0
        var interface = 0
    }

    /// The folder in front of the names of screens that segues lead to; empty for the first storyboard.
    private let storyboard: String

    /// - Parameters:
    ///   - views: the interface of the views, if it is a separate one.
    ///   - storyboard: the folder in front of the names of screens.
    init(
        _ scene: CompiledScene, controller: NibController, views: (file: String, document: NibDocument)?,
        in storyboard: String = "", _ translations: Translations, _ limits: FormatLimits, colors: [String: Paint] = [:]
    ) {
        self.limits = limits
        self.storyboard = storyboard
        prototypeBytesLeft = limits.prototypeByteCount
        variationsLeft = limits.variationCount
        looks = LookReader(colors, limits)
        self.controller = controller
        self.translations = translations
        interfaces = [Loaded(file: "\(scene.nib).nib", interface: scene.interface)]
        for segue in controller.segues {
            if let name = segue.identifier, let destination = segue.destination {
                segues[name] = storyboard + destination
            }
        }
        if let name = hostClassName { checkClass(name, interfaces[0].file) }
        readMediators(0)
        readViews(views)
        readBar()
        readToolbar()
        for place in interfaces.indices { readAttributes(place) }
        for place in interfaces.indices { readAccessibleNames(place, translations) }
        for place in interfaces.indices { readConnections(place) }
        joinTextInputs(0..<outlets.count)
        for place in interfaces.indices { readVariations(place) }
        nameElements()
        readLooks(from: ReadMark())
        arrangeBuiltInCells(from: ReadMark())
    }

    // MARK: - Views

    private mutating func readViews(_ views: (file: String, document: NibDocument)?) {
        guard let views else {
            if let view = controller.element.element("UIView") {
                root = add(view, interface: 0, parent: nil)
            } else {
                nodes.append(Node(.box, place: Place(file: interfaces[0].file)))
            }
            return
        }
        var loaded = Loaded(file: views.file, interface: NibInterface(views.document.graph))
        for (name, object) in controller.externalObjects { loaded.external[name] = (0, object) }
        interfaces.append(loaded)
        let place = interfaces.count - 1
        readMediators(place)
        let top = loaded.interface.topLevelObjects.first {
            $0.proxyName == nil && MediatorClass.all[$0.shownClassName] == nil
        }
        guard let view = loaded.interface.owned("view") ?? top else {
            diagnostics.append(Finding(.error, .badFile, "The interface has no view", at: Place(file: views.file)))
            nodes.append(Node(.box, place: Place(file: views.file)))
            return
        }
        root = add(view, interface: place, parent: nil)
        readFixedRows(place)
    }

    /// Adds a view with its subviews.
    @discardableResult
    mutating func add(
        _ view: NibElement, interface: Int, parent: NodeID?, prototype: NodeID? = nil, _ other: Translations? = nil
    ) -> NodeID {
        let tree = NibViewTree(view)
        let first = nodes.count
        var ids: [NodeID?] = []
        // A list that several views share belongs to the first.
        var lists: Set<Int> = []
        for (position, entry) in tree.entries.enumerated() {
            let around = entry.parent.flatMap { ids[$0] }
            if nodes.count >= limits.nodeCount { reportNodes(interface) }
            guard nodes.count < limits.nodeCount, position == 0 || around != nil,
                !ElementReader.isDecoration(entry.view)
            else {
                if let around, entry.view.className == "_UILayoutGuide" {
                    addGuide(entry.view, in: around, interface: interface)
                }
                ids.append(nil)
                continue
            }
            let id = nodes.count
            var node = ElementReader.node(
                entry.view, file: interfaces[interface].file, other ?? translations, limits, &diagnostics)
            if let name = entry.view.customClassName { checkClass(name, interfaces[interface].file) }
            node.parent = around ?? parent
            node.prototype = prototype ?? (node.kind == .row && position == 0 ? nil : prototype)
            if let around, let footer = originals[around]?.element.element("UITableFooterView"), footer == entry.view {
                node.kind = .sectionFooter
            }
            nodes.append(node)
            originals[id] = Original(element: entry.view, interface: interface)
            ids.append(id)
            if let around { nodes[around].children.append(id) }
            interfaces[interface].nodes[entry.view.index] = id
            guard let list = entry.view.element("UIViewAutolayoutConstraints"), lists.insert(list.index).inserted else {
                continue
            }
            for constraint in entry.view.constraints { constraints.append((id, constraint, interface)) }
        }
        markCodeDrawn(first..<nodes.count)
        for (position, entry) in tree.entries.enumerated() {
            if let id = ids[position] { addGrounds(of: entry.view, id, interface: interface) }
        }
        for position in tree.entries.indices {
            guard let id = ids[position], nodes[id].kind == .list || nodes[id].kind == .grid else { continue }
            readPrototypes(of: tree.entries[position].view, id, interface)
        }
        return first
    }

    /// Classes of interfaces that were looked at.
    private var checkedClasses: Set<String> = []

    /// Reports a class whose name is that of a class of the framework but for one letter. Other names are classes of
    /// hosts.
    private mutating func checkClass(_ name: String, _ file: String) {
        guard !FrameworkClasses.all.contains(name), checkedClasses.insert(name).inserted,
            let nearest = NearestName.of(name, in: FrameworkClasses.names, atMost: 1)
        else { return }
        diagnostics.append(
            Finding(
                .warning, .unknownType, "The framework has no class \(name.excerpt)",
                at: Place(file: file, path: name.excerpt), value: name.excerpt, nearest: nearest))
    }

    mutating func reportNodes(_ interface: Int) {
        let diagnostic = Finding(
            .error, .nodeBudget, "A screen has more than \(limits.nodeCount) elements",
            at: Place(file: interfaces[interface].file), hint: "the first ones are shown")
        if diagnostics.last != diagnostic { diagnostics.append(diagnostic) }
    }

    /// Bytes of rows' interfaces within others that may still be read.
    private var prototypeBytesLeft: Int
    /// Rows within rows within rows.
    private var prototypeDepth = 0

    private(set) var originals: [NodeID: Original] = [:]
    var constraints: [(NodeID, NibConstraint, Int)] = []
    /// Constraints that have become rules.
    var ruled: Set<NibPlace> = []
    /// Variations for size classes that may still be read.
    var variationsLeft: Int

    private mutating func readPrototypes(of view: NibElement, _ list: NodeID, _ outer: Int) {
        do throws(NibError) {
            guard prototypeDepth < limits.prototypeDepth else {
                if view.has("UITableViewCellPrototypeNibs") || view.has("UICollectionViewCellNibDict") {
                    diagnostics.append(
                        Finding(
                            .error, .depthBudget, "Rows lie more than \(limits.prototypeDepth) deep in each other",
                            at: Place(file: interfaces[outer].file), hint: "the outer ones are shown"))
                }
                return
            }
            prototypeDepth += 1
            defer { prototypeDepth -= 1 }
            for prototype in try NibPrototype.prototypes(of: view, &prototypeBytesLeft) {
                addPrototype(
                    prototype.reuseIdentifier, prototype.document, of: list,
                    file: "\(interfaces[outer].file) › \(prototype.reuseIdentifier)",
                    external: Dictionary(prototype.externalObjects.map { ($0.placeholder, (outer, $0.object)) }) {
                        first, _ in first
                    })
            }
        } catch {
            diagnostics.append(Finding(.error, .badFile, "\(error)", at: Place(file: interfaces[outer].file)))
        }
    }

    /// Adds a row's interface, which is inside another one or in a separate file.
    mutating func addPrototype(
        _ name: String, _ document: NibDocument, of list: NodeID, file: String,
        external: [String: (interface: Int, element: NibElement)] = [:], _ translations: Translations? = nil
    ) {
        var loaded = Loaded(file: file, interface: NibInterface(document.graph))
        loaded.external = external
        interfaces.append(loaded)
        let place = interfaces.count - 1
        guard let cell = loaded.interface.topLevelObjects.first(where: { $0.proxyName == nil }) else {
            diagnostics.append(Finding(.error, .badFile, "The interface has no row", at: Place(file: file)))
            return
        }
        let id = nodes.count
        add(cell, interface: place, parent: nil, prototype: id, translations)
        guard nodes.indices.contains(id) else { return }
        nodes[id].kind = .row
        prototypes.append((list, cell.string("UIReuseIdentifier") ?? name, id))
        if name != prototypes.last?.name { prototypes.append((list, name, id)) }
    }

    /// Loads a prototype that is in a separate file.
    mutating func loadPrototype(
        _ name: String, _ document: NibDocument, of list: NodeID, _ translations: Translations
    ) {
        let mark = ReadMark(node: nodes.count, rule: rules.count, interface: interfaces.count)
        let before = interfaces.count
        addPrototype(name, document, of: list, file: "\(name).nib", translations)
        for place in before..<interfaces.count {
            readAttributes(place)
            readAccessibleNames(place, translations)
        }
        let known = outlets.count
        for place in before..<interfaces.count { readConnections(place) }
        joinTextInputs(known..<outlets.count)
        for place in before..<interfaces.count { readVariations(place) }
        addConstraints()
        readLooks(from: mark)
        arrangeBuiltInCells(from: mark)
    }

    // MARK: - Mediators and attributes

    private mutating func readMediators(_ place: Int) {
        let loaded = interfaces[place]
        for object in loaded.interface.objects + loaded.interface.topLevelObjects {
            let type = object.shownClassName
            if MediatorClass.all[type] == nil, object.customClassName == type { checkClass(type, loaded.file) }
            guard MediatorClass.all[type] != nil, interfaces[place].mediators[object.index] == nil else { continue }
            guard mediators.count < limits.mediatorCount else {
                diagnostics.append(
                    Finding(
                        .error, .mediatorBudget, "A screen has more than \(limits.mediatorCount) mediators",
                        at: Place(file: loaded.file), hint: "the first ones work"))
                return
            }
            let own = loaded.attributes[object.index] ?? []
            let id = own.first { $0.keyPath == WidgetKitVocabulary.identifier }.flatMap { Self.value($0.value).string }
            var mediator = MediatorDescription(
                id: id ?? "\(type)-\(place).\(object.index)", type: type,
                place: Place(file: loaded.file, path: id ?? type))
            for attribute in own where attribute.keyPath != WidgetKitVocabulary.identifier {
                let value = Self.value(attribute.value)
                if attribute.keyPath == "alias" {
                    mediator.alias = value.string
                } else if let json = Self.json(value) {
                    mediator.attributes.append((attribute.keyPath, SchemeValue(json: json, place: mediator.place)))
                }
            }
            interfaces[place].mediators[object.index] = mediator.id
            mediators.append(mediator)
        }
    }

    private mutating func readAttributes(_ place: Int) {
        let loaded = interfaces[place]
        for attribute in loaded.interface.attributes {
            guard let node = loaded.nodes[attribute.object.index] else { continue }
            let value = Self.value(attribute.value)
            let where_ = Place(file: loaded.file, path: attribute.keyPath)
            switch attribute.keyPath {
            case WidgetKitVocabulary.identifier: nodes[node].identifier = value.string
            case WidgetKitVocabulary.fieldName: nodes[node].fieldName = value.string
            case WidgetKitVocabulary.binding: readBinding(value.string ?? "", node, where_)
            default: attributes.append((node, attribute.keyPath, value, where_))
            }
        }
    }

    /// Reads a binding. Interfaces have only the contents of its braces.
    private mutating func readBinding(_ text: String, _ node: NodeID, _ place: Place) {
        do throws(JSONError) {
            let json = try JSONValue(parsing: Array("{\(text)}".utf8))
            bindings.append((node, SchemeValue(json: json, place: place)))
        } catch {
            diagnostics.append(Finding(.error, .badValue, "A binding is not JSON: \(error.reason)", at: place))
        }
    }

    static func value(_ value: NibRuntimeValue) -> Value {
        switch value {
        case .text(let text), .image(let text): .string(text)
        case .number(let number): Int64(exactly: number).map { .integer($0) } ?? .double(number)
        case .truth(let flag): .boolean(flag)
        default: .null
        }
    }

    private static func json(_ value: Value) -> JSONValue? {
        switch value {
        case .string(let text): JSONValue(.string(text))
        case .integer(let number): JSONValue(.number(JSONNumber(number)))
        case .double(let number): JSONNumber(number).map { JSONValue(.number($0)) }
        case .boolean(let flag): JSONValue(.boolean(flag))
        default: nil
        }
    }

    // MARK: - Connections

    private mutating func readConnections(_ place: Int) {
        let loaded = interfaces[place]
        let mediatorPlaces = Dictionary(mediators.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let gestures = readGestures(place)
        for event in loaded.interface.events {
            guard let destination = event.destination,
                let (node, trigger) = loaded.nodes[event.source.index].map({ ($0, .tap) })
                    ?? gestures[event.source.index] ?? refreshing(event.source)
            else { continue }
            let target = reference(destination, place)
            events.append(Event(node: node, target: target, selector: event.selector, trigger: trigger))
        }
        for outlet in loaded.interface.outlets {
            let target = reference(outlet.destination, place)
            // The source of an outlet may be in another file than its destination.
            switch reference(outlet.source, place) {
            case .mediator(let mediator):
                guard let name = name(of: target), let index = mediatorPlaces[mediator] else { continue }
                mediators[index].outlets.append(
                    OutletDescription(name: outlet.name, targets: [name], place: mediators[index].place))
            case .node(let node): outlets.append(Outlet(node: node, name: outlet.name, target: target))
            case .controller: if case .node(let node) = target { screenOutlets.append((outlet.name, node)) }
            case .segue, .unknown: continue
            }
        }
    }

    /// The reference of an object, or of the object that its placeholder denotes. A placeholder may denote another one.
    private mutating func reference(_ element: NibElement, _ place: Int) -> Reference {
        var (element, place) = (element, place)
        for _ in 0..<limits.placeholderDepth {
            if let name = element.proxyName {
                if name == NibPlaceholder.filesOwner { return .controller }
                guard let outer = interfaces[place].external[name] else { return .unknown(name) }
                (element, place) = (outer.element, outer.interface)
                continue
            }
            if element == controller.element { return .controller }
            if let node = interfaces[place].nodes[element.index] { return .node(node) }
            if let mediator = interfaces[place].mediators[element.index] { return .mediator(mediator) }
            if element.className.hasSuffix("SegueTemplate") || element.has("UIDestinationViewControllerIdentifier") {
                return element.string("UIDestinationViewControllerIdentifier").map {
                    .segue(destination: storyboard + $0)
                }
                    ?? .unknown(element.className)
            }
            return element.baseClassName.hasSuffix("ViewController") ? .controller : .unknown(element.className)
        }
        diagnostics.append(
            Finding(
                .error, .depthBudget, "More than \(limits.placeholderDepth) placeholders stand for one another",
                at: Place(file: interfaces[place].file), hint: "what leads there leads nowhere"))
        return .unknown("a placeholder for a placeholder")
    }

    private func name(of reference: Reference) -> String? {
        switch reference {
        case .node(let id): nodes[id].identifier ?? "#\(id)"
        case .mediator(let id): id
        case .controller: "@self"
        case .segue, .unknown: nil
        }
    }

    // MARK: - Names

    /// Names all elements that were read since the last call.
    mutating func nameElements() {
        addConstraints()
        identifiers = [:]
        for (id, node) in nodes.enumerated() {
            guard let name = node.identifier else { continue }
            if let prototype = node.prototype {
                if nodes[prototype].names == nil { nodes[prototype].names = [:] }
                if nodes[prototype].names?[name] == nil { nodes[prototype].names?[name] = id }
            } else if identifiers[name] == nil {
                identifiers[name] = id
            }
        }
    }
}
