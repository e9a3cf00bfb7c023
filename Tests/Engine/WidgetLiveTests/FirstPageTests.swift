import Testing
import WidgetCore
import WidgetDocuments
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetLive

/// A network that answers when a test says so.
private final class HeldNetwork: WidgetNetwork {
    private let isOpen = Observed(false)

    func outcome(
        of request: ServiceRequest, progress: @escaping @Sendable (Double) -> Void
    ) async -> RequestOutcome {
        await isOpen.becomes { $0 }
        return .response(status: 200, body: .dictionary(PredicateDictionary([("title", .string("Fresh"))])))
    }

    func open() { isOpen.change { $0 = true } }
}

/// A widget that asks a service when it begins.
private final class AskingSource: LiveSource {
    let program: LiveProgram
    let network = HeldNetwork()

    init() throws {
        let file = DocumentFile(path: "Main.widgets.json", name: "Main", bytes: Array(AskingSource.document.utf8))
        var input = DocumentInput(identifier: "a.b", documents: [file], first: "Main")
        let action = ServiceAction(
            "news", url: Template("https://news.example/", .keys), parameters: StructuredTemplate(.null))
        input.services = [Service("News", actions: ["news": action])]
        input.name = "Morning News"
        program = LiveProgram(try DocumentReader.program(input), NoAssets())
    }

    /// The widget's clock does not move, so that no update is given up while other tests run.
    func widget() async -> RunningWidget {
        RunningWidget(WidgetInstance(program.planned.program), network: network, clock: ManualClock())
    }

    func still() -> View {
        var instance = WidgetInstance(program.planned.program)
        return instance.view()
    }

    private static let document = #"""
        {"schema": 1, "sources": {"news": {"action": "news"}}, "state": {"taps": 0}, "root": [
          {"kind": "label", "payload": {"text": "$news.title"}},
          {"kind": "label", "payload": {"text": "No posts here yet!"}, "if": "$news.status.inProgress"},
          {"kind": "button", "id": "tap", "payload": {"text": "Tap"},
           "on": {"tap": {"do": "set", "state": "taps", "to": {"$": "taps + 1"}}}}]}
        """#
}

/// Goal: a page without script shows what its widget has asked for. Method: a service that answers when the test says so,
/// and a clock that it moves.
@Suite struct `The first page of a widget` {
    private let clock = ManualClock()
    private let source: AskingSource
    private let desk: LiveDesk

    init() throws {
        source = try AskingSource()
        desk = LiveDesk(in: World(clock: clock, chance: SeededChance(seed: 3)))
    }

    private func open() async throws -> LivePage {
        try await desk.open(source, from: "127.0.0.1", begin: "/live", script: nil) {
            LivePlace(PageOptions(), page: "/live/\($0)", begin: "/live", assets: "/assets/")
        }
    }

    private static func html(_ page: LivePage) async throws -> String {
        String(decoding: try await page.printed(), as: UTF8.self)
    }

    private static let refresh = "<noscript><meta http-equiv=\"refresh\" content=\"2\"></noscript>"

    @Test func `The page comes with the answer, and need not be loaded again`() async throws {
        let page = try await open()
        async let first = Self.html(page)
        // The page waits: its limit is the one call of the clock.
        await clock.waits(for: 1)
        source.network.open()
        let html = try await first
        #expect(html.contains("Fresh") && !html.contains("No posts here yet!"), "\(html)")
        #expect(!html.contains("http-equiv"))
        await desk.stop()
    }

    @Test func `After the limit the page comes as it is, and is loaded again until the answer is there`() async throws {
        let page = try await open()
        async let first = Self.html(page)
        await clock.waits(for: 1)
        clock.advance(by: .seconds(desk.limits.firstPageSeconds))
        #expect(try await first.contains(Self.refresh))
        // The next one does not wait, and nor does one that is asked for later.
        let second = try await Self.html(page)
        #expect(second.contains("No posts here yet!") && second.contains(Self.refresh), "\(second)")
        clock.advance(by: .seconds(desk.limits.refreshSeconds))
        #expect(try await !Self.html(page).contains("http-equiv"), "not for ever")
        await desk.stop()
    }

    @Test func `Once the answer was there, or a person has acted, the page is not loaded again`() async throws {
        let page = try await open()
        async let first = Self.html(page)
        await clock.waits(for: 1)
        clock.advance(by: .seconds(desk.limits.firstPageSeconds))
        #expect(try await first.contains(Self.refresh))
        let form = LiveForm(fields: [("n", "1"), ("do", #"["tap","1.3"]"#)])
        _ = await page.part("a")?.post(form)
        // The page after a form waits again.
        async let next = Self.html(page)
        await clock.waits(for: 1)
        source.network.open()
        let html = try await next
        #expect(html.contains("Fresh") && !html.contains("http-equiv"), "\(html)")
        await desk.stop()
    }

    @Test func `A page without a title has the name of its bundle, from the first answer on`() async throws {
        source.network.open()
        let page = try await open()
        #expect(try await Self.html(page).contains("<title>Morning News</title>"))
        let still = PagePrinter(source.program.planned, PageOptions()).page(source.still(), NoAssets())
        #expect(String(decoding: still.html, as: UTF8.self).contains("<title>Morning News</title>"))
        await desk.stop()
    }
}
