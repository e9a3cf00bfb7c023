internal import ClusterCommands
internal import Foundation
internal import ServerCommands
internal import WidgetConsole
internal import WidgetSurroundings
internal import WidgetTestSupport

/// The program whose promises are asked, as functions: `widgetd`, or a replica where `Tests/Cluster/conformance` asks for one.
enum TestedProgram {
    private static let isReplica = ProcessInfo.processInfo.environment["REPLICAS"] != nil

    /// The settings by which a replica finds the database of a data directory, which is made if it is not there.
    static func settings(of data: String) throws -> [String: String] {
        guard isReplica else { return [:] }
        let place = try BuiltProgram("widgetd").run(["place", "--data", data])
        let lines = place.output.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        return Dictionary(lines.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    /// - Parameter program: `widgetd`, for the program whose promises are asked, or `widgetd-cluster`.
    static func server(
        _ program: String, _ arguments: [String], on terminal: Terminal, in world: World,
        _ prepare: (inout ServerStart) -> Void
    ) throws(StartRefusal) -> RunningServer {
        isReplica || program == "widgetd-cluster"
            ? try WidgetdCluster.server(arguments, on: terminal, in: world, prepare)
            : try Widgetd.server(arguments, on: terminal, in: world, prepare)
    }

    static func run(_ arguments: [String], on terminal: Terminal, in world: World) -> ExitCode {
        isReplica
            ? WidgetdCluster.run(arguments, on: terminal, in: world) : Widgetd.run(arguments, on: terminal, in: world)
    }
}
