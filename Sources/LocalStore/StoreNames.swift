internal import Bytes
internal import Registry

/// The names in the data directory.
package enum StoreNames {
    static let lock = "lock"
    static let catalog = "catalog.sqlite"
    static let blobs = "blobs"
    static let staging = "staging"
    static let quarantine = "quarantine"
    /// Holds the token that the first start made, for its owner's eyes alone.
    package static let adminToken = "admin-token"
    /// The socket through which the owner talks to the server that runs here.
    package static let controlSocket = "control.sock"
    /// Holds what commands changed while no server ran, until the next server puts it into its log.
    package static let audit = "audit"
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

    static func shard(_ digest: Digest) -> String { shards[Int(digest.bytes[0])] }
}
