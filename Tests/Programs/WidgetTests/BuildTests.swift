import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

@Suite(.callingThreads) struct `widget build` {
    @Test func `The source that widget new writes becomes a bundle without findings`() throws {
        let folder = try Folder()
        let new = try Program.run(["new", "Notes"], in: folder.url)
        #expect(new.error.isEmpty && new.exitCode == 0)
        #expect(new.output.hasSuffix("next    widget run Notes\n"))
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
        let convert = try Program.run(["convert", "Notes/Main.screens", "-o", "Main.storyboard"], in: folder.url)
        #expect(convert.output == "wrote   Main.storyboard\n" && convert.exitCode == 0)
        let path = "Notes/Main.storyboard"
        let text = String(decoding: try folder.bytes("Main.storyboard"), as: UTF8.self)
        try FileManager.default.removeItem(at: folder.url.appending(path: "Notes/Main.screens"))
        try folder.write(path, Array(text.replacingOccurrences(of: "<searchBar ", with: "<sundial ").utf8))
        let broken = try Program.run(["build", "Notes"], in: folder.url)
        #expect(broken.exitCode == 1)
        #expect(broken.error.hasPrefix("error: Notes/Main.storyboard:"))
        let line = 1 + text.components(separatedBy: "<searchBar ")[0].filter { $0 == "\n" }.count
        try folder.write(
            path,
            Array(
                text.replacingOccurrences(of: "searchBar ", with: "sundial ").replacingOccurrences(
                    of: "</searchBar>", with: "</sundial>"
                ).utf8))
        let unknown = try Program.run(["build", "Notes"], in: folder.url)
        #expect(unknown.error.hasPrefix("error: Notes/Main.storyboard:\(line):"))
        #expect(unknown.error.contains("sundial"))
        #expect(try folder.names == ["Main.storyboard", "Notes"])
    }

