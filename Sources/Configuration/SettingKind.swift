/// A kind of value: how it is read, checked, shown and described.
struct SettingKind<Value: Sendable>: Sendable {
    /// One word or two for the documentation.
    var name: String
    /// The allowed values, if the name does not say it.
    var range = ""
    /// Completes "expected …".
    var expectation: String
    var isList = false
    /// The value, or `nil` if what was found is not one.
    var read: @Sendable (FoundValue) -> Value?
    /// For people.
    var show: @Sendable (Value) -> String
    /// As JSON5, so that it reads back as the same value.
    var literal: @Sendable (Value) -> String

    /// The kind whose values may also be absent: `null` in a file, empty text elsewhere unless that is a slip.
    static func optional<Wrapped: Sendable>(
        _ kind: SettingKind<Wrapped>, refusesEmptyText: Bool = false
    ) -> SettingKind where Value == Wrapped? {
        SettingKind(
            name: kind.name, range: kind.range, expectation: kind.expectation,
            read: { found in
                if found == .null || (found == .text("") && !refusesEmptyText) { return .some(nil) }
                return kind.read(found).map { .some($0) }
            },
            show: { $0.map(kind.show) ?? SettingText.none },
            literal: { $0.map(kind.literal) ?? "null" })
    }
}

/// Words and spellings that several kinds share.
enum SettingText {
    static let none = "(none)"
    static let masked = "(set)"

    /// A JSON5 string; escapes are those both JSON and JSON5 know.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
