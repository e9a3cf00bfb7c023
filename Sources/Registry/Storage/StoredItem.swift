package import Bytes

/// Something that a blob store keeps: an archive, or a small document beside it about one release that has it.
package enum StoredItem: Hashable, Sendable {
    case blob(Digest)
    /// A ``Sidecar``. Its own words, not its name, say which release it is about.
    case sidecar(Digest, key: String)
    /// A ``Tombstone``.
    case tombstone(Digest, key: String)

    package var digest: Digest {
        switch self {
        case .blob(let digest), .sidecar(let digest, _), .tombstone(let digest, _): digest
        }
    }

    /// The item's name in backups, in reports, and in stores whose items have names.
    package var name: String {
        switch self {
        case .blob(let digest): "\(digest.hex).zip"
        case .sidecar(let digest, let key): "\(digest.hex).\(key).json"
        case .tombstone(let digest, let key): "\(digest.hex).\(key).withdrawn.json"
        }
    }

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
