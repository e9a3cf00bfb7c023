import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

@Suite(.callingThreads) struct `widget` {
    @Test func `widget prints its version`() throws {
        let result = try Program.run(["--version"])
        #expect(result.output.wholeMatch(of: /widget \d+\.\d+\.\d+\n/) != nil)
        #expect(result.exitCode == 0)
    }

    @Test(arguments: [
        ["--help"], ["pack", "--help"], ["inspect", "-h"], ["structure", "--help"], ["predicate", "--help"],
        ["publish", "--help"], ["list", "--help"], ["show", "--help"], ["report", "--help"], ["diff", "--help"],
        ["promote", "--help"], ["rollback", "--help"], ["channel", "--help"],
        ["channel", "delete", "--help"], ["withdraw", "--help"], ["restore", "--help"],
        ["token", "--help"], ["token", "create", "--help"], ["token", "list", "--help"], ["token", "revoke", "--help"],
        ["new", "--help"], ["convert", "--help"], ["run", "--help"], ["host", "--help"], ["render", "--help"],
        ["build", "--help"],
        ["doctor", "--help"], ["fetch", "--help"], ["watch", "--help"], ["schema", "--help"],
        ["kinds", "--help"], ["links", "--help"], ["export", "--help"],
    ])
    func `widget prints help that fits a screen and has an example`(_ arguments: [String]) throws {
        let result = try Program.run(arguments)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        // Rendering has the options of all forms, and running those of pages. All commands have a line each.
        #expect(lines.count <= (["render": 48, "run": 46, "--help": 45][arguments[0]] ?? 40))
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(result.output.contains("example:\n  widget "))
        #expect(result.exitCode == 0)
    }

    @Test(arguments: [
        [], ["pak", "x"], ["pack"], ["inspect", "a", "b"], ["structure", "x", "--jsn"], ["new", "9"],
        ["new", "A", "--kind", "lists"],
        ["convert", "A.xib"], ["convert", "A.screens", "--to", "xib"], ["build"],
    ])
    func `widget answers misuse with an error, a hint and exit code 2`(_ arguments: [String]) throws {
        let result = try Program.run(arguments)
        #expect(result.error.wholeMatch(of: /error: [^\n]+\n(hint: [^\n]+\n)+/) != nil)
        #expect(result.output.isEmpty)
        #expect(result.exitCode == 2)
    }

    @Test func `widget schema lists the schemas, and prints the one that is named`() throws {
        let list = try Program.run(["schema"])
        #expect(list.output.split(separator: "\n").count == 8 && list.exitCode == 0)
        for name in ["scheme", "service", "script", "manifest", "document", "page", "frames"] {
            #expect(list.output.contains("\n\(name) "))
            let result = try Program.run(["schema", name])
            let path = "\(Corpus.repositoryRoot)/docs/schemas/\(name).json"
            #expect(result.output == (try String(contentsOfFile: path, encoding: .utf8)))
            #expect(result.exitCode == 0 && result.error.isEmpty)
        }
    }

    @Test func `widget schema says which name is nearest to an unknown one`() throws {
        let near = try Program.run(["schema", "servce"])
        #expect(near.error == "error: no schema is called \"servce\"\nhint: did you mean service?\n")
        let far = try Program.run(["schema", "x"])
        #expect(
            far.error.hasSuffix("hint: the schemas are scheme, service, script, manifest, document, page and frames\n"))
        #expect(near.exitCode == 2 && far.exitCode == 2 && near.output.isEmpty && far.output.isEmpty)
    }

    @Test func `widget kinds lists the kinds, and describes those that are named in four forms`() throws {
        let list = try Program.run(["kinds"])
        #expect(list.output.hasPrefix("KIND ") && list.output.contains("\ntextfield "))
        let one = try Program.run(["kinds", "spacer"])
        #expect(one.output.hasPrefix("## spacer\n") && !one.output.contains("## label"))
        let alias = try Program.run(["kinds", "SpacerWidget", "--json"])
        #expect(alias.output.contains("\"name\": \"spacer\"") && !alias.output.contains("\"name\": \"label\""))
        #expect(try Program.run(["kinds", "--markdown"]).output.contains("| `keyboard` | standard, email, "))
        #expect(try Program.run(["kinds", "--schema"]).output == (try Program.run(["schema", "document"]).output))
        let unknown = try Program.run(["kinds", "lable"])
        #expect(unknown.error == "error: no kind is called \"lable\"\nhint: did you mean label?\n")
        let both = try Program.run(["kinds", "--json", "--schema"])
        #expect(unknown.exitCode == 2 && both.exitCode == 2 && both.output.isEmpty)
    }

    @Test(arguments: ["pack", "inspect", "structure"])
    func `widget names the file that is missing`(_ command: String) throws {
        let result = try Program.run([command, "/nonexistent.zip"])
        let sentences = [
            "no file or folder /nonexistent.zip\n",
            "could not open /nonexistent.zip: No such file or directory\n",
        ]
        #expect(result.error.contains(sentences[command == "structure" ? 1 : 0]), "\(result.error)")
        #expect(result.output.isEmpty)
        #expect(result.exitCode == 1)
    }

    @Test func `widget fails when its output cannot be written`() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        #expect(try Program.built.run(["--version"], output: full).exitCode == 1)
    }
}

