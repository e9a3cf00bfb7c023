import ConformanceSupport
import Foundation
import Glibc
import Testing
import WidgetSockets
import WidgetTestSupport

/// Goal: the screens of a published bundle are evaluated outside of the registry's process, and the end of that one
/// costs the release its stills alone. Method: the built server, whose processes are ended while it publishes.
@Suite(.ownThreads) struct `Reviews of published bundles` {
    private static let clock =
        #"{"schema": 1, "root": [{"kind": "label", "payload": {"text": {"$": "now()"}}}]}"#

    private static func archive(_ version: String) -> [UInt8] {
        let manifest = """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Clock</string>
            <key>CFBundleShortVersionString</key><string>\(version)</string><key>CFBundleVersion</key><string>1</string>
            <key>CFBundlePackageType</key><string>BNDL</string></dict></plist>
            """
        return ZipForge([
            .init("Clock.bundle/Info.plist", manifest), .init("Clock.bundle/Main.widgets.json", clock),
        ]).build().bytes
    }

    /// Twelve screens of labels whose texts are each 64 thousand characters once they are laid out.
    private static let large: [UInt8] = {
        let manifest = """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Large</string>
            <key>CFBundleShortVersionString</key><string>1.0</string><key>CFBundleVersion</key><string>1</string>
            <key>CFBundlePackageType</key><string>BNDL</string></dict></plist>
            """
        let buttons = (0..<12).map {
            #"{"kind": "button", "payload": {"text": "S\#($0)"}, "on": {"tap": {"do": "push", "scene": "S\#($0)"}}}"#
        }
        let text = Array(repeating: #""$t""#, count: 64).joined(separator: ", ")
        let label = #"{"kind": "label", "payload": {"text": {"$": [\#(text)]}}}"#
        let labels = Array(repeating: label, count: 200).joined(separator: ", ")
        let state = String(repeating: "y", count: 1_000)
        let screen = #"{"schema": 1, "state": {"t": "\#(state)"}, "root": [\#(labels)]}"#
        let main = #"{"schema": 1, "root": [\#(buttons.joined(separator: ", "))]}"#
        return ZipForge(
            [.init("L.bundle/Info.plist", manifest), .init("L.bundle/Main.widgets.json", main)]
                + (0..<12).map { .init("L.bundle/S\($0).widgets.json", screen) }
        ).build().bytes
    }()

    private final class Registry: @unchecked Sendable {
        let server: RunningProgram
        let token: String
        let folder: String

        init(
            _ environment: [String: String] = [:], in place: TestedServer.Place = .process, executable: String? = nil
        ) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "reviews-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            server = try RunningProgram(
                ["--admin-listen", "127.0.0.1:0"], data: "\(folder)/data",
                environment: ["WIDGETD_POLICY_REVIEWS_SCREENS": "true"].merging(environment) { $1 }, in: place,
                executable: executable)
            token = try String(contentsOfFile: "\(folder)/data/admin-token", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func publish(_ version: String, query: String = "") throws -> String {
            try publish(archive(version), query: query)
        }

        func publish(_ body: [UInt8], query: String = "") throws -> String {
            let head =
                "PUT /v1/bundles/\(query) HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n"
                + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
            let answer = try Probe.exchange(Array(head.utf8) + body, with: server.endpoint, seconds: 0)
            return String(decoding: answer, as: UTF8.self)
        }

        /// Kills every process that the server starts, for as long as `body` takes.
        func killing<Result>(_ body: () throws -> Result) rethrows -> Result {
            let (isOver, hasEnded) = (Flag(), DispatchSemaphore(value: 0))
            let hunter = Thread { [self] in
                while !isOver.isSet { for child in children { kill(child, SIGKILL) } }
                hasEnded.signal()
            }
            hunter.start()
            defer {
                isOver.set()
                hasEnded.wait()
            }
            return try body()
        }

        func ends(_ reason: String) throws -> Int {
            let text = server.metrics
            let line = try #require(
                text.split(separator: "\n").first { $0.contains("ended_total{reason=\"\(reason)\"}") })
            return try #require(line.split(separator: " ").last.flatMap { Int($0) })
        }

        /// The most memory that the server has had, in bytes.
        var mostMemory: Int {
            get throws {
                let text = try String(
                    contentsOfFile: "/proc/\(server.process.processIdentifier)/status", encoding: .utf8)
                let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
                let words = line.split(whereSeparator: \.isWhitespace)
                return try #require(words.dropFirst().first.flatMap { Int($0) }) << 10
            }
        }

        /// The processes that the server has started.
        var children: [pid_t] {
            let path = "/proc/\(server.process.processIdentifier)/task"
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
            return threads.flatMap { thread in
                ((try? String(contentsOfFile: "\(path)/\(thread)/children", encoding: .utf8)) ?? "")
                    .split(separator: " ").compactMap { pid_t($0) }
            }
        }
    }

