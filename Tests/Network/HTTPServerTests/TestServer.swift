import Addresses
import Bytes
import CLinux
import Dispatch
import Glibc
import HTTPWire
import Logging
import Sockets
import TestSupport

@testable import HTTPServer

/// A server in this process on a port of the system's choice, with routes that do everything a route can do.
final class TestServer: Sendable {
    let server: Server
    let routes = TestRoutes()
    let log = LogCollector()

    init(
        _ limits: ServerLimits = ServerLimits(), workers: Int = 1, at address: String = "127.0.0.1:0",
        logsRequests: Bool = false
    ) throws {
        var all = Routes()
        all.get("/livez") { _ in .response(Response(.ok, body: Array("well".utf8))) }
        routes.add(to: &all)
        server = try Server(
            listeners: [ServerListener(try Endpoint(address), routes: all)], limits: limits, workers: workers,
            serverName: "widgetd", logger: Logger(level: .info, format: .json, sink: log.write),
            logsRequests: logsRequests, explain: TestProblems.problem)
        server.start()
    }

    deinit {
        server.stop()
        // What still waits to be answered knows the server, whose routes know what waits.
        finishPending()
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
    /// Deadlines short enough for tests that wait for them.
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
    private let collected = Guarded<[UInt8]>([])

    @Sendable func write(_ bytes: [UInt8]) -> Int {
        collected.withLock { $0 += bytes }
        return bytes.count
    }

    var lines: [String] {
        String(decoding: collected.withLock { $0 }, as: UTF8.self).split(separator: "\n").map(String.init)
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

    /// True once every connection is gone, and every request that was begun has been counted as ended.
    func comesToRest() -> Bool {
        eventually {
            finishPending()
            return server.connectionCount == 0
                && onEachLoop { $0.table.count == 0 && $0.counters.value(.begun) == $0.counters.value(.ended) }
                    .allSatisfy { $0 }
        }
    }

    /// Slots between requests that keep more than a slot.
    func heavyIdleConnections() -> Int {
        onEachLoop { loop in
            (0..<loop.table.highWater).count { loop.table[$0].state.phase == .idle && loop.table[$0].activity != nil }
        }.reduce(0, +)
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
