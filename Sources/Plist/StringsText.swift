internal import Bytes

/// The text of a strings file as UTF-8, whichever of its encodings it came in, with the way back to byte offsets.
struct StringsText {
    /// Strict UTF-8.
    private(set) var bytes: [UInt8]
    /// Where the text begins: behind a mark, if there is one.
    let start: Int
    private let isUTF16: Bool

    /// UTF-8 with or without a mark, or UTF-16 with one; an encoding is never guessed.
    init(_ bytes: [UInt8]) throws(PlistFault) {
        let span = bytes.span
        if span.count >= 2, span[0] == 0xFE, span[1] == 0xFF {
            (isUTF16, start) = (true, 0)
            self.bytes = try StringsText.transcoded(span, isBigEndian: true)
        } else if span.count >= 2, span[0] == 0xFF, span[1] == 0xFE {
            (isUTF16, start) = (true, 0)
            self.bytes = try StringsText.transcoded(span, isBigEndian: false)
        } else {
            let hasMark = span.count >= 3 && span[0] == 0xEF && span[1] == 0xBB && span[2] == 0xBF
            (isUTF16, start) = (false, hasMark ? 3 : 0)
            try StringsText.requireUTF8(span, from: start)
            self.bytes = bytes
        }
    }

    var count: Int { bytes.count }

    /// The scalar at an index that begins one.
    func scalar(at index: Int) -> UInt32 {
        guard case .scalar(let value, _) = UTF8Sequence(at: index, in: bytes.span) else { return 0xFFFD }
        return value
    }

    /// The byte offset, in the file, of what stands at an index.
    func offset(of index: Int) -> Int {
        guard isUTF16 else { return index }
        return bytes[..<index].reduce(2) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 < 0xF0 ? 2 : 4) }
    }

    /// Line and column of an index, counted from 1.
    func position(of index: Int) -> TextPosition {
        TextPosition(of: index - start, in: bytes.span.extracting(start...))
    }

    private static func requireUTF8(_ bytes: Span<UInt8>, from start: Int) throws(PlistFault) {
        var index = start
        while index < bytes.count {
            if bytes[index] < 0x80 {
                index &+= 1
                continue
            }
            guard case .scalar(_, let byteCount) = UTF8Sequence(at: index, in: bytes) else {
                throw PlistFault(.invalidUTF8, at: index)
            }
            index &+= byteCount
        }
    }

    private static func transcoded(_ bytes: Span<UInt8>, isBigEndian: Bool) throws(PlistFault) -> [UInt8] {
        func unit(at index: Int) -> UInt32 {
            let (first, second) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        guard bytes.count.isMultiple(of: 2) else { throw PlistFault(.invalidUTF16, at: bytes.count - 1) }
        var text: [UInt8] = []
        // Three bytes for two is the most that a unit can come to.
        text.reserveCapacity(bytes.count / 2 * 3)
        var index = 2
        while index < bytes.count {
            var value = unit(at: index)
            let start = index
            index += 2
            if value & 0xF800 == 0xD800 {
                guard value < 0xDC00, index < bytes.count, unit(at: index) & 0xFC00 == 0xDC00 else {
                    throw PlistFault(.loneSurrogate(UInt16(truncatingIfNeeded: value)), at: start)
                }
                value = 0x10000 + ((value & 0x3FF) << 10 | (unit(at: index) & 0x3FF))
                index += 2
            }
            guard let scalar = Unicode.Scalar(value) else { throw PlistFault(.invalidUTF16, at: start) }
            text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        return text
    }
}
