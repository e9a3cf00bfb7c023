internal import WidgetBytes

/// A document as it was read, in eight bytes for each value: for looking through documents of others.
///
/// Values are views of it and read their text when asked. ``JSONValue`` is for documents that are kept and made.
package final class JSONTable: Sendable {
    package let bytes: [UInt8]
    let nodes: [JSONNode]

    package init(
        parsing bytes: [UInt8], limits: JSONLimits = JSONLimits(), root: JSONRoot = .anyValue
    ) throws(JSONError) {
        nodes = try JSONTable.nodes(of: bytes.span, limits: limits, root: root)
        self.bytes = bytes
    }

    package var root: JSONItem { JSONItem(table: self, index: 0) }

    static func nodes(of bytes: Span<UInt8>, limits: JSONLimits, root: JSONRoot) throws(JSONError) -> [JSONNode] {
        var parser = JSONParser(limits: limits, root: root)
        do throws(JSONFault) {
            try parser.parse(bytes)
        } catch {
            throw JSONError(
                error.reason, offset: error.offset, position: TextPosition(of: error.offset, in: bytes),
                path: parser.path(in: bytes))
        }
        return parser.nodes
    }
}

/// A value of a ``JSONTable``.
package struct JSONItem: Sendable {
    fileprivate let table: JSONTable
    fileprivate let index: Int

    private var node: JSONNode { table.nodes[index] }

    /// The bytes of a scalar, or a container's opening bracket.
    package var span: JSONSpan { node.span }

    package enum Kind {
        case null
        case boolean(Bool)
        case number(JSONNumber)
        case string(String)
        case array(Elements)
        case object(Object)
    }

    package var kind: Kind {
        let node = node
        let bytes = table.bytes
        switch node.kind {
        case .null: return .null
        case .true: return .boolean(true)
        case .false: return .boolean(false)
        case .number: return .number(JSONStringText.number(node, in: bytes.span))
        case .string, .escapedString: return .string(JSONStringText.string(of: node, in: bytes.span))
        case .array: return .array(Elements(item: self))
        case .object: return .object(Object(item: self))
        }
    }

    package var string: String? {
        let bytes = table.bytes
        return switch node.kind {
        case .string, .escapedString: JSONStringText.string(of: node, in: bytes.span)
        default: nil
        }
    }

    package var boolean: Bool? {
        switch node.kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    package var double: Double? {
        let bytes = table.bytes
        return node.kind == .number ? JSONStringText.number(node, in: bytes.span).double : nil
    }

    package var object: Object? { node.kind == .object ? Object(item: self) : nil }

    package var array: Elements? { node.kind == .array ? Elements(item: self) : nil }

    /// The member of that name, when this is an object that has one.
    package subscript(_ name: String) -> JSONItem? { object?[name] }

    fileprivate var end: Int { node.next(index) }

    package struct Object: Sendable {
        fileprivate let item: JSONItem

        /// In the order of the document.
        package var members: Members { Members(item: item) }

        /// - Complexity: linear in the number of members.
        package subscript(_ name: String) -> JSONItem? {
            let table = item.table
            let bytes = table.bytes
            let end = item.end
            var index = item.index &+ 1
            while index < end {
                if JSONStringText.equals(table.nodes[index], name, in: bytes.span) {
                    return JSONItem(table: table, index: index &+ 1)
                }
                index = table.nodes[index &+ 1].next(index &+ 1)
            }
            return nil
        }
    }

    package struct Member: Sendable {
        fileprivate let item: JSONItem

        package var name: String { item.string ?? "" }
        package var nameSpan: JSONSpan { item.span }
        package var value: JSONItem { JSONItem(table: item.table, index: item.index &+ 1) }
    }

    package struct Members: Sequence, IteratorProtocol, Sendable {
        private let table: JSONTable?
        private var index = 0
        private var end = 0

        fileprivate init(item: JSONItem?) {
            table = item?.table
            if let item { (index, end) = (item.index &+ 1, item.end) }
        }

        package mutating func next() -> Member? {
            guard let table, index < end else { return nil }
            defer { index = table.nodes[index &+ 1].next(index &+ 1) }
            return Member(item: JSONItem(table: table, index: index))
        }
    }

    package struct Elements: Sequence, IteratorProtocol, Sendable {
        private let table: JSONTable
        private var index: Int
        private let end: Int

        fileprivate init(item: JSONItem) {
            (table, index, end) = (item.table, item.index &+ 1, item.end)
        }

        package mutating func next() -> JSONItem? {
            guard index < end else { return nil }
            defer { index = table.nodes[index].next(index) }
            return JSONItem(table: table, index: index)
        }
    }
}

extension JSONItem? {
    /// The members of an object; empty for other values.
    package var members: JSONItem.Members { JSONItem.Members(item: self?.object?.item) }
}
