internal import Bytes

/// What things in the data directory are called.
enum StoreNames {
    static let lock = "lock"
    static let catalog = "catalog.sqlite"
    static let blobs = "blobs"
    static let staging = "staging"
    static let quarantine = "quarantine"
    static let adminToken = "admin-token"

    /// The files SQLite keeps.
    static let catalogFiles = [catalog, "\(catalog)-wal", "\(catalog)-shm"]

    /// Blobs are spread over so many directories, by the first byte of their digest.
    static let shards = (0...UInt8.max).map { Hex.string([$0]) }

    static func shard(_ digest: Digest) -> String { String(digest.hex.prefix(2)) }

    static func blob(_ digest: Digest) -> String { "\(digest.hex).zip" }

    /// Beside a blob, for each release that has it. Its own words, not its name, say which release that is.
    static func sidecar(_ digest: Digest, _ key: String) -> String { "\(digest.hex).\(key).json" }

    static func tombstone(_ digest: Digest, _ key: String) -> String { "\(digest.hex).\(key).withdrawn.json" }
}
