import Glibc
import PostgresPeer
import Testing
import WidgetBytes
import WidgetPostgres
import WidgetTestSupport

/// Goal: values, types and failures cross the connection as they are. Method: a real server, in a database of each test.
@Suite(.part(.cluster))
struct `A connection to PostgreSQL` {
    private func made(_ limits: PostgresLimits = PostgresLimits()) throws -> PostgresConnection {
        let peer = try PostgresPeer.shared.get()
        return try PostgresConnection(peer.address(peer.makeDatabase()), limits)
    }

    private func kind(_ body: () throws(PostgresError) -> Void) -> PostgresError.Kind? {
        do throws(PostgresError) {
            try body()
            return nil
        } catch {
            return error.kind
        }
    }

    @Test func `A connection to PostgreSQL returns every value as it was bound`() throws {
        let connection = try made()
        try connection.script("CREATE TABLE item (id bigint, a text, b bytea, c boolean)")
        let texts = ["", "a", "é?'\\", "'); DROP TABLE item; --", String(repeating: "x", count: 300_000)]
        for (index, text) in texts.enumerated() {
            let answer = try connection.ask(
                "INSERT INTO item (id, a, b, c) VALUES (?, ?, ?, ?) RETURNING a, b, c",
                [.integer(Int64(index)), .text(text), .blob([0] + Array(text.utf8)), .flag(index % 2 == 0)])
            #expect(try answer.row(0).text(0) == text)
            #expect(try answer.row(0).blob(1) == [0] + Array(text.utf8))
            #expect(try answer.row(0).flag(2) == (index % 2 == 0))
            #expect(answer.changedCount == 1 && answer.rowCount == 1)
        }
        for number in [Int64.min, -1, 0, 1, .max] {
            let answer = try connection.ask(
                "UPDATE item SET id = ? WHERE a = '?' OR a = '' RETURNING id", [.integer(number)])
            #expect(try answer.row(0).integer(0) == number)
        }
        let answer = try connection.ask(
            "INSERT INTO item (id, a, b, c) VALUES (?, ?, ?, ?) RETURNING id, a, b", [.null, .null, .null, .null])
        #expect(try answer.row(0).optionalInteger(0) == nil)
        #expect(try answer.row(0).optionalText(1) == nil)
        #expect(answer.row(0).isNull(2))
    }

    @Test func `A connection to PostgreSQL reads a column only as its type`() throws {
        let connection = try made()
        let row = try connection.ask(
            "SELECT CAST(1 AS bigint), CAST('text' AS text), decode('00', 'hex'), NULL, CAST(-1 AS bigint), CAST(1 AS integer), true",
            []
        ).row(0)
        #expect(kind { () throws(PostgresError) in _ = try row.integer(1) } == .unexpectedValue)
        #expect(kind { () throws(PostgresError) in _ = try row.text(0) } == .unexpectedValue)
        #expect(kind { () throws(PostgresError) in _ = try row.text(2) } == .unexpectedValue)
        #expect(kind { () throws(PostgresError) in _ = try row.blob(1) } == .unexpectedValue)
        #expect(kind { () throws(PostgresError) in _ = try row.text(3) } == .unexpectedValue)
        #expect(kind { () throws(PostgresError) in _ = try row.count(4) } == .unexpectedValue)
        #expect(kind { () throws(PostgresError) in _ = try row.integer(17) } == .unexpectedValue)
        #expect(kind { () throws(PostgresError) in _ = try row.flag(0) } == .unexpectedValue)
        #expect(try row.integer(5) == 1)
        #expect(try row.flag(6))
    }

