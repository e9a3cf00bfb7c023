internal import Bytes
internal import Locks

/// One lock for each blob, or as good as: a fixed number, of which a digest picks one.
struct StripedLock: Sendable {
    private let stripes: [Guarded<Void>] = (0..<64).map { _ in Guarded(()) }

    func withLock<Value: Sendable, Failure: Error>(
        for digest: Digest, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try stripes[Int(digest.bytes[0] & 63)].withLock { (_: inout Void) throws(Failure) in try body() }
    }
}
