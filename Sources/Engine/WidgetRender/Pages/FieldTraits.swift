internal import WidgetCore
internal import WidgetMarkup

/// The keyboard of a field, in the words of HTML.
enum FieldTraits {
    static func type(_ node: ViewNode, _ typing: TypingTraits?) -> String {
        if node.isTrue(.isSecure) { return "password" }
        switch typing?.keyboard ?? .standard {
        case .email: return "email"
        case .url: return "url"
        case .phonePad: return "tel"
        case .standard, .ascii, .numbersAndPunctuation, .numberPad, .namePhonePad, .decimalPad, .twitter, .webSearch,
            .asciiNumberPad:
            return "text"
        }
    }

    /// - Parameter isCompleted: true if a browser may fill in what its user keeps: never where strangers' widgets are
    ///   shown, because they choose what is asked for, and can hide it.
    static func set(_ attributes: inout HTMLAttributes, _ node: ViewNode, _ typing: TypingTraits?, isCompleted: Bool) {
        let completion = typing?.contentType.flatMap { completions[$0] }
        attributes.set(
            .autocomplete, isCompleted ? completion : node.isTrue(.isSecure) ? "new-password" : "off")
        guard let typing else { return }
        attributes.set(.inputmode, mode(typing.keyboard))
        attributes.set(.enterkeyhint, hint(typing.returnKey))
        if typing.capitals != .sentences { attributes.set(.autocapitalize, capitals(typing.capitals)) }
        attributes.set(.spellcheck, typing.checksSpelling.map { $0 ? "true" : "false" })
    }

    private static func mode(_ keyboard: TypingTraits.Keyboard) -> String? {
        switch keyboard {
        case .numberPad, .asciiNumberPad: "numeric"
        case .decimalPad: "decimal"
        case .webSearch: "search"
        case .standard, .ascii, .numbersAndPunctuation, .url, .phonePad, .namePhonePad, .email, .twitter: nil
        }
    }

    private static func hint(_ key: TypingTraits.ReturnKey) -> String? {
        switch key {
        case .standard, .emergencyCall: nil
        case .go, .route, .join: "go"
        case .google, .search, .yahoo: "search"
        case .next, .continue: "next"
        case .send: "send"
        case .done: "done"
        }
    }

    private static func capitals(_ capitals: TypingTraits.Capitals) -> String {
        switch capitals {
        case .none: "none"
        case .words: "words"
        case .sentences: "sentences"
        case .all: "characters"
        }
    }

    private static let completions = [
        "name": "name", "name-prefix": "honorific-prefix", "given-name": "given-name", "middle-name": "additional-name",
        "family-name": "family-name", "name-suffix": "honorific-suffix", "nickname": "nickname",
        "job-title": "organization-title", "organization-name": "organization",
        "street-address-line-1": "address-line1",
        "street-address-line-2": "address-line2", "address-level-2": "address-level2",
        "address-level-1": "address-level1", "postal-code": "postal-code", "country-name": "country-name",
        "tel": "tel", "email": "email", "url": "url", "username": "username", "password": "current-password",
        "new-password": "new-password", "one-time-code": "one-time-code", "credit-card-number": "cc-number",
    ]

    /// The type and the value of a control for dates, in the words of HTML. A duration is a number of minutes, as HTML has no
    /// control for one. Dates beyond the years that HTML has are left out.
    static func set(date node: ViewNode, _ attributes: inout HTMLAttributes) {
        let mode = DateMode(node[.dateMode])
        let text = node.dateText
        switch mode {
        case .time: attributes.set(.type, "time")
        case .date: attributes.set(.type, "date")
        case .dateAndTime: attributes.set(.type, "datetime-local")
        case .yearAndMonth: attributes.set(.type, "month")
        case .countdown:
            attributes.set(.type, "number")
            attributes.set(.min, "0")
            attributes.set(.max, "\(DateMode.longestCountdown / 60)")
            attributes.set(.value, node[.value].flatMap(DateMode.minutes).map { "\($0)" })
            return
        }
        guard let text, text.utf8.count <= 16, text.first != "-" else { return }
        attributes.set(.value, text.replacing(" ", with: "T"))
    }
}
