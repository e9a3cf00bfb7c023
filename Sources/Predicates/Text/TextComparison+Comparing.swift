/// Comparisons, each in time linear in both texts. Most take no memory; texts whose marks are in disorder are
/// folded before.
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
        if let order = scannedOrder(first.utf8.span, second.utf8.span) { return order }
        let one = FoldedText(first, self).entries
        let other = FoldedText(second, self).entries
        for place in 0..<min(one.count, other.count) {
            let difference = Int(one[place] & FoldTable.scalar) - Int(other[place] & FoldTable.scalar)
            if difference != 0 { return difference }
        }
        return one.count - other.count
    }

    private func scannedOrder(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Int? {
        var one = FoldedScan(self)
        var other = FoldedScan(self)
        while true {
            let left = one.next(first)
            let right = other.next(second)
            if one.isUndecided || other.isUndecided { return nil }
            guard let left, let right else {
                // A mark that is still to come may belong before this one.
                if let extra = left ?? right, extra & FoldTable.mark != 0 { return nil }
                return (left == nil ? 0 : 1) - (right == nil ? 0 : 1)
            }
            let difference = Int(left & FoldTable.scalar) - Int(right & FoldTable.scalar)
            if difference != 0 { return (left | right) & FoldTable.mark == 0 ? difference : nil }
        }
    }

    package func hasPrefix(_ text: String, _ prefix: String) -> Bool {
        if foldsASCIIAlone, let answer = PlainText(self).hasPrefix(text.utf8.span, prefix.utf8.span) {
            return answer
        }
        return FoldedText(text, self).has(FoldedText(prefix, self).entries, at: 0)
    }

    package func hasSuffix(_ text: String, _ suffix: String) -> Bool {
        if foldsASCIIAlone, let answer = PlainText(self).hasSuffix(text.utf8.span, suffix.utf8.span) {
            return answer
        }
        let part = FoldedText(suffix, self).entries
        let whole = FoldedText(text, self)
        return whole.has(part, at: whole.entries.count - part.count)
    }

    package func contains(_ text: String, _ part: String) -> Bool {
        if foldsASCIIAlone, let answer = PlainText(self).contains(text.utf8.span, part.utf8.span) {
            return answer
        }
        return FoldedPart(part, self).isFound(in: text)
    }
}
