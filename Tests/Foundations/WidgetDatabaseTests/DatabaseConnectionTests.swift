import Testing
import WidgetDatabase
import WidgetFiles
import WidgetTestSupport

@Suite struct `A connection` {
    private func made(_ path: String) throws -> DatabaseConnection {
        let connection = try DatabaseConnection(opening: path, for: .writing)
        try connection.script("CREATE TABLE item (id INTEGER PRIMARY KEY, a, b);")
        return connection
    }

    @Test func `A database connection returns every value as it was bound`() throws {
        let file = try ScratchFile()
        let connection = try made(file.path)
        let texts = ["", "a", "é\u{0}x", "'); DROP TABLE item; --", String(repeating: "x", count: 100_000)]
        for (index, text) in texts.enumerated() {
            try connection.run(
                "INSERT INTO item VALUES (?, ?, ?)", [.integer(index), .text(text), .blob(Array(text.utf8))])
            #expect(connection.lastInsertedRow == index)
            let found = try connection.first("SELECT a, b FROM item WHERE id = ?", [.integer(index)]) {
                row throws(DatabaseError) in
                (try row.text(0), try row.blob(1))
            }
            #expect(found?.0 == text && found?.1 == Array(text.utf8))
        }
        for number in [Int64.min, -1, 0, 1, .max] {
            let found = try connection.first("SELECT ?", [.integer(number)]) { row throws(DatabaseError) in
                try row.integer(0)
            }
            #expect(found == number)
        }
        let absent = try connection.first(
            "SELECT ?, ?, ?", [.null, .optional(nil as String?), .optional(nil as Int64?)]
        ) {
            row throws(DatabaseError) in
            (row.isNull(0), try row.optionalText(1), try row.optionalInteger(2))
        }
        #expect(absent?.0 == true && absent?.1 == nil && absent?.2 == nil)
    }

