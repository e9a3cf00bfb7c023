internal import Bytes

/// Which part of a rollout an installation is in.
///
/// Hosts decide this themselves, so that a registry answers everybody alike and learns of no installation. A bucket
/// stays the same while a rollout grows, and changes with the next release's salt.
package enum Rollout {
    package static let bucketCount = 10_000

    /// The first eight bytes of SHA-256 over installation, bundle and salt, each on a line, as a number.
    package static func bucket(installation: String, bundleIdentifier: String, salt: String) -> Int {
        guard let digest = Digest.sha256(Array("\(installation)\n\(bundleIdentifier)\n\(salt)".utf8)) else { return 0 }
        let number = digest.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(number % UInt64(bucketCount))
    }
}
