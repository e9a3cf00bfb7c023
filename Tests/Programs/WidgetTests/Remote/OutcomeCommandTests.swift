import CommandSupport
import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetSurroundings
import WidgetTestSupport

/// Goal: `--report` has a registry count what becomes of releases, and `show --outcomes` tells it. Method: the commands in this
/// process, over a registry that counts.
@Suite(.callingThreads) struct `widget and the outcomes of releases` {
    private static let bundle = "com.example.Postcard"

    private let folder: Folder
    private let registry: Registry

    init() throws {
        folder = try Folder()
        registry = try Registry(["WIDGETD_OUTCOMES_ACCEPT": "open"])
        let archive = folder.path("Postcard.zip")
        try #require(
            try Program.run(["build", "\(Corpus.repositoryRoot)/Bundles/Postcard", "-o", archive]).exitCode == 0)
        let published = try Program.run(["publish", archive], environment: environment("publisher"))
        try #require(published.exitCode == 0, "\(published.error)")
    }

    /// - Parameter host: the name of its cache.
    private func environment(_ host: String) -> [String: String] {
        [
            "WIDGET_SERVER": registry.url, "WIDGET_TOKEN": Registry.adminToken,
            "WIDGET_CACHE": folder.path("cache-\(host)"),
        ]
    }

    /// Installed, started, confirmed, failed.
    private func counts() throws -> [Int] {
        let answer = try registry.get(
            "/v1/bundles/\(Self.bundle)/releases/1.0~1/outcomes", token: Registry.adminToken)
        let days = try JSONValue(parsing: answer.body)["days"]?.array ?? []
        return ["installed", "started", "confirmed", "failed"].map { name in
            days.reduce(0) { $0 + Int($1[name]?.integer ?? 0) }
        }
    }

    private func counted() throws -> Int {
        Int(try registry.metrics()["widgetd_outcomes_total{fate=\"counted\"}"] ?? -1)
    }

    private func fetch(_ host: String, _ arguments: String...) throws {
        let fetched = try Program.run(
            ["fetch", "\(Self.bundle)-1", "-o", folder.path("copy-\(host)")] + arguments, environment: environment(host)
        )
        try #require(fetched.exitCode == 0, "\(fetched.error)")
    }

    private func show(_ key: String = "1.0~1", _ arguments: String...) throws -> BuiltProgram.Result {
        try Program.run(["show", Self.bundle, key, "--outcomes"] + arguments, environment: environment("publisher"))
    }

    @Test func `fetch reports what it has installed at its end, once, and only if it is asked to`() throws {
        #expect(try show().output == "no host has reported anything of it\n")
        try fetch("silent")
        try fetch("silent")
        try fetch("one", "--report")
        #expect(try registry.becomes { try counts() == [1, 0, 0, 0] })
        try fetch("one", "--report")
        try fetch("two", "--report")
        #expect(try registry.becomes { try counts() == [2, 0, 0, 0] })
        #expect(try counted() == 2)
        let shown = try show()
        let lines = shown.output.split(separator: "\n")
        #expect(
            lines.first?.split(separator: " ") == ["DAY", "CHANNEL", "INSTALLED", "STARTED", "CONFIRMED", "FAILED"])
        #expect(
            lines.count == 2 && lines[1].split(separator: " ").dropFirst() == ["stable", "2", "0", "0", "0"], "\(shown)"
        )
        #expect(try show("1.0~1", "--json").output.contains("\"channel\":\"stable\""))
    }

    @Test func `fetch says that a registry has not taken its report`() throws {
        let silent = try Registry()
        let archive = folder.path("Postcard.zip")
        var environment = environment("silent")
        environment["WIDGET_SERVER"] = silent.url
        try #require(try Program.run(["publish", archive], environment: environment).exitCode == 0)
        let fetched = try Program.run(
            ["fetch", "\(Self.bundle)-1", "-o", folder.path("copy"), "--report"], environment: environment)
        #expect(fetched.exitCode == 0 && fetched.error.contains("warning: the registry has not taken the report"))
        let taken = try Program.run(
            ["fetch", "\(Self.bundle)-1", "-o", folder.path("other"), "--report"], environment: self.environment("x"))
        #expect(taken.exitCode == 0 && !taken.error.contains("warning"), "\(taken.error)")
    }

    @Test func `show --outcomes names the failures, and says what it needs`() throws {
        let body = """
            {"outcomes": [{"release": "1.0~1", "channel": "stable", "outcome": "went-back", "reason": "unconfirmed"},
            {"release": "1.0~1", "channel": "stable", "outcome": "rejected", "reason": "app"},
            {"release": "1.0~1", "channel": "stable", "outcome": "rejected", "reason": "app"}]}
            """
        #expect(try registry.ask("POST", "/v1/widgets/\(Self.bundle)/outcomes", body: Array(body.utf8)).status == 202)
        #expect(try registry.becomes { try counts() == [0, 0, 0, 3] })
        let shown = try show()
        #expect(shown.output.contains(" 3       2 rejected: app, 1 went-back: unconfirmed\n"), "\(shown)")
        let misused = try Program.run(["show", Self.bundle, "--outcomes"], environment: environment("publisher"))
        #expect(misused.exitCode == 2 && misused.error.contains("--outcomes is about one release"), "\(misused)")
        let absent = try show("9~9")
        #expect(absent.exitCode == 1 && absent.output.isEmpty)
    }

    @Test func `host reports what it installs, starts and confirms`() throws {
        let clock = ManualClock(date: .seconds(1_800_000_000), start: .now)
        let terminal = try CalledTerminal(
            ["host", "\(Self.bundle)-1", "--listen", "127.0.0.1:0", "--report"], environment: environment("host"),
            clock: clock)
        try #require(terminal.shows { $0.contains("http://127.0.0.1:") }, "\(terminal.shown)")
        let found = try #require(terminal.shown.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)/)?.1)
        let port = try #require(UInt16(found))
        let connection = try RawConnection(port: port)
        connection.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
        #expect(String(decoding: connection.receiveToEnd().bytes, as: UTF8.self).hasPrefix("HTTP/1.1 303 "))
        // Within a minute of the host's clock, by which the request that sends them has its time as well.
        let isCounted = try eventually {
            clock.advance(by: .seconds(60))
            for _ in 0..<200 where try counts() == [1, 1, 1, 0] { return true }
            return false
        }
        #expect(isCounted)
        #expect(try counted() == 3)
        terminal.interrupt()
        _ = terminal.end()
    }
}
