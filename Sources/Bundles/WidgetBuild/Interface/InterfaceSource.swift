internal import WidgetBytes
internal import XMLText

/// The source of a storyboard or an interface, read once: the compiled file of each object, and the connections between
/// objects.
struct InterfaceSource {
    /// A file that will be compiled.
    struct Nib {
        enum Kind: Equatable {
            /// A screen's controller, without its views.
            case scene
            /// The views of a controller, by its id.
            case views(controller: String)
            /// A cell that others are made from.
            case prototype
            /// A separate interface.
            case document
        }

        var kind: Kind
        var root: XMLElement
        /// The file to whose objects this one may refer.
        var parent: Int?
        /// Further objects, besides the root.
        var beside: [XMLElement] = []
        var connections: [Connection] = []
        /// The controller it belongs to.
        var controller: String?
    }

    struct Connection {
        enum Kind: Equatable {
            case outlet(String)
            case collection(String)
            case action(String, mask: Int?)
        }

        var kind: Kind
        var source: String
        var destination: String
        var element: XMLElement

        /// The name of the property or of the action.
        var shownName: String {
            switch kind {
            case .outlet(let name), .collection(let name), .action(let name, mask: _): name
            }
        }
    }

    struct Segue {
        var element: XMLElement
        var id: String
        /// The id of the object that triggers it.
        var source: String
    }

    let path: String
    let errors: BuildErrors
    let document: XMLDocument
    let isStoryboard: Bool
    /// True if files of translations may replace texts.
    let isTranslatable: Bool
    private(set) var nibs: [Nib] = []
    /// The file of each object, by its id.
    private(set) var homes: [String: Int] = [:]
    private(set) var elements: [String: XMLElement] = [:]
    /// Segues by the id of their controller.
    private(set) var segues: [String: [Segue]] = [:]
    /// The same segues by the file of the object that triggers them.
    private(set) var triggered: [Int: [(controller: String, segue: Segue)]] = [:]
    /// Controllers in the order of the source.
    private(set) var controllers: [XMLElement] = []
    private var controllerNumbers: Set<Int> = []
    private(set) var systemColors: [String: XMLElement] = [:]
    /// The colours of an asset catalogue, as the resources of this file have them.
    private(set) var namedColors: [String: XMLElement] = [:]
    /// The sizes of the bundle's pictures in points, as the resources of this file have them.
    private(set) var imageSizes: [String: (width: Float, height: Float)] = [:]
    /// The colours of the bundle's asset catalogues.
    let catalog: CatalogColors
    private(set) var variations = Variations()
    /// The parts that were left out.
    var notes: InterfaceNotes
    /// The ids of objects that have none, by the number of their element.
    private var madeIDs: [Int: String] = [:]
    /// The segues for peek and pop, by the id of their controller.
    var peeks: [String: [Peek]] = [:]
    /// The place of each among those of its controller, by the segue's id.
    var peekPlaces: [String: Int] = [:]
    /// The files of objects, by the number of the file's root.
    private var filed: [Int: Int] = [:]
    /// The ids of the objects that attributes are for, by the numbers of the attributes' elements.
    private(set) var attributed: [Int: String] = [:]
    /// The id of the object around each object.
    private(set) var around: [String: String] = [:]
    /// Objects that are left out with what is around them.
    private var dropped: Set<String> = []
    private var placeholders: [String: String] = [:]
    private var found: [Connection] = []

