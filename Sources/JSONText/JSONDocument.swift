package import Bytes

/// A document as it was read: its value, its bytes, and the way from one to the other.
package struct JSONDocument: Sendable {
    package let root: JSONValue
    package let bytes: [UInt8]

    package init(
        parsing bytes: [UInt8], limits: JSONLimits = JSONLimits(), root: JSONRoot = .anyValue
    ) throws(JSONError) {
        self.root = try JSONValue(parsing: bytes.span, limits: limits, root: root)
        self.bytes = bytes
    }

    /// Where the root's members and elements are decoded from.
    package var cursor: JSONCursor { JSONCursor(root, path: ValuePath(), bytes: bytes) }

    /// For many positions; one is cheaper through ``JSONSpan/position(in:)``.
    package var lines: LineTable { LineTable(bytes) }
}

extension JSONValue {
    /// The value a document denotes (RFC 8259), or the first reason to refuse it.
    package init(
        parsing bytes: Span<UInt8>, limits: JSONLimits = JSONLimits(), root: JSONRoot = .anyValue
    ) throws(JSONError) {
        self.init(try JSONTable.nodes(of: bytes, limits: limits, root: root), in: bytes)
    }

    package init(
        parsing bytes: [UInt8], limits: JSONLimits = JSONLimits(), root: JSONRoot = .anyValue
    ) throws(JSONError) {
        try self.init(parsing: bytes.span, limits: limits, root: root)
    }
}
