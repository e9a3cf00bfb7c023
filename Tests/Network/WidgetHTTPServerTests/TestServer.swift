import CWidgetLinux
import Dispatch
import Glibc
import HTTPWire
import WidgetAddresses
import WidgetBytes
import WidgetLogging
import WidgetSockets
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetHTTPServer

/// A server in this process on a port of the system's choice, with routes that do everything a route can do.
///
/// Its time passes only when the test moves its clock.
final class TestServer: Sendable {
    let server: Server
    let clock = ManualClock()
    let routes = TestRoutes()
    let log = LogCollector()

    init(
        _ limits: ServerLimits = ServerLimits(), workers: Int = 1, at address: String = "127.0.0.1:0",
        logsRequests: Bool = false, isTimed: Bool = true
    ) throws {
        var all = Routes()
        all.get("/livez") { _ in .response(Response(.ok, body: Array("well".utf8))) }
        routes.add(to: &all)
        server = try Server(
            listeners: [ServerListener(try Endpoint(address), routes: all)], limits: limits, workers: workers,
            serverName: "widgetd", logger: Logger(level: .info, format: .json, sink: log.write),
            logsRequests: logsRequests, in: isTimed ? World(clock: clock) : .machine, explain: TestProblems.problem)
        server.start()
    }

    deinit {
        server.stop()
        // What still waits to be answered knows the server, whose routes know what waits.
        finishesPending(true)
        finishesPending(false)
    }

    var port: UInt16 {
        guard case .ip(_, let port) = server.endpoints[0] else { return 0 }
        return port
    }

    func connect(receiveBuffer: Int32? = nil) throws -> Conversation {
        Conversation(try RawConnection(port: port, receiveBuffer: receiveBuffer))
    }

    /// Sends one request over a new connection.
    func ask(_ request: String, isHead: Bool = false) throws -> WireAnswer {
        try connect().ask(request, isHead: isHead)
    }

    func get(_ path: String, _ fields: String = "") throws -> WireAnswer {
        try ask("GET \(path) HTTP/1.1\r\nHost: test\r\n\(fields)\r\n")
    }

    /// True if the server answers that it is alive.
    func isWell() -> Bool { (try? get("/livez"))?.status == 200 }
}

extension ServerLimits {
    /// Deadlines of little more than a tick.
    static var impatient: ServerLimits {
        var limits = ServerLimits()
        limits.headTimeout = .milliseconds(300)
        limits.rateWindow = .milliseconds(300)
        limits.bodyRate = 10_000
        limits.idleTimeout = .milliseconds(300)
        limits.lingerTimeout = .milliseconds(600)
        return limits
    }
}

/// Keeps log lines.
final class LogCollector: Sendable {
    private let collected = Observed<[UInt8]>([])

    @Sendable func write(_ bytes: [UInt8]) -> Int {
        collected.withLock { $0 += bytes }
        return bytes.count
    }

    var lines: [String] { LogCollector.lines(collected.withLock { $0 }) }

    /// Blocks until the lines are as the condition says.
    func reaches(_ isReached: ([String]) -> Bool) -> Bool {
        collected.reaches { isReached(LogCollector.lines($0)) }
    }