    /// Errors are recorded, and reading continues after each. An error is thrown when nothing can be read.
    init(path: String, bytes: [UInt8], catalog: CatalogColors, errors: BuildErrors) throws(BuildError) {
        self.path = path
        self.catalog = catalog
        self.errors = errors
        notes = InterfaceNotes(errors)
        document = try rethrowing(try XMLDocument(parsing: bytes)) { (error: XMLError) in
            BuildError("\(error.reason)", path: path, at: error.position)
        }
        isTranslatable = path.contains(".lproj/")
        let root = document.root
        isStoryboard = ["Storyboard.XIB", "Storyboard.iPad.XIB"].contains { root["type"]?.hasSuffix($0) == true }
        guard root.name != "archive" else {
            throw BuildError(
                "this interface was saved by Xcode 4 or older", path: path, at: root.position,
                hints: ["open it in a newer Xcode, choose its document type there, and save it"])
        }
        if let platform = InterfacePlatform(of: root), platform != .iOS {
            throw BuildError(
                "this is an interface for \(platform.rawValue)", path: path, at: root.position,
                hints: ["a widget has interfaces for iOS; keep those for other systems outside the source"])
        }
        let isSeparate = ["CocoaTouch.XIB", "CocoaTouch.iPad.XIB"].contains { root["type"]?.hasSuffix($0) == true }
        guard root.name == "document", isStoryboard || isSeparate else {
            throw BuildError(
                "this is not a storyboard or interface for iOS", path: path, at: root.position,
                hints: ["the root has to be `document`, with the `type` that Xcode gives it"])
        }
        try checkFrame(root)
        for color in root.child(named: "resources")?.children(named: "systemColor") ?? [] {
            if let name = color["name"] { systemColors[name] = color.child(named: "color") }
        }
        for color in root.child(named: "resources")?.children(named: "namedColor") ?? [] {
            if let name = color["name"] { namedColors[name] = color.child(named: "color") }
        }
        // The sizes of symbols there are those of their drawings, and not of the text that they lie in.
        for image in root.child(named: "resources")?.children(named: "image") ?? [] where image["catalog"] == nil {
            guard let name = image["name"], let width = image["width"].flatMap({ Float($0) }),
                let height = image["height"].flatMap({ Float($0) }), width > 0, height > 0, width.isFinite,
                height.isFinite
            else { continue }
            imageSizes[name] = (width, height)
        }
        for color in root.children(named: "color") where color["key"] == "tintColor" {
            notes.add("tintColor of the document was left out: it only changes how the whole looks", color)
        }
        if isStoryboard {
            if let scenes = root.child(named: "scenes") {
                try checkFrame(scenes)
                for scene in scenes.children(named: "scene") {
                    do throws(BuildError) { try addScene(scene) } catch { try errors.record(error) }
                }
            }
        } else {
            try addDocument(root)
        }
        try connect()
    }

    func fault(_ sentence: String, _ element: XMLElement, hints: [String] = []) -> BuildError {
        BuildError(sentence, path: path, at: element.position, hints: hints)
    }

    private func givenTwice(_ id: String, _ element: XMLElement) -> BuildError {
        let first = elements[id].map { "the other is at \($0.position); " } ?? ""
        return fault("the id \(id) is given twice", element, hints: ["\(first)give one of them another id"])
    }

    func id(of element: XMLElement) throws(BuildError) -> String {
        guard let id = element["id"] ?? madeIDs[element.number], !id.isEmpty else {
            throw fault("\(element.name) has no id", element, hints: ElementRule.hints(for: element.name))
        }
        return id
    }

    /// Returns the name of the object that a placeholder represents, such as `IBFirstResponder`.
    func placeholder(_ id: String) -> String? { placeholders[id] }

    /// Returns the name of a screen's file, which is also its name in the list of screens.
    func sceneName(_ controller: XMLElement) throws(BuildError) -> String {
        if let name = controller["storyboardIdentifier"], !name.isEmpty { return name }
        if InterfaceSource.isReference(controller) { return "UIViewController-\(try id(of: controller))" }
        // One that cannot be compiled is recorded as an error already.
        let className = ElementRule.named(controller.name)?.className ?? controller.name
        return "\(className)-\(try id(of: controller))"
    }

    /// The screens among which the one that a segue meant is looked for.
    private static let suggestedScreens = 300

