package import WidgetConsole
import WidgetProcesses
package import WidgetSurroundings

/// The publisher's and host's program: arguments in, exit code out.
package enum Widget {
    static let command = Command(
        "widget", "make, check, publish and run widget bundles", version: ProgramVersion.text,
        example: "widget inspect WidgetDemo.zip", manual: manual,
        subcommands: [
            NewCommand.command, ConvertCommand.command, BuildCommand.command, PackCommand.command,
            InspectCommand.command,
            StructureCommand.command, PublishCommand.command, ListCommand.command, ShowCommand.command,
            ReportCommand.command, DiffCommand.command, PromoteCommand.command, WaitCommand.command,
            RollbackCommand.command,
            ChannelCommand.command, WithdrawCommand.command, RestoreReleaseCommand.command, RemoteTokenCommand.command,
            FetchCommand.command,
            WatchCommand.command, RunCommand.command, HostCommand.command, RenderCommand.command, DoctorCommand.command,
            PredicateCommand.command, SchemaCommand.command, KindsCommand.command,
            LinksCommand.command, ExportCommand.command,
        ])

    private static let manual = ManualFacts(
        description: [
            "widget begins, checks, builds and runs widgets, publishes them to a registry, and fetches them as apps do.",
            "Commands that talk to a registry take its address and a token from options or from the environment. "
                + "`widget doctor` tries a registry, `widget COMMAND --help` explains a command, and a registry has the whole "
                + "manual at /docs.",
        ],
        variables: [
            ("WIDGET_SERVER", "the registry, where --server does not name one"),
            ("WIDGET_TOKEN", "the token, where --token does not give one"),
            ("WIDGET_TOKEN_FILE", "a file with the token, where neither gives one"),
            ("WIDGET_CACHE", "the folder of fetched widgets, where --cache does not name one"),
            ("WIDGET_BROWSER", "the Chromium that draws pictures, where --browser does not name one"),
            ("NO_COLOR", "if set, nothing is printed in colours"),
            ("TZ", "the time zone in which widgets run, where --time-zone does not name one"),
        ],
        files: [
            ("$XDG_CACHE_HOME/widget, ~/.cache/widget", "fetched widgets, where nothing names another folder"),
            (
                "../share/widgetd beside the folder of the program",
                "the module Widgets for packages of Swift, and the engine for browsers"
            ),
        ],
        exitCodes: [.clean, .failed, .misuse, .notShown])

    package static func main() async -> Never {
        // A reader that goes away is a failed write, never a sudden end that leaves files behind.
        ProgramSignal.brokenPipe.ignore()
        Terminal.end(await run(Array(CommandLine.arguments.dropFirst()), on: .standard))
    }

    /// Runs one command to its end.
    package static func run(
        _ arguments: [String], on terminal: Terminal, in world: World = .machine
    ) async -> ExitCode {
        do throws(ArgumentsError) {
            switch try command.parse(arguments, on: terminal, in: world) {
            case .help(let text): return terminal.print(text)
            case .version(let text): return terminal.print(text + "\n")
            case .run(let invocation): return await run(invocation)
            }
        } catch {
            terminal.complain(error.message, hints: error.hints)
            return .misuse
        }
    }

    private static func run(_ invocation: Invocation) async -> ExitCode {
        switch invocation.command.first {
        case "new": NewCommand.run(invocation)
        case "convert": ConvertCommand.run(invocation)
        case "build": BuildCommand.run(invocation)
        case "pack": PackCommand.run(invocation)
        case "inspect": await InspectCommand.run(invocation)
        case "structure": StructureCommand.run(invocation)
        case "publish": await PublishCommand.run(invocation)
        case "list": await ListCommand.run(invocation)
        case "show": await ShowCommand.run(invocation)
        case "report": await ReportCommand.run(invocation)
        case "diff": await DiffCommand.run(invocation)
        case "promote": await PromoteCommand.run(invocation)
        case "wait": await WaitCommand.run(invocation)
        case "rollback": await RollbackCommand.run(invocation)
        case "channel": await ChannelCommand.run(invocation)
        case "withdraw": await WithdrawCommand.run(invocation)
        case "restore": await RestoreReleaseCommand.run(invocation)
        case "token": await RemoteTokenCommand.run(invocation)
        case "fetch": await FetchCommand.run(invocation)
        case "watch": await WatchCommand.run(invocation)
        case "run": await RunCommand.run(invocation)
        case "host": await HostCommand.run(invocation)
        case "render": await RenderCommand.run(invocation)
        case "doctor": await DoctorCommand.run(invocation)
        case "schema": SchemaCommand.run(invocation)
        case "kinds": KindsCommand.run(invocation)
        case "links": LinksCommand.run(invocation)
        case "export": ExportCommand.run(invocation)
        default: PredicateCommand.run(invocation)
        }
    }
}
