internal import CatalogSQL
package import Database
package import Registry

// What the catalog's statements run on here: SQLite, through one connection.

extension DatabaseValue: CatalogValue {}

extension Row: CatalogRow {
    package typealias Failure = DatabaseError
}

extension Connection: CatalogSession {
    package typealias Value = DatabaseValue
    package typealias Row = Database.Row

    package func reading<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result {
        try transaction(.reading, wrapping: Connection.translated, body)
    }

    package func writing<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result {
        try transaction(.writing, wrapping: Connection.translated, body)
    }

    package func part<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result {
        try part(wrapping: Connection.translated, body)
    }

    package static func translated(_ failure: DatabaseError) -> RegistryError {
        switch failure.kind {
        case .full: .outOfSpace
        case .outOfMemory: .outOfMemory
        case .corrupt, .notADatabase, .unexpectedValue: .damaged(failure.description)
        case .busy, .cannotOpen, .inputOutput, .readOnly, .constraint, .other:
            .database(CatalogFailure(failure.description))
        }
    }
}
