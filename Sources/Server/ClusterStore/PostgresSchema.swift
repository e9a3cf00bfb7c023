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

    package init(_ steps: [Step] = PostgresSchema.present) { self.steps = steps }

    /// The version of a database that has taken all steps.
    package var latest: Int64 { Int64(steps.count) }

    /// The number of the lock that replicas take to change the schema.
    private static let lock: Int64 = 7_764_617
    /// The number of the lock of the replica that makes indexes.
    private static let indexLock: Int64 = 7_764_618

    /// The time that a step waits for the locks of tables: statements that want these tables meanwhile wait behind it.
    private static let lockWait = Duration.seconds(1)
    /// A long question or a copy of the database can hold a table for minutes.
    private static let mostAttempts = 600

    /// Takes the database through the steps it has not seen, all at once or not at all. Replicas that start together wait
    /// for one another. Running ones wait for a second at most: a step that does not get its tables in that time is undone
    /// and tried again.
    package func prepare(_ connection: PostgresConnection) throws(RegistryError) {
        try rethrowing(as: PostgresSource.translated) { () throws(PostgresError) in
            var attempts = 0
            while true {
                attempts += 1
                do throws(PostgresError) {
                    try expand(connection)
                    break
                } catch {
                    guard error.isLockTimeout, attempts < PostgresSchema.mostAttempts else { throw error }
                    try connection.ask("SELECT pg_sleep(1)", [])
                }
            }
        }
        let state = try rethrowing(try PostgresSchema.state(connection), as: PostgresSource.translated)
        guard state.minimum <= latest else { throw .newerStore(version: state.version) }
        try rethrowing(try completeIndexes(connection), as: PostgresSource.translated)
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
            try connection.script("SET LOCAL lock_timeout = \(PostgresSchema.lockWait.components.seconds * 1_000)")
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
    /// is made anew by the next start: until then questions take longer, and their answers are the same.
    private func completeIndexes(_ connection: PostgresConnection) throws(PostgresError) {
        let wanted = steps.flatMap(\.indexes)
        var isComplete = true
        for index in wanted where try PostgresSchema.isValid(index, connection) != true { isComplete = false }
        guard !isComplete else { return }
        // Not waited for: the wait would be one of the transactions that the other replica waits for.
        let claim = try connection.ask("SELECT pg_try_advisory_lock(?)", [.integer(PostgresSchema.indexLock)])
        guard try claim.row(0).flag(0) else { return }
        try connection.script("SET lock_timeout = '60s'")
        do throws(PostgresError) {
            for index in wanted {
                let isValid = try PostgresSchema.isValid(index, connection)
                if isValid == true { continue }
                if isValid == false { try connection.script("DROP INDEX CONCURRENTLY \(index.name)") }
                try connection.script("CREATE INDEX CONCURRENTLY \(index.name) ON \(index.place)")
            }
        } catch {
            // A transaction from before this start has not ended within the time, such as a copy of the database; or an index
            // has no room, which nothing but its speed depends on.
            guard error.kind == .busy || error.kind == .full else { throw error }
        }
        try connection.ask("SELECT pg_advisory_unlock(?)", [.integer(PostgresSchema.indexLock)])
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

extension PostgresSchema {
    /// The tables of `CatalogSchema`, in the same order of columns. Texts compare by their bytes in any
    /// locale. A row in `writer_lock` is never there: the table is what writers lock.
    package static let tables = """
        CREATE TABLE bundle (
            id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            identifier text COLLATE "C" NOT NULL UNIQUE,
            folded text COLLATE "C" NOT NULL UNIQUE,
            name text COLLATE "C" NOT NULL,
            latest bigint,
            release_count bigint NOT NULL DEFAULT 0
        );
        CREATE TABLE release (
            id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            bundle bigint NOT NULL REFERENCES bundle (id),
            key text COLLATE "C" NOT NULL,
            short_version text COLLATE "C" NOT NULL,
            build text COLLATE "C" NOT NULL,
            name text COLLATE "C" NOT NULL,
            version bytea NOT NULL,
            is_snapshot boolean NOT NULL,
            digest bytea NOT NULL,
            content_digest bytea NOT NULL,
            byte_count bigint NOT NULL,
            published bigint NOT NULL,
            published_by text COLLATE "C" NOT NULL,
            minimum_os text COLLATE "C",
            minimum_host text COLLATE "C",
            withdrawn_at bigint,
            withdrawn_reason text COLLATE "C",
            withdrawn_by text COLLATE "C",
            restored_at bigint,
            note text COLLATE "C",
            UNIQUE (bundle, key)
        );
        CREATE INDEX release_order ON release (bundle, version, id);
        CREATE INDEX release_shown ON release (bundle, is_snapshot, version, id) WHERE withdrawn_at IS NULL;
        CREATE INDEX release_digest ON release (digest, id);
        ALTER TABLE bundle ADD FOREIGN KEY (latest) REFERENCES release (id);
        CREATE TABLE release_files (release bigint PRIMARY KEY REFERENCES release (id), document bytea NOT NULL);
        CREATE TABLE release_report (release bigint PRIMARY KEY REFERENCES release (id), document bytea NOT NULL);
        CREATE TABLE channel (
            bundle bigint NOT NULL REFERENCES bundle (id),
            name text COLLATE "C" NOT NULL,
            release bigint NOT NULL REFERENCES release (id),
            base bigint REFERENCES release (id),
            rollout bigint NOT NULL CHECK (rollout BETWEEN 0 AND 10000),
            is_mandatory boolean NOT NULL,
            salt text COLLATE "C" NOT NULL,
            sequence bigint NOT NULL,
            changed_at bigint NOT NULL,
            head bigint,
            deleted_at bigint,
            origin bigint NOT NULL DEFAULT 0,
            PRIMARY KEY (bundle, name)
        );
        CREATE TABLE placement (
            id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
            bundle bigint NOT NULL,
            channel text COLLATE "C" NOT NULL,
            sequence bigint NOT NULL,
            at bigint NOT NULL,
            kind text COLLATE "C" NOT NULL,
            release bigint NOT NULL REFERENCES release (id),
            base bigint REFERENCES release (id),
            rollout bigint NOT NULL,
            is_mandatory boolean NOT NULL,
            salt text COLLATE "C" NOT NULL,
            previous bigint REFERENCES placement (id),
            replaced bigint REFERENCES placement (id),
            cause bigint REFERENCES release (id),
            FOREIGN KEY (bundle, channel) REFERENCES channel (bundle, name)
        );
        CREATE INDEX placement_release ON placement (bundle, channel, release);
        ALTER TABLE channel ADD FOREIGN KEY (head) REFERENCES placement (id);
        CREATE TABLE change (
            tag bigint PRIMARY KEY,
            at bigint NOT NULL,
            kind text COLLATE "C" NOT NULL,
            bundle text COLLATE "C" NOT NULL,
            release text COLLATE "C" NOT NULL,
            channel text COLLATE "C",
            sequence bigint,
            author text COLLATE "C" NOT NULL
        );
        CREATE TABLE token (
            id bigint PRIMARY KEY,
            name text COLLATE "C" NOT NULL,
            digest bytea UNIQUE,
            prefix text COLLATE "C" NOT NULL,
            scopes text COLLATE "C" NOT NULL,
            created bigint NOT NULL,
            expires bigint,
            last_used bigint,
            revoked_at bigint,
            channels text COLLATE "C",
            keeps_earlier_rights boolean NOT NULL DEFAULT false,
            CHECK ((digest IS NULL) = (revoked_at IS NOT NULL))
        );
        CREATE INDEX token_name ON token (name);
        CREATE TABLE milestone (name text COLLATE "C" PRIMARY KEY);
        CREATE TABLE audit (
            number bigint PRIMARY KEY,
            at bigint NOT NULL,
            act text COLLATE "C" NOT NULL,
            author text COLLATE "C" NOT NULL,
            author_token bigint,
            client text COLLATE "C" NOT NULL,
            request text COLLATE "C" NOT NULL,
            agent text COLLATE "C" NOT NULL,
            subject text COLLATE "C" NOT NULL,
            release text COLLATE "C",
            channel text COLLATE "C",
            from_release text COLLATE "C",
            from_rollout bigint,
            from_mandatory boolean,
            to_release text COLLATE "C",
            to_rollout bigint,
            to_mandatory boolean,
            is_forced boolean NOT NULL,
            digest bytea,
            content_digest bytea,
            token bigint,
            token_name text COLLATE "C",
            remark text COLLATE "C"
        );
        """

    /// The tables that replicas coordinate by. `settlement` has the number of each writer's last transaction, written by it.
    /// `pulse` counts the changes of tokens. `replica` has a row for each process, `lease` for work that one replica does at
    /// a time, by the server's clock. Triggers notify the others, so that no way of writing can forget to.
    package static let upkeep = """
        CREATE TABLE writer_lock (id bigint);
        CREATE TABLE settlement (
            writer text COLLATE "C" PRIMARY KEY, number bigint NOT NULL, at timestamptz NOT NULL);
        CREATE TABLE pulse (id bigint PRIMARY KEY CHECK (id = 1), tokens bigint NOT NULL);
        INSERT INTO pulse VALUES (1, 0);
        CREATE TABLE replica (
            id text COLLATE "C" PRIMARY KEY, name text COLLATE "C" NOT NULL, schema bigint NOT NULL,
            seen timestamptz NOT NULL);
        CREATE TABLE lease (
            name text COLLATE "C" PRIMARY KEY, holder text COLLATE "C" NOT NULL, until timestamptz NOT NULL);
        CREATE TABLE finished_task (name text COLLATE "C" PRIMARY KEY, at bigint NOT NULL);
        CREATE FUNCTION tell_change() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN PERFORM pg_notify('widgetd_pulse', ''); RETURN NULL; END $$;
        CREATE FUNCTION tell_token() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                UPDATE pulse SET tokens = tokens + 1 WHERE id = 1;
                PERFORM pg_notify('widgetd_pulse', '');
                RETURN NULL;
            END $$;
        CREATE TRIGGER tell_change AFTER INSERT ON change FOR EACH STATEMENT EXECUTE FUNCTION tell_change();
        CREATE TRIGGER tell_token AFTER INSERT OR DELETE OR UPDATE OF digest, revoked_at, expires, scopes ON token
            FOR EACH STATEMENT EXECUTE FUNCTION tell_token();
        """

    /// The tables that `CatalogSchema` has since its fourth step, and the rows about objects in a store that replicas share.
    package static let finding = """
        CREATE TABLE bundle_term (
            term text COLLATE "C" NOT NULL,
            identifier text COLLATE "C" NOT NULL,
            bundle bigint NOT NULL REFERENCES bundle (id),
            PRIMARY KEY (term, identifier)
        );
        CREATE INDEX bundle_term_bundle ON bundle_term (bundle, term);
        ALTER TABLE bundle ADD COLUMN term_count bigint;
        CREATE INDEX bundle_unindexed ON bundle (id) WHERE term_count IS NULL;
        CREATE TABLE release_part (
            release bigint NOT NULL REFERENCES release (id),
            name text COLLATE "C" NOT NULL,
            media_type text COLLATE "C" NOT NULL,
            content bytea NOT NULL,
            PRIMARY KEY (release, name)
        );
        ALTER TABLE release ADD COLUMN withdrawn_directive text COLLATE "C";
        CREATE INDEX release_forbidden ON release (bundle, withdrawn_at, id) WHERE withdrawn_directive IS NOT NULL;
        CREATE TABLE object (
            generation bigint PRIMARY KEY,
            item text COLLATE "C" NOT NULL,
            byte_count bigint NOT NULL,
            state text COLLATE "C" NOT NULL,
            changed bigint NOT NULL,
            until bigint NOT NULL
        );
        CREATE UNIQUE INDEX object_present ON object (item) WHERE state = 'present';
        CREATE INDEX object_due ON object (state, generation);
        """

    /// The tables that `CatalogSchema` has since its fifth step. Replicas read sessions again when one has begun or ended, as
    /// they do with tokens.
    package static let desk = """
        CREATE TABLE session (
            name bytea PRIMARY KEY,
            token bigint NOT NULL,
            prefix text COLLATE "C" NOT NULL,
            begun bigint NOT NULL,
            used bigint NOT NULL
        );
        CREATE INDEX session_token ON session (token);
        CREATE TRIGGER tell_session AFTER INSERT OR DELETE ON session FOR EACH STATEMENT EXECUTE FUNCTION tell_token();
        CREATE TABLE upload (
            name bytea PRIMARY KEY,
            token bigint NOT NULL,
            prefix text COLLATE "C" NOT NULL,
            since bigint NOT NULL,
            digest bytea NOT NULL,
            request text COLLATE "C" NOT NULL,
            report bytea NOT NULL,
            outcome text COLLATE "C"
        );
        CREATE INDEX upload_digest ON upload (digest);
        """

    /// The catalog's name for its store of archives, and how each replica finds that store and what its settings are.
    package static let proving = """
        CREATE TABLE store_tie (
            id bigint PRIMARY KEY CHECK (id = 1), name text COLLATE "C" NOT NULL, settled boolean NOT NULL);
        ALTER TABLE replica ADD COLUMN store text;
        ALTER TABLE replica ADD COLUMN settings text;
        """

    /// The tables and columns that `CatalogSchema` has since its sixth step. Replicas of earlier versions write beside them, and
    /// do not count: each collection counts anew what they have changed, and the first counts all. Writers wait for the lock
    /// that they take first, so that none is half-way.
    ///
    /// No row is written: PostgreSQL keeps a default beside the table for the rows that were there before, so that releases of
    /// before count as shown until this moment. Later ones have no default.
    package static let retention = """
        LOCK TABLE writer_lock IN EXCLUSIVE MODE;
        ALTER TABLE release
            ADD COLUMN shown_until bigint DEFAULT CAST(extract(epoch FROM now()) AS bigint),
            ADD COLUMN expired_at bigint,
            ADD COLUMN expired_rule text COLLATE "C",
            ADD COLUMN ended_at bigint;
        ALTER TABLE release ALTER COLUMN shown_until DROP DEFAULT;
        CREATE TABLE bundle_usage (
            identifier text COLLATE "C" PRIMARY KEY,
            bundle bigint NOT NULL REFERENCES bundle (id),
            release_count bigint NOT NULL,
            byte_count bigint NOT NULL
        );
        CREATE TABLE retention_guard (
            id bigint PRIMARY KEY CHECK (id = 1),
            applied text COLLATE "C" NOT NULL,
            pending text COLLATE "C",
            since bigint NOT NULL
        );
        """

    /// The indexes of the same step.
    package static let retentionIndexes = [
        Index("release_published", on: "release (bundle, published)"),
        Index("release_day", on: "release (published, bundle)"),
        Index(
            "release_kept",
            on: "release (bundle, is_snapshot, published, id) WHERE withdrawn_at IS NULL AND expired_at IS NULL"),
        Index("release_ended", on: "release (bundle, ended_at) WHERE ended_at IS NOT NULL"),
        Index("placement_order", on: "placement (bundle, channel, id)"),
    ]

    /// The columns of `token` that `CatalogSchema` has since its fifth step. The digest of the present secret stays where
    /// earlier versions look for it, and its trigger notifies them of a rotation.
    package static let rotating = """
        ALTER TABLE token ADD COLUMN earlier_digest bytea;
        ALTER TABLE token ADD COLUMN earlier_until bigint;
        """

    /// The table that `CatalogSchema` has since its sixth step.
    package static let outcomes = """
        CREATE TABLE outcome (
            release bigint NOT NULL REFERENCES release (id),
            channel text COLLATE "C" NOT NULL,
            day bigint NOT NULL,
            kind text COLLATE "C" NOT NULL,
            reason text COLLATE "C" NOT NULL,
            number bigint NOT NULL CHECK (number > 0),
            PRIMARY KEY (release, channel, day, kind, reason)
        );
        CREATE INDEX outcome_day ON outcome (day);
        """
}
