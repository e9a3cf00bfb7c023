import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

/// Goal: an author sees where links of a widget lead before it is published. Method: the program in this process, on a
/// folder with documents.
@Suite(.callingThreads) struct LinksCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        let manifest = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.Events</string>
            <key>CFBundleShortVersionString</key><string>1.0</string><key>CFBundleVersion</key><string>1</string></dict></plist>
            """
        try folder.write("Events.bundle/Info.plist", Array(manifest.utf8))
        try write(
            #"{"kind": "table", "id": "rows", "items": {"in": "$events", "as": "event"}, "children": [{"kind": "cell", "payload": {"title": "$event.name"}}]}"#
        )
        try folder.write(
            "Events.bundle/Person.widgets.json",
            Array(
                #"{"schema": 1, "parameters": {"who": ""}, "root": {"kind": "label", "payload": {"text": "$who"}}}"#
                    .utf8))
    }

    private func write(_ root: String, more: String = "") throws {
        let document = """
            {"schema": 1, "state": {"events": [{"id": 5, "name": "Push"}]}, \(more)
             "links": {
               "event": {"pattern": "acme://events/{id:integer}", "scene": "Main", "reveal": {"list": "rows", "key": "id"}},
               "person": {"pattern": "acme://people/{name}", "scene": "Person", "parameters": {"name": "who"}},
               "site": "https://example.com/{page}"},
             "on": {"load": {"do": "when", "if": false, "then": {"do": "open", "link": "site", "with": {"page": "a"}}}},
             "root": \(root)}
            """
        try folder.write("Events.bundle/Main.widgets.json", Array(document.utf8))
    }

    private func links(_ arguments: String...) throws -> BuiltProgram.Result {
        try Program.run(["links", "Events.bundle"] + arguments, in: folder.url)
    }

    @Test func `links takes a document by itself`() throws {
        try write(#"{"kind": "label", "id": "rows", "payload": {"text": "A"}}"#)
        let result = try Program.run(["links", "Events.bundle/Main.widgets.json"], in: folder.url)
        #expect(result.exitCode == 0 && result.output.contains("acme://people/{name}"), "\(result)")
        let site = try Program.run(
            ["links", "Events.bundle/Main.widgets.json", "acme://elsewhere"], in: folder.url)
        #expect(site.exitCode == 1 && site.output.contains("notFound"), "\(site)")
    }

    @Test(arguments: [["build"], ["pack"], ["publish", "--server", "http://127.0.0.1:9"]])
    func `A command that takes bundles says what to do with a document by itself`(command: [String]) throws {
        let result = try Program.run(command + ["Events.bundle/Person.widgets.json"], in: folder.url)
        #expect(result.exitCode == 1 && result.error.contains("is a document by itself"), "\(result)")
        #expect(result.error.contains("`widget new NAME --kind document`"), "\(result)")
    }

    @Test func `links lists the patterns with screens, parameters and rows`() throws {
        let result = try links()
        #expect(result.exitCode == 0 && result.error.isEmpty, "\(result)")
        #expect(
            result.output == """
                LINK    PATTERN                     LEADS TO
                event   acme://events/{id:integer}  Main, the row of rows whose id is id
                person  acme://people/{name}        Person with who
                site    https://example.com/{page}  the host follows it

                """, "\(result.output)")
        let json = try links("--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let found = try #require(object["links"] as? [[String: Any]])
        #expect(found.map { $0["name"] as? String } == ["event", "person", "site"])
        #expect(found[0]["scene"] as? String == "Main" && found[0]["line"] as? Int == 3 && found[2]["scene"] == nil)
        #expect((found[0]["parts"] as? [[String: Any]])?.first?["type"] as? String == "integer")
        #expect((found[0]["reveal"] as? [String: Any])?["list"] as? String == "rows")
    }

    @Test(arguments: [
        (
            "acme://events/5", 0,
            "acme://events/5: handled\nlink event leads to Main, the row of rows whose id is id\n  id is \"5\"\n"
        ),
        (
            "acme://people/Ann%20B", 0,
            "acme://people/Ann%20B: handled\nlink person leads to Person with who\n  name is \"Ann B\"\n"
        ),
        ("acme://events/6", 1, "acme://events/6: notFound, the list rows has no row whose id is \"6\"\n"),
        ("acme://events/five", 1, "acme://events/five: notFound, not an address: no route of the widget has it\n"),
        (
            "https://example.com/a", 1,
            "https://example.com/a: notFound, not an address: no route of the widget has it\n"
        ),
        ("nonsense", 1, "nonsense: notFound, not an address: it has no scheme, as in acme://events/5\n"),
    ]) func `links says what becomes of an address, and ends with 1 if it is not found`(
        address: String, code: Int32, output: String
    ) throws {
        let result = try links(address)
        #expect(result.exitCode == code && result.output.hasPrefix(output), "\(result)")
        let json = try links(address, "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect(object["result"] as? String == (code == 0 ? "handled" : "notFound") && json.exitCode == code)
        #expect((object["reason"] != nil) == (code != 0))
    }

    @Test func `links reports dead links, and inspect has the same finding`() throws {
        try write(#"{"kind": "label", "payload": {"text": "No rows"}}"#)
        let message = "The link event reveals a row of rows, and Main has no such list"
        let listed = try links()
        #expect(listed.error.contains(message) && listed.error.contains("Main.widgets.json:3:"), "\(listed)")
        let inspected = try Program.run(["inspect", "Events.bundle"], in: folder.url)
        #expect(inspected.output.contains(message) && inspected.output.contains("[dead-link]"), "\(inspected.output)")
    }

    @Test func `A widget without links says so`() throws {
        try folder.write("Events.bundle/Main.widgets.json", Array("[]".utf8))
        #expect(try links().output == "the widget declares no links\n")
    }

    @Test func `C10: render of a hidden widget ends well, and says that it is hidden`() throws {
        try write(#"{"kind": "label", "payload": {"text": "Here"}}"#, more: #""visible": false,"#)
        let result = try Program.run(["render", "Events.bundle"], in: folder.url)
        #expect(result.exitCode == 0 && result.output == "[ The widget has nothing to show. ]\n", "\(result)")
        #expect(result.error.contains("the widget is hidden") && result.error.contains("visible"))
    }

    @Test func `C9: render in a mode that is not declared shows the one that is, and reports it`() throws {
        try write(
            #"{"kind": "label", "payload": {"text": {"$": "environment.display.mode"}}}"#,
            more: #""modes": ["compact"], "insets": {"left": {"$": "proposed.left - 31"}},"#)
        for arguments in [[], ["--mode", "compact"]] {
            let result = try Program.run(["render", "Events.bundle"] + arguments, in: folder.url)
            #expect(result.output.contains("compact") && !result.error.contains("mode"), "\(result)")
        }
        let wrong = try Program.run(["render", "Events.bundle", "--mode", "expanded"], in: folder.url)
        #expect(wrong.exitCode == 0 && wrong.output.contains("compact"), "\(wrong)")
        #expect(wrong.error.contains("The widget has no mode expanded") && wrong.error.contains("Main.widgets.json:1:"))
        // The margins of the host are behind the mode.
        let moved = try Program.run(["render", "Events.bundle", "--mode", "compact@0,47,39,0"], in: folder.url)
        #expect(moved.output.hasPrefix("  compact"), "\(moved)")
        let bad = try Program.run(["render", "Events.bundle", "--mode", "compact@1,2"], in: folder.url)
        #expect(bad.exitCode == 2 && bad.error.contains("compact@0,47,39,0"))
    }
}
