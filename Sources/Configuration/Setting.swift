package import Arguments

/// One key of the settings: its names, what it takes, and how it reaches its property.
package struct Setting: Sendable {
    /// The key in the file: `limits.upload`.
    package let path: String
    /// The kind of value, for the documentation: `size`.
    package let kind: String
    /// The allowed values, for the documentation: `1KiB … 4GiB`; empty if the kind says it all.
    package let range: String
    package let meaning: String
    /// Whether SIGHUP brings a change into force.
    package let isReloadable: Bool
    /// Whether the value is never shown, and `…_FILE` may name a file that holds it.
    package let isSecret: Bool
    /// The flag on the command line, if there is one.
    package let flag: Option?
    /// What a refused value should have been, for messages.
    let expectation: String

    /// Takes a value into the settings; `false` if it is not of the kind or out of range.
    let apply: @Sendable (FoundValue, inout Settings) -> Bool
    let copy: @Sendable (_ source: Settings, _ target: inout Settings) -> Void
    let isEqual: @Sendable (Settings, Settings) -> Bool
    private let showValue: @Sendable (Settings) -> String
    private let literalValue: @Sendable (Settings) -> String

    init<Value: Equatable & Sendable>(
        _ path: String, _ property: any WritableKeyPath<Settings, Value> & Sendable, _ kind: SettingKind<Value>,
        flag: String? = nil, flagValue: String? = nil, isReloadable: Bool = false, isSecret: Bool = false,
        _ meaning: String
    ) {
        self.path = path
        self.kind = kind.name
        range = kind.range
        expectation = kind.expectation
        self.meaning = meaning
        self.isReloadable = isReloadable
        self.isSecret = isSecret
        self.flag = flag.map {
            Option($0, value: flagValue, isRepeatable: kind.isList, help: Setting.helpText(meaning))
        }
        apply = { found, settings in
            guard let value = kind.read(found) else { return false }
            settings[keyPath: property] = value
            return true
        }
        copy = { $1[keyPath: property] = $0[keyPath: property] }
        isEqual = { $0[keyPath: property] == $1[keyPath: property] }
        showValue = { kind.show($0[keyPath: property]) }
        literalValue = { kind.literal($0[keyPath: property]) }
    }

    /// The environment variable: the path in capitals, its words joined by underscores.
    ///
    /// `publicURL` gives `WIDGETD_PUBLIC_URL`: a word begins at a capital that follows a small letter.
    package var environmentName: String {
        var name = Setting.environmentPrefix
        var isAfterSmallLetter = false
        for character in path {
            if character.isUppercase, isAfterSmallLetter { name += "_" }
            name += character == "." ? "_" : character.uppercased()
            isAfterSmallLetter = character.isLowercase
        }
        return name
    }

    /// The sentence as the help writes it: as part of a list, not on its own.
    private static func helpText(_ meaning: String) -> String {
        let sentence = meaning.hasSuffix(".") ? meaning.dropLast() : meaning[...]
        return sentence.prefix(1).lowercased() + sentence.dropFirst()
    }

    package static let environmentPrefix = "WIDGETD_"

    /// The value for people; a secret's is masked.
    package func shown(in settings: Settings) -> String {
        showValue(settings)
    }

    /// The value as JSON5; a secret's is masked.
    package func literal(in settings: Settings) -> String {
        literalValue(settings)
    }
}
