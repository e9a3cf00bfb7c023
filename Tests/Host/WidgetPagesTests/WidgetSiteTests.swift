import Foundation
import Testing
import WidgetFiles
import WidgetLayout
import WidgetLive
import WidgetRuntime
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetPages

/// Goal: an app's own server shows widgets in its pages by passing on requests. Method: the public interface, and
/// requests as browsers send them.
@Suite struct `Widgets in pages of one's own` {
    /// A site with a session, and what a browser does on its page.
    private struct Visit {
        let site: WidgetSite
        let session: WidgetSession
        let element: String
        /// The address of the widget's page.
        let live: String

        init(_ options: WidgetPageOptions = WidgetPageOptions(), in scratch: borrowing ScratchDirectory) async throws {
            let site = WidgetSite(below: "/widgets")
            let session = try await GuestBook.session(in: scratch)
            try await self.init(site, session, options)
        }

        init(_ site: WidgetSite, _ session: WidgetSession, _ options: WidgetPageOptions) async throws {
            (self.site, self.session) = (site, session)
            element = try await site.element(of: session, options: options, for: "192.0.2.1")
            live = try String(#require(element.firstMatch(of: /data-live="([^"]*)"/)?.1))
        }

        func send(
            _ method: String, _ path: String, _ body: String = "", type: String = "application/x-www-form-urlencoded",
            _ fields: [(String, String)] = []
        ) async throws -> SiteAnswer {
            let own = [("Host", "example.org"), ("Content-Type", type)]
            let request = SiteRequest(method, path, fields: own + fields, body: Array(body.utf8))
            return try #require(await site.answer(request))
        }

        func get(_ path: String) async throws -> (status: Int, text: String) {
            let answer = try await send("GET", path)
            return (answer.status, answer.text)
        }

        /// The value of the button of an element, as pages have it.
        var add: String {
            element.firstMatch(of: /name="do" value="(\[&quot;tap[^"]*)"/).map {
                String($0.1).replacing("&quot;", with: "\"")
            }
                ?? ""
        }
    }

    @Test func `An element has its sheets in its root, and every address it names is answered`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        var options = WidgetPageOptions()
        (options.letter, options.heading, options.headingLevel) = ("c", "Guests", 4)
        let visit = try await Visit(options, in: scratch)
        #expect(visit.element.hasPrefix("<widget-view data-live=\"/widgets/"))
        #expect(visit.element.contains("data-view=\"1c1\" data-slot=\"c\"><template shadowrootmode=\"open\"><link"))
        #expect(visit.element.contains("&lt;b&gt;Guests&lt;/b&gt; 0"))
        // Nothing of it is a script or a style, and its identities and headings are those that the page gave.
        for word in ["<script", "<style", " style=", " onclick", "<h1", "<h2", "<h3", "<main", " id=\"a"] {
            #expect(!visit.element.contains(word), "\(word)")
        }
        let names = visit.element.matches(of: /(?:href|src)="([^"]*)"/).map { String($0.1) }
        #expect(names.count >= 4 && names.allSatisfy { $0.hasPrefix("/widgets/") })
        for name in names {
            let (status, text) = try await visit.get(name)
            #expect(status == 200, "\(name)")
            // Lengths are not those of the page around it.
            #expect(text.firstMatch(of: /[0-9.]rem\b/) == nil, "\(name)")
            #expect(!name.contains("/element-") || text.contains("all:initial"))
        }
        let script = try #require(visit.site.script.firstMatch(of: /src="([^"]*)" defer><\/script>$/)?.1)
        let (status, text) = try await visit.get(String(script))
        #expect(status == 200 && text.contains("customElements.define(\"widget-view\""))
    }

    @Test func `A batch of acts is taken, and the stream says what has changed and where the page is`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let visit = try await Visit(in: scratch)
        let events = try await visit.send("GET", "\(visit.live)/events?after=1a1")
        guard case .stream(let pieces) = events.body else { throw RuntimeError(.refused, "it is not a stream") }
        #expect(events.fields.contains { $0 == ("Content-Type", "text/event-stream") })
        var reader = pieces.makeAsyncIterator()
        #expect(await reader.next().map { String(decoding: $0, as: UTF8.self).hasPrefix(":") } == true)
        let answer = try await visit.send("POST", "\(visit.live)/a/actions", "[1,[\(visit.add)]]", type: "text/plain")
        #expect(answer.status == 204)
        let piece = String(decoding: try #require(await reader.next()), as: UTF8.self)
        #expect(piece.hasPrefix("id: 1a2\ndata: {\"a\":[[\"e\",1]") && piece.contains("Guests&lt;/b&gt; 1") == false)
        #expect(piece.contains("Guests</b> 1"), "\(piece)")
        // Who comes back later with the position from before gets the same.
        let later = try await visit.send("GET", "\(visit.live)/events?after=1a1")
        guard case .stream(let others) = later.body else { return }
        var other = others.makeAsyncIterator()
        _ = await other.next()
        #expect(String(decoding: await other.next() ?? [], as: UTF8.self).contains("</b> 1"))
        // The one from before has ended.
        #expect(await reader.next() == nil)
        #expect(try await visit.send("POST", "\(visit.live)/a/actions", "[2,[[\"fly\"]]]").status == 400)
        #expect(try await visit.send("POST", "\(visit.live)/end").status == 204)
        #expect(String(decoding: await other.next() ?? [], as: UTF8.self).hasPrefix("event: o"))
        #expect(await other.next() == nil)
        let over = try await visit.send("POST", "\(visit.live)/a/actions", "[3,[]]")
        #expect(over.status == 410 && over.text.contains("because it was left"))
        // The session continues.
        #expect(await visit.session.screen().text().contains("Guests</b> 1"))
    }

    @Test func `A form without script is taken, with its files, and leads back to the page around it`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let visit = try await Visit(in: scratch)
        let form = "n=1&do=\(visit.add.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        for (referer, place) in [
            ("https://example.org/page?x=1", "https://example.org/page?x=1"), ("https://other.example/page", nil),
            (nil, nil),
            ("https://example.org//evil.example/x", "https://example.org//evil.example/x"),
            ("https://example.org.evil.example/x", nil), ("https://example.org@evil.example/x", nil),
        ] as [(String?, String?)] {
            let answer = try await visit.send("POST", "\(visit.live)/a", form, referer.map { [("Referer", $0)] } ?? [])
            #expect(answer.status == (place == nil ? 204 : 303), "\(referer ?? "")")
            #expect(answer.fields.first { $0.name == "Location" }?.value == place)
        }
        #expect(await visit.session.screen().text().contains("Guests</b> 6"))
        let multipart = "--x\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n1\r\n--x--\r\n"
        let type = "multipart/form-data; boundary=x"
        #expect(try await visit.send("POST", "\(visit.live)/a", multipart, type: type).status == 204)
        #expect(try await visit.send("POST", "\(visit.live)/a", "--x\r\n", type: type).status == 400)
        #expect(try await visit.send("POST", "\(visit.live)/a", form, [("Sec-Fetch-Site", "cross-site")]).status == 403)
        #expect(try await visit.send("POST", "\(visit.live)/a", form, [("Sec-Fetch-Site", "same-site")]).status == 403)
        #expect(await visit.session.screen().text().contains("Guests</b> 6"))
    }

    @Test func `What is not below the path is the app's, and what is not there says so`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let visit = try await Visit(in: scratch)
        for path in ["/", "/widgets", "/widgetsx/a", "/other/widgets/a"] {
            #expect(await visit.site.answer(SiteRequest("GET", path, fields: [])) == nil, "\(path)")
        }
        let absent = "/widgets/\(String(repeating: "0", count: 32))"
        for (method, path, status) in [
            ("GET", "/widgets/", 404), ("GET", "/widgets/nothing.css", 404), ("GET", "\(absent)/a/1.css", 404),
            ("GET", "\(visit.live)/a/99.css", 404), ("GET", "\(visit.live)/b/1.css", 404), ("GET", visit.live, 204),
            ("POST", "\(absent)/a", 410), ("POST", "\(visit.live)/b", 404), ("POST", "\(visit.live)/a/other", 404),
            ("PUT", "\(visit.live)/a", 404), ("GET", "\(visit.live)/a/../../x", 404), ("GET", "/widgets/a/b/c/d", 404),
        ] {
            #expect(try await visit.send(method, path).status == status, "\(method) \(path)")
        }
        // A page that is over says so on its stream, too.
        let events = try await visit.send("GET", "\(absent)/events")
        guard case .stream(let pieces) = events.body else { return }
        var text = ""
        for await piece in pieces { text += String(decoding: piece, as: UTF8.self) }
        #expect(text.hasSuffix("event: o\ndata:\n\n"))
    }

    private static let titled = #"""
        { "schema": 1, "title": "Guests", "state": { "count": 0 },
          "root": [ { "kind": "label", "id": "shown", "payload": { "text": "Welcome" } },
            { "kind": "button", "id": "go", "payload": { "text": "Go" },
              "on": { "tap": { "do": "open", "url": "https://a.example/b" } } } ] }
        """#

    @Test(arguments: [(1, 1), (3, 3), (6, 6), (0, 1), (9, 6)])
    func `Headings begin at the level of the page, and the reader is the one of the options`(
        _ level: Int, _ shown: Int
    ) async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let session = try await GuestBook.session(in: scratch, document: Self.titled)
        var options = WidgetPageOptions()
        (options.heading, options.headingLevel, options.scheme) = ("The \"hall\"", level, .dark)
        (options.locale, options.isRightToLeft, options.textSize) = ("de_AT", true, .extraExtraLarge)
        let visit = try await Visit(WidgetSite(below: "/widgets"), session, options)
        #expect(visit.element.contains("<h\(shown) ") && visit.element.matches(of: /<h[1-6]/).count == 1)
        let around = #"class="page" lang="de-AT" dir="rtl" role="group" aria-label="The &quot;hall&quot;""#
        #expect(visit.element.contains(around), "\(visit.element)")
        #expect(visit.element.contains(#"" data-words="Diese Seite ist beendet.|"#), "\(visit.element)")
        let sheet = try await visit.get("\(visit.live)/a/1.css").text
        #expect(sheet.contains(".page{color-scheme:dark;--widget-scale:") && !sheet.contains(":root"))
    }

    @Test func `Another program of the session comes to the pages that are open`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let visit = try await Visit(in: scratch)
        let events = try await visit.send("GET", "\(visit.live)/events?after=1a1")
        guard case .stream(let pieces) = events.body else { return }
        var reader = pieces.makeAsyncIterator()
        _ = await reader.next()
        let padded = #""kind": "label", "style": {"padding": 31},"#
        let changed = GuestBook.document.replacing(#""kind": "label","#, with: padded)
        try Data(changed.utf8).write(to: URL(filePath: "\(scratch.path)/Guests.bundle/Main.widgets.json"))
        #expect(try await visit.session.reload())
        // The text alone would come from the running widget; the rules come with the program.
        var heard = ""
        while !(heard.contains("!program") && heard.contains("31px")), let piece = await reader.next() {
            heard += String(decoding: piece, as: UTF8.self)
        }
        #expect(heard.contains("31px"))
        let next = try await Visit(visit.site, visit.session, WidgetPageOptions())
        func sheet(_ text: String) -> Substring? { text.firstMatch(of: /href="(\/widgets\/[0-9a-f]{32}\.css)"/)?.1 }
        #expect(sheet(next.element) != sheet(visit.element))
    }

    @Test func `A stream that a server has dropped has ended as a use of its page`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let session = try await GuestBook.session(in: scratch)
        var limits = WidgetSite.limits
        limits.viewingsPerAddress = 1
        let clock = ManualClock()
        let site = WidgetSite(below: "/widgets", limits, in: World(clock: clock))
        let element = try await site.element(of: session, for: "a")
        let live = try #require(element.firstMatch(of: /data-live="([^"]*)"/)?.1)
        func hear() async {
            guard
                case .stream(let pieces)? =
                    await site.answer(SiteRequest("GET", "\(live)/events?after=0", fields: []))?.body
            else { return }
            var reader = pieces.makeAsyncIterator()
            for _ in 0..<2 { _ = await reader.next() }
            clock.advance(by: .seconds(10))
            let other = try? await site.element(of: session, for: "a")
            #expect(other == nil, "the page has a stream")
        }
        await hear()
        var other: String?
        // Well below the time after which it would be idle.
        for _ in 0..<100_000 where other == nil {
            await Task.yield()
            if clock.passed < .seconds(300) { clock.advance(by: .milliseconds(50)) }
            other = try? await site.element(of: session, for: "a")
        }
        #expect(other != nil)
        await site.close()
        await #expect(throws: RuntimeError.self) { try await site.element(of: session, for: "b") }
    }

    @Test(arguments: [true, false])
    func `An address is a link, or a wish for the app`(_ showsLinks: Bool) async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let session = try await GuestBook.session(in: scratch, document: Self.titled)
        var options = WidgetPageOptions()
        options.showsLinks = showsLinks
        let visit = try await Visit(WidgetSite(below: "/widgets"), session, options)
        #expect(try await visit.send("POST", "\(visit.live)/a/actions", "[1,[\(visit.add)]]").status == 204)
        let events = try await visit.send("GET", "\(visit.live)/events?after=1a1")
        guard case .stream(let pieces) = events.body else { return }
        var reader = pieces.makeAsyncIterator()
        _ = await reader.next()
        let said = String(decoding: await reader.next() ?? [], as: UTF8.self)
        #expect(said.contains("https://a.example/b") == showsLinks, "\(said)")
        #expect(await session.takeWishes().count == (showsLinks ? 0 : 1))
    }

    @Test func `A slow reader gets one difference when it has read`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let session = try await GuestBook.session(in: scratch)
        var limits = WidgetSite.limits
        limits.pendingByteCount = 1
        let clock = ManualClock()
        let visit = try await Visit(
            WidgetSite(below: "/widgets", limits, in: World(clock: clock)), session, WidgetPageOptions())
        let events = try await visit.send("GET", "\(visit.live)/events?after=1a1")
        guard case .stream(let pieces) = events.body else { return }
        var reader = pieces.makeAsyncIterator()
        // The opening waits, so nothing is written behind it.
        for serial in 1...3 {
            clock.advance(by: .seconds(1))
            #expect(try await visit.send("POST", "\(visit.live)/a/actions", "[\(serial),[\(visit.add)]]").status == 204)
        }
        _ = await reader.next()
        let bytes = await clock.moving { [reader] in
            var reader = reader
            // While time passes, beats say that the stream is alive.
            while let piece = await reader.next() {
                if !piece.starts(with: Array("event: b\n".utf8)) { return Optional(piece) }
            }
            return nil
        }
        let piece = String(decoding: bytes ?? [], as: UTF8.self)
        #expect(piece.hasPrefix("id: 1a2\n") && piece.contains("</b> 3") && piece.contains(#"["e",3]"#), "\(piece)")
    }

    @Test func `Files are kept as their names allow, and HEAD is answered as GET`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let visit = try await Visit(in: scratch)
        for name in visit.element.matches(of: /href="([^"]*)"/).map({ String($0.1) }) {
            let (get, head) = (try await visit.send("GET", name), try await visit.send("HEAD", name))
            #expect(head.status == 200 && head.fields.map(\.value) == get.fields.map(\.value), "\(name)")
            let isFixed = name.contains(/[0-9a-f]{32}\.css$/)
            let caching = get.fields.first { $0.name == "Cache-Control" }?.value
            #expect(caching == (isFixed ? "public, max-age=31536000, immutable" : "no-cache"), "\(name)")
            #expect(get.fields.contains { $0 == ("X-Content-Type-Options", "nosniff") })
        }
        let act = try await visit.send("POST", "\(visit.live)/a/actions", "[1,[]]")
        #expect(act.fields.contains { $0 == ("Cache-Control", "no-store") })
        var last: SiteAnswer?
        for serial in 2...200 where last?.status != 429 {
            last = try await visit.send("POST", "\(visit.live)/a/actions", "[\(serial),[\(visit.add)]]")
        }
        #expect(last?.status == 429 && last?.fields.contains { $0.name == "Retry-After" } == true)
    }

    @Test func `Behind a proxy a page has the addresses that browsers see, and the way back`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let site = WidgetSite(below: "/widgets", publicPath: "/app/widgets")
        let session = try await GuestBook.session(in: scratch)
        let visit = try await Visit(site, session, WidgetPageOptions())
        #expect(visit.live.hasPrefix("/app/widgets/") && site.script.contains("src=\"/app/widgets/live-"))
        for name in visit.element.matches(of: /(?:href|src)="([^"]*)"/).map({ String($0.1) }) {
            #expect(name.hasPrefix("/app/widgets/"))
            #expect(try await visit.get(String(name.dropFirst(4))).status == 200, "\(name)")
        }
        let fields = [("X-Forwarded-Host", "shop.example"), ("Referer", "https://shop.example/app/page")]
        let answer = try await visit.send("POST", "\(visit.live.dropFirst(4))/a", "n=1", fields)
        #expect(answer.status == 303)
    }

    @Test func `A visitor who signs out while a page is begun anew has none afterwards`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let session = try await GuestBook.session(in: scratch)
        let site = WidgetSite(below: "/widgets")
        for _ in 0..<200 {
            let visit = try await Visit(site, session, WidgetPageOptions())
            #expect(try await visit.send("POST", "\(visit.live)/end").status == 204)
            async let again = visit.send("POST", "\(visit.live)/again")
            async let signedOut: Void = site.end(for: "192.0.2.1")
            let answer = try await again
            await signedOut
            // It was begun before the visitor had signed out, or not at all.
            guard let next = answer.fields.first(where: { $0.name == "Location" })?.value else { continue }
            #expect(try await visit.send("POST", "\(next)/a/actions", "[1,[]]").status == 410)
            #expect(try await visit.send("POST", "\(next)/again").status == 410)
        }
        await site.close()
    }

    @Test func `A page that has ended is begun anew for a day, until its visitor signs out`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let session = try await GuestBook.session(in: scratch)
        let clock = ManualClock()
        let site = WidgetSite(below: "/widgets", WidgetSite.limits, in: World(clock: clock))
        var options = WidgetPageOptions()
        options.letter = "c"
        let visit = try await Visit(site, session, options)
        #expect(visit.element.contains("data-begin=\"\(visit.live)/again\""))
        func again() async throws -> String? {
            let answer = try await visit.send("POST", "\(visit.live)/again")
            guard answer.status == 303 else { return nil }
            return answer.fields.first { $0.name == "Location" }?.value
        }
        #expect(try await visit.send("POST", "\(visit.live)/end").status == 204)
        #expect(try await visit.send("POST", "\(visit.live)/c/actions", "[1,[]]").status == 410)
        let next = try #require(try await again())
        #expect(next != visit.live)
        #expect(try await visit.get(next).status == 204)
        #expect(try await visit.send("POST", "\(next)/c/actions", "[1,[\(visit.add)]]").status == 204)
        #expect(await session.screen().text().contains("Guests</b> 1"))
        // Its data were those of the session, so nothing was lost that the page would have to say.
        let events = try await visit.send("GET", "\(next)/events?after=0")
        guard case .stream(let pieces) = events.body else { return }
        var reader = pieces.makeAsyncIterator()
        _ = await reader.next()
        let whole = String(decoding: await reader.next() ?? [], as: UTF8.self)
        #expect(whole.contains("Guests&lt;/b&gt; 1") && !whole.contains("has ended"), "\(whole)")

        await site.end(for: "someone else")
        let last = try #require(try await again())
        await site.end(for: "192.0.2.1")
        #expect(try await again() == nil)
        #expect(try await visit.send("POST", "\(last)/c/actions", "[2,[]]").status == 410)

        let other = try await Visit(site, session, options)
        clock.advance(by: .seconds(86_399))
        #expect(try await other.send("POST", "\(other.live)/again").status == 303)
        clock.advance(by: .seconds(86_400))
        #expect(try await other.send("POST", "\(other.live)/again").status == 410)
        let unknown = "/widgets/\(String(repeating: "0", count: 32))/again"
        #expect(try await visit.send("POST", unknown).status == 410)
        #expect(try await visit.send("POST", unknown, "", [("Sec-Fetch-Site", "cross-site")]).status == 403)
        await site.close()
        #expect(try await other.send("POST", "\(other.live)/again").status == 410)
    }

    @Test func `The bounds of a site are those of data that outlive a page`() {
        let limits = WidgetSite.limits
        // Who only looks uses a page, too; and an app keeps what it likes.
        #expect(limits.idleWithStream == .infinity && limits.idleWithoutStream == 600)
        #expect(limits.viewingByteCount == LiveLimits.ofSessions.viewingByteCount)
        #expect(limits.viewingByteCount > 8 * LiveLimits().viewingByteCount)
    }

    @Test func `Each size of text is one of the system's`() {
        let sizes = WidgetPageOptions.TextSize.allCases
        #expect(Set(sizes.map(\.printed)).count == sizes.count && sizes.map(\.printed) == Viewport.TextSize.allCases)
    }

    @Test func `The field of a browser that comes back beats the query`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let visit = try await Visit(in: scratch)
        _ = try await visit.send("POST", "\(visit.live)/a/actions", "[1,[\(visit.add)]]")
        let events = try await visit.send("GET", "\(visit.live)/events?after=0", "", [("last-event-id", "1a1")])
        guard case .stream(let pieces) = events.body else { return }
        var reader = pieces.makeAsyncIterator()
        _ = await reader.next()
        #expect(!String(decoding: await reader.next() ?? [], as: UTF8.self).contains(#"["w","#))
    }

    @Test func `A path is one of letters that need no escape`() {
        #expect(WidgetSite(below: "/widgets").path == "/widgets" && WidgetSite(below: "a//b/").path == "/a/b")
        #expect(WidgetSite(below: "/\"><script>").path == "/script" && WidgetSite(below: "").path == "")
    }

    @Test func `Visitors of one session see what the others do`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let visit = try await Visit(in: scratch)
        var options = WidgetPageOptions()
        options.letter = "b"
        let other = try await Visit(visit.site, visit.session, options)
        #expect(other.live != visit.live && other.element.contains("id=\"b"))
        _ = try await other.send("POST", "\(other.live)/b/actions", "[1,[\(other.add)]]", type: "text/plain")
        #expect(try await Visit(visit.site, visit.session, options).element.contains("Guests&lt;/b&gt; 1"))
        await visit.site.close()
    }

    @Test func `Pages that are gone make room for others, and those in use do not`() async throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let session = try await GuestBook.session(in: scratch)
        var limits = WidgetSite.limits
        #expect(limits.makesRoomForAll && limits.viewingsPerAddress >= 100)
        (limits.viewings, limits.viewingsPerAddress) = (4, 3)
        let clock = ManualClock()
        let site = WidgetSite(below: "/widgets", limits, in: World(clock: clock))
        func open(_ client: String) async -> String? {
            try? await site.element(of: session, for: client).firstMatch(of: /data-live="([^"]*)"/).map { String($0.1) }
        }
        var pages: [String] = []
        for client in ["a", "a", "a", "b"] { pages.append(try #require(await open(client))) }
        for client in ["a", "c"] { #expect(await open(client) == nil) }
        clock.advance(by: .seconds(limits.unusedSeconds))
        // The first one has a stream, which is a use of it.
        let stream = try #require(await site.answer(SiteRequest("GET", "\(pages[0])/events?after=0", fields: [])))
        guard case .stream(let events) = stream.body else { return }
        var reader = events.makeAsyncIterator()
        for _ in 0..<2 { _ = await reader.next() }
        for client in ["a", "c", "d"] { #expect(await open(client) != nil, "\(client)") }
        #expect(await open("e") == nil)
        func act(_ page: String) async -> Int? {
            let request = SiteRequest("POST", "\(page)/a/actions", fields: [], body: Array("[1,[]]".utf8))
            return await site.answer(request)?.status
        }
        #expect(await act(pages[0]) == 204)
        for page in pages.dropFirst().prefix(2) { #expect(await act(page) == 410) }
        #expect(await site.answer(SiteRequest("GET", "/other", fields: [])) == nil)
        await site.close()
    }
}

extension SiteAnswer {
    /// The content of a whole answer.
    var text: String {
        guard case .bytes(let bytes) = body else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }
}
