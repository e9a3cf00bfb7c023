internal import CSQLite

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

    /// What to throw when a column's value is of the right type and still cannot be.
    package func unexpected(_ what: String, _ column: Int) -> DatabaseError {
        DatabaseError(.unexpectedValue, code: SQLITE_MISMATCH, message: "column \(column) does not hold \(what)")
    }

    private func expect(_ type: Int32, _ what: String, _ column: Int) throws(DatabaseError) {
        guard statement.type(column) == type else { throw unexpected(what, column) }
    }
}
