internal import WidgetNib
internal import XMLText

/// Makes one compiled interface: the objects that belong to it, their connections, and proxies for objects elsewhere.
///
/// An object gets its number when it is first mentioned and its contents when its turn comes; elements wait in a list,
/// so their depth costs nothing.
struct NibCompiler {
    let source: InterfaceSource
    /// The files whose objects are made here: one file, and for a screen also those of the screens in it.
    let homes: Set<Int>
    var draft = DraftNib()
    /// The list of awakened objects.
    var objects: [Int] = []
    var topLevel: [Int] = []
    var connections: [Int] = []
    var attributes: [Int] = []
    /// Objects of other files to which this one refers, each with its proxy.
    private(set) var external: [(id: String, proxy: Int)] = []
    private var numbers: [String: Int] = [:]
    private var proxies: [String: Int] = [:]
    private var finished: Set<Int> = []
    /// Elements whose contents are still to be made.
    var pending: [XMLElement] = []
    /// Compiled cells, by the number of their element.
    let prototypes: [Int: PrototypeNib]
    let root: Int
    /// The controller whose views these are.
    var controller: String?
    /// Settings for assistive technology, which are objects beside those that they are for.
    var accessibility: [Int] = []
    /// Parts that were left out.
    var notes: InterfaceNotes
    /// Classes of parts that have another one than their element says, by its number.
    var partClasses: [Int: String] = [:]
    /// Guides that follow a view's subviews, and the constraints that hold them in place.
    var guides: [Int: [Int]] = [:]
    var guideConstraints: [Int: [Int]] = [:]

    /// A compiled cell, and the outside objects that it needs.
    struct PrototypeNib {
        var bytes: [UInt8]
        var external: [String]
    }

    init(_ source: InterfaceSource, homes: Set<Int>, prototypes: [Int: PrototypeNib] = [:]) {
        self.source = source
        self.homes = homes
        self.prototypes = prototypes
        notes = InterfaceNotes(source.errors)
        root = draft.add("NSObject")
    }

    // MARK: Objects

    /// Returns the object of that id if it belongs here, else its proxy.
    mutating func object(_ id: String, for element: XMLElement) throws(BuildError) -> Int {
        if let known = numbers[id] { return known }
        guard let home = source.homes[id] else {
            throw source.fault("no object has the id \(id)", element, hints: ["it has to be the id of another object"])
        }
        if let name = source.placeholder(id), name != "exit" { return proxy(name) }
        if homes.contains(home) {
            let number = draft.add("")
            numbers[id] = number
            return number
        }
        guard homes.contains(where: { source.isWithin($0, home) }) else {
            throw source.fault("\(id) is in another scene and cannot be referred to", element)
        }
        let number = proxy("UpstreamPlaceholder-\(id)")
        numbers[id] = number
        external.append((id, number))
        return number
    }

    /// Returns a proxy that the loader of the interface replaces.
    mutating func proxy(_ name: String) -> Int {
        if let known = proxies[name] { return known }
        let number = draft.add("UIProxyObject")
        draft.set("UIProxiedObjectIdentifier", text: name, of: number)
        proxies[name] = number
        return number
    }

    /// Makes the contents of all pending elements.
    mutating func makePending() throws(BuildError) {
        var next = 0
        while next < pending.count {
            let element = pending[next]
            next += 1
            do throws(BuildError) {
                try make(element)
            } catch {
                try source.errors.record(error)
                try queueObjects(in: element)
            }
        }
        pending = []
    }

    /// Queues the objects in an element that could not be compiled, so that their errors are found too.
    private mutating func queueObjects(in element: XMLElement) throws(BuildError) {
        var next = element.children
        while let child = next.popLast() {
            if let home = child["id"].flatMap({ source.homes[$0] }), homes.contains(home),
                ElementRule.named(child.name) != nil
            {
                _ = try queue(child)
            } else if child["id"].flatMap({ source.homes[$0] }).map({ homes.contains($0) }) ?? true {
                next += child.children
            }
        }
    }

    /// Queues the elements of a list. Those that cannot be objects are recorded as errors.
    mutating func queue(all elements: [XMLElement]) throws(BuildError) -> [Int] {
        var numbers: [Int] = []
        for element in elements {
            do throws(BuildError) {
                let made = try queue(element)
                if source.variations.isInstalled(element) { numbers.append(made) }
            } catch {
                try source.errors.record(error)
                try queueObjects(in: element)
            }
        }
        return numbers
    }

    /// Returns the object of an element and makes its contents later.
    mutating func queue(_ element: XMLElement) throws(BuildError) -> Int {
        let number = try object(try source.id(of: element), for: element)
        pending.append(element)
        return number
    }

