import Foundation
import TestSupport
import Testing

@Suite struct `widget build` {
    @Test func `The source that widget new writes becomes a bundle without findings`() throws {
        let folder = try Folder()
        let new = try Program.run(["new", "Notes"], in: folder.url)
        #expect(new.error.isEmpty && new.exitCode == 0)
        #expect(new.output.hasSuffix("next    widget build Notes\n"))
        let build = try Program.run(["build", "Notes"], in: folder.url)
        #expect(build.error.isEmpty && build.exitCode == 0)
        #expect(build.output.hasSuffix("wrote   Notes.zip\n"))
        let inspect = try Program.run(["inspect", "Notes.zip"], in: folder.url)
        #expect(inspect.output.hasPrefix("bundle  com.example.Notes 1.0 (1)\n"))
        for word in ["stripped", "warning", "unreadable"] { #expect(!inspect.output.contains(word), "\(word)") }
        #expect(inspect.output.contains("        - UITableView (0, 0, 375, 667) wx.identifier=tableView\n"))
        #expect(inspect.output.contains("  entity Note"))
        let again = try Program.run(["build", "Notes", "-o", "again.zip"], in: folder.url)
        #expect(again.exitCode == 0)
        #expect(try folder.bytes("again.zip") == folder.bytes("Notes.zip"))
        #expect(try folder.names == ["Notes", "Notes.zip", "again.zip"])
    }

    @Test func `A source that cannot be compiled is reported with its place, and nothing is written`() throws {
        let folder = try Folder()
        _ = try Program.run(["new", "Notes"], in: folder.url)
        let path = "Notes/Base.lproj/Main.storyboard"
        let text = String(decoding: try folder.bytes(path), as: UTF8.self)
        try folder.write(path, Array(text.replacingOccurrences(of: "<searchBar ", with: "<sundial ").utf8))
        let broken = try Program.run(["build", "Notes"], in: folder.url)
        #expect(broken.exitCode == 1)
        #expect(broken.error.hasPrefix("error: Base.lproj/Main.storyboard:"))
        let line = 1 + text.components(separatedBy: "<searchBar ")[0].filter { $0 == "\n" }.count
        try folder.write(
            path,
            Array(
                text.replacingOccurrences(of: "searchBar ", with: "sundial ").replacingOccurrences(
                    of: "</searchBar>", with: "</sundial>"
                ).utf8))
        let unknown = try Program.run(["build", "Notes"], in: folder.url)
        #expect(unknown.error.hasPrefix("error: Base.lproj/Main.storyboard:\(line):"))
        #expect(unknown.error.contains("sundial"))
        #expect(try folder.names == ["Notes"])
    }

    @Test func `A folder without a source is refused with what is missing`() throws {
        let folder = try Folder()
        let nothing = try Program.run(["build", "Nothing"], in: folder.url)
        #expect(nothing.exitCode == 1)
        #expect(nothing.error.contains("hint: `widget new NAME` makes a folder to begin with\n"))
        _ = try Program.run(["new", "Notes"], in: folder.url)
        let again = try Program.run(["new", "Notes"], in: folder.url)
        #expect(again.exitCode == 1)
        #expect(again.error.hasPrefix("error: \"Notes\" is there already\n"))
    }
}

/// Goal: an archive does not depend on the place and time of building. Method: each sample is built from two copies
/// that share nothing but their contents.
@Suite struct `widget build, twice` {
    /// Writes a sample's files in one of two orders, which listing the folder returns, with a date and permissions.
    private static func copy(
        _ name: String, to folder: Folder, _ place: String, isReversed: Bool, date: Double, mode: Int
    ) throws {
        var files = Corpus.tree(at: "\(SampleSources.folder)/\(name)").sorted { $0.key < $1.key }
        if isReversed { files.reverse() }
        #expect(!files.isEmpty)
        for (path, bytes) in files {
            let written = try folder.write("\(place)/\(name)/\(path)", bytes)
            try FileManager.default.setAttributes(
                [.posixPermissions: mode, .modificationDate: Date(timeIntervalSince1970: date)], ofItemAtPath: written)
        }
    }

    @Test(arguments: SampleSources.names)
    func `A sample's archive is the same for any folder, times, permissions and order`(_ name: String) throws {
        let folder = try Folder()
        try Self.copy(name, to: folder, "here", isReversed: false, date: 100_000_000, mode: 0o600)
        try Self.copy(name, to: folder, "some/where else/ä", isReversed: true, date: 2_000_000_000, mode: 0o755)
        let first = try Program.run(
            ["build", "here/\(name)", "-o", "first.zip"], environment: ["TZ": "Asia/Tokyo", "LANG": "C"], in: folder.url
        )
        #expect(first.exitCode == 0, "\(first.error)")
        let program = BuiltProgram("widget").url.path
        let second = Shell.run(
            "umask 077; cd '\(folder.url.path)/some/where else/ä' && TZ=America/Lima LANG=de_DE.UTF-8 '\(program)' build "
                + "'\(name)' -o ../../../second.zip")
        #expect(second.status == 0)
        let archive = try folder.bytes("first.zip")
        #expect(try archive == folder.bytes("second.zip"))
        #expect(archive.count > 2_000)
    }

    @Test func `The test covers all samples`() { #expect(SampleSources.names.count >= 5) }
}
