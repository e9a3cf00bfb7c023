import HTTPWire
import Testing
import WidgetAddresses
import WidgetBytes
import WidgetContract
import WidgetCore
import WidgetDeflate
import WidgetHTTPServer
import WidgetHosting
import WidgetLogging
import WidgetRender
import WidgetRunning
import WidgetSockets
import WidgetTestSupport

@testable import PageServer
@testable import WidgetLive

/// Goal: several widgets are one page, with forms and redirects alone, and each is sent to programs as they want it.
/// Method: a server on loopback, and bytes as browsers and programs send them.
@Suite(.ownThreads) struct `A page with several widgets` {
    @Test func `The first address leads to a page with a section for each slot`() throws {
        let bench = try HostBench()
        let address = try bench.open()
        let page = try bench.get(address).text
        #expect(page.contains(#"<section id="a-slot""#) && page.contains(#"aria-labelledby="b-h""#))
        #expect(page.ranges(of: "<h1").count == 1 && page.ranges(of: "<main").count == 1)
        #expect(page.contains(#"data-view="1a1b1""#) && page.contains(#"action="\#(address)/b""#))
        // Identities of two widgets of one program differ.
        #expect(page.contains(#"id="a1."#) && page.contains(#"id="b1."#))
        // Nothing in it has a style or a handler, and its files are there.
        #expect(!page.contains(" style=") && !page.contains(" onclick") && !page.contains("<style"))
        for path in page.split(separator: "\"").map(String.init)
        where path.hasPrefix("/assets/") || path.hasSuffix(".css") {
            #expect(try bench.get(path).status == 200, "\(path)")
        }
        #expect(page.contains("Load again") && page.contains("it is broken"))
    }

    @Test func `A link in the first address is opened by the widgets, and not from other sites`() throws {
        let bench = try HostBench()
        #expect(try bench.get("/?open=acme%3A%2F%2Fnotes%2F4").status == 303)
        #expect(try bench.post("/live?open=acme://notes/5").status == 303)
        #expect(bench.board.links == ["acme://notes/4", "acme://notes/5"])
        #expect(try bench.get("/?open=acme://notes/6", "Sec-Fetch-Site: cross-site\r\n").status == 403)
        #expect(bench.board.links.count == 2)
        let page = try #require(try bench.get("/").value("Location"))
        // The address of a page with several widgets has no link of one.
        #expect(try bench.get("\(page)?open=acme://notes/6").value("Location") == page)
        #expect(bench.board.links.count == 2)
    }

    @Test func `Pages have the same routes with one widget and with several`() throws {
        let board = ServedSlots(try ServedDocument(PageBench.document))
        let (desk, hosts) = (LiveDesk(LiveLimits()), PageHosts())
        let one = OnePages(try ServedDocument(PageBench.document), options: PageOptions())
        let several = SlotPages(board, "Home", [], columns: nil, options: PageOptions())
        let lists = [one as any ServedPages, several].map { pages in
            PageService(desk, pages, hosts: hosts).routes().listing.map { "\($0.method) \($0.template)" }
        }
        #expect(lists[0] == lists[1] && lists[0].count { $0.contains("/live") } == 8)
    }

