internal import CSQLite

/// A connection to one database file, with its prepared statements.
///
/// Safe to use: the handle is made and closed here. SQLite keeps no lock of its own for it, so a connection is lent
/// to one thread at a time, and that is what makes the `@unchecked Sendable` true: whoever shares connections keeps
/// them in a `Guarded` value and takes them out to use them.
@safe
package final class Connection: @unchecked Sendable {
    package enum Access: Sendable {
        /// One of these: it makes the file when it is not there.
        case writing
        /// Any number: they see what was committed when their transaction began, and wait for nobody.
        case reading
    }

    /// Where the index of the write-ahead log is.
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
        // Only another process could be in the way, and it has no business here; a backup may be passing by.
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
        // Whoever changes pages looks closely at them first.
        try script("PRAGMA cache_size = -2048; PRAGMA cell_size_check = ON;")
        let mode = try first("PRAGMA journal_mode = WAL", []) { row throws(DatabaseError) in try row.text(0) }
        guard mode == "wal" else {
            throw DatabaseError(
                .cannotOpen, code: SQLITE_CANTOPEN,
                message: "\(path) cannot have a write-ahead log here; the file system must allow shared memory")
        }
        try script("PRAGMA synchronous = FULL;")
    }

    /// Runs a statement that answers with nothing.
    ///
    /// - Returns: how many rows it changed.
    @discardableResult
    package func run(_ sql: StaticString, _ values: [DatabaseValue]) throws(DatabaseError) -> Int {
        try run(sql, values.count) { values[$0] }
    }

    /// Runs a statement that answers with nothing, with values that are converted while they are bound.
    ///
    /// - Returns: how many rows it changed.
    package func run(
        _ sql: StaticString, _ count: Int, _ value: (Int) -> DatabaseValue
    ) throws(DatabaseError) -> Int {
        try each(sql, count, value) { _ throws(DatabaseError) in true }
        return Int(unsafe sqlite3_changes64(handle))
    }

    /// The first row of the answer, or `nil` when there is none.
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

    /// All rows of the answer; whoever asks has put a limit into the statement.
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

    /// Hands over row after row while `read` says to go on.
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

    /// The prepared statement; one that is used within itself is another one, which is not kept.
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

    /// Whether a transaction is open; a severe error has ended it already.
    package var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    func error(_ code: Int32, _ subject: StaticString) -> DatabaseError {
        let isOwn = unsafe sqlite3_extended_errcode(handle) & 0xFF == code & 0xFF
        let reason = unsafe String(cString: isOwn ? sqlite3_errmsg(handle) : sqlite3_errstr(code))
        let head = "\(subject)".split(whereSeparator: \.isWhitespace).prefix(3).joined(separator: " ")
        let full = isOwn ? unsafe sqlite3_extended_errcode(handle) : code
        return DatabaseError(
            code: full, cause: full == Connection.failedWrite ? logFailure : unsafe sqlite3_system_errno(handle),
            message: "\(path): \(head): \(reason)")
    }

    /// SQLITE_IOERR_WRITE is an expression, which Swift does not import.
    private static let failedWrite: Int32 = SQLITE_IOERR | 3 << 8

    /// The system's number for the last failure of the log. What SQLite keeps for all its files may come from what it did
    /// afterwards.
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
