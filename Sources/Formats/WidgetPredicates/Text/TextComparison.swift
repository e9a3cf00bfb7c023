internal import WidgetBytes

/// A way to compare two texts: the options `[cd]`, `[n]` and `[l]`, and a language.
///
/// Without any of them, texts are equal when Unicode calls them canonically equivalent: `é` is one text whether it is
/// written with one scalar or with two. Foundation compares so in every operation that takes options; only its
/// `isEqual:` looks at code units, and what an author sees as one text should not differ by operator.
package struct TextComparison: Sendable, Hashable {
    /// `[c]`: full case folding, so that `ß` equals `SS`.
    let ignoresCase: Bool
    /// `[d]`: combining marks on Roman, Greek and Cyrillic letters make no difference. As in Foundation, marks on
    /// other letters do: the dots that tell が from か are not an accent.
    let ignoresDiacritics: Bool
    /// `[n]`: the texts have been prepared, and are compared as they are. Takes precedence over the others.
    let isNormalized: Bool
    /// The language of case folding, for `[l]` only.
    let locale: TextLocale

    package init(_ options: TextOptions = [], locale: TextLocale = .root) {
        isNormalized = options.contains(.normalized)
        ignoresCase = !isNormalized && options.contains(.caseInsensitive)
        ignoresDiacritics = !isNormalized && options.contains(.diacriticInsensitive)
        self.locale = options.contains(.localeSensitive) ? locale : .root
    }

    /// True if no option is set.
    var isPlain: Bool { !ignoresCase && !ignoresDiacritics && !isNormalized }

    /// True if letters below U+0080 fold independently of their neighbours.
    var foldsASCIIAlone: Bool { !ignoresCase || locale != .turkic }
}

/// Comparisons, each in time linear in both texts. Most take no memory; texts with unordered marks are
/// folded first.
extension TextComparison {
    package func areEqual(_ first: String, _ second: String) -> Bool {
        // The standard library's own equality is canonical equivalence, too.
        if isPlain { return first == second }
        return compare(first, second) == 0
    }

    /// Less than, equal to or greater than 0, if the first text sorts before, with or after the second. Folded scalars
    /// decide the order, in every language.
    package func compare(_ first: String, _ second: String) -> Int {
        if foldsASCIIAlone, let order = PlainText(self).order(first.utf8.span, second.utf8.span) {
            return order
        }
        if let order = scannedOrder(first.utf8.span, second.utf8.span) { return order }
        let one = FoldedText(first, self).entries
        let other = FoldedText(second, self).entries
        for place in 0..<min(one.count, other.count) {
            let difference = Int(bounded: one[place] & FoldTable.scalar) - Int(bounded: other[place] & FoldTable.scalar)
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
                // A later mark may sort before this one.
                if let extra = left ?? right, extra & FoldTable.mark != 0 { return nil }
                return (left == nil ? 0 : 1) - (right == nil ? 0 : 1)
            }
            let difference = Int(bounded: left & FoldTable.scalar) - Int(bounded: right & FoldTable.scalar)
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

/// Options of a comparison: the letters in brackets after an operator.
package struct TextOptions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// `[c]`: `a` is `A`.
    package static let caseInsensitive = TextOptions(rawValue: 1)
    /// `[d]`: `e` is `é`.
    package static let diacriticInsensitive = TextOptions(rawValue: 2)
    /// `[n]`: the texts are known to be alike in form, and compared byte by byte; `c` and `d` then mean nothing.
    package static let normalized = TextOptions(rawValue: 4)
    /// `[l]`: by the rules of a language.
    package static let localeSensitive = TextOptions(rawValue: 8)
}

/// Languages with different folding by rules that need no dictionary.
package enum TextLocale: Sendable, Hashable {
    /// Every language without special rules.
    case root
    /// Turkish and Azeri: I folds to ı, and İ to i.
    case turkic
    /// Lithuanian: the dot that i and j keep under an accent makes no difference.
    case lithuanian

    /// The locale that an identifier such as `tr_TR` or `az-Latn-AZ` names.
    package init(identifier: String) {
        let language = identifier.prefix { $0 != "_" && $0 != "-" }.lowercased()
        switch language {
        case "tr", "az", "tur", "aze": self = .turkic
        case "lt", "lit": self = .lithuanian
        default: self = .root
        }
    }
}
