package import WidgetBytes
package import WidgetFiles

/// The archives, by their digests, and the notes beside them.
///
/// Uploads are staged, checked and written anew on this machine, and archives are read from files of this machine. The
/// store decides where the bytes are in between. Every implementation guarantees:
///
/// - *Durable*: what was placed survives a power cut once `place` or `put` returned.
/// - *Whole*: an item is there with all of its bytes or not at all, and `open` gives no byte of an archive that was not
///   compared with its digest since the file it gives was last changed.
/// - *Repeatable*: an item placed again replaces the present one; `remove` succeeds when the item is gone already.
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
    /// An archive whose bytes have been compared with the digest; `nil` when it is missing. An archive with other bytes
    /// is moved to quarantine for operators to inspect, and counts as missing.
    func open(_ digest: Digest) throws(RegistryError) -> StoredFile?
    /// True when a file is in the archive's place. Its bytes are not checked.
    func holds(_ digest: Digest) throws(RegistryError) -> Bool
    /// Compares all bytes of an archive with its digest, whether or not that was done before.
    func check(_ digest: Digest) throws(RegistryError) -> BlobCondition
    /// Moves an archive to quarantine, if it is still the file that was compared.
    func quarantine(_ digest: Digest, _ file: StoredFile?)
    /// Has an archive compared with its digest again when it is opened next.
    func distrust(_ digest: Digest)
    /// An address at which the store itself sends an archive to anyone for ``redirectSeconds``; `nil` when it does not, or
    /// cannot now. Asks the catalog alone.
    ///
    /// - Parameter disposition: the `Content-Disposition` with which it comes.
    func redirect(_ digest: Digest, as disposition: String) throws(RegistryError) -> String?
    /// True if ``redirect(_:as:)`` may have an answer.
    var redirects: Bool { get }

    // MARK: Items

    /// Places a note's bytes.
    func put(_ note: StoredNote) throws(RegistryError)
    /// Places an item that was staged whole.
    func put(_ file: borrowing StagedFile, as item: StoredItem) throws(RegistryError)
    /// A note's bytes; `nil` when it is not there, or is too long to be one.
    func note(_ item: StoredItem) throws(RegistryError) -> [UInt8]?
    /// Removes an item, for good.
    func remove(_ item: StoredItem) throws(RegistryError)
    /// Removes items placed for a release whose publication failed. A leftover does no harm, so this cannot fail.
    func takeBack(_ items: [StoredItem])

    // MARK: Collecting

    /// The items whose digests begin with a byte. What is not an item is left out.
    func items(beginning byte: UInt8) throws(RegistryError) -> [ListedItem]
    /// Takes an item out of its place in little time, if it is still the one that was listed.
    func detach(_ item: ListedItem) throws(RegistryError) -> DetachedItem?
    /// Frees the space of a detached item.
    func discard(_ item: DetachedItem) throws(RegistryError)
    /// Frees the space of items that were begun or detached by processes that have ended.
    func sweep() throws(RegistryError)
    /// True while items that were placed are there, as a transaction of the catalog sees it. A transaction that refers to
    /// them asks last, so that none of them was collected by another process since it was placed.
    func holds(_ items: [StoredItem], in catalog: any CatalogReader) throws(RegistryError) -> Bool
    /// The archives in quarantine; they are never removed.
    func quarantined() throws(RegistryError) -> ItemShare

    /// The number of bytes that can be staged.
    var availableByteCount: Int { get throws(RegistryError) }

    /// The state of a store that is elsewhere; `nil` for one on this machine.
    var remote: RemoteBlobs? { get }

    /// The archive from a copy on this machine, without a question to the store; `nil` without one.
    func copy(of digest: Digest) throws(RegistryError) -> StoredFile?
    /// The trouble that the store is in, as the last look has shown; `nil` without one, and for one on this machine.
    var trouble: StoreTrouble? { get }
    /// True if another process of this registry has the store without trouble.
    var isReachedByOthers: Bool { get }
    /// Throws until the store is known to be the catalog's.
    func requireProof() throws(RegistryError)
    /// Calls `observer` with each trouble that begins, and with `nil` when one has ended. Called once.
    func followTrouble(_ observer: @escaping @Sendable (StoreTrouble?) -> Void)
}

extension BlobStore {
    /// Nothing is left over where a start sweeps.
    package func sweep() throws(RegistryError) {}

    /// One process has the store, and serializes this.
    package func holds(_ items: [StoredItem], in catalog: any CatalogReader) throws(RegistryError) -> Bool { true }

    /// Removes the notes about the ends of a release.
    func removeEnds(of digest: Digest, _ key: String) throws(RegistryError) {
        try remove(.tombstone(digest, key: key))
        try remove(.expiry(digest, key: key))
    }

    package var remote: RemoteBlobs? { nil }
    package func copy(of digest: Digest) throws(RegistryError) -> StoredFile? { nil }
    package var trouble: StoreTrouble? { nil }
    package var isReachedByOthers: Bool { false }
    package func requireProof() throws(RegistryError) {}
    package func followTrouble(_ observer: @escaping @Sendable (StoreTrouble?) -> Void) {}

    /// Archives on this machine are sent by this process.
    package func redirect(_ digest: Digest, as disposition: String) throws(RegistryError) -> String? { nil }
    package var redirects: Bool { false }

    /// The validity of the addresses of archives at a store.
    package static var redirectSeconds: Int { 300 }
}

/// A note's identity and bytes.
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

/// The outcome of comparing an archive with its digest.
package enum BlobCondition: Sendable {
    case missing
    case intact(StoredFile)
    case damaged(StoredFile)
}

