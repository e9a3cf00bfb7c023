import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetTestSupport

/// Every write is a line of the log with its author, act and result, also when it was refused.
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

    @Test func `The audit names publishers, what they published, and the outcome`() throws {
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

    @Test func `The audit is written at any log level, unless it is turned off`() throws {
        let quiet = try Registry(["WIDGETD_LOG_LEVEL": "error"])
        try quiet.publish(BundleForge(identifier, "1.0"))
        #expect(quiet.logs("\"action\":\"publish\",\"result\":\"created\""))
        #expect(!quiet.log.contains("server.listening"))
        let silent = try Registry(["WIDGETD_LOG_WRITES": "off"])
        try silent.publish(BundleForge(identifier, "1.0"))
        // The line about the request comes after what would be the line about the write.
        #expect(silent.logs("\"status\":201") && !silent.log.contains("\"audit\""))
    }

    @Test func `The audit names who moved channels, withdrew releases and made tokens`() throws {
        try registry.publish(identifier, releases: 3)
        _ = try registry.promote(identifier, "1.1~1", rollout: 2_500)
        let promoted = try #require(waitFor("promote", "done"))
        #expect(promoted["channel"]?.string == "stable" && promoted["release"]?.string == "1.1~1")
        #expect(promoted["rollout"]?.string == "2500")
        _ = try registry.write("PUT", "/v1/bundles/\(identifier)/channels/stable", "{\"release\": \"1.1~1\"}")
        #expect(waitFor("promote", "precondition-required") != nil)
        _ = try registry.rollback(identifier)
        let rolledBack = try #require(waitFor("rollback", "done"))
        #expect(rolledBack["channel"]?.string == "stable" && rolledBack["release"]?.string != "1.1~1")
        _ = try registry.withdraw(identifier, "1.2~1")
        #expect(waitFor("withdraw", "done")?["release"]?.string == "1.2~1")
        _ = try registry.restore(identifier, "1.2~1")
        #expect(waitFor("restore", "done")?["release"]?.string == "1.2~1")
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

/// Accepted acts, as administrators read them from the registry.
@Suite struct `The stored audit` {
    private let registry: Registry
    private let identifier = "alpha.example.Widget"

    init() throws { registry = try Registry() }

    private func page(_ query: String = "", token: String? = Registry.adminToken) throws -> WireAnswer {
        try registry.ask("GET", "/v1/audit\(query)", token: token)
    }

    private func acts(_ query: String = "", token: String? = Registry.adminToken) throws -> [String] {
        try page(query, token: token)["items"]?.array?.compactMap { $0["act"]?.string } ?? []
    }

    @Test func `The stored audit has every accepted act with its author's number, and no refused one`() throws {
        let made = try Tokens.create(
            registry, name: "ci", scopes: ["publish", "promote", "withdraw"], prefix: identifier)
        let number = try #require(made["number"]?.integer)
        let secret = try #require(made.text("token"))
        let answer = try registry.post(BundleForge(identifier, "2.0").archive, token: secret)
        #expect(try registry.post(BundleForge("beta.example.Widget").archive, token: secret).status == 403)
        #expect(try registry.post(BundleForge(identifier, "2.0").archive, token: secret).status == 200)
        #expect(try registry.post(BundleForge(identifier, "1.0").archive, "promote=force", token: secret).status == 201)
        #expect(try registry.write("DELETE", "/v1/tokens/ci").status == 204)
        let items = try #require(try page()["items"]?.array)
        #expect(items.map { $0["act"]?.string } == ["revoke-token", "publish", "publish", "create-token"])
        let (forced, first) = (items[1], items[2])
        #expect(first["by"]?.string == "ci" && first["byToken"]?.integer == number)
        #expect(first["request"]?.string == answer.value("Request-Id") && first["client"]?.string == "127.0.0.1")
        #expect(first["sha256"]?.string == answer.text("sha256") && first["contentSha256"]?.string != nil)
        #expect(first["bundleIdentifier"]?.string == identifier && first["release"]?.string == "2.0~1")
        #expect(first["forced"]?.boolean == false && first["from"] == nil)
        #expect(forced["forced"]?.boolean == true)
        #expect(forced["from"]?["release"]?.string == "2.0~1" && forced["to"]?["release"]?.string == "1.0~1")
        #expect(items[0]["token"]?["number"]?.integer == number && items[0]["token"]?["name"]?.string == "ci")
        #expect(items[0]["by"]?.string == "admin" && items[0]["byToken"] == nil)
        #expect(items[3]["remark"]?.string == "publish promote withdraw")
        // The lines of the log carry the same number.
        #expect(registry.logs("\"by\":\"ci\",\"byToken\":\(number)"))
    }

    @Test func `The stored audit is served in pages, with validators and a private cache directive`() throws {
        try registry.publish(identifier, releases: 3)
        let first = try page("?limit=2")
        #expect(first.status == 200 && first["items"]?.array?.count == 2)
        #expect(first.value("Cache-Control") == "private, no-cache")
        let tag = try #require(first.value("ETag"))
        #expect(
            try registry.ask("GET", "/v1/audit?limit=2", ["If-None-Match: \(tag)"], token: Registry.adminToken).status
                == 304)
        let next = try #require(first.text("next"))
        #expect(first.value("Link")?.contains("cursor=\(next)>; rel=\"next\"") == true)
        let second = try page("?limit=2&cursor=\(next)")
        let numbers = [first, second].flatMap { $0["items"]?.array?.compactMap { $0["number"]?.integer } ?? [] }
        #expect(numbers == [3, 2, 1] && second.text("next") == nil)
        // A cached answer is not used after a new act.
        try registry.publish(BundleForge(identifier, "9.0"))
        #expect(
            try registry.ask("GET", "/v1/audit?limit=2", ["If-None-Match: \(tag)"], token: Registry.adminToken).status
                == 200)
    }

    @Test func `The stored audit can be filtered by bundle, token and time`() throws {
        try registry.publish(BundleForge(identifier))
        try registry.publish(BundleForge("beta.example.Widget"))
        let made = try Tokens.create(registry, name: "ci", scopes: ["publish"], prefix: identifier)
        #expect(try acts("?bundle=\(identifier)") == ["publish"])
        #expect(try acts("?token=ci") == ["create-token"])
        #expect(try acts("?token=\(made["number"]?.integer ?? 0)") == ["create-token"])
        #expect(try acts("?since=1h").count == 3 && acts("?until=1h").isEmpty)
        #expect(try acts("?since=2099-01-01T00:00:00Z").isEmpty && acts("?until=2099-01-01T00:00:00Z").count == 3)
        for query in [
            "since=soon", "since=2026-02-31T00:00:00Z", "until=-1d", "since=99999999999d", "bundle=..", "token=a%20b",
            "limit=0", "cursor=zz",
        ] {
            #expect(try page("?\(query)").status == 400, "\(query)")
        }
    }

    @Test func `The stored audit is open to administrators only, each within their prefix`() throws {
        try registry.publish(BundleForge(identifier))
        try registry.publish(BundleForge("alpha.exampleother.Widget"))
        let own = try Tokens.make(registry, name: "own", scopes: ["admin"], prefix: "alpha.example")
        _ = try Tokens.make(registry, name: "hidden", scopes: ["admin"], prefix: "beta.example")
        #expect(
            try Tokens.create(registry, name: "ci", scopes: ["publish"], prefix: "alpha.example.x", by: own).status
                == 201)
        #expect(try registry.owner("gc").exitCode == 0)
        #expect(try acts() == ["gc", "create-token", "create-token", "create-token", "publish", "publish"])
        let seen = try page(token: own)
        #expect(try acts(token: own) == ["create-token", "create-token", "publish"])
        #expect(!seen.text.contains("hidden") && !seen.text.contains("exampleother"))
        for query in ["?bundle=alpha.exampleother.Widget", "?token=hidden"] {
            #expect(try acts(query, token: own).isEmpty, "\(query)")
        }
        let others = try Tokens.make(registry, scopes: ["read", "publish", "promote", "withdraw"], prefix: "")
        #expect(try page(token: others).status == 403 && page(token: nil).status == 401)
        #expect(registry.logs("\"action\":\"administer\",\"result\":\"forbidden\""))
    }

    @Test func `A15: a token's name is given once, and its refusal reveals nothing of other prefixes`() throws {
        let alpha = try Tokens.make(registry, name: "a", scopes: ["admin"], prefix: "alpha.example")
        let beta = try Tokens.make(registry, name: "b", scopes: ["admin"], prefix: "beta.example")
        func create(_ prefix: String, by token: String) throws -> WireAnswer {
            try Tokens.create(registry, name: "release", scopes: ["publish"], prefix: prefix, by: token)
        }
        let first = try create("alpha.example", by: alpha)
        #expect(first.status == 201)
        // A name that another prefix uses is free, so that its use is not revealed.
        let second = try create("beta.example", by: beta)
        #expect(second.status == 201 && second["number"] != first["number"])
        let present = try create("alpha.example", by: alpha)
        #expect(present.status == 409 && present.problemCode == "token-exists")
        // Two of the owner's tokens have the name, and the prefix says which is meant.
        #expect(try registry.write("DELETE", "/v1/tokens/release").status == 409)
        #expect(try registry.write("DELETE", "/v1/tokens/release?prefix=alpha.example").status == 204)
        let revoked = try create("alpha.example", by: alpha)
        #expect(revoked.status == 409 && revoked.text("detail") == present.text("detail"))
        #expect(try create("", by: Registry.adminToken).status == 409)
        #expect(try registry.write("DELETE", "/v1/tokens/release", token: beta).status == 204)
    }

    @Test func `widgetd audit prints the stored audit, beside a running server and without one`() throws {
        try registry.publish(identifier, releases: 2)
        _ = try registry.withdraw(identifier, "1.1~1")
        let running = try registry.owner("audit", "--limit", "2")
        #expect(running.exitCode == 0 && running.output.split(separator: "\n").count == 3)
        #expect(running.output.contains("withdraw") && running.output.contains("1.1~1 → 1.0~1"))
        registry.signal(SIGTERM)
        #expect(registry.waitUntilExit() == 0)
        let stopped = try registry.owner("audit", "--limit", "2")
        #expect(stopped.output == running.output)
        let document = try JSONValue(parsing: Array(try registry.owner("audit", "--as", "json").output.utf8))
        #expect(document["items"]?.array?.map { $0["number"]?.integer } == [3, 2, 1])
        #expect(try registry.owner("token", "create", "late", "--scope", "read").exitCode == 0)
        let made = try JSONValue(
            parsing: Array(try registry.owner("audit", "--token", "late", "--since", "1h", "--as", "json").output.utf8))
        #expect(made["items"]?.array?.map { $0["act"]?.string } == ["create-token"])
        #expect(made["items"]?.array?.first?["by"]?.string == "owner")
        for arguments in [["--as", "xml"], ["--limit", "0"], ["--bundle", ".."]] {
            #expect(try registry.owner("audit", arguments[0], arguments[1]).exitCode == 2)
        }
        #expect(try registry.owner("token", "list").output.contains("NUMBER"))
    }

    @Test func `The stored audit has user agents without control characters, and cut to a length`() throws {
        let agent = "evil\u{9b}31m\u{202e}" + String(repeating: "x", count: 4_000)
        let answer = try registry.ask(
            "POST", "/v1/tokens", ["User-Agent: \(agent)", "Content-Type: application/json"],
            body: Array("{\"name\": \"ci\", \"scopes\": [\"read\"]}".utf8), token: Registry.adminToken)
        #expect(answer.status == 201)
        let text = try page().text
        let shown = try #require(try page()["items"]?.array?.first?["userAgent"]?.string)
        #expect(shown.hasPrefix("evil") && shown.count < 260 && !text.contains("\u{202e}") && !text.contains("\u{9b}"))
    }

    @Test func `An act and its audit record are both there after a kill, or neither is`() throws {
        let home = try Home()
        let identifier = identifier
        for round in 0..<4 {
            let registry = try Registry(home: home, in: .process)
            if round == 0 { try registry.publish(identifier, releases: 1) }
            let publisher = Thread {
                var number = 0
                while (try? registry.publish(BundleForge(identifier, "3.\(round).\(number)"))) != nil { number += 1 }
            }
            publisher.start()
            let wanted = 5 + round * 7
            #expect(
                try registry.becomes {
                    (try registry.get("/v1/bundles/\(identifier)")["releases"]?.integer ?? 0) > wanted
                })
            registry.killAtOnce()
        }
        let again = try Registry(home: home)
        var keys: [String] = []
        var cursor: String?
        repeat {
            let part = try again.get(
                "/v1/bundles/\(identifier)/releases?limit=200" + (cursor.map { "&cursor=\($0)" } ?? ""))
            keys += part["items"]?.array?.compactMap { $0["release"]?.string } ?? []
            cursor = part.text("next")
        } while cursor != nil
        let document = try JSONValue(
            parsing: Array(
                try again.owner("audit", "--bundle", identifier, "--limit", "100000", "--as", "json").output.utf8))
        let recorded = document["items"]?.array?.compactMap { $0["release"]?.string } ?? []
        #expect(keys.count > 20 && recorded.sorted() == keys.sorted())
    }
}
