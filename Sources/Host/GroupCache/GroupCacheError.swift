package import JSONText
package import WidgetFiles

/// The reason why a value could not be stored, or a group's cache not be opened. Reading has no errors: an entry that
/// cannot be read is a miss, and is reported as a ``GroupCacheFault``.
package enum GroupCacheError: Error, Equatable, Sendable, CustomStringConvertible {
    case badGroupName(String)
    case notDeclared(GroupName)
    case notGranted(GroupName)
    /// Other users can reach the folder.
    case openToOthers(path: String, mode: UInt32)
    case tooLong(String, limit: Int)
    case valueTooLarge(byteCount: Int, limit: Int)
    /// The value is not one that a reader would take.
    case unreadableValue(JSONError)
    /// Another process has had the lock for too long.
    case busy(path: String)
    case file(FileError)
    /// The system's library has failed to compute a digest.
    case noDigest

    package var description: String {
        switch self {
        case .badGroupName(let name):
            "\(name) cannot be a group's name: letters, digits, dots, hyphens and underscores, beginning with a letter or a digit"
        case .notDeclared(let group):
            "the bundle does not declare the group \(group); it reaches only groups that it declares"
        case .notGranted(let group): "the host does not grant the group \(group) to this widget"
        case .openToOthers(let path, let mode):
            "other users can reach \(path), whose mode is \(String(mode, radix: 8)); `chmod 700` makes it private"
        case .tooLong(let what, let limit): "\(what) is longer than \(limit) bytes"
        case .valueTooLarge(let byteCount, let limit): "the value has \(byteCount) bytes; the limit is \(limit)"
        case .unreadableValue(let error): "the value could not be read again: \(error)"
        case .busy(let path): "another process has had the lock of \(path) for too long; try again"
        case .file(let error): "\(error)"
        case .noDigest: "the system's library could not compute a digest"
        }
    }
}

/// Damage in a group's cache. Its entry is a miss from then on, and the file is moved aside if that is possible.
package struct GroupCacheFault: Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        /// The file is not an entry, or is one of another key.
        case unreadable(String)
        /// The entry is larger than entries may be.
        case tooLarge(byteCount: Int)
        /// The bytes that the entry refers to are missing.
        case missingBlob
        /// The bytes that the entry refers to are others.
        case wrongBlob
    }

    package var path: String
    package var reason: Reason
    /// The reason why the file is still in its place; `nil` if it was moved aside.
    package var obstacle: String?

    package var description: String {
        let outcome = obstacle.map { "it could not be moved aside: \($0)" } ?? "it was moved aside"
        return switch reason {
        case .unreadable(let sentence): "\(path) is not an entry of a cache: \(sentence); \(outcome)"
        case .tooLarge(let byteCount): "\(path) has \(byteCount) bytes, which is too large for an entry; \(outcome)"
        case .missingBlob: "\(path) refers to bytes that are not there; \(outcome)"
        case .wrongBlob: "\(path) refers to bytes that have changed; \(outcome)"
        }
    }
}

/// The limits of one group's cache.
package struct GroupCacheLimits: Equatable, Sendable {
    /// Bytes of a key, and of a widget's identifier.
    package static let keyByteCount = 1_024
    /// Bytes of an entity tag, a date of modification or the name of a writer.
    package static let noteByteCount = 1_024

    /// Bytes of one entry's file, with its JSON value.
    package var entryByteCount = 256 << 10
    /// Bytes of one image or archive.
    package var blobByteCount = 8 << 20
    /// Bytes of all entries and blobs. The least recently used entries are evicted first.
    package var byteCount = 32 << 20
    package var entryCount = 1_000
    /// Arrays and objects around a value.
    package var depth = 64
    /// Damaged files that are kept to be looked at; the oldest are removed.
    package var damagedCount = 20
    /// The time that a writer waits for the lock.
    package var patience = Duration.seconds(2)
    /// Seconds for which a use of an entry counts, so that reading writes no more often.
    package var useInterval = Duration.seconds(60)
    /// Seconds that an upstream time may be ahead of the clock; one further ahead would keep newer values out.
    package var clockTolerance = 300.0

    package init() {}

    var json: JSONLimits { JSONLimits(byteCount: entryByteCount, depth: depth + 1) }
}
