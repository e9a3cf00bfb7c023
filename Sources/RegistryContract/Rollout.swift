internal import Bytes

/// The part of a channel's hosts that get a release.
///
/// Hosts decide this themselves, so that a registry answers everybody alike and learns of no installation. A bucket
/// stays the same while a rollout grows, and changes with the next release's salt.
package enum Rollout {
    /// The number of buckets that hosts are spread over; a rollout is a number of them, hence of basis points.
    package static let bucketCount = 10_000
    /// The bucket of hosts that name none. A rollout begins with the low buckets, so it is among the last to change.
    package static let lastBucket = bucketCount - 1

    /// The first eight bytes of SHA-256 over installation, bundle and salt, each on a line, as a number.
    package static func bucket(installation: String, bundleIdentifier: String, salt: String) -> Int {
        guard let digest = Digest.sha256(Array("\(installation)\n\(bundleIdentifier)\n\(salt)".utf8)) else { return 0 }
        let number = digest.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(number % UInt64(bucketCount))
    }
}
