import Foundation
import TestSupport
import Testing

@Suite struct `widget build` {
    @Test func `makes of what widget new wrote a bundle with nothing to complain about`() throws {
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

    @Test func `says where a source cannot be compiled, and writes nothing`() throws {
        let folder = try Folder()
        _ = try Program.run(["new", "Notes"], in: folder.url)
        let path = "Notes/Base.lproj/Main.storyboard"
        let text = String(decoding: try folder.bytes(path), as: UTF8.self)
        try folder.write(path, Array(text.replacingOccurrences(of: "<searchBar ", with: "<mapView ").utf8))
        let broken = try Program.run(["build", "Notes"], in: folder.url)
        #expect(broken.exitCode == 1)
        #expect(broken.error.hasPrefix("error: Base.lproj/Main.storyboard:"))
        let line = 1 + text.components(separatedBy: "<searchBar ")[0].filter { $0 == "\n" }.count
        try folder.write(
            path,
            Array(
                text.replacingOccurrences(of: "searchBar ", with: "mapView ").replacingOccurrences(
                    of: "</searchBar>", with: "</mapView>"
                ).utf8))
        let unknown = try Program.run(["build", "Notes"], in: folder.url)
        #expect(unknown.error.hasPrefix("error: Base.lproj/Main.storyboard:\(line):"))
        #expect(unknown.error.contains("mapView"))
        #expect(try folder.names == ["Notes"])
    }

    @Test func `says what is missing where there is no source`() throws {
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