    /// Returns the error of a segue whose destination is not a screen of this interface.
    func lostSegue(_ segue: XMLElement) -> BuildError {
        guard let id = segue["destination"] else { return fault("the segue has no destination", segue) }
        let screens = controllers.prefix(InterfaceSource.suggestedScreens).compactMap { $0["id"] }
        let reason = elements[id].map { "\(id) is the id of a \($0.name)" } ?? "no object has the id \(id)"
        return fault(
            "the segue leads to no screen: \(reason)", segue,
            hints: NearestName.of(id, in: screens).map { ["did you mean \($0)?"] } ?? [])
    }

    /// Returns true for a scene's controller, also one that cannot be compiled.
    func isScreen(_ element: XMLElement) -> Bool { controllerNumbers.contains(element.number) }

    // MARK: Finding objects

    private mutating func addScene(_ scene: XMLElement) throws(BuildError) {
        try checkFrame(scene)
        guard let objects = scene.child(named: "objects") else {
            throw fault("a scene without objects cannot be compiled", scene)
        }
        try checkFrame(objects)
        guard
            let controller = objects.children.first(where: { ElementRule.controllers.contains($0.name) })
                ?? objects.children.first(where: { !["placeholder", "exit"].contains($0.name) && $0["id"] != nil })
        else {
            let other = objects.children.first ?? scene
            throw fault("\(other.name) cannot be compiled", other, hints: ElementRule.hints(for: other.name))
        }
        if !ElementRule.controllers.contains(controller.name) {
            try errors.record(
                fault(
                    "\(controller.name) cannot be compiled", controller,
                    hints: ElementRule.hints(for: controller.name)))
        }
        controllers.append(controller)
        controllerNumbers.insert(controller.number)
        let identifier = try id(of: controller)
        let number = nibs.count
        filed[controller.number] = number
        nibs.append(Nib(kind: .scene, root: controller, controller: identifier))
        try walk(controller, in: number, controller: identifier)
        let views = nibs[number...].firstIndex { $0.kind == .views(controller: identifier) }
        for object in objects.children where object.number != controller.number {
            switch object.name {
            case "placeholder", "exit":
                do throws(BuildError) { try addPlaceholder(object, in: number) } catch { try errors.record(error) }
            case let name where ElementRule.gestures[name] != nil || ElementRule.named(name)?.isView == true:
                let home = views ?? number
                nibs[home].beside.append(object)
                try walk(object, in: home, controller: identifier)
            default:
                nibs[number].beside.append(object)
                try walk(object, in: number, controller: identifier)
            }
        }
    }

    private mutating func addDocument(_ root: XMLElement) throws(BuildError) {
        guard let objects = root.child(named: "objects"),
            let first = objects.children.first(where: { $0.name != "placeholder" })
        else { throw fault("an interface without objects cannot be compiled", root) }
        try checkFrame(objects)
        filed[first.number] = 0
        nibs.append(Nib(kind: .document, root: first))
        for object in objects.children {
            if object.name == "placeholder" {
                do throws(BuildError) { try addPlaceholder(object, in: 0) } catch { try errors.record(error) }
            } else {
                if object.number != first.number { nibs[0].beside.append(object) }
                try walk(object, in: 0, controller: nil)
            }
        }
    }

    private mutating func addPlaceholder(_ element: XMLElement, in nib: Int) throws(BuildError) {
        try checkFrame(element)
        let id = try id(of: element)
        let name = element.name == "exit" ? "exit" : element["placeholderIdentifier"] ?? ""
        // Code that loads a separate interface may bring objects under names of its choice.
        let isKnown = ["exit", "IBFirstResponder", "IBFilesOwner"].contains(name)
        guard isKnown || !isStoryboard && !name.isEmpty else {
            throw fault(
                "the placeholder \(name.isEmpty ? "without an identifier" : name) cannot be compiled", element,
                hints: ["IBFirstResponder and IBFilesOwner can, and in a separate interface those of the host"])
        }
        placeholders[id] = name
        try register(element, in: nib)
        for connections in element.children(named: "connections") {
            try addConnections(connections, of: id, controller: nil)
        }
    }

    mutating func register(_ element: XMLElement, in nib: Int) throws(BuildError) {
        let id = try id(of: element)
        guard homes[id] == nil else { throw givenTwice(id, element) }
        add(id, element, in: nib)
    }

