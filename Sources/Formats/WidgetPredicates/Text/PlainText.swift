/// Compares texts byte by byte where the bytes alone decide: equal bytes fold to equal scalars, and two different
/// letters of ASCII to different ones. `nil` means that the scalars have to be compared.
///
/// Nothing here allocates.
struct PlainText {
    /// True if `A` equals `a`.
    let foldsCase: Bool
    /// True if bytes above 0x7F are compared as they are, too.
    let isLiteral: Bool

    init(_ comparison: TextComparison) {
        foldsCase = comparison.ignoresCase
        isLiteral = comparison.isNormalized
    }

    @inline(__always)
    func folded(_ byte: UInt8) -> UInt8 {
        foldsCase && byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    @inline(__always)
    func isPlain(_ byte: UInt8) -> Bool { isLiteral || byte < 0x80 }

    /// Less than, equal to or greater than 0, if the first text sorts before, with or after the second.
    func order(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Int? {
        let count = min(first.count, second.count)
        var place = 0
        while place < count {
            let one = first[place]
            let other = second[place]
            if one != other, folded(one) != folded(other) {
                return isPlain(one) && isPlain(other) ? folded(one) < folded(other) ? -1 : 1 : nil
            }
            place += 1
        }
        // A mark may follow, which [d] ignores.
        if place < first.count, !isPlain(first[place]) { return nil }
        if place < second.count, !isPlain(second[place]) { return nil }
        return first.count == second.count ? 0 : first.count < second.count ? -1 : 1
    }

    func hasPrefix(_ text: Span<UInt8>, _ prefix: Span<UInt8>) -> Bool? {
        var place = 0
        while place < prefix.count {
            let other = prefix[place]
            guard place < text.count else { return isPlain(other) ? false : nil }
            let one = text[place]
            if one != other, folded(one) != folded(other) { return isPlain(one) && isPlain(other) ? false : nil }
            place += 1
        }
        return place == text.count || isPlain(text[place]) ? true : nil
    }

    func hasSuffix(_ text: Span<UInt8>, _ suffix: Span<UInt8>) -> Bool? {
        var left = suffix.count
        var place = text.count
        while left > 0 {
            left -= 1
            place -= 1
            let other = suffix[left]
            guard place >= 0 else { return isPlain(other) ? false : nil }
            let one = text[place]
            if one != other, folded(one) != folded(other) { return isPlain(one) && isPlain(other) ? false : nil }
        }
        // A leading mark would belong to the character before it.
        return suffix.count == 0 || isPlain(suffix[0]) ? true : nil
    }

    /// Tries every place in turn, and gives up when the text is so repetitive that this would not be linear.
    func contains(_ text: Span<UInt8>, _ part: Span<UInt8>) -> Bool? {
        guard part.count > 0 else { return true }
        guard isPlain(part[0]) else { return nil }
        // The first letter, and the bit that makes a capital of it; and every bit that some byte has set.
        let head = folded(part[0])
        let caseBit: UInt8 = foldsCase && head &- 0x61 < 26 ? 0x20 : 0
        var seen: UInt8 = 0
        for place in 0..<part.count { seen |= part[place] }
        var patience = 8 * text.count + 64
        var start = 0
        while start < text.count {
            let byte = text[start]
            seen |= byte
            if byte | caseBit == head {
                var length = 1
                let most = min(part.count, text.count - start)
                while length < most, folded(text[start + length]) == folded(part[length]) { length += 1 }
                if length == part.count, start + length == text.count || isPlain(text[start + length]) { return true }
                patience -= length
                if patience < 0 { return nil }
            }
            start += 1
        }
        return isPlain(seen) ? false : nil
    }
}

/// Scalars from the bytes of a text, which are UTF-8 because a String's always are.
enum UTF8Scalars {
    /// Reads the scalar at the position and moves past it.
    @inline(__always)
    static func next(_ bytes: Span<UInt8>, _ position: inout Int) -> UInt32 {
        let first = UInt32(bytes[position])
        position += 1
        if first < 0x80 { return first }
        var scalar = first < 0xE0 ? first & 0x1F : first < 0xF0 ? first & 0x0F : first & 0x07
        while position < bytes.count, bytes[position] & 0xC0 == 0x80 {
            scalar = scalar << 6 | UInt32(bytes[position] & 0x3F)
            position += 1
        }
        return scalar
    }

    /// Reads the scalar before the position and moves before it.
    @inline(__always)
    static func previous(_ bytes: Span<UInt8>, _ position: inout Int) -> UInt32 {
        repeat { position -= 1 } while position > 0 && bytes[position] & 0xC0 == 0x80
        var start = position
        return next(bytes, &start)
    }
}
