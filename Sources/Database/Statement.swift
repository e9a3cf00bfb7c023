internal import CSQLite

/// A prepared statement. It belongs to its connection, and is used by one thread at a time as that is.
///
/// Safe to use: the handle is made and finalized here and never leaves; what SQLite lends is copied at once.
@safe
final class Statement {
    private let handle: OpaquePointer
    /// Whether its rows are being read, or its changes made.
    var isInUse = false

    init(_ sql: StaticString, on connection: borrowing Connection) throws(DatabaseError) {
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

    /// Ends what was under way and forgets the values, so that nothing large stays in memory.
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