    /// Adds an object, also one that the source does not have.
    mutating func add(_ id: String, _ element: XMLElement, in nib: Int) {
        homes[id] = nib
        elements[id] = element
    }

    mutating func connect(_ source: String, _ property: String, to destination: String, at element: XMLElement) {
        found.append(
            Connection(kind: .outlet(property), source: source, destination: destination, element: element))
    }

    /// Forgets the objects in an element that is left out.
    private mutating func drop(_ element: XMLElement) {
        var pending = [element]
        while let next = pending.popLast() {
            if let id = next["id"] { dropped.insert(id) }
            pending += next.children
        }
    }

    /// Returns true if an element is left out with all objects in it.
    private mutating func isDropped(_ child: XMLElement, in element: XMLElement) -> Bool {
        if LeftOutParts.has(child) || isUnused(child, in: element) { return true }
        guard isPrototype(child, in: element), child["reuseIdentifier"]?.isEmpty ?? true else { return false }
        notes.add("a \(child.name) was left out: without a reuseIdentifier no list can make it", child)
        return true
    }

    /// Finds the objects in an element, and the files that some of them become.
    private mutating func walk(_ root: XMLElement, in home: Int, controller: String?) throws(BuildError) {
        // Elements to visit, last first, and the owner of the connections in them.
        var pending = [(element: root, home: home, owner: "")]
        while let (element, home, owner) = pending.popLast() {
            if EditorParts.has(element) { continue }
            try checkPlain(element)
            if element.name == "connections" {
                try addConnections(element, of: owner, controller: controller)
                continue
            }
            if element.name == "userDefinedRuntimeAttribute" { attributed[element.number] = owner }
            var owner = owner
            let isObject = element["id"] != nil && element.name != "userDefinedRuntimeAttribute"
            if element.child(named: "variation") != nil { variations.read(element, &notes) }
            if !isObject, element["key"] == "contentView", !owner.isEmpty {
                // Content views of cells often have no id. Nothing refers to them.
                let id = "\(owner)-contentView"
                guard homes[id] == nil else { throw givenTwice(id, element) }
                madeIDs[element.number] = id
                add(id, element, in: home)
            }
            if isObject {
                do throws(BuildError) { try register(element, in: home) } catch { try errors.record(error) }
                if let id = element["id"], !owner.isEmpty { around[id] = owner }
                owner = element["id"] ?? owner
            }
            for child in variations.parts(of: element).reversed() {
                if isDropped(child, in: element) {
                    drop(child)
                    continue
                }
                var next = home
                if isStoryboard, ElementRule.controllers.contains(element.name) {
                    if child["key"] == "view" {
                        next = try addNib(.views(controller: owner), child, under: home, controller)
                    } else if child.name == "layoutGuides" {
                        // They belong to the views, whose file already exists or will be begun by another child.
                        next = try viewsNib(of: element, owner, under: home, controller)
                    }
                } else if isPrototype(child, in: element) {
                    next = try addNib(.prototype, child, under: home, controller)
                }
                pending.append((child, next, owner))
            }
        }
    }

    private mutating func viewsNib(
        of controller: XMLElement, _ id: String, under home: Int, _ owner: String?
    ) throws(BuildError) -> Int {
        guard let view = controller.children.first(where: { $0["key"] == "view" }) else { return home }
        return try addNib(.views(controller: id), view, under: home, owner)
    }

    private mutating func addNib(
        _ kind: Nib.Kind, _ root: XMLElement, under parent: Int, _ controller: String?
    ) throws(BuildError) -> Int {
        if let known = filed[root.number] { return known }
        filed[root.number] = nibs.count
        nibs.append(Nib(kind: kind, root: root, parent: parent, controller: controller))
        return nibs.count - 1
    }

    // MARK: Connecting objects

    private mutating func addConnections(
        _ list: XMLElement, of source: String, controller: String?
    ) throws(BuildError) {
        for element in list.children {
            do throws(BuildError) {
                try addConnection(element, of: source, controller: controller)
            } catch { try errors.record(error) }
        }
    }

