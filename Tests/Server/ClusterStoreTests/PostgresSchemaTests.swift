import ClusterStore
import Dispatch
import PostgresPeer
import Testing
import WidgetBytes
import WidgetPostgres
import WidgetRegistry
import WidgetTestSupport

/// Goal: replicas of two versions run on one database while one replaces the other. Method: two lists of steps.
@Suite(.part(.cluster))
struct `The schema in PostgreSQL` {
    private let present = PostgresSchema()
    private let next = PostgresSchema(
        PostgresSchema.present + [
            .init("ALTER TABLE release ADD COLUMN color text", thenContracting: "ALTER TABLE bundle DROP COLUMN name")
        ])

    @Test func `Replicas that start together make the tables once`() throws {
        let replicas = try Replicas()
        let failures = Guarded([String]())
        DispatchQueue.concurrentPerform(iterations: 6) { number in
            do { try replicas.replica("\(number)").tell("com.acme.\(number)") } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(try replicas.replica().look { try $0.latestTag() } == 6)
    }

    @Test func `An earlier version continues while the schema is expanded, and not once it is contracted`() throws {
        let replicas = try Replicas()
        let connection = try replicas.connection()
        do {
            let earlier = try replicas.replica("earlier")
            try earlier.tell("com.acme.Before")
            let later = try replicas.replica("later") { $0.schema = next }
            try earlier.tell("com.acme.Between")
            try later.tell("com.acme.After")
            #expect(throws: Never.self) { try replicas.replica("another earlier") }
            #expect(try earlier.look { try $0.latestTag() } == 3)
            #expect(
                try eventually {
                    let said = try connection.ask(
                        "SELECT COUNT(*) FROM replica WHERE name IN ('earlier', 'later')", [])
                    return try said.row(0).count(0) == 2
                })
            #expect(try next.finish(connection).contains("earlier"))
            #expect(try connection.ask("SELECT name FROM bundle", []).rowCount == 0)
        }
        #expect(try finishesOnceEarlierAreGone(connection))
        #expect(throws: PostgresError.self) { try connection.ask("SELECT name FROM bundle WHERE true", []) }
        do throws(RegistryError) {
            try present.prepare(connection)
            Issue.record("an earlier version can use it")
        } catch {
            #expect(error == .newerStore(version: next.latest))
        }
        #expect(throws: Never.self) { try next.prepare(connection) }
        #expect(try finishesOnceEarlierAreGone(connection))
    }

    /// Two minutes pass for replicas of earlier versions. One that has ended may still be in its last sign of life.
    private func finishesOnceEarlierAreGone(_ connection: PostgresConnection) throws -> Bool {
        try eventually {
            try connection.ask(
                "UPDATE replica SET seen = clock_timestamp() - interval '2 minutes' WHERE schema < ?",
                [.integer(next.latest)])
            return try next.finish(connection) == []
        }
    }

    /// The versions of before the last step.
    private let former = PostgresSchema(Array(PostgresSchema.present.dropLast()))

    private static let release = """
        INSERT INTO release (bundle, key, short_version, build, name, version, is_snapshot, digest, content_digest,
            byte_count, published, published_by)
        VALUES (1, '%', '1', '1', 'n', '\\x01', false, '\\x%', '\\x02', 7, 1000, 'p');
        """

    /// The number of the last step's indexes that are there and finished.
    private func valid(_ connection: PostgresConnection) throws -> Int {
        try connection.ask(
            """
            SELECT COUNT(*) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
            WHERE indisvalid AND relname IN ('release_published', 'release_day', 'release_kept', 'release_ended',
                'placement_order')
            """, []
        ).row(0).count(0)
    }

    /// The last step with other indexes.
    private static func upgrade(_ indexes: [PostgresSchema.Index], indexWait: Int = 60) -> PostgresSchema {
        PostgresSchema(
            Array(PostgresSchema.present.dropLast()) + [.init(PostgresSchema.retention, indexes: indexes)],
            indexWait: indexWait)
    }

