import Configuration
import Console
import FoundationEssentials
import JSONText
import Processes
import SystemCalls
import WidgetCells

/// The server program: arguments in, exit code out.
enum Widgetd {
    static let command = Command(
        "widgetd", "registry server for widget bundles", version: ProgramVersion.text,
        example: "widgetd serve",
        subcommands: [
            ServeCommand.command, CheckCommand.command, TokenCommand.command, AuditCommand.command,
            ScrubCommand.command, CollectCommand.command, BackupCommand.command, RestoreCommand.command,
            ReindexCommand.command, SiteCommand.command, HealthcheckCommand.command,
        ])

    static func main() -> Never {
        // A reader that goes away is an error to count, never the end of the server.
        ProgramSignal.brokenPipe.ignore()
        // A cell confines itself before anything else runs.
        if let words = CellProgram.words(of: CommandLine.arguments) {
            ProcessExit.end(CellProgram.run(words) ? 0 : 1)
        }
        let code = run(Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment)
        ProcessExit.end(code.rawValue)
    }

    private static func run(_ arguments: [String], environment: [String: String]) -> ExitCode {
        do throws(ArgumentsError) {
            switch try command.parse(arguments) {
            case .help(let text): return Terminal.print(text)
            case .version(let text): return Terminal.print(text + "\n")
            case .run(let invocation): return run(invocation, environment: environment)
            }
        } catch {
            Terminal.complain(error.message, hints: error.hints)
            return .misuse
        }
    }

    private static func run(_ invocation: Invocation, environment: [String: String]) -> ExitCode {
        guard let loaded = CommandSettings.load(invocation, environment: environment) else { return .misuse }
        switch invocation.command {
        case ["serve"]:
            return ServeCommand.run(loaded) { () throws(ConfigurationError) in
                try CommandSettings.read(invocation, environment: environment)
            }
        case let command where command.first == "token": return TokenCommand.run(invocation, loaded.settings)
        case ["audit"]: return AuditCommand.run(invocation, loaded.settings)
        case ["scrub"]: return ScrubCommand.run(invocation, loaded.settings)
        case ["gc"]: return CollectCommand.run(invocation, loaded.settings)
        case ["backup"]: return BackupCommand.run(invocation, loaded.settings)
        case ["restore"]: return RestoreCommand.run(invocation, loaded.settings)
        case ["reindex"]: return ReindexCommand.run(invocation, loaded.settings)
        case ["export"]: return SiteCommand.run(invocation, loaded.settings)
        case ["healthcheck"]: return HealthcheckCommand.run(invocation, loaded)
        default: return CheckCommand.run(invocation, loaded)
        }
    }
}

/// `widgetd check`: validates the settings and prints the effective ones, secrets masked.
enum CheckCommand {
    static let command = Command(
        "check", "check the settings and print the effective ones",
        example: "widgetd check --config config/widgetd.json5",
        options: Settings.options + [Option("json", help: "print them as JSON")])

    static func run(_ invocation: Invocation, _ loaded: LoadedSettings<Settings>) -> ExitCode {
        let confinement = WidgetPreviews.confinement()
        guard invocation.has("json") else {
            return Terminal.print(loaded.report + confinement.lines(isWanted: loaded.settings.previews.isEnabled))
        }
        var writer = JSONWriter()
        writer.object { writer in
            for setting in Settings.table {
                writer.key(setting.path)
                writer.object { writer in
                    writer.member("value", setting.shown(in: loaded.settings))
                    writer.member("source", loaded.source(of: setting.path).description)
                }
            }
            writer.key("preview.confinement")
            writer.object { writer in
                writer.member("value", confinement.text)
                writer.member("source", "this machine")
            }
        }
        return Terminal.print(writer.finish())
    }
}
