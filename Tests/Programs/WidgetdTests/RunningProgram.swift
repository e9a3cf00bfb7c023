import Addresses
import CLinux
import CommandSupport
import Foundation
import Glibc
import ServerCommands
import Sockets
import TestSupport

/// The built server, running on a free port of loopback with a temporary data directory.
final class RunningProgram {
    struct DidNotStart: Error {
        let error: String
    }

    let process = ChildProcess()
    let endpoint: Endpoint
    /// The output before it was ready.
    let greeting: String
    private let folder: URL
    private let errorFile: URL

    /// - Parameters:
    ///   - prelude: shell commands to run first, such as `ulimit -n 64`.
    ///   - data: a directory that stays; without it the server has a temporary one, for as long as it runs.
    init(
        _ arguments: [String] = [], data: String? = nil, environment: [String: String] = [:], prelude: String = "true"
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        errorFile = folder.appending(path: "stderr")
        _ = FileManager.default.createFile(atPath: errorFile.path, contents: nil)
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments =
            [
                "-c", "\(prelude); exec \"$0\" \"$@\"", Program.url.path, "serve", "--listen", "127.0.0.1:0", "--data",
                data ?? folder.appending(path: "data").path,
            ] + arguments
        process.environment = BuiltProgram.environment(
            ["WIDGETD_LIMITS_DISK_RESERVE": "0"].merging(environment) { $1 })
        let output = Pipe()
        process.standardOutput = .pipe(output)
        process.standardError = try .handle(FileHandle(forWritingTo: errorFile))
        process.standardInput = .nothing
        try process.run()
        var greeting = ""
        while !greeting.contains("publish:") {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            greeting += String(decoding: more, as: UTF8.self)
        }
        guard let match = greeting.firstMatch(of: /serving on  http:\/\/(\S+)/),
            let endpoint = try? Endpoint(String(match.1))
        else {
            process.terminate()
            throw DidNotStart(error: greeting + ((try? String(contentsOf: errorFile, encoding: .utf8)) ?? ""))
        }
        self.endpoint = endpoint
        self.greeting = greeting
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The server's log so far.
    var log: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

    func signal(_ number: Int32) {
        kill(process.processIdentifier, number)
    }

    /// The exit code, once the program has ended.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// True once the log holds `text`.
    func logs(_ text: String) -> Bool { eventually { log.contains(text) } }

    /// True once connections are refused.
    func refuses() -> Bool { eventually { Client(endpoint) == nil } }

    /// Processor time the server has used, in clock ticks.
    var processorTicks: Int {
        let stat = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)) ?? ""
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return 0 }
        return user + system
    }

    /// The answer to one request on a new connection, as text.
    func get(_ path: String, _ fields: String = "") throws -> String {
        let request = "GET \(path) HTTP/1.1\r\nHost: x\r\n\(fields)Connection: close\r\n\r\n"
        return String(decoding: try Probe.exchange(Array(request.utf8), with: endpoint, seconds: 10), as: UTF8.self)
    }
}

/// The program `widgetd`.
enum Program {
    private static let called = CalledProgram("widgetd") { Widgetd.run($0, on: $1, in: $2) }
    /// The program in a process, for what only a process has.
    static let built = BuiltProgram("widgetd")
    static let url = built.url

    /// Runs a command to its end in this process, in an empty environment but for what is given.
    static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> BuiltProgram.Result {
        try called.run(arguments, environment: environment)
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