    /// A new widget of each kind, with its story.
    @Test(arguments: ["list", "detail", "form", "feed"])
    func `A new widget of each kind is built without a warning, and its story can be played`(_ kind: String) throws {
        let folder = try Folder()
        let new = try Program.run(["new", "Mine", "--kind", kind], in: folder.url)
        #expect(new.output.hasSuffix("next    widget run Mine\n") && new.exitCode == 0)
        let build = try Program.run(["build", "Mine"], in: folder.url)
        #expect(build.exitCode == 0 && build.error.isEmpty)
        for word in ["stripped", "warning", "unreadable"] { #expect(!build.output.contains(word), "\(build.output)") }
        for arguments in [[], ["--events", "Mine/story.json"]] {
            let played = try Program.run(["render", "Mine", "--as", "text"] + arguments, in: folder.url)
            #expect(played.exitCode == 0 && played.error.isEmpty, "\(played.error)\(played.output)")
        }
        let readme = String(decoding: try folder.bytes("Mine/README.md"), as: UTF8.self)
        let commands = readme.matches(of: /\n {4}widget (\w+)/).map { String($0.1) }
        #expect(commands == ["run", "render", "build", "publish", "schema"])
        // Sixty lines are read in a minute.
        let screens = String(decoding: try folder.bytes("Mine/Main.screens"), as: UTF8.self)
        #expect(screens.split(separator: "\n").count <= 60)
    }

    @Test(arguments: ["document", "today"])
    func `A new widget of documents is shown, inspected and packed without a warning, and its story can be played`(
        _ kind: String
    ) throws {
        let folder = try Folder()
        let new = try Program.run(["new", "Mine", "--kind", kind], in: folder.url)
        #expect(new.output.hasSuffix("next    widget run Mine\n") && new.exitCode == 0)
        let readme = String(decoding: try folder.bytes("Mine/README.md"), as: UTF8.self)
        let commands = readme.matches(of: /\n {4}widget (\w+)/).map { String($0.1) }
        #expect(commands == ["run", "render", "build", "publish", "kinds"])
        for file in new.output.matches(of: /wrote {3}Mine\/(\S+)/).map({ String($0.1) }) where file != "README.md" {
            #expect(readme.contains("* `\(file)`: "), "\(file)")
        }
        for command in [["build", "Mine"], ["inspect", "Mine"], ["pack", "Mine", "-o", "Packed.zip"]] {
            let done = try Program.run(command, in: folder.url)
            #expect(done.exitCode == 0 && done.error.isEmpty, "\(command): \(done.error)")
            for word in ["stripped", "warning", "unreadable"] { #expect(!done.output.contains(word), "\(done.output)") }
        }
        #expect(try folder.bytes("Packed.zip") == folder.bytes("Mine.zip"))
        for form in ["text", "json", "frames", "html"] {
            let shown = try Program.run(
                ["render", "Mine", "--events", "Mine/story.json", "--as", form]
                    + (form == "html" ? ["-o", "page"] : []),
                in: folder.url)
            #expect(shown.exitCode == 0 && shown.error.isEmpty, "\(form): \(shown.error)")
        }
    }

    @Test func `A folder of documents is built on the way to a registry, so that remarks beside them stay here`() throws
    {
        let folder = try Folder()
        _ = try Program.run(["new", "Mine", "--kind", "document"], in: folder.url)
        try folder.write("Mine/Main.widgets.json", Array("[{\"kind\": \"label\",}]".utf8))
        let broken = try Program.run(["pack", "Mine"], in: folder.url)
        #expect(broken.exitCode == 1 && broken.error.contains("Mine/Main.widgets.json:1:18"), "\(broken.error)")
    }

    @Test func `Screens as text become a storyboard and come back, and other parts of a storyboard are refused`() throws
    {
        let folder = try Folder()
        try folder.write("A.screens", Array("# A\nscreen A \"T\"\n    label x bold\n".utf8))
        let convert = { (arguments: [String]) in try Program.run(["convert"] + arguments, in: folder.url) }
        let printed = try convert(["A.screens"])
        #expect(
            printed.output.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<document ") && printed.exitCode == 0)
        #expect(try convert(["A.screens", "-o", "B.storyboard"]).output == "wrote   B.storyboard\n")
        #expect(try convert(["B.storyboard"]).output == "screen A \"T\"\n    label x bold\n")
        #expect(try convert(["A.screens", "--to", "screens"]).output == "screen A \"T\"\n    label x bold\n")
        let wrong = try folder.write("C.screens", Array("screen A\n    lable x\n    label y blod\n".utf8))
        #expect(wrong.hasSuffix("C.screens"))
        let refused = try convert(["C.screens", "-o", "C.storyboard"])
        #expect(refused.exitCode == 1 && refused.error.hasPrefix("error: 2 errors in 1 file\n"))
        #expect(refused.error.contains("C.screens:2:5: ") && refused.error.contains("C.screens:3:13: "))
        let text = String(decoding: try folder.bytes("B.storyboard"), as: UTF8.self)
        try folder.write(
            "D.storyboard", Array(text.replacingOccurrences(of: "<label ", with: "<label tag=\"4\" ").utf8))
        let left = try convert(["D.storyboard", "-o", "D.screens"])
        #expect(left.exitCode == 1 && left.error.contains("the attribute tag of label is not covered"))
        let dropped = try convert(["D.storyboard", "-o", "D.screens", "--drop"])
        #expect(dropped.exitCode == 0 && dropped.error.hasPrefix("warning: left out: D.storyboard:"))
        #expect(try folder.names == ["A.screens", "B.storyboard", "C.screens", "D.screens", "D.storyboard"])
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
@Suite(.callingThreads) struct `widget build, twice` {
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
        let second = try Program.run(
            ["build", name, "-o", "../../../second.zip"],
            environment: ["TZ": "America/Lima", "LANG": "de_DE.UTF-8"],
            in: folder.url.appending(path: "some/where else/ä"), mask: 0o077)
        #expect(second.exitCode == 0)
        let archive = try folder.bytes("first.zip")
        #expect(try archive == folder.bytes("second.zip"))
        #expect(archive.count > 2_000)
    }

    @Test func `The test covers all samples`() { #expect(SampleSources.names.count >= 5) }
}
