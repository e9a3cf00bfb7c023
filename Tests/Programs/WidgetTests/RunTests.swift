import CommandSupport
import Foundation
import Glibc
import Testing
import WidgetTestSupport

/// Goal: keys move through a widget in a terminal, touch it and end it, and every end restores the terminal. Method:
/// the built program on a terminal that the test makes.
@Suite(.serialized, .callingThreads) struct `widget run, on a terminal` {
    private static var sample: String { "\(Corpus.repositoryRoot)/Bundles/HarbourLog" }

    @Test func `widget run draws the widget, follows keys, and leaves the terminal as it was`() throws {
        let terminal = try PseudoTerminal(["run", Self.sample])
        #expect(terminal.waits(for: "Fog, and nothing else"))
        #expect(terminal.isRaw)
        terminal.type("fog")
        #expect(terminal.waits(for: "( fog )"))
        terminal.type("\u{1B}[B\u{1B}[B\r")
        #expect(terminal.waits(for: "(Back)"))
        terminal.type("\u{1B}")
        #expect(terminal.waits(for: "( fog )"))
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
        #expect(!terminal.isRaw && terminal.shown.hasSuffix("\u{1B}[?1049l"))
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGTRAP])
    func `widget run restores the terminal when a signal ends it`(number: Int32) throws {
        let terminal = try PseudoTerminal(["run", Self.sample])
        #expect(terminal.waits(for: "Fog, and nothing else") && terminal.isRaw)
        terminal.signal(number)
        #expect(terminal.end() == .signalled(number))
        #expect(!terminal.isRaw && terminal.shown.hasSuffix("\u{1B}[?1049l"))
    }

    @Test func `widget run draws anew when the terminal has another size`() throws {
        let terminal = try PseudoTerminal(["run", Self.sample])
        #expect(terminal.waits(for: "more lines"))
        terminal.resize(columns: 40, rows: 60)
        terminal.signal(SIGWINCH)
        #expect(terminal.waits(for: "Clear to the horizon"))
        terminal.type("q\u{3}")
        _ = terminal.end()
    }

    @Test func `widget run shows the error of a change, runs on, and takes over the next change`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "run-\(UInt32.random(in: 0...(.max)))")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.copyItem(atPath: Self.sample, toPath: folder.path)
        let storyboard = folder.appending(path: "Main.storyboard")
        let whole = try String(contentsOf: storyboard, encoding: .utf8)
        let terminal = try CalledTerminal(["run", folder.path])
        #expect(terminal.waits(for: "Fog, and nothing else"))
        try "<document".write(to: storyboard, atomically: true, encoding: .utf8)
        #expect(terminal.waits(for: "\(folder.lastPathComponent)/Main.storyboard:1:"))
        try whole.replacing("title=\"Harbour Log\"", with: "title=\"Another Log\"")
            .write(to: storyboard, atomically: true, encoding: .utf8)
        #expect(terminal.waits(for: "[ Another Log ]") && terminal.shown.contains("revision 2"))
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `widget run without colours still shows the focused element`() throws {
        let terminal = try CalledTerminal(["run", Self.sample], environment: ["NO_COLOR": "1"])
        #expect(terminal.waits(for: ">( Search the log )"))
        #expect(!terminal.shown.contains("\u{1B}[7m") && !terminal.shown.contains("\u{1B}[36m"))
        terminal.type("\u{3}")
        _ = terminal.end()
    }

    @Test func `widget run reads lines without a terminal`() throws {
        let result = try Program.run(["run", Self.sample])
        #expect(result.exitCode == 0 && result.output.contains("-- revision 1"))
        #expect(!result.output.contains("\u{1B}"))
    }
}

/// Goal: each key works as documented. Method: samples on a terminal that the test makes, small enough that they must
/// be scrolled.
@Suite(.serialized, .callingThreads) struct `A key, pressed at a widget,` {
    private static let arrows = (up: "\u{1B}[A", down: "\u{1B}[B", right: "\u{1B}[C", left: "\u{1B}[D")