    @Test func `A database connection reads a column only as its type`() throws {
        let file = try ScratchFile()
        let connection = try made(file.path)
        func kind(_ read: (Row) throws(DatabaseError) -> Void) -> DatabaseError.Kind? {
            do throws(DatabaseError) {
                _ = try connection.first("SELECT 1, 'text', x'00', NULL, -1", [], read)
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(kind { row throws(DatabaseError) in _ = try row.integer(1) } == .unexpectedValue)
        #expect(kind { row throws(DatabaseError) in _ = try row.text(0) } == .unexpectedValue)
        #expect(kind { row throws(DatabaseError) in _ = try row.text(2) } == .unexpectedValue)
        #expect(kind { row throws(DatabaseError) in _ = try row.blob(1) } == .unexpectedValue)
        #expect(kind { row throws(DatabaseError) in _ = try row.text(3) } == .unexpectedValue)
        #expect(kind { row throws(DatabaseError) in _ = try row.count(4) } == .unexpectedValue)
        #expect(kind { row throws(DatabaseError) in _ = try row.text(17) } == .unexpectedValue)
        #expect(kind { row throws(DatabaseError) in _ = try row.count(0) } == nil)
    }

    @Test func `A database connection refuses a statement with another number of values`() throws {
        let file = try ScratchFile()
        let connection = try made(file.path)
        for values in [[], [.null, .null]] as [[DatabaseValue]] {
            #expect(throws: DatabaseError.self) { try connection.run("INSERT INTO item (a) VALUES (?)", values) }
        }
    }

    @Test func `A database connection may use a statement within itself`() throws {
        let file = try ScratchFile()
        let connection = try made(file.path)
        for number in 1...3 { try connection.run("INSERT INTO item (a) VALUES (?)", [.integer(number)]) }
        func numbers(_ depth: Int) throws(DatabaseError) -> [Int64] {
            try connection.all("SELECT a FROM item WHERE a > ? ORDER BY a", [.integer(depth)]) {
                row throws(DatabaseError) in
                try row.integer(0) * 10 + Int64(try numbers(Int(try row.integer(0))).count)
            }
        }
        #expect(try numbers(0) == [12, 21, 30])
    }

    @Test func `A database connection undoes a transaction that throws, and a part of one`() throws {
        struct Refused: Error {}
        let file = try ScratchFile()
        let connection = try made(file.path)
        func count() throws -> Int64? {
            try connection.first("SELECT count(*) FROM item", []) { row throws(DatabaseError) in try row.integer(0) }
        }
        func insert() throws(any Error) { try connection.run("INSERT INTO item (a) VALUES (1)", []) }
        #expect(throws: Refused.self) {
            try connection.transaction(.writing, wrapping: { $0 as any Error }) { () throws(any Error) in
                try insert()
                throw Refused()
            }
        }
        #expect(try count() == 0)
        try connection.transaction(.writing, wrapping: { $0 as any Error }) { () throws(any Error) in
            try connection.part(wrapping: { $0 as any Error }) { () throws(any Error) in try insert() }
            try? connection.part(wrapping: { $0 as any Error }) { () throws(any Error) in
                try insert()
                throw Refused()
            }
            try insert()
        }
        #expect(try count() == 2)
    }

    @Test func `A reading connection sees one moment, and does not wait for writers`() throws {
        let file = try ScratchFile()
        let writer = try made(file.path)
        let reader = try DatabaseConnection(opening: file.path, for: .reading)
        func count() throws(DatabaseError) -> Int64? {
            try reader.first("SELECT count(*) FROM item", []) { row throws(DatabaseError) in try row.integer(0) }
        }
        try reader.transaction(.reading, wrapping: { $0 }) { () throws(DatabaseError) in
            #expect(try count() == 0)
            try writer.transaction(.writing, wrapping: { $0 }) { () throws(DatabaseError) in
                try writer.run("INSERT INTO item (a) VALUES (1)", [])
                #expect(try count() == 0)
            }
            #expect(try count() == 0)
        }
        #expect(try count() == 1)
        #expect(throws: DatabaseError.self) { try reader.run("INSERT INTO item (a) VALUES (1)", []) }
    }

    @Test func `A database connection takes a file through the steps it has not seen`() throws {
        let file = try ScratchFile()
        let first: StaticString = "CREATE TABLE one (a); PRAGMA user_version = 1;"
        let second: StaticString = "CREATE TABLE two (a); PRAGMA user_version = 2;"
        let broken: StaticString = "CREATE TABLE three (a); CREATE TABLE two (a); PRAGMA user_version = 3;"
        do {
            let connection = try DatabaseConnection(opening: file.path, for: .writing)
            #expect(try connection.schemaVersion() == 0)
            try connection.migrate([first])
            #expect(try connection.schemaVersion() == 1)
        }
        let connection = try DatabaseConnection(opening: file.path, for: .writing)
        try connection.migrate([first, second])
        try connection.migrate([first, second])
        #expect(try connection.schemaVersion() == 2)
        try connection.run("INSERT INTO two VALUES (1)", [])
        #expect(throws: DatabaseError.self) { try connection.migrate([first, second, broken]) }
        #expect(try connection.schemaVersion() == 2)
        #expect(throws: DatabaseError.self) { try connection.run("INSERT INTO three VALUES (1)", []) }
        // Nothing is left open.
        try connection.transaction(.writing, wrapping: { $0 }) { () throws(DatabaseError) in }
    }
}

/// A place for a database, gone with its owner.
struct ScratchFile: ~Copyable {
    private let folder: ScratchDirectory

    init() throws { folder = try ScratchDirectory(in: TemporaryPlace.path) }

    var path: String { folder.path + "/test.sqlite" }

    borrowing func bytes() throws -> [UInt8] {
        try folder.directory.openFile("test.sqlite").read(at: 0, count: 1 << 24)
    }

    borrowing func replace(_ bytes: [UInt8]) throws {
        for name in ["test.sqlite-wal", "test.sqlite-shm"] { try? folder.directory.removeFile(name) }
        try folder.directory.replaceFile("test.sqlite", with: bytes)
    }
}
