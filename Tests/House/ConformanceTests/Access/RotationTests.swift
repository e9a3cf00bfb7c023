import ConformanceSupport
import Dispatch
import Foundation
import JSONText
import Testing
import WidgetTestSupport

/// §3.8: a token's secret is replaced, and the token stays. Each case has its registry and its clock.
@Suite struct `Rotated tokens` {
    let registry: Registry
    private let identifier = "com.acme.Clock"

    init() throws { registry = try Registry(clock: .today) }

    private func rotate(
        _ name: String, _ query: String = "", by token: String? = Registry.adminToken
    ) throws -> WireAnswer {
        try registry.write("POST", "/v1/tokens/\(name)/rotate\(query)", token: token)
    }

    /// Lets time pass. A replica learns a moment later that it has missed nothing meanwhile.
    private func passes(_ duration: Duration) throws {
        registry.passes(duration)
        #expect(try registry.becomes { try registry.get("/v1/tokens", token: Registry.adminToken).status == 200 })
    }

    /// The status of an upload that changes nothing.
    private func use(_ token: String) throws -> Int {
        try registry.post(BundleForge(identifier).archive, "dryRun=true", token: token).status
    }

    private func entry(_ name: String) throws -> JSONValue? {
        try registry.ask("GET", "/v1/tokens", token: Registry.adminToken)["items"]?.array?
            .first { $0["name"]?.string == name }
    }

