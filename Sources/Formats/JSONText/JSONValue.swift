/// A value of a JSON document, together with where it stood.
///
/// Values compare by meaning: spans and the order of an object's members do not count, and
/// numbers are equal when they denote the same number, in any spelling.
package struct JSONValue: Sendable {
    package enum Kind: Sendable {
        case null
        case boolean(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONValue])
        case object(JSONObject)
    }

    package var kind: Kind
    /// Empty at offset 0 for a value that was not read from a document.
    package var span: JSONSpan

    package init(_ kind: Kind, span: JSONSpan = JSONSpan()) {
        self.kind = kind
        self.span = span
    }
}

extension JSONValue {
    package var isNull: Bool {
        if case .null = kind { true } else { false }
    }

    package var boolean: Bool? {
        if case .boolean(let value) = kind { value } else { nil }
    }

    package var number: JSONNumber? {
        if case .number(let value) = kind { value } else { nil }
    }

    package var integer: Int64? { number?.integer }

    package var double: Double? { number?.double }

    package var string: String? {
        if case .string(let value) = kind { value } else { nil }
    }

    package var array: [JSONValue]? {
        if case .array(let value) = kind { value } else { nil }
    }

    package var object: JSONObject? {
        if case .object(let value) = kind { value } else { nil }
    }

    /// The member of that name, when this is an object that has one.
    package subscript(_ name: String) -> JSONValue? { object?[name] }

    package var typeName: JSONTypeName {
        switch kind {
        case .null: .null
        case .boolean: .boolean
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}

/// The kind of a value, found or expected.
package enum JSONTypeName: String, Sendable {
    case null, boolean, number, integer, string, array, object
}

extension JSONValue: Equatable {
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        // Pairs still to be compared wait here, not on the call stack.
        var pending = [(left, right)]
        while let (first, second) = pending.popLast() {
            switch (first.kind, second.kind) {
            case (.null, .null): continue
            case (.boolean(let a), .boolean(let b)):
                guard a == b else { return false }
            case (.number(let a), .number(let b)):
                guard a == b else { return false }
            case (.string(let a), .string(let b)):
                guard a.utf8.elementsEqual(b.utf8) else { return false }
            case (.array(let a), .array(let b)):
                guard a.count == b.count else { return false }
                pending.append(contentsOf: zip(a, b))
            case (.object(let a), .object(let b)):
                guard a.count == b.count else { return false }
                for member in a.members {
                    guard let other = b[member.name] else { return false }
                    pending.append((member.value, other))
                }
            default: return false
            }
        }
        return true
    }
}

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
            // Between its last value and its bracket there is only white space.
            var end = children.last.map { $0.span.range.upperBound } ?? container.offset + 1
            while end < bytes.count, bytes[end] != UInt8(ascii: "]"), bytes[end] != UInt8(ascii: "}") { end += 1 }
            let span = JSONSpan(from: container.offset, to: end + 1)
            let value: JSONValue
            if container.isObject {
                let ownNames = Array(names[container.firstName...])
                names.removeSubrange(container.firstName...)
                // Room for all at once: most objects are small, and growing takes as long as parsing them.
                var members: [JSONObject.Member] = []
                members.reserveCapacity(children.count)
                for (name, value) in zip(ownNames, children) {
                    members.append(JSONObject.Member(name.text, value, nameSpan: name.span))
                }
                value = JSONValue(.object(JSONObject(unique: members)), span: span)
            } else {
                value = JSONValue(.array(children), span: span)
            }
            values.append(value)
        }
    }
}
