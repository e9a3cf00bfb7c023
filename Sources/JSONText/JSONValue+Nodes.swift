extension JSONValue {
    /// The value that a document's nodes say. Open containers wait on a list, and finished values lie on one
    /// common stack until their container ends.
    init(_ nodes: [JSONNode], in bytes: Span<UInt8>) {
        var building = Building()
        for (index, node) in nodes.enumerated() {
            while let container = building.containers.last, container.end == index { building.close(bytes) }
            building.add(node, index, bytes)
        }
        while !building.containers.isEmpty { building.close(bytes) }
        self = building.values.last ?? JSONValue(.null)
    }

    private struct Building {
        struct Container {
            var isObject: Bool
            var offset: Int
            var end: Int
            var firstValue: Int
            var firstName: Int
        }

        var containers: [Container] = []
        var values: [JSONValue] = []
        var names: [(text: String, span: JSONSpan)] = []

        mutating func add(_ node: JSONNode, _ index: Int, _ bytes: Span<UInt8>) {
            switch node.kind {
            case .array, .object:
                containers.append(
                    Container(
                        isObject: node.kind == .object, offset: node.offset, end: node.next(index),
                        firstValue: values.count, firstName: names.count))
            case .string, .escapedString:
                let text = JSONStringText.string(of: node, in: bytes)
                if isNameNext {
                    names.append((text, node.span))
                } else {
                    values.append(JSONValue(.string(text), span: node.span))
                }
            case .number:
                values.append(JSONValue(.number(JSONStringText.number(node, in: bytes)), span: node.span))
            case .true: values.append(JSONValue(.boolean(true), span: node.span))
            case .false: values.append(JSONValue(.boolean(false), span: node.span))
            case .null: values.append(JSONValue(.null, span: node.span))
            }
        }

        /// In an object, names and values take turns.
        private var isNameNext: Bool {
            guard let container = containers.last, container.isObject else { return false }
            return names.count - container.firstName == values.count - container.firstValue
        }

        mutating func close(_ bytes: Span<UInt8>) {
            guard let container = containers.popLast() else { return }
            // Taken out before anything else: a slice that is still held would make removing copy all that waits below.
            let children = Array(values[container.firstValue...])
            values.removeSubrange(container.firstValue...)
            // Between its last value and its bracket stands white space alone.
            var end = children.last.map(\.span.range.upperBound) ?? container.offset + 1
            while end < bytes.count, bytes[end] != UInt8(ascii: "]"), bytes[end] != UInt8(ascii: "}") { end += 1 }
            let span = JSONSpan(from: container.offset, to: end + 1)
            let value: JSONValue
            if container.isObject {
                let ownNames = Array(names[container.firstName...])
                names.removeSubrange(container.firstName...)
                let members = zip(ownNames, children).map { name, value in
                    JSONObject.Member(name.text, value, nameSpan: name.span)
                }
                value = JSONValue(.object(JSONObject(unique: members)), span: span)
            } else {
                value = JSONValue(.array(children), span: span)
            }
            values.append(value)
        }
    }
}