    private mutating func make(_ element: XMLElement) throws(BuildError) {
        let id = try source.id(of: element)
        let number = try object(id, for: element)
        guard finished.insert(number).inserted else { return }
        guard let rule = ElementRule.named(element.name) else {
            throw source.fault(
                "\(element.name) cannot be compiled", element,
                hints: ElementRule.hints(for: element.name) + ["docs/building.md lists what can"])
        }
        objects.append(number)
        if let name = partClasses.removeValue(forKey: element.number) {
            setClass(name, [rule.className], of: number, element)
        } else {
            setClass(rule.className, rule.fallbacks, of: number, element)
        }
        try writeObject(element, rule, number)
    }

    /// Sets the class, or the author's own in its place.
    mutating func setClass(_ className: String, _ fallbacks: [String] = [], of number: Int, _ element: XMLElement) {
        guard let custom = element["customClass"] else {
            draft.setClass(className, fallbacks: fallbacks, of: number)
            return
        }
        draft.setClass("UIClassSwapper", of: number)
        draft.set("UIClassName", text: NibCompiler.archivedName(custom, module: element["customModule"]), of: number)
        draft.set("UIOriginalClassName", text: className, of: number)
    }

    /// Returns the name of a Swift class in Objective-C.
    static func archivedName(_ name: String, module: String?) -> String {
        guard let module, !module.isEmpty else { return name }
        return "_TtC\(module.utf8.count)\(module)\(name.utf8.count)\(name)"
    }

    // MARK: Connections

    mutating func connect(_ connection: InterfaceSource.Connection) throws(BuildError) {
        let from = try object(connection.source, for: connection.element)
        let to = try object(connection.destination, for: connection.element)
        switch connection.kind {
        case .outlet(let name): addOutlet(name, from: from, to: to)
        case .collection(let name): addOutlet(name, from: from, to: to, isCollection: true)
        case .action(let selector, let mask): addEvent(selector, from: from, to: to, mask: mask)
        }
    }

    mutating func addOutlet(_ name: String, from source: Int, to destination: Int, isCollection: Bool = false) {
        let connection = draft.add(
            isCollection ? "UIRuntimeOutletCollectionConnection" : "UIRuntimeOutletConnection")
        draft.set("UILabel", text: name, of: connection)
        draft.set("UISource", .object(source), of: connection)
        draft.set("UIDestination", .object(destination), of: connection)
        if isCollection { draft.set("addsContentToExistingCollection", false, of: connection) }
        connections.append(connection)
    }

    mutating func addEvent(_ selector: String, from source: Int, to destination: Int, mask: Int?) {
        let connection = draft.add("UIRuntimeEventConnection")
        draft.set("UILabel", text: selector, of: connection)
        draft.set("UISource", .object(source), of: connection)
        draft.set("UIDestination", .object(destination), of: connection)
        if let mask { draft.set("UIEventMask", integer: mask, of: connection) }
        connections.append(connection)
    }

    // MARK: Attributes and parts of objects, by the tables of rules. Those without a rule are left out, with a note.

    mutating func writeObject(_ element: XMLElement, _ rule: ElementRule, _ number: Int) throws(BuildError) {
        if rule.isView { writeViewBasics(element, number) }
        for (key, content) in rule.constants { draft.set(key, .content(content), of: number) }
        for attribute in source.variations.attributes(of: element) {
            guard let known = rule.attributes[attribute.name] else {
                try notes.leaveOut(attribute, of: element, knowing: rule.attributes.keys, path: source.path)
                continue
            }
            do throws(BuildError) {
                try write(attribute, known, element, number)
            } catch { try source.errors.record(error) }
        }
        do throws(BuildError) { try writeSpecials(element, number) } catch { try source.errors.record(error) }
        // Views whose place is known by their key are also among the subviews.
        var extra: [Int] = []
        // A list of subviews is made after the views that it has to contain as well.
        let all = source.variations.parts(of: element)
        let (lists, parts) = (all.filter { $0.name == "subviews" }, all.filter { $0.name != "subviews" })
        for child in parts + lists {
            do throws(BuildError) {
                try write(child, in: element, rule, number, &extra)
            } catch {
                try source.errors.record(error)
                try queueObjects(in: child)
            }
        }
        if let kept = guideConstraints.removeValue(forKey: number) {
            draft.set("UIViewAutolayoutConstraints", .object(draft.list(kept, "NSMutableArray")), of: number)
        }
        extra += guides.removeValue(forKey: number) ?? []
        if !extra.isEmpty, element.child(named: "subviews") == nil {
            draft.set("UISubviews", .object(draft.list(extra, "NSMutableArray")), of: number)
        }
    }

