/// How texts are compared: the letters in brackets behind an operator.
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
