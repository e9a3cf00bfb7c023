package import Bytes

/// One accepted upload of a bundle. Only its channels and its withdrawal ever change.
package struct Release: Equatable, Sendable {
    package var bundleIdentifier: String
    /// `<short version>~<build>`, on a snapshot channel followed by `+` and twelve digits of the content digest.
    package var key: String
    package var shortVersion: String
    package var build: String
    /// The top folder of the archive without its extension.
    package var name: String
    /// Of the archive.
    package var digest: Digest
    package var contentDigest: Digest
    /// Of the archive.
    package var byteCount: Int
    /// Seconds since 1970.
    package var published: Int64
    package var publishedBy: String
    /// The channels that show it, fully or partly, in the order of their names.
    package var channels: [String]
    package var withdrawal: Withdrawal?
    package var minimumOSVersion: String?
    package var minimumHostVersion: String?
    /// Published to a snapshot channel: such channels keep a number of releases only.
    package var isSnapshot: Bool
}

package struct Withdrawal: Equatable, Sendable {
    /// Seconds since 1970.
    package var at: Int64
    package var reason: String

    package init(at: Int64, reason: String) {
        self.at = at
        self.reason = reason
    }
}

/// One file of a release, and where its data stands in the archive.
package struct ReleaseFile: Equatable, Sendable {
    package var path: String
    package var byteCount: Int
    package var digest: Digest
    package var offset: Int
    package var compressedByteCount: Int
    /// `stored` or `deflate`.
    package var method: String
}
