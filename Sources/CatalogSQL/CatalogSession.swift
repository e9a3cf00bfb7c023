package import Registry

/// A connection to a database, lent to one thread at a time.
///
/// A statement is a literal in the subset of SQL that SQLite and PostgreSQL read alike; its values stand for `?`, in
/// their order. A session keeps what it has prepared, by the literal.
package protocol CatalogSession: AnyObject, Sendable {
    associatedtype Value: CatalogValue
    associatedtype Row: CatalogRow

    /// Runs a statement that answers with nothing.
    ///
    /// - Returns: how many rows it changed.
    @discardableResult
    func run(_ sql: StaticString, _ values: [Value]) throws(Row.Failure) -> Int

    /// The first row of the answer, or `nil` when there is none.
    func first<Result>(
        _ sql: StaticString, _ values: [Value], _ read: (Row) throws(Row.Failure) -> Result
    ) throws(Row.Failure) -> Result?

    /// All rows of the answer, which a limit bounds where there can be many.
    func all<Result>(
        _ sql: StaticString, _ values: [Value], _ read: (Row) throws(Row.Failure) -> Result
    ) throws(Row.Failure) -> [Result]

    /// Hands over row after row while `read` returns true.
    func each(
        _ sql: StaticString, _ values: [Value], _ read: (Row) throws(Row.Failure) -> Bool
    ) throws(Row.Failure)

    /// Runs `body` in a transaction of which everything read is of one moment.
    func reading<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result

    /// Runs `body` in a transaction, from its beginning as the only writer, which is committed when `body` returns and
    /// undone when it throws. What was read before is not older than the moment at which the other writers were done.
    func writing<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result

    /// Runs `body` as a part of a transaction that is undone alone when it throws.
    func part<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result

    /// Whether a transaction is open; a severe error has ended it already.
    var isInTransaction: Bool { get }

    /// The failure in the registry's terms.
    static func translated(_ failure: Row.Failure) -> RegistryError
}

/// A value that is bound to a place in a statement, and never becomes part of its text.
package protocol CatalogValue: Sendable {
    static var null: Self { get }
    static func integer(_ value: Int64) -> Self
    static func text(_ value: String) -> Self
    static func blob(_ value: [UInt8]) -> Self
    /// True or false, in the type that the database's columns have for it.
    static func flag(_ value: Bool) -> Self
}

extension CatalogValue {
    static func count(_ value: Int) -> Self { .integer(Int64(value)) }

    static func maybe(_ value: Int64?) -> Self { value.map { .integer($0) } ?? .null }

    static func maybe(_ value: String?) -> Self { value.map { .text($0) } ?? .null }
}

/// One row of an answer, for the length of a call. Columns are counted from 0, and hold what their reader says or the
/// answer is refused: a schema is a promise, but the database may be damaged.
package protocol CatalogRow {
    associatedtype Failure: Error

    func integer(_ column: Int) throws(Failure) -> Int64
    /// An integer that counts something.
    func count(_ column: Int) throws(Failure) -> Int
    func flag(_ column: Int) throws(Failure) -> Bool
    func text(_ column: Int) throws(Failure) -> String
    func blob(_ column: Int) throws(Failure) -> [UInt8]
    func optionalInteger(_ column: Int) throws(Failure) -> Int64?
    func optionalText(_ column: Int) throws(Failure) -> String?
    /// The failure of a column whose value is of the right type and still cannot be.
    func unexpected(_ what: String, _ column: Int) -> Failure
}
