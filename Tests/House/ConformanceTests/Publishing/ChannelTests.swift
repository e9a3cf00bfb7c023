import ConformanceSupport
import JSONText
import Testing
import WidgetTestSupport

/// §3: promoting a release on a channel.
@Suite struct `Promoting` {
    let registry: Registry
    let identifier = fresh()
    let path: String

    init() throws {
        registry = try Registries.open()
        path = "/v1/bundles/\(identifier)/channels/stable"
        try registry.publish(identifier, releases: 3)
    }

    private func put(_ json: String, _ fields: String...) throws -> WireAnswer {
        try registry.ask(
            "PUT", path, ["Content-Type: application/json"] + fields, body: Array(json.utf8),
            token: Registry.adminToken)
    }

    private var tag: String { get throws { try registry.channel(identifier).value("ETag") ?? "" } }

    @Test func `Promoting answers 200 with the channel and its new tag`() throws {
        let answer = try registry.promote(identifier, "1.1~1", rollout: 2_500, mandatory: true)
        #expect(answer.status == 200)
        #expect(answer.text("channel") == "stable")
        #expect(answer.text("release") == "1.1~1")
        #expect(answer.number("rollout") == 2_500)
        #expect(answer.flag("mandatory") == true)
        #expect(answer.text("base") == "1.2~1")
        let now = try registry.channel(identifier)
        #expect(now.body == answer.body)
        let tag = try #require(answer.value("ETag"))
        #expect(tag == now.value("ETag"))
    }

    @Test func `B11: Control characters in the values of a body are refused before a catalog sees them`() throws {
        for character in ["\\u0000", "\\u001f", "\\u007f", "\\u0085", "\\n"] {
            let promoted = try put("{\"release\": \"1.0~1\(character)\"}", "If-Match: \(try tag)")
            let back = try registry.ask(
                "POST", "\(path)/rollback", ["Content-Type: application/json"],
                body: Array("{\"to\": \"1.0~1\(character)\"}".utf8), token: Registry.adminToken)
            let made = try registry.ask(
                "POST", "/v1/tokens", ["Content-Type: application/json"],
                body: Array("{\"name\": \"n\", \"scopes\": [\"publish\(character)\"]}".utf8), token: Registry.adminToken
            )
            for answer in [promoted, back, made] {
                #expect(answer.status == 400 && answer.problemCode == "malformed-request", "\(answer.text)")
            }
            #expect(promoted.text.contains("The value of release has a control character."))
        }
        #expect(try registry.channel(identifier).text("release") == "1.2~1")
    }

    @Test func `B18: A channel beside the protected one, in other case, is refused with its name`() throws {
        for name in ["Stable", "STABLE"] {
            let answer = try registry.ask(
                "PUT", "/v1/bundles/\(identifier)/channels/\(name)",
                ["Content-Type: application/json", "If-None-Match: *"], body: Array("{\"release\": \"1.0~1\"}".utf8),
                token: Registry.adminToken)
            #expect(answer.status == 400 && answer.text.contains("differs from the channel"), "\(answer.text)")
        }
    }

    @Test func `Promoting under If-None-Match with another tag is refused`() throws {
        // Any other tag would be accepted, so the condition would not protect the changes of others.
        let answer = try put("{\"release\": \"1.1~1\"}", "If-None-Match: \"other\"")
        #expect(answer.status == 428)
        #expect(try put("{\"release\": \"1.1~1\"}", "If-None-Match: *").status == 412)
        #expect(try registry.channel(identifier).text("release") == "1.2~1")
    }

    @Test func `Promoting needs the channel's tag`() throws {
        let answer = try put("{\"release\": \"1.1~1\"}")
        #expect(answer.status == 428)
        #expect(answer.problemCode == "precondition-required")
        #expect(try registry.channel(identifier).text("release") == "1.2~1")
    }

    @Test func `Promoting with an old tag is refused`() throws {
        let old = try tag
        #expect(try registry.promote(identifier, "1.1~1").status == 200)
        let answer = try put("{\"release\": \"1.0~1\"}", "If-Match: \(old)")
        #expect(answer.status == 412)
        #expect(answer.problemCode == "precondition-failed")
        #expect(try registry.channel(identifier).text("release") == "1.1~1")
    }

    @Test func `Promoting with a weak tag is refused`() throws {
        #expect(try put("{\"release\": \"1.1~1\"}", "If-Match: W/\(try tag)").status == 412)
    }

    @Test func `Promoting with one matching tag of several succeeds`() throws {
        #expect(try put("{\"release\": \"1.1~1\"}", "If-Match: \"x\", \(try tag)").status == 200)
    }

    @Test func `Promoting with any tag succeeds when there is a channel`() throws {
        #expect(try put("{\"release\": \"1.1~1\"}", "If-Match: *").status == 200)
    }

