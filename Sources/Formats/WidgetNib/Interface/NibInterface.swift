/// The content of a compiled interface: its objects, their connections, and the attributes that are set on loading.
package struct NibInterface: Sendable {
    package let graph: NibGraph
    package let topLevelObjects: [NibElement]
    /// All objects that are awakened, in the order of the file.
    package let objects: [NibElement]
    package let outlets: [NibOutlet]
    package let events: [NibEvent]
    package let attributes: [NibRuntimeAttribute]
    package let placeholders: [NibPlaceholder]

    package init(_ graph: NibGraph) {
        self.graph = graph
        let root = graph.rootElement
        let top = NibInterface.each(root.elements("UINibTopLevelObjectsKey"))
        let all = NibInterface.each(root.elements("UINibObjectsKey"))
        topLevelObjects = top
        objects = all
        let connections = NibInterface.each(root.elements("UINibConnectionsKey"))
        outlets = connections.compactMap { NibOutlet($0) }
        events = connections.compactMap { NibEvent($0) }
        attributes = NibInterface.each(root.elements("UINibKeyValuePairsKey")).compactMap { NibRuntimeAttribute($0) }
        var seen: Set<Int> = []
        placeholders = (all + top).filter { seen.insert($0.index).inserted }.compactMap { NibPlaceholder($0) }
    }

    /// Returns each object once; repetitions add nothing.
    private static func each(_ elements: [NibElement]) -> [NibElement] {
        var seen: Set<Int> = []
        return elements.filter { seen.insert($0.index).inserted }
    }

    package func placeholder(_ name: String) -> NibPlaceholder? { placeholders.first { $0.name == name } }

    /// Returns the object under that name in the file's owner.
    package func owned(_ name: String) -> NibElement? {
        outlets.first { $0.name == name && $0.source.proxyName == NibPlaceholder.filesOwner }?.destination
    }

    package func attributes(of element: NibElement) -> [NibRuntimeAttribute] {
        attributes.filter { $0.object == element }
    }
}

/// A property of one object that is another object.
package struct NibOutlet: Equatable, Sendable {
    package let source: NibElement
    package let destination: NibElement
    package let name: String
    /// True if the property is a list; the destination is added to it.
    package let isCollection: Bool

    init?(_ element: NibElement) {
        switch element.className {
        case "UIRuntimeOutletConnection", "NSNibOutletConnector", "NSNibExternalObjectPlaceholder":
            isCollection = false
        case "UIRuntimeOutletCollectionConnection": isCollection = true
        default: return nil
        }
        guard let source = element.element("UISource") ?? element.element("NSSource"),
            let name = element.string("UILabel") ?? element.string("NSLabel"),
            let destination = element.element("UIDestination") ?? element.element("NSDestination")
        else { return nil }
        self.source = source
        self.destination = destination
        self.name = name
    }
}

/// An action of one object in response to an event of another.
package struct NibEvent: Equatable, Sendable {
    package let source: NibElement
    /// Absent when the responder chain decides who acts.
    package let destination: NibElement?
    package let selector: String
    /// A control's events; absent for objects with only one.
    package let mask: Int?

    init?(_ element: NibElement) {
        guard element.className == "UIRuntimeEventConnection" || element.className == "NSNibControlConnector",
            let source = element.element("UISource") ?? element.element("NSSource"),
            let selector = element.string("UILabel") ?? element.string("NSLabel")
        else { return nil }
        self.source = source
        destination = element.element("UIDestination") ?? element.element("NSDestination")
        self.selector = selector
        mask = element.integer("UIEventMask")
    }
}

/// A value that is set under a key path once all objects exist.
package struct NibRuntimeAttribute: Equatable, Sendable {
    package let object: NibElement
    package let keyPath: String
    package let value: NibRuntimeValue

    init?(_ element: NibElement) {
        guard let object = element.element("UIObject"), let keyPath = element.string("UIKeyPath") else { return nil }
        self.object = object
        self.keyPath = keyPath
        value = element.element("UIValue").map { NibRuntimeValue($0) } ?? .null
    }
}

package enum NibRuntimeValue: Equatable, Sendable {
    case null
    case text(String)
    case number(Double)
    case truth(Bool)
    case color(NibColor)
    case point(NibPoint)
    case size(NibPoint)
    case rect(NibRect)
    case range(location: Double, length: Double)
    /// An image's name.
    case image(String)
    case other(NibElement)

    init(_ element: NibElement) {
        if let text = element.text {
            self = .text(text)
        } else if element.isNumber, let number = element.number {
            self = element.isTruthValue ? .truth(number != 0) : .number(number)
        } else if let color = NibColor(element) {
            self = .color(color)
        } else if element.className == "UIImageNibPlaceholder", let name = element.string("UIResourceName") {
            self = .image(name)
        } else if element.className == "NSValue" {
            self = NibRuntimeValue.structure(element)
        } else {
            self = element.isNull ? .null : .other(element)
        }
    }

    private static func structure(_ element: NibElement) -> NibRuntimeValue {
        if let point = element.point("NS.pointval") { return .point(point) }
        if let size = element.size("NS.sizeval") { return .size(size) }
        if let rect = element.rect("NS.rectval") { return .rect(rect) }
        if let location = element.double("NS.rangeval.location"), let length = element.double("NS.rangeval.length") {
            return .range(location: location, length: length)
        }
        return .other(element)
    }
}

/// An object outside the file, which the loader puts in the placeholder's place.
package struct NibPlaceholder: Equatable, Sendable {
    package static let filesOwner = "IBFilesOwner"
    package static let firstResponder = "IBFirstResponder"
    package static let storyboard = "UIStoryboardPlaceholder"

    package let element: NibElement
    package let name: String

    init?(_ element: NibElement) {
        guard let name = element.proxyName else { return nil }
        self.element = element
        self.name = name
    }
}

extension NibElement {
    /// The name of the object that a placeholder represents.
    package var proxyName: String? {
        className == "UIProxyObject" ? string("UIProxiedObjectIdentifier") : nil
    }

    /// The author's class, when it differs from the system's.
    package var customClassName: String? {
        className == "UIClassSwapper" ? string("UIClassName").map { NibElement.demangled($0) } : nil
    }

    /// The class that defines the object's keys.
    package var baseClassName: String {
        className == "UIClassSwapper" ? string("UIOriginalClassName") ?? className : className
    }

    /// The author's class, or else the system's.
    package var shownClassName: String { customClassName ?? baseClassName }

    /// Returns `ContentDisplayView` for `_TtC9WidgetKit18ContentDisplayView`, and any other name unchanged.
    package static func demangled(_ name: String) -> String {
        moduleAndName(name)?.name ?? name
    }

    /// Splits the archived name of a Swift class into its two parts.
    package static func moduleAndName(_ name: String) -> (module: String, name: String)? {
        guard name.hasPrefix("_TtC") else {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
        }
        var rest = name.utf8.dropFirst(4)
        var words: [String] = []
        for _ in 0..<2 {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard (1...4).contains(digits.count), let count = Int(String(Substring(digits))) else { return nil }
            rest = rest.dropFirst(digits.count)
            guard count > 0, rest.count >= count else { return nil }
            words.append(String(Substring(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
        return rest.isEmpty ? (words[0], words[1]) : nil
    }
}
