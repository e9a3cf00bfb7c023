/// Comparing byte by byte, as far as the bytes alone decide: equal bytes fold to equal scalars, and two different
/// letters of ASCII to different ones. `nil` says that a look at the scalars is needed.
///
/// Nothing here allocates.
struct PlainText {
    /// Whether A and a are one.
    let foldsCase: Bool
    /// Whether bytes above 0x7F stand for themselves as well.
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

    /// Less than 0, 0 or more, as the first text stands before the second, with it or after it.
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
        // A mark may follow, and on [d] be nothing.
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
        // A mark at the front would belong to what stands before it.
        return suffix.count == 0 || isPlain(suffix[0]) ? true : nil
    }

    /// Looks at every place in turn, and gives up when the text repeats so much that this would not be linear.
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
