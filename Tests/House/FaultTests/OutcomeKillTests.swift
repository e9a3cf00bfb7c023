import ConformanceSupport
import Foundation
import JSONText
import Testing
import WidgetBytes
import WidgetTestSupport

/// Goal: counts never go back when the server is killed, and no more than the last second's outcomes are lost. Method: hosts report
/// all the time, the server is killed at a random moment, and what it has counted is compared with what it had taken.
@Suite(.also(.faults), .serialized) struct `A registry that is killed while hosts report` {
    private static let identifier = "kills.example.Widget"
    private static let body = Array(
        "{\"outcomes\": [{\"release\": \"1.0~1\", \"channel\": \"stable\", \"outcome\": \"confirmed\"}]}".utf8)

    /// The moments at which reports were answered, and the number of those that were sent.
    private struct Reports: Sendable {
        var answered: [ContinuousClock.Instant] = []
        var sent = 0
    }

    private static func report(to registry: Registry, _ reports: Guarded<Reports>) {
        guard let conversation = try? registry.connect() else { return }
        let request = Registry.request("POST", "/v1/widgets/\(identifier)-1/outcomes", body: body)
        while true {
            reports.withLock { $0.sent += 1 }
            conversation.connection.send(request)
            guard let answer = try? conversation.next(), answer.status == 202 else { return }
            let now = ContinuousClock.now
            reports.withLock { $0.answered.append(now) }
        }
    }

    private static func counted(_ registry: Registry) throws -> Int {
        let answer = try registry.get(
            "/v1/bundles/\(identifier)/releases/1.0~1/outcomes", token: Registry.adminToken)
        try #require(answer.status == 200, "\(answer.text)")
        let days = try JSONValue(parsing: answer.body)["days"]?.array ?? []
        return days.reduce(0) { $0 + Int($1["confirmed"]?.integer ?? 0) }
    }

    @Test func `Counts never go back, and the last second is lost at most`() throws {
        let seed = Crowd.seed("outcomes")
        var generator = SeededGenerator(seed: seed)
        let home = try Home()
        let settings = [
            "WIDGETD_OUTCOMES_ACCEPT": "open", "WIDGETD_OUTCOMES_PER_ADDRESS": "1000000",
            "WIDGETD_OUTCOMES_PER_RELEASE": "10000000", "WIDGETD_OUTCOMES_IN_ALL": "10000000",
            "WIDGETD_LOG_LEVEL": "error",
        ]
        let reports = Guarded(Reports())
        var counted = 0
        // What was answered before a kill and could be lost by it, of all kills.
        var allowance = 0
        for kill in 1...(Part.faults.isRunning ? 20 : 3) {
            let registry = try Registry(home: home, settings, in: .process)
            if kill == 1 { try registry.publish(BundleForge(Self.identifier, "1.0")) }
            let before = try Self.counted(registry)
            #expect(before >= counted, "kill \(kill)")
            let group = Crowd.start(2) { _ in Self.report(to: registry, reports) }
            Thread.sleep(forTimeInterval: Double.random(in: 0.2...2.5, using: &generator))
            counted = try Self.counted(registry)
            #expect(counted >= before, "kill \(kill)")
            let end = ContinuousClock.now
            registry.killAtOnce()
            group.wait()
            // A second until they are added, and what a busy machine takes for that.
            let late = reports.withLock { all in all.answered.count { $0 > end - .seconds(3) } }
            allowance += late
            let (answered, sent) = reports.withLock { ($0.answered.count, $0.sent) }
            let next = try Registry(home: home, settings, in: .process)
            let after = try Self.counted(next)
            #expect(after >= counted && after >= answered - allowance && after <= sent, "kill \(kill): \(after)")
            next.signal(SIGTERM)
            _ = next.waitUntilExit()
            counted = after
        }
        #expect(counted > 0)
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
