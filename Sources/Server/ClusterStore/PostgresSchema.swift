internal import WidgetBytes
package import WidgetPostgres
package import WidgetRegistry

/// The catalog's tables in PostgreSQL, as steps that every database takes once, in order.
///
/// Replicas of two versions run at the same time while one replaces the other. So a step comes in two halves: it *expands*
/// the schema, which earlier versions can still use, as soon as a replica knows it; and what only earlier versions need is
/// *contracted* by an operator's command, once none of them runs any more. The table `schema_version` says how far the
/// database is, and which version is the earliest that can use it. Columns that are added come last in their table, since
/// rows are read in its order.
package struct PostgresSchema: Sendable {
    package struct Step: Sendable {
        var expansion: String
        /// The indexes that it adds to tables from before, which can be large: each is made beside running replicas.
        var indexes: [Index]
        var contraction: String?

        package init(_ expansion: String, indexes: [Index] = [], thenContracting contraction: String? = nil) {
            self.expansion = expansion
            self.indexes = indexes
            self.contraction = contraction
        }
    }

    /// An index that makes questions quick, and that nothing else depends on.
    package struct Index: Sendable {
        var name: String
        /// The table, its columns, and the condition.
        var place: String

        package init(_ name: String, on place: String) {
            self.name = name
            self.place = place
        }
    }

    /// The steps of this version.
    package static let present = [
        Step(tables), Step(upkeep), Step(finding), Step(desk), Step(rotating), Step(proving), Step(outcomes),
        Step(retention, indexes: retentionIndexes),
    ]

    private let steps: [Step]
    /// The seconds that an index waits for transactions from before it.
    private let indexWait: Int

    package init(_ steps: [Step] = PostgresSchema.present, indexWait: Int = 20) {
        self.steps = steps
        self.indexWait = indexWait
    }

    /// The version of a database that has taken all steps.
    package var latest: Int64 { Int64(steps.count) }

    /// The number of the lock that replicas take to change the schema.
    private static let lock: Int64 = 7_764_617
    /// The number of the lock of the replica that makes indexes.
    private static let indexLock: Int64 = 7_764_618

    /// The times of a connection that takes a database through steps: one may rewrite tables, while other replicas wait for it,
    /// and operators as well.
    package static let limits: PostgresLimits = {
        var limits = PostgresLimits()
        limits.statement = .seconds(3_600)
        limits.lock = .seconds(3_600)
        limits.answer = .seconds(3_700)
        limits.idleInTransaction = .seconds(60)
        return limits
    }()

    /// The seconds that a step waits for the locks of tables: statements that want these tables meanwhile wait behind it.
    private static let lockWait = 1
    /// A long question or a copy of the database can hold a table for minutes. The pauses between attempts grow, so that
    /// statements wait behind few of them.
    private static let longestPause = 10
    /// About twenty minutes.
    private static let mostAttempts = 110

    /// Takes the database through the steps it has not seen, all at once or not at all. Replicas that start together wait
    /// for one another. Running ones wait for a second at most: a step that does not get its tables in that time is undone
    /// and tried again.
    package func prepare(
        _ connection: PostgresConnection, remark: (OpeningRemark) -> Void = { _ in }
    ) throws(RegistryError) {
        try rethrowing(as: PostgresSource.translated) { () throws(PostgresError) in
            try expandPatiently(connection, remark)
        }
        let state = try rethrowing(try PostgresSchema.state(connection), as: PostgresSource.translated)
        guard state.minimum <= latest else { throw .newerStore(version: state.version) }
        try rethrowing(as: PostgresSource.translated) { () throws(PostgresError) in
            try completeIndexes(connection, remark)
        }
    }

    private func expandPatiently(
        _ connection: PostgresConnection, _ remark: (OpeningRemark) -> Void
    ) throws(PostgresError) {
        var (attempts, seconds, nextRemark) = (0, 0, 0)
        while true {
            attempts += 1
            do throws(PostgresError) {
                return try expand(connection)
            } catch {
                guard error.isLockTimeout, attempts < PostgresSchema.mostAttempts else { throw error }
                seconds += PostgresSchema.lockWait
                if seconds >= nextRemark {
                    remark(.waiting(seconds: seconds, reason: error.description))
                    nextRemark = seconds + 60
                }
                let pause = min(attempts, PostgresSchema.longestPause)
                // One after the other: a connection may have less time for a statement.
                for _ in 0..<pause { try connection.ask("SELECT pg_sleep(1)", []) }
                seconds += pause
            }
        }
    }

    private func expand(_ connection: PostgresConnection) throws(PostgresError) {
        try inTransaction(connection) { () throws(PostgresError) in
            try connection.script(
                """
                CREATE TABLE IF NOT EXISTS schema_version (
                    id bigint PRIMARY KEY CHECK (id = 1), version bigint NOT NULL, minimum bigint NOT NULL);
                INSERT INTO schema_version VALUES (1, 0, 1) ON CONFLICT (id) DO NOTHING
                """)
            let version = try PostgresSchema.state(connection).version
            guard version < latest else { return }
            try connection.script("SET LOCAL lock_timeout = '\(PostgresSchema.lockWait)s'")
            // As writers take their locks: this one first, and those of tables after it.
            let lock = try connection.ask("SELECT to_regclass('writer_lock') IS NOT NULL", [])
            if try lock.row(0).flag(0) { try connection.script("LOCK TABLE writer_lock IN EXCLUSIVE MODE") }
            for step in steps.dropFirst(Int(clamping: version)) {
                try connection.script(step.expansion)
                guard version == 0 else { continue }
                // Nothing is in the tables, so this takes no time.
                for index in step.indexes {
                    try connection.script("CREATE INDEX \(index.name) ON \(index.place)")
                }
            }
            try connection.ask("UPDATE schema_version SET version = ? WHERE id = 1", [.integer(latest)])
        }
    }

    /// Makes the indexes that are not there, one replica at a time, while others write. An index that could not be finished
    /// is made anew by the next start: until then questions take longer, and their answers are the same. So only the end of
    /// the connection is an error.
    private func completeIndexes(
        _ connection: PostgresConnection, _ remark: (OpeningRemark) -> Void
    ) throws(PostgresError) {
        var missing: [Index] = []
        for index in steps.flatMap(\.indexes) where try PostgresSchema.isValid(index, connection) != true {
            missing.append(index)
        }
        guard !missing.isEmpty else { return }
        // Not waited for: the wait would be one of the transactions that the other replica waits for.
        let claim = try connection.ask("SELECT pg_try_advisory_lock(?)", [.integer(PostgresSchema.indexLock)])
        guard try claim.row(0).flag(0) else { return }
        try connection.script("SET lock_timeout = '\(indexWait)s'")
        var unfinished: [String] = []
        var reason: PostgresError?
        while let index = missing.first {
            missing.removeFirst()
            do throws(PostgresError) {
                try PostgresSchema.make(index, connection)
            } catch {
                guard !error.endsConnection else { throw error }
                unfinished.append(index.name)
                reason = reason ?? error
                // A transaction from before this start has not ended within the time, such as a copy of the database: the others
                // would wait for it as well, and nothing is served meanwhile. Otherwise this one alone may have no room.
                guard error.isLockTimeout else { continue }
                unfinished += missing.map(\.name)
                missing = []
            }
        }
        try connection.ask("SELECT pg_advisory_unlock(?)", [.integer(PostgresSchema.indexLock)])
        if let reason { remark(.unfinished(indexes: unfinished, reason: reason.description)) }
    }

    private static func make(_ index: Index, _ connection: PostgresConnection) throws(PostgresError) {
        // Another replica may have made it before this one had its turn.
        let isValid = try PostgresSchema.isValid(index, connection)
        if isValid == true { return }
        if isValid == false { try connection.script("DROP INDEX CONCURRENTLY \(index.name)") }
        try connection.script("CREATE INDEX CONCURRENTLY \(index.name) ON \(index.place)")
    }

    /// - Returns: `nil` if the index is not there.
    private static func isValid(_ index: Index, _ connection: PostgresConnection) throws(PostgresError) -> Bool? {
        let found = try connection.ask(
            "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(?)", [.text(index.name)])
        return found.rowCount > 0 ? try found.row(0).flag(0) : nil
    }

    /// Throws if the database has not taken all steps, which the start of a replica would change.
    func requireLatest(_ connection: PostgresConnection) throws(RegistryError) {
        let found = try rethrowing(as: PostgresSource.translated) { () throws(PostgresError) -> Int64? in
            let answer = try connection.ask("SELECT to_regclass('schema_version') IS NULL", [])
            guard try !answer.row(0).flag(0) else { return nil }
            return try PostgresSchema.state(connection).version
        }
        guard found != latest else { return }
        let state = found.map { "is of schema \($0)" } ?? "holds no registry yet"
        throw .invalidValue(
            "--catalog", reason: "the database \(state), and the first start of this version brings it to \(latest)")
    }

    /// Removes what only versions need that are earlier than this one.
    ///
    /// - Returns: the names of replicas of earlier versions that were seen within a minute; if there are any, nothing
    ///   was done.
    package func finish(_ connection: PostgresConnection) throws(RegistryError) -> [String] {
        try rethrowing(as: PostgresSource.translated) { () throws(PostgresError) in
            try inTransaction(connection) { () throws(PostgresError) in
                let answer = try connection.ask(
                    """
                    SELECT name FROM replica WHERE schema < ? AND seen > clock_timestamp() - interval '1 minute'
                    ORDER BY name
                    """, [.integer(latest)])
                var earlier: [String] = []
                for number in 0..<answer.rowCount { earlier.append(try answer.row(number).text(0)) }
                guard earlier.isEmpty else { return earlier }
                let minimum = try PostgresSchema.state(connection).minimum
                // Running replicas wait behind a contraction that waits for its tables.
                try connection.script("SET LOCAL lock_timeout = '10s'")
                for step in steps.dropFirst(Int(clamping: minimum)) {
                    if let contraction = step.contraction { try connection.script(contraction) }
                }
                try connection.ask(
                    "UPDATE schema_version SET minimum = ? WHERE id = 1 AND minimum < ?",
                    [.integer(latest), .integer(latest)])
                return []
            }
        }
    }

    private func inTransaction<Value>(
        _ connection: PostgresConnection, _ body: () throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value {
        connection.enqueue("BEGIN ISOLATION LEVEL READ COMMITTED")
        do throws(PostgresError) {
            try connection.ask("SELECT pg_advisory_xact_lock(?)", [.integer(PostgresSchema.lock)])
            let value = try body()
            connection.enqueue("COMMIT")
            try connection.flush()
            return value
        } catch {
            _ = connection.clearQueue()
            connection.enqueue("ROLLBACK")
            // The error that led here is the one to report.
            try? connection.flush()
            throw error
        }
    }

    private static func state(
        _ connection: PostgresConnection
    ) throws(PostgresError) -> (version: Int64, minimum: Int64) {
        let row = try connection.ask("SELECT version, minimum FROM schema_version WHERE id = 1", []).row(0)
        return (try row.integer(0), try row.integer(1))
    }
}
