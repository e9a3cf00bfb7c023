internal import JSONText
internal import WidgetBytes

/// The content of a compiled interface: its screens with their controllers, views, connections and segues.
package struct InterfaceOutline: Equatable, Sendable {
    /// An attribute that is set when the interface is loaded, with its value as text.
    package struct Attribute: Equatable, Sendable {
        package var keyPath: String
        package var value: String
    }

    /// An outlet of one object, or an action of one object on another.
    package struct Connection: Equatable, Sendable {
        package var source: String
        package var name: String
        package var destination: String
    }

    package struct Segue: Equatable, Sendable {
        package var kind: String
        package var identifier: String?
        package var destination: String?
    }

    package struct View: Equatable, Sendable {
        package var depth: Int
        package var className: String
        package var frame: [Double]?
        package var text: String?
        /// The identifier of cells made from this one.
        package var reuseIdentifier: String?
        package var attributes: [Attribute] = []
    }

    /// A controller, or a separate interface.
    package struct Part: Equatable, Sendable {
        /// The number of controllers around it.
        package var depth = 0
        package var className: String
        package var title: String?
        package var restorationIdentifier: String?
        package var segues: [Segue] = []
        package var outlets: [Connection] = []
        package var events: [Connection] = []
        /// Attributes of objects other than views.
        package var attributes: [Attribute] = []
        package var views: [View] = []
    }

    package struct Screen: Equatable, Sendable {
        package var identifier: String
        package var isEntry: Bool
        package var parts: [Part]
    }

    package var path: String
    package var screens: [Screen] = []
    /// The reasons why parts of it cannot be read.
    package var faults: [String] = []
}

extension InterfaceOutline {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("path", path)
            writer.list("screens", screens) { $1.write(to: &$0) }
            writer.list("faults", faults) { $0.string($1) }
        }
    }
}

extension InterfaceOutline.Screen {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("identifier", identifier)
            if isEntry { writer.member("entry", true) }
            writer.list("parts", parts) { $1.write(to: &$0) }
        }
    }
}

extension InterfaceOutline.Part {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("class", className)
            writer.member("depth", depth)
            if let title { writer.member("title", title) }
            if let restorationIdentifier { writer.member("restorationIdentifier", restorationIdentifier) }
            writer.list("segues", segues) { writer, segue in
                writer.object { writer in
                    writer.member("kind", segue.kind)
                    if let identifier = segue.identifier { writer.member("identifier", identifier) }
                    if let destination = segue.destination { writer.member("destination", destination) }
                }
            }
            writer.list("outlets", outlets) { $1.write(to: &$0) }
            writer.list("events", events) { $1.write(to: &$0) }
            writer.list("attributes", attributes) { $1.write(to: &$0) }
            writer.list("views", views) { $1.write(to: &$0) }
        }
    }
}

extension InterfaceOutline.View {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("class", className)
            writer.member("depth", depth)
            if let frame { writer.list("frame", frame) { $0.number($1) } }
            if let text { writer.member("text", text) }
            if let reuseIdentifier { writer.member("reuseIdentifier", reuseIdentifier) }
            if !attributes.isEmpty { writer.list("attributes", attributes) { $1.write(to: &$0) } }
        }
    }
}

extension InterfaceOutline.Connection {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("source", source)
            writer.member("name", name)
            writer.member("destination", destination)
        }
    }
}

extension InterfaceOutline.Attribute {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("keyPath", keyPath)
            writer.member("value", value)
        }
    }
}

extension JSONWriter {
    mutating func list<Element>(
        _ name: String, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
    ) {
        key(name)
        array { writer in
            for element in elements { write(&writer, element) }
        }
    }
}

extension InterfaceOutline: CustomStringConvertible {
    /// A text for people; the bundle's own texts are made harmless to a terminal.
    package var description: String {
        var text = "interface \(BundleOutline.safe(path))\n"
        for screen in screens {
            text += "  screen \(BundleOutline.safe(screen.identifier))\(screen.isEntry ? ", the first" : "")\n"
            for part in screen.parts { text += part.lines }
        }
        for fault in faults { text += "  unreadable: \(BundleOutline.safe(fault))\n" }
        return text
    }
}

extension InterfaceOutline.Part {
    fileprivate var lines: String {
        let indent = String(repeating: "  ", count: min(depth, 20) + 2)
        var text = "\(indent)\(BundleOutline.safe(className))"
        if let title { text += " \(ShownText.quoted(title))" }
        if let restorationIdentifier { text += ", restored as \(BundleOutline.safe(restorationIdentifier))" }
        text += "\n"
        for view in views { text += "\(indent)  \(view.line)\n" }
        for attribute in attributes { text += "\(indent)  \(attribute.line)\n" }
        for segue in segues {
            let name = segue.identifier.map { " \(BundleOutline.safe($0))" } ?? ""
            let destination = segue.destination.map { " to \(BundleOutline.safe($0))" } ?? ""
            text += "\(indent)  segue\(name)\(destination): \(BundleOutline.safe(segue.kind))\n"
        }
        for outlet in outlets { text += "\(indent)  outlet \(outlet.line)\n" }
        for event in events { text += "\(indent)  event \(event.line)\n" }
        return text
    }
}

extension InterfaceOutline.View {
    fileprivate var line: String {
        var words = [String(repeating: "  ", count: min(depth, 20)) + "- \(BundleOutline.safe(className))"]
        if let reuseIdentifier { words.append("for \(BundleOutline.safe(reuseIdentifier))") }
        if let frame { words.append("(" + frame.map { BundleOutline.shown($0) }.joined(separator: ", ") + ")") }
        if let text { words.append(ShownText.quoted(text)) }
        words += attributes.map { $0.line }
        return words.joined(separator: " ")
    }
}

extension InterfaceOutline.Attribute {
    fileprivate var line: String { "\(BundleOutline.safe(keyPath))=\(BundleOutline.safe(value))" }
}

extension InterfaceOutline.Connection {
    fileprivate var line: String {
        "\(BundleOutline.safe(source)).\(BundleOutline.safe(name)) = \(BundleOutline.safe(destination))"
    }
}
