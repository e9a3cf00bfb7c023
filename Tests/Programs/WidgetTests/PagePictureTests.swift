import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

/// Goal: a picture is there as a whole or not at all, and however a browser fails, nothing else stays behind. Method:
/// programs that are no browsers; `Tests/Browser` draws with a real one.
@Suite(.callingThreads) struct `widget render, as pictures,` {
    private static let sample = "\(SampleSources.folder)/HarbourLog"

    private static func render(
        _ arguments: [String], _ environment: [String: String] = [:], in folder: Folder, isStarted: Bool = false
    ) throws -> BuiltProgram.Result {
        try FileManager.default.createDirectory(
            atPath: folder.path("temporary"), withIntermediateDirectories: true)
        let variables = ["TMPDIR": folder.path("temporary")].merging(environment) { $1 }
        let words =
            ["render", sample, "--clock", "2018-06-20T20:00:00Z"] + (arguments.contains("--as") ? [] : ["--as", "png"])
            + arguments
        return isStarted
            ? try Program.built.run(words, environment: variables, in: folder.url)
            : try Program.run(words, environment: variables, in: folder.url)
    }

    /// A program that is started as a browser, and follows a shell's script.
    private static func browser(_ script: String, in folder: Folder) throws -> String {
        let path = folder.path("browser")
        try ExecutableFile.write("#!/bin/sh\n\(script)\n", to: path)
        return path
    }

    private static func isClean(_ folder: Folder) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("temporary")).isEmpty
    }

    @Test func `Without a browser, the error says what to install`() throws {
        let folder = try Folder()
        let result = try Self.render(
            ["-o", "page.png"], ["PATH": folder.path("none"), "WIDGET_BROWSER": ""], in: folder)
        #expect(
            result.error.hasPrefix("error: no Chromium is found") && result.error.contains("apt-get install chromium"))
        #expect(result.exitCode == 1 && result.output.isEmpty)
        #expect(try folder.names == ["temporary"] && Self.isClean(folder))
    }

    private static let failures = [
        ("exit 1", "its exit code is 1"), ("echo no display >&2; exit 3", "\n  no display\n"),
        (
            "printf 'nonsense\\0' >&4; while read -r _; do :; done <&3",
            "does not answer as a Chromium: a message is not JSON"
        ),
        (#"printf '{"id": 1, "error": {"message": "not today"}}\0' >&4; while read -r _; do :; done <&3"#, "not today"),
        (#"printf '{"id": 1, "result": {}}\0' >&4; while read -r _; do :; done <&3"#, "has no targetId"),
        ("exec 3<&- 4>&-; exec sleep 1000", "has closed its channel"),
        ("for place in $HOME $TMPDIR; do : >$place/kept; done; kill -9 $$", "it got the signal 9"),
    ]
    /// One picture, or several, and the variable that names the browser: a failure is the same for each.
    private static let ways = [["-o", "page.png"], ["-o", "pages", "--screens"], []]

    @Test(arguments: failures.indices)
    func `A browser that fails is an error, and leaves nothing`(number: Int) throws {
        let folder = try Folder()
        let (script, error) = Self.failures[number]
        let path = try Self.browser(script, in: folder)
        let way = Self.ways[number % Self.ways.count]
        let result =
            way.isEmpty
            ? try Self.render([], ["WIDGET_BROWSER": path], in: folder)
            : try Self.render(way + ["--browser", path], in: folder)
        #expect(result.error.contains(error) && result.exitCode == 1 && result.output.isEmpty, "\(result.error)")
        #expect(try folder.names == ["browser", "temporary"] && Self.isClean(folder))
    }

    @Test func `An interrupted run clears up before it ends`() throws {
        let folder = try Folder()
        // The browser interrupts the program that has started it.
        let path = try Self.browser("kill -INT $PPID; exec sleep 1000", in: folder)
        let result = try Self.render(["-o", "page.png", "--browser", path], in: folder, isStarted: true)
        #expect(result.exitCode != 0 && result.output.isEmpty && result.error.isEmpty, "\(result.error)")
        #expect(try folder.names == ["browser", "temporary"] && Self.isClean(folder))
    }

    @Test func `A file that is not a picture is replaced with --force alone, and before a browser is started`() throws {
        let folder = try Folder()
        let path = try Self.browser("touch \(folder.path("started")); exit 1", in: folder)
        try folder.write("notes.txt", Array("mine".utf8))
        try folder.write("pages/notes.txt", Array("mine".utf8))
        for arguments in [["-o", "notes.txt"], ["-o", "pages", "--screens"]] {
            let result = try Self.render(arguments + ["--browser", path], in: folder)
            #expect(result.error.contains("--force") && result.exitCode == 1, "\(result.error)")
            #expect(!FileManager.default.fileExists(atPath: folder.path("started")))
        }
        _ = try Self.render(["-o", "notes.txt", "--force", "--browser", path], in: folder)
        #expect(FileManager.default.fileExists(atPath: folder.path("started")))
        #expect(try folder.bytes("notes.txt") == Array("mine".utf8))
    }

    @Test(arguments: [
        (["--viewport", "10000x10000"], "is too large"), (["--explain"], "--explain is not part of a page"),
        (["--screens"], "--screens makes several pages"), (["--browser", "none/chromium"], "where no program is"),
        (["--as", "html", "--browser", "/bin/true"], "--browser is for pictures"),
    ]) func `What no picture can have is misuse`(arguments: [String], error: String) throws {
        let result = try Self.render(arguments, in: try Folder())
        #expect(result.error.contains(error) && result.exitCode == 2 && result.output.isEmpty, "\(result.error)")
    }
}
