internal import WidgetBytes

/// The character classes of RFC 9110 §5.6 and RFC 3986, as tests on single bytes.
///
/// Sets are two 64-bit masks: no table in memory, and no branch that depends on the byte.
enum ByteClass {
    /// `tchar`: what names and methods are made of.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        contains(byte, low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
    }

    /// Bytes of a field's value: visible characters, space, tab and opaque bytes over 0x7F.
    @inline(__always)
    static func isFieldValue(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == 0x09
    }

    /// Bytes of a request target before its query.
    ///
    /// Stricter than what some clients send and what some servers take: characters that RFC 3986 has
    /// no place for, and that browsers always encode in a path, are refused.
    @inline(__always)
    static func isPath(_ byte: UInt8) -> Bool {
        // Every visible ASCII character but " # < > \ ^ ` { }.
        contains(byte, low: 0xAFFF_FFF2_0000_0000, high: 0x57FF_FFFE_AFFF_FFFF)
    }

    /// Bytes of a query, where browsers leave `{ } ^ ` and the back-tick as they are.
    @inline(__always)
    static func isQuery(_ byte: UInt8) -> Bool {
        // Every visible ASCII character but " # < > \.
        contains(byte, low: 0xAFFF_FFF2_0000_0000, high: 0x7FFF_FFFF_EFFF_FFFF)
    }

    /// Bytes of a host's name: unreserved characters and sub-delimiters except the comma (RFC 3986 §3.2.2).
    @inline(__always)
    static func isHostName(_ byte: UInt8) -> Bool {
        contains(byte, low: 0x2BFF_6FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    }
    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10
    }

    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    @inline(__always)
    private static func contains(_ byte: UInt8, low: UInt64, high: UInt64) -> Bool {
        let mask = byte < 64 ? low : high
        return byte < 128 && mask >> UInt64(byte & 63) & 1 == 1
    }
}

