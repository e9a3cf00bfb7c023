internal import WidgetCore
internal import WidgetNib

/// Reads the traits of elements that have no paint: for typing, and for assistive technology.
extension LookReader {
    mutating func typing(_ element: NibElement, _ kind: NodeKind) -> TypingTraits? {
        guard [.textField, .textArea, .searchField].contains(kind) else { return nil }
        var traits = TypingTraits()
        traits.keyboard = element.choice("UIKeyboardType") ?? .standard
        traits.returnKey = element.choice("UIReturnKeyType") ?? .standard
        // Fields of the editor begin without capitals, and it archives others only.
        traits.capitals = element.choice("UIAutocapitalizationType") ?? (kind == .textArea ? .sentences : .none)
        traits.corrects = Self.choice("UIAutocorrectionType", of: element)
        traits.checksSpelling = Self.choice("UISpellCheckingType", of: element)
        traits.contentType = text("UITextContentType", of: element)
        traits.clearButton = element.choice("UIClearButtonMode") ?? .never
        return traits
    }

    /// Returns `nil` for the usual choice, 0.
    private static func choice(_ key: String, of element: NibElement) -> Bool? {
        switch element.integer(key) {
        case 1: false
        case 2: true
        default: nil
        }
    }

    mutating func traits(
        _ element: NibElement, _ surroundings: Surroundings, _ translations: Translations
    ) -> AuthoredTraits? {
        var traits = AuthoredTraits()
        for source in [surroundings.accessibility, element].compactMap({ $0 }) {
            if traits.bits == nil { traits.bits = source.integer("UIAccessibilityTraits").map { UInt64(max($0, 0)) } }
            if traits.hint == nil { traits.hint = text("UIAccessibilityHint", of: source, translations) }
            if traits.value == nil { traits.value = text("UIAccessibilityValue", of: source, translations) }
            if traits.isElement == nil { traits.isElement = source.boolean("UIIsAccessibilityElement") }
        }
        for attribute in surroundings.attributes {
            switch (attribute.keyPath, attribute.value) {
            case ("accessibilityHint", .text(let text)): traits.hint = text
            case ("accessibilityValue", .text(let text)): traits.value = text
            case ("accessibilityTraits", .number(let number)):
                traits.bits = UInt64(exactly: number.rounded()) ?? traits.bits
            case ("isAccessibilityElement", let value): traits.isElement = value.truth ?? traits.isElement
            case ("accessibilityElementsHidden", let value): traits.hidesElements = value.truth ?? false
            default: break
            }
        }
        return traits == AuthoredTraits() ? nil : traits
    }

    private mutating func text(_ key: String, of element: NibElement, _ translations: Translations) -> String? {
        guard let text = text(key, of: element), !text.isEmpty else { return nil }
        // Without translations, their names are not read, because elements may share long ones.
        guard !translations.isEmpty else { return text }
        return element.element(key)?.translationKey.flatMap { translations[$0] } ?? text
    }
}
