package import Bytes

/// The bytes a value was written with. Four bytes for each end keep a tree of values small; the
/// reader's limit on the document's size makes them enough.
package struct JSONSpan: Hashable, Sendable {
    private let start: UInt32
    private let end: UInt32

    package init() {
        (start, end) = (0, 0)
    }

    init(from start: Int, to end: Int) {
        self.start = UInt32(clamping: start)
        self.end = UInt32(clamping: end)
    }

    package var offset: Int { Int(start) }

    package var byteCount: Int { Int(end) - Int(start) }

    package var range: Range<Int> { Int(start)..<max(Int(start), Int(end)) }

    package func position(in bytes: [UInt8]) -> TextPosition {
        TextPosition(of: offset, in: bytes.span)
    }
}
