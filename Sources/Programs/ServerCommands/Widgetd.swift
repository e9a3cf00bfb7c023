package import WidgetConsole
package import WidgetSurroundings

/// The program for a registry of one process, in one directory: arguments in, exit code out.
///
/// Its settings are those that all servers have, and its storage is the data directory.
package enum Widgetd {
    static let command = Command(
        "widgetd", "registry server for widget bundles", version: ProgramVersion.text,
        example: "widgetd serve", manual: manual,
        subcommands: [
            ServerCommand.serve, ServerCommand.check, ServerCommand.token, ServerCommand.audit, ServerCommand.scrub,
            ServerCommand.collect, ServerCommand.usage, ServerCommand.stills, ServerCommand.backup,
            ServerCommand.restore,
            ServerCommand.reindex,
            ServerCommand.export, ServerCommand.healthcheck,
        ])

    private static let manual = ServerManual.facts(
        of: "widgetd",
        "widgetd serves a registry of widget bundles. `widgetd serve` needs no settings: it listens on 127.0.0.1:8080, keeps "
            + "everything in ./data, and leaves the owner's token there in the file admin-token.",
        Settings.table, data: "everything that the server keeps, unless the setting data names another folder")

    private static let program = ServerProgram<Settings>(command) { $0 }

    package static func main() -> Never { program.main() }

    /// Opens a server in this process (``ServerProgram/server(_:on:in:_:)``).
    package static func server(
        _ arguments: [String], on terminal: Terminal, in world: World = .machine,
        _ prepare: (inout ServerStart) -> Void = { _ in }
    ) throws(StartRefusal) -> RunningServer {
        try program.server(arguments, on: terminal, in: world, prepare)
    }

    /// Runs one command to its end.
    package static func run(_ arguments: [String], on terminal: Terminal, in world: World = .machine) -> ExitCode {
        program.run(arguments, on: terminal, in: world)
    }
}
