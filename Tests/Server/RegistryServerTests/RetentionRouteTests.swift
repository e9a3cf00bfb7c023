import JSONText
import RegistryContract
import Testing
import WidgetBytes
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@testable import RegistryServer

private let day: Int64 = 86_400

/// Goal: clients learn what has expired and what is used up, and people see it before. Method: a service with rules, asked
/// over a socket.
@Suite struct `What is kept and taken up, over HTTP` {
    private static let bundle = RightsService.bundle
    private static let path = "/v1/bundles/\(bundle)"

    private let rights: RightsService
    private var service: Service { rights.service }

    init() throws {
        rights = try RightsService()
    }

    private func prefix(_ text: String) throws -> BundlePrefix { try #require(BundlePrefix(text)) }

    private func publish(_ versions: String...) throws {
        for version in versions {
            #expect(try rights.publish(version).status == 201)
            service.clock.advance(by: .seconds(2 * day))
        }
    }

    private func collect(_ query: String) throws -> JSONCursor {
        let answer = try service.send("POST", "/v1/gc?\(query)", [], token: nil, door: .control)
        let line = answer.body.split(separator: UInt8(ascii: "\n")).last.map(Array.init) ?? []
        return try #require(try JSONDocument(parsing: line).cursor.member("report"))
    }

    private func keep(last: Int, rollbacks: Int = 0) throws {
        let policy = RetentionPolicy([RetentionRule(try prefix("com.acme"), last: last)], rollbacks: rollbacks)
        service.knobs.withLock { $0.retention = policy }
    }

    @Test
    func
        `A release that has expired is answered with 410 at every address where it was read before, and no host stops`()
        throws
    {
        try publish("1.0", "1.1", "1.2")
        let digest = try service.registry.release(Self.bundle, "1.0~1").digest.hex
        let read = [
            "\(Self.path)/releases/1.0~1", "\(Self.path)/releases/1.0~1/files", "\(Self.path)/releases/1.0~1/report",
            "\(Self.path)/releases/1.0~1/files/a.json", "/v1/blobs/sha256/\(digest)", "/w/\(Self.bundle)/1.0~1",
        ]
        // Everything is cached.
        for path in read { #expect(try service.get(path).status == 200, "\(path)") }
        try keep(last: 1)
        let foretold = try collect("dryRun=true&confirmed=true")
        let expired = try #require(try foretold.member("expired"))
        #expect(try expired.require("count") == 2 && expired.require("of") == 3)
        let items = try #require(try expired.member("releases")?.elements())
        #expect(try items.map { try $0.require("release", as: String.self) } == ["1.0~1", "1.1~1"])
        #expect(try items[0].require("rule") == "com.acme last=1")
        #expect(try service.get(read[0]).status == 200)
        _ = try collect("confirmed=true")
        for path in read {
            let answer = try service.get(path)
            #expect(answer.status == 410, "\(path): \(answer.text)")
            if path.hasPrefix("/v1") { #expect(answer.text.contains("/problems/expired"), "\(path): \(answer.text)") }
        }
        let list = try service.get("\(Self.path)/releases")
        #expect(list.text.contains("\"expired\":{\"at\":\"2027-") && list.text.contains("\"rule\":\"com.acme last=1\""))
        #expect(!list.text.contains("withdrawn"))
        let resolved = try service.get("/v1/widgets/\(Self.bundle)")
        #expect(resolved.status == 200 && !resolved.text.contains("withdrawn"))
        #expect(try service.get("/v1/changes?since=3").text.contains("\"kind\":\"expire\""))
        #expect(try service.get(Self.path).text.contains("\"latest\":\"1.2~1\""))
        #expect(try service.get("/w/\(Self.bundle)").text.contains("expired: com.acme last=1"))
        // Its key stays used.
        let again = try rights.publish("1.0")
        #expect(again.status == 410 && again.text.contains("/problems/expired"), "\(again.text)")
        let channel = try service.send(
            "PUT", "\(Self.path)/channels/beta", "{\"release\": \"1.0~1\"}", "If-None-Match: *\r\n")
        #expect(channel.status == 410 && channel.text.contains("/problems/expired"), "\(channel.text)")
        #expect(try service.get("/problems/expired").status == 200)
    }

    @Test func `The page of a release says why it stays, and until when`() throws {
        try publish("1.0", "1.1", "1.2")
        #expect(try !service.get("/w/\(Self.bundle)/1.0~1").text.contains("<dt>Kept"))
        try keep(last: 1, rollbacks: 1)
        // A reload says so to those who keep pages.
        service.registry.tellParts(of: nil)
        #expect(try service.get("/w/\(Self.bundle)/1.2~1").text.contains("Stable shows it"))
        #expect(try service.get("/w/\(Self.bundle)/1.1~1").text.contains("a rollback of stable can lead to it"))
        #expect(try service.get("/w/\(Self.bundle)/1.0~1").text.contains("it expires with the next collection"))
        // Rules that wait are no longer those of the next collection.
        #expect(try service.registry.reviewRetention()?.waitsUntil != nil)
        service.registry.tellParts(of: nil)
        let waiting = try service.get("/w/\(Self.bundle)/1.0~1").text
        #expect(waiting.contains("it expires with the first collection after") && !waiting.contains("with the next"))
        let policy = RetentionPolicy([RetentionRule(.all, age: 30 * day)])
        service.knobs.withLock { $0.retention = policy }
        service.registry.tellParts(of: nil)
        #expect(try service.get("/w/\(Self.bundle)/1.0~1").text.contains("it is young until"))
    }

    @Test func `A prefix is shown with the rule around it, and one without a rule keeps all`() throws {
        try publish("1.0")
        let rules = [
            RetentionRule(try prefix("com.acme"), last: 3), RetentionRule(try prefix("com.acme.legal")),
            RetentionRule(try prefix("org"), age: 9 * day),
        ]
        func rule(_ name: String) throws -> String? {
            try service.registry.usage(of: prefix(name)).retention?.description
        }
        #expect(try rule("com.acme.Clock") == nil)
        service.knobs.withLock { $0.retention = RetentionPolicy(rules) }
        #expect(try rule("com.acme.Clock") == "com.acme last=3" && rule("com.acme") == "com.acme last=3")
        #expect(try rule("com.acme.legal.Terms") == "com.acme.legal keep" && rule("com") == nil)
        let usage = try service.send("POST", "/v1/usage?prefix=com.acme", [], token: nil, door: .control).text
        #expect(usage.ranges(of: "\"retention\":\"com.acme last=3\"").count == 2, "\(usage)")
    }

    @Test func `A quota refuses a publication with 403, which names what its token may see`() throws {
        let rule = QuotaRule(try prefix("com.acme"), releases: 5)
        service.knobs.withLock { $0.quotas = QuotaPolicy([rule]) }
        let timer = try rights.token("timer", "publish", prefix: "com.acme.Clock.Timer")
        for number in 0..<3 { try publish("1.\(number)") }
        // From 80 % on there is a note, which strict publishing does not count: the sample has a warning without it.
        let strict = try rights.publish("1.3", "strict=true")
        #expect(strict.text.contains("strict: 0 stripped, 1 warnings") && !strict.text.contains("quota-near"))
        let near = try rights.publish("1.3")
        #expect(near.status == 201 && near.text.contains("quota-near"), "\(near.text)")
        // It is about no file.
        let note = "{\"code\":\"quota-near\",\"path\":\"\",\"detail\":\"com.acme has 4 of the 5 releases"
        #expect(near.text.contains(note), "\(near.text)")
        #expect(try rights.publish("1.0", of: "com.acme.Clock.Timer").status == 201)
        let refused = try rights.publish("1.4")
        #expect(refused.status == 403, "\(refused.text)")
        let problem = try JSONDocument(parsing: refused.body).cursor
        #expect(try problem.require("type") == "/problems/quota-exceeded" && problem.require("prefix") == "com.acme")
        #expect(try problem.require("measure") == "releases" && problem.require("limit") == 5)
        #expect(try problem.require("actual") == 5 && problem.member("bundles")?.elements().count == 2)
        #expect(refused.text.contains("On no channel: 3 of their oldest releases"))
        let other = try rights.publish("1.1", token: timer, of: "com.acme.Clock.Timer")
        #expect(other.status == 403 && other.text.contains("com.acme.Clock.Timer"))
        #expect(!other.text.contains("\"com.acme.Clock\"") && !other.text.contains("com.acme.Clock ("), "\(other.text)")
        #expect(try rights.publish("1.1", "dryRun=true").status == 200)
        #expect(try rights.publish("1.4", "dryRun=true").status == 403)
        #expect(try rights.publish("1.0", of: "com.acmes.Map").status == 201)
        let metrics = try service.get("/metrics", admin: true).text
        #expect(metrics.contains("widgetd_prefix_used{prefix=\"com.acme\",measure=\"releases\"} 5"))
        #expect(metrics.contains("widgetd_prefix_limit{prefix=\"com.acme\",measure=\"releases\"} 5"))
    }

    @Test func `A note about a quota that is near does not refuse a strict publication, and anything else does`() throws
    {
        let rule = QuotaRule(try prefix("com.acme"), releases: 5)
        service.knobs.withLock { $0.quotas = QuotaPolicy([rule]) }
        for number in 0..<3 { try publish("1.\(number)") }
        func publishStrictly(_ version: String, _ files: [(String, [UInt8])]) throws -> WireAnswer {
            try service.send("POST", "/v1/bundles?strict=true", RightsService.archive(version, files))
        }
        let clean = FirstScreenFiles.all
        let near = try publishStrictly("1.3", clean)
        #expect(near.status == 201 && near.text.contains("quota-near"), "\(near.text)")
        #expect(near.text.contains("4 of the 5 releases"), "\(near.text)")
        // A file that is stripped is refused, at the same limit.
        let refused = try publishStrictly("1.4", clean + [("tool.sh", Array("#!/bin/sh".utf8))])
        #expect(refused.status == 422 && !refused.text.contains("quota-near"), "\(refused.text)")
    }

    @Test func `Other content under the key of an expired release is 409, and the same content 410`() throws {
        try publish("1.0", "1.1", "1.2")
        try keep(last: 1)
        #expect(try collect("confirmed=true").member("expired")?.require("count") == 2)
        let same = try rights.publish("1.0")
        #expect(same.status == 410 && same.problemCode == "expired", "\(same.text)")
        let other = try service.send(
            "POST", "/v1/bundles", RightsService.archive("1.0", [("b.json", Array("[2]".utf8))]))
        #expect(other.status == 409 && other.problemCode == "release-exists", "\(other.text)")
        #expect(other.text.contains("expired"), "\(other.text)")
        // A dry run says the same.
        let judged = try service.send(
            "POST", "/v1/bundles?dryRun=true", RightsService.archive("1.0", [("b.json", Array("[2]".utf8))]))
        #expect(judged.status == 409 && judged.problemCode == "release-exists")
    }

    @Test func `Nothing is summed for a page while no rule is set, and once a minute while one is`() throws {
        try publish("1.0", "1.1")
        let visitor = Visitor(service)
        try visitor.signIn()
        #expect(try !visitor.get("/manage").text.contains("What is taken up"))
        #expect(try service.registry.limitedUsage().isEmpty && !service.registry.hasPrefixRules)
        let rule = QuotaRule(try prefix("com.acme"), releases: 5)
        service.knobs.withLock { $0.quotas = QuotaPolicy([rule]) }
        func shows(_ text: String) throws -> Bool {
            let used = "widgetd_prefix_used{prefix=\"com.acme\",measure=\"releases\"} "
            let sample = try service.get("/metrics", admin: true).text.contains(used + text + "\n")
            return try visitor.get("/manage").text.contains("\(text) of 5") && sample
        }
        #expect(try shows("2"))
        #expect(try rights.publish("1.2").status == 201)
        #expect(try shows("2"))
        service.clock.advance(by: .seconds(PrefixUsage.freshness - 1))
        #expect(try shows("2"))
        service.clock.advance(by: .seconds(1))
        #expect(try shows("3"))
        // Other rules are shown at once.
        service.knobs.withLock { $0.quotas = QuotaPolicy([rule, QuotaRule(.all, bytes: 1 << 40)]) }
        #expect(try rights.publish("1.3").status == 201 && shows("4"))
    }

    @Test func `People see what their prefix takes up, and rules that wait`() throws {
        let rules = [QuotaRule(try prefix("com.acme"), releases: 5), QuotaRule(try prefix("org.example"), bytes: 9)]
        service.knobs.withLock { $0.quotas = QuotaPolicy(rules) }
        for number in 0..<4 { try publish("1.\(number)") }
        let visitor = Visitor(service)
        try visitor.signIn()
        let page = try visitor.get("/manage").text
        #expect(page.contains("What is taken up") && page.contains("com.acme") && page.contains("org.example"))
        #expect(page.contains("80 %") && page.contains("4 of 5"))
        #expect(!page.contains("widgetd gc --yes"))
        let other = Visitor(service)
        try other.signIn(try rights.token("clock", "publish", prefix: "com.acme.Clock"))
        let own = try other.get("/manage").text
        #expect(own.contains("4 of 5") && !own.contains("org.example"))
        try keep(last: 1)
        _ = try collect("")
        #expect(try visitor.get("/manage").text.contains("widgetd gc --yes"))
        #expect(try !other.get("/manage").text.contains("widgetd gc --yes"))
        #expect(try service.get("/metrics", admin: true).text.contains("widgetd_retention_waiting 1"))
        let usage = try service.send("POST", "/v1/usage?prefix=com.acme", [], token: nil, door: .control).text
        #expect(usage.contains("\"prefix\":\"com.acme\"") && usage.contains("\"prefix\":\"com.acme.Clock\""))
        #expect(usage.contains("\"quota\":{\"releases\":5}") && usage.contains("retentionWaitsUntil"))
        // What the owner confirms goes at once.
        #expect(try collect("confirmed=true").member("expired")?.require("count") == 3)
        #expect(try !visitor.get("/manage").text.contains("widgetd gc --yes"))
        #expect(try service.get("/metrics", admin: true).text.contains("widgetd_gc_expired_releases_total 3"))
        #expect(try service.get("/metrics", admin: true).text.contains("widgetd_retention_waiting 0"))
        // The routes of the owner are on no listener for clients.
        #expect(try service.send("POST", "/v1/usage").status == 404)
    }
}
