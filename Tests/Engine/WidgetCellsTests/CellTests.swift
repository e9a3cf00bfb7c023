import Bytes
import Foundation
import JSONText
import Predicates
import Processes
import TestSupport
import Testing
import WidgetCore
import WidgetHosting
import WidgetLive
import WidgetRender
import WidgetRunning

@testable import WidgetCells

/// Goal: a widget in a cell is the widget. Method: a confined process where the process is the subject, and otherwise cells in
/// this process.
@Suite(.ownThreads) struct `Widgets in cells` {
    @Test func `A page, an act and the stream of a widget are those of a viewing in the same process`() async throws {
        let bench = try CellBench(in: .process)
        let viewing = try await bench.open()
        let page = try #require(await viewing.page())
        let html = String(decoding: page.html, as: UTF8.self)
        #expect(html.contains("count 0") && html.contains("data-live=\"/live/\(viewing.name)\""))
        #expect(html.contains("data-begin=\"/live\"") && page.number == 1)
        #expect(await viewing.sheet(1)?.contains("--status") == true)
        let add = try #require(bench.key(of: ">Add<", in: page.html))

        let sink = CellSink()
        await viewing.follow(after: 1, sink)
        #expect(await viewing.act(Array(#"[7,[["tap","\#(add)"]]]"#.utf8)) == .taken)
        await sink.has("count 1", #"["e",7]"#)
        #expect(sink.writes.contains { $0.text.contains("count 1") && $0.text.contains(#"["e",7]"#) })
        #expect(await viewing.page().map { String(decoding: $0.html, as: UTF8.self).contains("count 1") } == true)
        await bench.desk.stop()
        #expect(sink.ends == [true])
    }

    @Test func `A link opens its screen in a cell, whose page knows its place`() async throws {
        let document = #"""
            {"schema": 1, "parameters": {"id": 0}, "state": {"rows": [{"id": 1}, {"id": 2}]}, "links": {
               "note": {"pattern": "acme://notes/{id:integer}", "scene": "Main"},
               "row": {"pattern": "acme://rows/{row:integer}", "scene": "Main", "reveal": {"list": "rows", "key": "id", "part": "row"}}},
             "root": [{"kind": "label", "payload": {"text": {"$": ["note ", "$id"]}}},
               {"kind": "table", "id": "rows", "items": {"in": "$rows", "as": "row", "key": "$row.id"},
                "children": [{"kind": "cell", "payload": {"title": "$row.id"}}]}]}
            """#
        let bench = try CellBench(document)
        let note = try await bench.open(opening: "acme://notes/4").live.whole()
        let html = String(decoding: note.html, as: UTF8.self)
        #expect(html.contains("note 4") && html.contains(#"data-depth="1""#) && note.link == "acme://notes/4")
        let row = try await bench.open(opening: "acme://rows/2").live.whole()
        #expect(row.anchor.map { String(decoding: row.html, as: UTF8.self).contains("id=\"\($0)\"") } == true)
        let lost = try await bench.open(opening: "acme://notes/x\r\n").live.whole()
        #expect(lost.link == nil && lost.anchor == nil)
        #expect(String(decoding: lost.html, as: UTF8.self).contains(SystemWords.english[.linkLost]))
        await bench.desk.stop()
    }

    @Test(arguments: ["a1.2\" onload=\"", "b1.2", "a1.2#x", "a", "", "a1.2\r\n", "a01.2"])
    func `What a cell says of the place of its page is checked`(anchor: String) throws {
        var json = JSONWriter()
        json.object { json in
            json.member("number", 1)
            json.member("sheet", "")
            json.member("depth", Int.max)
            json.member("link", String(repeating: "a", count: 9_000))
            json.member("anchor", anchor)
        }
        let place = LivePlace(PageOptions(), page: "/live/x", begin: "/live", assets: "/assets/")
        let message = CellMessage(head: try JSONValue(parsing: json.finish()), body: [], headByteCount: 0)
        let part = try #require(CellAnswers.part(message, at: place, "x.css"))
        #expect(part.depth == LiveLimits.depth && part.link == nil && part.anchor == nil)
    }

    @Test func `A form without script is taken, with the texts of its fields`() async throws {
        let bench = try CellBench()
        let viewing = try await bench.open()
        let page = try #require(await viewing.page())
        let html = String(decoding: page.html, as: UTF8.self)
        let field = try #require(html.firstMatch(of: /<input[^>]*type="text"[^>]*name="([^"]+)"/)?.1).description
        let form = LiveForm(fields: [("n", "1"), (field, "Ada <b>"), ("do", #"["enter"]"#)])
        #expect(await viewing.post(form) == .taken)
        #expect(
            await viewing.page().map { String(decoding: $0.html, as: UTF8.self).contains("name Ada &lt;b&gt;") } == true
        )
        await bench.desk.stop()
    }

    @Test func `Viewings of a release share a cell, and those of another reader have another one`() async throws {
        let bench = try CellBench()
        let (first, second) = (try await bench.open(), try await bench.open())
        #expect(bench.house.figures.viewings == 2)
        let before = bench.house.figures.started
        let other = try await bench.open("other")
        #expect(bench.house.figures.started > before)
        for viewing in [first, second, other] { await viewing.end(.left) }
        #expect(bench.house.figures.viewings == 0)
    }

    @Test func `A first screen that cannot be touched is printed without a viewing`() async throws {
        let bench = try CellBench()
        let still = try #require(try await bench.still(run: "/w/x/run"))
        let html = String(decoding: still.html, as: UTF8.self)
        #expect(html.contains("inert") && html.contains("action=\"/w/x/run\"") && html.contains("count 0"))
        #expect(bench.house.figures.viewings == 0)
    }

    @Test func `A cell says what confines it before it reads anything`() async throws {
        let bench = try CellBench(in: .process, CellLimits())
        let text = try await bench.house.probe()
        let confinement = try #require(Confinement(text: text))
        #expect(confinement.isEnough && confinement.isOn(.seccomp) && confinement.isOn(.limits))
        #expect(bench.house.figures.spares == 1)
    }

    @Test func `The first page of a release has as many spares started as the limits say`() async throws {
        let bench = try CellBench(CellBench.document, CellLimits())
        _ = try await bench.open()
        await bench.becomes { $0.spares == 2 }
        #expect(bench.house.figures.spares == 2 && bench.house.figures.cells == 3)
    }

    @Test func `A cell without Landlock and without a filter of calls runs nothing`() async throws {
        let bench = try CellBench(in: .process, without: ["landlock", "seccomp"])
        await #expect(throws: LiveRefusal.self) { try await bench.open() }
        #expect(bench.desk.count == 0 && bench.house.figures.viewings == 0)
    }

    @Test func `B1: A cell that the limits of the kernel alone confine reviews bundles, and runs none`() async throws {
        let bench = try CellBench(without: ["landlock", "seccomp"])
        let review = try await bench.review("x")
        #expect(review.end == nil && review.pieces.map(\.name) == ["x"])
        await #expect(throws: CellRefusal.self) { try await bench.still() }
        // Without those limits it does not even look.
        let loose = try CellBench(without: ["limits"])
        #expect(try await loose.review("x").pieces.isEmpty)
    }

    @Test func `A host that has closed runs no widget, and reviews bundles as before`() async throws {
        let bench = try CellBench()
        let viewing = try await bench.open()
        bench.house.close()
        await bench.end(of: viewing)
        await #expect(throws: LiveRefusal.self) { try await bench.open() }
        #expect(try await bench.review("x").end == nil)
    }

    @Test(arguments: ["user-namespace", "network-namespace", "landlock", "seccomp"])
    func `One part of the confinement can be missing`(part: String) async throws {
        let bench = try CellBench(in: .process, without: [part])
        let viewing = try await bench.open()
        #expect(await viewing.page() != nil)
        let text = try #require(bench.house.confinement)
        #expect(Confinement(text: text)?.isEnough == true)
        await viewing.end(.left)
    }

    @Test func `A request of a granted widget is done by the host, and one without a grant reaches no network`()
        async throws
    {
        let document = #"""
            {"schema": 1, "state": {"count": 0}, "sources": {"word": {"action": "word"}},
             "root": [{"kind": "label", "payload": {"text": {"$": ["said ", "$word"]}}},
              {"kind": "label", "payload": {"text": {"$": ["count ", "$count"]}}},
              {"kind": "button", "id": "add", "payload": {"text": "Add"},
               "on": {"tap": {"do": "set", "state": "count", "to": {"$": "count + 1"}}}}]}
            """#
        let service = #"{"defaults": {"baseUrl": "https://api.example/"}, "actions": {"word": {"path": "x"}}}"#
        let bench = try CellBench(document, service: service)
        let network = CountedNetwork(
            ScriptedNetwork(["https://api.example/x": .response(status: 200, body: .string("hello"))]))
        for (slot, granted) in [("granted", network as (any WidgetNetwork)?), ("plain", nil)] {
            let viewing = try await bench.open(slot, network: granted)
            let page = try #require(await viewing.page())
            let sink = CellSink()
            await viewing.follow(after: page.number, sink)
            if granted != nil, !String(decoding: page.html, as: UTF8.self).contains("said hello") {
                await sink.has("hello")
            }
            // A cell sends its requests before it answers an act that comes later.
            let add = try #require(bench.key(of: ">Add<", in: page.html))
            #expect(await viewing.act(Array(#"[1,[["tap","\#(add)"]]]"#.utf8)) == .taken)
            await sink.has("count 1")
            let shown = try #require(await viewing.page())
            let isAnswered = String(decoding: shown.html, as: UTF8.self).contains("said hello")
            #expect(isAnswered == (granted != nil), "\(slot)")
        }
        await bench.desk.stop()
        #expect(network.asked == ["https://api.example/x"])
    }
}

/// A network that keeps the addresses it was asked for.
private final class CountedNetwork: WidgetNetwork {
    private let network: ScriptedNetwork
    private let addresses = Guarded<[String]>([])

    init(_ network: ScriptedNetwork) { self.network = network }

    var asked: [String] { addresses.withLock { $0 } }

    func outcome(
        of request: ServiceRequest, progress: @escaping @Sendable (Double) -> Void
    ) async -> RequestOutcome {
        addresses.withLock { $0.append(request.url) }
        return await network.outcome(of: request, progress: progress)
    }
}
