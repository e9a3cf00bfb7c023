/// How many combining marks stand one after the other in a text.
///
/// Where the standard library compares or hashes a text, it sorts the marks of each letter by insertion: so many marks
/// cost the square of their number, 100,000 of them a minute. Texts of any language have a handful, and Unicode's
/// stream-safe format (UAX #15) allows 30. Whoever parses a text from outside refuses more than
/// ``mostInARow`` before it becomes one that is compared.
package struct CombiningMarks: Sendable {
    package static let mostInARow = 64

    private var count = 0

    package init() {}

    /// Below this there is no mark, and what is encoded in one byte is far below it.
    private static let first: UInt32 = 0x300

    /// Takes the next scalar of the text in.
    ///
    /// - Returns: how many marks stand in a row, this one included; 0 when it is none.
    package mutating func take(_ scalar: UInt32) -> Int {
        guard scalar >= CombiningMarks.first, let scalar = Unicode.Scalar(scalar),
            scalar.properties.canonicalCombiningClass != .notReordered
        else {
            count = 0
            return 0
        }
        count += 1
        return count
    }

    /// Says that something stands between the marks so far and those that follow.
    package mutating func end() { count = 0 }

    /// Where the first mark stands that is one too many, in bytes that are or may be UTF-8.
    package static func offsetOfTooMany(in bytes: Span<UInt8>, limit: Int = mostInARow) -> Int? {
        // A mark takes two bytes or more.
        guard bytes.count > 2 * limit else { return nil }
        var marks = CombiningMarks()
        var offset = 0
        while offset < bytes.count {
            // No mark begins with a byte below this, and no byte after the first is above it.
            guard bytes[offset] >= 0xCC else {
                marks.end()
                repeat { offset &+= 1 } while offset < bytes.count && bytes[offset] < 0xCC
                continue
            }
            guard case .scalar(let scalar, let byteCount) = UTF8Sequence(at: offset, in: bytes) else {
                marks.end()
                offset &+= 1
                continue
            }
            if marks.take(scalar) > limit { return offset }
            offset &+= byteCount
        }
        return nil
    }
}
