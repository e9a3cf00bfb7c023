import Testing
import WidgetBytes
import WidgetCore
import WidgetHosting
import WidgetRender
import WidgetRunning

@testable import WidgetLive

/// Goal: a page knows whether a person has just acted when its widget wants an address opened. Method: a document that wants
/// one by itself and one in answer to a tap.
@Suite struct `B15: an address that a widget wants to open` {
    @Test func `An address is opened for a person only in answer to an act`() async throws {
        let source = OpeningSource(
            try DocumentSource(
                #"""
                {"schema": 1, "state": {"count": 0},
                 "on": {"load": {"do": "open", "url": "acme://pay/FORCED"}},
                 "root": [
                   {"kind": "label", "id": "shown", "payload": {"text": {"$": ["count ", "$count"]}}},
                   {"kind": "button", "id": "add", "payload": {"text": "Pay"},
                    "on": {"tap": {"do": "open", "url": "acme://pay/WANTED"}}}]}
                """#))
        let bench = try LiveBench()
        let page = try await bench.desk.open(source, from: "127.0.0.1", begin: "/live", script: nil) {
            LivePlace(PageOptions(), page: "/live/\($0)", begin: "/live", assets: "/assets/")
        }
        let viewing = OnePage(page, try #require(await page.part("a") as? Viewing))
        _ = await viewing.page()
        _ = await viewing.tap(1, "add")
        _ = await viewing.page()
        #expect(source.opened == ["acme://pay/FORCED false", "acme://pay/WANTED true"])
        await bench.desk.stop()
    }

    /// Notes the addresses, and opens none.
    private final class OpeningSource: LiveSource {
        private let source: DocumentSource
        private let addresses = Guarded([String]())

        init(_ source: DocumentSource) { self.source = source }

        var opened: [String] { addresses.withLock { $0 } }
        var program: LiveProgram { source.program }
        func widget() async -> RunningWidget { await source.widget() }
        func still() -> View { source.still() }

        func open(_ address: String, isTouched: Bool) async -> Bool {
            addresses.withLock { $0.append("\(address) \(isTouched)") }
            return false
        }
    }
}
