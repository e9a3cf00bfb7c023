internal import Bytes

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