    private mutating func write(
        _ attribute: XMLAttribute, _ rule: AttributeRule, _ element: XMLElement, _ number: Int
    ) throws(BuildError) {
        let value = attribute.value
        func wrong(_ expected: String) -> BuildError {
            BuildError(
                "\(attribute.name) is \"\(value)\", but has to be \(expected)", path: source.path,
                at: element.position(of: attribute))
        }
        switch rule {
        case .editor, .handled: break
        case .look: notes.leaveOut(look: attribute.name, of: element, at: element.position(of: attribute))
        case .truth(let key, let standard):
            guard let flag = NibCompiler.truth(value) else { throw wrong("YES or NO") }
            if flag != standard { draft.set(key, flag, of: number) }
        case .opposite(let key, let standard):
            guard let flag = NibCompiler.truth(value) else { throw wrong("YES or NO") }
            if flag != standard { draft.set(key, !flag, of: number) }
        case .integer(let key):
            guard let integer = Int(value) else { throw wrong("a whole number") }
            draft.set(key, integer: integer, of: number)
        case .float(let key):
            guard let float = Float(value), float.isFinite else { throw wrong("a number") }
            draft.set(key, .content(.float(float)), of: number)
        case .double(let key):
            guard let double = Double(value), double.isFinite else { throw wrong("a number") }
            draft.set(key, .content(.double(double)), of: number)
        case .text(let key): draft.set(key, text: value, of: number)
        case .translatable(let key):
            let text = try translatable(value, attribute.name, of: element)
            draft.set(key, .object(text), of: number)
        case .choice(let key, let names):
            guard let choice = names[value] else {
                try notes.leaveOut(value: attribute, of: element, knowing: names.keys, path: source.path)
                return
            }
            draft.set(key, integer: choice, of: number)
        case .choiceExcept(let key, let names, let standard):
            guard let choice = names[value] else {
                try notes.leaveOut(value: attribute, of: element, knowing: names.keys, path: source.path)
                return
            }
            if choice != standard { draft.set(key, integer: choice, of: number) }
        case .image(let key): draft.set(key, .object(image(value, catalog: element["catalog"])), of: number)
        case .reference(let key): draft.set(key, .object(try object(value, for: element)), of: number)
        }
    }

    static func truth(_ value: String) -> Bool? {
        switch value {
        case "YES": true
        case "NO": false
        default: nil
        }
    }

    /// Adds a text for people; in a folder of a language, that language's file can replace it.
    mutating func translatable(
        _ text: String, _ property: String, of element: XMLElement
    ) throws(BuildError) -> Int {
        guard source.isTranslatable else { return draft.text(text) }
        return draft.translatable(text, key: "\(try source.id(of: element)).\(property)")
    }

    mutating func image(_ name: String) -> Int {
        let size = source.imageSizes[name]
        return draft.sharing("image \(name)") { draft in
            let image = draft.add("UIImageNibPlaceholder")
            // Hosts keep the place of a picture that they cannot show.
            if let size {
                draft.set("UIImageWidth", .content(.float(size.width)), of: image)
                draft.set("UIImageHeight", .content(.float(size.height)), of: image)
            }
            draft.set("UIResourceName", text: name, of: image)
            return image
        }
    }

    // MARK: The file

    /// Writes the root and encodes everything. After an error there is nothing to encode.
    mutating func encoded() throws(BuildError) -> [UInt8] {
        guard source.errors.isEmpty else { return [] }
        for (id, number) in numbers.sorted(by: { $0.value < $1.value }) {
            guard let home = source.homes[id], homes.contains(home), !finished.contains(number) else { continue }
            guard let element = source.elements[id] else { continue }
            throw source.fault("\(element.name) \(id) is referred to but is in a place that is not compiled", element)
        }
        let none = draft.list([])
        let atTop = Set(topLevel)
        let lists = [
            ("UINibTopLevelObjectsKey", topLevel),
            ("UINibObjectsKey", topLevel + objects.filter { !atTop.contains($0) }),
            ("UINibConnectionsKey", connections), ("UINibVisibleWindowsKey", []),
            ("UINibAccessibilityConfigurationsKey", accessibility), ("UINibTraitStorageListsKey", []),
            ("UINibKeyValuePairsKey", attributes),
        ]
        for (key, elements) in lists {
            draft.set(key, .object(elements.isEmpty ? none : draft.list(elements)), of: root)
        }
        return draft.encoded(root: root)
    }

    mutating func finish(_ number: Int) { finished.insert(number) }
}
