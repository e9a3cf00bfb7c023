internal import Bytes
internal import CatalogSQL
internal import Registry
internal import Surroundings

/// Work that one replica does at a time. A lease ends by the database's clock unless it is renewed, so that a replica that
/// is gone keeps no other from the work.
final class Leases: Sendable {
    private let holder: String
    private let held: Guarded<Set<String>> = Guarded([])

    /// Some heartbeats long, and short enough that the work of a replica that was killed is soon taken up by another.
    private static let seconds: Int64 = 15

    init(_ holder: String) {
        self.holder = holder
    }

    /// A backup and a collection of garbage exclude each other.
    private static func name(_ task: HousekeepingTask) -> String {
        switch task {
        case .backup, .gc: "store"
        case .scrub: "scrub"
        }
    }

    /// - Returns: false when another replica has it.
    func claim(_ task: HousekeepingTask, _ session: PostgresSession) throws(RegistryError) -> Bool {
        let name = Leases.name(task)
        let count = try session.run(
            """
            INSERT INTO lease (name, holder, until)
            VALUES (?, ?, clock_timestamp() + CAST(? AS bigint) * interval '1 second')
            ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
                WHERE lease.until < clock_timestamp() OR lease.holder = excluded.holder
            """, [.text(name), .text(holder), .integer(Leases.seconds)])
        guard count > 0 else { return false }
        held.withLock { _ = $0.insert(name) }
        return true
    }

    func yield(_ task: HousekeepingTask, _ session: PostgresSession) throws(RegistryError) {
        let name = Leases.name(task)
        held.withLock { _ = $0.remove(name) }
        try session.run("DELETE FROM lease WHERE name = ? AND holder = ?", [.text(name), .text(holder)])
    }

    /// Renews what is held. A lease that another has taken meanwhile stays with it.
    func renew(_ session: PostgresSession) throws(RegistryError) {
        guard held.withLock({ !$0.isEmpty }) else { return }
        try session.run(
            "UPDATE lease SET until = clock_timestamp() + CAST(? AS bigint) * interval '1 second' WHERE holder = ?",
            [.integer(Leases.seconds), .text(holder)])
    }
}

/// The signs of life of a replica, by which others know which versions run.
final class Heartbeat: Sendable {
    private let replica: String
    private let name: String
    private let schema: Int64
    private let leases: Leases
    private let clock: any Clock
    private let time: DatabaseClock
    private let next: Guarded<ContinuousClock.Instant>
    private let kept: Guarded<Notes> = Guarded(Notes())

    /// The content of a row besides the sign of life, and what the rows of others say.
    struct Notes: Equatable, Sendable {
        /// The answer of the store of archives: `ok`, or the trouble; `nil` before it was asked.
        var store: String?
        var settings: String?
        var othersReachStore = false
    }

    private static let period = Duration.seconds(4)

    init(_ replica: String, name: String, schema: Int64, _ leases: Leases, _ time: DatabaseClock) {
        self.replica = replica
        self.time = time
        clock = time
        next = Guarded(clock.now)
        self.name = name
        self.schema = schema
        self.leases = leases
    }

    var notes: Notes { kept.withLock { $0 } }

    /// Changes the row with the next sign of life, which comes at once.
    func note(_ change: (inout Notes) -> Void) {
        let isNews = kept.withLock { notes in
            let before = notes
            change(&notes)
            return notes != before
        }
        if isNews { next.withLock { $0 = clock.now } }
    }

    /// Takes the time of day from the database, writes the row if it is time, and removes those of replicas that were not seen for a day.
    func beat(_ session: PostgresSession) throws(RegistryError) {
        guard clock.now >= next.withLock({ $0 }) else { return }
        next.withLock { $0 = clock.now + Heartbeat.period }
        try leases.renew(session)
        try time.set(by: session)
        let notes = self.notes
        try session.run(
            """
            INSERT INTO replica (id, name, schema, seen, store, settings) VALUES (?, ?, ?, clock_timestamp(), ?, ?)
            ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, store = excluded.store, settings = excluded.settings
            """,
            [
                .text(replica), .text(name), .integer(schema), notes.store.map { .text($0) } ?? .null,
                notes.settings.map { .text($0) } ?? .null,
            ])
        var isReached = false
        try session.each(
            """
            SELECT 1 FROM replica WHERE id <> ? AND store = 'ok' AND seen > clock_timestamp() - interval '12 seconds'
            LIMIT 1
            """, [.text(replica)]
        ) { _ throws(RegistryError) in
            isReached = true
            return false
        }
        let others = isReached
        kept.withLock { $0.othersReachStore = others }
        try session.run("DELETE FROM replica WHERE seen < clock_timestamp() - interval '1 day'", [])
        try session.run(
            "DELETE FROM settlement WHERE at < clock_timestamp() - interval '1 day' AND writer NOT IN (SELECT id FROM replica)",
            [])
    }
}