    private mutating func addConnection(
        _ element: XMLElement, of source: String, controller: String?
    ) throws(BuildError) {
        try checkPlain(element)
        switch element.name {
        case "outlet", "outletCollection":
            guard let property = element["property"], let destination = element["destination"] else {
                throw fault("an outlet needs a property and a destination", element)
            }
            found.append(
                Connection(
                    kind: element.name == "outlet" ? .outlet(property) : .collection(property), source: source,
                    destination: destination, element: element))
        case "action":
            guard let selector = element["selector"], let destination = element["destination"] else {
                throw fault("an action needs a selector and a destination", element)
            }
            found.append(
                Connection(
                    kind: .action(selector, mask: try eventMask(element)), source: source, destination: destination,
                    element: element))
        case "segue":
            guard let controller else { throw fault("a segue has to begin in a screen", element) }
            for part in element.children where part.name != "segue" { try checkValues(part) }
            segues[controller, default: []].append(
                Segue(element: element, id: try id(of: element), source: source))
            if element["kind"] != "relationship" {
                guard let home = homes[controller] else { throw fault("a segue has to begin in a screen", element) }
                try register(element, in: home)
                addAnchors(of: element, id: try id(of: element))
                try addPeek(element, from: source, in: home, controller)
            }
        default: throw fault("\(element.name) cannot be compiled", element)
        }
    }

    private static let events: [String: Int] = [
        "touchDown": 1 << 0, "touchDownRepeat": 1 << 1, "touchDragInside": 1 << 2, "touchDragOutside": 1 << 3,
        "touchDragEnter": 1 << 4, "touchDragExit": 1 << 5, "touchUpInside": 1 << 6, "touchUpOutside": 1 << 7,
        "touchCancel": 1 << 8, "valueChanged": 1 << 12, "primaryActionTriggered": 1 << 13, "editingDidBegin": 1 << 16,
        "editingChanged": 1 << 17, "editingDidEnd": 1 << 18, "editingDidEndOnExit": 1 << 19,
        "menuActionTriggered": 1 << 14, "allTouchEvents": 0xFFF, "allEditingEvents": 0xF0000, "allEvents": 0xFFFF_FFFF,
    ]

    private func eventMask(_ element: XMLElement) throws(BuildError) -> Int? {
        guard let name = element["eventType"] else { return nil }
        guard let mask = InterfaceSource.events[name] else { throw fault("there is no event \(name)", element) }
        return mask
    }

    /// Puts each connection into the file of the innermost of its two objects.
    private mutating func connect() throws(BuildError) {
        for (controller, list) in segues {
            for segue in list {
                if let home = homes[segue.source] { triggered[home, default: []].append((controller, segue)) }
            }
        }
        for connection in found
        where !dropped.contains(connection.source) && !dropped.contains(connection.destination) {
            guard let source = homes[connection.source], let destination = homes[connection.destination] else {
                try errors.record(
                    fault(
                        "no object has the id \(connection.destination)", connection.element,
                        hints: ["the destination has to be the id of an object in the same scene"]))
                continue
            }
            if isWithin(source, destination) {
                nibs[source].connections.append(connection)
            } else if isWithin(destination, source) {
                nibs[destination].connections.append(connection)
            } else if nibs[source].controller != nibs[destination].controller {
                notes.add(
                    "\(connection.element.name) \(connection.shownName) was left out: it leads to another scene",
                    connection.element)
            } else {
                try errors.record(
                    fault(
                        "\(connection.source) and \(connection.destination) cannot be connected", connection.element,
                        hints: ["they are in different scenes, or in cells that are made at different times"]))
            }
        }
    }

    /// Returns true if the first file is the second, or nested inside it.
    func isWithin(_ inner: Int, _ outer: Int) -> Bool {
        var next: Int? = inner
        while let nib = next {
            if nib == outer { return true }
            next = nibs[nib].parent
        }
        return false
    }
}
