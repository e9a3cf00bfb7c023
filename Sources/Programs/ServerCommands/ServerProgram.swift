internal import JSONText
internal import RegistryServer
internal import WidgetCells
package import WidgetConfiguration
package import WidgetConsole
internal import WidgetFiles
internal import WidgetHosting
internal import WidgetProcesses
package import WidgetRegistry
package import WidgetSurroundings

/// A server's program: arguments in, exit code out.
///
/// - Parameter Root: its settings, of which ``Settings`` are all or a part.
package struct ServerProgram<Root: ConfigurableSettings>: Sendable {
    package typealias Run = @Sendable (Invocation, LoadedSettings<Root>) -> ExitCode

    private let command: Command
    private let settings: @Sendable (Root) -> Settings
    /// The commands that this program alone has.
    private let commands: [String: Run]

    /// - Parameters:
    ///   - settings: the part that the common commands work with.
    ///   - commands: those that this program alone has, by their names.
    package init(
        _ command: Command, commands: [String: Run] = [:], settings: @escaping @Sendable (Root) -> Settings
    ) {
        self.command = command
        self.commands = commands
        self.settings = settings
    }

    package func main() -> Never {
        // A reader that goes away is an error to count, never the end of the server.
        ProgramSignal.brokenPipe.ignore()
        // A cell confines itself before anything else runs.
        if let words = CellProgram.words(of: CommandLine.arguments) {
            Terminal.end(CellProgram.run(words, reviewer: ProgramReview()) ? .clean : .failed)
        }
        Terminal.end(run(Array(CommandLine.arguments.dropFirst()), on: .standard))
    }

    /// Opens the server that a command line asks for, in this process: its store and its listeners.
    /// ``RunningServer/start()`` serves.
    ///
    /// - Parameters:
    ///   - arguments: those of the program, the command `serve` with them.
    ///   - terminal: its environment, its first output and its log, which is what it writes to the error stream.
    ///   - prepare: changes what the server is started with.
    /// - Throws: what the program would print and end with.
    package func server(
        _ arguments: [String], on terminal: Terminal, in world: World = .machine,
        _ prepare: (inout ServerStart) -> Void = { _ in }
    ) throws(StartRefusal) -> RunningServer {
        do {
            guard case .run(let invocation) = try command.parse(arguments, on: terminal, in: world),
                invocation.command == ["serve"]
            else {
                throw StartRefusal(text: "error: no server is asked for\n", code: .misuse)
            }
            let read: SettingsReader = { [settings] () throws(ConfigurationError) in
                try Root.load(invocation, environment: terminal.environment, readFile: BoundedFile.read).map(settings)
            }
            let loaded = try read()
            var start = ServerStart(ServeCommand.logger(loaded.settings, terminal), on: terminal, in: world)
            prepare(&start)
            return try ServeCommand.open(loaded, start, reload: read)
        } catch let error as StartRefusal {
            throw error
        } catch let error as StartFailure {
            throw StartRefusal(text: Complaint.text(error.message, hints: error.hints), code: error.code)
        } catch let error as ConfigurationError {
            let texts = error.problems.map { Complaint.text($0.message, hints: $0.hint.map { [$0] } ?? []) }
            throw StartRefusal(text: texts.joined(), code: .misuse)
        } catch let error as ArgumentsError {
            throw StartRefusal(text: Complaint.text(error.message, hints: error.hints), code: .misuse)
        } catch {
            throw StartRefusal(text: Complaint.text("\(error)"), code: .failed)
        }
    }

    /// Runs one command to its end.
    package func run(_ arguments: [String], on terminal: Terminal, in world: World = .machine) -> ExitCode {
        do throws(ArgumentsError) {
            switch try command.parse(arguments, on: terminal, in: world) {
            case .help(let text): return terminal.print(text)
            case .version(let text): return terminal.print(text + "\n")
            case .run(let invocation): return run(invocation)
            }
        } catch {
            terminal.complain(error.message, hints: error.hints)
            return .misuse
        }
    }

    private func run(_ invocation: Invocation) -> ExitCode {
        let read: @Sendable () throws(ConfigurationError) -> LoadedSettings<Root> = {
            () throws(ConfigurationError) in
            try Root.load(invocation, environment: invocation.terminal.environment, readFile: BoundedFile.read)
        }
        let all: LoadedSettings<Root>
        do throws(ConfigurationError) {
            all = try read()
        } catch {
            for problem in error.problems {
                invocation.terminal.complain(problem.message, hints: problem.hint.map { [$0] } ?? [])
            }
            return .misuse
        }
        let loaded = all.map(settings)
        switch invocation.command {
        case let words where words.first.map({ commands[$0] != nil }) ?? false:
            return words.first.flatMap { commands[$0] }?(invocation, all) ?? .misuse
        case ["serve"]:
            return ServeCommand.run(loaded, on: invocation.terminal, in: invocation.world) {
                [settings] () throws(ConfigurationError) in try read().map(settings)
            }
        case let words where words.first == "token": return TokenCommand.run(invocation, loaded.settings)
        case ["audit"]: return AuditCommand.run(invocation, loaded.settings)
        case ["scrub"]: return ScrubCommand.run(invocation, loaded.settings)
        case ["gc"]: return CollectCommand.run(invocation, loaded.settings)
        case ["usage"]: return UsageCommand.run(invocation, loaded.settings)
        case ["stills"]: return StillsCommand.run(invocation, loaded.settings)
        case ["backup"]: return BackupCommand.run(invocation, loaded.settings)
        case ["restore"]: return RestoreCommand.run(invocation, loaded.settings)
        case ["reindex"]: return ReindexCommand.run(invocation, loaded.settings)
        case ["export"]: return SiteCommand.run(invocation, loaded.settings)
        case ["healthcheck"]: return HealthcheckCommand.run(invocation, loaded)
        default: return CheckCommand.run(invocation, all, loaded.settings)
        }
    }
}