    @Test func `The screens of a bundle are drawn by a process that ends then, at the moment of publication`() throws {
        let registry = try Registry()
        let before = try registry.ends("done")
        let answer = try registry.publish("1.0")
        #expect(answer.hasPrefix("HTTP/1.1 201 ") && !answer.contains("unreviewed"))
        #expect(try registry.ends("done") == before + 1)
        let still = try registry.server.get("/w/com.example.Clock/1.0~1/still/screen-1.html")
        let year = Calendar(identifier: .gregorian).component(.year, from: Date())
        #expect(
            still.hasPrefix("HTTP/1.1 200 ") && (still.contains(">\(year)-") || still.contains(">\(year - 1)-")))
        // None waits for the next bundle.
        #expect(eventually { registry.children.isEmpty })
    }

    @Test func `B1: A bundle whose screens take hundreds of megabytes takes none of the registry's memory`() throws {
        let registry = try Registry()
        #expect(try registry.publish("1.0").hasPrefix("HTTP/1.1 201 "))
        let before = try registry.mostMemory
        let answer = try registry.publish(Self.large, query: "?dryRun=true")
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains("\"code\":\"unreviewed\""), "\(answer)")
        #expect(try registry.ends("memory") + registry.ends("time") == 1)
        #expect(try registry.mostMemory - before < 64 << 20)
    }

    @Test
    func `B1: A server that can start no process says so, and publishes without a review but for strict publishers`()
        throws
    {
        let registry = try Registry(in: .here, executable: "/nonexistent/widgetd")
        #expect(registry.server.logs("strict publishing is refused"))
        let lines = registry.server.log.split(separator: "\n").filter { $0.contains("\"reviews.off\"") }
        #expect(lines.count == 1 && lines.allSatisfy { $0.contains("widgetd check") }, "\(lines)")
        let strict = try registry.publish("1.0", query: "?strict=true")
        #expect(strict.hasPrefix("HTTP/1.1 422 ") && strict.contains("unreviewed"), "\(strict)")
        #expect(strict.contains("could not be started"))
        let answer = try registry.publish("1.0")
        #expect(answer.hasPrefix("HTTP/1.1 201 ") && answer.contains("\"code\":\"unreviewed\""), "\(answer)")
        #expect(try registry.server.get("/w/com.example.Clock/1.0~1").contains("the look at its screens ended early"))
    }

    @Test func `A server that does not review bundles starts no process`() throws {
        let registry = try Registry(["WIDGETD_POLICY_REVIEWS_SCREENS": "false"], in: .here)
        #expect(try registry.publish("1.0").hasPrefix("HTTP/1.1 201 "))
        #expect(registry.server.metrics.contains("\nwidgetd_cells_started_total 0\n"))
        #expect(!registry.server.log.contains("\"reviews."))
    }

    @Test func `A bundle whose look ends early is published, and its pages say that it has no still`() throws {
        let registry = try Registry()
        let answer = try registry.killing { try registry.publish("1.0") }
        #expect(answer.hasPrefix("HTTP/1.1 201 ") && answer.contains("\"code\":\"unreviewed\""), "\(answer)")
        #expect(try registry.server.get("/readyz").hasPrefix("HTTP/1.1 200 "))
        let page = try registry.server.get("/w/com.example.Clock/1.0~1")
        #expect(page.contains("the look at its screens ended early") && !page.contains("/still/screen-1.html"))
        #expect(try registry.server.get("/").contains("com.example.Clock"))
        // The next release has its still.
        let next = try registry.publish("1.1")
        #expect(next.hasPrefix("HTTP/1.1 201 ") && !next.contains("unreviewed"))
    }

    @Test func `A strict publisher's bundle that could not be judged is refused, and leaves nothing`() throws {
        let registry = try Registry()
        let answer = try registry.killing { try registry.publish("1.0", query: "?strict=true") }
        #expect(answer.hasPrefix("HTTP/1.1 422 ") && answer.contains("unreviewed"), "\(answer)")
        #expect(try registry.server.get("/v1/bundles/com.example.Clock").hasPrefix("HTTP/1.1 404 "))
        #expect(try registry.publish("1.0", query: "?strict=true").hasPrefix("HTTP/1.1 201 "))
    }
}

/// A mark that one thread sets and another one reads.
private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var isTrue = false

    var isSet: Bool { lock.withLock { isTrue } }

    func set() { lock.withLock { isTrue = true } }
}