/// An item that lookups no longer find and whose bytes still exist, by the store's name for it.
package struct DetachedItem: Sendable {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }
}

/// An archive, open for reading, whose bytes were compared with their digest.
package struct Blob: Sendable {
    package let digest: Digest
    package let byteCount: Int
    /// When it was first published, in seconds since 1970.
    package let modified: Int64
    package let file: StoredFile

    /// The system's account of the file when its bytes were compared; while that stays, so do the bytes.
    package var status: FileStatus { file.status }
}

/// The releases whose archive a blob is: always of one bundle, since the archive names it.
package struct BlobOwner: Equatable, Sendable {
    package let digest: Digest
    package let byteCount: Int
    package let bundleIdentifier: String
    /// At least one, in the order they were published.
    package let releases: [Release]

    /// When the blob may not be read any more: all its releases are gone. This is the last one that was withdrawn, or that
    /// expired if none was withdrawn.
    package var lastGone: Release? {
        guard releases.allSatisfy(\.isGone) else { return nil }
        func end(_ release: Release) -> (Int, Int64) {
            if let withdrawal = release.withdrawal { return (1, withdrawal.at) }
            return (0, release.expiry?.at ?? .min)
        }
        return releases.max { end($0) < end($1) }
    }
}

/// Something that a blob store keeps: an archive, or a small document beside it about one release that has it.
package enum StoredItem: Hashable, Sendable {
    case blob(Digest)
    /// A ``Sidecar``. Its own words, not its name, say which release it is about.
    case sidecar(Digest, key: String)
    /// A ``Tombstone`` about a withdrawal.
    case tombstone(Digest, key: String)
    /// A ``Tombstone`` about an expiry. It has a name for itself, so that one process that lets a release expire never takes
    /// the place of another's withdrawal.
    case expiry(Digest, key: String)

    package var digest: Digest {
        switch self {
        case .blob(let digest), .sidecar(let digest, _), .tombstone(let digest, _), .expiry(let digest, _): digest
        }
    }

    /// The item's name in backups, in reports, and in stores whose items have names.
    package var name: String {
        switch self {
        case .blob(let digest): "\(digest.hex).zip"
        case .sidecar(let digest, let key): "\(digest.hex).\(key).json"
        case .tombstone(let digest, let key): "\(digest.hex).\(key).withdrawn.json"
        case .expiry(let digest, let key): "\(digest.hex).\(key)\(StoredItem.expired).json"
        }
    }

    /// A key has one tilde, so no key with this behind it is another key.
    private static let expired = "~expired"

    /// `nil` for names that are not an item's.
    package init?(name: String) {
        guard let digest = Digest(hex: String(name.prefix(64))) else { return nil }
        let rest = name.dropFirst(64)
        if rest == ".zip" {
            self = .blob(digest)
            return
        }
        guard rest.hasPrefix("."), rest.hasSuffix(".json") else { return nil }
        let key = String(rest.dropFirst().dropLast(5))
        if key.hasSuffix(".withdrawn") {
            self = .tombstone(digest, key: String(key.dropLast(10)))
        } else if key.hasSuffix(StoredItem.expired), key.dropLast(StoredItem.expired.count).contains("~") {
            self = .expiry(digest, key: String(key.dropLast(StoredItem.expired.count)))
        } else if key.isEmpty {
            return nil
        } else {
            self = .sidecar(digest, key: key)
        }
    }
}

/// An item that a store has, as it was when the store was listed.
package struct ListedItem: Sendable {
    package var item: StoredItem
    package var byteCount: Int
    /// When its bytes were written, since 1970.
    package var modified: Duration
    /// When anything about it changed last, since 1970: how long it has lain there.
    package var changed: Duration
    /// The store's own mark, which another item under the same name does not have.
    package var mark: UInt64

    package init(item: StoredItem, byteCount: Int, modified: Duration, changed: Duration, mark: UInt64) {
        self.item = item
        self.byteCount = byteCount
        self.modified = modified
        self.changed = changed
        self.mark = mark
    }
}

/// A number of items, and their bytes.
package struct ItemShare: Equatable, Sendable {
    package var count = 0
    package var byteCount = 0

    package init() {}

    package mutating func add(_ byteCount: Int) {
        count += 1
        self.byteCount += byteCount
    }
}

/// Locks for blobs: a fixed number, of which a digest picks one.
package struct StripedLock: Sendable {
    /// The locks guard files on the disk, so they need no value. But a value without a size would have the address of
    /// the lock before it, and the thread sanitizer would report a race.
    private let stripes: [Guarded<Bool>] = (0..<64).map { _ in Guarded(false) }

    package init() {}

    package func withLock<Value: Sendable, Failure: Error>(
        for digest: Digest, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try stripes[StripedLock.stripe(digest)].withLock { (_: inout Bool) throws(Failure) in try body() }
    }

    /// The locks of several blobs at once. Everyone takes them in the same order, and no one a further one while it holds
    /// some, so none waits for ever.
    package func withLocks<Value: Sendable, Failure: Error>(
        for digests: [Digest], _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try withLocks(Set(digests.map(StripedLock.stripe)).sorted()[...], body)
    }

    private func withLocks<Value: Sendable, Failure: Error>(
        _ wanted: ArraySlice<Int>, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard let first = wanted.first else { return try body() }
        return try stripes[first].withLock { (_: inout Bool) throws(Failure) in
            try withLocks(wanted.dropFirst(), body)
        }
    }

    private static func stripe(_ digest: Digest) -> Int { Int(digest.bytes[0] & 63) }
}
