import Bytes
import Testing

@Suite struct `Combining marks` {
    private static let acute = "\u{301}"

    private static func offset(_ text: String, limit: Int = CombiningMarks.mostInARow) -> Int? {
        CombiningMarks.offsetOfTooMany(in: text.utf8.span, limit: limit)
    }

    @Test func `are counted in a row, whichever they are`() {
        let most = "e" + String(repeating: "\u{301}\u{323}", count: CombiningMarks.mostInARow / 2)
        #expect(Self.offset(most) == nil)
        #expect(Self.offset(most + most) == nil)
        #expect(Self.offset(most + "\u{323}") == 1 + 2 * CombiningMarks.mostInARow)
        #expect(Self.offset("aä" + Array(repeating: Self.acute, count: 3).joined(), limit: 2) == 7)
        #expect(Self.offset("\u{1D165}\u{1D165}\u{1D165}", limit: 2) == 8, "notes of music have marks of four bytes")
    }

    @Test(arguments: ["a", "日", "ä", "😀", "\u{200D}", "\u{0}", "\u{FFFD}"])
    func `begin anew behind anything that is none`(between: String) {
        let text = Array(repeating: Self.acute + Self.acute, count: 50).joined(separator: between)
        #expect(Self.offset(text, limit: 2) == nil)
    }

    @Test func `are found among bytes that are no text`() {
        let marks = Array(String(repeating: Self.acute, count: 3).utf8)
        for other: [UInt8] in [[0xFF], [0xCC], [0xE2, 0x82], [0x80], [0xF4, 0x90, 0x80, 0x80]] {
            let broken = marks.prefix(4) + other + marks.prefix(4) + other
            #expect(CombiningMarks.offsetOfTooMany(in: Array(broken).span, limit: 2) == nil, "\(other)")
            #expect(CombiningMarks.offsetOfTooMany(in: (other + marks).span, limit: 2) == other.count + 4, "\(other)")
        }
    }
}