    private static func terminal(_ name: String, rows: Int = 24) throws -> CalledTerminal {
        let terminal = try CalledTerminal(
            ["run", "\(Corpus.repositoryRoot)/Bundles/\(name)"], environment: ["NO_COLOR": "1"])
        if rows != 24 {
            terminal.resize(columns: 80, rows: rows)
        }
        return terminal
    }

    private static func end(_ terminal: CalledTerminal) {
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `Tab moves from the last element to the first and back`() throws {
        let terminal = try Self.terminal("HarbourLog")
        #expect(terminal.waits(for: "more lines"))
        terminal.type("\u{1B}[Z")
        #expect(terminal.waits(for: "Clear to the horizon"), "before the first comes the last")
        terminal.type("\t")
        #expect(terminal.waits(for: "Fog, and nothing else"), "after the last comes the first")
        Self.end(terminal)
    }

    @Test func `Page keys turn pages, and home and end go to the first and last line`() throws {
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

    /// The last line of the widget is the last one that is seen: there is nothing left to scroll.
    @Test(arguments: ["\u{1B}[6~", Self.arrows.down]) func `At the last line, a page or a line further loads more`(
        key: String
    )
        throws
    {
        let terminal = try CalledTerminal(
            ["run", "\(Corpus.repositoryRoot)/Bundles/Herbarium"], environment: ["NO_COLOR": "1"])
        terminal.resize(columns: 80, rows: 12)
        #expect(terminal.waits(for: "13 more lines"))
        // Tab backwards is to the last element, and the end key to the last line.
        terminal.type("\u{1B}[Z\u{1B}[F")
        #expect(terminal.waits(for: "Fern"))
        #expect(terminal.rests() && !terminal.shown.contains("Sea holly"))
        terminal.type(key)
        #expect(terminal.waits(for: "Sea holly"))
        Self.end(terminal)
    }

    @Test func `Backspace erases a letter of typed text, and control-U all of it`() throws {
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

    @Test func `Keys delete, open and refresh, and a message says where that is impossible`() throws {
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

    @Test func `Arrow keys change a value, and enter asks for a file`() throws {
        let terminal = try CalledTerminal(
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

    @Test func `A form that is refused shows its messages, and the keys go to its first invalid field`() throws {
        let terminal = try Self.terminal("Postcard")
        #expect(terminal.waits(for: "(Post)"))
        terminal.type("\t\r")
        #expect(terminal.waits(for: "-- To is required, and 1 more · revision 1"))
        #expect(terminal.shown.contains(">[ <To>, invalid ]") && terminal.shown.contains("! To is required"))
        terminal.type("Ada")
        #expect(terminal.waits(for: ">[ Ada ]"))
        Self.end(terminal)
    }

    @Test func `The end of a chat is in sight at first, and again when a row comes, until its reader scrolls up`()
        throws
    {
        let folder = try Folder()
        let rows = (1...60).map { #"{"text": "Line \#($0)."}"# }.joined(separator: ",")
        let document = #"""
            {"schema": 1, "state": {"rows": [\#(rows)]}, "root": [
              {"kind": "table", "payload": {"keeps": "end"}, "items": {"in": "$rows", "as": "row"},
               "children": [{"kind": "cell", "payload": {"title": "$row.text"}}]},
              {"kind": "button", "payload": {"text": "Add"}, "on": {"tap": {"do": "append", "state": "rows", "with": {"text": "New line"}}}}]}
            """#
        try folder.write("Main.widgets.json", Array(document.utf8))
        let terminal = try CalledTerminal(["run", folder.path("Main.widgets.json")], environment: ["NO_COLOR": "1"])
        #expect(terminal.waits(for: "Line 60.") && !terminal.shown.contains("Line 1."))
        terminal.type("\r")
        #expect(terminal.waits(for: "New line") && !terminal.shown.contains("Line 1."))
        terminal.type("\u{1B}[H")
        #expect(terminal.waits(for: "Line 1."))
        Self.end(terminal)
    }

    @Test func `Arrow keys choose among the titles of a picker`() throws {
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
        let terminal = try CalledTerminal(
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