    @Test func `Promoting onto a new channel succeeds under If-None-Match`() throws {
        let other = "/v1/bundles/\(identifier)/channels/beta"
        let json = "{\"release\": \"1.1~1\"}"
        #expect(try registry.write("PUT", other, json, "If-Match: *").status == 412)
        #expect(try registry.write("PUT", other, json, "If-None-Match: *").status == 200)
        #expect(try registry.write("PUT", other, json, "If-None-Match: *").status == 412)
        #expect(try registry.channel(identifier, "beta").text("release") == "1.1~1")
    }

    @Test func `Promoting without rollout and mandatory takes their defaults`() throws {
        let answer = try put("{\"release\": \"1.1~1\"}", "If-Match: \(try tag)")
        #expect(answer.number("rollout") == 10_000)
        #expect(answer.flag("mandatory") == false)
        #expect(answer["base"] == nil)
    }

    @Test func `Of two promotions at once, one succeeds`() throws {
        let tag = try tag
        let conversations = try (0..<4).map { _ in try registry.connect() }
        for (index, conversation) in conversations.enumerated() {
            conversation.connection.send(
                Registry.request(
                    "PUT", path, ["Content-Type: application/json", "If-Match: \(tag)"],
                    body: Array("{\"release\": \"1.\(index % 2)~1\"}".utf8), token: Registry.adminToken))
        }
        let statuses = try conversations.map { try $0.next().status }
        #expect(statuses.sorted() == [200, 412, 412, 412])
    }

    @Test func `Each promotion raises the sequence`() throws {
        var last = try #require(try registry.channel(identifier).number("sequence"))
        for release in ["1.0~1", "1.1~1", "1.0~1"] {
            let next = try #require(try registry.promote(identifier, release).number("sequence"))
            #expect(next > last)
            last = next
        }
    }

    @Test func `Promoting an unpublished release is refused`() throws {
        let answer = try registry.promote(identifier, "9.9~9")
        #expect(answer.status == 404 || answer.status == 422)
        #expect(answer.problemCode == "no-such-release")
    }

    @Test func `Promoting a withdrawn release is refused`() throws {
        #expect(try registry.withdraw(identifier, "1.0~1").status == 200)
        let answer = try registry.promote(identifier, "1.0~1")
        #expect(answer.status == 410 || answer.status == 409)
        #expect(answer.problemCode == "withdrawn")
        #expect(try registry.channel(identifier).text("release") == "1.2~1")
    }

    @Test(arguments: [
        "", "{", "[]", "\"1.1~1\"", "{}", "{\"release\": 1}", "{\"release\": \"1.1~1\", \"rollout\": -1}",
        "{\"release\": \"1.1~1\", \"rollout\": 10001}", "{\"release\": \"1.1~1\", \"rollout\": \"all\"}",
        "{\"release\": \"1.1~1\", \"rollout\": 2.5}", "{\"release\": \"1.1~1\", \"mandatory\": \"yes\"}",
        "{\"release\": \"1.1~1\", \"release\": \"1.0~1\"}", "{\"release\": \"1.1~1\", \"rolout\": 100}x",
    ])
    func `Promoting with an invalid body is refused`(_ json: String) throws {
        let answer = try put(json, "If-Match: \(try tag)")
        #expect(answer.status == 400 || answer.status == 422, "\(answer.status)")
        #expect(try registry.channel(identifier).text("release") == "1.2~1")
    }

    @Test func `Promoting with a body that is too large is refused`() throws {
        let json = "{\"release\": \"1.1~1\", \"note\": \"" + String(repeating: "x", count: 2 << 20) + "\"}"
        let answer = try put(json, "If-Match: \(try tag)")
        #expect(answer.status == 413)
    }

    @Test func `Promoting a bundle that was never published is 404`() throws {
        let answer = try registry.promote(fresh(), "1.0~1")
        #expect(answer.status == 404)
        #expect(answer.problemCode == "no-such-bundle")
    }

    @Test func `A promotion shows at once in what widgets resolve to`() throws {
        #expect(try registry.promote(identifier, "1.0~1").status == 200)
        #expect(try registry.resolve(identifier).text("candidates.0.release") == "1.0~1")
        #expect(try registry.release(identifier, "1.0~1")["channels"]?.array?.compactMap(\.string) == ["stable"])
        #expect(try registry.release(identifier, "1.2~1")["channels"]?.array?.isEmpty == true)
    }
}

/// §3: rolling a channel back.
@Suite struct `Rolling back` {
    let registry: Registry
    let identifier = fresh()

    init() throws {
        registry = try Registries.open()
        try registry.publish(identifier, releases: 4)
    }

    @Test func `Rolling back goes to the previous release of the channel, for all hosts`() throws {
        let answer = try registry.rollback(identifier)
        #expect(answer.status == 200)
        #expect(answer.text("release") == "1.2~1")
        #expect(answer.number("rollout") == 10_000)
        #expect(answer["base"] == nil)
        #expect(try registry.resolve(identifier).texts("candidates", "release") == ["1.2~1"])
        #expect(try registry.channel(identifier).body == answer.body)
    }

    @Test func `Rolling back again goes further back, never forth`() throws {
        let releases = try (0..<3).map { _ in try registry.rollback(identifier).text("release") }
        #expect(releases == ["1.2~1", "1.1~1", "1.0~1"])
    }

