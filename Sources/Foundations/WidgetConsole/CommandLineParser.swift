internal import WidgetBytes
package import WidgetSurroundings

extension Command {
    /// Reads a command line, without the program's own name.
    ///
    /// - Options may come anywhere; `--name VALUE` and `--name=VALUE` mean the same.
    /// - After `--` everything is an argument, and so is a single `-`.
    /// - `--help` answers for the command named so far.
    /// - A program with a version has the commands `version`, `manual` and `completion` as well.
    ///
    /// - Parameters:
    ///   - terminal: the console that the command will use.
    ///   - world: its time and chance.
    package func parse(
        _ arguments: [String], on terminal: Terminal = .none, in world: World = .machine
    ) throws(ArgumentsError) -> CommandLineRequest {
        var parsing = CommandLineParsing(
            program: self, rest: arguments[...], Invocation(on: terminal, in: world))
        return try parsing.run()
    }
}

/// The state of reading one command line from left to right.
private struct CommandLineParsing {
    let program: Command
    var rest: ArraySlice<String>
    /// The program, then the commands named so far.
    var path: [Command]
    var invocation: Invocation

    init(program: Command, rest: ArraySlice<String>, _ invocation: Invocation) {
        self.invocation = invocation
        var whole = program
        if program.version != nil { whole.subcommands += SelfDescription.commands(of: program.name) }
        self.program = whole
        self.rest = rest
        path = [whole]
    }

    var current: Command { path.last ?? program }

    var options: [Option] {
        path.flatMap(\.options) + [.help] + (path.count == 1 && program.version != nil ? [.version] : [])
    }

    mutating func run() throws(ArgumentsError) -> CommandLineRequest {
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
        if program.version != nil, let text = SelfDescription.text(program, invocation) { return .help(text) }
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

    private mutating func takeOption(_ argument: String) throws(ArgumentsError) -> CommandLineRequest? {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let written = String(parts[0])
        guard let option = options.first(where: { "--" + $0.name == written }) else {
            throw error(.unknownOption(written, nearest: NearestName.of(written, in: options.map { "--" + $0.name })))
        }
        return try take(option, written: written, attached: parts.count > 1 ? String(parts[1]) : nil)
    }

    /// `-o VALUE` or `-oVALUE`; letters are not bundled.
    private mutating func takeLetter(_ argument: String) throws(ArgumentsError) -> CommandLineRequest? {
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

    private mutating func take(_ option: Option, written: String, attached: String?) throws(ArgumentsError)
        -> CommandLineRequest?
    {
        guard let valueName = option.valueName else {
            guard attached == nil else { throw error(.unexpectedValue(option: written)) }
            if option == .help { return .help(HelpText.of(path)) }
            if option == .version { return .version("\(program.name) \(program.version ?? "")") }
            try add(option, nil, written: written)
            return nil
        }
        if option.isValueOptional, attached == nil {
            try add(option, nil, written: written)
            return nil
        }
        guard let value = attached ?? popValue() else {
            throw error(.missingValue(option: written, valueName: valueName))
        }
        try add(option, value, written: written)
        return nil
    }

    /// The next argument, unless it looks like another option.
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

/// The action that a command line asks for.
package enum CommandLineRequest: Equatable, Sendable {
    case run(Invocation)
    /// The help text of the command that `--help` followed, or another text of the program about itself.
    case help(String)
    case version(String)
}

/// A command with its options and arguments, and its surroundings: a console, time and chance.
package struct Invocation: Equatable, Sendable {
    package let terminal: Terminal
    package let world: World
    /// The names of the commands, without the program's: `["token", "create"]`.
    package var command: [String] = []
    package var arguments: [String] = []
    private var options: [String: [String]] = [:]

    package init(on terminal: Terminal = .none, in world: World = .machine) {
        self.terminal = terminal
        self.world = world
    }

    /// True if the words are the same, on any terminal and in any world.
    package static func == (one: Invocation, other: Invocation) -> Bool {
        one.command == other.command && one.arguments == other.arguments && one.options == other.options
    }

    /// The value of an option, the last if it was repeated; `nil` if it was not given.
    package func value(_ option: String) -> String? {
        options[option]?.last
    }

    /// The values of an option in the order given.
    package func values(_ option: String) -> [String] {
        options[option] ?? []
    }

    /// Returns true if the option was given.
    package func has(_ option: String) -> Bool {
        options[option] != nil
    }

    /// Adds an option; a flag has no value.
    package mutating func add(_ option: String, _ value: String?) {
        options[option, default: []] += value.map { [$0] } ?? []
    }
}

/// Why a command line was not understood.
package struct ArgumentsError: Error, Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case unknownOption(String, nearest: String?)
        case unknownCommand(String, nearest: String?)
        case missingCommand(known: [String])
        case missingValue(option: String, valueName: String)
        case unexpectedValue(option: String)
        case repeatedOption(String)
        case missingArgument(String)
        case unexpectedArgument(String)
    }

    package var reason: Reason
    /// The program and the commands understood so far, as typed: `widgetd token`.
    package var command: String

    package init(reason: Reason, command: String) {
        self.reason = reason
        self.command = command
    }

    /// The mistake, in one sentence.
    package var message: String {
        switch reason {
        case .unknownOption(let name, _): "unknown option \(QuotedText.of(name))"
        case .unknownCommand(let name, _): "unknown command \(QuotedText.of(name))"
        case .missingCommand: "a command is missing after `\(command)`"
        case .missingValue(let option, let valueName): "\(option) needs a value: \(option) \(valueName)"
        case .unexpectedValue(let option): "\(option) takes no value"
        case .repeatedOption(let option): "\(option) is given more than once"
        case .missingArgument(let name): "\(name) is missing"
        case .unexpectedArgument(let text): "unexpected argument \(QuotedText.of(text))"
        }
    }

    /// Advice to the user, one line for each hint.
    package var hints: [String] {
        let specific: [String] =
            switch reason {
            case .unknownOption(_, let nearest?), .unknownCommand(_, let nearest?): ["did you mean `\(nearest)`?"]
            case .missingCommand(let known): ["commands are \(known.joined(separator: ", "))"]
            case .missingValue(let option, let valueName):
                ["a value that starts with a hyphen is written \(option)=\(valueName)"]
            default: []
            }
        return specific + ["`\(command) --help` shows how it is used"]
    }
}
