internal import Markup
internal import Predicates
internal import WidgetCore

/// Elements in which a person types.
extension PageBody {
    mutating func field(_ element: PageElement) {
        let typing = element.look?.typing
        typed(element, "tf", FieldTraits.type(element.node, typing)) { attributes in
            FieldTraits.set(&attributes, typing)
        }
    }

    mutating func searchField(_ element: PageElement) {
        html.begin(.search) { element.box(&$0, "sb") }
        input(element, "search") { $0.set(.enterkeyhint, "search") }
        children(of: element)
        fault(of: element)
        html.end()
    }

    private mutating func typed(
        _ element: PageElement, _ kind: String, _ type: String, _ more: (inout HTMLAttributes) -> Void
    ) {
        html.begin(.span) { attributes in
            let border = element.look?.appearance.fieldBorder ?? .rounded
            element.box(&attributes, kind == "tf" ? "tf b\(border.rawValue)" : kind)
        }
        input(element, type, more)
        fault(of: element)
        html.end()
    }

    private mutating func input(_ element: PageElement, _ type: String, _ more: (inout HTMLAttributes) -> Void) {
        let takesFocus = takesFocus(element)
        html.begin(.input) { attributes in
            attributes.set(.type, type)
            element.type(&attributes, takesFocus: takesFocus)
            attributes.set(.value, element.node.text(.text))
            more(&attributes)
        }
    }

    private mutating func takesFocus(_ element: PageElement) -> Bool {
        guard element.node.isTrue(.focused), !hasFocus, !element.isDisabled else { return false }
        hasFocus = true
        return true
    }

    /// The reason why a field is invalid, below it.
    private mutating func fault(of element: PageElement) {
        guard let fault = element.accessible.fault else { return }
        html.element(.span, text: fault) { attributes in
            attributes.set(.class, "er")
            attributes.set(.id, "\(element.id)e")
        }
    }

    mutating func area(_ element: PageElement) {
        guard element.node.isTrue(.readOnly) else {
            let takesFocus = takesFocus(element)
            html.begin(.span) { element.box(&$0, "ta") }
            html.element(.textarea, text: element.node.text(.text)) {
                element.type(&$0, takesFocus: takesFocus)
            }
            fault(of: element)
            html.end()
            return
        }
        html.begin(.div) { attributes in
            element.identify(&attributes, "ta ro")
            attributes.set(.role, "textbox")
            attributes.set(.isMultiline, "true")
            attributes.set(.isReadOnly, "true")
            attributes.set(.tabindex, "0")
            element.label(&attributes)
        }
        html.text(element.node.text(.text))
        html.end()
    }

    /// The value is a moment of the reader's day, without a zone, as HTML wants it.
    mutating func datePicker(_ element: PageElement) {
        html.begin(.span) { element.box(&$0, "dp") }
        html.begin(.input) { attributes in
            attributes.set(.type, "datetime-local")
            element.type(&attributes, takesFocus: false)
            if case .date(let seconds)? = element.node[.value] { attributes.set(.value, FieldTraits.moment(seconds)) }
        }
        fault(of: element)
        html.end()
    }
}

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

    static func set(_ attributes: inout HTMLAttributes, _ typing: TypingTraits?) {
        guard let typing else { return }
        attributes.set(.inputmode, mode(typing.keyboard))
        attributes.set(.enterkeyhint, hint(typing.returnKey))
        if typing.capitals != .sentences { attributes.set(.autocapitalize, capitals(typing.capitals)) }
        attributes.set(.spellcheck, typing.checksSpelling.map { $0 ? "true" : "false" })
        attributes.set(.autocomplete, typing.contentType.flatMap { completions[$0] })
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

    /// A date as `2018-06-20T20:00`, in UTC; `nil` beyond the years that HTML has.
    static func moment(_ seconds: Double) -> String? {
        let pattern = DatePattern("yyyy-MM-dd'T'HH:mm", locale: "en_US_POSIX")
        let text = pattern.text(seconds, timeZone: .utc)
        return text.utf8.count == 16 && text.first != "-" ? text : nil
    }
}
