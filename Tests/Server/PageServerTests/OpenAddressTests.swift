import Testing
import WidgetCore
import WidgetHTTPServer
import WidgetRender
import WidgetTestSupport

@testable import PageServer
@testable import WidgetLive

/// Goal: an address with a link opens its screen, and nothing else comes of what it says. Method: a server on loopback, asked as
/// browsers do, and as attackers do.
@Suite struct `An address that opens a link` {
    private static let document = #"""
        {"schema": 1, "parameters": {"id": 0}, "state": {"rows": [{"id": 1}, {"id": 2}]},
         "links": {
           "note": {"pattern": "acme://notes/{id:integer}", "scene": "Main"},
           "row": {"pattern": "acme://rows/{row:integer}", "scene": "Main", "reveal": {"list": "rows", "key": "id", "part": "row"}}},
         "root": [
           {"kind": "label", "id": "shown", "payload": {"text": {"$": ["note ", "$id"]}}},
           {"kind": "table", "id": "rows", "items": {"in": "$rows", "as": "row", "key": "$row.id"},
            "children": [{"kind": "cell", "payload": {"title": "$row.id"}}]},
           {"kind": "button", "id": "next", "payload": {"text": "Next"}, "on": {"tap": {"do": "push", "scene": "Main", "with": {"id": 8}}}},
           {"kind": "button", "id": "reveal", "payload": {"text": "Reveal"},
            "on": {"tap": {"do": "reveal", "list": "rows", "key": "id", "is": 2}}}]}
        """#
    private static let note = "?open=acme%3A%2F%2Fnotes%2F4"

    @Test func `The first page runs a widget with the link, whose screen has it in its address`() throws {
        let bench = try PageBench(Self.document)
        let first = try bench.get("/\(Self.note)")
        #expect(first.status == 200 && first.text.contains(#"action="/live\#(Self.note)""#))
        let begun = try bench.post("/live\(Self.note)")
        let bare = try #require(begun.value("Location"))
        #expect(begun.status == 303 && !bare.contains("?"))
        let placed = try bench.get(bare)
        #expect(placed.status == 303 && placed.value("Location") == bare + Self.note)
        let page = try bench.get(bare + Self.note)
        #expect(page.status == 200 && page.text.contains("note 4") && page.text.contains(#"data-depth="1""#))
        // An address from before leads to where the widget is.
        #expect(try bench.get("\(bare)?open=acme://notes/5").value("Location") == bare + Self.note)
    }

    @Test func `A form leads to the address of the screen, or to the row that it has revealed`() async throws {
        let bench = try PageBench(Self.document)
        let address = try bench.open()
        let next = try await bench.key("next", address)
        let posted = try bench.submit("\(address)/a", ("n", "1"), ("do", #"["tap","\#(next)"]"#))
        #expect(posted.status == 303 && posted.value("Location") == address)
        let placed = try bench.get(address)
        #expect(placed.status == 303 && placed.value("Location") == "\(address)?open=acme%3A%2F%2Fnotes%2F8")
        let reveal = try await bench.key("reveal", address)
        _ = try bench.submit("\(address)/a", ("n", "1"), ("do", #"["tap","\#(reveal)"]"#))
        let shown = try bench.get(address).value("Location") ?? ""
        let anchor = try #require(shown.split(separator: "#").last)
        #expect(shown == "\(address)?open=acme%3A%2F%2Fnotes%2F8#\(anchor)")
        let page = try bench.get("\(address)?open=acme%3A%2F%2Fnotes%2F8")
        #expect(page.status == 200 && page.text.contains(#"id="\#(anchor)""#))
    }

    @Test func `A page that is gone offers another one at the same place`() throws {
        let bench = try PageBench(Self.document)
        let gone = try bench.get("/live/\(String(repeating: "0", count: 32))\(Self.note)")
        #expect(gone.status == 410 && gone.text.contains(#"action="/live\#(Self.note)""#))
        let hostile = try bench.get("/live/\(String(repeating: "0", count: 32))?open=%22%3E%3Cscript%3E")
        #expect(hostile.status == 410 && hostile.text.contains(#"action="/live?open=%22%3E%3Cscript%3E""#))
        #expect(!hostile.text.contains("<script>"))
        // The page that a reader comes from is known by its name, wherever its widget is.
        let address = try bench.open()
        let name = String(try #require(address.split(separator: "/").last))
        #expect(PageAddress.name(at: "http://a.test\(address)\(Self.note)#a1.2") == name)
    }

    @Test(arguments: [
        "acme://notes/x", "acme%3A%2F%2Fnowhere", "javascript:alert(1)", "%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
        "acme://notes/4%250D%250ASet-Cookie:a=b", "acme://notes/%252534",
        "%2541cme://notes/4",
        "https://example.com/", "//evil.test/", "acme://rows/3/%2e%2e", "",
        String(repeating: "a", count: 7_000), "acme://notes/" + String(repeating: "%252", count: 1_500),
    ])
    func `A link that leads nowhere is an ordinary page with a sentence, and is not said again`(link: String) throws {
        let bench = try PageBench(Self.document)
        let sentence = SystemWords.english[.linkLost]
        let first = try bench.get("/?open=\(link)")
        #expect(first.status == 200 && first.text.contains(sentence) && first.text.contains(#"action="/live?open=""#))
        let begun = try bench.post("/live?open=\(link)")
        let address = try #require(begun.value("Location"))
        #expect(begun.status == 303 && address.hasPrefix("/live/") && address.utf8.count == 38)
        let page = try bench.get(address)
        #expect(page.status == 200 && page.text.contains(sentence) && page.text.contains("note 0"))
        for answer in [first, begun, page] {
            #expect(answer.value("Set-Cookie") == nil && !answer.text.contains("evil.test"))
            #expect(!answer.text.contains("<script>") && !answer.text.contains("alert(1)"))
        }
    }

    @Test(arguments: [
        "%00", "%ff%fe", "acme://notes/4%0D%0ASet-Cookie:a=b", "%0d%0aLocation:%20https://evil.test", "%", "%zz",
    ])
    func `A link that cannot be a text is refused, or leads nowhere`(link: String) throws {
        let bench = try PageBench(Self.document)
        for answer in [try bench.get("/?open=\(link)"), try bench.post("/live?open=\(link)")] {
            #expect([200, 303, 400].contains(answer.status))
            #expect(answer.value("Set-Cookie") == nil && !answer.text.contains("evil.test"))
            #expect(answer.value("Location")?.contains("?") != true)
            if answer.status == 200 { #expect(answer.text.contains(SystemWords.english[.linkLost])) }
        }
    }

    @Test func `A link longer than any is refused by the server, or is one that leads nowhere`() throws {
        let bench = try PageBench(Self.document)
        let answer = try bench.get("/?open=" + String(repeating: "a", count: 100_000))
        #expect([414, 431].contains(answer.status))
    }
}
