import ConformanceSupport
import Foundation
import Glibc
import JSONText
import PostgresPeer
import Testing
import WidgetBytes
import WidgetTestSupport

/// Goal: counts are the same from every replica and never go back, also when one is killed while hosts report to it. Method: two
/// replicas on a real PostgreSQL, of which one is killed again and again. What it had answered before it was seen to add twice has
/// to be counted.
@Suite(.part(.cluster), .serialized)
struct `Replicas that count what hosts report` {
    private static let identifier = "kills.example.Widget"
    private static let settings = [
        "WIDGETD_OUTCOMES_ACCEPT": "open", "WIDGETD_OUTCOMES_PER_ADDRESS": "1000000",
        "WIDGETD_OUTCOMES_PER_RELEASE": "10000000", "WIDGETD_OUTCOMES_IN_ALL": "10000000", "WIDGETD_LOG_LEVEL": "error",
    ]

    /// The numbers of reports that were sent to a replica and answered.
    private struct Reports: Sendable {
        var answered = 0
        var sent = 0
    }

    /// Reports one outcome over and over, until it is not answered or the test has seen enough.
    private static func report(
        _ outcome: String, to registry: Registry, _ reports: Guarded<Reports>, while isWanted: Guarded<Bool>
    ) {
        let body = "{\"outcomes\": [{\"release\": \"1.0~1\", \"channel\": \"stable\", \"outcome\": \"\(outcome)\"}]}"
        let request = Registry.request("POST", "/v1/widgets/\(identifier)-1/outcomes", body: Array(body.utf8))
        guard let conversation = try? registry.connect() else { return }
        while isWanted.withLock({ $0 }) {
            reports.withLock { $0.sent += 1 }
            conversation.connection.send(request)
            guard let answer = try? conversation.next(), answer.status == 202 else { return }
            reports.withLock { $0.answered += 1 }
        }
    }

    /// The counts that a replica shows: `started` is reported to the one that stays, and `confirmed` to the one that is killed.
    private struct Counts: Equatable {
        var started: Int
        var confirmed: Int

        init(_ registry: Registry) throws {
            let answer = try registry.get(
                "/v1/bundles/\(identifier)/releases/1.0~1/outcomes", token: Registry.adminToken)
            try #require(answer.status == 200, "\(answer.text)")
            let days = try JSONValue(parsing: answer.body)["days"]?.array ?? []
            started = days.reduce(0) { $0 + Int($1["started"]?.integer ?? 0) }
            confirmed = days.reduce(0) { $0 + Int($1["confirmed"]?.integer ?? 0) }
        }
    }

    private struct NothingIsAdded: Error {}

    /// More questions than replicas answer in many of their rounds.
    private static let mostQuestions = 1_000_000

    /// Asks the replicas in turn, none of which may go back behind what another has shown, until one more is confirmed.
    private static func confirmed(by replicas: [Registry], after known: Counts) throws -> Counts {
        var last = known
        for _ in 0..<mostQuestions {
            for replica in replicas {
                let counts = try Counts(replica)
                try #require(counts.started >= last.started && counts.confirmed >= last.confirmed)
                last = counts
            }
            if last.confirmed > known.confirmed { return last }
        }
        throw NothingIsAdded()
    }

    @Test func `Counts never go back when a replica is killed, and no more than its last second is lost`() throws {
        let peer = try PostgresPeer.shared.get()
        let home = try Home()
        let shared = try ArchivePlace.folder.settings(home)
            .merging(["WIDGETD_CATALOG_URL": peer.url(peer.makeDatabase())]) { $1 }.merging(Self.settings) { $1 }
        func replica() throws -> Registry { try Registry(shared, program: "widgetd-cluster") }
        let steady = try replica()
        try steady.publish(BundleForge(Self.identifier, "1.0"))
        let (toSteady, toKilled) = (Guarded(Reports()), Guarded(Reports()))
        let isWanted = Guarded(true)
        let reporters = DispatchGroup()
        func begin(_ outcome: String, to registry: Registry, _ reports: Guarded<Reports>) {
            reporters.enter()
            Thread.detachNewThread {
                Self.report(outcome, to: registry, reports, while: isWanted)
                reporters.leave()
            }
        }
        begin("started", to: steady, toSteady)
        var last = try Counts(steady)
        for kill in 1...4 {
            let killed = try replica()
            #expect(try killed.becomes { try killed.resolve(Self.identifier).status == 200 })
            let before = toKilled.withLock { $0.answered }
            let base = last.confirmed
            begin("confirmed", to: killed, toKilled)
            last = try Self.confirmed(by: [steady, killed], after: last)
            // An addition that was under way may be without these; the one after it has them.
            let answered = toKilled.withLock { $0.answered }
            last = try Self.confirmed(by: [killed, steady], after: last)
            last = try Self.confirmed(by: [steady, killed], after: last)
            #expect(last.confirmed >= base + answered - before, "kill \(kill)")
            killed.killAtOnce()
            let after = try Counts(steady)
            #expect(after.confirmed >= last.confirmed && after.started >= last.started, "kill \(kill)")
            last = after
        }
        isWanted.withLock { $0 = false }
        reporters.wait()
        // Nothing is counted twice, and what the steady one has answered is all there.
        let next = try replica()
        #expect(try steady.becomes { try Counts(steady).started == toSteady.withLock { $0.answered } })
        #expect(try Counts(next) == Counts(steady))
        #expect(try Counts(next).confirmed <= toKilled.withLock { $0.sent })
    }
}
