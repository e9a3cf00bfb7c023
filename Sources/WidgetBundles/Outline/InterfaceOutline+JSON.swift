internal import JSONText

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
