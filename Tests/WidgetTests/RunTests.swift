import Foundation
import Glibc
import TestSupport
import Testing

/// Goal: a widget in a terminal is moved about in, touched and left by keys, and the terminal is as before however it
/// ends. Method: the built program on a terminal of the test's own.
@Suite(.serialized, .timeLimit(.minutes(20))) struct `widget run, on a terminal` {
    private static var sample: String { "\(Corpus.repositoryRoot)/Bundles/HarbourLog" }

    @Test func `draws the widget, follows keys, and leaves the terminal as it was`() throws {
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
    func `gives the terminal back when a signal ends it`(number: Int32) throws {
        let terminal = try PseudoTerminal(["run", Self.sample])
        #expect(terminal.waits(for: "Fog, and nothing else") && terminal.isRaw)
        terminal.signal(number)
        #expect(terminal.end() == .signalled(number))
        #expect(!terminal.isRaw && terminal.shown.hasSuffix("\u{1B}[?1049l"))
    }

    @Test func `draws anew when the terminal has another size`() throws {
        let terminal = try PseudoTerminal(["run", Self.sample])
        #expect(terminal.waits(for: "more lines"))
        terminal.resize(columns: 40, rows: 60)
        terminal.signal(SIGWINCH)
        #expect(terminal.waits(for: "Clear to the horizon"))
        terminal.type("q\u{3}")
        _ = terminal.end()
    }

    @Test func `shows what is wrong with a change, runs on, and takes over the next one`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "widget-run-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.copyItem(atPath: Self.sample, toPath: folder.path)
        let storyboard = folder.appending(path: "Main.storyboard")
        let whole = try String(contentsOf: storyboard, encoding: .utf8)
        let terminal = try PseudoTerminal(["run", folder.path])
        #expect(terminal.waits(for: "Fog, and nothing else"))
        try "<document".write(to: storyboard, atomically: true, encoding: .utf8)
        #expect(terminal.waits(for: "! Main.storyboard:1:"))
        try whole.replacing("title=\"Harbour Log\"", with: "title=\"Another Log\"")
            .write(to: storyboard, atomically: true, encoding: .utf8)
        #expect(terminal.waits(for: "[ Another Log ]") && terminal.shown.contains("revision 2"))
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `uses no colours where they are not wanted, and shows what is about to be touched all the same`() throws
    {
        let terminal = try PseudoTerminal(["run", Self.sample], environment: ["NO_COLOR": "1"])
        #expect(terminal.waits(for: ">( Search the log )"))
        #expect(!terminal.shown.contains("\u{1B}[7m") && !terminal.shown.contains("\u{1B}[36m"))
        terminal.type("\u{3}")
        _ = terminal.end()
    }

    @Test func `is spoken to line by line where there is no terminal`() throws {
        let result = try Program.run(["run", Self.sample])
        #expect(result.exitCode == 0 && result.output.contains("-- revision 1"))
        #expect(!result.output.contains("\u{1B}"))
    }
}
