import Testing
import WidgetBytes

@Suite struct `A UTF-8 sequence` {
    @Test func `A UTF-8 sequence is read back for every scalar there is`() {
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
    func `A UTF-8 sequence is invalid when it is overlong, a surrogate, too large or interrupted`(_ bytes: [UInt8]) {
        #expect(UTF8Sequence(at: 0, in: bytes.span) == .invalid)
    }

    @Test(arguments: [[], [0xC3], [0xE2], [0xE2, 0x82], [0xF0], [0xF0, 0x9F], [0xF0, 0x9F, 0x98]] as [[UInt8]])
    func `A UTF-8 sequence is truncated if more bytes could complete it`(_ bytes: [UInt8]) {
        #expect(UTF8Sequence(at: 0, in: bytes.span) == .truncated)
    }
}

@Suite struct `Combining marks` {
    private static let acute = "\u{301}"

    private static func offset(_ text: String, limit: Int = CombiningMarks.mostInARow) -> Int? {
        CombiningMarks.offsetOfTooMany(in: text.utf8.span, limit: limit)
    }

    @Test func `Combining marks are counted in a row, whichever they are`() {
        let most = "e" + String(repeating: "\u{301}\u{323}", count: CombiningMarks.mostInARow / 2)
        #expect(Self.offset(most) == nil)
        #expect(Self.offset(most + most) == nil)
        #expect(Self.offset(most + "\u{323}") == 1 + 2 * CombiningMarks.mostInARow)
        #expect(Self.offset("aä" + Array(repeating: Self.acute, count: 3).joined(), limit: 2) == 7)
        #expect(Self.offset("\u{1D165}\u{1D165}\u{1D165}", limit: 2) == 8, "notes of music have marks of four bytes")
    }

    @Test(arguments: ["a", "日", "ä", "😀", "\u{200D}", "\u{0}", "\u{FFFD}"])
    func `Combining marks are counted anew after any other character`(between: String) {
        let text = Array(repeating: Self.acute + Self.acute, count: 50).joined(separator: between)
        #expect(Self.offset(text, limit: 2) == nil)
    }

    @Test func `Combining marks are found among bytes that are not text`() {
        let marks = Array(String(repeating: Self.acute, count: 3).utf8)
        for other: [UInt8] in [[0xFF], [0xCC], [0xE2, 0x82], [0x80], [0xF4, 0x90, 0x80, 0x80]] {
            let broken = marks.prefix(4) + other + marks.prefix(4) + other
            #expect(CombiningMarks.offsetOfTooMany(in: Array(broken).span, limit: 2) == nil, "\(other)")
            #expect(CombiningMarks.offsetOfTooMany(in: (other + marks).span, limit: 2) == other.count + 4, "\(other)")
        }
    }
}

@Suite struct `The order of texts` {
    /// Each before the next.
    static let ordered = ["", "\0", "A", "AB", "B", "a", "a/", "a0", "e\u{301}", "é", "Ａ", "😀", "😀a"]

    @Test func `The order of texts is that of their bytes`() {
        for (left, first) in Self.ordered.enumerated() {
            for (right, second) in Self.ordered.enumerated() {
                #expect(first.byteOrder(second).signum() == (left - right).signum(), "\(first) and \(second)")
                #expect(first.hasBytes(of: second) == (left == right), "\(first) and \(second)")
            }
        }
    }

    @Test func `The order of texts distinguishes different spellings of one character`() {
        #expect("e\u{301}" == "\u{E9}")
        #expect(!"e\u{301}".hasBytes(of: "\u{E9}"))
    }
}
