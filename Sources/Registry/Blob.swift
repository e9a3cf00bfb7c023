package import Bytes
package import Files

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

    /// When the blob may not be read any more: all its releases are withdrawn. This is the last of them.
    package var withdrawal: (key: String, Withdrawal)? {
        var last: (key: String, Withdrawal)?
        for release in releases {
            guard let withdrawal = release.withdrawal else { return nil }
            if last.map({ $0.1.at <= withdrawal.at }) ?? true { last = (release.key, withdrawal) }
        }
        return last
    }
}
