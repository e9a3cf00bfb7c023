internal import CWidgetPostgres

/// The answer to one statement: its rows, all of them here.
///
/// Safe to use: the handle is freed here and never leaves; bytes are copied when they are read.
@safe
package final class PostgresAnswer {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        unsafe self.handle = handle
    }

    deinit {
        unsafe PQclear(handle)
    }

    var status: ExecStatusType { unsafe PQresultStatus(handle) }

    /// A field of an error, by libpq's letter for it.
    func field(_ letter: Unicode.Scalar) -> String? {
        unsafe PQresultErrorField(handle, Int32(letter.value)).map { unsafe String(cString: $0) }
    }

    /// The name of the command that was carried out.
    var tag: String { unsafe String(cString: PQcmdStatus(handle)) }

    package var rowCount: Int { Int(unsafe PQntuples(handle)) }

    package func row(_ number: Int) -> PostgresRow { PostgresRow(answer: self, number: Int32(clamping: number)) }

    /// The number of rows that the statement changed.
    package var changedCount: Int { unsafe Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    /// The type of a column by its number in PostgreSQL's catalog; 0 for a column that is not there.
    func type(_ column: Int) -> UInt32 { unsafe PQftype(handle, Int32(clamping: column)) }

    func isNull(_ row: Int32, _ column: Int) -> Bool {
        // libpq says 1 of places that are not there.
        unsafe PQgetisnull(handle, row, Int32(clamping: column)) == 1
    }

    func bytes(_ row: Int32, _ column: Int) -> UnsafeRawBufferPointer {
        let column = Int32(clamping: column)
        guard let start = unsafe PQgetvalue(handle, row, column) else {
            return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return unsafe UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(handle, row, column)))
    }
}

/// One row of an answer. Columns are counted from 0, and hold what their reader says or the answer is refused.
package struct PostgresRow {
    let answer: PostgresAnswer
    let number: Int32

    // The numbers that PostgreSQL has given its own types once and for all.
    private static let (flag, bytes, text): (UInt32, UInt32, [UInt32]) = (16, 17, [25, 1043, 19])
    private static let integers: [UInt32: Int] = [20: 8, 23: 4, 21: 2]

    package func integer(_ column: Int) throws(PostgresError) -> Int64 {
        let width = PostgresRow.integers[answer.type(column)]
        let bytes = unsafe try held(width != nil, "an integer", column)
        guard bytes.count == width, let first = unsafe bytes.first else { throw unexpected("an integer", column) }
        // Big-endian, and the first bit is the sign.
        var value = Int64(Int8(bitPattern: first))
        for place in 1..<bytes.count { value = unsafe value << 8 | Int64(bytes[place]) }
        return value
    }

    /// An integer that counts something here.
    package func count(_ column: Int) throws(PostgresError) -> Int {
        guard let value = Int(exactly: try integer(column)), value >= 0 else { throw unexpected("a count", column) }
        return value
    }

    package func flag(_ column: Int) throws(PostgresError) -> Bool {
        let bytes = unsafe try held(answer.type(column) == PostgresRow.flag, "a flag", column)
        guard bytes.count == 1 else { throw unexpected("a flag", column) }
        return unsafe bytes[0] != 0
    }

    package func text(_ column: Int) throws(PostgresError) -> String {
        let bytes = unsafe try held(PostgresRow.text.contains(answer.type(column)), "text", column)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    package func blob(_ column: Int) throws(PostgresError) -> [UInt8] {
        unsafe Array(try held(answer.type(column) == PostgresRow.bytes, "bytes", column))
    }

    package func isNull(_ column: Int) -> Bool { answer.isNull(number, column) }

    package func optionalInteger(_ column: Int) throws(PostgresError) -> Int64? {
        isNull(column) ? nil : try integer(column)
    }

    package func optionalText(_ column: Int) throws(PostgresError) -> String? {
        isNull(column) ? nil : try text(column)
    }

    /// The error for a column's value that has the right type and is still impossible.
    package func unexpected(_ what: String, _ column: Int) -> PostgresError {
        PostgresError(.unexpectedValue, message: "column \(column) does not hold \(what)")
    }

    private func held(
        _ hasType: Bool, _ what: String, _ column: Int
    ) throws(PostgresError) -> UnsafeRawBufferPointer {
        guard hasType, !isNull(column) else { throw unexpected(what, column) }
        return unsafe answer.bytes(number, column)
    }
}
