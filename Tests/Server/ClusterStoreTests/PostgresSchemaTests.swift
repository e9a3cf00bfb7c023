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