/// Comparing and cutting the bytes of a head, without making strings of them.
extension Span where Element == UInt8 {
    /// True if `range` spells `text`, which is written in lower case, in any case.
    @inline(__always)
    func spells(_ text: StaticString, in range: Range<Int>) -> Bool {
        let length = text.utf8CodeUnitCount
        guard range.count == length, range.upperBound <= count else { return false }
        // A static string's bytes live as long as the program, and no load below passes `length`.
        let letters = unsafe UnsafeRawPointer(text.utf8Start)
        var offset = 0
        while offset &+ 8 <= length {
            let wanted = unsafe UInt64(littleEndian: letters.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            guard ByteClass.lowercased(word(at: range.lowerBound &+ offset)) == wanted else { return false }
            offset &+= 8
        }
        while offset < length {
            let wanted = unsafe letters.load(fromByteOffset: offset, as: UInt8.self)
            guard ByteClass.lowercased(self[range.lowerBound &+ offset]) == wanted else { return false }
            offset &+= 1
        }
        return true
    }

    /// True if `range` is `text`, byte for byte.
    @inline(__always)
    func isExactly(_ text: StaticString, in range: Range<Int>) -> Bool {
        range.count == text.utf8CodeUnitCount && starts(with: text, at: range.lowerBound)
    }

    /// True if the bytes at `start` are those of `text`.
    @inline(__always)
    func starts(with text: StaticString, at start: Int) -> Bool {
        guard start >= 0, start <= count, text.utf8CodeUnitCount <= count &- start else { return false }
        // A static string's bytes live as long as the program, and no load below passes its length.
        let letters = unsafe UnsafeRawPointer(text.utf8Start)
        var offset = 0
        while offset &+ 8 <= text.utf8CodeUnitCount {
            let wanted = unsafe UInt64(littleEndian: letters.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            guard word(at: start &+ offset) == wanted else { return false }
            offset &+= 8
        }
        while offset < text.utf8CodeUnitCount {
            guard unsafe self[start &+ offset] == letters.load(fromByteOffset: offset, as: UInt8.self) else {
                return false
            }
            offset &+= 1
        }
        return true
    }

    /// True if the bytes in `range` are those of `other`.
    func equals(_ other: [UInt8], in range: Range<Int>) -> Bool {
        guard range.count == other.count, range.upperBound <= count else { return false }
        for position in 0..<other.count where self[range.lowerBound &+ position] != other[position] {
            return false
        }
        return true
    }

    /// `range` without the spaces and tabs at its ends (`OWS`, RFC 9110 §5.6.3).
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, ByteClass.isSpace(self[start]) { start &+= 1 }
        while end > start, ByteClass.isSpace(self[end &- 1]) { end &-= 1 }
        return start..<end
    }

    /// The bytes of `range` as text; bytes that are not UTF-8 become replacement characters.
    package func text(in range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for index in range where index < count { bytes.append(self[index]) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Looking at eight bytes at a time, which is what keeps long heads cheap.
extension Span where Element == UInt8 {
    /// The first position from `start` whose byte is not part of a token, or the span's end.
    @inline(__always)
    func endOfToken(from start: Int) -> Int {
        var position = start
        while position &+ 8 <= count {
            let suspects = ByteClass.suspectsInToken(word(at: position))
            if suspects == 0 {
                position &+= 8
                continue
            }
            position &+= suspects.trailingZeroBitCount / 8
            guard ByteClass.isToken(self[position]) else { return position }
            position &+= 1
        }
        while position < count, ByteClass.isToken(self[position]) { position &+= 1 }
        return position
    }

    /// The first position from `start` whose byte may not stand in a field's value, or the span's end.
    @inline(__always)
    func endOfFieldValue(from start: Int) -> Int {
        var position = start
        while position &+ 8 <= count {
            let suspects = ByteClass.suspectsInFieldValue(word(at: position))
            if suspects == 0 {
                position &+= 8
                continue
            }
            position &+= suspects.trailingZeroBitCount / 8
            guard ByteClass.isFieldValue(self[position]) else { return position }
            position &+= 1
        }
        while position < count, ByteClass.isFieldValue(self[position]) { position &+= 1 }
        return position
    }
}

extension ByteClass {
    /// The high bit of each byte that is a control character, the tab included.
    ///
    /// The lowest bit set is exact; a borrow can set further ones above it, so only that one counts.
    @inline(__always)
    static func suspectsInFieldValue(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let belowSpace = (word &- ones &* 0x20) & ~word
        let deleted = word ^ (ones &* 0x7F)
        return (belowSpace | ((deleted &- ones) & ~deleted)) & highs
    }

    /// The high bit of each byte that is neither a letter nor a hyphen: the rest of a token is rare in names.
    @inline(__always)
    static func suspectsInToken(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        // No sum of seven bits and at most seven bits carries into the next byte.
        let low = (word | ones &* 0x20) & ~highs
        let isLetter = (low &+ ones &* (0x80 - 0x61)) & ~(low &+ ones &* (0x80 - 0x7B))
        let isNoHyphen = ((word ^ ones &* 0x2D) & ~highs) &+ ones &* 0x7F
        return (~isLetter & isNoHyphen | word) & highs
    }

    /// The high bit of each byte that is `"`, `*` or `=`; the lowest bit set is exact.
    @inline(__always)
    static func marksInAccept(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ ones &* 0x22
        let star = word ^ ones &* 0x2A
        let equals = word ^ ones &* 0x3D
        let found = (quote &- ones) & ~quote | (star &- ones) & ~star | (equals &- ones) & ~equals
        return found & 0x8080_8080_8080_8080
    }

    /// Eight bytes with A to Z made small.
    @inline(__always)
    static func lowercased(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let low = word & ~highs
        // The high bit of each byte says, before it is cleared for bytes over 0x7F: at least A, more than Z.
        let fromA = low &+ ones &* (0x80 - 0x41)
        let pastZ = low &+ ones &* (0x80 - 0x5B)
        let isCapital = fromA & ~pastZ & ~word & highs
        return word | isCapital >> 2
    }
}
