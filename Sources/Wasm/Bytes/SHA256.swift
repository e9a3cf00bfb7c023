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
        var filled = Int(byteCount & 63)
        byteCount &+= UInt64(bytes.count)
        for index in bytes.indices {
            block[filled] = bytes[index]
            filled += 1
            if filled == 64 {
                compress()
                filled = 0
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

    private mutating func compress() {
        var words = InlineArray<64, UInt32>(repeating: 0)
        for index in 0..<16 {
            let at = index * 4
            words[index] =
                UInt32(block[at]) << 24 | UInt32(block[at + 1]) << 16 | UInt32(block[at + 2]) << 8
                | UInt32(block[at + 3])
        }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = early.turned(7) ^ early.turned(18) ^ early >> 3
            let second = late.turned(17) ^ late.turned(19) ^ late >> 10
            words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let choice = (e & f) ^ (~e & g)
            let first =
                h &+ (e.turned(6) ^ e.turned(11) ^ e.turned(25)) &+ choice &+ SHA256.constants[index]
                &+ words[index]
            let majority = (a & b) ^ (a & c) ^ (b & c)
            let second = (a.turned(2) ^ a.turned(13) ^ a.turned(22)) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    /// The fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}

extension UInt32 {
    /// With its bits moved to the right, and those that fall off put in at the left.
    fileprivate func turned(_ count: UInt32) -> UInt32 { self &>> count | self &<< (32 &- count) }
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
