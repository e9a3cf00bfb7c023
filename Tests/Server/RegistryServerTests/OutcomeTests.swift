import JSONText
import RegistryContract
import Testing
import WidgetBytes
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@testable import RegistryServer

/// Goal: what hosts report is counted within its bounds, and a stranger learns nothing by it. Method: a service behind a socket,
/// whose clock the test moves, asked by hosts, publishers and strangers.
@Suite struct `Outcomes that are sent to a registry` {
    private static let path = "/v1/widgets/com.acme.Clock-1/outcomes"
    private static let counts = "/v1/bundles/com.acme.Clock/releases/1.0~1/outcomes"

    private let rights: RightsService
    private var service: Service { rights.service }

    init() throws {
        rights = try RightsService()
        #expect(try rights.publish("1.0").status == 201)
        accept(.open)
    }

    private func accept(_ acceptance: OutcomeAcceptance) {
        service.knobs.withLock { $0.outcomes.accepts = acceptance }
    }

    private static func body(_ outcomes: String...) -> String { "{\"outcomes\": [\(outcomes.joined(separator: ","))]}" }

    private static func one(
        _ outcome: String, _ release: String = "1.0~1", _ channel: String = "stable", _ reason: String? = nil
    ) -> String {
        let more = reason.map { ", \"reason\": \"\($0)\"" } ?? ""
        return "{\"release\": \"\(release)\", \"channel\": \"\(channel)\", \"outcome\": \"\(outcome)\"\(more)}"
    }

    @discardableResult
    private func report(_ body: String, _ fields: String = "", token: String? = nil, to path: String = path) throws
        -> WireAnswer
    {
        try service.send("POST", path, body, fields, token: token)
    }

    /// The counts as the administrator reads them, once the desk has added it.
    private func counted(_ path: String = counts, token: String = Service.admin) throws -> OutcomeCountsDocument {
        service.outcomes.finish()
        let answer = try service.send("GET", path, token: token)
        try #require(answer.status == 200, "\(answer.text)")
        return try OutcomeCountsDocument(json: JSONDocument(parsing: answer.body).cursor)
    }

    private func fates() throws -> [String: Int] {
        let lines = try service.get("/metrics", admin: true).text.split(separator: "\n")
        var fates: [String: Int] = [:]
        for line in lines where line.hasPrefix("widgetd_outcomes_total{fate=") {
            let parts = line.split(separator: "\"")
            fates[String(parts[1])] = Int(parts[2].dropFirst(2)) ?? -1
        }
        return fates
    }

