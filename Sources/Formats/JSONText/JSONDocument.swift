package import WidgetBytes

/// A document as it was read: its value, its bytes, and the places of the value in the bytes.
package struct JSONDocument: Sendable {
    package let root: JSONValue
    package let bytes: [UInt8]

    package init(
        parsing bytes: [UInt8], limits: JSONLimits = JSONLimits(), root: JSONRoot = .anyValue
    ) throws(JSONError) {
        self.root = try JSONValue(parsing: bytes.span, limits: limits, root: root)
        self.bytes = bytes
    }

    /// The cursor at the root; members and elements are decoded from it.
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

/// One value of a document, or the name of a member, in eight bytes.
///
/// The nodes of a document are one array in its order: a container before its contents, a name before its value. A
/// scalar has the number of its bytes, a container the index of the node after its last.
struct JSONNode: Equatable, Sendable {
    enum Kind: UInt32, Sendable {
        case null, `false`, `true`, number, string, escapedString, array, object
    }

    /// More than the extra number can say is never in a document: see ``JSONLimits/largestByteCount``.
    static let extraBitCount: UInt32 = 29

    private let offsetBits: UInt32
    private let kindAndExtra: UInt32

    init(_ kind: Kind, at offset: Int, _ extra: Int) {
        offsetBits = UInt32(truncatingIfNeeded: offset)
        kindAndExtra =
            kind.rawValue << JSONNode.extraBitCount
            | UInt32(truncatingIfNeeded: extra) & (1 << JSONNode.extraBitCount - 1)
    }

    var kind: Kind { Kind(rawValue: kindAndExtra >> JSONNode.extraBitCount) ?? .null }

    var offset: Int { Int(bounded: offsetBits) }

    private var extra: Int { Int(bounded: kindAndExtra & (1 << JSONNode.extraBitCount - 1)) }

    var isContainer: Bool { kindAndExtra >> JSONNode.extraBitCount >= Kind.array.rawValue }

    /// Bytes of a scalar, with a string's quotes.
    var byteCount: Int { isContainer ? 1 : extra }

    /// The bytes of a scalar, or a container's opening bracket.
    var span: JSONSpan { JSONSpan(from: offset, to: offset &+ byteCount) }

    /// The index of the node after this one and everything in it.
    func next(_ index: Int) -> Int { isContainer ? extra : index &+ 1 }
}

/// The bytes a value was written with. Four bytes for each end keep a tree of values small; the
/// reader's limit on the document's size makes them enough.
package struct JSONSpan: Hashable, Sendable {
    private let start: UInt32
    private let end: UInt32

    package init() {
        (start, end) = (0, 0)
    }

    package init(from start: Int, to end: Int) {
        self.start = UInt32(clamping: start)
        self.end = UInt32(clamping: end)
    }

    package var offset: Int { Int(bounded: start) }

    package var byteCount: Int { Int(bounded: end) - Int(bounded: start) }

    package var range: Range<Int> { Int(bounded: start)..<max(Int(bounded: start), Int(bounded: end)) }

    package func position(in bytes: [UInt8]) -> TextPosition {
        TextPosition(of: offset, in: bytes.span)
    }
}

/// The limits of a document. Each has a name, and a document that exceeds it is refused for that limit.
package struct JSONLimits: Equatable, Sendable {
    package enum Name: String, Sendable {
        /// Bytes of the whole document.
        case byteCount
        /// Arrays and objects around a value.
        case depth
        /// Values of any kind, the root included.
        case valueCount
        /// Bytes of one number's text.
        case numberByteCount
        /// Combining marks in a row in a string or a name: see ``CombiningMarks``.
        case markCount
    }

    package var byteCount: Int
    package var depth: Int
    package var valueCount: Int
    package var numberByteCount: Int
    package var markCount: Int

    /// No depth may be set above this: values are freed from the outside in, on the stack.
    package static let deepest = 512

    /// No document may be larger: nodes count its bytes with so many bits.
    static let largestByteCount = 1 << JSONNode.extraBitCount - 1

    package init(
        byteCount: Int = 1 << 20, depth: Int = 64, valueCount: Int = 200_000, numberByteCount: Int = 1_024,
        markCount: Int = CombiningMarks.mostInARow
    ) {
        self.byteCount = min(byteCount, JSONLimits.largestByteCount)
        self.depth = min(depth, JSONLimits.deepest)
        self.valueCount = valueCount
        self.numberByteCount = numberByteCount
        self.markCount = markCount
    }
}

/// The values allowed at the root of a document.
package enum JSONRoot: Sendable {
    case anyValue
    /// An object or an array, as bundles require.
    case container
}