    private static func lines(_ bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

extension TestServer {
    /// Hands the first loop a connection that seems to come from somewhere else, with what has been said there.
    func connect(from peer: IPAddress, saying text: String = "", sendBuffer: Int32? = nil) throws -> Conversation {
        guard let (ours, theirs) = RawConnection.pair() else { throw Conversation.NoAnswer(description: "no sockets") }
        _ = linux_set_nonblocking(theirs)
        if let sendBuffer { _ = linux_set_option(theirs, SOL_SOCKET, SO_SNDBUF, sendBuffer) }
        let connection = RawConnection(adopting: ours)
        connection.send(text)
        let loop = server.loops[0]
        loop.loop.perform { loop.accepted(.plain(theirs), from: peer, listener: 0) }
        return Conversation(connection)
    }

    /// Looks at something on every loop's own thread.
    func onEachLoop<Result: Sendable>(_ look: @escaping @Sendable (ServerLoop) -> Result) -> [Result] {
        server.loops.map { loop in
            let answer = Waiting<Result>()
            loop.loop.perform { answer.put(look(loop)) }
            guard let result = answer.take() else { fatalError("a loop does not answer") }
            return result
        }
    }

    /// Blocks until the condition holds for each loop at the end of one of its turns.
    ///
    /// - Returns: false if it does not within a minute.
    func reaches(_ isReached: @escaping @Sendable (ServerLoop) -> Bool) -> Bool {
        reaches(isReached) { !$0.contains(false) }
    }

    /// Blocks until the condition holds for what the loops were at the end of their turns.
    func reaches<State: Sendable>(
        _ look: @escaping @Sendable (ServerLoop) -> State, _ isReached: ([State]) -> Bool
    ) -> Bool {
        let states = Observed([State?](repeating: nil, count: server.loops.count))
        for (index, loop) in server.loops.enumerated() {
            loop.loop.perform {
                // The loop's turn ends after this.
                loop.turnEnded = { [unowned loop] in
                    let state = look(loop)
                    states.withLock { $0[index] = state }
                }
            }
        }
        defer { for loop in server.loops { loop.loop.perform { loop.turnEnded = nil } } }
        return states.reaches { states in
            let known = states.compactMap { $0 }
            return known.count == states.count && isReached(known)
        }
    }

    /// Blocks until each loop has ended a turn that began after this call.
    func turn() {
        for loop in server.loops {
            let isOver = DispatchSemaphore(value: 0)
            loop.loop.perform { loop.loop.perform { isOver.signal() } }
            isOver.wait()
        }
    }

    /// The turns that the first loop makes while it is asked for so many, each of which takes it one or two.
    func turnsOfFirstLoop(whileAsked count: Int) -> Int {
        let turns = Guarded(0)
        let loop = server.loops[0]
        loop.loop.perform { loop.turnEnded = { turns.withLock { $0 += 1 } } }
        defer { loop.loop.perform { loop.turnEnded = nil } }
        turn()
        let before = turns.withLock { $0 }
        for _ in 0..<count { turn() }
        return turns.withLock { $0 } - before
    }

    /// Moves the clock on, and has the loops see it.
    func pass(_ duration: Duration) {
        clock.advance(by: duration)
        turn()
    }

    /// Returns true as soon as all connections are gone while time passes, tick by tick.
    func endsAll(within duration: Duration) -> Bool {
        let tick = Duration.milliseconds(EventLoop.tickMilliseconds)
        let end = clock.passed + duration
        while clock.passed < end, server.connectionCount > 0 || !isAtRest() { pass(tick) }
        return settles()
    }

    private func isAtRest() -> Bool { onEachLoop { $0.isAtRest }.allSatisfy { $0 } }

    /// True once every connection is gone, and every request that was begun has been counted as ended.
    func settles() -> Bool {
        finishesPending(true)
        defer { finishesPending(false) }
        return reaches { $0.isAtRest } && server.connectionCount == 0
    }
}

extension ServerLoop {
    var isAtRest: Bool { table.count == 0 && counters.value(.begun) == counters.value(.ended) }

    /// The number of slots between requests that keep more than a slot.
    var heavyIdleConnections: Int {
        (0..<table.highWater).count { table[$0].state.phase == .idle && table[$0].activity != nil }
    }
}

extension TestServer {
    /// The connections that are left, for a test that finds more than it should.
    var remains: [String] {
        let listening = port
        return onEachLoop { loop in
            (0..<loop.table.highWater).filter { loop.table.isOpen($0) }.map { slot in
                let connection = loop.table[slot]
                let (state, activity) = (connection.state, connection.activity)
                return "\(state.phase) marks \(state.marks.rawValue) progress \(state.progress) "
                    + "input \(activity?.input.count ?? -1) pending \(activity?.output.byteCount ?? -1) "
                    + "body \(activity?.exchange?.body != nil) "
                    + "socket \(Shell.run("ss -tnoie state all sport = :\(listening) | grep -v LISTEN").output)"
            }
        }.flatMap { $0 }
    }
}

/// The memory of the process, for tests that run in a separate one.
func residentBytes() -> Int { Int(linux_resident_bytes()) }

func openDescriptors() -> Int { Int(linux_open_descriptors()) }

/// Says why on standard error, which the child shares with its parent.
func exitWithFailure(_ reason: String = "") -> Never {
    let bytes = Array(reason.utf8)
    _ = unsafe write(2, bytes, bytes.count)
    exit(1)
}
