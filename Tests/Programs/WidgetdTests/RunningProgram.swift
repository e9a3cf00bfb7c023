import CWidgetLinux
import CellSupport
import CommandSupport
import ConformanceSupport
import Foundation
import Glibc
import ServerCommands
import WidgetAddresses
import WidgetSockets
import WidgetSurroundings
import WidgetTestSupport

/// A server on a free port of loopback with a temporary data directory: in this process, or as the built program where a
/// process is the subject.
final class RunningProgram {
    private let server: TestedServer
    let endpoint: Endpoint
    private let folder: URL

    /// - Parameters:
    ///   - data: a directory that stays; without it the server has a temporary one, for as long as it runs.
    ///   - place: where it runs; here, unless there is a prelude.
    ///   - clock: its time, which the test moves (``passes(_:)``); the machine's if `nil`.
    ///   - prelude: shell commands to run first, such as `ulimit -n 64`.
    ///   - executable: the file that a server here starts its own processes from; cells are in this process if `nil`.
    init(
        _ arguments: [String] = [], data: String? = nil, environment: [String: String] = [:],
        in place: TestedServer.Place = .here, clock: ManualClock? = nil, prelude: String? = nil,
        executable: String? = nil
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-\(UUID().uuidString)")
        let data = data ?? folder.appending(path: "data").path
        server = try TestedServer(
            ["serve", "--listen", "127.0.0.1:0", "--data", data] + arguments,
            ["WIDGETD_LIMITS_DISK_RESERVE": "0"].merging(environment) { $1 }, data: data, in: place, clock: clock,
            prelude: prelude, executable: executable)
        endpoint = try Endpoint(server.address)
    }

    deinit {
        server.killAtOnce()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The output before it was ready.
    var greeting: String { server.greeting }

    /// The port of the listener for operators.
    var adminPort: String { String(server.adminAddress?.split(separator: ":").last ?? "") }

    /// The text of `/metrics`; empty without a listener for operators.
    var metrics: String {
        guard let address = server.adminAddress, let endpoint = try? Endpoint(address) else { return "" }
        let request = Array("GET /metrics HTTP/1.0\r\nHost: x\r\n\r\n".utf8)
        let answer = (try? Probe.exchange(request, with: endpoint, seconds: 0)) ?? []
        let text = String(decoding: answer, as: UTF8.self)
        return text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? ""
    }

    var process: ChildProcess { server.process }

    /// The server's log so far.
    var log: String { server.log }

    func passes(_ duration: Duration) { server.passes(duration) }

    func signal(_ number: Int32) { server.signal(number) }

    /// The exit code, once the server has ended.
    func wait() -> Int32 { server.waitUntilExit() }

    /// The lines that a program has said of itself.
    var said: [String] { server.said }

    /// The next line that a program says of itself.
    func notice() -> String? { server.notice() }

    /// True once the log holds `text`.
    func logs(_ text: String) -> Bool { server.logs(text) }

    /// True once connections are refused.
    func refuses() -> Bool { eventually { Client(endpoint) == nil } }

    /// The answer to one request on a new connection, as text.
    func get(_ path: String, _ fields: String = "") throws -> String {
        let request = "GET \(path) HTTP/1.1\r\nHost: x\r\n\(fields)Connection: close\r\n\r\n"
        return String(decoding: try Probe.exchange(Array(request.utf8), with: endpoint, seconds: 0), as: UTF8.self)
    }
}

/// The program `widgetd`.
enum Program {
    private static let called = CalledProgram("widgetd") { Widgetd.run($0, on: $1, in: $2) }
    /// The program in a process, for what only a process has.
    static let built = BuiltProgram("widgetd")
    static let url = built.url

    /// Runs a command to its end in this process, in an empty environment but for what is given. A cell that it asks what
    /// confines it is in this process, too.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], clock: (any Clock)? = nil
    ) throws -> BuiltProgram.Result {
        try called.run(
            arguments, environment: environment, clock: clock,
            programs: CalledCell.programs(reviewedBy: ProgramReview()))
    }
}

/// A connection that a test opens, writes to and forgets; closed with the last reference.
final class Client {
    let socket: Int32

    init?(_ endpoint: Endpoint) {
        guard case .ip(let address, let port) = endpoint else { return nil }
        socket = linux_blocking_socket(AF_INET)
        guard socket >= 0 else { return nil }
        _ = linux_set_timeouts(socket, 10)
        let bytes = address.bytes
        let result = unsafe withUnsafeBytes(of: bytes) { unsafe linux_connect_ip(socket, $0.baseAddress, 1, port) }
        guard result == 0 else {
            close(socket)
            return nil
        }
    }

    deinit {
        close(socket)
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe linux_send(socket, bytes, bytes.count, 0)
    }

    /// The bytes that arrive next, at most 64 KiB; empty at the end.
    func receive() -> String {
        var room = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(socket, &room, room.count, 0)
        return count > 0 ? String(decoding: room[..<count], as: UTF8.self) : ""
    }
}
