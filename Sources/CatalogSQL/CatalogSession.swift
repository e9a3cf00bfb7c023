package import Registry

/// A connection to a database, lent to one thread at a time.
///
/// A statement is a literal in the subset of SQL that SQLite and PostgreSQL read alike; its values stand for `?`, in
/// their order. A session keeps what it has prepared, by the literal. Failures are in the registry's terms.
package protocol CatalogSession: AnyObject, Sendable {
    /// Runs a statement that answers with nothing.
    ///
    /// - Returns: how many rows it changed.
    @discardableResult
    func run(_ sql: StaticString, _ values: [CatalogValue]) throws(RegistryError) -> Int

    /// Hands over row after row while `read` returns true.
    func each(
        _ sql: StaticString, _ values: [CatalogValue], _ read: (any CatalogRow) throws(RegistryError) -> Bool
    ) throws(RegistryError)

    /// Runs `body` in a transaction of which everything read is of one moment.
    func reading<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result

    /// Runs `body` in a transaction, from its beginning as the only writer, which is committed when `body` returns and
    /// undone when it throws. What was read before is not older than the moment at which the other writers were done.
    func writing<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result

    /// Runs `body` as a part of a transaction that is undone alone when it throws.
    func part<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result

    /// Whether a transaction is open; a severe error has ended it already.
    var isInTransaction: Bool { get }
}

/// A value that is bound to a place in a statement, and never becomes part of its text.
package enum CatalogValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    /// True or false, in the type that the database's columns have for it.
    case flag(Bool)

    static func count(_ value: Int) -> CatalogValue { .integer(Int64(value)) }

    static func maybe(_ value: Int64?) -> CatalogValue { value.map { .integer($0) } ?? .null }

    static func maybe(_ value: String?) -> CatalogValue { value.map { .text($0) } ?? .null }
}

/// One row of an answer, for the length of a call. Columns are counted from 0, and hold what their reader says or the
/// answer is refused: a schema is a promise, but the database may be damaged.
package protocol CatalogRow {
    func integer(_ column: Int) throws(RegistryError) -> Int64
    /// An integer that counts something.
    func count(_ column: Int) throws(RegistryError) -> Int
    func flag(_ column: Int) throws(RegistryError) -> Bool
    func text(_ column: Int) throws(RegistryError) -> String
    func blob(_ column: Int) throws(RegistryError) -> [UInt8]
    func isNull(_ column: Int) -> Bool
    func optionalInteger(_ column: Int) throws(RegistryError) -> Int64?
    func optionalText(_ column: Int) throws(RegistryError) -> String?
    /// The failure of a column whose value is of the right type and still cannot be.
    func unexpected(_ what: String, _ column: Int) -> RegistryError
}