    /// The remarks about a start.
    private func remarks(_ schema: PostgresSchema, _ connection: PostgresConnection) throws -> [OpeningRemark] {
        var remarks: [OpeningRemark] = []
        try schema.prepare(connection) { remarks.append($0) }
        return remarks
    }

    @Test func `An index that cannot be made keeps no replica from its start, and is named`() throws {
        let replicas = try Replicas()
        let connection = try replicas.connection()
        try former.prepare(connection)
        try connection.script("INSERT INTO bundle (id, identifier, folded, name) VALUES (1, 'com.a', 'com.a', 'A')")
        try connection.script(Self.release.replacing("%", with: "10"))
        let broken = PostgresSchema.Index("broken", on: "release ((1 / (id - id)))")
        let upgrade = Self.upgrade([broken] + PostgresSchema.retentionIndexes)
        // Again with each start.
        for _ in 1...2 {
            let said = try remarks(upgrade, connection)
            guard case .unfinished(indexes: let names, reason: let reason)? = said.first, said.count == 1 else {
                Issue.record("\(said)")
                return
            }
            #expect(names == ["broken"] && reason.contains("division by zero"))
            // The others are made.
            #expect(try valid(connection) == 5)
        }
    }

    @Test func `An index that waits for an earlier transaction is left, and made by the next start`() throws {
        let replicas = try Replicas()
        let connection = try replicas.connection()
        try former.prepare(connection)
        let slow = try replicas.connection()
        try slow.script("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT COUNT(*) FROM bundle")
        let upgrade = Self.upgrade([.init("release_day", on: "release (published, bundle)")], indexWait: 1)
        let said = try remarks(upgrade, connection)
        guard case .unfinished(indexes: ["release_day"], reason: _)? = said.first, said.count == 1 else {
            Issue.record("\(said)")
            return
        }
        #expect(try connection.ask("SELECT version FROM schema_version", []).row(0).integer(0) == present.latest)
        #expect(try valid(connection) == 0)
        try slow.script("COMMIT")
        #expect(try remarks(upgrade, connection) == [] && valid(connection) == 1)
    }

