import Testing
import WidgetBytes

@Suite struct `A text position` {
    @Test(arguments: [
        ("", 0, 1, 1), ("abc", 0, 1, 1), ("abc", 2, 1, 3), ("abc", 3, 1, 4), ("abc", 99, 1, 4), ("a\nb", 1, 1, 2),
        ("a\nb", 2, 2, 1), ("a\r\nb", 2, 1, 3), ("a\r\nb", 3, 2, 1), ("a\rb", 2, 2, 1), ("\r\r", 2, 3, 1),
        ("\n\n\n", 3, 4, 1), ("ä€😀x", 9, 1, 4), ("ä\n€x", 6, 2, 2), ("\r", 1, 2, 1), ("abc", -5, 1, 1),
    ])
    func `A text position counts lines and scalars from one`(_ text: String, _ offset: Int, _ line: Int, _ column: Int)
    {
        let bytes = Array(text.utf8)
        let expected = TextPosition(line: line, column: column)
        #expect(TextPosition(of: offset, in: bytes.span) == expected)
        #expect(LineTable(bytes).position(of: offset) == expected)
        #expect(expected.description == "line \(line), column \(column)")
    }

    @Test func `A text position is the same from a line table, everywhere in a long text`() {
        let bytes = Array(
            (0..<300).map { "line \($0) ä\($0 % 3 == 0 ? "\r\n" : $0 % 3 == 1 ? "\r" : "\n")" }.joined().utf8)
        let table = LineTable(bytes)
        #expect(table.count == 301)
        for offset in 0...bytes.count {
            #expect(table.position(of: offset) == TextPosition(of: offset, in: bytes.span))
        }
    }

    /// A text that takes minutes if each position costs its line.
    @Test func `A text position is found in one long line as fast as in many`() {
        let table = LineTable(Array(String(repeating: "ä", count: 500_000).utf8))
        for offset in stride(from: 0, through: 1_000_000, by: 20) {
            let position = table.position(of: offset)
            guard position.column == offset / 2 + 1, position.line == 1 else {
                Issue.record("\(offset) is \(position)")
                return
            }
        }
    }
}

@Suite struct `A value path` {
    @Test(
        arguments: [
            ([], ""), ([.key("objects"), .key("list"), .key("attrs")], "objects.list.attrs"), ([.index(0)], "[0]"),
            ([.key("a"), .index(2), .key("b")], "a[2].b"), ([.key("a b")], "[\"a b\"]"), ([.key("")], "[\"\"]"),
            ([.key("x"), .key("a.b"), .key("c")], "x[\"a.b\"].c"),
            ([.key("$objects"), .index(1), .key("CF$UID")], "$objects[1].CF$UID"),
            ([.key("quote\"back\\")], "[\"quote\\\"back\\\\\"]"), ([.key("\n\u{1B}[31m")], "[\"\\u{a}\\u{1b}[31m\"]"),
            ([.key("\u{202E}x")], "[\"\\u{202e}x\"]"), ([.key("ä")], "[\"ä\"]"),
        ] as [([ValuePath.Step], String)])
    func `A value path is shown on one line, harmlessly`(_ steps: [ValuePath.Step], _ expected: String) {
        #expect(ValuePath(steps).description == expected)
        #expect(ValuePath(steps).isRoot == steps.isEmpty)
    }

    @Test func `A value path cuts long keys short`() {
        let path = ValuePath().appending(key: String(repeating: "x", count: 1_000)).appending(index: 7)
        #expect(path.description == "[\"" + String(repeating: "x", count: 64) + "…\"][7]")
    }
}
