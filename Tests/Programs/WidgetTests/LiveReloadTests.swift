import CommandSupport
import Foundation
import Glibc
import Testing
import WidgetSurroundings
import WidgetTestSupport

/// Goal: an author sees each save of a document, and never loses what was seen. Method: the program in this process on a
/// terminal, and the ways in which editors and programs write.
@Suite(.serialized, .callingThreads) struct `widget run, on a document,` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private static let name = "Main.widgets.json"

    private static func document(_ text: String) -> String {
        #"[{"kind": "label", "payload": {"text": "\#(text)"}}, {"kind": "textfield", "id": "field"}]"#
    }

    private func write(_ text: String, to file: String = name) throws {
        try Data(text.utf8).write(to: URL(filePath: folder.path(file)), options: .atomic)
    }

    private func run(_ subject: String, _ options: String..., by clock: ManualClock? = nil) throws -> CalledTerminal {
        try CalledTerminal(["run", folder.path(subject)] + options, environment: ["NO_COLOR": "1"], clock: clock)
    }

    private func bundle() throws {
        let manifest = """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Note</string>
            <key>CFBundleShortVersionString</key><string>1.0</string><key>CFBundleVersion</key><string>1</string>
            <key>WidgetDocument</key><string>Main.widgets.json</string></dict></plist>
            """
        try folder.write("Note.bundle/Info.plist", Array(manifest.utf8))
    }

    @Test(arguments: [true, false])
    func `A run waits for a document that is not there, says so, and begins when it is there`(isPlain: Bool) throws {
        let terminal = try isPlain ? run(Self.name, "--plain") : run(Self.name)
        #expect(terminal.waits(for: "waiting: \(folder.path(Self.name)) is not there"))
        // A part of it comes first.
        try write(#"[{"kind": "lab"#)
        #expect(terminal.waits(for: "\(Self.name):1:15: "))
        try write(Self.document("Here it is"))
        #expect(terminal.waits(for: "Here it is") && terminal.shown.contains("revision 1 ·"))
        terminal.type(isPlain ? "quit\n" : "\u{3}")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `A run waits for the first document of a bundle's folder`() throws {
        try bundle()
        let terminal = try run("Note.bundle")
        #expect(terminal.waits(for: "waiting: \(folder.path("Note.bundle"))/\(Self.name) is not there"))
        try write(Self.document("Here it is"), to: "Note.bundle/\(Self.name)")
        #expect(terminal.waits(for: "Here it is"))
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `A script waits for nothing, and neither does a picture of a document`() throws {
        try write("[]", to: "script.json")
        for arguments in [["run", Self.name, "--events", "script.json"], ["render", Self.name]] {
            let result = try Program.run(arguments, in: folder.url)
            #expect(result.exitCode == 1 && !result.output.contains("waiting"), "\(result)")
        }
    }

    @Test func `A document that cannot be read leaves the last good one, with typed texts, and shows why`() throws {
        try bundle()
        let file = "Note.bundle/\(Self.name)"
        try write(Self.document("First"), to: file)
        let terminal = try run("Note.bundle")
        #expect(terminal.waits(for: "First"))
        terminal.type("typed")
        #expect(terminal.waits(for: "typed"))
        // The path of the file may be longer than a line, and is broken then.
        for (number, (broken, reason)) in [
            (#"[{"kind""#, "early"), (#"{"no": "scene"}"#, "neither"), ("", "empty"),
        ].enumerated() {
            try write(broken, to: file)
            #expect(terminal.waits(for: "revision 1 (attempt \(number + 2))"), "\(broken)")
            #expect(terminal.shown.contains(reason), "\(broken)")
        }
        try write(Self.document("Second"), to: file)
        #expect(terminal.waits(for: "Second") && terminal.shown.contains("revision 2 (attempt 5)"))
        // The whole screen is drawn anew.
        terminal.type("\u{C}")
        #expect(terminal.waits(for: "[ typed ]"))
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `A document that is deleted is named, and the last one continues until it is back`() throws {
        try bundle()
        let file = "Note.bundle/\(Self.name)"
        try write(Self.document("First"), to: file)
        let terminal = try run("Note.bundle")
        #expect(terminal.waits(for: "First"))
        for number in 2..<4 {
            try FileManager.default.removeItem(atPath: folder.path(file))
            #expect(terminal.waits(for: "\(Self.name) was removed; the last version continues to run"))
            try write(Self.document("Back \(number)"), to: file)
            #expect(terminal.waits(for: "Back \(number)"))
        }
        #expect(!terminal.shown.contains("storyboard") && !terminal.shown.contains("has no document"))
        try FileManager.default.removeItem(atPath: folder.path("Note.bundle"))
        #expect(terminal.waits(for: "the last version"))
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
    }

    /// The ways in which editors and programs write a file.
    private enum Editor: String, CaseIterable, Sendable {
        case over, into, anew, vim, pieces
    }

    private func save(_ text: String, as editor: Editor) throws {
        let path = folder.path(Self.name)
        switch editor {
        case .over: try write(text)
        case .into: try Data(text.utf8).write(to: URL(filePath: path))
        case .anew:
            try FileManager.default.removeItem(atPath: path)
            try Data(text.utf8).write(to: URL(filePath: path))
        case .vim:
            try Data("b0VIM".utf8).write(to: URL(filePath: folder.path(".\(Self.name).swp")))
            try FileManager.default.moveItem(atPath: path, toPath: "\(path)~")
            try Data(text.utf8).write(to: URL(filePath: path))
            try FileManager.default.removeItem(atPath: "\(path)~")
            try FileManager.default.removeItem(atPath: folder.path(".\(Self.name).swp"))
        case .pieces:
            let bytes = Data(text.utf8)
            let file = try FileHandle(forWritingTo: URL(filePath: path))
            try file.truncate(atOffset: 0)
            for start in stride(from: 0, to: bytes.count, by: 16) {
                try file.write(contentsOf: bytes[start..<min(start + 16, bytes.count)])
            }
            try file.close()
        }
    }

    @Test(arguments: Editor.allCases)
    private func `Each way of saving a document is seen`(editor: Editor) throws {
        try write(Self.document("Version 0"))
        let terminal = try run(Self.name)
        #expect(terminal.waits(for: "Version 0"))
        for number in 1..<4 {
            try save(Self.document("Version \(number)"), as: editor)
            #expect(terminal.waits(for: "Version \(number)"), "\(terminal.shown.suffix(500))")
        }
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `A document that uses the cache only since it was saved shows what other widgets store`() throws {
        func cached(_ action: String) -> String {
            #"""
            {"schema": 1, "groups": ["group.com.acme"], "cache": {"latest": "nothing yet"}, "root": [
              {"kind": "label", "payload": {"text": "$cache.latest"}},
              {"kind": "button", "payload": {"text": "Store"}, "on": {"tap": [\#(action)]}}]}
            """#
        }
        try write(Self.document("Without"))
        let terminal = try run(Self.name, "--store", folder.path("store"))
        #expect(terminal.waits(for: "Without"))
        try write(cached(""))
        #expect(terminal.waits(for: "nothing yet"))
        try write(cached(#"{"do": "cache", "key": "latest", "to": "from the other"}"#), to: "Other.widgets.json")
        try write(#"[{"tap": "Store"}]"#, to: "tap.json")
        let other = try Program.run(
            [
                "run", "Other.widgets.json", "--store", "store", "--events",
                "tap.json",
            ],
            in: folder.url)
        #expect(other.exitCode == 0, "\(other.error)")
        #expect(terminal.waits(for: "from the other"))
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `A writer that never stops does not keep the newest document from the screen`() async throws {
        try write(Self.document("Version 0"))
        let clock = ManualClock()
        let terminal = try run(Self.name, by: clock)
        #expect(terminal.waits(for: "Version 0") && terminal.rests())
        // Between two writes less time passes than the quiet for which the watch waits.
        for number in 1..<50 {
            try write(Self.document("Version \(number)"))
            await terminal.notices(clock, after: .milliseconds(40))
        }
        #expect(terminal.shows { $0.contains("revision 3 ·") })
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `A file beside a bundle's own changes nothing, and makes no revision`() async throws {
        try bundle()
        let file = "Note.bundle/\(Self.name)"
        try write(Self.document("First"), to: file)
        let clock = ManualClock()
        let terminal = try run("Note.bundle", by: clock)
        #expect(terminal.waits(for: "First") && terminal.rests())
        try write("b0VIM", to: "Note.bundle/.DS_Store")
        await terminal.notices(clock)
        #expect(!terminal.shown.contains("revision 2"))
        try write(Self.document("Second"), to: file)
        #expect(await terminal.waits(for: "Second", while: clock) && terminal.shown.contains("revision 2 ·"))
        terminal.type("\u{3}")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `A run by lines takes over the last good document, and says why a later one was refused`() throws {
        try write(Self.document("First"))
        let terminal = try run(Self.name, "--plain")
        #expect(terminal.waits(for: "-- revision 1 · "))
        try write(Self.document("Second"))
        // Long enough to be taken over, which only a line shows.
        usleep(6_000_000)
        try write("[")
        let end = ContinuousClock.now + .seconds(60)
        repeat {
            terminal.type("wait 0\n")
            guard terminal.waits(for: "-- revision ") else { break }
            usleep(50_000)
        } while !terminal.shown.contains("(attempt 3)") && ContinuousClock.now < end
        #expect(terminal.shown.contains("Second") && terminal.shown.contains("-- revision 2 (attempt 3) · "))
        #expect(terminal.shown.contains("\(Self.name):1:2: "))
        terminal.type("quit\n")
        #expect(terminal.end() == .exited(0))
    }

    @Test func `A document by itself is rendered, and is not published`() throws {
        try write(Self.document("By itself"), to: "My note.widgets.json")
        let shown = try Program.run(
            ["render", "My note.widgets.json", "--development", "--as", "json"], in: folder.url)
        #expect(shown.exitCode == 0 && shown.output.contains("By itself"), "\(shown.error)")
        #expect(shown.output.contains(#""attempt":1"#) && shown.output.contains(#""revision":1"#))
        let page = try Program.run(["render", "My note.widgets.json", "--development", "--as", "html"], in: folder.url)
        #expect(page.output.contains(#"data-revision="1""#) && page.output.contains(#"data-attempt="1""#))
        let usual = try Program.run(["render", "My note.widgets.json", "--as", "html"], in: folder.url)
        #expect(!usual.output.contains("data-revision"))
        let published = try Program.run(
            ["publish", "My note.widgets.json", "--server", "http://127.0.0.1:9"], in: folder.url)
        #expect(published.exitCode != 0 && !published.error.contains("127.0.0.1"), "\(published.error)")
        try write(#"[{"kind": "lable"}]"#, to: "My note.widgets.json")
        let faulty = try Program.run(["render", "My note.widgets.json"], in: folder.url)
        #expect(faulty.error.contains("My note.widgets.json:1:11"), "\(faulty.error)")
    }
}
