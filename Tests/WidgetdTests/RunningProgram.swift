import Foundation
import Glibc
import Sockets
import TestSupport

/// The built server, running on a free port of loopback with a data directory of its own.
final class RunningProgram {
    struct DidNotStart: Error {
        let error: String
    }

    let process = ChildProcess()
    let endpoint: Endpoint
    /// What it printed before it was ready.
    let greeting: String
    private let folder: URL
    private let errorFile: URL

    /// - Parameters:
    ///   - prelude: shell commands to run first, such as `ulimit -n 64`.
    ///   - data: a directory that stays; without it the server has one of its own, for as long as it runs.
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

    /// What the server has logged so far.
    var log: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

    func signal(_ number: Int32) {
        kill(process.processIdentifier, number)
    }

    /// The exit code, once the program has ended.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Waits until the log holds `text`; false after ten seconds.
    func logs(_ text: String) -> Bool {
        for _ in 0..<1_000 {
            if log.contains(text) { return true }
            usleep(10_000)
        }
        return false
    }

    /// Waits until nobody can connect any more; false after ten seconds.
    func refuses() -> Bool {
        for _ in 0..<1_000 {
            if Client(endpoint) == nil { return true }
            usleep(10_000)
        }
        return false
    }

    /// Processor time the server has used, in clock ticks.
    var processorTicks: Int {
        let stat = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)) ?? ""
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int(fields[11]), let system = Int(fields[12]) else { return 0 }
        return user + system
    }

    /// One request on a connection of its own, as text.
    func get(_ path: String, _ fields: String = "") throws -> String {
        let request = "GET \(path) HTTP/1.1\r\nHost: x\r\n\(fields)Connection: close\r\n\r\n"
        return String(decoding: try Probe.exchange(Array(request.utf8), with: endpoint, seconds: 10), as: UTF8.self)
    }
}
