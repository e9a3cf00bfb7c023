import Foundation
import TestSupport
import Testing

/// Goal: each key does what the page about the terminal says of it. Method: samples on a terminal of the test's own, small
/// enough that they must be scrolled.
@Suite(.serialized, .timeLimit(.minutes(20))) struct `A key, pressed at a widget,` {
    private static let arrows = (up: "\u{1B}[A", down: "\u{1B}[B", right: "\u{1B}[C", left: "\u{1B}[D")

    private static func terminal(_ name: String, rows: UInt16 = 24) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(
            ["run", "\(Corpus.repositoryRoot)/Bundles/\(name)"], environment: ["NO_COLOR": "1"])
        if rows != 24 {
            terminal.resize(columns: 80, rows: rows)
        }
        return terminal
    }

    private static func end(_ terminal: PseudoTerminal) {
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `goes round, from the first to the last and back`() throws {
        let terminal = try Self.terminal("HarbourLog")
        #expect(terminal.waits(for: "more lines"))
        terminal.type("\u{1B}[Z")
        #expect(terminal.waits(for: "Clear to the horizon"), "before the first comes the last")
        terminal.type("\t")
        #expect(terminal.waits(for: "Fog, and nothing else"), "after the last comes the first")
        Self.end(terminal)
    }

    @Test func `turns pages, and goes to the beginning and the end`() throws {
        let terminal = try Self.terminal("HarbourLog", rows: 10)
        #expect(terminal.waits(for: "more lines"))
        terminal.type("\t\u{1B}[6~")
        #expect(terminal.waits(for: "Lamp changed"))
        terminal.type("\u{1B}[5~")
        #expect(terminal.waits(for: "Harbour Log"))
        terminal.type("\u{1B}[F")
        #expect(terminal.waits(for: "Clear to the horizon"))
        terminal.type("\u{1B}[H")
        #expect(terminal.waits(for: "Harbour Log"))
        Self.end(terminal)
    }

    @Test func `erases what was typed, letter by letter and at once`() throws {
        let terminal = try Self.terminal("HarbourLog")
        #expect(terminal.waits(for: ">( Search the log )"))
        terminal.type("fogs")
        #expect(terminal.waits(for: "( fogs )"))
        terminal.type("\u{7F}")
        #expect(terminal.waits(for: "( fog )"))
        terminal.type("\u{15}")
        #expect(terminal.waits(for: "( Search the log )"))
        Self.end(terminal)
    }

    @Test func `deletes, opens and asks again, and says where that cannot be`() throws {
        let terminal = try Self.terminal("HarbourLog")
        #expect(terminal.waits(for: "Fog, and nothing else"))
        terminal.type("\t\u{7F}")
        #expect(terminal.waits(for: "only own records can be deleted here"))
        terminal.type("\r")
        #expect(terminal.waits(for: "(Back)"))
        terminal.type("\u{12}")
        #expect(terminal.waits(for: "nothing here can be refreshed"))
        Self.end(terminal)
    }

    @Test func `changes what goes up and down, and has a file chosen`() throws {
        let terminal = try PseudoTerminal(
            ["run", "\(Corpus.repositoryRoot)/Bundles/Herbarium", "--screen", "AddViewController"],
            environment: ["NO_COLOR": "1"])
        #expect(terminal.waits(for: "3 leaves"))
        terminal.type("\t\t\(Self.arrows.right)")
        #expect(terminal.waits(for: "4 leaves"))
        terminal.type(Self.arrows.left + Self.arrows.left)
        #expect(terminal.waits(for: "2 leaves"))
        terminal.type("\t\r")
        #expect(terminal.waits(for: "by its path: _"))
        terminal.type("/nothing.png\r")
        #expect(terminal.waits(for: "/nothing.png"))
        terminal.type("\r\(Corpus.repositoryRoot)/Bundles/HarbourLog/gull.png\r")
        #expect(terminal.waits(for: "[gull.png]"))
        Self.end(terminal)
    }

    @Test func `chooses among the titles of a picker`() throws {
        let folder = try Folder()
        for name in try FileManager.default.contentsOfDirectory(atPath: "\(Corpus.repositoryRoot)/Bundles/Herbarium") {
            try FileManager.default.copyItem(
                atPath: "\(Corpus.repositoryRoot)/Bundles/Herbarium/\(name)", toPath: folder.path(name))
        }
        let stepper = #"<stepper contentMode="scaleToFill" minimumValue="1" maximumValue="9" value="3" stepValue="1" "#
        let storyboard = String(decoding: try folder.bytes("Main.storyboard"), as: UTF8.self)
        try #require(storyboard.contains(stepper))
        try folder.write(
            "Main.storyboard",
            Array(
                storyboard.replacingOccurrences(of: stepper, with: #"<pickerView contentMode="scaleToFill" "#)
                    .replacingOccurrences(of: "</stepper>", with: "</pickerView>").utf8))
        let scheme = String(decoding: try folder.bytes("AddViewController.json"), as: UTF8.self)
        let titled = scheme.replacingOccurrences(
            of: #""elements": {"# + "\n            \"",
            with: #""elements": {"leafStepper": {"attrs": {"titles": ["oak", "elm", "ash"]}}, "# + "\"")
        try #require(titled != scheme)
        try folder.write("AddViewController.json", Array(titled.utf8))
        let terminal = try PseudoTerminal(
            ["run", folder.url.path, "--screen", "AddViewController"], environment: ["NO_COLOR": "1"])
        #expect(terminal.waits(for: "<oak>"))
        terminal.type("\t\t")
        #expect(terminal.waits(for: "left right change"))
        terminal.type(Self.arrows.right)
        #expect(terminal.waits(for: "<elm>"))
        terminal.type(Self.arrows.right + Self.arrows.right)
        #expect(terminal.waits(for: "<ash>"), "behind the last is nothing")
        terminal.type(Self.arrows.left)
        #expect(terminal.waits(for: "<elm>"))
        Self.end(terminal)
    }
}