/// Goal: a slip on the command line is answered with the likely intention, and a repeated command is not a mistake.
/// Method: the program in this process, on new folders.
@Suite(.callingThreads) struct `A slip on the command line` {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try #require(try Program.run(["new", "Notes"], in: folder.url).exitCode == 0)
    }

    @Test(arguments: ["run", "render", "watch"])
    func `A mistyped path is not taken for a widget without a registry`(_ command: String) throws {
        let result = try Program.run([command, "Nots"], in: folder.url)
        #expect(result.exitCode == 2)
        #expect(
            result.error.hasPrefix(
                "error: there is no file or folder Nots; and as a widget of a registry it needs --server\n"
                    + "hint: did you mean Notes?\n"))
        #expect(!result.error.contains("no registry is named"))
    }

    @Test(arguments: ["build", "inspect", "pack", "publish"])
    func `A mistyped path of a bundle is answered with the nearest name`(_ command: String) throws {
        for (path, nearest) in [("Nots", "Notes"), ("./Nots", "./Notes")] {
            let result = try Program.run([command, path], in: folder.url)
            #expect(result.exitCode == 1 && result.output.isEmpty)
            let lines = "no file or folder \(path)\nhint: did you mean \(nearest)?\n"
            #expect(result.error.hasPrefix("error: ") && result.error.contains(lines), "\(result.error)")
        }
    }

    @Test func `A mistyped path with a slash is not taken for a widget`() throws {
        for command in ["run", "render"] {
            let result = try Program.run([command, "./Nots"], in: folder.url)
            #expect(result.error.hasSuffix(" no file or folder ./Nots\nhint: did you mean ./Notes?\n"))
        }
    }

    @Test func `Building another version replaces the archive of the one before`() throws {
        try #require(try Program.run(["build", "Notes"], in: folder.url).exitCode == 0)
        let second = try Program.run(["build", "Notes", "--version", "2.0", "--build-number", "7"], in: folder.url)
        #expect(second.exitCode == 0, "\(second.error)")
        let inspected = try Program.run(["inspect", "Notes.zip"], in: folder.url)
        #expect(inspected.output.hasPrefix("bundle  com.example.Notes 2.0 (7)\n"))
        // With another identifier it is another bundle, whose archive is not replaced.
        let other = try Program.run(["build", "Notes", "--identifier", "com.example.Other"], in: folder.url)
        #expect(other.exitCode == 1 && other.error.hasPrefix("error: \"Notes.zip\" is there already\n"))
        let again = try Program.run(["inspect", "Notes.zip"], in: folder.url)
        #expect(again.output == inspected.output)
    }

    @Test func `Building twice replaces the archive without an error`() throws {
        let first = try Program.run(["build", "Notes"], in: folder.url)
        #expect(first.exitCode == 0 && first.output.hasSuffix("wrote   Notes.zip\n"))
        let bytes = try folder.bytes("Notes.zip")
        try folder.write("Notes/more.json", Array("{}".utf8))
        let second = try Program.run(["build", "Notes"], in: folder.url)
        #expect(second.exitCode == 0, "\(second.error)")
        #expect(try folder.bytes("Notes.zip") != bytes)
        #expect(try folder.names == ["Notes", "Notes.zip"])
    }

    @Test(arguments: [
        ("what is not an archive", Array("PK, but not a zip".utf8)),
        ("another bundle's archive", SampleBundle.archive()),
    ])
    func `Building never replaces another file under the archive's name`(_ what: String, _ bytes: [UInt8])
        throws
    {
        try folder.write("Notes.zip", bytes)
        let result = try Program.run(["build", "Notes"], in: folder.url)
        #expect(result.exitCode == 1, "\(what)")
        #expect(result.error.hasPrefix("error: \"Notes.zip\" is there already\nhint: `-o OUT.zip` names the file"))
        #expect(!result.error.contains(".staged"))
        #expect(try folder.bytes("Notes.zip") == bytes)
    }

    @Test func `Building keeps an archive of the same bundle that another program packed`() throws {
        let built = try Program.run(["build", "Notes"], in: folder.url)
        try #require(built.exitCode == 0)
        let files = Corpus.tree(at: folder.path("Notes")).sorted { $0.key < $1.key }
        let foreign = ZipForge(files.map { .init(Array("Notes.bundle/\($0.key)".utf8), $0.value) }).build().bytes
        try folder.write("Notes.zip", foreign)
        #expect(try Program.run(["build", "Notes"], in: folder.url).exitCode == 1)
        #expect(try folder.bytes("Notes.zip") == foreign)
    }
}

/// Goal: printed JSON cannot control the terminal, neither at once nor later from a file. Method: a bundle whose texts
/// have control sequences.
@Suite(.callingThreads) struct `JSON on a terminal` {
    @Test func `JSON has no control sequences, on a terminal and in a pipe`() throws {
        let folder = try Folder()
        let bundle = try `A widget's store`.copy(to: folder.path("HarbourLog"))
        let stub = try String(decoding: folder.bytes("HarbourLog/StubService.json"), as: UTF8.self)
            .replacing("Fog, and nothing else", with: "Fog\u{9B}31m\u{7F}\u{202E}\u{200F}, ä")
        try folder.write("HarbourLog/StubService.json", Array(stub.utf8))
        let watched = try Program.run(["render", bundle, "--as", "json"], isWatched: true).output
        #expect(watched.contains(#"Fog\u009b31m\u007f\u202e\u200f, ä"#))
        #expect(!watched.unicodeScalars.contains("\u{202E}"))
        let piped = try Program.run(["render", bundle, "--as", "json"]).output
        #expect(piped.contains(#"Fog\u009b31m\u007f\u202e\u200f, ä"#))
        #expect(!piped.unicodeScalars.contains { [0x7F, 0x9B, 0x200F, 0x202E].contains($0.value) })
        // A program that parses it gets what the author wrote.
        let parsed = "\(try JSONSerialization.jsonObject(with: Data(piped.utf8)))"
        #expect(parsed.contains("Fog") && parsed.unicodeScalars.contains("\u{202E}"))
    }
}
