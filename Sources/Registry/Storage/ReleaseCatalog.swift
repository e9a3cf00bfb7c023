package import Files

/// The catalog: which releases there are, and which of them each channel shows.
///
/// A registry asks it in two ways, `read` and `write`; the questions are ``CatalogReader``, the changes ``CatalogEditor``.
/// Every implementation guarantees:
///
/// - *Durable*: a `write` that returned survives a power cut.
/// - *Atomic*: a `write` whose body throws, or that throws itself, has changed nothing that a reader can see, and takes
///   no other `write` with it. One exception: after ``RegistryError/database(_:)`` the changes may be found later.
/// - *Isolated*: the body of a `write` sees everything that was committed before, and no one else writes meanwhile; all
///   that the body of one `read` sees is of one moment, and it waits for no writer.
/// - *Ordered*: tags of changes rise in the order of their commits, without a gap that a reader could miss; the
///   observer is told in that order, before the `write` that made them returns.
/// - *Honest*: "not there" is `nil` or an empty list, ``RegistryError/damaged(_:)`` is "there, but not as written", and
///   ``RegistryError/database(_:)`` is "could not ask". None of them stands for another.
///
/// `StorageContractTests` proves this of an implementation.
package protocol ReleaseCatalog: Sendable {
    /// Asks in one transaction.
    func read<Value>(_ body: (any CatalogReader) throws(RegistryError) -> Value) throws(RegistryError) -> Value

    /// Changes as the only writer. The body collects what it appended to the feed.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any CatalogEditor, inout [RegistryChange]) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value

    /// Has `observer` told of what was committed. Called once, before anything is written.
    func follow(_ observer: @escaping @Sendable ([RegistryChange]) -> Void)

    /// What is wrong with the catalog as it is kept, in words; empty when nothing is.
    func complaints() throws(RegistryError) -> [String]

    /// When work on the whole store was finished last, in seconds since 1970; `nil` when that is not known.
    func lastRun(of task: HousekeepingTask) -> Int64?

    /// Notes it, so that a restart does not begin it anew. A note that is lost does no harm.
    func noteRun(of task: HousekeepingTask, at time: Int64)
}

/// Copies a catalog into the file that a backup holds.
package protocol CatalogCopier: Sendable {
    /// A copy of the catalog at one moment; readers and writers continue.
    ///
    /// - Parameter reserve: how many bytes the copy must leave on this machine's disk.
    func copy(leaving reserve: Int) throws(RegistryError) -> any CatalogCopy
}

/// A catalog as it was at one moment, gone with its owner.
package protocol CatalogCopy: AnyObject {
    var reader: any CatalogReader { get }
    /// The file that goes into the backup.
    var file: StoredFile { get }
}
