import ClusterStore
package import ServerCommands
import WidgetConfiguration
package import WidgetConsole
import WidgetPostgres
import WidgetRegistry
package import WidgetSurroundings

/// The program for a registry of several equal replicas: arguments in, exit code out.
package enum WidgetdCluster {
    private static let name = "widgetd-cluster"

    static let command = Command(
        name, "registry server for widget bundles, one of several equal replicas", version: ProgramVersion.text,
        example: "widgetd-cluster serve --catalog postgres://widgetd@db/widgetd --blobs file:///srv/widgetd",
        manual: manual,
        subcommands: [
            ServerCommand.serve, ServerCommand.check, ServerCommand.token, ServerCommand.audit, ServerCommand.scrub,
            ServerCommand.collect, ServerCommand.usage, ServerCommand.stills, ServerCommand.backup,
            ServerCommand.restore,
            ServerCommand.reindex,
            ServerCommand.export, ServerCommand.healthcheck,
        ].map { ServerCommand.renamed($0, name, adding: ClusterSettings.own.compactMap(\.flag)) }.map {
            var command = $0
            if command.name == "check" { command.options += ConnectionCheck.options }
            return command
        } + [
            MigrateCommand.command, FinishCommand.command,
        ])

    private static let manual = ServerManual.facts(
        of: name,
        "widgetd-cluster serves a registry of widget bundles as one of several equal replicas, over a PostgreSQL (--catalog) "
            + "and a store of archives (--blobs) that all of them share. It listens on 127.0.0.1:8080. With --mirror it shows "
            + "what another registry has.",
        ClusterSettings.table,
        data: "what this replica alone has, or all of a mirror, unless the setting data names another folder")

    private static let program = ServerProgram<ClusterSettings>(
        command,
        commands: [
            "check": { ConnectionCheck.run($0, $1) },
            "finish-schema": { FinishCommand.run($0, $1.settings) },
            "migrate": { MigrateCommand.run($0, $1.settings) },
        ]
    ) { $0.server() }

    package static func main() -> Never { program.main() }

    /// Opens a replica in this process (``ServerProgram/server(_:on:in:_:)``).
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

/// `widgetd-cluster finish-schema`: ends an upgrade.
enum FinishCommand {
    static let command = Command(
        "finish-schema", "remove what only earlier versions need, once none of them runs",
        example: "widgetd-cluster finish-schema --catalog postgres://widgetd@db/widgetd",
        options: ClusterSettings.options.filter { ["config", "catalog"].contains($0.name) })

    static func run(_ invocation: Invocation, _ settings: ClusterSettings) -> ExitCode {
        do throws(RegistryError) {
            let address = try ClusterStorage(settings).address()
            let connection: PostgresConnection
            do throws(PostgresError) {
                connection = try PostgresConnection(address, PostgresSchema.limits)
            } catch {
                throw PostgresSource.translated(error)
            }
            let schema = PostgresSchema()
            try schema.prepare(connection) { remark in
                switch remark {
                case .waiting(let seconds, let reason):
                    invocation.terminal.complain("another transaction holds the tables, for \(seconds) s: \(reason)")
                case .unfinished(let indexes, let reason):
                    invocation.terminal.complain(
                        "not finished: \(indexes.joined(separator: ", ")): \(reason)", hints: ["run this again"])
                }
            }
            let earlier = try schema.finish(connection)
            guard earlier.isEmpty else {
                invocation.terminal.complain(
                    "replicas of an earlier version run: \(earlier.joined(separator: ", "))",
                    hints: ["replace them, and run this again a minute later"])
                return .failed
            }
            return invocation.terminal.print("the schema is that of version \(schema.latest), and of no earlier one\n")
        } catch .invalidValue(let name, let reason) {
            invocation.terminal.complain("\(name): \(reason)")
            return .misuse
        } catch {
            invocation.terminal.complain("\(error)", hints: ["nothing was changed"])
            return .failed
        }
    }
}
