internal import CCrypto
internal import Dispatch

/// A SHA-256 digest: 32 bytes, compared and hashed without allocation.
package struct Digest: Hashable, Sendable {
    package static let byteCount = 32

    private var words: (UInt64, UInt64, UInt64, UInt64)

    /// One byte, 32 times: a placeholder for examples and for values that are still to be read.
    package init(repeating byte: UInt8) {
        let word = UInt64(byte) &* 0x0101_0101_0101_0101
        words = (word, word, word, word)
    }

    /// The digest that differs in every bit.
    package var opposite: Digest {
        var other = self
        other.words = (~words.0, ~words.1, ~words.2, ~words.3)
        return other
    }

    /// `nil` unless there are exactly 32 bytes.
    package init?(bytes: borrowing Span<UInt8>) {
        guard bytes.count == Digest.byteCount else { return nil }
        words = (0, 0, 0, 0)
        for index in bytes.indices { append(bytes[index]) }
    }

    /// `nil` unless there are exactly 64 lower-case hexadecimal digits.
    package init?(hex: borrowing Span<UInt8>) {
        guard hex.count == Digest.byteCount * 2 else { return nil }
        words = (0, 0, 0, 0)
        var index = 0
        while index < hex.count {
            guard let high = Hex.lowercaseValue(of: hex[index]), let low = Hex.lowercaseValue(of: hex[index &+ 1])
            else {
                return nil
            }
            append(high << 4 | low)
            index &+= 2
        }
    }

    package init?(hex: String) {
        self.init(hex: Array(hex.utf8).span)
    }

    /// Shifts one byte in at the low end; 32 of them fill the value.
    private mutating func append(_ byte: UInt8) {
        words.0 = words.0 << 8 | words.1 >> 56
        words.1 = words.1 << 8 | words.2 >> 56
        words.2 = words.2 << 8 | words.3 >> 56
        words.3 = words.3 << 8 | UInt64(byte)
    }

    package var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(Digest.byteCount)
        for word in [words.0, words.1, words.2, words.3] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                result.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return result
    }

    package var hex: String { Hex.string(bytes) }

    package var base64: String { Base64.string(bytes) }

    package static func == (left: Digest, right: Digest) -> Bool {
        // Without a branch, in constant time: digests of secrets are compared too.
        (left.words.0 ^ right.words.0) | (left.words.1 ^ right.words.1)
            | (left.words.2 ^ right.words.2) | (left.words.3 ^ right.words.3) == 0
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}

extension Digest {
    /// Returns the digest of an array of bytes.
    package static func sha256(_ bytes: [UInt8]) -> Digest? {
        var digest = SHA256()
        digest.update(bytes)
        return digest.finish()
    }
}

extension Digest: CustomStringConvertible {
    package var description: String { hex }
}

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
