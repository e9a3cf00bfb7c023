import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

/// Goal: a folder of pages opens from disk, and nothing else in it is touched. Method: the program in this process, a
/// sample and folders of a test's own.
@Suite(.callingThreads) struct `widget render, as pages,` {
    private static let sample = "\(SampleSources.folder)/HarbourLog"
    private static let clock = ["--clock", "2018-06-20T20:00:00Z"]

    @discardableResult
    private static func render(
        _ arguments: [String], in folder: Folder, code: Int32 = 0
    ) throws -> BuiltProgram.Result {
        let form = arguments.contains("--as") ? [] : ["--as", "html"]
        let result = try Program.run(["render", sample] + form + clock + arguments, in: folder.url)
        #expect(result.exitCode == code, "\(result.error)")
        return result
    }

    /// The addresses of a page.
    private static func links(_ page: String) -> [String] {
        page.components(separatedBy: " src=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
            + page.components(separatedBy: " href=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
    }

    @Test func `Page, sheets and pictures lie in the folder, and the page names them without a path`() throws {
        let folder = try Folder()
        let result = try Self.render(["-o", "page"], in: folder)
        #expect(result.output == "wrote page/index.html\n")
        let page = String(decoding: try folder.bytes("page/index.html"), as: UTF8.self)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("page"))
        let links = Self.links(page)
        #expect(links.count > 3 && Set(links).isSubset(of: names))
        #expect(Set(names) == Set(links + ["index.html"]))
        #expect(page.contains("Fog, and nothing else") && !page.contains(folder.url.path) && !page.contains("file:"))
        for name in names where name.hasSuffix(".png") {
            #expect(try folder.bytes("page/\(name)").starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
    }

    @Test func `A second run replaces the first, and removes the files that it needs no more`() throws {
        let folder = try Folder()
        try Self.render(["-o", "page"], in: folder)
        let first = try FileManager.default.contentsOfDirectory(atPath: folder.path("page")).sorted()
        // A name of the digest of its bytes, a part of a run that was killed, and a name that only looks like a digest.
        try folder.write("page/4bf5122f344554c53bde2ebb8cd2b7e3.png", [1])
        try folder.write("page/.staged-1f", [2])
        let kept = "\(String(repeating: "0", count: 32)).png"
        try folder.write("page/\(kept)", [1])
        try Self.render(["-o", "page", "--scheme", "dark", "--text-size", "xl", "--dir", "rtl"], in: folder)
        let second = try FileManager.default.contentsOfDirectory(atPath: folder.path("page"))
        #expect(second.sorted() == ([kept] + first).sorted())
        let sheet = String(decoding: try folder.bytes("page/screen.css"), as: UTF8.self)
        #expect(sheet.contains("color-scheme:dark") && sheet.contains("font-size:calc(1900%/17)"))
        #expect(String(decoding: try folder.bytes("page/index.html"), as: UTF8.self).contains("dir=\"rtl\""))
    }

    @Test func `A language that is written from right to left mirrors pages and frames unless --dir says otherwise`()
        throws
    {
        let folder = try Folder()
        for (options, direction) in [
            (["--locale", "ar"], "rtl"), (["--locale", "he_IL"], "rtl"), (["--locale", "de"], "ltr"),
            (["--locale", "fa", "--dir", "ltr"], "ltr"), (["--dir", "rtl"], "rtl"),
        ] {
            try Self.render(["-o", "page"] + options, in: folder)
            let page = String(decoding: try folder.bytes("page/index.html"), as: UTF8.self)
            #expect(page.contains("dir=\"\(direction)\""), "\(options)")
        }
        func frames(_ options: [String]) throws -> String {
            try Self.render(["--as", "frames"] + options, in: folder).output
        }
        let mirrored = try frames(["--dir", "rtl"])
        #expect(try frames(["--locale", "ur"]) == mirrored && frames([]) != mirrored)
    }

    @Test(arguments: ["notes.txt", "base.css", "index.html"])
    func `A folder with another's files is refused, and --force leaves them there`(name: String) throws {
        let folder = try Folder()
        try folder.write("page/\(name)", Array("mine".utf8))
        let result = try Self.render(["-o", "page"], in: folder, code: 1)
        #expect(result.error.contains("page has a file that is not of pages: \(name)"), "\(result.error)")
        #expect(try folder.bytes("page/\(name)") == Array("mine".utf8))
        try folder.write("page/kept.txt", [1])
        try Self.render(["-o", "page", "--force"], in: folder)
        #expect(try folder.bytes("page/kept.txt") == [1])
    }

    @Test(arguments: ["notes.txt", "screen-.html", "screen-x.html", "\(String(repeating: "0", count: 31)).png"])
    func `A file that its owner put into a folder of pages is refused, and stays`(name: String) throws {
        let folder = try Folder()
        try Self.render(["-o", "page"], in: folder)
        try folder.write("page/\(name)", Array("mine".utf8))
        #expect(try Self.render(["-o", "page"], in: folder, code: 1).error.contains(name))
        #expect(try folder.bytes("page/\(name)") == Array("mine".utf8))
    }

    @Test func `All screens of a script are pages, and the first leads to them`() throws {
        let folder = try Folder()
        try folder.write("taps.json", Array(#"[{"select": "tableView", "row": 0}]"#.utf8))
        try Self.render(["-o", "page", "--screens", "--events", "taps.json"], in: folder)
        let contents = String(decoding: try folder.bytes("page/index.html"), as: UTF8.self)
        #expect(Self.links(contents).filter { $0.hasSuffix(".html") } == ["screen-1.html", "screen-2.html"])
        #expect(String(decoding: try folder.bytes("page/screen-2.html"), as: UTF8.self).contains("Back"))
        let text = try Program.run(
            ["render", Self.sample, "--screens", "--events", "taps.json"] + Self.clock, in: folder.url
        ).output
        #expect(text.components(separatedBy: "== ").count == 3 && text.hasPrefix("== LogViewController\n"))
    }

    @Test(arguments: [
        (["--viewport", "375"], "--viewport is 375"), (["--viewport", "375x667@9"], "--viewport is 375x667@9"),
        (["--size", "0x1"], "--size is 0x1"), (["--scheme", "sepia"], "--scheme is sepia"),
        (["--text-size", "huge"], "--text-size is huge"), (["--dir", "up"], "--dir is up"),
        (["--explain"], "--explain is not part of a page"), (["--screens"], "--screens makes several pages"),
        (["--as", "text", "-o", "page"], "-o writes pages"), (["-o", ""], "-o names nothing"),
        (["--advances", "widths.json"], "--advances is for frames"),
        (["--viewport", "320x568", "--size", "320x568"], "--viewport and --size both name a screen"),
    ])
    func `Options that mean nothing are refused with a hint`(arguments: [String], sentence: String) throws {
        let folder = try Folder()
        let result = try Self.render(arguments, in: folder, code: 2)
        #expect(result.error.contains(sentence) && result.error.contains("hint:"), "\(result.error)")
        #expect(try folder.names.isEmpty)
    }

    @Test func `Without a folder the page alone is printed`() throws {
        let folder = try Folder()
        let page = try Self.render(["--viewport", "320x568@3"], in: folder).output
        #expect(
            page.hasPrefix("<!DOCTYPE html>\n") && page.hasSuffix("</html>\n") && page.contains("href=\"base.css\""))
        #expect(try folder.names.isEmpty)
    }
}
