import CommandSupport
import Foundation
import Testing
import WidgetHosting
import WidgetRunning
import WidgetSurroundings
import WidgetTestSupport

/// Goal: every act of a user can be given as a line of words. Method: the program in this process with `--plain`, on
/// a terminal that the test makes.
@Suite(.serialized, .callingThreads) struct `widget run, spoken to,` {
    private static var sample: String { "\(Corpus.repositoryRoot)/Bundles/HarbourLog" }

    private static func said(
        _ lines: [(String, String)], on path: String = sample, _ options: [String] = []
    ) throws {
        let terminal = try CalledTerminal(["run", path, "--plain"] + options, environment: ["NO_COLOR": "1"])
        #expect(terminal.waits(for: "-- revision 1 · 1 "))
        for (line, shown) in lines {
            terminal.type("\(line)\n")
            #expect(terminal.waits(for: shown), "\(line)\n\(terminal.shown.suffix(2_000))")
        }
        terminal.type("quit\n")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `widget run types, waits, selects and goes back by words, and prints the log`() throws {
        try Self.said([
            ("type searchBar gull", "( gull )"), ("wait 1", "[gull]  A gull took the biscuits"),
            ("select tableView 0", "(Back)"),
            ("back", "( gull )"), ("type searchBar", "( Search the log )"), ("submit searchBar", "Lamp changed"),
            ("refresh tableView", "Lamp changed"), ("log", "signal logSuccess"), ("help", "A number taps what has it."),
        ])
    }

    @Test func `widget run taps elements by number or name, and refuses unknown words`() throws {
        try Self.said([
            ("1", "(Cancel)"), ("tap Cancel", "Search the log"), ("2", "(Back)"), ("tap Back", "Search the log"),
            ("99", "99 is nothing that can be said here"),
            ("dance", "dance is nothing that can be said here"), ("wait long", "wait takes seconds"),
            ("select tableView", "select takes a list and a row"), ("tap nobody", "the screen has no nobody"),
            ("delete tableView 0", "only own records can be deleted here"),
            ("pick tableView /nothing.png", "nothing.png"),
        ])
    }

    @Test func `The buttons of the system are in the language of --locale`() throws {
        try Self.said(
            [
                ("1", "(Annuler)"), ("tap Annuler", "Search the log"), ("2", "(Retour)"),
                ("tap Retour", "Search the log"),
            ], on: Self.sample, ["--locale", "fr_CA"])
    }

    @Test func `widget run shows what a form refuses, and expects that where it is said`() throws {
        try Self.said(
            [
                ("tap sendButton", "the form was not sent: toField (To is required), messageView"),
                ("refused sendButton", "! To is required"), ("type toField Ada", "[ Ada ]"),
                ("type messageView Hello", "[ Hello ]"),
                ("refused sendButton", "it was not refused: the form was sent"),
            ], on: "\(Corpus.repositoryRoot)/Bundles/Postcard")
    }

    @Test func `widget run continues with a changed bundle from the next line on`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "widget-said-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.copyItem(atPath: Self.sample, toPath: folder.path)
        let storyboard = folder.appending(path: "Main.storyboard")
        let whole = try String(contentsOf: storyboard, encoding: .utf8)
        let clock = ManualClock()
        let terminal = try CalledTerminal(["run", folder.path, "--plain"], clock: clock)
        #expect(terminal.waits(for: "-- revision 1 · ") && terminal.shown.contains("[ Harbour Log ]"))
        #expect(terminal.rests())
        try whole.replacing("title=\"Harbour Log\"", with: "title=\"Another Log\"")
            .write(to: storyboard, atomically: true, encoding: .utf8)
        // Each line is answered with a screen, which is that of the next revision once its files were noticed.
        for _ in 0..<10_000 where !terminal.shown.contains("-- revision 2") {
            terminal.type("wait 0\n")
            guard await terminal.waits(for: "-- revision ", while: clock) else { break }
        }
        #expect(terminal.shown.contains("-- revision 2") && terminal.shown.contains("[ Another Log ]"))
        terminal.type("q\n")
        #expect(terminal.end() == .exited(0))
    }
}

/// Goal: the data in `--store` is only for the widget that saved it. Method: copies of a bundle at several places, and
/// two runs at once.
@Suite(.callingThreads) struct `A widget's store` {
    static func copy(to path: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: "\(Corpus.repositoryRoot)/Bundles/HarbourLog", toPath: path)
        return path
    }

    @Test func `A registry widget's store is refused to a file with the same identifier`() throws {
        let folder = try Folder()
        let own = try Self.copy(to: folder.path("own/HarbourLog"))
        let other = try Self.copy(to: folder.path("other/HarbourLog"))
        let store = ["--store", folder.path("kept")]
        #expect(try Program.run(["render", own] + store).exitCode == 0)
        #expect(try Program.run(["render", other] + store).exitCode == 0, "it was moved, or built again")
        let registry = StoreOrigin(registry: "https://widgets.example", bundle: "com.example.HarbourLog")
        try RecordStore(path: folder.path("kept/com.example.HarbourLog.sqlite")).claim(for: registry)
        let refused = try Program.run(["render", other] + store)
        #expect(refused.exitCode == 1 && refused.output.isEmpty)
        #expect(refused.error.contains("https://widgets.example") && refused.error.contains("hint: `--widget-id"))
        let identifier = "com.example.HarbourLog-2"
        #expect(try Program.run(["render", other, "--widget-id", identifier] + store).exitCode == 0)
        #expect(try Program.run(["render", other, "--adopt"] + store).exitCode == 0)
        #expect(try Program.run(["render", own] + store).exitCode == 0)
    }

    @Test func `A store belongs to one widget at a time, and errors name its file`() throws {
        let folder = try Folder()
        let bundle = try Self.copy(to: folder.path("HarbourLog"))
        let store = ["--store", folder.path("kept")]
        let terminal = try CalledTerminal(["run", bundle] + store)
        #expect(terminal.waits(for: "Fog, and nothing else"))
        let refused = try Program.run(["render", bundle] + store)
        #expect(refused.exitCode == 1 && refused.error.contains("is in use by process "))
        #expect(refused.error.contains("hint: `--store DIR`"))
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
        let file = try folder.write("kept/com.example.HarbourLog.sqlite", Array("no database at all".utf8))
        for name in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + name) }
        let damaged = try Program.run(["render", bundle] + store)
        #expect(damaged.exitCode == 1 && damaged.error.contains("move \(file) away"))
    }
}

