internal import Nib
internal import XMLText

/// Makes one compiled interface: the objects that belong to it, what connects them, and stand-ins for those elsewhere.
///
/// An object gets its number when it is first mentioned and its contents when its turn comes; elements wait in a list, so
/// their depth costs nothing.
struct NibCompiler {
    let source: InterfaceSource
    /// The files whose objects are made here: one, and of a screen also those of the screens that stand in it.
    let homes: Set<Int>
    var draft = DraftNib()
    /// The list of awakened objects.
    var objects: [Int] = []
    var topLevel: [Int] = []
    var connections: [Int] = []
    var attributes: [Int] = []
    /// Objects of other files that are referred to, and what stands for them.
    private(set) var external: [(id: String, proxy: Int)] = []
    private var numbers: [String: Int] = [:]
    private var proxies: [String: Int] = [:]
    private var finished: Set<Int> = []
    /// Elements whose contents are still to be made.
    var pending: [XMLElement] = []
    /// Compiled cells, by the number of their element.
    let prototypes: [Int: PrototypeNib]
    let root: Int
    /// Of the controller whose views these are.
    var controller: String?
    /// Guides that stand in a view behind its subviews, and the rules of layout that keep them in their place.
    var guides: [Int: [Int]] = [:]
    var guideConstraints: [Int: [Int]] = [:]

    /// A cell that has been compiled, and which objects outside it needs.
    struct PrototypeNib {
        var bytes: [UInt8]
        var external: [String]
    }

    init(_ source: InterfaceSource, homes: Set<Int>, prototypes: [Int: PrototypeNib] = [:]) {
        self.source = source
        self.homes = homes
        self.prototypes = prototypes
        root = draft.add("NSObject")
    }

    // MARK: Objects

    /// The object of that id: itself when it belongs here, else what stands for it.
    mutating func object(_ id: String, for element: XMLElement) throws(BuildError) -> Int {
        if let known = numbers[id] { return known }
        guard let home = source.homes[id] else {
            throw source.fault("there is no object \(id)", element, hints: ["it has to be the id of another object"])
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

    /// A stand-in that whoever loads the interface replaces.
    mutating func proxy(_ name: String) -> Int {
        if let known = proxies[name] { return known }
        let number = draft.add("UIProxyObject")
        draft.set("UIProxiedObjectIdentifier", text: name, of: number)
        proxies[name] = number
        return number
    }

    /// Makes the contents of all that waits.
    mutating func makePending() throws(BuildError) {
        var next = 0
        while next < pending.count {
            let element = pending[next]
            next += 1
            try make(element)
        }
        pending = []
    }

    /// The object of an element that is to be made here.
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
                "\(element.name) cannot be compiled", element, hints: ["docs/building.md lists what can"])
        }
        objects.append(number)
        setClass(rule.className, rule.fallbacks, of: number, element)
        try writeObject(element, rule, number)
    }

    /// The class, and the author's own in its place.
    mutating func setClass(_ className: String, _ fallbacks: [String] = [], of number: Int, _ element: XMLElement) {
        guard let custom = element["customClass"] else {
            draft.setClass(className, fallbacks: fallbacks, of: number)
            return
        }
        draft.setClass("UIClassSwapper", of: number)
        draft.set("UIClassName", text: NibCompiler.archivedName(custom, module: element["customModule"]), of: number)
        draft.set("UIOriginalClassName", text: className, of: number)
    }

    /// As Swift names a class to Objective-C.
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

    // MARK: The file

    /// Writes the root and encodes everything.
    mutating func encoded() throws(BuildError) -> [UInt8] {
        for (id, number) in numbers.sorted(by: { $0.value < $1.value }) {
            guard let home = source.homes[id], homes.contains(home), !finished.contains(number) else { continue }
            guard let element = source.elements[id] else { continue }
            throw source.fault("\(element.name) \(id) is referred to but stands where nothing is compiled", element)
        }
        let none = draft.list([])
        let lists = [
            ("UINibTopLevelObjectsKey", topLevel),
            ("UINibObjectsKey", topLevel + objects.filter { !topLevel.contains($0) }),
            ("UINibConnectionsKey", connections), ("UINibVisibleWindowsKey", []),
            ("UINibAccessibilityConfigurationsKey", []), ("UINibTraitStorageListsKey", []),
            ("UINibKeyValuePairsKey", attributes),
        ]
        for (key, elements) in lists {
            draft.set(key, .object(elements.isEmpty ? none : draft.list(elements)), of: root)
        }
        return draft.encoded(root: root)
    }

    mutating func finish(_ number: Int) { finished.insert(number) }
}