    @Test func `Outcomes are counted by release, channel, day and reason`() throws {
        let answer = try report(
            Self.body(
                Self.one("installed"), Self.one("started"), Self.one("confirmed"),
                Self.one("went-back", "1.0~1", "stable", "unconfirmed")))
        #expect(answer.status == 202 && answer.body.isEmpty && answer.value("Cache-Control") == "no-store")
        try report(Self.body(Self.one("installed"), Self.one("rejected")), "Content-Type: text/plain;charset=UTF-8\r\n")
        service.clock.advance(by: .seconds(86_400))
        try report(Self.body(Self.one("started")))
        let counts = try counted()
        #expect(counts.accepts == "open" && counts.release == "1.0~1")
        let shown = counts.days.map {
            "\($0.day) \($0.channel) \($0.installed) \($0.started) \($0.confirmed) \($0.failed)"
        }
        #expect(shown == ["2027-01-16 stable 0 1 0 0", "2027-01-15 stable 2 1 1 2"])
        #expect(
            counts.days.last?.failures.map { "\($0.count) \($0.outcome) \($0.reason)" } == [
                "1 rejected other", "1 went-back unconfirmed",
            ])
    }

    @Test func `They are added within a second, without a request`() throws {
        try report(Self.body(Self.one("installed")))
        #expect(try service.registry.outcomes("com.acme.Clock", "1.0~1").counts.isEmpty)
        service.clock.advance(by: .seconds(1))
        #expect(service.threads.settle())
        #expect(try service.registry.outcomes("com.acme.Clock", "1.0~1").counts.map(\.count) == [1])
    }

    @Test(arguments: [
        "", "x", "[]", "{}", "{\"outcomes\": 1}", "{\"outcomes\": {}}", "{\"outcomes\": [1]}",
        body("{}"), body(one("updated")), body(one("installed", "1.0")), body(one("installed", "1.0~1", "a b")),
        body(one("installed", "1.0~1", "stable", "app")), body(one("rejected", "1.0~1", "stable", "my own words")),
        "{\"outcomes\": [{\"release\": \"1.0~1\", \"channel\": \"stable\", \"outcome\": \"rejected\", \"reason\": 1}]}",
        String(repeating: "[", count: 4_000), "{\"outcomes\": [" + String(repeating: "1,", count: 3_000) + "1]}",
        String(repeating: "x", count: 100_000),
    ])
    func `What is not understood is answered alike, dropped and counted`(_ body: String) throws {
        #expect(try report(body).status == 202)
        #expect(try counted().days.isEmpty)
        let fates = try fates()
        #expect(fates["unread", default: 0] > 0 && fates["counted"] == 0)
    }

    @Test func `Of a request with good and bad outcomes, the good ones count, and sixteen at most`() throws {
        try report(Self.body(Self.one("installed"), "7", Self.one("confirmed")))
        try report("{\"outcomes\": [\(Array(repeating: Self.one("started"), count: 20).joined(separator: ","))]}")
        let day = try #require(try counted().days.first)
        #expect((day.installed, day.confirmed, day.started) == (1, 1, 16))
        #expect(try fates()["unread"] == 1 + 4)
    }

    @Test func `What is about nothing that is here is dropped and counted`() throws {
        try report(Self.body(Self.one("installed", "9.9~9"), Self.one("installed", "1.0~1", "beta")))
        try report(Self.body(Self.one("installed")), to: "/v1/widgets/org.other.Widget/outcomes")
        #expect(try counted().days.isEmpty)
        #expect(try fates()["unknown"] == 3)
    }

    @Test func `An address, a release and all together are bounded by the minute`() throws {
        let sixteen = "{\"outcomes\": [\(Array(repeating: Self.one("started"), count: 16).joined(separator: ","))]}"
        service.knobs.withLock { $0.outcomes.perAddress = 40 }
        for _ in 0..<10 { #expect(try report(sixteen).status == 202) }
        // The last request that is within the allowance counts as a whole.
        #expect(try counted().days.first?.started == 48)
        #expect(try fates()["over-address"] == 112)
        service.knobs.withLock {
            $0.outcomes.perAddress = 1_000_000
            $0.outcomes.perRelease = 100
        }
        service.clock.advance(by: .seconds(120))
        for _ in 0..<10 { try report(sixteen) }
        #expect(try counted().days.first?.started == 148)
        #expect(try fates()["over-release"] == 60)
        service.knobs.withLock {
            $0.outcomes.perRelease = 1_000_000
            $0.outcomes.inAll = 20
        }
        service.clock.advance(by: .seconds(120))
        for _ in 0..<10 { try report(sixteen) }
        #expect(try counted().days.first?.started == 168)
        #expect(try fates()["over-all"] == 140)
    }

    // MARK: Strangers

    @Test func `A stranger gets 202 and 404 alone, by the setting and by nothing else`() throws {
        let reader = try rights.token("reader", "read", prefix: "com.acme")
        let publisher = try rights.token("publisher", "publish")
        let bodies = [Self.body(Self.one("installed")), "", "{", Self.body(Self.one("installed", "9~9"))]
        let paths = [Self.path, "/v1/widgets/com.acme.Clock/outcomes", "/v1/widgets/not.there/outcomes"]
        for acceptance in OutcomeAcceptance.allCases {
            accept(acceptance)
            for (token, isAdmitted) in [(nil, false), ("wrong", false), (publisher, false), (reader, true)] {
                let wanted = acceptance == .open || acceptance == .token && isAdmitted ? 202 : 404
                var texts: Set<String> = []
                for path in paths {
                    for body in bodies {
                        let answer = try report(body, token: token, to: path)
                        #expect(answer.status == wanted, "\(acceptance) \(path) \(body)")
                        texts.insert(wanted == 404 ? answer.problemCode ?? "" : answer.text)
                    }
                }
                #expect(texts.count == 1)
            }
        }
        // What is not served is answered the same, but for the path in it.
        accept(.off)
        let nowhere = try report("", to: "/v1/nothing")
        let here = try report("")
        #expect(nowhere.status == 404 && nowhere.problemCode == here.problemCode)
    }

    @Test func `A token counts for the bundles that its prefix covers`() throws {
        accept(.token)
        let other = try rights.token("other", "read", prefix: "org.other")
        let own = try rights.token("own", "read", prefix: "com.acme")
        #expect(try report(Self.body(Self.one("installed")), token: other).status == 202)
        #expect(try counted().days.isEmpty)
        #expect(try report(Self.body(Self.one("installed")), token: own).status == 202)
        #expect(try counted().days.map(\.installed) == [1])
    }

    @Test func `Counts are shown to tokens that cover the bundle and to people signed in, and to no other`() throws {
        try report(Self.body(Self.one("installed")))
        service.outcomes.finish()
        let absent = "/v1/bundles/com.acme.Clock/releases/9~9/outcomes"
        for path in [Self.counts, absent, "/v1/bundles/not.there/releases/1~1/outcomes"] {
            #expect(try service.get(path).problemCode == "unauthorized", "\(path)")
            #expect(try service.send("GET", path, token: "wrong").status == 401)
        }
        let (own, other) = (
            try rights.token("own", "publish", prefix: "com.acme"),
            try rights.token("other", "publish", prefix: "org.b")
        )
        #expect(try counted(token: own).days.map(\.installed) == [1])
        #expect(try service.send("GET", absent, token: own).problemCode == "no-such-release")
        // All see that a public bundle is there, so its counts are refused and not denied.
        let refused = try service.send("GET", Self.counts, token: other)
        #expect(refused.problemCode == "forbidden" && refused.text.contains("good for org.b"))
        service.knobs.withLock { $0.closesReads = true }
        let reader = try rights.token("reader", "read", prefix: "org.b")
        #expect(try service.send("GET", Self.counts, token: reader).problemCode == "no-such-bundle")
        service.knobs.withLock { $0.closesReads = false }
        let page = "/w/com.acme.Clock/1.0~1"
        let (person, stranger, guest) = (Visitor(service), Visitor(service), Visitor(service))
        try person.signIn(own)
        try guest.signIn(other)
        for _ in 1...2 {
            let shown = try person.get(page)
            #expect(shown.text.contains("On devices") && shown.text.contains("Installed 1 times"))
            #expect(shown.text.contains("<svg class=\"bars\"") && shown.value("Cache-Control") == "no-store")
            #expect(shown.text.contains("Token <strong>own</strong>"))
            for visitor in [stranger, guest] {
                #expect(try !visitor.get(page).text.contains("On devices"))
            }
        }
        let cookie = try #require(person.cookies["session"])
        #expect(
            try service.get(Self.counts, "Cookie: session=\(cookie)\r\nSec-Fetch-Site: same-origin\r\n").status == 200)
        #expect(
            try service.get(Self.counts, "Cookie: session=\(cookie)\r\nSec-Fetch-Site: cross-site\r\n").status == 401)
    }

    @Test func `A withdrawn release has its counts`() throws {
        try report(Self.body(Self.one("rejected", "1.0~1", "stable", "app")))
        service.outcomes.finish()
        #expect(try rights.withdraw("1.0~1").status == 200)
        #expect(try counted().days.map(\.failed) == [1])
        try report(Self.body(Self.one("went-back")))
        #expect(try counted().days.map(\.failed) == [2])
    }

    // MARK: The log, replicas, mirrors

    @Test func `The log of requests has neither the client nor the agent of a report`() throws {
        let service = try Service(logsRequests: true)
        service.knobs.withLock { $0.outcomes.accepts = .open }
        _ = try service.send("POST", Self.path, Self.body(), "User-Agent: secret-agent\r\n", token: nil)
        _ = try service.get("/livez")
        #expect(service.audits("\"route\":\"/livez\"", "\"client\":\"127.0.0.1\""))
        #expect(service.audits("\"route\":\"/v1/widgets/{widgetIdentifier}/outcomes\"", "\"status\":202"))
        let lines = service.requestLog.split(separator: "\n").filter { $0.contains("/outcomes") }
        #expect(lines.allSatisfy { !$0.contains("client") && !$0.contains("agent") && !$0.contains("127.0.0.1") })
    }

    @Test func `Every replica shows the same counts`() throws {
        let store = try SharedStore()
        let (one, other) = (try Service(on: store), try Service(on: store))
        for service in [one, other] { service.knobs.withLock { $0.outcomes.accepts = .open } }
        #expect(try one.send("POST", "/v1/bundles", RightsService.archive("1.0")).status == 201)
        for service in [one, other, other] {
            _ = try service.send("POST", Self.path, Self.body(Self.one("confirmed")), token: nil)
        }
        one.outcomes.finish()
        other.outcomes.finish()
        let answers = try [one, other].map { try $0.send("GET", Self.counts) }
        #expect(answers[0].text == answers[1].text && answers[0].text.contains("\"confirmed\":3"))
        #expect(answers[0].value("ETag") == answers[1].value("ETag"))
    }

    @Test func `A mirror refuses reports`() throws {
        let mirror = try Service(origin: "https://origin.example")
        mirror.knobs.withLock { $0.outcomes.accepts = .open }
        let answer = try mirror.send("POST", Self.path, Self.body(Self.one("installed")), token: nil)
        #expect(answer.problemCode == "read-only")
    }
}
