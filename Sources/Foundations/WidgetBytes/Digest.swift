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
