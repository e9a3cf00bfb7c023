/// One encoded scalar of strict UTF-8, as in table 3-7 of the Unicode Standard: no overlong form, no
/// surrogate, nothing above U+10FFFF.
package enum UTF8Sequence: Equatable, Sendable {
    case scalar(UInt32, byteCount: Int)
    /// The bytes there are could begin a sequence, but the text ends.
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
