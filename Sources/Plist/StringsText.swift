internal import Bytes

/// The text of a strings file as scalars, whichever of its encodings it came in, with the way back to
/// byte offsets.
struct StringsText {
    private(set) var scalars: [UInt32] = []
    private let encoding: Encoding

    private enum Encoding {
        /// The number of bytes before the first scalar: three when there is a mark.
        case utf8(start: Int)
        case utf16(isBigEndian: Bool)
    }

    /// UTF-8 with or without a mark, or UTF-16 with one; an encoding is never guessed.
    init(_ bytes: Span<UInt8>) throws(PlistFault) {
        if bytes.count >= 2, bytes[0] == 0xFE, bytes[1] == 0xFF {
            encoding = .utf16(isBigEndian: true)
            try readUTF16(bytes, isBigEndian: true)
        } else if bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == 0xFE {
            encoding = .utf16(isBigEndian: false)
            try readUTF16(bytes, isBigEndian: false)
        } else {
            let hasMark = bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
            encoding = .utf8(start: hasMark ? 3 : 0)
            try readUTF8(bytes, from: hasMark ? 3 : 0)
        }
    }

    /// The byte offset of a scalar, or of the end.
    func offset(of index: Int) -> Int {
        switch encoding {
        case .utf8(let start):
            scalars[..<index].reduce(start) { $0 + ($1 < 0x80 ? 1 : $1 < 0x800 ? 2 : $1 < 0x10000 ? 3 : 4) }
        case .utf16:
            scalars[..<index].reduce(2) { $0 + ($1 < 0x10000 ? 2 : 4) }
        }
    }

    /// Line and column of a scalar, counted from 1.
    func position(of index: Int) -> TextPosition {
        var position = TextPosition(line: 1, column: 1)
        for (place, scalar) in scalars[..<index].enumerated() {
            let endsLine =
                scalar == 0x0A || scalar == 0x0D && (place + 1 == scalars.count || scalars[place + 1] != 0x0A)
            position = TextPosition(
                line: endsLine ? position.line + 1 : position.line, column: endsLine ? 1 : position.column + 1)
        }
        return position
    }

    private mutating func readUTF8(_ bytes: Span<UInt8>, from start: Int) throws(PlistFault) {
        var index = start
        while index < bytes.count {
            guard case .scalar(let value, let byteCount) = UTF8Sequence(at: index, in: bytes) else {
                throw PlistFault(.invalidUTF8, at: index)
            }
            scalars.append(value)
            index += byteCount
        }
    }

    private mutating func readUTF16(_ bytes: Span<UInt8>, isBigEndian: Bool) throws(PlistFault) {
        func unit(at index: Int) -> UInt32 {
            let (first, second) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        guard bytes.count.isMultiple(of: 2) else { throw PlistFault(.invalidUTF16, at: bytes.count - 1) }
        var index = 2
        while index < bytes.count {
            let first = unit(at: index)
            guard first & 0xF800 == 0xD800 else {
                scalars.append(first)
                index += 2
                continue
            }
            guard first < 0xDC00, index + 2 < bytes.count, unit(at: index + 2) & 0xFC00 == 0xDC00 else {
                throw PlistFault(.loneSurrogate(UInt16(truncatingIfNeeded: first)), at: index)
            }
            scalars.append(0x10000 + ((first & 0x3FF) << 10 | (unit(at: index + 2) & 0x3FF)))
            index += 4
        }
    }
}
