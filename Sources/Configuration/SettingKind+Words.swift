import Logging

extension SettingKind where Value == Bool {
    static var toggle: SettingKind {
        SettingKind(
            name: "on or off", expectation: "on or off",
            read: { found in
                switch found {
                case .boolean(let answer): answer
                case .text("on"), .text("true"), .string("on"): true
                case .text("off"), .text("false"), .string("off"): false
                default: nil
                }
            },
            show: { $0 ? "on" : "off" },
            literal: { $0 ? "true" : "false" })
    }
}

extension SettingKind {
    /// One of a few words.
    private static func words(
        _ pairs: [(word: String, value: Value)], isEqual: @escaping @Sendable (Value, Value) -> Bool
    ) -> SettingKind {
        let list = pairs.map(\.word)
        let word: @Sendable (Value) -> String = { value in pairs.first { isEqual($0.value, value) }?.word ?? "" }
        return SettingKind(
            name: "word", range: list.joined(separator: ", "),
            expectation: "one of " + list.joined(separator: ", "),
            read: { found in pairs.first { $0.word == found.characters }?.value },
            show: word,
            literal: { SettingText.quoted(word($0)) })
    }
}

extension SettingKind where Value == Settings.ReadAccess {
    static var choice: SettingKind { words(Value.allCases.map { ($0.rawValue, $0) }, isEqual: ==) }
}

extension SettingKind where Value == LogLevel {
    static var logLevel: SettingKind { words(LogLevel.allCases.map { ($0.name, $0) }, isEqual: ==) }
}

extension SettingKind where Value == LogFormat? {
    static var logFormat: SettingKind {
        words([("auto", nil)] + LogFormat.allCases.map { ($0.rawValue, $0) }, isEqual: ==)
    }
}
