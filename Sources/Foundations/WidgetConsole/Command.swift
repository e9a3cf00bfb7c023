/// A program or one of its commands, declared as a value.
///
/// A command with subcommands only groups them; the command that runs never has any.
/// Options of a command are understood by all below it.
///
/// ```swift
/// let program = Command(
///     "widgetd", "registry server for widget bundles", version: "0.2.0", example: "widgetd serve",
///     subcommands: [
///         Command("serve", "run the server", example: "widgetd serve --data ./data", options: [
///             Option("data", value: "DIR", help: "where everything is kept"),
///         ])
///     ])
/// switch try program.parse(arguments) {
/// case .run(let invocation): …
/// case .help(let text): …
/// case .version(let text): …
/// }
/// ```
package struct Command: Sendable {
    package var name: String
    /// One line, shown in the list of commands and on top of the help.
    package var summary: String
    /// The version of a program; `nil` for its subcommands.
    package var version: String?
    /// One command line that works.
    package var example: String
    package var options: [Option]
    package var positionals: [Positional]
    package var subcommands: [Command]
    /// The facts that the manual page of a program has beside its commands.
    package var manual: ManualFacts

    package init(
        _ name: String, _ summary: String, version: String? = nil, example: String, manual: ManualFacts = ManualFacts(),
        options: [Option] = [], positionals: [Positional] = [], subcommands: [Command] = []
    ) {
        self.manual = manual
        self.name = name
        self.summary = summary
        self.version = version
        self.example = example
        self.options = options
        self.positionals = positionals
        self.subcommands = subcommands
    }
}

/// A named argument: `--name VALUE`, or a bare `--name` if it takes no value.
package struct Option: Equatable, Sendable {
    /// Without the hyphens.
    package var name: String
    /// A one-letter form, as in `-o`.
    package var letter: Character?
    /// The value's name in the help, in capitals; `nil` for a flag.
    package var valueName: String?
    /// True if the option may be given more than once.
    package var isRepeatable: Bool
    /// True if the value may be left out. Where it is given, it follows an equals sign.
    package var isValueOptional: Bool
    /// The possible words of its value, which shells complete; empty where it may be anything. Help and manual describe
    /// the words that have a meaning.
    package var choices: [Choice]
    /// One line for the help.
    package var help: String

    package init(
        _ name: String, letter: Character? = nil, value valueName: String? = nil, isRepeatable: Bool = false,
        isValueOptional: Bool = false, choices: [Choice] = [], help: String
    ) {
        self.choices = choices
        self.isValueOptional = isValueOptional
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

/// A word that a value may be.
package struct Choice: Equatable, ExpressibleByStringLiteral, Sendable {
    package var word: String
    /// Empty where the help of the option or argument says it.
    package var meaning: String

    package init(_ word: String, _ meaning: String = "") {
        self.word = word
        self.meaning = meaning
    }

    package init(stringLiteral word: String) { self.init(word) }
}

/// An argument known by its place.
package struct Positional: Equatable, Sendable {
    package enum Count: Equatable, Sendable {
        case one
        case optional
        /// One or more; only as the last.
        case several
        /// None or more; only as the last.
        case any
    }

    /// In capitals, as in the help.
    package var name: String
    package var count: Count
    /// The words that it is one of, which shells complete; empty where it may be anything.
    package var choices: [Choice]
    package var help: String

    package init(_ name: String, _ count: Count = .one, choices: [Choice] = [], help: String) {
        self.choices = choices
        self.name = name
        self.count = count
        self.help = help
    }

    var usage: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .several: "\(name)..."
        case .any: "[\(name)...]"
        }
    }

    var minimumCount: Int { count == .one || count == .several ? 1 : 0 }
    var maximumCount: Int { count == .one || count == .optional ? 1 : .max }
}

/// The help of a command: its purpose, its usage, its arguments and options, one example.
enum HelpText {
    /// Lines are broken before this column, so that the text fits a terminal of the usual width.
    static let columnLimit = 80

    /// - Parameter path: the program, then the commands down to the explained one.
    static func of(_ path: [Command]) -> String {
        guard let command = path.last else { return "" }
        let name = path.map(\.name).joined(separator: " ")
        let inherited = path.dropLast().flatMap(\.options)
        let own = command.options + [.help] + (command.version == nil ? [] : [.version])
        var text = "\(name): \(command.summary)\n\nusage: \(usage(of: command, name: name))\n"
        text += section("commands", command.subcommands.map { ($0.name, $0.summary) })
        text += section("arguments", command.positionals.map { ($0.name, $0.help) })
        text += section("options", (own + inherited).map { (spelling(of: $0), $0.help) })
        for option in command.options where option.choices.contains(where: { !$0.meaning.isEmpty }) {
            text += section("--\(option.name)", option.choices.map { ($0.word, $0.meaning) })
        }
        text += "\nexample:\n  \(command.example)\n"
        return text
    }

    private static func usage(of command: Command, name: String) -> String {
        let tail = command.subcommands.isEmpty ? command.positionals.map(\.usage) : ["COMMAND"]
        return ([name, "[options]"] + tail).joined(separator: " ")
    }

    static func spelling(of option: Option) -> String {
        let letter = option.letter.map { "-\($0), " } ?? ""
        let value = option.valueName.map { option.isValueOptional ? "[=\($0)]" : " \($0)" } ?? ""
        return letter + "--" + option.name + value
    }

    private static func section(_ title: String, _ rows: [(term: String, meaning: String)]) -> String {
        guard !rows.isEmpty else { return "" }
        let width = rows.map(\.term.count).max() ?? 0
        let indent = String(repeating: " ", count: width + 4)
        var text = "\n\(title):\n"
        for row in rows {
            let padding = String(repeating: " ", count: width - row.term.count)
            let lines = wrapped(row.meaning, columns: columnLimit - width - 4)
            text += "  \(row.term)\(padding)  " + lines.joined(separator: "\n" + indent) + "\n"
        }
        return text
    }

    static func wrapped(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > columns {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }
}
