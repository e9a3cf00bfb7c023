internal import CWasm

/// SHA-256 (FIPS 180-4), computed while bytes pass by.
package struct SHA256: ~Copyable {
    private var state: InlineArray<8, UInt32> = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]
    private var block = InlineArray<64, UInt8>(repeating: 0)
    private var byteCount: UInt64 = 0

    package init() {}

    /// A copy of the state, to be continued separately.
    package borrowing func copy() -> SHA256 {
        var other = SHA256()
        (other.state, other.block, other.byteCount) = (state, block, byteCount)
        return other
    }

    package mutating func update(_ bytes: borrowing Span<UInt8>) {
        var place = 0
        // What fills a block that has begun, and what is left after the whole blocks, goes through the block.
        while place < bytes.count {
            let filled = Int(byteCount & 63)
            if filled == 0, bytes.count - place >= 64 {
                let count = (bytes.count - place) / 64
                compress(bytes.extracting(place..<place + count * 64), count)
                byteCount &+= UInt64(count * 64)
                place += count * 64
            } else {
                block[filled] = bytes[place]
                byteCount &+= 1
                place += 1
                if filled == 63 {
                    let whole = block
                    compress(whole.span, 1)
                }
            }
        }
    }

    package mutating func update(_ bytes: [UInt8]) {
        update(bytes.span)
    }

    /// The digest of everything that passed. It is never `nil` here; a library that computes it elsewhere may fail.
    package consuming func finish() -> Digest? {
        let bitCount = byteCount &* 8
        var padding: [UInt8] = [0x80]
        while (byteCount &+ UInt64(padding.count)) & 63 != 56 { padding.append(0) }
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            padding.append(UInt8(truncatingIfNeeded: bitCount >> shift))
        }
        update(padding)
        var bytes: [UInt8] = []
        for index in state.indices {
            for shift in stride(from: UInt32(24), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: state[index] >> shift))
            }
        }
        return Digest(bytes: bytes.span)
    }

    /// - blocks: the number of blocks, which the bytes have.
    private mutating func compress(_ bytes: borrowing Span<UInt8>, _ blocks: Int) {
        var words = state
        var span = words.mutableSpan
        unsafe span.withUnsafeMutableBufferPointer { state in
            unsafe bytes.withUnsafeBufferPointer { unsafe engine_sha256(state.baseAddress, $0.baseAddress, blocks) }
        }
        state = words
    }
}

/// SHA-256 of a long sequence of bytes. Here it is computed at once: there is one thread.
package final class QueuedSHA256 {
    private var sha = SHA256()

    package init() {}

    package func update(_ bytes: [UInt8]) { sha.update(bytes) }

    package func update(copying bytes: borrowing Span<UInt8>) { sha.update(bytes) }

    /// Starts again from the state of `other`.
    package func restart(with other: consuming SHA256) { sha = other }

    package var value: Digest? { sha.copy().finish() }
}
