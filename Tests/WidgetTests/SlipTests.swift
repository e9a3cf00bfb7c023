import Foundation
import TestSupport
import Testing

/// Goal: a slip on the command line is answered with what was meant, and doing something twice is not a mistake. Method:
/// the built program, in folders of the test's own.
@Suite(.timeLimit(.minutes(20))) struct `A slip on the command line` {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try #require(try Program.run(["new", "Notes"], in: folder.url).exitCode == 0)
    }

    @Test(arguments: ["run", "render", "watch"])
    func `in a path is not taken for a registry that is missing`(_ command: String) throws {
        let result = try Program.run([command, "Nots"], in: folder.url)
        #expect(result.exitCode == 2)
        #expect(
            result.error.hasPrefix(
                "error: there is no file or folder Nots; and as a widget of a registry it needs --server\n"
                    + "hint: did you mean Notes?\n"))
        #expect(!result.error.contains("no registry is named"))
    }

    @Test func `is not made by building twice`() throws {
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
    func `never costs what is there under the archive's name`(_ what: String, _ bytes: [UInt8]) throws {
        try folder.write("Notes.zip", bytes)
        let result = try Program.run(["build", "Notes"], in: folder.url)
        #expect(result.exitCode == 1, "\(what)")
        #expect(result.error.hasPrefix("error: \"Notes.zip\" is there already\nhint: `-o OUT.zip` names the file"))
        #expect(!result.error.contains(".staged"))
        #expect(try folder.bytes("Notes.zip") == bytes)
    }

    @Test func `in an archive of the same bundle that was packed by others does not cost it`() throws {
        let built = try Program.run(["build", "Notes"], in: folder.url)
        try #require(built.exitCode == 0)
        let files = Corpus.tree(at: folder.path("Notes")).sorted { $0.key < $1.key }
        let foreign = ZipForge(files.map { .init(Array("Notes.bundle/\($0.key)".utf8), $0.value) }).build().bytes
        try folder.write("Notes.zip", foreign)
        #expect(try Program.run(["build", "Notes"], in: folder.url).exitCode == 1)
        #expect(try folder.bytes("Notes.zip") == foreign)
    }
}