    @Test func `Rolling back past the first release is refused`() throws {
        for _ in 0..<3 { _ = try registry.rollback(identifier) }
        let answer = try registry.rollback(identifier)
        #expect(answer.status == 409)
        #expect(try registry.channel(identifier).text("release") == "1.0~1")
    }

    @Test func `Rolling back raises the sequence, like every change`() throws {
        let before = try #require(try registry.channel(identifier).number("sequence"))
        #expect(try registry.rollback(identifier).number("sequence").map { $0 > before } == true)
    }

    @Test func `Rolling back can name the release`() throws {
        let answer = try registry.rollback(identifier, to: "1.0~1")
        #expect(answer.status == 200)
        #expect(answer.text("release") == "1.0~1")
    }

    @Test func `Rolling back to an unpublished release is refused`() throws {
        let answer = try registry.rollback(identifier, to: "9.9~9")
        #expect(answer.status == 404 || answer.status == 422)
        #expect(answer.problemCode == "no-such-release")
    }

    @Test func `Rolling back to a withdrawn release is refused`() throws {
        #expect(try registry.withdraw(identifier, "1.0~1").status == 200)
        #expect(try registry.rollback(identifier, to: "1.0~1").problemCode == "withdrawn")
    }

    @Test func `Rolling back skips a withdrawn release`() throws {
        #expect(try registry.withdraw(identifier, "1.2~1").status == 200)
        #expect(try registry.rollback(identifier).text("release") == "1.1~1")
    }

    @Test func `Rolling back during a rollout ends it`() throws {
        try registry.publish(BundleForge(identifier, "2.0"), "rollout=100")
        let answer = try registry.rollback(identifier)
        #expect(answer.text("release") == "1.3~1")
        #expect(try registry.resolve(identifier).buckets == [[0, 10_000]])
    }

    @Test func `Rolling back after a promotion restores the release before it`() throws {
        #expect(try registry.promote(identifier, "1.0~1").status == 200)
        #expect(try registry.rollback(identifier).text("release") == "1.3~1")
    }

    @Test func `Publishing works as usual after rolling back`() throws {
        #expect(try registry.rollback(identifier).status == 200)
        try registry.publish(BundleForge(identifier, "1.4"))
        #expect(try registry.channel(identifier).text("release") == "1.4~1")
        #expect(try registry.rollback(identifier).text("release") == "1.2~1")
    }

    /// §3.6
    @Test func `A dry run of rolling back names the release that it leads to, and changes nothing`() throws {
        let path = "/v1/bundles/\(identifier)/channels/stable/rollback"
        let before = try registry.channel(identifier)
        let latest = try #require(try registry.get("/v1/changes?since=latest").text("next"))
        for (body, release) in [(nil, "1.2~1"), ("{\"to\": \"1.0~1\"}", "1.0~1")] {
            let answer = try registry.write("POST", "\(path)?dryRun=true", body)
            #expect(answer.status == 200 && answer.text("release") == release)
            #expect(answer["dryRun"]?.boolean == true && answer.number("rollout") == 10_000)
            #expect(answer.value("ETag") == nil)
        }
        // Other cases change other bundles meanwhile.
        let later = try registry.get("/v1/changes?since=\(latest)&limit=1000&widget=\(identifier)")
        #expect(try registry.channel(identifier).body == before.body && later["items"]?.array?.isEmpty == true)
        #expect(try registry.write("POST", "\(path)?dryRun=true", nil, "If-Match: \"other\"").status == 412)
        #expect(try registry.write("POST", "\(path)?dryRun=true", "{\"to\": \"9~9\"}").problemCode == "no-such-release")
        #expect(try registry.write("POST", "\(path)?dryrun=true").problemCode == "malformed-request")
        #expect(try registry.channel(identifier).body == before.body)
        #expect(try registry.rollback(identifier)["dryRun"] == nil)
    }

    @Test func `Rolling back honours a condition`() throws {
        let path = "/v1/bundles/\(identifier)/channels/stable/rollback"
        #expect(try registry.write("POST", path, nil, "If-Match: \"other\"").status == 412)
        #expect(try registry.channel(identifier).text("release") == "1.3~1")
        let tag = try #require(try registry.channel(identifier).value("ETag"))
        #expect(try registry.write("POST", path, nil, "If-Match: \(tag)").status == 200)
    }

    @Test func `Rolling back an unknown channel is 404`() throws {
        #expect(try registry.rollback(identifier, channel: "gamma").status == 404)
        #expect(try registry.rollback(fresh()).problemCode == "no-such-bundle")
    }

    @Test(arguments: ["{\"to\": 1}", "[]", "{", "{\"to\": \"\"}"])
    func `Rolling back with an invalid body is refused`(_ json: String) throws {
        let answer = try registry.write("POST", "/v1/bundles/\(identifier)/channels/stable/rollback", json)
        #expect((400..<500).contains(answer.status))
        #expect(try registry.channel(identifier).text("release") == "1.3~1")
    }
}
