import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetTestSupport

/// SIGHUP brings into force what can change while serving, and says what it did.
@Suite struct `A reload` {
    private let home: Home
    private let identifier = "reload.example.Widget"

    init() throws { home = try Home() }

    private var file: String { home.folder.appending(path: "settings.json5").path }

    private func write(_ settings: String) throws {
        try settings.write(toFile: file, atomically: true, encoding: .utf8)
    }

    private func start(_ settings: String, _ environment: [String: String] = [:]) throws -> Registry {
        try write(settings)
        return try Registry(home: home, environment, arguments: ["--config", file])
    }

    /// Reloads the settings, and returns the log line with the result.
    private func reload(_ registry: Registry, _ event: String = "settings.reloaded") throws -> JSONValue {
        let before = registry.events(event).count
        registry.signal(SIGHUP)
        #expect(registry.logs { registry.events(event).count > before })
        return try #require(registry.events(event).last)
    }

    @Test func `A reload says which settings are in force, and which wait for a restart`() throws {
        let registry = try start("{limits: {headerCount: 10}}")
        #expect(try reload(registry)["changed"]?.string == "" && registry.events("settings.reloaded").count == 1)
        try write("{limits: {headerCount: 20, upload: \"1MiB\"}, workers: 3, retention: {snapshots: 7}}")
        let line = try reload(registry)
        #expect(line["changed"]?.string == "limits.upload limits.headerCount", "\(line)")
        #expect(line["needRestart"]?.string == "workers retention.snapshots", "\(line)")
        // Settings that wait are listed at each reload until the restart.
        let again = try reload(registry)
        #expect(again["changed"]?.string == "" && again["needRestart"]?.string == "workers retention.snapshots")
    }

    @Test func `A reload says so at any log level`() throws {
        let registry = try start("{log: {level: \"error\"}}")
        try write("{log: {level: \"error\"}, limits: {headerCount: 20}}")
        #expect(try reload(registry)["changed"]?.string == "limits.headerCount")
    }

    @Test func `A reload with faulty settings keeps all of those in force`() throws {
        let registry = try start("{limits: {upload: \"1KiB\"}}")
        let large = BundleForge(identifier).large(seed: 1).archive
        #expect(try registry.post(large).status == 413)
        // The first is good by itself.
        try write("{limits: {upload: \"10MiB\", headerCount: \"ten\"}}")
        _ = try reload(registry, "settings.refused")
        #expect(try registry.post(large).status == 413)
        #expect(try registry.get("/.well-known/widget-registry").number("limits.upload") == 1_024)
        #expect(registry.events("settings.reloaded").isEmpty)
        #expect(registry.logs("headerCount"))
        try write("{limits: {upload: \"10MiB\"}}")
        _ = try reload(registry)
        #expect(try registry.post(large).status == 201)
    }

    @Test func `A reload brings the administrator's new token into force, and ends the old one`() throws {
        let secret = home.folder.appending(path: "secret").path
        let tokens = ["first", "second"].map { "\($0)-token-of-more-than-thirty-two-characters" }
        try tokens[0].write(toFile: secret, atomically: true, encoding: .utf8)
        let registry = try start(
            "{}", ["WIDGETD_ADMIN_TOKEN": Registry.none, "WIDGETD_ADMIN_TOKEN_FILE": secret])
        func statuses() throws -> [Int] { try tokens.map { try registry.get("/v1/tokens", token: $0).status } }
        #expect(try statuses() == [200, 401])
        try tokens[1].write(toFile: secret, atomically: true, encoding: .utf8)
        #expect(try statuses() == [200, 401])
        #expect(try reload(registry)["changed"]?.string == "adminToken")
        #expect(try statuses() == [401, 200])
        #expect(tokens.allSatisfy { !registry.log.contains($0) })
    }

