import Testing
import WidgetContract
import WidgetCore
import WidgetFormats
import WidgetHosting
import WidgetRunning

/// Goal: histories and addresses know where a widget is. Method: a document with screens that links name, and others.
@Suite struct `The place of a screen` {
    private static let main = #"""
        {"schema": 1, "state": {"rows": [{"id": 1}, {"id": 2}], "texts": ["a", "b"]},
         "links": {
           "note": {"pattern": "acme://notes/{id:integer}", "scene": "Note", "parameters": {"id": "number"}},
           "row": {"pattern": "acme://rows/{id:integer}", "scene": "Main", "reveal": {"list": "rows", "key": "id"}},
           "out": "https://example.com/{page}"},
         "root": [
           {"kind": "table", "id": "rows", "items": {"in": "$rows", "as": "row", "key": "$row.id"},
            "children": [{"kind": "cell", "payload": {"title": "$row.id"}}]},
           {"kind": "button", "id": "note", "on": {"tap": {"do": "push", "scene": "Note", "with": {"number": 7}}}},
           {"kind": "button", "id": "more", "on": {"tap": {"do": "push", "scene": "Note", "with": {"number": 7, "text": "x"}}}},
           {"kind": "button", "id": "long", "on": {"tap": {"do": "present", "scene": "Text", "with": {"text": "$texts"}}}},
           {"kind": "button", "id": "reveal", "on": {"tap": {"do": "reveal", "list": "rows", "key": "id", "is": 2}}},
           {"kind": "button", "id": "lost", "on": {"tap": {"do": "reveal", "list": "rows", "key": "id", "is": 9}}}]}
        """#
    private static let note = #"""
        {"schema": 1, "parameters": {"number": 0, "text": "none"}, "root": [
          {"kind": "button", "id": "deeper", "on": {"tap": {"do": "present", "scene": "Text"}}}]}
        """#
    private static let text = #"""
        {"schema": 1, "parameters": {"text": ""}, "links": {"text": {"pattern": "acme://texts/{text}", "scene": "Text"}},
         "root": [{"kind": "button", "id": "ask", "on": {"tap": {"do": "alert", "title": "Sure?"}}},
                  {"kind": "button", "id": "same", "on": {"tap": {"do": "push", "scene": "Text", "with": {"text": "a/b c"}}}}]}
        """#

    private static func widget() throws -> RunningWidget {
        let files = BundleFiles([
            "Main.widgets.json": Array(main.utf8), "Note.widgets.json": Array(note.utf8),
            "Text.widgets.json": Array(text.utf8),
        ])
        let program = try FrontEnds.program(files, ProgramOptions(identifier: "test.places"))
        return RunningWidget(WidgetInstance(program), network: DeniedNetwork())
    }

    private static func tap(_ identifier: String, in widget: RunningWidget) async {
        var key: ViewKey?
        await widget.snapshot().view.visit { node in
            if node.identifier == identifier { key = node.key }
            return key == nil
        }
        if let key { #expect(await widget.send(.tap(key)) == nil) }
    }

    @Test func `A screen that a link can name has that link, and others have none`() async throws {
        let widget = try Self.widget()
        #expect(await widget.place == ShownPlace())
        await widget.start()
        // The link of a row says more than the screen.
        #expect(await widget.place == ShownPlace())
        await Self.tap("note", in: widget)
        #expect(await widget.place.link == "acme://notes/7")
        #expect(await widget.place.depth == 1)
        #expect(await widget.goBack(to: 0))
        // The link would open the screen without its text.
        await Self.tap("more", in: widget)
        #expect(await widget.place.link == nil)
        #expect(await widget.goBack(to: 0))
        // A list is not a part of an address.
        await Self.tap("long", in: widget)
        #expect(await widget.place.link == nil)
        await Self.tap("same", in: widget)
        #expect(await widget.place.link == "acme://texts/a%2Fb%20c")
        #expect(await widget.open("acme://texts/\(String(repeating: "e", count: 2_000))") == .handled)
        #expect(await widget.place.link == nil)
        await widget.stop()
    }

    @Test func `A widget goes back as often as it has to, and not over an alert`() async throws {
        let widget = try Self.widget()
        await widget.start()
        await Self.tap("note", in: widget)
        await Self.tap("deeper", in: widget)
        await Self.tap("same", in: widget)
        #expect(await widget.place.depth == 3)
        await Self.tap("ask", in: widget)
        #expect(await widget.goBack(to: 1) == false)
        #expect(await widget.place.depth == 3)
        let alert = try #require(await widget.snapshot().view.alerts.first)
        await widget.send(.tap(alert.key))
        #expect(await widget.goBack(to: 1))
        #expect(await widget.place.link == "acme://notes/7")
        #expect(await widget.goBack(to: 4))
        #expect(await widget.place.depth == 1)
        #expect(await widget.goBack(to: -3))
        #expect(await widget.place.depth == 0)
        await widget.stop()
    }

    @Test func `An item is revealed anew each time, and one that is not there changes nothing`() async throws {
        let widget = try Self.widget()
        await widget.start()
        #expect(await widget.place.revealed == nil)
        await Self.tap("reveal", in: widget)
        let first = try #require(await widget.place.revealed)
        let view = await widget.snapshot().view
        let row = try #require(view.revealed(first))
        #expect(row.kind == .row && row.isTrue(.selected))
        await Self.tap("lost", in: widget)
        #expect(await widget.place.revealed == first)
        await Self.tap("reveal", in: widget)
        let second = try #require(await widget.place.revealed)
        #expect(second.number == first.number + 1 && second.item == first.item)
        #expect(await widget.leads(to: "acme://rows/1"))
        #expect(await widget.place.revealed?.number == second.number + 1)
        #expect(await widget.leads(to: "acme://rows/9") == false)
        #expect(await widget.snapshot().isLinkLost)
        await widget.stop()
    }
}
