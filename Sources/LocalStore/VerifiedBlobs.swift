internal import Bytes
internal import Files

/// Which blobs' bytes were compared with their digests, and what the system said of their files then.
struct VerifiedBlobs: Sendable {
    private let known: Guarded<[Digest: FileStatus]> = Guarded([:])
    /// More are forgotten, and compared again; so memory has a bound.
    private static let capacity = 16 << 10

    func contains(_ digest: Digest, _ status: FileStatus) -> Bool {
        known.withLock { $0[digest] == status }
    }

    func remove(_ digest: Digest) {
        known.withLock { _ = $0.removeValue(forKey: digest) }
    }

    func insert(_ digest: Digest, _ status: FileStatus) {
        known.withLock { known in
            if known.count >= VerifiedBlobs.capacity { known.remove(at: known.startIndex) }
            known[digest] = status
        }
    }
}
