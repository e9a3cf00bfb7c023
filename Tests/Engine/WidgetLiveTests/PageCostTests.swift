import JSONText
import Testing
import WidgetCore
import WidgetDeflate
import WidgetHosting
import WidgetRender
import WidgetRunning
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetLive

/// Goal: a first page is small, and one row of many is little work. Method: the bytes of samples' pages with their sheets,
/// compressed, and views that are evaluated.
@Suite struct `The cost of a live page` {
    /// A sample, with a picture of a usual size for each name.
    private final class Sample: LiveSource {
        struct Pictures: ViewAssets {
            func image(_ name: String, scale: Int, isDark: Bool) -> PictureAnswer {
                .file(PictureFile(Array(name.utf8), .png, width: 240, height: 240, scale: 2))
            }
        }

        let program: LiveProgram

        init(_ name: String) throws {
            let (program, _) = try BundleReading.program(at: "\(Corpus.repositoryRoot)/Bundles/\(name)")
            self.program = LiveProgram(program, Pictures())
        }

        func widget() async -> RunningWidget {
            RunningWidget(WidgetInstance(program.planned.program), network: DeniedNetwork())
        }

        func still() -> View { View(screen: "", title: "", root: ViewNode(ViewKey(screen: 0, node: 0), .screen)) }
    }

    @Test(arguments: [("Forge", 4_608), ("HarbourLog", 5_800)])
    func `A first page with its sheets has few bytes, compressed`(name: String, most: Int) async throws {
        let sample = try Sample(name)
        let desk = LiveDesk(LiveLimits(), in: World(clock: ManualClock(), chance: SeededChance(seed: 7)))
        let page = try await desk.open(
            sample, from: "127.0.0.1", begin: "/live", script: ScriptAddress("/assets/\(LiveScript.fileName)")
        ) {
            var options = PageOptions()
            options.sheets = ["/assets/\(BaseSheet.fileName)"]
            return LivePlace(options, page: "/live/\($0)", begin: "/live", assets: "/assets/")
        }
        let viewing = OnePage(page, try #require(await page.part("a") as? Viewing))
        let shown = try #require(await viewing.page())
        let files = [shown.html, BaseSheet.bytes, sample.program.planned.sheet.bytes, Array(shown.sheet.utf8)]
        let sizes = try files.map { try #require(gzip($0, level: 9)).count }
        #expect(sizes.reduce(0, +) <= most, "\(sizes)")
        // Each sheet is one that the page names.
        let html = String(decoding: shown.html, as: UTF8.self)
        #expect(html.matches(of: /rel="stylesheet"/).count == 3 && html.contains("/assets/\(BaseSheet.fileName)"))
        await desk.stop()
    }

    private static let rows = """
        {"schema": 1, "state": {"count": 0, "people": [\((0..<10_000).map { #"{"id": \#($0), "note": "a"}"# }.joined(separator: ","))]},
         "root": [
          {"kind": "button", "id": "change", "payload": {"text": "Change"}, "on": {"tap": [
            {"do": "update", "state": "people", "at": 50, "with": {"note": {"$": ["note ", "$count"]}}},
            {"do": "set", "state": "count", "to": {"$": "count + 1"}}]}},
          {"kind": "table", "items": {"in": "$people", "as": "person", "key": "$person.id"},
           "children": [{"kind": "cell", "payload": {"title": "$person.note"}}]}]}
        """

    @Test func `A tap that changes one of 10,000 rows evaluates one view, and sends one field`() async throws {
        let bench = try LiveBench(Self.rows)
        let (viewing, sink) = try await bench.shown()
        await bench.settle(viewing)
        for serial in 1...3 {
            let before = await viewing.part.widget.instance.evaluationCount
            #expect(await viewing.tap(serial, "change") == .taken)
            await bench.settle(viewing)
            // A second look finds the same view.
            await viewing.drained()
            #expect(await viewing.view.root === viewing.view.root)
            #expect(await viewing.part.widget.instance.evaluationCount == before + 1)
            #expect(sink.writes.last?.letters == ["e", "s"])
        }
        await bench.desk.stop()
    }

    @Test func `A page that is loaded again gets the looks that only the one before was brought`() async throws {
        let document = #"""
            {"schema": 1, "state": {"count": 0, "wants": false}, "root": [
              {"kind": "button", "id": "turn", "payload": {"text": "Turn"},
               "on": {"tap": {"do": "set", "state": "count", "to": {"$": "count + 1"}}}},
              {"kind": "switch", "id": "news", "if": {"$": "count == 1 OR count == 3"}, "payload": {"label": "News", "value": "$wants"}}]}
            """#
        let bench = try LiveBench(document)
        let (viewing, sink) = try await bench.shown()
        func rules() -> String { "\(sink.writes.last?.all("c") ?? [])" }
        #expect(await viewing.sheet(1)?.contains(".sw{") == false)
        _ = await viewing.tap(1, "turn")
        await bench.settle(viewing)
        #expect(rules().contains(".sw{"))
        _ = await viewing.tap(2, "turn")
        await bench.settle(viewing)
        let again = try #require(await viewing.page())
        #expect(!again.sheet.contains(".sw{"))
        await viewing.follow(after: again.number, sink)
        _ = await viewing.tap(3, "turn")
        await bench.settle(viewing)
        #expect(rules().contains(".sw{"))
        await bench.desk.stop()
    }
}
