package import Bytes

/// One lock for each blob, or as good as: a fixed number, of which a digest picks one.
package struct StripedLock: Sendable {
    /// The locks guard what is on the disk, and nothing is inside them. But a value without a size would have the
    /// address of the lock before it, and the thread sanitizer would see a race for that.
    private let stripes: [Guarded<Bool>] = (0..<64).map { _ in Guarded(false) }

    package init() {}

    package func withLock<Value: Sendable, Failure: Error>(
        for digest: Digest, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try stripes[Int(digest.bytes[0] & 63)].withLock { (_: inout Bool) throws(Failure) in try body() }
    }
}
