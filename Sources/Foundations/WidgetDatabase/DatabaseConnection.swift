internal import CWidgetSQLite

/// A connection to one database file, with its prepared statements.
///
/// Safe to use: the handle is made and closed here. SQLite keeps no lock for it, so a connection is lent to one
/// thread at a time, and that is what makes the `@unchecked Sendable` true: owners that share connections keep them in a
/// `Guarded` value and take them out to use them.
@safe
package final class DatabaseConnection: @unchecked Sendable {
    package enum Access: Sendable {
        /// The only writer. It makes the file if there is none.
        case writing
        /// Any number: they see the state committed when their transaction began, and never wait.
        case reading
    }

    /// The place of the write-ahead log's index.
    package enum LogIndex: Sendable {
        /// In a file beside it, so that other processes can use the database, too.
        case shared
        /// In memory, which needs no room on the disk. All connections of this process have to have it there, and other
        /// processes find the database busy.
        case inMemory
    }

    let handle: OpaquePointer
    package let index: LogIndex
    private let path: String
    /// By the addresses of their texts, which are literals.
    private var prepared: [UInt: Statement] = [:]

    package init(
        opening path: String, for access: Access, index: LogIndex = .shared
    ) throws(DatabaseError) {
        let flags =
            SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
            | (access == .writing ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY)
        var made: OpaquePointer?
        let result = unsafe sqlite3_open_v2(path, &made, flags, index == .inMemory ? "unix-excl" : nil)
        guard let made = unsafe made else {
            throw DatabaseError(.outOfMemory, code: result, message: "could not open \(path)")
        }
        unsafe handle = made
        self.path = path
        self.index = index
        guard result == SQLITE_OK else { throw error(result, "opening") }
        // Only another process can hold the lock, such as a backup, and it should release it soon.
        unsafe sqlite3_busy_timeout(handle, 5_000)
        try configure(access)
    }

    deinit {
        prepared.removeAll()
        unsafe sqlite3_close_v2(handle)
    }

    private func configure(_ access: Access) throws(DatabaseError) {
        // Not memory-mapped, although that would be a little faster: a page that cannot be read would then be a
        // signal that ends the process, where it is now an error that fails one request.
        try script("PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON;")
        try script("PRAGMA trusted_schema = OFF;")
        guard access == .writing else {
            // In KiB: many connections read, and the system's own cache is one copy away.
            return try script("PRAGMA cache_size = -256;")
        }
        // The writer checks pages before it changes them.
        try script("PRAGMA cache_size = -2048; PRAGMA cell_size_check = ON;")
        let mode = try first("PRAGMA journal_mode = WAL", []) { row throws(DatabaseError) in try row.text(0) }
        guard mode == "wal" else {
            throw DatabaseError(
                .cannotOpen, code: SQLITE_CANTOPEN,
                message: "\(path) cannot have a write-ahead log here; the file system must allow shared memory")
        }
        try script("PRAGMA synchronous = FULL;")
    }

    /// Runs a statement without result rows.
    ///
    /// - Returns: the number of rows changed.
    @discardableResult
    package func run(_ sql: StaticString, _ values: [DatabaseValue]) throws(DatabaseError) -> Int {
        try run(sql, values.count) { values[$0] }
    }

    /// Runs a statement without result rows, with values that are converted while they are bound.
    ///
    /// - Returns: the number of rows changed.
    package func run(
        _ sql: StaticString, _ count: Int, _ value: (Int) -> DatabaseValue
    ) throws(DatabaseError) -> Int {
        try each(sql, count, value) { _ throws(DatabaseError) in true }
        return Int(unsafe sqlite3_changes64(handle))
    }

    /// The first row of the answer; `nil` when the answer is empty.
    package func first<Result>(
        _ sql: StaticString, _ values: [DatabaseValue], _ read: (Row) throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> Result? {
        var result: Result?
        try each(sql, values) { row throws(DatabaseError) in
            result = try read(row)
            return false
        }
        return result
    }

    /// All rows of the answer; the caller's statement has a limit.
    package func all<Result>(
        _ sql: StaticString, _ values: [DatabaseValue], _ read: (Row) throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> [Result] {
        var results: [Result] = []
        try each(sql, values) { row throws(DatabaseError) in
            results.append(try read(row))
            return true
        }
        return results
    }

    /// The key that an INSERT has just given.
    package var lastInsertedRow: Int64 { unsafe sqlite3_last_insert_rowid(handle) }

    /// Hands over row after row while `read` returns true.
    package func each(
        _ sql: StaticString, _ values: [DatabaseValue], _ read: (Row) throws(DatabaseError) -> Bool
    ) throws(DatabaseError) {
        try each(sql, values.count, { values[$0] }, read)
    }

    /// Hands over row after row, with values that are converted while they are bound.
    package func each(
        _ sql: StaticString, _ count: Int, _ value: (Int) -> DatabaseValue,
        _ read: (Row) throws(DatabaseError) -> Bool
    ) throws(DatabaseError) {
        let statement = try statement(sql)
        statement.isInUse = true
        defer {
            statement.reset()
            statement.isInUse = false
        }
        let bound = statement.bind(count, value)
        guard bound == SQLITE_OK else { throw error(bound, sql) }
        while true {
            switch statement.step() {
            case SQLITE_ROW: if try !read(Row(statement: statement)) { return }
            case SQLITE_DONE: return
            case let code: throw error(code, sql)
            }
        }
    }

    /// The prepared statement; a use within its own rows gets a new one, which is not cached.
    private func statement(_ sql: StaticString) throws(DatabaseError) -> Statement {
        let key = unsafe UInt(bitPattern: sql.utf8Start)
        let kept = prepared[key]
        if let kept, !kept.isInUse { return kept }
        let statement = try Statement(sql, on: self)
        if kept == nil { prepared[key] = statement }
        return statement
    }

    /// Runs several statements that take no values.
    package func script(_ sql: StaticString) throws(DatabaseError) {
        let result = unsafe sqlite3_exec(handle, "\(sql)", nil, nil, nil)
        guard result == SQLITE_OK else { throw error(result, sql) }
    }

    /// True while a transaction is open; a severe error ends it.
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    func error(_ code: Int32, _ subject: StaticString) -> DatabaseError {
        let isOwn = unsafe sqlite3_extended_errcode(handle) & 0xFF == code & 0xFF
        let reason = unsafe String(cString: isOwn ? sqlite3_errmsg(handle) : sqlite3_errstr(code))
        let head = "\(subject)".split(whereSeparator: \.isWhitespace).prefix(3).joined(separator: " ")
        let full = isOwn ? unsafe sqlite3_extended_errcode(handle) : code
        return DatabaseError(
            code: full,
            cause: full == DatabaseConnection.failedWrite ? logFailure : unsafe sqlite3_system_errno(handle),
            message: "\(path): \(head): \(reason)")
    }

    /// SQLITE_IOERR_WRITE is an expression, which Swift does not import.
    private static let failedWrite: Int32 = SQLITE_IOERR | 3 << 8

    /// The system's number for the last failure of the log. The number that SQLite keeps for all its files may come from a
    /// later call.
    private var logFailure: Int32 {
        var found: UnsafeMutablePointer<sqlite3_file>?
        guard unsafe sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &found) == SQLITE_OK,
            let file = unsafe found, let methods = unsafe file.pointee.pMethods,
            let control = unsafe methods.pointee.xFileControl
        else { return unsafe sqlite3_system_errno(handle) }
        var number: Int32 = 0
        guard unsafe control(file, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK else { return 0 }
        return number
    }
}

extension DatabaseConnection {
    package enum Transaction: Sendable {
        /// One picture of the database for all that is read.
        case reading
        /// From its beginning the only writer, so that nothing it has read can change before it writes.
        case writing
    }

    /// Runs `body` in a transaction, which is committed when it returns and undone when it throws.
    ///
    /// - Parameter wrapping: makes the caller's error of one of ours.
    package func transaction<Value, Failure: Error>(
        _ kind: Transaction, wrapping: (DatabaseError) -> Failure, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        do throws(DatabaseError) {
            switch kind {
            case .reading: try run("BEGIN", [])
            case .writing: try run("BEGIN IMMEDIATE", [])
            }
        } catch {
            throw wrapping(error)
        }
        let value: Value
        do throws(Failure) {
            value = try body()
        } catch {
            undo()
            throw error
        }
        do throws(DatabaseError) {
            try run("COMMIT", [])
        } catch {
            undo()
            throw wrapping(error)
        }
        return value
    }

    /// Runs `body` as a part of a transaction that can be undone alone.
    ///
    /// After a severe error SQLite undoes the whole transaction; then this throws before anything is done, because a
    /// savepoint outside a transaction is a new transaction, which would be committed.
    package func part<Value, Failure: Error>(
        wrapping: (DatabaseError) -> Failure, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard isInTransaction else {
            throw wrapping(DatabaseError(.other, code: 0, message: "the transaction has been undone already"))
        }
        do throws(DatabaseError) { try run("SAVEPOINT part", []) } catch { throw wrapping(error) }
        let value: Value
        do throws(Failure) {
            value = try body()
        } catch {
            // After a severe error the whole transaction is gone, and its commit will say so.
            if isInTransaction {
                do throws(DatabaseError) {
                    try run("ROLLBACK TO part", [])
                    try run("RELEASE part", [])
                } catch {
                    throw wrapping(error)
                }
            }
            throw error
        }
        do throws(DatabaseError) { try run("RELEASE part", []) } catch { throw wrapping(error) }
        return value
    }

    private func undo() {
        guard isInTransaction else { return }
        // The error that led here is reported. A rollback that fails leaves the connection in a transaction,
        // and its next BEGIN fails.
        _ = try? run("ROLLBACK", [])
    }
}

extension DatabaseConnection {
    /// The number of steps of its schema's history that the file has been through.
    package func schemaVersion() throws(DatabaseError) -> Int64 {
        let version = try first("PRAGMA user_version", []) { row throws(DatabaseError) in try row.integer(0) } ?? 0
        guard version >= 0 else {
            throw DatabaseError(.unexpectedValue, code: 0, message: "the schema's version is \(version)")
        }
        return version
    }

    /// Takes the file through the steps it has not seen, all at once or not at all.
    ///
    /// Step *n* ends with `PRAGMA user_version = n;`. A file that has been through more is left alone; its owner has
    /// asked for ``schemaVersion()`` first.
    package func migrate(_ steps: [StaticString]) throws(DatabaseError) {
        guard try schemaVersion() < steps.count else { return }
        try transaction(.writing, wrapping: { $0 }) { () throws(DatabaseError) in
            for step in steps.dropFirst(Int(clamping: try schemaVersion())) { try script(step) }
        }
    }
}

extension DatabaseConnection {
    /// The faults of the file's pages, indexes and references in SQLite's words, up to a number of lines.
    package func complaints() throws(DatabaseError) -> [String] {
        var lines = try all("PRAGMA integrity_check(20)", []) { row throws(DatabaseError) in try row.text(0) }
        if lines == ["ok"] { lines = [] }
        let strays = try all("PRAGMA foreign_key_check", []) { row throws(DatabaseError) in try row.text(0) }
        return lines + Set(strays).sorted().map { "rows of \($0) refer to rows that are not there" }
    }

    /// Writes the file's present contents to a new file, whole and without a log beside it; writers continue meanwhile.
    package func writeCopy(to path: String) throws(DatabaseError) {
        try run("VACUUM INTO ?", [.text(path)])
    }

    /// Brings everything into the file itself, so that it can be moved without the log beside it.
    package func gather() throws(DatabaseError) {
        let mode = try first("PRAGMA journal_mode = DELETE", []) { row throws(DatabaseError) in try row.text(0) }
        guard mode == "delete" else {
            throw DatabaseError(.busy, code: 5, message: "the log could not be brought into the file")
        }
    }
}
