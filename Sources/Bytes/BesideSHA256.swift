internal import Dispatch

/// SHA-256 of a long row of bytes, computed beside whoever brings them: hashing takes longer than bringing or writing.
///
/// Safe to share: the state is touched on the queue alone.
@safe
package final class BesideSHA256: @unchecked Sendable {
    /// Pieces that may wait to be hashed; who brings more waits himself, so that memory stays what it is.
    private static let mostWaiting = 8

    private var sha = SHA256()
    private let queue = DispatchQueue(label: "sha256", qos: .userInitiated)
    private let room = DispatchSemaphore(value: mostWaiting)

    package init() {}

    package func update(_ bytes: [UInt8]) {
        room.wait()
        queue.async {
            self.sha.update(bytes)
            self.room.signal()
        }
    }

    package func update(copying bytes: borrowing Span<UInt8>) {
        var copy: [UInt8] = []
        copy.append(copying: bytes)
        update(copy)
    }

    /// Begins anew with what has passed `other`.
    package func restart(with other: consuming SHA256) {
        // What is still waiting belongs to what is forgotten, and goes first.
        queue.sync {}
        sha = other
    }

    /// The digest of everything so far; `nil` if libcrypto has failed.
    package var value: Digest? { queue.sync { sha.copy().finish() } }
}
