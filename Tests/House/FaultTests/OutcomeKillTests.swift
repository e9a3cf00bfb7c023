import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetBytes
import WidgetTestSupport

/// Goal: counts never go back when the server is killed, and only what it had not added yet is lost. Method: hosts report all the
/// time. What was answered before the server is seen to add twice has to be counted, and stays when the server is killed, at once or
/// some additions later. When it adds is the matter of other tests, by a stepped clock.
@Suite(.also(.faults), .serialized) struct `A registry that is killed while hosts report` {
    private static let identifier = "kills.example.Widget"
    private static let body = Array(
        "{\"outcomes\": [{\"release\": \"1.0~1\", \"channel\": \"stable\", \"outcome\": \"confirmed\"}]}".utf8)

    /// The numbers of reports that were answered and sent.
    private struct Reports: Sendable {
        var answered = 0
        var sent = 0
    }

    private static func report(to registry: Registry, _ reports: Guarded<Reports>) {
        guard let conversation = try? registry.connect() else { return }
        let request = Registry.request("POST", "/v1/widgets/\(identifier)-1/outcomes", body: body)
        while true {
            reports.withLock { $0.sent += 1 }
            conversation.connection.send(request)
            guard let answer = try? conversation.next(), answer.status == 202 else { return }
            reports.withLock { $0.answered += 1 }
        }
    }

    private static func counted(_ registry: Registry) throws -> Int {
        let answer = try registry.get(
            "/v1/bundles/\(identifier)/releases/1.0~1/outcomes", token: Registry.adminToken)
        try #require(answer.status == 200, "\(answer.text)")
        let days = try JSONValue(parsing: answer.body)["days"]?.array ?? []
        return days.reduce(0) { $0 + Int($1["confirmed"]?.integer ?? 0) }
    }

    private struct NothingIsAdded: Error {}

    /// More questions than a server answers in many of its rounds.
    private static let mostQuestions = 1_000_000

    /// Asks until the server has added something.
    private static func counted(_ registry: Registry, after known: Int) throws -> Int {
        for _ in 0..<mostQuestions {
            let counted = try counted(registry)
            try #require(counted >= known)
            if counted > known { return counted }
        }
        throw NothingIsAdded()
    }

    @Test func `Counts never go back, and what was answered before the last addition is in them`() throws {
        var generator = SeededGenerator(seed: Crowd.seed("outcomes"))
        let home = try Home()
        let settings = [
            "WIDGETD_OUTCOMES_ACCEPT": "open", "WIDGETD_OUTCOMES_PER_ADDRESS": "1000000",
            "WIDGETD_OUTCOMES_PER_RELEASE": "10000000", "WIDGETD_OUTCOMES_IN_ALL": "10000000",
            "WIDGETD_LOG_LEVEL": "error",
        ]
        let reports = Guarded(Reports())
        var kept = 0
        for kill in 1...(Part.faults.isRunning ? 20 : 3) {
            let registry = try Registry(home: home, settings, in: .process)
            if kill == 1 { try registry.publish(BundleForge(Self.identifier, "1.0")) }
            let before = try Self.counted(registry)
            #expect(before == kept, "kill \(kill)")
            let earlier = reports.withLock { $0.answered }
            let group = Crowd.start(2) { _ in Self.report(to: registry, reports) }
            var seen = try Self.counted(registry, after: before)
            for _ in 0..<Int.random(in: 0...1, using: &generator) { seen = try Self.counted(registry, after: seen) }
            // An addition that was under way may be without these; the one after it has them.
            let answered = reports.withLock { $0.answered }
            seen = try Self.counted(registry, after: seen)
            seen = try Self.counted(registry, after: seen)
            #expect(seen >= before + answered - earlier, "kill \(kill)")
            registry.killAtOnce()
            group.wait()
            let sent = reports.withLock { $0.sent }
            let next = try Registry(home: home, settings, in: .process)
            kept = try Self.counted(next)
            #expect(kept >= seen && kept <= sent, "kill \(kill): \(kept)")
            next.signal(SIGTERM)
            _ = next.waitUntilExit()
        }
    }

    @Test func `A server that ends as it should loses nothing`() throws {
        let home = try Home()
        let settings = ["WIDGETD_OUTCOMES_ACCEPT": "open", "WIDGETD_LOG_LEVEL": "error"]
        let registry = try Registry(home: home, settings, in: .process)
        try registry.publish(BundleForge(Self.identifier, "1.0"))
        for _ in 0..<20 {
            #expect(
                try registry.ask("POST", "/v1/widgets/\(Self.identifier)/outcomes", body: Self.body).status == 202)
        }
        registry.signal(SIGTERM)
        _ = registry.waitUntilExit()
        let next = try Registry(home: home, settings, in: .process)
        #expect(try Self.counted(next) == 20)
    }
}
