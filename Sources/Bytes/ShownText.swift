/// Text of unknown origin, made fit to be shown: it stays on one line, and nothing in it moves a cursor, changes colours,
/// turns other text around or hides.
package enum ShownText {
    /// The most characters of a quotation inside a sentence.
    package static let usualLimit = 120

    /// The text in quotes, cut short, with characters that are not shown written as escapes.
    package static func quoted(
        _ text: some StringProtocol, limit: Int = usualLimit, by quote: Unicode.Scalar = "\""
    ) -> String {
        var shown = String(quote)
        append(text, limit: limit, quote: quote, to: &shown)
        shown.unicodeScalars.append(quote)
        return shown
    }

    /// The text without quotes, with characters that are not shown written as escapes.
    package static func plain(_ text: some StringProtocol, limit: Int = .max) -> String {
        if text.utf8.count <= limit, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return String(text) }
        var shown = ""
        append(text, limit: limit, quote: nil, to: &shown)
        return shown
    }

    /// A name from a file: as it is if it is a plain word, else quoted in brackets.
    package static func name(_ name: String) -> String { ValuePath([.key(name)]).description }

    private static func append(
        _ text: some StringProtocol, limit: Int, quote: Unicode.Scalar?, to shown: inout String
    ) {
        for (count, scalar) in text.unicodeScalars.enumerated() {
            if count == limit { return shown += "…" }
            switch scalar {
            case quote: shown += "\\\(scalar)"
            // Where quotes are escaped, so is what escapes them.
            case "\\" where quote == "\"": shown += "\\\\"
            default:
                if scalar.isShown {
                    shown.unicodeScalars.append(scalar)
                } else {
                    shown += "\\u{\(String(scalar.value, radix: 16))}"
                }
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character is drawn as itself: it is no control, no sign for layout or direction, ends no line, and
    /// is neither invisible, private nor unassigned.
    package var isShown: Bool {
        switch value {
        case 0x20..<0x7F, 0xA0..<0xAD, 0xAE..<0x300: return true
        default: break
        }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        // Fillers, joiners and variation selectors are drawn as nothing, so two texts can look alike.
        default: return !properties.isDefaultIgnorableCodePoint
        }
    }
}
