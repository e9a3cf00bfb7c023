import Addresses
import Bytes
import HTTPServer
import HTTPWire
import Logging
import RegistryServer
import Sockets
import TestSupport

/// A server in this process on a port of the system's choice, with routes that do everything a route can do.
final class TestServer: Sendable {
    let server: Server
    let routes = TestRoutes()
    let log = LogCollector()

    init(
        _ limits: ServerLimits = ServerLimits(), workers: Int = 1, at address: String = "127.0.0.1:0",
        logsRequests: Bool = false
    ) throws {
        let operation = RegistryServer.Operation(readiness: ReadinessChecks([])) {
            RegistryDescription(server: "test", limits: [], keptFiles: [], snapshotChannels: [], reads: "public")
        }
        var all = Routes()
        operation.add(to: &all)
        routes.add(to: &all)
        server = try Server(
            listeners: [ServerListener(try Endpoint(address), routes: all)], limits: limits, workers: workers,
            serverName: "widgetd", logger: Logger(level: .info, format: .json, sink: log.write),
            logsRequests: logsRequests, explain: { ProblemCatalogue.problem($0) })
        server.start()
    }

    deinit {
        server.stop()
        // What still waits to be answered knows the server, whose routes know what waits.
        letGo()
    }

    var port: UInt16 {
        guard case .ip(_, let port) = server.endpoints[0] else { return 0 }
        return port
    }

    func connect(receiveBuffer: Int32? = nil) throws -> Conversation {
        Conversation(try RawConnection(port: port, receiveBuffer: receiveBuffer))
    }

    /// Asks one question over a connection of its own.
    func ask(_ request: String, isHead: Bool = false) throws -> WireAnswer {
        try connect().ask(request, isHead: isHead)
    }

    func get(_ path: String, _ fields: String = "") throws -> WireAnswer {
        try ask("GET \(path) HTTP/1.1\r\nHost: test\r\n\(fields)\r\n")
    }

    /// Whether the server, asked now, is well.
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
