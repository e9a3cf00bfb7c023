package import CatalogSQL
package import WidgetDatabase
package import WidgetRegistry

// The catalog's statements on SQLite, through one connection.

extension DatabaseConnection: CatalogSession {
    package func run(_ sql: StaticString, _ values: [CatalogValue]) throws(RegistryError) -> Int {
        do throws(DatabaseError) {
            return try run(sql, values.count) { DatabaseValue(values[$0]) }
        } catch {
            throw DatabaseConnection.translated(error)
        }
    }

    package func each(
        _ sql: StaticString, _ values: [CatalogValue], _ read: (any CatalogRow) throws(RegistryError) -> Bool
    ) throws(RegistryError) {
        var refusal: RegistryError?
        do throws(DatabaseError) {
            try each(sql, values.count, { DatabaseValue(values[$0]) }) { row throws(DatabaseError) in
                do throws(RegistryError) {
                    return try read(SQLiteRow(row: row))
                } catch {
                    refusal = error
                    return false
                }
            }
        } catch {
            throw DatabaseConnection.translated(error)
        }
        if let refusal { throw refusal }
    }

    package func reading<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result {
        try transaction(.reading, wrapping: DatabaseConnection.translated, body)
    }

    package func writing<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result {
        try transaction(.writing, wrapping: DatabaseConnection.translated, body)
    }

    package func part<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result {
        try part(wrapping: DatabaseConnection.translated, body)
    }

    /// The failure in the registry's terms.
    package static func translated(_ failure: DatabaseError) -> RegistryError {
        switch failure.kind {
        case .full: .outOfSpace
        case .outOfMemory: .outOfMemory
        // Statements are fixed, so it is the file that has changed.
        case .corrupt, .notADatabase, .unexpectedValue, .otherTables: .damaged(failure.description)
        case .busy, .cannotOpen, .inputOutput, .readOnly, .constraint, .other:
            .database(CatalogFailure(failure.description))
        }
    }
}

extension DatabaseValue {
    fileprivate init(_ value: CatalogValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .text(let text): self = .text(text)
        case .blob(let bytes): self = .blob(bytes)
        case .flag(let flag): self = .flag(flag)
        }
    }
}

/// A row of SQLite's answer, with failures in the registry's terms.
private struct SQLiteRow: CatalogRow {
    let row: Row

    func integer(_ column: Int) throws(RegistryError) -> Int64 {
        do throws(DatabaseError) { return try row.integer(column) } catch { throw DatabaseConnection.translated(error) }
    }

    func count(_ column: Int) throws(RegistryError) -> Int {
        do throws(DatabaseError) { return try row.count(column) } catch { throw DatabaseConnection.translated(error) }
    }

    func flag(_ column: Int) throws(RegistryError) -> Bool {
        do throws(DatabaseError) { return try row.flag(column) } catch { throw DatabaseConnection.translated(error) }
    }

    func text(_ column: Int) throws(RegistryError) -> String {
        do throws(DatabaseError) { return try row.text(column) } catch { throw DatabaseConnection.translated(error) }
    }

    func blob(_ column: Int) throws(RegistryError) -> [UInt8] {
        do throws(DatabaseError) { return try row.blob(column) } catch { throw DatabaseConnection.translated(error) }
    }

    func isNull(_ column: Int) -> Bool { row.isNull(column) }

    func optionalInteger(_ column: Int) throws(RegistryError) -> Int64? {
        do throws(DatabaseError) { return try row.optionalInteger(column) } catch {
            throw DatabaseConnection.translated(error)
        }
    }

    func optionalText(_ column: Int) throws(RegistryError) -> String? {
        do throws(DatabaseError) { return try row.optionalText(column) } catch {
            throw DatabaseConnection.translated(error)
        }
    }

    func unexpected(_ what: String, _ column: Int) -> RegistryError {
        DatabaseConnection.translated(row.unexpected(what, column))
    }
}
