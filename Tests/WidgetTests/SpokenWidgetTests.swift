import Foundation
import TestSupport
import Testing

/// Goal: whatever can be done to a widget can be said, a line at a time. Method: the built program on a terminal of the
/// test's own, told to use no keys.
@Suite(.serialized, .timeLimit(.minutes(20))) struct `widget run, spoken to,` {
    private static var sample: String { "\(Corpus.repositoryRoot)/Bundles/HarbourLog" }

    private static func said(_ lines: [(String, String)], on path: String = sample) throws {
        let terminal = try PseudoTerminal(["run", path, "--plain"], environment: ["NO_COLOR": "1"])
        #expect(terminal.waits(for: "-- revision 1 · 1 "))
        for (line, shown) in lines {
            terminal.type("\(line)\n")
            #expect(terminal.waits(for: shown), "\(line)\n\(terminal.shown.suffix(2_000))")
        }
        terminal.type("quit\n")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `types, waits, selects, goes back and tells what went on`() throws {
        try Self.said([
            ("type searchBar gull", "( gull )"), ("wait 1", "[gull]  A gull took the biscuits"),
            ("select tableView 0", "(Back)"),
            ("back", "( gull )"), ("type searchBar", "( Search the log )"), ("submit searchBar", "Lamp changed"),
            ("refresh tableView", "Lamp changed"), ("log", "signal logSuccess"), ("help", "A number taps what has it."),
        ])
    }

    @Test func `taps what has a number or a name, and says what cannot be said`() throws {
        try Self.said([
            ("1", "(Cancel)"), ("tap Cancel", "Search the log"), ("2", "(Back)"), ("tap Back", "Search the log"),
            ("99", "99 is nothing that can be said here"),
            ("dance", "dance is nothing that can be said here"), ("wait long", "wait takes seconds"),
            ("select tableView", "select takes a list and a row"), ("tap nobody", "the screen has no nobody"),
            ("delete tableView 0", "only own records can be deleted here"),
            ("pick tableView /nothing.png", "nothing.png"),
        ])
    }

    @Test func `goes on with what has changed, from the next line on`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "widget-said-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.copyItem(atPath: Self.sample, toPath: folder.path)
        let storyboard = folder.appending(path: "Main.storyboard")
        let whole = try String(contentsOf: storyboard, encoding: .utf8)
        let terminal = try PseudoTerminal(["run", folder.path, "--plain"])
        #expect(terminal.waits(for: "[ Harbour Log ]"))
        try whole.replacing("title=\"Harbour Log\"", with: "title=\"Another Log\"")
            .write(to: storyboard, atomically: true, encoding: .utf8)
        var isShown = false
        for _ in 0..<40 where !isShown {
            terminal.type("wait 0\n")
            isShown = terminal.waits(for: "-- revision ") && terminal.shown.contains("[ Another Log ]")
            if !isShown { usleep(100_000) }
        }
        #expect(isShown && terminal.shown.contains("-- revision 2"))
        terminal.type("q\n")
        #expect(terminal.end() == .exited(0))
    }
}
