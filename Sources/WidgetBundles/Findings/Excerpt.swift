/// Text of unknown origin, made fit for a sentence: short, on one line, nothing that a terminal obeys.
enum Excerpt {
    static let characterLimit = 60

    static func of(_ text: some StringProtocol, characterLimit: Int = Excerpt.characterLimit) -> String {
        let shown = text.unicodeScalars.prefix(characterLimit + 1)
        var excerpt = "\""
        for scalar in shown.prefix(characterLimit) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                excerpt += "\\u{\(String(scalar.value, radix: 16))}"
            default: excerpt.unicodeScalars.append(scalar)
            }
        }
        return excerpt + (shown.count > characterLimit ? "…\"" : "\"")
    }
}
