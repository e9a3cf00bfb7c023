package import Bytes
package import Zip

/// One of the releases that a channel shows, and the installations it is meant for.
package struct ReleaseCandidate: Equatable, Sendable {
    package struct File: Equatable, Sendable {
        /// Inside the bundle folder.
        package var path: String
        package var byteCount: Int
        package var digest: Digest
        /// Where its compressed data stands in the archive.
        package var dataRange: Range<Int>
        package var method: ZipMethod
    }

    package var buckets: Range<Int>
    package var release: String
    /// Of the archive.
    package var digest: Digest
    package var contentDigest: Digest
    /// Of the archive.
    package var byteCount: Int
    /// The bundle folder without its extension.
    package var name: String
    /// Of the archive, as the registry spells it.
    package var url: String
    /// In the order they stand in the archive.
    package var files: [File]
}
