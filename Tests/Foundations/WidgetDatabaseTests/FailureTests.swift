import Testing
import WidgetDatabase
import WidgetFiles
import WidgetTestSupport

@Suite struct `A failure` {
    private func kind(_ body: () throws(DatabaseError) -> Void) -> DatabaseError.Kind? {
        do throws(DatabaseError) {
            try body()
            return nil
        } catch {
            #expect(error.description.contains("(SQLite code \(error.code))"))
            return error.kind
        }
    }

    @Test func `A failure to open a database is reported as such`() throws {
        #expect(
            kind { () throws(DatabaseError) in _ = try DatabaseConnection(opening: "/nowhere/x", for: .writing) }
                == .cannotOpen
        )
        let file = try ScratchFile()
        #expect(
            kind { () throws(DatabaseError) in _ = try DatabaseConnection(opening: file.path, for: .reading) }
                == .cannotOpen)
    }

    @Test func `A file that is not a database is reported as such`() throws {
        let file = try ScratchFile()
        try file.replace(Array(repeating: UInt8(ascii: "x"), count: 10_000))
        #expect(
            kind { () throws(DatabaseError) in _ = try DatabaseConnection(opening: file.path, for: .writing) }
                == .notADatabase)
    }

    @Test func `A damaged database is reported as corrupt`() throws {
        let file = try ScratchFile()
        do {
            let connection = try DatabaseConnection(opening: file.path, for: .writing)
            try connection.script("CREATE TABLE item (a); CREATE INDEX item_a ON item (a);")
            try connection.script(
                """
                INSERT INTO item
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2000)
                SELECT n FROM number;
                """)
        }
        var bytes = try file.bytes()
        for page in stride(from: 4_096, to: bytes.count, by: 4_096) {
            for offset in 0..<8 { bytes[page + offset] = 0xEE }
        }
        try file.replace(bytes)
        #expect(
            kind { () throws(DatabaseError) in
                let connection = try DatabaseConnection(opening: file.path, for: .writing)
                _ = try connection.all("SELECT a FROM item ORDER BY a", []) { row throws(DatabaseError) in
                    try row.integer(0)
                }
            } == .corrupt)
    }

    @Test func `A broken rule of the schema is reported as a constraint`() throws {
        let file = try ScratchFile()
        let connection = try DatabaseConnection(opening: file.path, for: .writing)
        try connection.script(
            "CREATE TABLE one (id INTEGER PRIMARY KEY, a UNIQUE); CREATE TABLE two (one NOT NULL REFERENCES one (id));")
        #expect(
            kind { () throws(DatabaseError) in try connection.run("INSERT INTO two VALUES (7)", []) } == .constraint)
        try connection.run("INSERT INTO one (a) VALUES (1)", [])
        #expect(
            kind { () throws(DatabaseError) in try connection.run("INSERT INTO one (a) VALUES (1)", []) } == .constraint
        )
    }

    @Test func `A full disk is reported as such, undoes everything, and passes`() throws {
        let file = try ScratchFile()
        let connection = try DatabaseConnection(opening: file.path, for: .writing)
        try connection.script("CREATE TABLE item (a); PRAGMA max_page_count = 20;")
        let large = [UInt8](repeating: 1, count: 200_000)
        #expect(
            kind { () throws(DatabaseError) in
                try connection.transaction(.writing, wrapping: { $0 }) { () throws(DatabaseError) in
                    try connection.run("INSERT INTO item VALUES (1)", [])
                    try connection.run("INSERT INTO item VALUES (?)", [.blob(large)])
                }
            } == .full)
        let count = try connection.first("SELECT count(*) FROM item", []) { row throws(DatabaseError) in
            try row.integer(0)
        }
        #expect(count == 0)
        try connection.script("PRAGMA max_page_count = 1000;")
        let inserted = try connection.transaction(.writing, wrapping: { $0 }) { () throws(DatabaseError) in
            try connection.run("INSERT INTO item VALUES (?)", [.blob(large)])
        }
        #expect(inserted == 1)
    }

    @Test func `A failure in a statement names the statement`() throws {
        let file = try ScratchFile()
        let connection = try DatabaseConnection(opening: file.path, for: .writing)
        do {
            try connection.run("SELECT absent FROM nowhere", [])
            Issue.record("the table does not exist")
        } catch {
            #expect(
                error.description.contains("SELECT absent FROM") && error.description.contains("no such table"),
                "\(error)")
            #expect(error.description.contains(file.path))
        }
    }
}

@Suite struct `A part of a transaction that was undone` {
    @Test func `A part of an undone transaction does not become a transaction`() throws {
        let file = try ScratchFile()
        let connection = try DatabaseConnection(opening: file.path, for: .writing)
        try connection.script("CREATE TABLE item (a);")
        var isRefused = false
        do throws(DatabaseError) {
            try connection.transaction(.writing, wrapping: { $0 }) { () throws(DatabaseError) in
                // What SQLite does by itself after a severe error.
                try connection.script("ROLLBACK")
                try connection.part(wrapping: { $0 }) { () throws(DatabaseError) in
                    try connection.script("INSERT INTO item VALUES (1)")
                }
            }
        } catch {
            isRefused = true
        }
        #expect(isRefused)
        let count = try connection.first("SELECT COUNT(*) FROM item", []) { row throws(DatabaseError) in
            try row.integer(0)
        }
        #expect(count == 0)
    }
}
