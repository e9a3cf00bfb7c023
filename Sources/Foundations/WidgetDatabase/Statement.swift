internal import CWidgetSQLite

/// A prepared statement. It belongs to its connection, and is used by one thread at a time as that is.
///
/// Safe to use: the handle is made and finalized here and never leaves; memory that SQLite lends is copied at once.
@safe
final class Statement {
    private let handle: OpaquePointer
    /// True while its rows are read or its changes made.
    var isInUse = false

    init(_ sql: StaticString, on connection: borrowing DatabaseConnection) throws(DatabaseError) {
        var made: OpaquePointer?
        // The text of a StaticString lives as long as the program.
        let result = sql.withUTF8Buffer { text in
            unsafe text.withMemoryRebound(to: CChar.self) {
                unsafe sqlite3_prepare_v3(
                    connection.handle, $0.baseAddress, Int32(truncatingIfNeeded: $0.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
            }
        }
        guard result == SQLITE_OK, let made = unsafe made else { throw connection.error(result, sql) }
        unsafe handle = made
    }

    deinit {
        unsafe sqlite3_finalize(handle)
    }

    /// Binds the values of all places, which are counted from 0.
    func bind(_ count: Int, _ value: (Int) -> DatabaseValue) -> Int32 {
        // A statement with fewer or more places than values is a mistake of ours, and would go unnoticed as NULL.
        guard unsafe sqlite3_bind_parameter_count(handle) == count else { return SQLITE_RANGE }
        var place: Int32 = 0
        while place < count {
            let result = bind(value(Int(place)), at: place + 1)
            guard result == SQLITE_OK else { return result }
            place += 1
        }
        return SQLITE_OK
    }

    private func bind(_ value: DatabaseValue, at place: Int32) -> Int32 {
        // SQLITE_TRANSIENT, which Swift cannot see: SQLite makes a copy before the call returns.
        let copying = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: return unsafe sqlite3_bind_null(handle, place)
        case .integer(let number): return unsafe sqlite3_bind_int64(handle, place, number)
        case .text(""):
            // An empty buffer may have no address, and no address would mean NULL.
            return unsafe sqlite3_bind_text(handle, place, "", 0, copying)
        case .text(var text):
            return text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) {
                    unsafe sqlite3_bind_text64(
                        handle, place, $0.baseAddress, UInt64($0.count), copying, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return unsafe sqlite3_bind_zeroblob(handle, place, 0) }
            return unsafe bytes.withUnsafeBytes {
                unsafe sqlite3_bind_blob64(handle, place, $0.baseAddress, UInt64($0.count), copying)
            }
        }
    }

    func step() -> Int32 { unsafe sqlite3_step(handle) }

    /// Ends the current execution and releases the values, so that large ones do not stay in memory.
    func reset() {
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    func type(_ column: Int) -> Int32 { unsafe sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) }

    func integer(_ column: Int) -> Int64 { unsafe sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column)) }

    func bytes(_ column: Int) -> [UInt8] {
        let column = Int32(truncatingIfNeeded: column)
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = unsafe sqlite3_column_bytes(handle, column)
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(count)))
    }

    func text(_ column: Int) -> String {
        let column = Int32(truncatingIfNeeded: column)
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return "" }
        let count = unsafe sqlite3_column_bytes(handle, column)
        return unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }
}

/// One row of an answer, for the length of a call. Columns are counted from 0, and hold what their reader says or
/// the answer is refused: a schema is a promise, but the file may be damaged.
package struct Row {
    let statement: Statement

    package func integer(_ column: Int) throws(DatabaseError) -> Int64 {
        try expect(SQLITE_INTEGER, "an integer", column)
        return statement.integer(column)
    }

    /// An integer that counts something here.
    package func count(_ column: Int) throws(DatabaseError) -> Int {
        guard let value = Int(exactly: try integer(column)), value >= 0 else {
            throw unexpected("a count", column)
        }
        return value
    }

    package func flag(_ column: Int) throws(DatabaseError) -> Bool { try integer(column) != 0 }

    package func text(_ column: Int) throws(DatabaseError) -> String {
        try expect(SQLITE3_TEXT, "text", column)
        return statement.text(column)
    }

    package func blob(_ column: Int) throws(DatabaseError) -> [UInt8] {
        try expect(SQLITE_BLOB, "a blob", column)
        return statement.bytes(column)
    }

    package func isNull(_ column: Int) -> Bool { statement.type(column) == SQLITE_NULL }

    package func optionalInteger(_ column: Int) throws(DatabaseError) -> Int64? {
        isNull(column) ? nil : try integer(column)
    }

    package func optionalText(_ column: Int) throws(DatabaseError) -> String? {
        isNull(column) ? nil : try text(column)
    }

    /// The error for a column's value that has the right type and is still impossible.
    package func unexpected(_ what: String, _ column: Int) -> DatabaseError {
        DatabaseError(.unexpectedValue, code: SQLITE_MISMATCH, message: "column \(column) does not hold \(what)")
    }

    private func expect(_ type: Int32, _ what: String, _ column: Int) throws(DatabaseError) {
        guard statement.type(column) == type else { throw unexpected(what, column) }
    }
}

/// A value that is bound to a place in a statement. Values never become part of a statement's text.
package enum DatabaseValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    package static func integer(_ value: Int) -> DatabaseValue { .integer(Int64(value)) }

    package static func flag(_ value: Bool) -> DatabaseValue { .integer(value ? 1 : 0) }

    package static func optional(_ value: Int64?) -> DatabaseValue { value.map { .integer($0) } ?? .null }

    package static func optional(_ value: String?) -> DatabaseValue { value.map { .text($0) } ?? .null }
}