/// The end of a program whose server could not start.
package struct StartRefusal: Error {
    /// Its text on standard error.
    package let text: String
    package let code: ExitCode
}

/// The commands of servers, by which programs are put together.
package enum ServerCommand {
    package static let serve = ServeCommand.command
    package static let check = CheckCommand.command
    package static let token = TokenCommand.command
    package static let audit = AuditCommand.command
    package static let scrub = ScrubCommand.command
    package static let collect = CollectCommand.command
    package static let usage = UsageCommand.command
    package static let stills = StillsCommand.command
    package static let backup = BackupCommand.command
    package static let restore = RestoreCommand.command
    package static let reindex = ReindexCommand.command
    package static let export = SiteCommand.command
    package static let healthcheck = HealthcheckCommand.command

    /// A failure of the store in words, with what to do next.
    package static func words(for error: RegistryError, data: String) -> (message: String, hints: [String]) {
        let failure = StartFailure(error, data: data)
        return (failure.message, failure.hints)
    }

    /// Commands of a program with another name, which have these options wherever they have the server's own.
    package static func renamed(_ command: Command, _ program: String, adding options: [Option]) -> Command {
        var command = command
        if command.example.hasPrefix("widgetd ") { command.example = program + command.example.dropFirst(7) }
        // What locates a registry names its directory.
        if command.options.contains(where: { $0.name == "data" }) { command.options += options }
        command.subcommands = command.subcommands.map { renamed($0, program, adding: options) }
        return command
    }
}

/// Findings of a program's own check, besides the settings.
package struct FurtherFindings: Sendable {
    /// A name and a line of text each.
    package var lines: [(name: String, text: String)] = []

    package init() {}
}

/// `widgetd check`: validates the settings and prints the effective ones, secrets masked.
package enum CheckCommand {
    static let command = Command(
        "check", "check the settings and print the effective ones",
        example: "widgetd check --config config/widgetd.json5",
        options: Settings.options + [Option("json", help: "print them as JSON")])

    /// - Parameter settings: the part of them that all servers have.
    package static func run<Root: ConfigurableSettings>(
        _ invocation: Invocation, _ loaded: LoadedSettings<Root>, _ settings: Settings,
        _ further: FurtherFindings = FurtherFindings()
    ) -> ExitCode {
        let found = ServerCells.found(by: invocation.terminal.executable, programs: invocation.world.programs)
        let bounds = CellBounds(CellLimits(), processors: Processors.count)
        let shortage = DataDirectory.shortage(nearest: settings.data, reserve: settings.publishPolicy.diskReserve)
        let disk = shortage.map { "\($0): publishing is refused until there is more" } ?? "enough room"
        let engine = "\(EngineFile.find(named: settings.engine, beside: invocation.terminal.executable))"
        guard invocation.has("json") else {
            let removed = loaded.removed.map { "setting.removed: \($0.text)\n" }.joined()
            let lines = [("disk", disk), ("engine", engine)] + further.lines
            return invocation.terminal.print(
                loaded.report + removed + found.lines + bounds.text
                    + lines.map { "\($0.0): \($0.1)\n" }.joined())
        }
        var writer = JSONWriter()
        writer.object { writer in
            for setting in Root.table {
                writer.key(setting.path)
                writer.object { writer in
                    writer.member("value", setting.shown(in: loaded.settings))
                    writer.member("source", loaded.source(of: setting.path).description)
                }
            }
            for use in loaded.removed {
                writer.key(use.setting.path)
                writer.object { writer in
                    writer.member("removed", use.text)
                    writer.member("source", use.source.description)
                }
            }
            writer.key("reviews.confinement")
            writer.object { writer in
                writer.member("value", found.text)
                writer.member("source", "this machine")
            }
            let counts = [
                ("processes", bounds.processes), ("memory", bounds.totalByteCount), ("threads", bounds.totalThreads),
            ]
            for (name, count) in counts {
                writer.key("cells.\(name)")
                writer.object { writer in
                    writer.member("value", count)
                    writer.member("source", "this machine")
                }
            }
            writer.key("reviews")
            writer.object { writer in
                writer.member("value", found.stateOfReviews)
                writer.member("source", "this machine")
            }
            for (number, (name, text)) in ([("disk.room", disk), ("engine", engine)] + further.lines).enumerated() {
                let isRepeated = further.lines.count(where: { $0.name == name }) > 1
                writer.key(isRepeated ? "\(name).\(number)" : name)
                writer.object { writer in
                    writer.member("value", text)
                    writer.member("source", "this machine")
                }
            }
        }
        return invocation.terminal.print(writer.finish())
    }
}
