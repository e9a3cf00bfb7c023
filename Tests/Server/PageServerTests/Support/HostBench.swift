import HTTPWire
import WidgetAddresses
import WidgetBytes
import WidgetContract
import WidgetCore
import WidgetHTTPServer
import WidgetHosting
import WidgetLogging
import WidgetRender
import WidgetRunning
import WidgetSockets
import WidgetTestSupport

@testable import PageServer
@testable import WidgetLive

/// Two widgets of one document, and a slot whose widget cannot be loaded.
final class ServedSlots: PageSource, ServedWidgets {
    private struct State {
        var acts: [SlotAct] = []
        var links: [String] = []
        var served: ServedWidget?
    }

    private let document: ServedDocument
    private let widgets: [String: RunningWidget]
    private let state = Guarded(State())

    init(_ document: ServedDocument) {
        self.document = document
        widgets = Dictionary(
            uniqueKeysWithValues: ["a", "b"].map {
                ($0, RunningWidget(WidgetInstance(document.program.planned.program), network: DeniedNetwork()))
            })
        var data = DataUpdates(DataUpdatePolicy(interval: 30), seed: 1).status(at: 0)
        (data.state, data.revision, data.age, data.untilNext) = (.fresh, 1, 7.5, 11.5)
        data.digest = .sha256([1])
        let served = ServedWidget(program: document.program, view: document.still(), data: data, interval: 30)
        state.withLock { $0.served = served }
    }

    var acts: [SlotAct] { state.withLock { $0.acts } }
    var links: [String] { state.withLock { $0.links } }

    func change(_ change: (inout ServedWidget) -> Void) {
        state.withLock { state in
            guard var served = state.served else { return }
            change(&served)
            state.served = served
        }
    }

    func moment() async -> PageArrangement {
        let size = PageSlot.Size(width: 320, height: 480)
        var slots = ["a", "b"].map { letter in
            PageSlot(letter, "Slot \(letter)", size: size, isScaled: letter == "b", phase: .running(generation: 1))
        }
        slots.append(PageSlot("c", "Slot c", size: size, isScaled: false, phase: .failed("it is broken")))
        return PageArrangement(slots)
    }

    var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }

    func part(_ letter: String, of page: LivePage, at place: LivePlace) async -> (any LivePart)? {
        guard let widget = widgets[letter] else { return nil }
        return await page.viewing(of: SharedDocument(document, widget), widget, at: place)
    }

    func act(_ act: SlotAct) async -> Bool {
        state.withLock { $0.acts.append(act) }
        return true
    }

    func open(_ link: String) async { state.withLock { $0.links.append(link) } }

    func widget(_ identifier: String) async -> ServedLookup {
        if identifier == "absent" { return .absent("it is broken") }
        guard identifier == "a.b-1", let served = state.withLock({ $0.served }) else { return .unknown }
        return .running(served)
    }

    func update(_ identifier: String) async -> DataUpdateResult? { identifier == "a.b-1" ? .noData : nil }
}

/// A widget of the host, which no page begins or ends.
private final class SharedDocument: LiveSource {
    private let document: ServedDocument
    private let running: RunningWidget

    init(_ document: ServedDocument, _ running: RunningWidget) {
        self.document = document
        self.running = running
    }

    var program: LiveProgram { document.program }
    func widget() async -> RunningWidget { running }
    func begin(_ widget: RunningWidget) async { await widget.start() }
    func end(_ widget: RunningWidget) async {}
    func still() -> View { document.still() }
}

/// A page with several widgets behind a real socket.
final class HostBench: PageServing {
    let board: ServedSlots
    let desk: LiveDesk
    let server: Server

    init() throws {
        board = ServedSlots(try ServedDocument(PageBench.document))
        desk = LiveDesk(LiveLimits())
        let hosts = PageHosts()
        let pages = SlotPages(board, "Home", [.init(width: 320, height: 480)], columns: 3, options: PageOptions())
        let routes = PageService(desk, pages, hosts: hosts).routes(
            WidgetRoutes(board, PrintOptions(), pages: PageOptions()))
        server = try Server(
            listeners: [ServerListener(try Endpoint("127.0.0.1:0"), routes: routes)], limits: ServerLimits(),
            workers: 1, serverName: "widgetd", logger: Logger(level: .error), logsRequests: false,
            explain: { PageService.problem($0) })
        for name in PageHosts.loopback { hosts.allow(name) }
        server.start()
    }

    deinit { server.stop() }

    /// Opens a page.
    ///
    /// - Returns: its address.
    func open() throws -> String {
        let answer = try get("/")
        guard answer.status == 303, let address = answer.value("Location") else {
            throw Conversation.NoAnswer(description: "\(answer.status) \(answer.text)")
        }
        return address
    }
}
