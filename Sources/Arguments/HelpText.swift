/// The help of a command: what it is for, how it is written, what it understands, one example.
enum HelpText {
    /// Lines are broken before this column, so that the text fits a terminal nobody has widened.
    static let columnLimit = 80

    /// - Parameter path: the program, then the commands down to the one to explain.
    static func of(_ path: [Command]) -> String {
        guard let command = path.last else { return "" }
        let name = path.map(\.name).joined(separator: " ")
        let inherited = path.dropLast().flatMap(\.options)
        let own = command.options + [.help] + (command.version == nil ? [] : [.version])
        var text = "\(name): \(command.summary)\n\nusage: \(usage(of: command, name: name))\n"
        text += section("commands", command.subcommands.map { ($0.name, $0.summary) })
        text += section("arguments", command.positionals.map { ($0.name, $0.help) })
        text += section("options", (own + inherited).map { (spelling(of: $0), $0.help) })
        text += "\nexample:\n  \(command.example)\n"
        return text
    }

    private static func usage(of command: Command, name: String) -> String {
        let tail = command.subcommands.isEmpty ? command.positionals.map(\.usage) : ["COMMAND"]
        return ([name, "[options]"] + tail).joined(separator: " ")
    }

    private static func spelling(of option: Option) -> String {
        let letter = option.letter.map { "-\($0), " } ?? ""
        return letter + "--" + option.name + (option.valueName.map { " " + $0 } ?? "")
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

    private static func wrapped(_ text: String, columns: Int) -> [String] {
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
