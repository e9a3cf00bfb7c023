internal import Bytes
internal import Database

/// The catalog's questions and statements, on a connection that someone has lent for a transaction.
struct Catalog {
    let connection: Connection

    @discardableResult
    func run(_ sql: StaticString, _ values: DatabaseValue...) throws(RegistryError) -> Int {
        try asking { () throws(DatabaseError) in try connection.run(sql, values) }
    }

    /// Runs an INSERT.
    ///
    /// - Returns: the new row's number.
    func insert(_ sql: StaticString, _ values: DatabaseValue...) throws(RegistryError) -> Int64 {
        try asking { () throws(DatabaseError) in
            try connection.run(sql, values)
            return connection.lastInsertedRow
        }
    }

    func first<Result>(
        _ sql: StaticString, _ values: DatabaseValue..., read: (Row) throws(DatabaseError) -> Result
    ) throws(RegistryError) -> Result? {
        try asking { () throws(DatabaseError) in try connection.first(sql, values, read) }
    }

    func all<Result>(
        _ sql: StaticString, _ values: DatabaseValue..., read: (Row) throws(DatabaseError) -> Result
    ) throws(RegistryError) -> [Result] {
        try asking { () throws(DatabaseError) in try connection.all(sql, values, read) }
    }

    /// Hands over row after row while `read` says to go on.
    func each(
        _ sql: StaticString, _ values: DatabaseValue..., read: (Row) throws(DatabaseError) -> Bool
    ) throws(RegistryError) {
        try asking { () throws(DatabaseError) in try connection.each(sql, values, read) }
    }

    private func asking<Value>(_ body: () throws(DatabaseError) -> Value) throws(RegistryError) -> Value {
        do throws(DatabaseError) { return try body() } catch { throw RegistryError(error) }
    }
}

extension Row {
    func digest(_ column: Int) throws(DatabaseError) -> Digest {
        let bytes = try blob(column)
        guard let digest = Digest(bytes: bytes.span) else { throw unexpected("a digest", column) }
        return digest
    }
}
