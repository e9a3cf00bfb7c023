import Predicates
import TestSupport
import Testing
import WidgetCore

@testable import WidgetRender

/// Goal: a text takes the room that a reader has for it. Method: texts longer than anybody reads.
@Suite struct `The flow of a text` {
    @Test(arguments: ["x", "ä", "漢", "👍🏽"]) func `ends with an ellipsis where nobody reads on`(letter: String) throws {
        let lines = TextFlow.lines(String(repeating: letter, count: 20_000), width: 40)
        let text = lines.joined()
        #expect(text.utf8.count <= (16 << 10) + 3)
        #expect(text.hasSuffix("…"))
        #expect(!text.contains("\u{FFFD}"))
        #expect(TextFlow.lines(String(repeating: letter, count: 100), width: 400).joined().count == 100)
    }

    /// Letters of one scalar go another way than letters of several.
    @Test func `is the same however its letters are written`() {
        var chance = SeededGenerator(seed: 0xF10)
        for _ in 0..<300 {
            let letters = (0..<Int.random(in: 0...120, using: &chance)).map { _ in
                ["e", "é", " ", "long", "\u{2026}", "\n", "  "].randomElement(using: &chance) ?? ""
            }
            let whole = letters.joined()
            let parted = letters.map { $0 == "é" ? "e\u{301}" : $0 }.joined()
            let width = Int.random(in: 2...40, using: &chance)
            #expect(TextFlow.lines(whole, width: width) == TextFlow.lines(parted, width: width), "\(whole), \(width)")
        }
    }

    @Test(arguments: ["\n", "\r\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"])
    func `begins a line where a line ends`(end: String) {
        #expect(TextFlow.lines("é\(end)\(end)漢\(end)", width: 10) == ["é", "", "漢", ""])
    }

    @Test func `is not broken at what only resembles the end of a line`() {
        #expect(TextFlow.lines("\u{2027}\u{84}x\u{86}…", width: 10) == ["\u{2027}x…"])
    }

    @Test(arguments: [("e", 16), ("e", 17), ("漢", 4_000)]) func `shows sixteen marks on a letter`(
        letter: String, count: Int
    ) {
        let marks = String(repeating: "\u{301}", count: count)
        let shown = TextFlow.lines("\(letter)\(marks)x \(letter)\u{302}", width: 40).joined()
        #expect(shown.unicodeScalars.filter { $0 == "\u{301}" }.count == min(count, 16))
        #expect(shown.hasSuffix("x \(letter)\u{302}"))
    }

    @Test func `gives each of many texts less, and those whose letters must be measured the least`() {
        func longest(_ letter: String, _ count: Int, length: Int = 20_000) -> Int {
            let texts = (0..<count).map { id in
                Text.node(.label, [(.text, .string(String(repeating: letter, count: length)))], id: id)
            }
            return TextFlow.longest(of: AccessibleNode(Text.view(texts).root))
        }
        #expect(longest("x", 4) == 16 << 10)
        #expect(longest("x", 100) == 8 << 10)
        #expect(longest("漢", 100) == 2 << 10)
        #expect(longest("x", 70_000, length: 20) == 16)
    }
}