    @Test func `A rotation changes the secret alone, and the one before ends at once`() throws {
        let made = try Tokens.create(
            registry, name: "ci", scopes: ["publish", "promote"], prefix: "com.acme", channels: ["beta", "stable"],
            expires: "2099-01-01T00:00:00Z")
        let before = try #require(made.text("token"))
        let answer = try rotate("ci")
        #expect(answer.status == 200 && answer.value("Cache-Control") == "no-store")
        let after = try #require(answer.text("token"))
        #expect(after != before && after.wholeMatch(of: /wdg_[0-9A-Za-z]{49}/) != nil)
        #expect(answer.names() == made.names())
        for name in made.names() where name != "token" { #expect(answer[name] == made[name], "\(name)") }
        #expect(try use(after) == 200)
        let refused = try registry.post(BundleForge(identifier).archive, token: before)
        #expect(refused.status == 401 && refused.problemCode == "unauthorized")
        #expect(refused.text.contains("it was revoked or rotated"))
        #expect(try entry("ci")?["token"] == nil && entry("ci")?["earlierSecretEnds"] == nil)
        // Names of tokens are in the log and the audit, secrets never.
        let act = try #require(try registry.ask("GET", "/v1/audit", token: Registry.adminToken)["items"]?.array?.first)
        #expect(act["act"]?.string == "rotate-token" && act["token"]?["name"]?.string == "ci")
        #expect(act["remark"]?.string == "the earlier secret has ended")
        #expect(registry.logs("rotate-token") && !registry.log.contains(after) && !registry.log.contains(before))
    }

    @Test func `A secret that is kept works beside the new one until its end, and says then that it was replaced`()
        throws
    {
        let before = try Tokens.make(registry, name: "ci", scopes: ["publish"], prefix: "com.acme")
        let answer = try rotate("ci", "?keep=2m")
        let after = try #require(answer.text("token"))
        let end = try #require(answer.text("earlierSecretEnds"))
        #expect(try entry("ci")?["earlierSecretEnds"]?.string == end)
        #expect(try use(before) == 200 && use(after) == 200)
        try passes(.seconds(118))
        #expect(try use(before) == 200)
        try passes(.seconds(2))
        let refused = try registry.post(BundleForge(identifier).archive, token: before)
        #expect(refused.status == 401 && refused.problemCode == "token-expired")
        #expect(refused.text.contains("was rotated, and this secret has ended; use the new one"))
        #expect(try use(after) == 200)
        #expect(try entry("ci")?["earlierSecretEnds"] == nil)
    }

    @Test func `Every token may rotate itself, and only administrators others`() throws {
        let own = try Tokens.make(registry, name: "ci", scopes: ["publish"], prefix: "com.acme")
        _ = try Tokens.make(registry, name: "other", scopes: ["publish"], prefix: "com.acme")
        // A token that exists and one that does not are refused alike.
        let texts = try ["other", "absent"].map { name in
            let answer = try rotate(name, by: own)
            #expect(answer.status == 403)
            return try #require(answer.text("detail"))
        }
        #expect(Set(texts).count == 1)
        #expect(try rotate("ci", "?prefix=com", by: own).status == 403)
        #expect(try rotate("ci", by: nil).status == 401)
        let answer = try rotate("ci", "?prefix=com.acme", by: own)
        #expect(answer.status == 200)
        #expect(try use(own) == 401)
        #expect(try use(#require(answer.text("token"))) == 200)
    }

    @Test func `An administrator rotates the tokens that could be made, and learns nothing of others`() throws {
        let admin = try Tokens.make(registry, name: "acme", scopes: ["admin"], prefix: "com.acme", channels: ["beta"])
        _ = try Tokens.make(registry, name: "below", scopes: ["publish"], prefix: "com.acme.a", channels: ["beta"])
        let all = try Tokens.make(registry, name: "channels", scopes: ["publish"], prefix: "com.acme.b")
        let beside = try Tokens.make(registry, name: "beside", scopes: ["publish"], prefix: "org.acme")
        #expect(try rotate("below", by: admin).status == 200)
        for name in ["channels", "beside", "absent"] {
            let answer = try rotate(name, by: admin)
            #expect(answer.status == 404 && answer.problemCode == "no-such-token", "\(name)")
        }
        for secret in [all, beside] { #expect(try registry.post([], token: secret).status != 401) }
        #expect(try rotate("acme", by: admin).status == 200)
        #expect(try rotate("below", by: admin).status == 401)
    }

    @Test func `A token that has expired is not rotated`() throws {
        let own = try Tokens.make(registry, name: "ci", scopes: ["publish"], prefix: "com.acme", expires: "1m")
        try passes(.seconds(61))
        let answer = try rotate("ci")
        #expect(answer.status == 409 && answer.problemCode == "token-not-rotated")
        #expect(answer.text.contains("expired at ") && answer.text.contains("Make another token"))
        #expect(try rotate("ci", by: own).problemCode == "token-expired")
    }

    @Test func `A secret that was replaced rotates nothing, and the new one stays`() throws {
        let before = try Tokens.make(registry, name: "ci", scopes: ["publish"], prefix: "com.acme")
        let after = try #require(try rotate("ci", "?keep=1h", by: before).text("token"))
        let second = try rotate("ci", "?keep=1h", by: before)
        #expect(second.status == 409 && second.problemCode == "token-not-rotated")
        #expect(try use(before) == 200 && use(after) == 200)
        // An administrator can, and the earlier secret is then the one just replaced.
        let last = try #require(try rotate("ci", "?keep=1h").text("token"))
        #expect(try use(before) == 401 && use(after) == 200 && use(last) == 200)
        #expect(try registry.write("DELETE", "/v1/tokens/ci").status == 204)
        #expect(try use(after) == 401 && use(last) == 401)
    }

    @Test func `Of rotations at the same time one is carried out, and its secret is good`() throws {
        let own = try Tokens.make(registry, name: "ci", scopes: ["publish"], prefix: "com.acme")
        let answers = Observed<[WireAnswer]>([])
        DispatchQueue.concurrentPerform(iterations: 6) { _ in
            guard let answer = try? rotate("ci", by: own) else { return }
            answers.withLock { $0.append(answer) }
        }
        let all = answers.withLock { $0 }
        let done = all.filter { $0.status == 200 }
        #expect(all.count == 6 && done.count == 1)
        #expect(all.allSatisfy { [200, 401, 409].contains($0.status) })
        #expect(try use(#require(done.first?.text("token"))) == 200)
    }

    @Test(arguments: [
        "0h", "01h", "31d", "721h", "43201m", "5w", "-1h", "1y", "24", "h", "", "1.5h", "99999999999999999999h",
    ])
    func `A time outside of the bounds is refused, and the secret stays`(_ keep: String) throws {
        let own = try Tokens.make(registry, name: "ci", scopes: ["publish"], prefix: "com.acme")
        let answer = try rotate("ci", "?keep=\(keep)", by: own)
        #expect(answer.status == 400 && answer.text.contains("30d at most"))
        #expect(try use(own) == 200)
    }

    @Test(arguments: ["keep=43200m", "keep=720h", "keep=30d", "keep=4w", "keep=1m"])
    func `A secret can be kept for 30 days`(_ query: String) throws {
        _ = try Tokens.make(registry, name: "ci", scopes: ["publish"], prefix: "com.acme")
        #expect(try rotate("ci", "?\(query)").text("earlierSecretEnds") != nil)
    }

    @Test(arguments: ["?kep=1h", "?keep=1h&keep=2h", "?Keep=1h"])
    func `A misspelt or repeated parameter rotates nothing`(_ query: String) throws {
        let own = try Tokens.make(registry, name: "ci", scopes: ["publish"], prefix: "com.acme")
        #expect(try rotate("ci", query).status == 400)
        #expect(try use(own) == 200)
    }

    @Test func `Both secrets are found after a restart`() throws {
        let before = try Tokens.make(registry, name: "ci", scopes: ["publish"], prefix: "com.acme")
        let after = try #require(try rotate("ci", "?keep=30d").text("token"))
        let home = registry.home
        registry.signal(SIGTERM)
        #expect(registry.waitUntilExit() == 0)
        let second = try Registry(home: home, clock: .today)
        for secret in [before, after] {
            let answer = try second.post(BundleForge(identifier).archive, "dryRun=true", token: secret)
            #expect(answer.status == 200)
        }
    }
}