    @Test func `A reload reads tokens that were changed in the catalog`() throws {
        let registry = try start("{}")
        let made = try registry.write("POST", "/v1/tokens", "{\"name\": \"ci\", \"scopes\": [\"admin\"]}")
        let token = try #require(made.text("token"))
        #expect(try registry.get("/v1/tokens", token: token).status == 200)
        let catalog = home.data.appending(path: "catalog.sqlite").path
        let script =
            "import sqlite3; c = sqlite3.connect('\(catalog)', timeout=60); c.execute('DELETE FROM token'); c.commit()"
        #expect(try Tool.run("python3", ["-c", script]).status == 0)
        #expect(try registry.get("/v1/tokens", token: token).status == 200)
        _ = try reload(registry)
        #expect(try registry.get("/v1/tokens", token: token).status == 401)
    }

    @Test func `A reload brings the log level into force, and whether requests and writes are logged`() throws {
        let registry = try start("{log: {level: \"error\"}}")
        try registry.publish(BundleForge(identifier, "1.0"))
        try write("{log: {level: \"info\"}}")
        _ = try reload(registry)
        #expect(try registry.get("/livez").status == 200)
        #expect(registry.logs("\"route\":\"/livez\""))
        #expect(!registry.log.contains("\"status\":201"))
        try write("{log: {level: \"info\", requests: false, writes: false}}")
        let line = try reload(registry)
        #expect(line["changed"]?.string == "log.requests log.writes")
        let writes = registry.events("audit").count
        try registry.publish(BundleForge(identifier, "1.1"))
        try write("{log: {level: \"error\"}}")
        _ = try reload(registry)
        try registry.publish(BundleForge(identifier, "1.2"))
        // Lines are written in their order, so those that are missing will not come.
        #expect(registry.logs { registry.events("audit").count == writes + 1 })
        #expect(!registry.log.contains("\"status\":201"))
    }

    @Test func `A reload that makes reading private also discards cached public answers`() throws {
        let registry = try start("{}")
        try registry.publish(BundleForge(identifier))
        let paths = [
            "/v1/widgets/\(identifier)", "/v1/widgets/\(identifier)/bundle", "/v1/bundles", "/v1/bundles/\(identifier)",
            "/v1/bundles/\(identifier)/channels", "/v1/bundles/\(identifier)/releases", "/v1/changes", "/",
        ]
        let made = try registry.write(
            "POST", "/v1/tokens", "{\"name\": \"other\", \"prefix\": \"other.example\", \"scopes\": [\"read\"]}")
        let other = try #require(made.text("token"))
        // Twice, so that the second answer comes from the cache.
        for path in paths + paths { #expect(try registry.get(path).status == 200, "\(path)") }
        try write("{access: {read: \"token\"}}")
        _ = try reload(registry)
        for path in paths {
            #expect(try registry.get(path).status == 401, "\(path)")
            let answer = try registry.get(path, token: other)
            #expect(answer.status == 404 || !answer.text.contains(identifier), "\(path)")
        }
    }

    @Test func `A reload brings limits of writing and reading into force`() throws {
        let registry = try start("{}", ["WIDGETD_RATE_LIMIT": Registry.none])
        try registry.publish(BundleForge(identifier))
        try write(
            """
            {access: {read: "token"}, policy: {strict: true, kept: ["Info.plist", "*.strings"]},
             limits: {writesPerMinute: 3, diskReserve: 1024}}
            """)
        let line = try reload(registry)
        let changed = Set((line["changed"]?.string ?? "").split(separator: " ").map(String.init))
        #expect(changed.isSuperset(of: ["access.read", "policy.strict", "policy.kept", "limits.writesPerMinute"]))
        #expect(try registry.resolve(identifier).status == 401)
        let withJSON = BundleForge(identifier, "1.1").adding("a.json", "{}").archive
        #expect(try registry.post(withJSON).status == 422)
        let statuses = try (0..<4).map { _ in try registry.post(withJSON).status }
        #expect(statuses.contains(429) && statuses.allSatisfy { $0 == 422 || $0 == 429 }, "\(statuses)")
    }
}
