/// One encoded scalar of strict UTF-8, as in table 3-7 of the Unicode Standard: no overlong form, no
/// surrogate, nothing above U+10FFFF.
package enum UTF8Sequence: Equatable, Sendable {
    case scalar(UInt32, byteCount: Int)
    /// The bytes could begin a sequence, but the text ends.
    case truncated
    case invalid

    package init(at index: Int, in bytes: borrowing Span<UInt8>) {
        guard index >= 0, index < bytes.count else {
            self = .truncated
            return
        }
        let first = bytes[index]
        let (followers, lowest, highest): (Int, UInt8, UInt8)
        switch first {
        case 0x00...0x7F:
            self = .scalar(UInt32(first), byteCount: 1)
            return
        case 0xC2...0xDF: (followers, lowest, highest) = (1, 0x80, 0xBF)
        case 0xE0: (followers, lowest, highest) = (2, 0xA0, 0xBF)
        case 0xED: (followers, lowest, highest) = (2, 0x80, 0x9F)
        case 0xE1...0xEF: (followers, lowest, highest) = (2, 0x80, 0xBF)
        case 0xF0: (followers, lowest, highest) = (3, 0x90, 0xBF)
        case 0xF1...0xF3: (followers, lowest, highest) = (3, 0x80, 0xBF)
        case 0xF4: (followers, lowest, highest) = (3, 0x80, 0x8F)
        default:
            self = .invalid
            return
        }
        var value = UInt32(first) & (0x3F >> UInt32(followers))
        for follower in 1...followers {
            guard index &+ follower < bytes.count else {
                self = .truncated
                return
            }
            let byte = bytes[index &+ follower]
            let range = follower == 1 ? lowest...highest : 0x80...0xBF
            guard range.contains(byte) else {
                self = .invalid
                return
            }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        self = .scalar(value, byteCount: followers &+ 1)
    }
}

/// The number of consecutive combining marks in a text.
///
/// Where the standard library compares or hashes a text, it sorts the marks of each letter by insertion: so many marks
/// cost the square of their number, 100,000 of them a minute. Texts of any language have a handful, and Unicode's
/// stream-safe format (UAX #15) allows 30. Parsers of text from outside refuse more than
/// ``mostInARow`` before the text is compared.
package struct CombiningMarks: Sendable {
    package static let mostInARow = 64

    private var count = 0

    package init() {}

    /// The first scalar that can be a mark; those encoded in one byte are far below it.
    private static let first: UInt32 = 0x300

    /// Counts the next scalar of the text.
    ///
    /// - Returns: the number of consecutive marks, this one included; 0 for a scalar that is not a mark.
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

    /// Starts a new count: the marks that follow are separated from those before.
    package mutating func end() { count = 0 }

    /// The offset of the first mark beyond the limit. The bytes need not be valid UTF-8.
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

extension String {
    /// Compares the texts by their UTF-8 bytes: negative if this one comes first, 0 if both are equal.
    ///
    /// Byte for byte: comparing strings would also equate different spellings of one character.
    package func byteOrder(_ other: String) -> Int {
        let (left, right) = (utf8.span, other.utf8.span)
        let count = min(left.count, right.count)
        var index = 0
        while index < count {
            if left[index] != right[index] { return left[index] < right[index] ? -1 : 1 }
            index += 1
        }
        return left.count - right.count
    }

    /// Returns true if both texts have the same bytes.
    package func hasBytes(of other: String) -> Bool {
        utf8.count == other.utf8.count && byteOrder(other) == 0
    }
}
