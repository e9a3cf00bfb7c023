import JSONText
import Testing
import WidgetBytes
import WidgetCore
import WidgetDocuments
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetLive

/// A stream that keeps what was written to it.
final class KeptSink: LiveSink {
    struct Write: Equatable {
        let number: Int
        let operations: [JSONValue]

        /// The operations with this letter.
        func all(_ letter: String) -> [JSONValue] { operations.filter { $0.array?.first?.string == letter } }

        var letters: [String] { operations.compactMap { $0.array?.first?.string } }
    }

    private struct State {
        var writes: [Write] = []
        var pending = 0
        var beats = 0
        var ends: [Bool] = []
    }

    private let state = Guarded(State())
    private let ended = Observed(false)
    /// Has an element for each write.
    let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation

    init() { (arrivals, arrival) = AsyncStream.makeStream() }

    var writes: [Write] { state.withLock { $0.writes } }
    var beats: Int { state.withLock { $0.beats } }
    var ends: [Bool] { state.withLock { $0.ends } }

    var pendingByteCount: Int {
        get { state.withLock { $0.pending } }
        set { state.withLock { $0.pending = newValue } }
    }

    func write(at position: String, _ changes: [UInt8]) {
        let list = (try? JSONValue(parsing: changes))?["a"]?.array ?? []
        let number = PagePosition(position)?.views["a"] ?? 0
        state.withLock { $0.writes.append(Write(number: number, operations: list)) }
        arrival.yield()
    }

    func beat() { state.withLock { $0.beats += 1 } }

    func end(isOver: Bool) {
        state.withLock { $0.ends.append(isOver) }
        ended.change { $0 = true }
    }

    /// Returns when the stream has ended.
    func hasEnded() async { await ended.becomes { $0 } }
}

/// Widgets of one document, which tests replace.
final class DocumentSource: LiveSource {
    private struct State {
        var program: LiveProgram
        var widgets: [RunningWidget] = []
        var meanwhile: (@Sendable () async -> Void)?
    }

    private let state: Guarded<State>
    private let network: any WidgetNetwork

    init(
        _ document: String, others: [String: String] = [:], network: any WidgetNetwork = DeniedNetwork()
    ) throws {
        self.network = network
        state = Guarded(State(program: try DocumentSource.program(document, others)))
    }

    var program: LiveProgram { state.withLock { $0.program } }
    var widgets: [RunningWidget] { state.withLock { $0.widgets } }

    func replace(by document: String) throws {
        let program = try DocumentSource.program(document)
        state.withLock { $0.program = program }
    }

    /// Takes place while the next widgets are made.
    func meanwhile(_ action: @escaping @Sendable () async -> Void) { state.withLock { $0.meanwhile = action } }

    func widget() async -> RunningWidget {
        let widget = RunningWidget(WidgetInstance(program.planned.program), network: network)
        let meanwhile = state.withLock { state in
            state.widgets.append(widget)
            return state.meanwhile
        }
        await meanwhile?()
        return widget
    }

    func still() -> View {
        var instance = WidgetInstance(program.planned.program)
        instance.send(.start)
        return instance.view()
    }

    func findings(in view: View) -> [LiveFinding] {
        view.diagnostics.map {
            LiveFinding(isError: $0.severity == .error, $0.message, hints: $0.hint.map { [$0] } ?? [])
        }
    }

    private static func program(_ document: String, _ others: [String: String] = [:]) throws -> LiveProgram {
        let files = others.merging(["Main": document]) { $1 }.sorted { $0.key < $1.key }.map { name, text in
            DocumentFile(path: "\(name).widgets.json", name: name, bytes: Array(text.utf8))
        }
        let input = DocumentInput(identifier: "a.b", documents: files, first: "Main")
        return LiveProgram(try DocumentReader.program(input), NoAssets())
    }
}

/// A desk under a clock of tests, with random numbers of a seed.
struct LiveBench {
    let clock = ManualClock()
    let desk: LiveDesk
    let source: DocumentSource

    init(
        _ document: String = LiveBench.document, others: [String: String] = [:], _ limits: LiveLimits = LiveLimits(),
        network: any WidgetNetwork = DeniedNetwork()
    ) throws {
        source = try DocumentSource(document, others: others, network: network)
        desk = LiveDesk(limits, in: World(clock: clock, chance: SeededChance(seed: 25)))
    }

