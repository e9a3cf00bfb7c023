internal import CWidgetCrypto
internal import Dispatch

/// SHA-256, computed while bytes pass by.
package struct SHA256: ~Copyable {
    private var context = SHA256_CTX()
    private var isIntact: Bool

    package init() {
        isIntact = unsafe SHA256_Init(&context) == 1
    }

    /// A copy of the state, to be continued separately.
    package borrowing func copy() -> SHA256 {
        var other = SHA256()
        other.context = context
        other.isIntact = isIntact
        return other
    }

    package mutating func update(_ bytes: borrowing Span<UInt8>) {
        guard isIntact, bytes.count > 0 else { return }
        // The pointer lives for this call, and its length travels with it.
        isIntact = unsafe bytes.withUnsafeBytes { unsafe SHA256_Update(&context, $0.baseAddress, $0.count) == 1 }
    }

    package mutating func update(_ bytes: [UInt8]) {
        update(bytes.span)
    }

    /// The digest of everything that passed; `nil` if libcrypto has failed, as its interface allows it to.
    package consuming func finish() -> Digest? {
        guard isIntact else { return nil }
        var bytes = [UInt8](repeating: 0, count: Digest.byteCount)
        let isDone = unsafe bytes.withUnsafeMutableBufferPointer {
            unsafe SHA256_Final($0.baseAddress, &context) == 1
        }
        return isDone ? Digest(bytes: bytes.span) : nil
    }
}

/// SHA-256 of a long sequence of bytes, computed on a queue while its caller continues: hashing takes longer than
/// receiving or writing them.
///
/// Safe to share: the state is touched on the queue alone.
@safe
package final class QueuedSHA256: @unchecked Sendable {
    /// The most pieces that wait to be hashed. A caller with more is blocked, so that memory stays bounded.
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

    /// Starts again from the state of `other`.
    package func restart(with other: consuming SHA256) {
        // Pieces that still wait belong to the old state, and are hashed first.
        queue.sync {}
        sha = other
    }

    /// The digest of everything so far; `nil` if libcrypto has failed.
    package var value: Digest? { queue.sync { sha.copy().finish() } }
}
