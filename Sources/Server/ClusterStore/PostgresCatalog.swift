internal import CatalogSQL
internal import WidgetBytes
internal import WidgetPostgres
package import WidgetRegistry
internal import WidgetSurroundings

/// A catalog in PostgreSQL, which any number of processes use at the same time.
///
/// Each has readers, one writer and a follower. Writers of all processes take one lock in turn, so that a write decides on
/// the newest state and tags rise in the order of commits.
package final class PostgresCatalog: TiedCatalog {
    package struct Options: Sendable {
        /// This replica's name in messages.
        package var name: String
        /// Connections for reading that are kept open; as many as threads that read.
        package var readers = 4
        /// The time for which cached answers are given while the database cannot be asked.
        package var staleFor = Duration.seconds(600)
        package var schema = PostgresSchema()
        /// Called while the database is taken through the steps it has not seen.
        package var remark: @Sendable (OpeningRemark) -> Void = { _ in }
        /// True for a look that changes nothing: neither the schema nor the rows of replicas.
        package var isLook = false

        package init(name: String) {
            self.name = name
        }
    }

    private let options: Options
    private let clock: any Clock
    /// A name that no other process ever has.
    let replica: String
    let readers: CatalogReaders<PostgresSession>
    let writer: CatalogWriter<PostgresSession>
    let follower: ChangeFollower
    private let leases: Leases
    let heartbeat: Heartbeat
    /// The time of day as the database has it.
    package let time: DatabaseClock

    package init(_ source: PostgresSource, figures: StoreFigures, _ options: Options) throws(RegistryError) {
        self.options = options
        clock = source.world.clock
        let connection = try rethrowing(
            try PostgresConnection(source.address, PostgresSchema.limits), as: PostgresSource.translated)
        if options.isLook {
            try options.schema.requireLatest(connection)
        } else {
            try options.schema.prepare(connection, remark: options.remark)
        }
        let replica = Hex.string(source.world.chance.bytes(16))
        self.replica = replica
        let readers = CatalogReaders(capacity: max(1, options.readers)) { () throws(RegistryError) in
            PostgresSession(source)
        }
        self.readers = readers
        let pulse = try readers.lend { session throws(RegistryError) in
            try session.reading { () throws(RegistryError) in try Pulse.read(session) }
        }
        let time = DatabaseClock(source.world.clock)
        self.time = time
        try readers.lend { session throws(RegistryError) in
            try session.reading { () throws(RegistryError) in try time.set(by: session) }
        }
        let leases = Leases(replica)
        self.leases = leases
        let beat = Heartbeat(replica, name: options.name, schema: options.schema.latest, leases, time)
        heartbeat = beat
        let follower = ChangeFollower(source, from: pulse.tag, tokens: pulse.tokens) { session throws(RegistryError) in
            try beat.beat(session)
        }
        self.follower = follower
        writer = CatalogWriter(PostgresSession(source, writer: replica), figures: figures) { changes in
            follower.tell(changes) { body throws(RegistryError) in try readers.read(body) }
        }
        if !options.isLook { follower.start() }
    }

    deinit {
        follower.end()
    }

    package func read<Value>(_ body: (any CatalogReader) throws(RegistryError) -> Value) throws(RegistryError) -> Value
    {
        try refuseOlder()
        return try readers.read(body)
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any CatalogEditor, inout [RegistryChange]) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        try refuseOlder()
        return try writer.write(body)
    }

    /// Hosts would be shown the past as if it were news.
    private func refuseOlder() throws(RegistryError) {
        guard let complaint = olderState else { return }
        throw .unavailable(CatalogFailure(complaint))
    }

    private var olderState: String? {
        follower.state.olderTag.map {
            "an older state of the database was put in its place: it ends with change \($0), and later ones were shown; "
                + "see that it is the right one, then restart the replicas"
        }
    }

    package func follow(_ observer: @escaping @Sendable ([RegistryChange]) -> Void) { follower.observe(observer) }

    package func followTokens(_ observer: @escaping @Sendable () -> Void) { follower.observeTokens(observer) }

    package func followOutages(_ observer: @escaping @Sendable (String?) -> Void) { follower.observeOutages(observer) }

    // MARK: State

    package var mayGiveCached: Bool {
        let state = follower.state
        return state.olderTag == nil && clock.now - state.current <= options.staleFor
    }

    package var staleness: Duration { max(.zero, clock.now - follower.state.current) }

    package var trouble: String? {
        let state = follower.state
        if let complaint = olderState { return complaint }
        let seconds = (clock.now - state.current).components.seconds
        // Longer than a look takes and the next begins.
        guard seconds >= 5 else { return nil }
        // Strangers read it: the reason has addresses in it, and is in the log.
        return "unreachable for \(seconds) s"
    }

    /// Indexes and constraints that PostgreSQL itself does not rely on. Its pages it checks when it reads them.
    package func complaints() throws(RegistryError) -> [String] {
        try readers.lend { session throws(RegistryError) in
            var found: [String] = []
            try session.reading { () throws(RegistryError) in
                try session.each(
                    """
                    SELECT CAST(indexrelid::regclass AS text) FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
                    WHERE relnamespace = CAST(current_schema() AS regnamespace) AND NOT (indisvalid AND indisready)
                    ORDER BY 1 LIMIT 20
                    """, []
                ) { row throws(RegistryError) in
                    found.append("the index \(try row.text(0)) is not valid")
                    return true
                }
                try session.each(
                    """
                    SELECT CAST(conname AS text) FROM pg_constraint
                    WHERE connamespace = CAST(current_schema() AS regnamespace) AND NOT convalidated ORDER BY 1 LIMIT 20
                    """, []
                ) { row throws(RegistryError) in
                    found.append("the constraint \(try row.text(0)) was never checked")
                    return true
                }
                try session.each(
                    """
                    SELECT DISTINCT CAST(tgrelid::regclass AS text) FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
                    WHERE relnamespace = CAST(current_schema() AS regnamespace) AND tgenabled <> 'O' ORDER BY 1 LIMIT 20
                    """, []
                ) { row throws(RegistryError) in
                    found.append("triggers of the table \(try row.text(0)) are switched off")
                    return true
                }
            }
            return found
        }
    }

    // MARK: Housekeeping

    package func lastRun(of task: HousekeepingTask) -> Int64? {
        try? readers.lend { session throws(RegistryError) in
            var time: Int64?
            try session.reading { () throws(RegistryError) in
                try session.each("SELECT at FROM finished_task WHERE name = ?", [.text(task.rawValue)]) {
                    row throws(RegistryError) in
                    time = try row.integer(0)
                    return false
                }
            }
            return time
        }
    }

    package func noteRun(of task: HousekeepingTask, at time: Int64) {
        // A note that is lost has the task run once more.
        _ = try? readers.lend { session throws(RegistryError) in
            try session.run(
                """
                INSERT INTO finished_task (name, at) VALUES (?, ?)
                ON CONFLICT (name) DO UPDATE SET at = excluded.at
                """, [.text(task.rawValue), .integer(time)])
        }
    }

    package func claim(_ task: HousekeepingTask) throws(RegistryError) -> Bool {
        try readers.lend { session throws(RegistryError) in try leases.claim(task, session) }
    }

    package func yield(_ task: HousekeepingTask) {
        // A lease that cannot be given back ends by itself.
        try? readers.lend { session throws(RegistryError) in try leases.yield(task, session) }
    }
}
