/// The facts about a program that its manual page has beside its commands.
package struct ManualFacts: Sendable {
    package typealias Row = (name: String, meaning: String)

    /// Paragraphs about its use; empty if the summary is enough.
    package var description: [String]
    /// The variables of the environment that it reads.
    package var variables: [Row]
    package var files: [Row]
    /// Its exit codes, with their meanings.
    package var exitCodes: [ExitCode]

    package init(
        description: [String] = [], variables: [Row] = [], files: [Row] = [],
        exitCodes: [ExitCode] = [.clean, .failed, .misuse]
    ) {
        self.description = description
        self.variables = variables
        self.files = files
        self.exitCodes = exitCodes
    }
}

/// The manual page of a program: all its commands on one page, in the language of man(7).
///
/// Its header has no date: a program that is built twice prints the same. Who packs a release writes the date into it.
struct ManualPage {
    /// Lines of text are broken before this column, as formatters of manuals advise.
    private static let columnLimit = 79

    private let program: Command
    private(set) var text = ""

    init(_ program: Command) {
        self.program = program
        let (version, facts) = (program.version ?? "", program.manual)
        add(
            ".TH \(ManualPage.quoted(program.name.uppercased())) 1 \"\" \(ManualPage.quoted("\(program.name) \(version)"))"
        )
        add(".SH NAME")
        add("\(ManualPage.escaped(program.name)) \\- \(ManualPage.escaped(program.summary))")
        add(".SH SYNOPSIS")
        add(".B \(ManualPage.escaped(program.name))")
        add("COMMAND [options] [arguments]")
        add(".SH DESCRIPTION")
        let paragraphs = facts.description.isEmpty ? [ManualPage.sentence(program.summary)] : facts.description
        for (place, paragraph) in paragraphs.enumerated() {
            if place > 0 { add(".PP") }
            fill(paragraph)
        }
        add(".SH COMMANDS")
        for command in program.subcommands { describe([program, command]) }
        add(".SH OPTIONS")
        fill("Every command has these, and options of a group are understood by all its commands.")
        for option in program.options + [.help, .version] { describe(option) }
        add(".SH EXIT STATUS")
        for code in facts.exitCodes { term("\(code.rawValue)", code.meaning) }
        list("ENVIRONMENT", facts.variables)
        list("FILES", facts.files)
        add(".SH EXAMPLES")
        add(".EX\n\(ManualPage.escaped(program.example))\n.EE")
    }

    private mutating func add(_ line: String) { text += line + "\n" }

    /// Adds text that is broken into lines.
    private mutating func fill(_ words: String) {
        for line in HelpText.wrapped(ManualPage.marked(words), columns: ManualPage.columnLimit) {
            add(ManualPage.asText(line))
        }
    }

    private mutating func list(_ title: String, _ rows: [ManualFacts.Row]) {
        guard !rows.isEmpty else { return }
        add(".SH \(title)")
        for row in rows { term(row.name, row.meaning) }
    }

    private mutating func describe(_ path: [Command]) {
        guard let command = path.last else { return }
        guard command.subcommands.isEmpty else {
            for each in command.subcommands {
                var each = each
                each.options += command.options
                describe(path + [each])
            }
            return
        }
        let name = path.map(\.name).joined(separator: " ")
        add(".SS \(ManualPage.quoted(([name] + command.positionals.map(\.usage)).joined(separator: " ")))")
        fill(ManualPage.sentence(command.summary))
        for positional in command.positionals { term(positional.name, positional.help) }
        for option in command.options { describe(option) }
        add(".PP\nFor example:\n.PP\n.EX\n\(ManualPage.escaped(command.example))\n.EE")
    }

    private mutating func describe(_ option: Option) {
        term(HelpText.spelling(of: option), option.help)
        guard option.choices.contains(where: { !$0.meaning.isEmpty }) else { return }
        add(".RS")
        for choice in option.choices { term(choice.word, choice.meaning) }
        add(".RE")
    }

    /// A meaning stays as it is: its first word may be one to type.
    private mutating func term(_ name: String, _ meaning: String) {
        add(".TP\n.B \(ManualPage.escaped(name))")
        fill(meaning)
    }

    private static func sentence(_ text: String) -> String {
        let last = text.last.map { ".!?".contains($0) } ?? true
        return text.prefix(1).uppercased() + text.dropFirst() + (last ? "" : ".")
    }

    /// Text as man prints it: hyphens and backslashes are themselves, and a line that begins with a dot or a quote is text.
    private static func escaped(_ text: String) -> String { asText(marked(text)) }

    private static func marked(_ text: String) -> String {
        var marked = ""
        for character in text {
            switch character {
            case "\\": marked += "\\e"
            case "-": marked += "\\-"
            default: marked.append(character)
            }
        }
        return marked
    }

    private static func asText(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }

    private static func quoted(_ text: String) -> String {
        "\"" + escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq") + "\""
    }
}
