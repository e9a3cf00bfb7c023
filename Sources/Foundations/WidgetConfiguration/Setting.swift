package import WidgetConsole

/// One key of a program's settings: its names, the values it takes, their meaning, and the property they go to.
///
/// The default is the property's value in a new `Root`: it is written where the property is declared, and only there.
package struct Setting<Root: Sendable>: Sendable {
    /// The key in the file: `limits.upload`.
    package let path: String
    /// The kind of value, for the documentation: `size`.
    package let kind: String
    /// The allowed values, for the documentation: `1KiB … 4GiB`; empty if the kind says it all.
    package let range: String
    package let meaning: String
    /// True if SIGHUP brings a change into force.
    package let isReloadable: Bool
    /// True if the value is never shown, and `…_FILE` may name a file that holds it.
    package let isSecret: Bool
    /// The flag on the command line, if there is one.
    package let flag: Option?
    /// The values expected instead of a refused one, for messages.
    let expectation: String

    /// Takes a value into the settings; `false` if it is not of the kind or out of range.
    let apply: @Sendable (FoundValue, inout Root) -> Bool
    let copy: @Sendable (_ source: Root, _ target: inout Root) -> Void
    let isEqual: @Sendable (Root, Root) -> Bool
    private let showValue: @Sendable (Root) -> String
    private let literalValue: @Sendable (Root) -> String
    private let numberValue: @Sendable (Root) -> Int?

    /// - Parameter property: where the value goes; anything within `Root`, such as a limit of another module.
    package init<Value: Equatable & Sendable>(
        _ path: String, _ property: any WritableKeyPath<Root, Value> & Sendable, _ kind: SettingKind<Value>,
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
        numberValue = { kind.number($0[keyPath: property]) }
    }

    /// A key of settings that are a part of this program's.
    ///
    /// - Parameter part: where they are.
    package init<Part: Sendable>(
        _ setting: Setting<Part>, within part: any WritableKeyPath<Root, Part> & Sendable
    ) {
        path = setting.path
        kind = setting.kind
        range = setting.range
        meaning = setting.meaning
        isReloadable = setting.isReloadable
        isSecret = setting.isSecret
        flag = setting.flag
        expectation = setting.expectation
        apply = { setting.apply($0, &$1[keyPath: part]) }
        copy = { setting.copy($0[keyPath: part], &$1[keyPath: part]) }
        isEqual = { setting.isEqual($0[keyPath: part], $1[keyPath: part]) }
        showValue = { setting.shown(in: $0[keyPath: part]) }
        literalValue = { setting.literal(in: $0[keyPath: part]) }
        numberValue = { setting.number(in: $0[keyPath: part]) }
    }

    /// The environment variable: the path in capitals, its words joined by underscores.
    ///
    /// `publicURL` gives `WIDGETD_PUBLIC_URL`: a word begins at a capital that follows a small letter.
    package var environmentName: String { SettingVariable.name(of: path) }

    /// The sentence as the help writes it: as part of a list, not on its own.
    private static func helpText(_ meaning: String) -> String {
        let sentence = meaning.hasSuffix(".") ? meaning.dropLast() : meaning[...]
        return sentence.prefix(1).lowercased() + sentence.dropFirst()
    }

    /// The value for people; a secret's is masked.
    package func shown(in settings: Root) -> String {
        showValue(settings)
    }

    /// The value as JSON5; a secret's is masked.
    package func literal(in settings: Root) -> String {
        literalValue(settings)
    }

    /// The value as a whole number, durations in seconds; `nil` if it is neither a number nor a duration.
    package func number(in settings: Root) -> Int? {
        numberValue(settings)
    }
}

/// Names of environment variables.
enum SettingVariable {
    static let prefix = "WIDGETD_"
    /// The variable that names the settings file where no flag can be given; it is not a setting itself.
    static let file = prefix + "CONFIG"
    /// Ends the name of a variable that names the file of a secret.
    static let secretFileSuffix = "_FILE"

    /// `WIDGETD_LOG_LEVEL` for `log.level`.
    static func name(of path: String) -> String {
        var name = prefix
        var isAfterSmallLetter = false
        for character in path {
            if character.isUppercase, isAfterSmallLetter { name += "_" }
            name += character == "." ? "_" : character.uppercased()
            isAfterSmallLetter = character.isLowercase
        }
        return name
    }
}
