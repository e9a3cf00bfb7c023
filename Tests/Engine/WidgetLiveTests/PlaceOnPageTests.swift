import JSONText
import Testing
import WidgetBytes
import WidgetCore
import WidgetHosting
import WidgetRender
import WidgetRunning

@testable import WidgetLive

/// Goal: a page shows what is revealed once, and its browser's history and address follow its widget. Method: a chat with a
/// note that links lead to.
@Suite struct `The place of a widget on its page` {
    private static let main = #"""
        {"schema": 1, "state": {"rows": [{"id": 1}, {"id": 2}, {"id": 3}], "count": 0},
         "links": {
           "note": {"pattern": "acme://notes/{id:integer}", "scene": "Note"},
           "row": {"pattern": "acme://rows/{id:integer}", "scene": "Main", "reveal": {"list": "rows", "key": "id"}}},
         "root": [
           {"kind": "label", "id": "shown", "payload": {"text": {"$": ["count ", "$count"]}}},
           {"kind": "table", "id": "rows", "items": {"in": "$rows", "as": "row", "key": "$row.id"},
            "children": [{"kind": "cell", "payload": {"title": "$row.id"}}]},
           {"kind": "button", "id": "add", "on": {"tap": {"do": "set", "state": "count", "to": {"$": "count + 1"}}}},
           {"kind": "button", "id": "note", "on": {"tap": {"do": "push", "scene": "Note", "with": {"id": 7}}}},
           {"kind": "button", "id": "reveal", "on": {"tap": {"do": "reveal", "list": "rows", "key": "id", "is": 2}}}]}
        """#
    private static let note = #"""
        {"schema": 1, "title": "Note", "parameters": {"id": 0}, "root": [
          {"kind": "label", "id": "shown", "payload": {"text": {"$": ["note ", "$id"]}}},
          {"kind": "button", "id": "ask", "on": {"tap": {"do": "alert", "title": "Sure?"}}}]}
        """#

    private static func bench() throws -> LiveBench { try LiveBench(main, others: ["Note": note]) }

    private static func text(_ operation: JSONValue, _ name: String) -> String? {
        operation.array?.dropFirst().first?[name]?.string
    }

    @Test func `A page hears of each screen by its depth and its link`() async throws {
        let bench = try Self.bench()
        let (viewing, sink) = try await bench.shown()
        let count = sink.writes.count
        #expect(await viewing.tap(1, "note") == .taken)
        await bench.settle(viewing)
        let heard = try #require(sink.writes.dropFirst(count).flatMap { $0.all("n") }.first)
        #expect(Self.text(heard, "depth") == "1" && Self.text(heard, "open") == "acme%3A%2F%2Fnotes%2F7")
        let page = try #require(await viewing.page())
        let html = String(decoding: page.html, as: UTF8.self)
        #expect(html.contains(#"data-depth="1""#) && html.contains(#"data-open="acme%3A%2F%2Fnotes%2F7""#))
        #expect(try await viewing.live.whole().link == "acme://notes/7")
        #expect(await viewing.act(2, #"["back",0]"#) == .taken)
        await bench.settle(viewing)
        let back = try #require(sink.writes.last?.all("n").first)
        #expect(Self.text(back, "depth") == "0" && Self.text(back, "open") == "")
        #expect(await viewing.text("shown") == "count 0")
        await bench.desk.stop()
    }

    @Test func `A browser that goes back over an alert hears that the widget has not`() async throws {
        let bench = try Self.bench()
        let (viewing, sink) = try await bench.shown()
        _ = await viewing.tap(1, "note")
        _ = await viewing.tap(2, "ask")
        await bench.settle(viewing)
        #expect(await viewing.act(3, #"["back",0]"#) == .taken)
        await bench.settle(viewing)
        #expect(sink.writes.last?.all("n").compactMap { Self.text($0, "depth") } == ["1"])
        #expect(await viewing.text("shown") == "note 7")
        await bench.desk.stop()
    }

    @Test(arguments: [
        #"["back"]"#, #"["back",-1]"#, #"["back",101]"#, #"["back","0"]"#, #"["back",0,0]"#, #"["back",1e300]"#,
    ])
    func `An act of another form is refused`(event: String) async throws {
        let bench = try Self.bench()
        let (viewing, _) = try await bench.shown()
        guard case .refused(.malformed) = await viewing.act(1, event) else {
            Issue.record("\(event) was taken")
            return
        }
        await bench.desk.stop()
    }

    @Test func `What is revealed is shown once by the stream, each time that it is revealed`() async throws {
        let bench = try Self.bench()
        let (viewing, sink) = try await bench.shown()
        for serial in [1, 3] {
            let count = sink.writes.count
            _ = await viewing.tap(serial, "reveal")
            await bench.settle(viewing)
            _ = await viewing.tap(serial + 1, "add")
            await bench.settle(viewing)
            let shown = sink.writes.dropFirst(count).flatMap { $0.all("v") }
            #expect(shown.count == 1)
            let (view, place) = (await viewing.view, await viewing.part.widget.place)
            let row = view.revealed(place.revealed)
            #expect(shown.first?.array?.last?.string == row.map { "a\($0.key)" })
        }
        #expect(try await viewing.live.whole().anchor == nil)
        await bench.desk.stop()
    }

    @Test func `What is revealed on a page without script is the place of the next page, once`() async throws {
        let bench = try Self.bench()
        let viewing = try await bench.open()
        #expect(try await viewing.live.whole().anchor == nil)
        let reveal = await viewing.key("reveal")
        let form = LiveForm(fields: [("n", "1"), ("do", #"["tap","\#(reveal)"]"#)])
        #expect(await viewing.post(form) == .taken)
        let (view, place) = (await viewing.view, await viewing.part.widget.place)
        let row = try #require(view.revealed(place.revealed))
        #expect(try await viewing.live.whole().anchor == "a\(row.key)")
        #expect(try await viewing.live.whole().anchor == nil)
        // A page with script has that place already.
        let sink = KeptSink()
        await viewing.follow(after: await viewing.page()?.number, sink)
        await bench.settle(viewing)
        #expect(sink.writes.allSatisfy { $0.all("v").isEmpty })
        await bench.desk.stop()
    }

    @Test
    func `A list that keeps its end is read on from where it began when more rows come before it, without script`()
        async throws
    {
        let rows = (0..<300).map { #"{"id": \#($0)}"# }.joined(separator: ", ")
        let bench = try LiveBench(
            #"""
            {"schema": 1, "state": {"rows": [\#(rows)]}, "root": [
              {"kind": "table", "payload": {"keeps": "end"}, "items": {"in": "$rows", "as": "row", "key": "$row.id"},
               "children": [{"kind": "cell", "payload": {"title": "$row.id"}}]}]}
            """#)
        let viewing = try await bench.open()
        let page = try #require(await viewing.page())
        let html = String(decoding: page.html, as: UTF8.self)
        let first = try #require(html.firstMatch(of: #/<li id="([^"]+)"/#)).1
        let more = try #require(html.firstMatch(of: #/<button class="more"[^>]* value="([^"]+)"/#)).1
        let form = LiveForm(fields: [("n", "1"), ("do", String(more).replacing("&quot;", with: "\""))])
        #expect(await viewing.post(form) == .taken)
        let next = try await viewing.live.whole()
        #expect(next.anchor == String(first))
        #expect(try await viewing.live.whole().anchor == nil)
        await bench.desk.stop()
    }

    @Test func `A page that is begun by a link shows its screen, and one that leads nowhere says so`() async throws {
        let named = Self.main.replacing(#""schema": 1,"#, with: #""schema": 1, "title": "Home","#)
        let bench = try LiveBench(named, others: ["Note": Self.note])
        let note = try await bench.open(opening: "acme://notes/4")
        #expect(await note.text("shown") == "note 4")
        #expect(await note.page()?.status.text == "")
        // The screen has a way back, without script too.
        let back = await ViewKey(screen: note.view.root.key.screen, node: ViewKey.back)
        let form = LiveForm(fields: [("n", "1"), ("do", #"["tap","\#(PageKey.text(back))"]"#)])
        #expect(await note.post(form) == .taken)
        #expect(await note.text("shown") == "count 0")
        let row = try await bench.open(opening: "acme://rows/3")
        #expect(try await row.live.whole().anchor != nil)
        let sentence = SystemWords.english[.linkLost]
        for hostile in [
            "acme://rows/99", "acme://notes/x", "acme://notes/4/5", "javascript:alert(1)", "javascript://notes/4",
            "data:text/html,<b>", "https://example.com/", "", " ", "acme://", "://", "%61cme://notes/4",
            "acme://notes/4%0D%0ASet-Cookie:%20a=b", "acme://notes/%2500", "acme://notes/\r\n4", "\"><script>",
            "acme://notes/" + String(repeating: "9", count: 100_000), String(repeating: "%25", count: 30_000),
            "acme://notes/" + String(repeating: "/", count: 5_000),
        ] {
            let page = try await bench.open(from: "10.0.0.\(hostile.utf8.count % 200)", opening: hostile)
            #expect(await page.text("shown") == "count 0", "\(hostile.prefix(40))")
            #expect(await page.page()?.status.text == sentence, "\(hostile.prefix(40))")
            // The sentence ends with the first act.
            _ = await page.tap(1, "add")
            #expect(await page.page()?.status.text == "")
            await page.live.end()
        }
        await bench.desk.stop()
    }
}
