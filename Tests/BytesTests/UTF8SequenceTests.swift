import Bytes
import Testing

@Suite struct `A UTF-8 sequence` {
    @Test func `is read back for every scalar there is`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) else { continue }
            let bytes = Array(encoded)
            if UTF8Sequence(at: 0, in: bytes.span) != .scalar(value, byteCount: bytes.count) {
                Issue.record("U+\(String(value, radix: 16))")
            }
        }
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
            [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xC3, 0x28], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28],
            [0xF0, 0x9F, 0x98, 0x28],
        ] as [[UInt8]])
    func `is invalid when it is overlong, a surrogate, too large or interrupted`(_ bytes: [UInt8]) {
        #expect(UTF8Sequence(at: 0, in: bytes.span) == .invalid)
    }

    @Test(arguments: [[], [0xC3], [0xE2], [0xE2, 0x82], [0xF0], [0xF0, 0x9F], [0xF0, 0x9F, 0x98]] as [[UInt8]])
    func `is truncated when what is there could go on`(_ bytes: [UInt8]) {
        #expect(UTF8Sequence(at: 0, in: bytes.span) == .truncated)
    }
}
