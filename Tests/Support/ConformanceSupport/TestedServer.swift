internal import CellSupport
internal import Foundation
internal import Glibc
internal import ServerCommands
internal import Synchronization
internal import Testing
internal import WidgetCells
internal import WidgetConsole
internal import WidgetProcesses
internal import WidgetSockets
package import WidgetSurroundings
package import WidgetTestSupport

/// A server that a test started: in the test's own process, or as a program where a process is what the test is about.
package final class TestedServer: Sendable {
    package struct DidNotStart: Error, CustomStringConvertible {
        /// Its text on standard error, and its exit code.
        package let description: String
        /// The lines of its handshake.
        package var said: [String] = []
    }

    /// The place where a server runs.
    package enum Place: Sendable {
        /// The test's process.
        case here
        /// A process for itself, which can be killed and stopped.
        case process
    }

    private struct Here {
        var server: RunningServer?
        var code: Int32 = 0
    }

    /// The addresses of the first listener for clients, and of that for operators.
    package let (address, adminAddress): (String, String?)
    private let data: String
    private let lines = ServerLog()
    private let firstOutput = FirstOutput()
    private let here = Mutex(Here())
    private let program: ServerProcess?
    private let clock: ManualClock?

    /// - Parameters:
    ///   - arguments: those of the program, the command `serve` with them.
    ///   - environment: the whole of it, but for how a sanitizer reports.
    ///   - data: the data directory that the arguments name.
    ///   - place: where it runs; for `widgetd` here, unless the other parameters need a process.
    ///   - clock: its time, which the test moves (``passes(_:)``); the machine's if `nil`.
    ///   - prelude: shell commands to run first, such as `ulimit -n 64`.
    ///   - executable: the file that a server here starts its own processes from, which review bundles. If `nil`, it reviews
    ///     them itself, or in cells of this process where the environment has the setting of reviews.
    package init(
        _ arguments: [String], _ environment: [String: String], data: String, in place: Place? = nil,
        clock: ManualClock? = nil, prelude: String? = nil, program: String = "widgetd", executable: String? = nil
    ) throws {
        self.data = data
        self.clock = clock
        let needsProcess =
            (place ?? (program == "widgetd" ? .here : .process)) == .process || prelude != nil
            || (clock == nil && BuiltProgram.isOther(program))
            || environment.keys.contains { !$0.hasPrefix("WIDGETD_") }
        precondition(clock == nil || !needsProcess, "the clock of a process is the machine's")
        guard needsProcess else {
            self.program = nil
            // A mirror has no database.
            let own = program == "widgetd" ? try TestedProgram.settings(of: data) : [:]
            let server = try TestedServer.started(
                program, arguments, environment.merging(own) { $1 }, clock, executable, firstOutput, lines)
            here.withLock { $0.server = server }
            address = server.publicEndpoints.first?.description ?? ""
            adminAddress = server.adminEndpoints.first?.description
            return
        }
        let process = try ServerProcess(
            program, arguments, environment: environment, prelude: prelude, output: firstOutput, log: lines)
        self.program = process
        guard let addresses = process.ready(), let address = addresses["ready"] else {
            // It has closed the descriptor, and so ends by itself. Killed now, it might not have said why.
            throw DidNotStart(
                description: "\(process.remainder())(status \(process.process.terminationStatus))", said: process.said)
        }
        self.address = address
        adminAddress = addresses["admin"]
    }

    /// The settings by which a server that is a process starts no others.
    package static let withoutCells = ["WIDGETD_POLICY_REVIEWS_SCREENS": "off"]
    /// Of servers whose clock a test moves: scheduled work would begin whenever it leaps.
    private static let steady = [
        "WIDGETD_HOUSEKEEPING_COLLECT_EVERY": "0s", "WIDGETD_HOUSEKEEPING_SCRUB_EVERY": "0s",
    ]

    /// Starts a server in this process.
    private static func started(
        _ program: String, _ arguments: [String], _ environment: [String: String], _ clock: ManualClock?,
        _ executable: String?,
        _ output: FirstOutput, _ log: ServerLog
    ) throws -> RunningServer {
        // A review, and a server that learns what confines one, would each start a cell.
        let reviewsHere = executable == nil && environment["WIDGETD_POLICY_REVIEWS_SCREENS"] == nil
        let terminal = Terminal(
            output: TerminalStream { output.add($0) }, error: TerminalStream { log.write($0) },
            environment: (clock == nil ? [:] : steady).merging(environment) { $1 },
            executable: executable ?? BuiltProgram(program).url.path)
        do throws(StartRefusal) {
            let server = try TestedProgram.server(
                program, arguments, on: terminal, in: World(clock: clock ?? SystemClock())
            ) {
                $0.reviewsHere = reviewsHere
                if executable == nil {
                    $0.cells = CellStart { () throws(CellEnd) in try CalledCell(reviewer: ProgramReview()) }
                }
            }
            server.start()
            return server
        } catch {
            throw DidNotStart(description: "\(error.text)\(log.text)(status \(error.code.rawValue))")
        }
    }

    deinit { killAtOnce() }

    package var isHere: Bool { program == nil }

    /// Its first output.
    package var greeting: String { firstOutput.text }

    // MARK: Time

    /// Lets time pass, for a server that was given a clock.
    package func passes(_ duration: Duration) {
        guard let clock else { preconditionFailure("the server has the machine's clock") }
        clock.advance(by: duration)
    }

    // MARK: The log

    /// The log so far.
    package var log: String { lines.text }

    /// True once the log holds `text`.
    package func logs(_ text: String) -> Bool { lines.waits { lines.text.contains(text) } }

    /// True once the condition holds, which is asked after each line of the log.
    package func logs(_ condition: () throws -> Bool) rethrows -> Bool { try lines.waits(until: condition) }

    // MARK: The end

    /// The program, for a server that is one.
    package var process: ChildProcess {
        guard let program else { preconditionFailure("the server is in this process") }
        return program.process
    }

    /// The lines that a program has said of itself, those up to `ready` with them.
    package var said: [String] { program?.said ?? [] }

    /// The next line that a program has said of itself; `nil` once it says nothing more.
    package func notice() -> String? { program?.notice() }

    /// Sends a signal: to the program, or what it means to a server in this process.
    package func signal(_ number: Int32) {
        guard program == nil else {
            kill(process.processIdentifier, number)
            return
        }
        func server() -> RunningServer? { here.withLock { $0.server } }
        switch number {
        case SIGTERM, SIGINT: server()?.stop()
        case SIGHUP: server()?.reload()
        case SIGKILL: killAtOnce()
        default: preconditionFailure("a server in this process has no signal \(number)")
        }
    }

    /// Waits for the end that a signal has begun.
    ///
    /// - Returns: the exit code, or the number of the signal that has ended the program.
    @discardableResult
    package func waitUntilExit() -> Int32 {
        if let program { return program.waitUntilExit() }
        if let code = here.withLock({ $0.server })?.wait().rawValue {
            here.withLock { $0.code = code }
            // Nothing is left but to release its parts.
            killAtOnce()
        }
        return here.withLock { $0.code }
    }

    /// Kills the server without notice, and waits for its end.
    package func killAtOnce() {
        if let program {
            _ = program.kill()
            return
        }
        let isMine = here.withLock { here in
            defer { here.server = nil }
            here.server?.abandon()
            return here.server != nil
        }
        guard isMine else { return }
        StoreLock.awaitRelease(of: data)
        lines.end()
    }
}

/// The text that a server prints when it starts.
final class FirstOutput: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

    func add(_ more: [UInt8]) -> Int {
        bytes.withLock { $0 += more }
        return more.count
    }
}

/// The lock of a data directory.
private enum StoreLock {
    /// Waits until no server of this process uses the directory: work that a killed one had begun ends first.
    static func awaitRelease(of data: String) {
        let released = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            // The path is copied for the call.
            let file = unsafe open("\(data)/lock", O_RDWR | O_CLOEXEC)
            if file >= 0 {
                _ = flock(file, LOCK_EX)
                _ = flock(file, LOCK_UN)
                close(file)
            }
            released.signal()
        }
        if released.wait(timeout: .now() + .seconds(60)) != .success {
            Issue.record("something of an ended server still has \(data)")
        }
    }
}
