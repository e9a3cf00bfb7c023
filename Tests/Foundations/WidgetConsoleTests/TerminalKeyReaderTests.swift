import Testing

@testable import WidgetConsole

/// Goal: keys are read as pressed, however a terminal sends them, and its bytes cannot do harm.
@Suite struct `Keys` {
    private func keys(_ text: String) -> [Key] {
        var reader = TerminalKeyReader()
        return reader.read(Array(text.utf8)) + reader.settle()
    }

    @Test(arguments: [
        ("a", [Key.character("a")]), ("é", [.character("é")]), ("漢", [.character("漢")]), ("😀", [.character("😀")]),
        ("\r", [.enter]), ("\t", [.tab]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]), ("\u{3}", [.control("c")]),
        ("\u{1B}", [.escape]), ("\u{1B}\u{1B}", [.escape, .escape]), ("\u{1B}[A", [.up]), ("\u{1B}OB", [.down]),
        ("\u{1B}[1;5C", [.right]), ("\u{1B}[D", [.left]), ("\u{1B}[Z", [.backTab]), ("\u{1B}[3~", [.delete]),
        ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("\u{1B}[H\u{1B}OF", [.home, .end]),
        ("\u{1B}[1~x", [.home, .character("x")]),
        ("\u{1B}[200~a\rb\u{1B}[31m\u{1B}[201~c", [.pasted("a\nb[31m"), .character("c")]),
    ]) func `Keys are recognised by their bytes, whole or in pieces`(text: String, expected: [Key]) {
        #expect(keys(text) == expected)
        var reader = TerminalKeyReader()
        var pieces: [Key] = []
        for byte in Array(text.utf8) { pieces += reader.read([byte]) }
        #expect(pieces + reader.settle() == expected, "in pieces")
    }

    @Test(arguments: [
        "\u{1B}[99~", "\u{1B}[?1;2c", "\u{1B}x", "\u{0}", "\u{1B}[\(String(repeating: "1;", count: 40))A",
    ]) func `Unknown key sequences are ignored`(text: String) {
        #expect(keys(text + "z") == [.character("z")])
        var reader = TerminalKeyReader()
        var pieces: [Key] = []
        for byte in Array((text + "z").utf8) { pieces += reader.read([byte]) }
        #expect(pieces + reader.settle() == [.character("z")], "in pieces")
    }

    @Test func `Bytes that are not a letter make no key`() {
        var reader = TerminalKeyReader()
        #expect(reader.read([0xC3, 0x41, 0xFF, 0xED, 0xA0, 0x80, 0xF5, 0x42]) == [.character("A"), .character("B")])
    }

    @Test func `A paste without end is cut at its limit`() {
        var reader = TerminalKeyReader()
        var keys = reader.read(Array("\u{1B}[200~".utf8))
        for _ in 0..<100 { keys += reader.read([UInt8](repeating: 0x61, count: 4_096)) }
        keys += reader.read(Array("\u{1B}[201~".utf8))
        #expect(keys == [.pasted(String(repeating: "a", count: 64 << 10))])
    }
}

/// Goal: lines that a terminal already shows are not written again.
@Suite struct `A drawn screen` {
    private let size = TerminalSize(columns: 20, rows: 3)

    @Test func `A drawn screen writes lines that have changed, and those alone`() {
        var screen = DrawnScreen()
        #expect(screen.update(to: ["a", "b"], size).hasSuffix("\u{1B}[1;1H\u{1B}[2Ka\u{1B}[2;1H\u{1B}[2Kb"))
        #expect(screen.update(to: ["a", "c"], size) == "\u{1B}[2;1H\u{1B}[2Kc")
        #expect(screen.update(to: ["a"], size) == "\u{1B}[2;1H\u{1B}[2K")
        #expect(screen.update(to: ["a"], size).isEmpty)
    }

    @Test func `A drawn screen is written anew for another size, and no line below the last`() {
        var screen = DrawnScreen()
        _ = screen.update(to: ["a"], size)
        let text = screen.update(to: ["a", "b", "c", "d"], TerminalSize(columns: 20, rows: 2))
        #expect(text.contains("[2J") && text.contains("[1;1H") && !text.contains("[3;1H"))
        screen.forget()
        #expect(screen.update(to: ["a"], size).contains("[2J"))
    }
}
