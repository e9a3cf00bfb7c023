internal import Foundation
internal import Glibc
package import WidgetSurroundings
package import WidgetTestSupport

/// A `widgetd` that serves on free ports of loopback, and an administrator's token for it.
package final class Registry: Sendable {
    package typealias DidNotStart = TestedServer.DidNotStart

    /// The first token of every server of these tests.
    package static let adminToken = GivenRegistry.token ?? "conformance-admin-token-0123456789abcdef"

    /// The settings of a test server.
    private static let settings = [
        "WIDGETD_LIMITS_DISK_RESERVE": "0", "WIDGETD_RATE_LIMIT": "off", "WIDGETD_ADMIN_TOKEN": adminToken,
    ]

    /// In place of a value: the variable is not set at all.
    package static let none = ""

    package let home: Home
    package let port: UInt16
    package let adminPort: UInt16
    /// `nil` for a registry elsewhere.
    private let server: TestedServer?
    /// The server that answers reads, in runs that try a mirror.
    let reads: MirroredReads?

    /// - Parameters:
    ///   - home: the folder of its data; a new one unless an earlier server's is given.
    ///   - environment: settings, besides those of every test server.
    ///   - place: where it runs; for `widgetd` here, unless the other parameters need a process.
    ///   - clock: its time, which the test moves (``passes(_:)``); the machine's if `nil`.
    ///   - prelude: shell commands to run first, such as `ulimit -n 64`.
    ///   - executable: the file that a server here starts its cells from; they are in this process if `nil`.
    ///   - path: a path that answers 200 from the beginning.
    package init(
        home: Home? = nil, _ environment: [String: String] = [:], arguments: [String] = [],
        in place: TestedServer.Place? = nil, clock: ManualClock? = nil, prelude: String? = nil,
        program: String = "widgetd", executable: String? = nil, when path: String = "/readyz"
    ) throws {
        try GivenRegistry.requireNone("a server for itself")
        let home = try home ?? Home()
        self.home = home
        reads = MirroredReads(program, environment)
        let server = try TestedServer(
            ["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", home.data.path] + arguments,
            Registry.settings.merging(environment) { $1 }.filter { $0.value != Registry.none }, data: home.data.path,
            in: place, clock: clock, prelude: prelude, program: program, executable: executable)
        self.server = server
        port = Registry.port(of: server.address)
        adminPort = Registry.port(of: server.adminAddress)
        guard try direct("GET", path).status == 200 else { throw DidNotStart(description: "it is not ready: \(log)") }
    }

    /// The registry that was given.
    init(at port: UInt16) throws {
        home = try Home()
        reads = nil
        server = nil
        self.port = port
        adminPort = 0
    }

    private static func port(of address: String?) -> UInt16 {
        address?.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
    }

    /// True if the server is in the test's process.
    var isHere: Bool { server?.isHere ?? false }

    /// Its first output.
    package var greeting: String { server?.greeting ?? "" }

    /// Lets time pass, for a server that was given a clock.
    package func passes(_ duration: Duration) { server?.passes(duration) }

    /// The server's log so far.
    package var log: String { server?.log ?? "" }

    /// True once the log holds `text`.
    package func logs(_ text: String) -> Bool { server?.logs(text) ?? false }

    /// True once the condition holds, which is asked after each line of the log.
    package func logs(_ condition: () throws -> Bool) rethrows -> Bool { try server?.logs(condition) ?? false }

    /// The program, for a server that is one.
    package var process: ChildProcess { server?.process ?? ChildProcess() }

    /// The next line that a program has said of itself; `nil` once it says nothing more.
    package func notice() -> String? { server?.notice() }

    /// Sends a signal: to the program, or what it means to a server in this process.
    package func signal(_ number: Int32) { server?.signal(number) }

    /// Waits for the end that a signal has begun.
    ///
    /// - Returns: the exit code.
    @discardableResult
    package func waitUntilExit() -> Int32 { server?.waitUntilExit() ?? 0 }

    /// Kills the server without notice, and waits for its end.
    package func killAtOnce() { server?.killAtOnce() }

    /// Starts a server and kills it after a delay, at any point of its start.
    package static func startAndKill(home: Home, after delay: Duration) throws {
        let process = ChildProcess()
        process.executableURL = BuiltProgram("widgetd").url
        process.arguments = ["serve", "--listen", "127.0.0.1:0", "--data", home.data.path]
        process.environment = BuiltProgram.environment(settings)
        process.standardOutput = .nothing
        process.standardError = .nothing
        process.standardInput = .nothing
        try process.run()
        HomeWatch.add(process.processIdentifier)
        _ = process.ends(within: delay)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        HomeWatch.remove(process.processIdentifier)
    }
}
