import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

/// Goal: what `docs/authoring.md` shows is what happens. Method: the listings of each part are done in their order, in
/// an empty folder: files are written and changed, and commands performed by the shell, with the built programs.
@Suite(.callingThreads) struct `The page about authoring` {
    @Test(arguments: GuidePart.all)
    func `The listings of a part do what the page shows`(_ part: GuidePart) throws {
        let desk = try GuideDesk()
        for listing in part.listings {
            do { try desk.perform(listing) } catch let misprint as GuideDesk.Misprint { Issue.record(misprint) }
        }
    }

    @Test func `Every listing of the page names a file or is a session`() {
        let listings = GuidePart.all.flatMap(\.listings)
        #expect(listings.count > 20)
        for listing in listings {
            if case .unknown(let words) = listing.kind { Issue.record("line \(listing.line): \(words)") }
        }
    }
}

/// Goal: a new author gets from the first line to a published widget by what the tutorials say, and by that alone.
@Suite(.callingThreads) struct `A tutorial` {
    @Test(.also(.compilers), arguments: GuidePart.performedTutorials)
    func `A tutorial does what it shows, from its first line to a registry`(_ page: String) throws {
        let parts = GuidePart.parts(of: page)
        try #require(parts.count == 1)
        let desk = try GuideDesk()
        for listing in parts[0].listings {
            do { try desk.perform(listing) } catch let misprint as GuideDesk.Misprint { Issue.record(misprint) }
        }
        let text = parts[0].listings.flatMap(\.text).joined(separator: "\n")
        #expect(text.contains("is published, on stable"))
    }
}

/// Goal: the first lines that a newcomer types work. Method: they are done as they are printed, in an empty folder.
@Suite(.callingThreads) struct `The lines of README.md` {
    @Test func `The six lines lead from nothing to a widget as an app gets it`() throws {
        let text = try String(contentsOfFile: "\(Corpus.repositoryRoot)/README.md", encoding: .utf8)
        let block = try #require(text.firstMatch(of: /```sh\n([^`]+)```/)).1
        let commands = block.split(separator: "\n").map { $0.replacing(#/ +# .*/#, with: "") }
        #expect(commands.count == 6)
        let desk = try GuideDesk()
        for command in commands {
            try desk.perform(GuideListing(line: 1, kind: .session, text: ["$ \(command)", "…"]))
        }
        #expect(try !desk.folder.bytes("Widgets/Notes.bundle/Info.plist").isEmpty)
    }
}

/// Goal: a page that shows something else fails. Method: listings that are wrong on purpose.
@Suite(.callingThreads) struct `A listing` {
    @Test(arguments: [
        (["a", "…", "d"], "a\nb\nc\nd\n", true), (["a", "…"], "a\n", true), (["…", "b"], "a\nb\nc\n", false),
        (["a", "b"], "a\n", false), (["a"], "a\nb\n", false), (["in … ms"], "in 12 ms\n", true),
        (["in … ms"], "in 12 s\n", false), (["a…"], "ab\n", true), ([], "a\n", false), ([], "", true),
    ])
    func `Output fits what is shown, where an ellipsis is anything`(_ shown: [String], _ printed: String, _ fits: Bool)
    {
        #expect(GuideSession(command: "", shown: shown).fits(printed) == fits)
    }

    @Test func `A change is made where its lines are, and refused where they are not`() throws {
        let desk = try GuideDesk()
        try desk.folder.write("a.json", Array("one\n  two\nthree\n".utf8))
        try desk.perform(GuideListing(line: 1, kind: .change("a.json"), text: [" one", "-  two", "+  2", " three"]))
        #expect(String(decoding: try desk.folder.bytes("a.json"), as: UTF8.self) == "one\n  2\nthree\n")
        #expect(throws: GuideDesk.Misprint.self) {
            try desk.perform(GuideListing(line: 1, kind: .change("a.json"), text: ["-  two", "+  3"]))
        }
    }

    @Test func `A session that prints something else, or fails, is a misprint`() throws {
        let desk = try GuideDesk()
        for lines in [["$ echo a", "b"], ["$ false"]] {
            #expect(throws: GuideDesk.Misprint.self) {
                try desk.perform(GuideListing(line: 1, kind: .session, text: lines))
            }
        }
        try desk.perform(GuideListing(line: 1, kind: .session, text: ["$ echo a \\", "  b", "a b", "$ echo c", "c"]))
    }
}
