package import Bytes

/// What a bundle consists of, as one digest: the same for the same files, whoever packed them.
///
/// SHA-256 over `path NUL size NUL sha256 LF` of each file, in the order of their paths' bytes.
package struct ContentDigest: ~Copyable {
    private var sha = SHA256()

    package init() {}

    /// Adds the next file; the caller keeps the order.
    package mutating func add(path: some StringProtocol, byteCount: Int, digest: Digest) {
        sha.update(Array("\(path)\0\(byteCount)\0\(digest.hex)\n".utf8))
    }

    /// `nil` if libcrypto has failed.
    package consuming func finish() -> Digest? { sha.finish() }
}
