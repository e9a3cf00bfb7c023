/// A named argument: `--name VALUE`, or a bare `--name` if it takes no value.
package struct Option: Equatable, Sendable {
    /// Without the hyphens.
    package var name: String
    /// A one-letter form, as in `-o`.
    package var letter: Character?
    /// What the value is called in the help, in capitals; `nil` for a flag.
    package var valueName: String?
    /// Whether it may be given more than once.
    package var isRepeatable: Bool
    /// One line for the help.
    package var help: String

    package init(
        _ name: String, letter: Character? = nil, value valueName: String? = nil, isRepeatable: Bool = false,
        help: String
    ) {
        self.name = name
        self.letter = letter
        self.valueName = valueName
        self.isRepeatable = isRepeatable
        self.help = help
    }

    /// Every command has it.
    static let help = Option("help", letter: "h", help: "print this text")

    /// A program with a version has it, before any command.
    static let version = Option("version", help: "print the version")
}
