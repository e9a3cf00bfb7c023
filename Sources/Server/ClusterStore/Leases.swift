internal import CatalogSQL
internal import WidgetBytes
internal import WidgetRegistry
internal import WidgetSurroundings

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
        case .stills: "stills"
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
    struct Notes: Sendable {
        var settings: String?
        /// When another process that serves has said last that it reaches the store, in seconds of the database before the
        /// moment at which that was read.
        var othersReached: (ago: Duration, at: ContinuousClock.Instant)?
    }

    private let store: Guarded<(@Sendable () -> String)?> = Guarded(nil)

    /// - Parameter state: the answer of the store of archives, `ok` or the trouble.
    func showStore(_ state: @escaping @Sendable () -> String) {
        store.withLock { $0 = state }
        next.withLock { $0 = clock.now }
    }

    /// Rows count for as long as those of processes that live are written anew.
    func othersReachStore(laterBy pause: Duration, than ago: Duration) -> Bool {
        guard let reached = kept.withLock({ $0.othersReached }) else { return false }
        let said = reached.ago + (clock.now - reached.at)
        return said < .seconds(12) && said < ago - pause
    }

    /// Removes the row, for good.
    func leave(_ session: PostgresSession) throws(RegistryError) {
        try isOver.withLock { isOver throws(RegistryError) in
            isOver = true
            try session.run("DELETE FROM replica WHERE id = ?", [.text(replica)])
        }
    }

    private let isOver = Guarded(false)

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
            let before = notes.settings
            change(&notes)
            return notes.settings != before
        }
        if isNews { next.withLock { $0 = clock.now } }
    }

    /// Takes the time of day from the database, writes the row if it is time, and removes those of replicas that were not seen for a day.
    func beat(_ session: PostgresSession) throws(RegistryError) {
        try isOver.withLock { isOver throws(RegistryError) in if !isOver { try write(session) } }
    }

    private func write(_ session: PostgresSession) throws(RegistryError) {
        guard clock.now >= next.withLock({ $0 }) else { return }
        next.withLock { $0 = clock.now + Heartbeat.period }
        try leases.renew(session)
        try time.set(by: session)
        let (notes, state) = (self.notes, store.withLock { $0 }?())
        try session.run(
            """
            INSERT INTO replica (id, name, schema, seen, store, settings) VALUES (?, ?, ?, clock_timestamp(), ?, ?)
            ON CONFLICT (id) DO UPDATE SET seen = excluded.seen, store = excluded.store, settings = excluded.settings
            """,
            [
                .text(replica), .text(name), .integer(schema), state.map { .text($0) } ?? .null,
                notes.settings.map { .text($0) } ?? .null,
            ])
        var ago: Int64?
        try session.each(
            """
            SELECT CAST(EXTRACT(EPOCH FROM MIN(clock_timestamp() - seen)) * 1000 AS bigint) FROM replica
            WHERE id <> ? AND store = 'ok' AND settings IS NOT NULL AND seen > clock_timestamp() - interval '12 seconds'
            """, [.text(replica)]
        ) { row throws(RegistryError) in
            ago = try row.optionalInteger(0)
            return false
        }
        let reached = ago.map { (Duration.milliseconds($0), clock.now) }
        kept.withLock { $0.othersReached = reached }
        try session.run("DELETE FROM replica WHERE seen < clock_timestamp() - interval '1 day'", [])
        try session.run(
            "DELETE FROM settlement WHERE at < clock_timestamp() - interval '1 day' AND writer NOT IN (SELECT id FROM replica)",
            [])
    }
}
