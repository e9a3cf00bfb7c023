/// A program, or something it can be told to do, declared as a value.
///
/// A command with subcommands only groups them; what runs is always a command without any.
/// Options of a command are understood by all below it.
///
/// ```swift
/// let program = Command(
///     "widgetd", "registry server for widget bundles", version: "0.1.0", example: "widgetd serve",
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
    /// The version of a program; `nil` for what is not the root.
    package var version: String?
    /// One command line that works.
    package var example: String
    package var options: [Option]
    package var positionals: [Positional]
    package var subcommands: [Command]

    package init(
        _ name: String, _ summary: String, version: String? = nil, example: String, options: [Option] = [],
        positionals: [Positional] = [], subcommands: [Command] = []
    ) {
        self.name = name
        self.summary = summary
        self.version = version
        self.example = example
        self.options = options
        self.positionals = positionals
        self.subcommands = subcommands
    }
}

extension Command {
    /// Reads a command line, without the program's own name.
    ///
    /// - Options may stand anywhere; `--name VALUE` and `--name=VALUE` mean the same.
    /// - After `--` everything is an argument, and so is a single `-`.
    /// - `--help` answers for the command named so far.
    package func parse(_ arguments: [String]) throws(ArgumentsError) -> Request {
        var parsing = CommandLineParsing(program: self, rest: arguments[...])
        return try parsing.run()
    }
}

/// The state of reading one command line from left to right.
private struct CommandLineParsing {
    let program: Command
    var rest: ArraySlice<String>
    /// The program, then the commands named so far.
    var path: [Command]
    var invocation = Invocation()

    init(program: Command, rest: ArraySlice<String>) {
        self.program = program
        self.rest = rest
        path = [program]
    }

    var current: Command { path.last ?? program }

    var options: [Option] {
        path.flatMap(\.options) + [.help] + (path.count == 1 && program.version != nil ? [.version] : [])
    }

    mutating func run() throws(ArgumentsError) -> Request {
        while let argument = rest.popFirst() {
            if argument == "--" {
                while let argument = rest.popFirst() { try take(argument) }
            } else if argument.hasPrefix("--") {
                if let request = try takeOption(argument) { return request }
            } else if argument.hasPrefix("-"), argument != "-" {
                if let request = try takeLetter(argument) { return request }
            } else {
                try take(argument)
            }
        }
        guard current.subcommands.isEmpty else {
            throw error(.missingCommand(known: current.subcommands.map(\.name)))
        }
        if let missing = current.positionals.dropFirst(invocation.arguments.count).first(where: { $0.minimumCount > 0 })
        {
            throw error(.missingArgument(missing.name))
        }
        return .run(invocation)
    }

    /// A command's name while there are commands to choose from, then a positional argument.
    private mutating func take(_ argument: String) throws(ArgumentsError) {
        if !current.subcommands.isEmpty {
            guard let command = current.subcommands.first(where: { $0.name == argument }) else {
                let nearest = NearestName.of(argument, in: current.subcommands.map(\.name))
                throw error(.unknownCommand(argument, nearest: nearest))
            }
            path.append(command)
            invocation.command.append(command.name)
        } else {
            let takesMore = current.positionals.contains { $0.maximumCount == .max }
            guard takesMore || invocation.arguments.count < current.positionals.count else {
                throw error(.unexpectedArgument(argument))
            }
            invocation.arguments.append(argument)
        }
    }

    private mutating func takeOption(_ argument: String) throws(ArgumentsError) -> Request? {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let written = String(parts[0])
        guard let option = options.first(where: { "--" + $0.name == written }) else {
            throw error(.unknownOption(written, nearest: NearestName.of(written, in: options.map { "--" + $0.name })))
        }
        return try take(option, written: written, attached: parts.count > 1 ? String(parts[1]) : nil)
    }

    /// `-o VALUE` or `-oVALUE`; letters are not bundled.
    private mutating func takeLetter(_ argument: String) throws(ArgumentsError) -> Request? {
        let letter = argument.dropFirst().first
        guard let option = options.first(where: { $0.letter != nil && $0.letter == letter }),
            option.valueName != nil || argument.count == 2
        else {
            throw error(
                .unknownOption(argument, nearest: NearestName.of("-" + argument, in: options.map { "--" + $0.name })))
        }
        let attached = argument.dropFirst(2)
        return try take(
            option, written: String(argument.prefix(2)), attached: attached.isEmpty ? nil : String(attached))
    }

    private mutating func take(_ option: Option, written: String, attached: String?) throws(ArgumentsError) -> Request?
    {
        guard let valueName = option.valueName else {
            guard attached == nil else { throw error(.unexpectedValue(option: written)) }
            if option == .help { return .help(HelpText.of(path)) }
            if option == .version { return .version("\(program.name) \(program.version ?? "")") }
            try add(option, nil, written: written)
            return nil
        }
        guard let value = attached ?? popValue() else {
            throw error(.missingValue(option: written, valueName: valueName))
        }
        try add(option, value, written: written)
        return nil
    }

    /// The next argument, unless it looks like an option that was meant to stand on its own.
    private mutating func popValue() -> String? {
        guard let next = rest.first else { return nil }
        let second = next.dropFirst().first
        let isOption = next.hasPrefix("-") && second.map { !$0.isNumber && $0 != "." } ?? false
        return isOption ? nil : rest.popFirst()
    }

    private mutating func add(_ option: Option, _ value: String?, written: String) throws(ArgumentsError) {
        guard option.isRepeatable || !invocation.has(option.name) else {
            throw error(.repeatedOption(written))
        }
        invocation.add(option.name, value)
    }

    private func error(_ reason: ArgumentsError.Reason) -> ArgumentsError {
        ArgumentsError(reason: reason, command: path.map(\.name).joined(separator: " "))
    }
}
