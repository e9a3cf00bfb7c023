internal import Bytes

/// What things in the data directory are called.
enum StoreNames {
    static let lock = "lock"
    static let catalog = "catalog.sqlite"
    static let blobs = "blobs"
    static let staging = "staging"
    static let quarantine = "quarantine"
    static let adminToken = "admin-token"
    /// Holds the last change's tag, for a start to see that a catalog is an old one.
    static let mark = "mark"
    /// Holds the name of the command that is about to replace the catalog.
    static let unfinished = "unfinished"

    /// Holds when work on the whole store was finished last.
    static func lastRun(_ task: HousekeepingTask) -> String { "last-\(task.rawValue)" }

    /// The files SQLite keeps.
    static let catalogFiles = [catalog, "\(catalog)-wal", "\(catalog)-shm", "\(catalog)-journal"]

    /// Blobs are spread over so many directories, by the first byte of their digest.
    static let shards = (0...UInt8.max).map { Hex.string([$0]) }

    static func shard(_ digest: Digest) -> String { String(digest.hex.prefix(2)) }

    static func blob(_ digest: Digest) -> String { "\(digest.hex).zip" }

    /// Beside a blob, for each release that has it. Its own words, not its name, say which release that is.
    static func sidecar(_ digest: Digest, _ key: String) -> String { "\(digest.hex).\(key).json" }

    static func tombstone(_ digest: Digest, _ key: String) -> String { "\(digest.hex).\(key).withdrawn.json" }

    /// What a name in a blobs' folder is about; `nil` for names that are not ours.
    enum Kind: Sendable {
        case blob(Digest)
        case sidecar(Digest, key: String)
        case tombstone(Digest, key: String)

        var digest: Digest {
            switch self {
            case .blob(let digest), .sidecar(let digest, _), .tombstone(let digest, _): digest
            }
        }
    }

    static func kind(of name: String) -> Kind? {
        guard let digest = Digest(hex: String(name.prefix(64))) else { return nil }
        let rest = name.dropFirst(64)
        if rest == ".zip" { return .blob(digest) }
        guard rest.hasPrefix("."), rest.hasSuffix(".json") else { return nil }
        let key = String(rest.dropFirst().dropLast(5))
        if key.hasSuffix(".withdrawn") { return .tombstone(digest, key: String(key.dropLast(10))) }
        return key.isEmpty ? nil : .sidecar(digest, key: key)
    }
}
