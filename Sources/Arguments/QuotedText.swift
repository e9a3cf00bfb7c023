/// Text of unknown origin, made fit to be shown inside a message.
package enum QuotedText {
    /// More characters than this are not shown.
    static let characterLimit = 120

    /// The text in double quotes, on one line, with what a terminal would obey written as an escape.
    package static func of(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(characterLimit + 1)
        var quoted = "\""
        for scalar in shown.prefix(characterLimit) { quoted += escaped(scalar) }
        return quoted + (shown.count > characterLimit ? "…\"" : "\"")
    }

    /// The text as it is if it is harmless to a terminal, else with escapes; without quotes.
    package static func plain(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { $0 += $1 == "\"" || $1 == "\\" ? String($1) : escaped($1) }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                "\\u{\(String(scalar.value, radix: 16))}"
            default: String(scalar)
            }
        }
    }
}
