/// Comparisons, each in time linear in both texts. ASCII takes no memory; other texts are folded once.
extension TextComparison {
    package func areEqual(_ first: String, _ second: String) -> Bool {
        // The standard library's own equality is canonical equivalence, too.
        if isPlain { return first == second }
        return compare(first, second) == 0
    }

    /// Less than 0, 0 or more, as the first text stands before the second, with it or after it. The order is that of
    /// the folded scalars, and no language's.
    package func compare(_ first: String, _ second: String) -> Int {
        if foldsASCIIAlone, let order = PlainText(self).order(first.utf8.span, second.utf8.span) {
            return order
        }
        let one = FoldedText(first, self).entries
        let other = FoldedText(second, self).entries
        for place in 0..<min(one.count, other.count) {
            let difference = Int(one[place] & FoldTable.scalar) - Int(other[place] & FoldTable.scalar)
            if difference != 0 { return difference }
        }
        return one.count - other.count
    }

    package func hasPrefix(_ text: String, _ prefix: String) -> Bool {
        if foldsASCIIAlone, let answer = PlainText(self).hasPrefix(text.utf8.span, prefix.utf8.span) {
            return answer
        }
        let part = FoldedText(prefix, self).entries
        let whole = FoldedText(text, self).entries
        return matches(part, in: whole, at: 0)
    }

    package func hasSuffix(_ text: String, _ suffix: String) -> Bool {
        if foldsASCIIAlone, let answer = PlainText(self).hasSuffix(text.utf8.span, suffix.utf8.span) {
            return answer
        }
        let part = FoldedText(suffix, self).entries
        let whole = FoldedText(text, self).entries
        return matches(part, in: whole, at: whole.count - part.count)
    }

    package func contains(_ text: String, _ part: String) -> Bool {
        if foldsASCIIAlone, let answer = PlainText(self).contains(text.utf8.span, part.utf8.span) {
            return answer
        }
        return contains(FoldedText(text, self).entries, FoldedText(part, self).entries)
    }

    /// Whether the part stands there, beginning and ending where a character does.
    private func matches(_ part: [UInt32], in whole: [UInt32], at start: Int) -> Bool {
        guard start >= 0, whole.count - start >= part.count else { return false }
        for place in part.indices where (whole[start + place] ^ part[place]) & FoldTable.scalar != 0 { return false }
        return isEdge(start, of: whole) && isEdge(start + part.count, of: whole)
    }

    /// Whether a character begins here. A part is never found inside one: "e" is not in "é" unless `[d]` makes it so.
    private func isEdge(_ place: Int, of whole: [UInt32]) -> Bool {
        place == 0 || place == whole.count || whole[place] & (FoldTable.mark | FoldTable.joined) == 0
    }

    /// The search of Knuth, Morris and Pratt: no entry of the text is looked at twice as often as it moves on.
    private func contains(_ whole: [UInt32], _ part: [UInt32]) -> Bool {
        guard let head = part.first else { return true }
        // A part that begins inside a character can only be at the start of the text.
        if head & (FoldTable.mark | FoldTable.joined) != 0 { return matches(part, in: whole, at: 0) }
        var borders = [0]
        borders.reserveCapacity(part.count)
        var length = 0
        for place in part.indices.dropFirst() {
            while length > 0, (part[place] ^ part[length]) & FoldTable.scalar != 0 { length = borders[length - 1] }
            if (part[place] ^ part[length]) & FoldTable.scalar == 0 { length += 1 }
            borders.append(length)
        }
        length = 0
        for place in whole.indices {
            while length > 0, (whole[place] ^ part[length]) & FoldTable.scalar != 0 { length = borders[length - 1] }
            if (whole[place] ^ part[length]) & FoldTable.scalar == 0 { length += 1 }
            if length == part.count {
                if isEdge(place + 1 - length, of: whole), isEdge(place + 1, of: whole) { return true }
                length = borders[length - 1]
            }
        }
        return false
    }
}
