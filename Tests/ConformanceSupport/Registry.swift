internal import Foundation
internal import Glibc
package import TestSupport

/// A built `widgetd`, serving on a free port of loopback.
package final class Registry: Sendable {
    package struct DidNotStart: Error, CustomStringConvertible {
        package let description: String
    }

    /// What every server of these tests takes as its first token.
    package static let adminToken = "conformance-admin-token-0123456789abcdef"

    /// What makes a test server.
    private static let settings = [
        "WIDGETD_LIMITS_DISK_RESERVE": "0", "WIDGETD_RATE_LIMIT": "off", "WIDGETD_ADMIN_TOKEN": adminToken,
    ]

    /// In place of a value: the variable is not set at all.
    package static let none = ""

    package let home: Home
    package let port: UInt16
    package let adminPort: UInt16
    package let process = ChildProcess()
    private let errorFile: URL

    /// - Parameters:
    ///   - home: where its data are; a fresh folder unless there has been a server before.
    ///   - environment: settings, besides those that make a test server.
    ///   - prelude: shell commands to run first, such as `ulimit -n 64`.
    ///   - path: what answers 200 once the server is as the test wants it.
    package init(
        home: Home? = nil, _ environment: [String: String] = [:], arguments: [String] = [], prelude: String = ":",
        when path: String = "/readyz"
    ) throws {
        let home = try home ?? Home()
        self.home = home
        let run = UUID().uuidString
        let outputFile = home.folder.appending(path: "stdout-\(run)")
        errorFile = home.folder.appending(path: "stderr-\(run)")
        for file in [outputFile, errorFile] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments =
            [
                "-c", "\(prelude); exec \"$0\" \"$@\"", BuiltProgram("widgetd").url.path, "serve", "--listen",
                "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--data", home.data.path,
            ] + arguments
        process.environment = BuiltProgram.environment(
            Registry.settings.merging(environment) { $1 }.filter { $0.value != Registry.none })
        process.standardOutput = try .handle(FileHandle(forWritingTo: outputFile))
        process.standardError = try .handle(FileHandle(forWritingTo: errorFile))
        process.standardInput = .nothing
        try process.run()
        home.serves(process.processIdentifier)
        guard let (port, adminPort) = Registry.ports(in: outputFile, while: process) else {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let words = (try? String(contentsOf: errorFile, encoding: .utf8)) ?? ""
            throw DidNotStart(description: "\(words)(status \(process.terminationStatus))")
        }
        (self.port, self.adminPort) = (port, adminPort)
        guard try answers(path) else { throw DidNotStart(description: "it does not become ready: \(log)") }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        home.serves(nil)
    }

    /// Where it says it serves, and where operators are served.
    private static func ports(in file: URL, while process: ChildProcess) -> (UInt16, UInt16)? {
        for _ in 0..<3_000 {
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            if let port = text.firstMatch(of: /serving on +http:\/\/127\.0\.0\.1:(\d+)/).flatMap({ UInt16($0.1) }),
                let admin = text.firstMatch(of: /metrics at +http:\/\/127\.0\.0\.1:(\d+)/).flatMap({ UInt16($0.1) })
            {
                return (port, admin)
            }
            guard process.isRunning else { return nil }
            usleep(10_000)
        }
        return nil
    }

    private func answers(_ path: String) throws -> Bool {
        for _ in 0..<1_000 {
            if try get(path).status == 200 { return true }
            guard process.isRunning else { return false }
            usleep(10_000)
        }
        return false
    }

    // MARK: The process

    /// What the server has logged so far.
    package var log: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

    /// Waits until the log holds `text`; false after ten seconds.
    package func logs(_ text: String) -> Bool {
        for _ in 0..<1_000 {
            if log.contains(text) { return true }
            usleep(10_000)
        }
        return false
    }

    package func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Ends it as a power switch would, and waits for that.
    package func killAtOnce() {
        signal(SIGKILL)
        process.waitUntilExit()
    }

    /// Starts a server and ends it at once, whatever it has come to by then.
    package static func startAndKill(home: Home, afterMicroseconds delay: UInt32) throws {
        let process = ChildProcess()
        process.executableURL = BuiltProgram("widgetd").url
        process.arguments = ["serve", "--listen", "127.0.0.1:0", "--data", home.data.path]
        process.environment = BuiltProgram.environment(settings)
        process.standardOutput = .nothing
        process.standardError = .nothing
        process.standardInput = .nothing
        try process.run()
        home.serves(process.processIdentifier)
        usleep(delay)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        home.serves(nil)
    }

    // MARK: Requests

    package var url: String { "http://127.0.0.1:\(port)" }

    package func connect() throws -> Conversation { Conversation(try RawConnection(port: port)) }

    /// One request on a connection of its own. What breaks a rule that all answers keep is an error.
    ///
    /// - Parameters:
    ///   - fields: header lines without their ends.
    ///   - token: sent as a bearer token.
    package func ask(
        _ method: String, _ target: String, _ fields: [String] = [], body: [UInt8]? = nil, token: String? = nil
    ) throws -> WireAnswer {
        let conversation = try connect()
        conversation.connection.send(Registry.request(method, target, fields, body: body, token: token))
        return try conversation.next(isHead: method == "HEAD")
    }

    package static func request(
        _ method: String, _ target: String, _ fields: [String] = [], body: [UInt8]? = nil, token: String? = nil
    ) -> [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: registry.test"]
        if let token { lines.append("Authorization: Bearer \(token)") }
        if let body { lines.append("Content-Length: \(body.count)") }
        lines += fields
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? [])
    }

    package func get(_ target: String, _ fields: String..., token: String? = nil) throws -> WireAnswer {
        try ask("GET", target, fields, token: token)
    }

    package func head(_ target: String, _ fields: String..., token: String? = nil) throws -> WireAnswer {
        try ask("HEAD", target, fields, token: token)
    }

    /// A request with a JSON document, by the administrator.
    package func write(
        _ method: String, _ target: String, _ json: String? = nil, _ fields: String...,
        token: String? = Registry.adminToken
    ) throws -> WireAnswer {
        let type = json == nil ? [] : ["Content-Type: application/json"]
        return try ask(method, target, type + fields, body: json.map { Array($0.utf8) }, token: token)
    }
}
