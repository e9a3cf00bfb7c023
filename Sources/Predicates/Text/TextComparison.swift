/// How two texts are compared: what the letters in `[cd]`, `[n]` and `[l]` ask for, in some language.
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
    /// Whose rules fold case; they count with `[l]` only.
    let locale: TextLocale

    package init(_ options: TextOptions = [], locale: TextLocale = .root) {
        isNormalized = options.contains(.normalized)
        ignoresCase = !isNormalized && options.contains(.caseInsensitive)
        ignoresDiacritics = !isNormalized && options.contains(.diacriticInsensitive)
        self.locale = options.contains(.localeSensitive) ? locale : .root
    }

    /// Whether no option says anything.
    var isPlain: Bool { !ignoresCase && !ignoresDiacritics && !isNormalized }

    /// Whether letters below U+0080 fold without a look at their neighbours.
    var foldsASCIIAlone: Bool { !ignoresCase || locale != .turkic }
}