    @Test func `A form of one widget leads back to its slot, and leaves the others as they are`() throws {
        let bench = try HostBench()
        let address = try bench.open()
        let page = try bench.get(address).text
        let button = try #require(
            page.firstMatch(of: /action="[^"]*\/b".*?name="do" value="(\[&quot;tap[^"]*)"/)?.1)
        let event = String(button).replacing("&quot;", with: "\"")
        let answer = try bench.submit("\(address)/b", ("n", "1"), ("do", event))
        #expect(answer.status == 303 && answer.value("Location") == "\(address)#b-slot")
        let after = try bench.get(address).text
        #expect(after.contains("count 1") && after.contains("count 0"))
        #expect(try bench.submit("\(address)/b", ("do", #"["fly"]"#)).status == 400)
        // Another page of the host shows the same.
        #expect(try bench.get(try bench.open()).text.contains("count 1"))
    }

    @Test func `Acts on slots go to the host, from a page of this server alone`() throws {
        let bench = try HostBench()
        let address = try bench.open()
        let answer = try bench.submit(address, ("slot", "c"), ("do", "load"))
        #expect(answer.status == 303 && answer.value("Location") == "\(address)#c-slot")
        #expect(bench.board.acts == [.load("c")])
        #expect(try bench.submit(address, ("do", "fly")).status == 400)
        #expect(try bench.submit("/live/00000000000000000000000000000000", ("do", "update")).status == 410)
        let form = Array("do=update".utf8)
        let type = "application/x-www-form-urlencoded"
        #expect(try bench.post(address, form, type: type, "Origin: http://evil.example\r\n").status == 403)
        #expect(try bench.post(address, form, type: type, "Sec-Fetch-Site: cross-site\r\n").status == 403)
        #expect(try bench.post("/widgets/a.b-1/update", [], type: type, "Origin: null\r\n").status == 403)
        #expect(bench.board.acts.count == 1)
        for path in ["/", address, "/widgets/a.b-1"] {
            let answer = try bench.connect().ask("GET \(path) HTTP/1.1\r\nHost: evil.example\r\n\r\n")
            #expect(answer.status == 421, "\(path)")
        }
    }

    @Test func `A picture on a page of another site begins no page`() throws {
        let bench = try HostBench()
        #expect(try bench.get("/", "Sec-Fetch-Site: cross-site\r\n").status == 403)
        #expect(bench.desk.count == 0)
        for field in ["", "Sec-Fetch-Site: none\r\n", "Sec-Fetch-Site: same-origin\r\n"] {
            #expect(try bench.get("/", field).status == 303)
        }
        #expect(bench.desk.count == 3)
    }

    @Test func `One stream has the changes of all widgets`() throws {
        let bench = try HostBench()
        let address = try bench.open()
        let page = try bench.get(address).text
        let stream = try EventReader(bench, "\(address)/events?after=1a1b1")
        let button = try #require(page.firstMatch(of: /name="do" value="\[&quot;tap&quot;,&quot;([^&]*)/)?.1)
        for (letter, serial) in [("a", 1), ("b", 2)] {
            let body = Array(#"[\#(serial),[["tap","\#(button)"]]]"#.utf8)
            #expect(try bench.post("\(address)/\(letter)/actions", body, type: "application/json").status == 204)
            #expect(stream.waits(for: "data: {\"\(letter)\":[[\"e\",\(serial)]"))
        }
        #expect(stream.text.contains("id: 1a2b2"))
        stream.close()
    }

    @Test func `A widget is answered as its state is`() throws {
        let bench = try HostBench()
        let path = "/widgets/a.b-1"
        let page = try bench.get(path)
        #expect(page.status == 200 && page.value("Content-Type") == "text/html; charset=utf-8")
        #expect(
            page.value("Widget-State") == "fresh" && page.value("Widget-Revision") == "1" && page.value("Age") == "7")
        #expect(page.value("Cache-Control") == "private, max-age=30, stale-while-revalidate=60")
        #expect(page.value("Vary") == "Accept" && page.value("ETag")?.hasPrefix("\"") ?? false)
        for part in page.text.split(separator: "\"").map(String.init) where part.hasPrefix("/assets/") {
            #expect(try bench.get(part).status == 200, "\(part)")
        }
        let tag = try #require(page.value("ETag"))
        let same = try bench.get(path, "If-None-Match: \"x\", \(tag)\r\n")
        #expect(same.status == 304 && same.body.isEmpty && same.value("Widget-State") == "fresh")
        let json = try bench.get(path, "Accept: application/json\r\nIf-None-Match: \(tag)\r\n")
        #expect(json.status == 200 && json.text.contains(#""status":"#) && json.text.contains("count 0"))
        bench.board.change { $0.data.failure = .request("the server is away") }
        bench.board.change { $0.data.state = .stale }
        let stale = try bench.get(path, "Accept: application/json\r\n")
        #expect(
            stale.status == 200 && stale.value("Widget-State") == "stale" && stale.text.contains("the server is away"))
        #expect(stale.value("Widget-Failure") == "the server is away")
        bench.board.change { ($0.data.digest, $0.data.state) = (nil, .empty) }
        let failed = try bench.get(path)
        #expect(
            failed.status == 503 && failed.value("Retry-After") == "12" && failed.text.contains("the server is away"))
        bench.board.change { $0.data.failure = nil }
        #expect(try bench.get(path).value("ETag")?.hasPrefix("W/") ?? false)
        bench.board.change { $0.view.isVisible = false }
        let hidden = try bench.get(path)
        #expect(hidden.status == 204 && hidden.body.isEmpty)
        // A refusal is kept from other sites as a widget is.
        for (refused, status) in [
            (try bench.get("/widgets/a.b-9"), 404), (try bench.get("/widgets/absent"), 503),
            (try bench.get(path, "Accept: image/png\r\n"), 406),
        ] {
            #expect(refused.status == status, "\(refused)")
            #expect(refused.value("Content-Security-Policy") == LiveFrame.policy, "\(refused)")
            #expect(refused.value("Referrer-Policy") == "same-origin", "\(refused)")
            #expect(refused.value("Cross-Origin-Resource-Policy") == "same-origin", "\(refused)")
        }
        #expect(try bench.post("/widgets/a.b-1/update").value("Widget-Update") == "noData")
        #expect(try bench.post("/widgets/a.b-9/update").status == 404)
    }

    @Test(
        arguments: [
            (nil, WidgetForm.html), ("", .html), ("*/*", .html), ("text/*", .html), ("text/plain", .text),
            ("text/html;q=0.5, text/plain", .text), ("application/json;q=1, text/html;q=0.9", .json),
            ("application/*", .json), ("application/vnd.widget-frames+json", .frames),
            ("text/html;q=0, */*;q=0.1", .text),
            ("TEXT/PLAIN ; Q=0.3", .text), ("text/html;q=nan, application/json;q=0.1", .json), ("image/png", nil),
            ("text/html;q=0", nil), (",,;", nil),
        ] as [(String?, WidgetForm?)])
    func `The form with the greatest weight is chosen`(_ accept: String?, _ form: WidgetForm?) {
        #expect(WidgetForm(accepting: accept) == form)
    }

    @Test func `Its sheet is small`() throws {
        let sheet = SlotSheet([.init(width: 320, height: 480)], columns: 3)
        #expect(try #require(gzip(sheet.bytes, level: 9)).count <= 2_560)
        #expect(String(decoding: sheet.bytes, as: UTF8.self).contains("--zoom:0.853"))
        for wish in ["(prefers-contrast:more)", "(forced-colors:active)", "(prefers-reduced-motion:reduce)"] {
            #expect(SlotSheet.text.contains("@media \(wish)"))
        }
    }
}