    /// - Parameter workbench: that of an author's page.
    func open(
        from address: String = "127.0.0.1", opening link: String? = nil, with workbench: Workbench? = nil
    ) async throws -> OnePage {
        let page = try await desk.open(source, from: address, begin: "/live", opening: link, script: nil) {
            var place = LivePlace(PageOptions(), page: "/live/\($0)", begin: "/live", assets: "/assets/")
            place.bench = workbench
            return place
        }
        return OnePage(page, try #require(await page.part("a") as? Viewing))
    }

    /// A page that is shown, with its stream.
    func shown(
        from address: String = "127.0.0.1", with workbench: Workbench? = nil
    ) async throws -> (viewing: OnePage, sink: KeptSink) {
        let viewing = try await open(from: address, with: workbench)
        let sink = KeptSink()
        await viewing.follow(after: await viewing.page()?.number, sink)
        return (viewing, sink)
    }

    /// Lets enough time pass for the next write, and writes.
    func settle(_ viewing: OnePage) async {
        clock.advance(by: .milliseconds(100))
        await viewing.drained()
    }

    static let document = #"""
        {"schema": 1, "state": {"name": "", "loud": "", "wants": false, "count": 0},
         "root": [{"kind": "label", "id": "shown", "payload": {"text": {"$": ["count ", "$count", " name ", "$name"]}}},
          {"kind": "textfield", "id": "name", "payload": {"value": "$name"}},
          {"kind": "textfield", "id": "loud", "payload": {"value": "$loud"},
           "on": {"change": {"do": "set", "state": "loud", "to": {"$": "uppercase(argument)"}},
                  "submit": {"do": "set", "state": "count", "to": {"$": "count + 100"}}}},
          {"kind": "switch", "id": "wants", "payload": {"value": "$wants", "label": "News"}},
          {"kind": "button", "id": "add", "payload": {"text": "Add"},
           "on": {"tap": {"do": "set", "state": "count", "to": {"$": "count + 1"}}}}]}
        """#
}

extension LivePage {
    /// The whole page of one widget, with the number of its view; `nil` if the page is over.
    func shown() async -> PrintedPart? {
        guard let html = try? await printed(),
            let found = String(decoding: html, as: UTF8.self).firstMatch(of: /data-view="1a(\d+)"/),
            let number = Int(found.1)
        else { return nil }
        return PrintedPart(number: number, html: html, title: "", sheet: "", sheets: [])
    }
}

/// A page with one widget, as a browser has it.
struct OnePage {
    let live: LivePage
    let part: Viewing

    init(_ live: LivePage, _ part: Viewing) {
        self.live = live
        self.part = part
    }

    var name: String { live.name }

    /// The whole page of now, with the number of its view; `nil` if the page is over.
    func page() async -> PrintedPart? {
        guard var page = await live.shown() else { return nil }
        page.sheet = await part.sheet(page.number) ?? ""
        page.status = await part.history[page.number]?.status ?? LiveStatus()
        return page
    }

    func follow(after number: Int?, _ sink: KeptSink) async {
        await live.follow(at: number.map { "1a\($0)" }, sink)
    }

    func unfollow(_ sink: KeptSink) async { await live.unfollow(sink) }

    func drained() async { await part.drained() }

    func sheet(_ number: Int) async -> String? { await part.sheet(number) }

    var windows: [ViewKey: Int] { get async { await part.windows } }
    var history: ViewingHistory { get async { await part.history } }
    var stream: ViewingStream? { get async { await part.stream } }
    var lastSerial: Int { get async { await part.lastSerial } }

    var view: View { get async { await part.widget.snapshot().view } }

    func act(_ body: [UInt8]) async -> LiveOutcome { await live.part("a")?.act(body) ?? .refused(.over) }

    func post(_ form: LiveForm) async -> LiveOutcome { await live.part("a")?.post(form) ?? .refused(.over) }

    /// The key of an element, as pages have it.
    func key(_ identifier: String) async -> String {
        var found = ""
        await view.visit { node in
            if node.identifier == identifier { found = node.key.description }
            return found.isEmpty
        }
        return found
    }

    /// The text of an element.
    func text(_ identifier: String) async -> String {
        guard let key = ViewKey(await key(identifier)) else { return "" }
        return await view.node(key)?.text(.text) ?? ""
    }

    func act(_ serial: Int, _ events: String...) async -> LiveOutcome {
        await act(Array("[\(serial),[\(events.joined(separator: ","))]]".utf8))
    }

    func tap(_ serial: Int, _ identifier: String) async -> LiveOutcome {
        await act(serial, #"["tap","\#(await key(identifier))"]"#)
    }

    /// The same on a page with several widgets.
    func tapPart(_ serial: Int, _ identifier: String) async -> LiveOutcome {
        await part.act(Array("[\(serial),[[\"tap\",\"\(await key(identifier))\"]]]".utf8))
    }

    func type(_ serial: Int, _ text: String, into identifier: String) async -> LiveOutcome {
        await act(serial, #"["input","\#(await key(identifier))","\#(text)"]"#)
    }
}
