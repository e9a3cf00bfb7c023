import Testing

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
}
