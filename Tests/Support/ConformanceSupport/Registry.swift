package import Foundation
internal import Glibc
package import JSONText
package import TestSupport

/// A built `widgetd`, or another server's program, serving on a free port of loopback.
package final class Registry: Sendable {
    package struct DidNotStart: Error, CustomStringConvertible {
        package let description: String
    }

    /// The first token of every server of these tests.
    package static let adminToken = "conformance-admin-token-0123456789abcdef"

    /// The settings of a test server.
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
    /// The server that answers reads, in runs that try a mirror.
    private let reads: MirroredReads?

    /// - Parameters:
    ///   - home: the folder of its data; a new one unless an earlier server's is given.
    ///   - environment: settings, besides those of every test server.
    ///   - prelude: shell commands to run first, such as `ulimit -n 64`.
    ///   - path: a path that answers 200 once the server is ready for the test.
    package init(
        home: Home? = nil, _ environment: [String: String] = [:], arguments: [String] = [], prelude: String = ":",
        program: String = "widgetd", when path: String = "/readyz"
    ) throws {
        let home = try home ?? Home()
        self.home = home
        reads = MirroredReads(program, environment)
        let run = UUID().uuidString
        let outputFile = home.folder.appending(path: "stdout-\(run)")
        errorFile = home.folder.appending(path: "stderr-\(run)")
        for file in [outputFile, errorFile] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments =
            [
                "-c", "\(prelude); exec \"$0\" \"$@\"", BuiltProgram(program).url.path, "serve", "--listen",
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

    /// The ports that the server prints: for clients and for operators.
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

    /// The server's log so far.
    package var log: String { (try? String(contentsOf: errorFile, encoding: .utf8)) ?? "" }

    /// True once the log holds `text`.
    package func logs(_ text: String) -> Bool { eventually { log.contains(text) } }

    package func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Kills the server without notice, and waits for its end.
    package func killAtOnce() {
        signal(SIGKILL)
        process.waitUntilExit()
    }

    /// Starts a server and kills it after a delay, at any point of its start.
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

    /// One request on a new connection. An answer that breaks a rule of all answers is an error.
    ///
    /// - Parameters:
    ///   - fields: header lines without their ends.
    ///   - token: sent as a bearer token.
    package func ask(
        _ method: String, _ target: String, _ fields: [String] = [], body: [UInt8]? = nil, token: String? = nil
    ) throws -> WireAnswer {
        let server = try reads?.reader(of: self, method, target) ?? self
        return try server.direct(method, target, fields, body: body, token: token)
    }

    /// The same, of this server in any run.
    func direct(
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

extension Registry {
    /// Posts an archive.
    package func post(
        _ archive: [UInt8], _ query: String = "", _ fields: String..., token: String? = Registry.adminToken
    ) throws -> WireAnswer {
        let target = "/v1/bundles" + (query.isEmpty ? "" : "?\(query)")
        return try ask("POST", target, ["Content-Type: application/zip"] + fields, body: archive, token: token)
    }

    /// An unexpected answer to a publication that a case depends on.
    package struct NotPublished: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    /// Publishes a bundle that must be taken.
    @discardableResult
    package func publish(_ bundle: BundleForge, _ query: String = "") throws -> WireAnswer {
        let answer = try post(bundle.archive, query)
        guard answer.status == 201 || answer.status == 200 else {
            throw NotPublished(description: "\(bundle.identifier): \(answer.status) \(answer.text)")
        }
        return answer
    }

    /// Publishes `1.0~1`, `1.1~1` and so on.
    package func publish(_ identifier: String, releases count: Int) throws {
        for number in 0..<count { try publish(BundleForge(identifier, "1.\(number)")) }
    }

    package func resolve(_ identifier: String, _ query: String = "") throws -> WireAnswer {
        try get("/v1/widgets/\(identifier)" + (query.isEmpty ? "" : "?\(query)"))
    }

    package func release(_ identifier: String, _ key: String) throws -> WireAnswer {
        try get("/v1/bundles/\(identifier)/releases/\(key.replacing("+", with: "%2B"))")
    }

    package func channel(_ identifier: String, _ channel: String = "stable") throws -> WireAnswer {
        try get("/v1/bundles/\(identifier)/channels/\(channel)")
    }

    /// Points a channel at a release, with the tag it has now.
    package func promote(
        _ identifier: String, _ release: String, channel: String = "stable", rollout: Int = 10_000,
        mandatory: Bool = false
    ) throws -> WireAnswer {
        let tag = try self.channel(identifier, channel).value("ETag") ?? "*"
        return try write(
            "PUT", "/v1/bundles/\(identifier)/channels/\(channel)",
            "{\"release\": \"\(release)\", \"rollout\": \(rollout), \"mandatory\": \(mandatory)}", "If-Match: \(tag)")
    }

    package func rollback(_ identifier: String, channel: String = "stable", to release: String? = nil) throws
        -> WireAnswer
    {
        try write(
            "POST", "/v1/bundles/\(identifier)/channels/\(channel)/rollback",
            release.map { "{\"to\": \"\($0)\"}" })
    }

    package func withdraw(_ identifier: String, _ key: String) throws -> WireAnswer {
        try write("DELETE", "/v1/bundles/\(identifier)/releases/\(key.replacing("+", with: "%2B"))")
    }

    package func restore(_ identifier: String, _ key: String) throws -> WireAnswer {
        try write("POST", "/v1/bundles/\(identifier)/releases/\(key.replacing("+", with: "%2B"))/restore")
    }
}

/// Requests of the owner of the data directory.
extension Registry {
    /// Runs `widgetd` on the data directory, as its owner.
    package func owner(_ arguments: String..., environment: [String: String] = [:]) throws -> BuiltProgram.Result {
        try BuiltProgram("widgetd").run(arguments + ["--data", home.data.path], environment: environment)
    }

    /// The body of the control socket's answer.
    package func control(_ method: String, _ target: String) -> String {
        let socket = home.data.appending(path: "control.sock").path
        return Shell.run(
            "curl -s --max-time 300 --unix-socket '\(socket)' -X \(method) 'http://control\(target)'"
        ).output
    }

    /// The samples of `/metrics`, by name and labels as they are written.
    package func metrics() throws -> [String: Double] {
        let conversation = Conversation(try RawConnection(port: adminPort))
        let answer = try conversation.ask("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", isHead: false)
        var samples: [String: Double] = [:]
        for line in answer.text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " ") else { continue }
            samples[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
        return samples
    }

    /// True once the condition holds; false after a minute.
    package func becomes(_ condition: () throws -> Bool) rethrows -> Bool { try eventually(condition) }

    /// The lines of the log so far that are about an event, as objects.
    package func events(_ name: String) -> [JSONValue] {
        log.split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }.filter {
            $0["event"]?.string == name
        }
    }
}

/// A folder for one server, which is removed after its last use, also when the test run is killed.
///
/// A shell keeps watch: it reads which process serves. When this process has ended or released the folder, the shell
/// ends the server and removes everything.
package final class Home: Sendable {
    package let folder: URL
    private let watch = ChildProcess()
    private let line = Pipe()

    /// The server's data directory.
    package var data: URL { folder.appending(path: "data") }

    /// The files in staging, without the folder in which each of several servers of one directory has its files.
    package var staged: [String] {
        let found = FileManager.default.enumerator(atPath: data.appending(path: "staging").path)
        return (found?.compactMap { $0 as? String } ?? []).filter {
            !($0.hasPrefix(".staged-replica-") && (!$0.contains("/") || $0.hasSuffix("/lock")))
        }
    }

    package init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "widgetd-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A server must not inherit the pipe whose end notifies the watch.
        _ = fcntl(line.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        watch.executableURL = URL(filePath: "/bin/sh")
        watch.arguments = [
            "-c",
            """
            last=
            while read -r serving; do last=$serving; done
            [ -z "$last" ] || kill -9 "$last" 2>/dev/null
            rm -rf "$0"
            """,
            folder.path,
        ]
        watch.standardInput = .pipe(line)
        try watch.run()
    }

    deinit {
        try? line.fileHandleForWriting.close()
        watch.waitUntilExit()
    }

    /// Tells the watch which process serves from this folder; `nil` for none.
    package func serves(_ process: Int32?) {
        try? line.fileHandleForWriting.write(contentsOf: Data("\(process.map { "\($0)" } ?? "")\n".utf8))
    }

    /// A file with these bytes, for programs that want one.
    package func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let url = folder.appending(path: name)
        try Data(bytes).write(to: url)
        return url.path
    }
}
