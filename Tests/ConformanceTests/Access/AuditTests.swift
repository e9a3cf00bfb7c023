import ConformanceSupport
import JSONText
import TestSupport
import Testing

/// Who did what, to which end: a line of the log for every write, the refused ones as well.
@Suite struct `The audit` {
    private let registry: Registry
    private let identifier = "audit.example.Widget"

    init() throws { registry = try Registry(["WIDGETD_LOG_REQUESTS": "off"]) }

    /// The lines so far, as objects.
    private func lines(_ action: String) -> [JSONValue] {
        registry.log.split(separator: "\n").compactMap { try? JSONValue(parsing: Array($0.utf8)) }.filter {
            $0["event"]?.string == "audit" && $0["action"]?.string == action
        }
    }

    private func waitFor(_ action: String, _ result: String) -> JSONValue? {
        guard registry.logs("\"action\":\"\(action)\",\"result\":\"\(result)\"") else { return nil }
        return lines(action).last { $0["result"]?.string == result }
    }

    @Test func `names publishers, what they published and what came of it`() throws {
        let bundle = BundleForge(identifier, "1.0")
        let answer = try registry.publish(bundle)
        let created = try #require(waitFor("publish", "created"))
        #expect(created["by"]?.string == "admin" && created["bundle"]?.string == identifier)
        #expect(created["release"]?.string == "1.0~1" && created["sha256"]?.string == answer.text("sha256"))
        #expect(created["client"]?.string == "127.0.0.1" && created["request"]?.string == answer.value("Request-Id"))
        try registry.publish(bundle)
        #expect(waitFor("publish", "unchanged") != nil)
        _ = try registry.post(BundleForge(identifier, "1.1").archive, "dryRun=true")
        #expect(waitFor("publish", "dry-run") != nil)
        _ = try registry.post(Array("<html>".utf8))
        #expect(waitFor("publish", "not-a-zip") != nil)
        _ = try registry.post(bundle.archive, token: nil)
        #expect(waitFor("publish", "unauthorized")?["by"]?.string == "-")
        _ = try registry.post(BundleForge(identifier, "1.0", text: "Other").archive)
        #expect(waitFor("publish", "release-exists")?["bundle"]?.string == identifier)
        #expect(lines("publish").count == 6)
    }

    @Test func `is kept however little else is logged, unless it is turned off`() throws {
        let quiet = try Registry(["WIDGETD_LOG_LEVEL": "error"])
        try quiet.publish(BundleForge(identifier, "1.0"))
        #expect(quiet.logs("\"action\":\"publish\",\"result\":\"created\""))
        #expect(!quiet.log.contains("server.listening"))
        let silent = try Registry(["WIDGETD_LOG_WRITES": "off"])
        try silent.publish(BundleForge(identifier, "1.0"))
        // The line about the request comes after what would be the line about the write.
        #expect(silent.logs("\"status\":201") && !silent.log.contains("\"audit\""))
    }

    @Test func `names who moved channels, withdrew releases and made tokens`() throws {
        try registry.publish(identifier, releases: 3)
        _ = try registry.promote(identifier, "1.1~1", rollout: 2_500)
        let promoted = try #require(waitFor("promote", "done"))
        #expect(promoted["channel"]?.string == "stable" && promoted["release"]?.string == "1.1~1")
        #expect(promoted["rollout"]?.string == "2500")
        _ = try registry.write("PUT", "/v1/bundles/\(identifier)/channels/stable", "{\"release\": \"1.1~1\"}")
        #expect(waitFor("promote", "precondition-required") != nil)
        _ = try registry.rollback(identifier)
        #expect(waitFor("rollback", "done")?["release"]?.string != nil)
        _ = try registry.withdraw(identifier, "1.2~1")
        #expect(waitFor("withdraw", "done")?["release"]?.string == "1.2~1")
        _ = try registry.restore(identifier, "1.2~1")
        #expect(waitFor("restore", "done") != nil)
        let token = try registry.write("POST", "/v1/tokens", "{\"name\": \"ci\", \"scopes\": [\"read\"]}")
        let made = try #require(waitFor("create-token", "done"))
        #expect(made["token"]?.string == "ci" && made["scopes"]?.string == "read")
        let secret = try #require(token.text("token"))
        _ = try registry.post(BundleForge(identifier, "7.0").archive, token: secret)
        #expect(waitFor("publish", "forbidden")?["by"]?.string == "ci")
        _ = try registry.write("DELETE", "/v1/tokens/ci")
        #expect(waitFor("revoke-token", "done")?["token"]?.string == "ci")
        // Names of tokens, never tokens.
        #expect(!registry.log.contains(secret) && !registry.log.contains(Registry.adminToken))
    }
}
