/// Looking at eight bytes at a time, which is what keeps long strings cheap.
extension Span where Element == UInt8 {
    /// The eight bytes at `position`, the first of them in the low bits.
    @inline(__always)
    private func word(at position: Int) -> UInt64 {
        // Any eight bytes are a `UInt64`, and the load itself checks that they are inside the span.
        UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
    }

    /// The first position from `start` whose byte is a quote, a backslash, a control character or not ASCII,
    /// or the span's end.
    @inline(__always)
    func endOfPlainText(from start: Int) -> Int {
        var position = start
        while position &+ 8 <= count {
            let suspects = suspectsInText(word(at: position))
            // A borrow can set bits above the lowest one, so only that one counts, and it is exact.
            if suspects != 0 { return position &+ suspects.trailingZeroBitCount / 8 }
            position &+= 8
        }
        while position < count, isPlainText(self[position]) { position &+= 1 }
        return position
    }
}

@inline(__always)
private func suspectsInText(_ word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ ones &* 0x22
    let backslash = word ^ ones &* 0x5C
    let found =
        (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | word
    return found & 0x8080_8080_8080_8080
}

@inline(__always)
private func isPlainText(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
}