/// Goal: a running widget shows times in the user's zone, and a recorded run shows the same on every
/// machine. Method: a widget that shows one moment in summer and one in winter.
@Suite(.callingThreads) struct `The zone of a widget's times` {
    private static let rule = "CET-1CEST,M3.5.0,M10.5.0/3"
    private static let utc = ["20 Jun, 04:10", "20 Dec, 04:10"]
    private static let vienna = ["20 Jun, 06:10", "20 Dec, 05:10"]
    private let folder: Folder

    init() throws {
        folder = try Folder()
        let source = "\(SampleSources.folder)/HarbourLog"
        try FileManager.default.copyItem(atPath: source, toPath: folder.path("Times"))
        let service = "Times/StubService.json"
        let text = String(decoding: try folder.bytes(service), as: UTF8.self)
            .replacing("\"format\": \"yyyy-MM-dd HH:mm\"", with: "\"format\": \"yyyy-MM-dd HH:mm Z\"")
            .replacing(/"time": "([^"]*)"/) { "\"time\": \"\($0.output.1) +0000\"" }
            .replacing("2018-06-20 01:35", with: "2018-12-20 04:10")
        try folder.write(service, Array(text.utf8))
        try folder.write("none.json", Array("[]".utf8))
    }

    private func shown(_ arguments: [String], zone: String?) throws -> String {
        let result = try Program.run(
            ["render", "Times"] + arguments, environment: zone.map { ["TZ": $0] } ?? [:], in: folder.url)
        #expect(result.exitCode == 0, "\(result.error)")
        return result.output
    }

    private func has(_ moments: [String], _ text: String) -> Bool { moments.allSatisfy { text.contains($0) } }

    @Test func `The zone is that of TZ, with summer time`() throws {
        #expect(has(Self.vienna, try shown([], zone: Self.rule)))
        #expect(has(Self.utc, try shown([], zone: "")))
        #expect(has(Self.utc, try shown([], zone: "UTC0")))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Vienna"), "needs tzdata"))
    func `A zone is found by its name`() throws {
        #expect(has(Self.vienna, try shown([], zone: "Europe/Vienna")))
        #expect(has(Self.vienna, try shown(["--time-zone", ":Europe/Vienna"], zone: "UTC")))
        #expect(has(Self.vienna, try shown([], zone: "/usr/share/zoneinfo/Europe/Vienna")))
    }

    @Test func `The zone is UTC for scripts and set clocks on every machine, unless one is named`() throws {
        for arguments in [["--events", "none.json"], ["--clock", "2019-01-01T00:00:00Z"]] {
            #expect(has(Self.utc, try shown(arguments, zone: Self.rule)), "\(arguments)")
            #expect(has(Self.vienna, try shown(arguments + ["--time-zone", Self.rule], zone: "UTC0")), "\(arguments)")
        }
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Vienna"), "needs tzdata"),
        arguments: [
            ("Europe/Viena", "Europe/Vienna"), ("viena", "Europe/Vienna"), ("new york", "America/New_York"),
            ("america/new_york", "America/New_York"),
        ])
    func `A misspelt zone is answered with the nearest one`(_ name: String, nearest: String) throws {
        let option = try Program.run(["render", "Times", "--time-zone", name], in: folder.url)
        #expect(option.exitCode == 2 && option.error.contains("\nhint: did you mean \(nearest)?\n"))
        let variable = try Program.run(["render", "Times"], environment: ["TZ": name], in: folder.url)
        #expect(variable.exitCode == 0 && variable.error.contains("\nhint: did you mean \(nearest)?\n"))
    }

    @Test(arguments: ["Europe/Viena", "../../etc/passwd", "/etc/passwd", "/usr/share", "CET-1CEST,M99"])
    func `An unknown zone is refused as an option, and causes a warning in TZ`(_ name: String) throws {
        let option = try Program.run(["render", "Times", "--time-zone", name], in: folder.url)
        #expect(option.exitCode == 2 && option.error.hasPrefix("error: --time-zone is \(name)\nhint: "))
        let variable = try Program.run(["render", "Times"], environment: ["TZ": name], in: folder.url)
        #expect(variable.exitCode == 0 && has(Self.utc, variable.output))
        #expect(variable.error.hasPrefix("error: TZ is \(name), and this machine has no such time zone\nhint: "))
    }
}
