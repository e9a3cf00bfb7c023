package import Bytes
package import Files

/// The archives, by their digests, and the notes beside them.
///
/// Uploads are staged, checked and written anew on this machine, and archives are read from files of this machine;
/// where the bytes lie in between is the store's own matter. Every implementation guarantees:
///
/// - *Durable*: what was placed survives a power cut once `place` or `put` returned.
/// - *Whole*: an item is there with all of its bytes or not at all, and `open` gives no byte of an archive that was not
///   compared with its digest since the file it gives was last changed.
/// - *Repeatable*: what is placed again replaces what is there; that the item is gone already is no failure of `remove`.
/// - *Undisturbed*: an open file stays readable and the same while its item is replaced or removed. Collecting garbage
///   beside publishing takes only what it has listed: ``detach(_:)`` leaves an item alone that was placed since.
/// - *Honest*: "not there" is `nil` or ``BlobCondition/missing``; "could not ask" is ``RegistryError/storage(_:)`` or
///   ``RegistryError/outOfSpace``.
///
/// The registry serializes changes of one archive and its notes; a store must bear everything else at the same time.
/// `StorageContractTests` proves this of an implementation.
package protocol BlobStore: Sendable {
    /// A file in the making, gone with its owner unless it is placed.
    func stage() throws(RegistryError) -> StagedFile

    // MARK: Archives

    /// Places an archive, and a note beside it if there is one: the archive first.
    func place(_ archive: borrowing StagedFile, as digest: Digest, with note: StoredNote?) throws(RegistryError)
    /// An archive whose bytes have been compared with the digest; `nil` when there is none, or none any more: one with
    /// other bytes is put away for people to look at.
    func open(_ digest: Digest) throws(RegistryError) -> StoredFile?
    /// Whether something lies in the archive's place. Its bytes are not looked at.
    func holds(_ digest: Digest) throws(RegistryError) -> Bool
    /// Compares all bytes of an archive with its digest, whether or not that was done before.
    func check(_ digest: Digest) throws(RegistryError) -> BlobCondition
    /// Puts away what lies in an archive's place, if it is still the file that was looked at.
    func quarantine(_ digest: Digest, _ file: StoredFile?)
    /// Has an archive compared with its digest again when it is opened next.
    func distrust(_ digest: Digest)

    // MARK: Items

    /// Places a note's bytes.
    func put(_ note: StoredNote) throws(RegistryError)
    /// Places an item that was staged whole.
    func put(_ file: borrowing StagedFile, as item: StoredItem) throws(RegistryError)
    /// A note's bytes; `nil` when it is not there, or is too long to be one.
    func note(_ item: StoredItem) throws(RegistryError) -> [UInt8]?
    /// Removes an item, for good.
    func remove(_ item: StoredItem) throws(RegistryError)
    /// Removes what was placed for a release that did not come to be. A leftover does no harm, so this cannot fail.
    func takeBack(_ items: [StoredItem])

    // MARK: Collecting

    /// The items whose digests begin with a byte. What is not an item is left out.
    func items(beginning byte: UInt8) throws(RegistryError) -> [ListedItem]
    /// Takes an item out of its place in little time, if it is still the one that was listed.
    func detach(_ item: ListedItem) throws(RegistryError) -> DetachedItem?
    /// Frees what a detached item took.
    func discard(_ item: DetachedItem) throws(RegistryError)
    /// What was put away; it is never removed.
    func quarantined() throws(RegistryError) -> ItemShare

    /// How many bytes can be staged.
    var availableByteCount: Int { get throws(RegistryError) }
}

/// The bytes of a note, and what it is.
package struct StoredNote: Sendable {
    package var item: StoredItem
    package var bytes: [UInt8]

    package init(_ item: StoredItem, _ bytes: [UInt8]) {
        self.item = item
        self.bytes = bytes
    }

    /// The document of the largest bundle takes less.
    package static let byteLimit = 64 << 20
}

/// What a comparison of an archive with its digest has found.
package enum BlobCondition: Sendable {
    case missing
    case intact(StoredFile)
    case damaged(StoredFile)
}

/// An item that is no longer found and whose bytes are still there, by the store's name for it.
package struct DetachedItem: Sendable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }
}
