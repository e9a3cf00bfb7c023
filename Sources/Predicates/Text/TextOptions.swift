/// How two texts are compared: what the letters in `[cd]`, `[n]` and `[l]` ask for.
///
/// Without any of them, texts are equal when Unicode calls them canonically equivalent: `é` is one text whether it is
/// written with one scalar or with two. Foundation compares so in every operation that takes options; only its
/// `isEqual:` looks at code units, and what an author sees as one text should not differ by operator.
package struct TextOptions: Sendable, Hashable {
    /// `[c]`: full case folding, so that `ß` equals `SS`.
    package var ignoresCase: Bool
    /// `[d]`: combining marks on Roman, Greek and Cyrillic letters make no difference. As in Foundation, marks on
    /// other letters do: the dots that tell が from か are not an accent.
    package var ignoresDiacritics: Bool
    /// `[n]`: the texts have been prepared, and are compared as they are. Takes precedence over the others.
    package var isNormalized: Bool
    /// `[l]`: whose rules fold case.
    package var locale: TextLocale

    package init(
        ignoresCase: Bool = false, ignoresDiacritics: Bool = false, isNormalized: Bool = false,
        locale: TextLocale = .root
    ) {
        self.ignoresCase = ignoresCase
        self.ignoresDiacritics = ignoresDiacritics
        self.isNormalized = isNormalized
        self.locale = locale
    }

    /// Whether letters below U+0080 fold without a look at their neighbours.
    var foldsASCIIAlone: Bool { isNormalized || !ignoresCase || locale != .turkic }
    /// Whether A and a are one.
    var foldsASCIICase: Bool { ignoresCase && !isNormalized }
}