    @Test func `One replica at a time makes indexes, and the others start without them`() throws {
        let replicas = try Replicas()
        let connection = try replicas.connection()
        try former.prepare(connection)
        // As the replica that makes them.
        let other = try replicas.connection()
        try other.ask("SELECT pg_advisory_lock(7764618)", [])
        #expect(try remarks(present, connection) == [] && valid(connection) == 0)
        try other.ask("SELECT pg_advisory_unlock(7764618)", [])
        let starts = try (0..<3).map { _ in
            let own = try replicas.connection()
            return Aside { [present] () throws(RegistryError) in try present.prepare(own) }
        }
        for start in starts { #expect(try start.result()?.get() != nil) }
        #expect(try valid(connection) == 5)
    }

    @Test func `An upgrade beside running replicas writes no row of releases, and makes its indexes`() throws {
        let replicas = try Replicas()
        let connection = try replicas.connection()
        try former.prepare(connection)
        func insert(_ key: String) throws {
            try connection.script(Self.release.replacing("%", with: key))
        }
        try connection.script("INSERT INTO bundle (id, identifier, folded, name) VALUES (1, 'com.a', 'com.a', 'A')")
        for key in ["10", "11", "12"] { try insert(key) }
        try connection.script("INSERT INTO release_files SELECT id, '\\x00' FROM release WHERE key <> '12'")
        let rows = { () throws(PostgresError) -> [String] in
            let answer = try connection.ask(
                "SELECT CAST((key, CAST(ctid AS text), CAST(xmin AS text)) AS text) FROM release ORDER BY key", [])
            var rows: [String] = []
            for number in 0..<answer.rowCount { rows.append(try answer.row(number).text(0)) }
            return rows
        }
        let before = try rows()
        try present.prepare(connection)
        #expect(try rows() == before && before.count == 3)
        // A release of before counts as shown until now, and one that comes as never shown.
        try insert("13")
        let shown = try connection.ask(
            """
            SELECT COUNT(shown_until), COUNT(*), CAST(MAX(abs(extract(epoch FROM now()) - shown_until)) AS bigint) < 300
            FROM release
            """, []
        ).row(0)
        #expect(try shown.count(0) == 3 && shown.count(1) == 4 && shown.flag(2))
        #expect(try valid(connection) == 5)
        // One that was lost, or left half-way, is made by the next start.
        try connection.script("DROP INDEX release_kept")
        try connection.script("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'release_day'::regclass")
        #expect(try valid(connection) == 3)
        let replica = try replicas.replica()
        #expect(try valid(connection) == 5 && replica.complaints().isEmpty)
        // Nothing was counted yet, and is counted anew.
        #expect(try replica.look { try $0.usage(within: .all) } == StoredUsage())
        #expect(try replica.look { try $0.miscountedBundles(from: 0, through: .max) } == [1])
        try replica.write { editor, _ throws(RegistryError) in try editor.recount(1) }
        #expect(try replica.look { try $0.usage(within: .all) } == StoredUsage(releases: 2, bytes: 14))
        #expect(try replica.look { try $0.miscountedBundles(from: 2, through: .max) }.isEmpty)
        // The first change of a bundle that was never counted counts those of before, and is never below nothing.
        for count in ["DELETE FROM bundle_usage", "UPDATE bundle_usage SET release_count = 0, byte_count = 0"] {
            try connection.script(count)
            try connection.script("INSERT INTO release_files VALUES (3, '\\x00')")
            try replica.write { editor, _ throws(RegistryError) in try editor.removeDocuments(of: 3, at: 2_000) }
            #expect(try replica.look { try $0.usage(within: .all) } == StoredUsage(releases: 2, bytes: 14), "\(count)")
            #expect(try replica.look { try $0.miscountedBundles(from: 0, through: .max) }.isEmpty, "\(count)")
        }
    }

    @Test func `A long question to the database keeps an upgrade waiting, and no other reader`() throws {
        let replicas = try Replicas()
        let connection = try replicas.connection()
        try former.prepare(connection)
        let slow = try replicas.connection()
        try slow.script("BEGIN; SELECT COUNT(*) FROM release")
        let second = try replicas.connection()
        let remarks = Guarded([OpeningRemark]())
        let upgrade = Aside { [present] () throws(RegistryError) in
            try present.prepare(second) { remark in remarks.withLock { $0.append(remark) } }
        }
        // Until it waits for the table, behind the question that is under way.
        #expect(
            try eventually {
                try connection.ask("SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted", [])
                    .rowCount > 0
            })
        // Others wait for the second at most that it waits, again and again.
        for _ in 1...3 {
            let start = ContinuousClock.now
            _ = try connection.ask("SELECT COUNT(*) FROM release", [])
            #expect(ContinuousClock.now - start < .seconds(5))
        }
        #expect(!upgrade.isDone)
        try slow.script("COMMIT")
        #expect(try upgrade.result()?.get() != nil)
        #expect(try connection.ask("SELECT version FROM schema_version", []).row(0).integer(0) == present.latest)
        // It says so at once, and again after a minute.
        let said = remarks.withLock { $0 }
        guard case .waiting(seconds: 1, reason: let reason)? = said.first, said.count == 1 else {
            Issue.record("\(said)")
            return
        }
        #expect(reason.contains("lock timeout"))
    }

    @Test func `A step that fails leaves the schema as it was`() throws {
        let replicas = try Replicas()
        let connection = try replicas.connection()
        let broken = PostgresSchema([
            .init(PostgresSchema.tables), .init("CREATE TABLE half (id bigint); SELECT 1/0"),
        ])
        #expect(throws: RegistryError.self) { try broken.prepare(connection) }
        #expect(
            try connection.ask("SELECT COUNT(*) FROM pg_tables WHERE schemaname = 'public'", []).row(0).count(0) == 0)
        #expect(throws: Never.self) { try present.prepare(connection) }
    }
}