    @Test func `A statement that fails leaves the connection in use, and says the code`() throws {
        let connection = try made()
        try connection.script("CREATE TABLE item (id bigint PRIMARY KEY)")
        try connection.ask("INSERT INTO item VALUES (?)", [.integer(1)])
        #expect(
            kind { () throws(PostgresError) in try connection.ask("INSERT INTO item VALUES (?)", [.integer(1)]) }
                == .constraint)
        #expect(kind { () throws(PostgresError) in try connection.ask("SELECT nothing FROM item", []) } == .other)
        #expect(
            kind { () throws(PostgresError) in try connection.ask("SELECT id FROM item WHERE id = ?", []) } == .other)
        do {
            try connection.script("SELECT 1; SELECT 1/0")
        } catch {
            #expect(error.state == "22012" && error.message.contains("division by zero"))
        }
        #expect(try connection.ask("SELECT COUNT(*) FROM item", []).row(0).count(0) == 1)
        #expect(connection.isUsable)
    }

    @Test func `Queued statements run before the next, and their failure is its failure`() throws {
        let connection = try made()
        try connection.script("CREATE TABLE item (id bigint)")
        connection.enqueue("BEGIN")
        connection.enqueue("INSERT INTO item VALUES (7)")
        #expect(try connection.ask("SELECT id FROM item", []).row(0).integer(0) == 7)
        #expect(connection.isInTransaction)
        connection.enqueue("ROLLBACK")
        try connection.flush()
        #expect(!connection.isInTransaction)
        connection.enqueue("SELECT 1/0")
        #expect(
            kind { () throws(PostgresError) in try connection.ask("INSERT INTO item VALUES (?)", [.integer(1)]) }
                == .other)
        #expect(try connection.ask("SELECT id FROM item", []).rowCount == 0)
        connection.enqueue("SELECT 1/0")
        #expect(connection.clearQueue() == 1)
        try connection.flush()
    }

    @Test func `A statement runs once with each row of values, and a failure has its code`() throws {
        let connection = try made()
        try connection.script("CREATE TABLE item (id bigint PRIMARY KEY, name text)")
        let rows: [[PostgresValue]] = (0..<1_000).map { [.integer($0), $0 == 7 ? .null : .text("item \($0)")] }
        let insert: StaticString = "INSERT INTO item VALUES (?, ?)"
        try connection.run(insert, each: [])
        try connection.run(insert, each: rows)
        #expect(try connection.ask("SELECT count(*), count(name) FROM item", []).row(0).integer(0) == 1_000)
        #expect(try connection.ask("SELECT count(name) FROM item", []).row(0).integer(0) == 999)
        // One of them is there already: outside of a transaction all of one round trip come to nothing.
        let again: [[PostgresValue]] = [[.integer(2_000), .null], [.integer(3), .null], [.integer(2_001), .null]]
        let failure = #expect(throws: PostgresError.self) { try connection.run(insert, each: again) }
        #expect(failure?.state == "23505")
        #expect(try connection.ask("SELECT count(*) FROM item", []).row(0).integer(0) == 1_000)
        let uneven: [[PostgresValue]] = [[.integer(1), .null], [.integer(1)]]
        #expect(throws: PostgresError.self) { try connection.run(insert, each: uneven) }
        try connection.run(insert, each: [[.integer(2_000), .null]])
    }

    @Test func `A server that does not answer costs its caller the time that was set`() throws {
        var limits = PostgresLimits()
        limits.answer = .seconds(3)
        let connection = try made(limits)
        // An answer would come much later.
        #expect(kind { () throws(PostgresError) in try connection.ask("SELECT pg_sleep(100)", []) } == .timeout)
        #expect(!connection.isUsable)
        #expect(kind { () throws(PostgresError) in try connection.ask("SELECT 1", []) } == .connection)
    }

    @Test func `The server ends a statement whose time is over, and a transaction that idles`() throws {
        var limits = PostgresLimits()
        limits.statement = .seconds(3)
        limits.idleInTransaction = .milliseconds(100)
        let connection = try made(limits)
        #expect(kind { () throws(PostgresError) in try connection.ask("SELECT pg_sleep(20)", []) } == .busy)
        connection.enqueue("BEGIN")
        try connection.ask("SELECT 1", [])
        // The server says so by itself.
        #expect(
            kind { () throws(PostgresError) in while try !connection.awaitNotification(upTo: .seconds(60)) {} }
                == .connection)
        #expect(!connection.isUsable)
    }

    @Test func `A listener gets the notifications of commits, and of nothing else`() throws {
        let peer = try PostgresPeer.shared.get()
        let address = try peer.address(peer.makeDatabase())
        let (listener, writer) = (try PostgresConnection(address), try PostgresConnection(address))
        try listener.ask("LISTEN news", [])
        #expect(try !listener.awaitNotification(upTo: .milliseconds(10)))
        writer.enqueue("BEGIN")
        writer.enqueue("NOTIFY news")
        writer.enqueue("ROLLBACK")
        try writer.flush()
        #expect(try !listener.awaitNotification(upTo: .milliseconds(100)))
        try writer.ask("NOTIFY news", [])
        #expect(try listener.awaitNotification(upTo: .seconds(60)))
        try writer.ask(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()",
            [])
        #expect(
            kind { () throws(PostgresError) in while try !listener.awaitNotification(upTo: .seconds(1)) {} }
                == .connection)
    }

    @Test func `A commit waits for the disk although the database is set not to`() throws {
        let peer = try PostgresPeer.shared.get()
        let database = try peer.makeDatabase()
        try PostgresConnection(peer.address()).script("ALTER DATABASE \(database) SET synchronous_commit = off")
        let connection = try PostgresConnection(peer.address(database))
        #expect(try connection.ask("SELECT current_setting('synchronous_commit')", []).row(0).text(0) == "on")
    }
}

@Suite struct `An address of PostgreSQL` {
    private func refusal(_ url: String) -> String? {
        do throws(PostgresError) {
            _ = try PostgresAddress(url, program: "test")
            return nil
        } catch {
            return error.message
        }
    }

    @Test func `An address of PostgreSQL has no password and no keyword that is ours to choose`() throws {
        #expect(refusal("postgres://u@db.example:5432/widgetd?sslmode=verify-full&sslrootcert=/etc/ca.pem") == nil)
        #expect(refusal("postgres://u@a,b:5433/widgetd?connect_timeout=5") == nil)
        #expect(refusal("postgres://u:secret@db/widgetd")?.contains("secret") == false)
        #expect(refusal("postgres://db/widgetd?password=secret")?.contains("secret") == false)
        #expect(refusal("postgres://db/widgetd?replication=true") != nil)
        #expect(refusal("postgres://db/widgetd?options=-c%20fsync=off") != nil)
        #expect(refusal("postgres://db/widgetd?connect_timeout=0") != nil)
        #expect(refusal("postgres://db/widgetd?nothing=1") != nil)
        #expect(refusal("postgres://[::1/widgetd") != nil)
        #expect(refusal("host=db") != nil)
        #expect(refusal("") != nil)
    }

    @Test func `A summary of an address names the place and not the password`() throws {
        let address = try PostgresAddress("postgres://u@db.example:5433/widgets", password: "secret", program: "test")
        #expect(address.summary == "database widgets at db.example:5433")
    }

    @Test func `A server that is not there is a failure of the connection`() throws {
        do throws(PostgresError) {
            _ = try PostgresConnection(PostgresAddress("postgres://u@127.0.0.1:9/widgetd", program: "test"))
            Issue.record("there is a server on port 9")
        } catch {
            #expect(error.kind == .connection)
            #expect(!error.message.contains("\n"))
        }
    }
}
