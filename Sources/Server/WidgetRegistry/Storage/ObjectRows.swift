package import WidgetBytes

/// The rows about the objects of a store that is not on this machine, in the catalog that all its users share.
///
/// The row comes before the object: what a process has begun and not finished has a name that others can clean up, and
/// nothing is ever found by listing. An object has a name that is used once, its item's and its generation's, so that a
/// request that takes effect late can only hit an object that is gone from the rows.
package protocol ObjectRows {
    /// Stores a row. Its generation was never used before.
    func insert(_ record: ObjectRecord) throws(RegistryError)
    func record(_ generation: Int64) throws(RegistryError) -> ObjectRecord?
    /// The object that is an item at present; an item has one at most.
    func present(_ item: StoredItem) throws(RegistryError) -> ObjectRecord?
    /// The present objects of items whose digests begin with a byte, in the order of their generations.
    func present(beginning byte: UInt8, after generation: Int64, limit: Int) throws(RegistryError) -> [ObjectRecord]
    /// The objects in a state whose time has come, in the order of their generations.
    func due(_ state: ObjectRecord.State, by time: Int64, after generation: Int64, limit: Int) throws(RegistryError)
        -> [ObjectRecord]
    /// Replaces state and times of a row. One that is gone stays so.
    func update(_ record: ObjectRecord) throws(RegistryError)
    func remove(_ generation: Int64) throws(RegistryError)
    /// The number of objects in a state, and their bytes.
    func share(_ state: ObjectRecord.State) throws(RegistryError) -> ItemShare
}

/// A row about an object.
package struct ObjectRecord: Equatable, Sendable {
    package enum State: String, CaseIterable, Sendable {
        /// Its bytes are on their way. When its time is over, the process that announced it has ended.
        case announced
        /// It is its item.
        case present
        /// It is to be deleted.
        case condemned
        /// It was deleted once, and is deleted again when its time has come: bytes may have arrived late.
        case buried
        /// It has other bytes than were sent, and is kept for operators.
        case quarantined
    }

    /// A random number. Its order has no meaning.
    package var generation: Int64
    package var item: StoredItem
    package var byteCount: Int
    package var state: State
    /// When its state changed, in seconds since 1970.
    package var changed: Int64
    /// When its state is over by itself; 0 for states that have no end.
    package var until: Int64

    package init(
        generation: Int64, item: StoredItem, byteCount: Int, state: State, changed: Int64, until: Int64 = 0
    ) {
        self.generation = generation
        self.item = item
        self.byteCount = byteCount
        self.state = state
        self.changed = changed
        self.until = until
    }

    /// The same in another state.
    package func inState(_ state: State, at time: Int64, until end: Int64 = 0) -> ObjectRecord {
        var record = self
        record.state = state
        record.changed = time
        record.until = end
        return record
    }
}

extension CatalogReader {
    /// `nil` for a catalog that keeps none: its archives are on this machine. Only the rows of a `CatalogEditor` can be
    /// changed.
    package var objects: (any ObjectRows)? { nil }
}

/// Which items of one part of the store belong to a release.
package struct ItemReferences: Sendable {
    private let known: KnownItems

    package init(toItemsOf digest: Digest, in catalog: any CatalogReader) throws(RegistryError) {
        known = try KnownItems(ofDigest: digest, in: catalog)
    }

    package func include(_ item: StoredItem) -> Bool { known.contains(item) }
}
