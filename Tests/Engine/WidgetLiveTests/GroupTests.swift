import JSONText
import Testing
import WidgetBytes
import WidgetCore
import WidgetHosting
import WidgetRender
import WidgetRunning
import WidgetSurroundings
import WidgetTestSupport

@testable import WidgetLive

/// Goal: a page with several widgets has one stream, and each widget on it is brought up to date as if it were alone.
@Suite struct `Pages with several widgets` {
    @Test(arguments: ["", "a1", "1a", "1a2a3", "1A2", "1-2", "1a9999999999999999999999", "9 1"])
    func `A position that is not one is refused`(_ text: String) { #expect(PagePosition(text) == nil) }

    @Test func `A position is read as it is written`() {
        for position in [PagePosition(0), PagePosition(4, ["a": 17, "b": 3, "z": 1])] {
            #expect(PagePosition(position.text) == position)
        }
        #expect(PagePosition(4, ["b": 3, "a": 17]).text == "4a17b3")
        #expect(PagePosition("1" + String(repeating: "a1", count: 300)) == nil)
    }

    @Test func `Moves lead from each order to each other one, and a slot that comes later is not moved itself`() {
        func orders(_ letters: [String]) -> [[String]] {
            letters.isEmpty
                ? [[]] : letters.flatMap { first in orders(letters.filter { $0 != first }).map { [first] + $0 } }
        }
        let all = orders(["a", "b", "c", "d", "e"])
        for new in all {
            var shown = ["a", "b", "c", "d", "e"]
            for move in LivePage.moves(from: shown, to: new) {
                guard case .move(let id, _, let next) = move.operation else { continue }
                shown.removeAll { PageSlot.id($0) == id }
                let place = next.flatMap { next in shown.firstIndex { PageSlot.id($0) == next } } ?? shown.endIndex
                shown.insert(move.letter, at: place)
            }
            #expect(shown == new)
        }
        #expect(LivePage.moves(from: ["a", "b", "c"], to: ["b", "a", "c"]).map(\.letter) == ["b"])
        #expect(LivePage.moves(from: nil, to: ["b", "a"]).map(\.letter) == ["b", "a"])
    }

    @Test func `A form names an act and its slot`() {
        func act(_ fields: (String, String)...) -> SlotAct? { SlotAct(LiveForm(fields: fields.map { ($0.0, $0.1) })) }
        #expect(act(("slot", "a"), ("do", "load")) == .load("a"))
        #expect(act(("do", "update")) == .update(nil))
        #expect(act(("do", "move"), ("slot", "a"), ("before", "")) == .move("a", before: nil))
        #expect(act(("do", "move"), ("slot", "a"), ("before", "b")) == .move("a", before: "b"))
        for form in [act(), act(("do", "load")), act(("do", "fly"), ("slot", "a"))] { #expect(form == nil) }
    }

    @Test func `Each event names the widget that it is about, and where the whole page is`() async throws {
        let bench = try await GroupBench()
        let page = try await bench.group.printed()
        #expect(String(decoding: page, as: UTF8.self) == "1a1b1 a:running b:running c:waiting")
        await bench.group.follow(at: "1a1b1", bench.sink)
        #expect(bench.sink.events.isEmpty)
        try await bench.tap("b", 1)
        let event = try #require(bench.sink.events.last)
        #expect(event.position == "1a1b2" && event.letters == ["b"])
        // The others are as they were.
        try await bench.tap("a", 2)
        #expect(bench.sink.events.last?.position == "1a2b2")
    }

    @Test func `A page that comes back gets what it has missed, and nothing else`() async throws {
        let bench = try await GroupBench()
        _ = try await bench.group.printed()
        try await bench.tap("a", 1)
        await bench.group.follow(at: "1a1b1", bench.sink)
        #expect(bench.sink.events.map(\.position) == ["1a2b1"] && bench.sink.events.last?.letters == ["a"])
        // A page of which nothing is known gets its slots whole.
        let other = EventSink()
        await bench.group.follow(at: "99a1b1", other)
        #expect(bench.sink.ends == [false])
        #expect(
            other.events.first?.letters == ["a", "b", "c"]
                && other.events.first?.data.contains(#"["r","a-slot""#) ?? false)
    }

    @Test func `A slot that begins to run is replaced, and then kept up to date`() async throws {
        let bench = try await GroupBench()
        _ = try await bench.group.printed()
        await bench.group.follow(at: "1a1b1", bench.sink)
        await bench.source.run("c")
        await bench.group.follow(at: "1a1b1", bench.sink)
        #expect(bench.sink.events.last?.letters == ["c"])
        #expect(bench.sink.events.last?.position == "2a1b1c1")
        try await bench.tap("c", 1)
        #expect(bench.sink.events.last?.position == "2a1b1c2")
    }

    @Test func `A reader who does not read gets one difference of the slots when there is room`() async throws {
        let bench = try await GroupBench()
        _ = try await bench.group.printed()
        bench.sink.pendingByteCount = 1 << 20
        for note in ["one", "two", "three"] {
            await bench.source.note(note)
            await bench.group.follow(at: "1a1b1", bench.sink)
        }
        #expect(bench.sink.events.isEmpty)
        bench.sink.pendingByteCount = 0
        await bench.clock.moving { await bench.sink.has(1) }
        #expect(bench.sink.events.count == 1)
        #expect(bench.sink.events[0].data.contains("three") && !bench.sink.events[0].data.contains("one"))
    }

    @Test func `A stream that was closed is written no more, and a newer one is`() async throws {
        let bench = try await GroupBench()
        _ = try await bench.group.printed()
        await bench.group.follow(at: "1a1b1", bench.sink)
        await bench.group.unfollow(bench.sink)
        try await bench.tap("a", 1)
        #expect(bench.sink.events.isEmpty)
        let part = try #require(await bench.group.part("a") as? Viewing)
        #expect(await part.stream == nil)
        let next = EventSink()
        await bench.group.follow(at: "1a1b1z9", next)
        // A letter that no widget has is not repeated.
        #expect(next.events.last?.position == "1a2b1")
    }

    @Test func `Acts on slots have an allowance`() async throws {
        let bench = try await GroupBench()
        for _ in 0..<Int(LiveLimits().eventBurst) { #expect(try await bench.group.act(.update(nil))) }
        await #expect(throws: LiveRefusal.self) { try await bench.group.act(.update(nil)) }
        bench.clock.advance(by: .seconds(1))
        #expect(try await bench.group.act(.update(nil)))
    }

    @Test func `The end of a page ends its viewings, and not the widgets of the host`() async throws {
        let bench = try await GroupBench()
        _ = try await bench.group.printed()
        await bench.group.follow(at: nil, bench.sink)
        let part = try #require(await bench.group.part("a"))
        await bench.group.end(.left)
        #expect(bench.sink.ends == [true])
        #expect(await part.act(Array("[9,[]]".utf8)) == .refused(.over))
        #expect(await bench.source.widgets["a"]?.isStopped == false)
        await #expect(throws: LiveRefusal.over) { try await bench.group.printed() }
    }

    @Test func `Two viewings of one widget are both notified`() async throws {
        let source = try DocumentSource(LiveBench.document)
        let widget = await source.widget()
        await widget.start()
        let (first, second) = (widget.changes, widget.changes)
        func count(_ changes: AsyncStream<Void>) -> Task<Int, Never> {
            Task {
                var count = 0
                for await _ in changes { count += 1 }
                return count
            }
        }
        let counts = [count(first), count(second)]
        await widget.stop()
        for task in counts { #expect(await task.value >= 1) }
        // A viewer that comes after the end is not left waiting.
        for await _ in widget.changes {}
    }
}

/// Slots of one document, which tests start.
private actor SlotBoard: PageSource {
    private(set) var widgets: [String: RunningWidget] = [:]
    private let document: DocumentSource
    private let letters: [String]
    private var note = ""

    init(_ letters: [String], _ document: DocumentSource) {
        self.letters = letters
        self.document = document
    }

    func run(_ letter: String) async {
        let widget = await document.widget()
        await widget.start()
        widgets[letter] = widget
    }

    func note(_ text: String) { note = text }

    func moment() -> PageArrangement {
        PageArrangement(
            letters.map { letter in
                var slot = PageSlot(
                    letter, letter, size: .init(width: 320, height: 480), isScaled: false,
                    phase: widgets[letter] == nil ? .waiting : .running(generation: 1))
                slot.note = note
                return slot
            })
    }

    nonisolated var changes: AsyncStream<Void> { AsyncStream { $0.finish() } }

    func part(_ letter: String, of page: LivePage, at place: LivePlace) async -> (any LivePart)? {
        guard let widget = widgets[letter] else { return nil }
        return await page.viewing(of: SharedWidget(widget, document), widget, at: place)
    }

    func act(_ act: SlotAct) -> Bool { true }
}

/// A widget that runs whether it is viewed or not.
private final class SharedWidget: LiveSource {
    private let running: RunningWidget
    private let document: DocumentSource

    init(_ widget: RunningWidget, _ document: DocumentSource) {
        running = widget
        self.document = document
    }

    var program: LiveProgram { document.program }
    func widget() async -> RunningWidget { running }
    func begin(_ widget: RunningWidget) async {}
    func end(_ widget: RunningWidget) async {}
    func still() -> View { document.still() }
}

/// Pages that name what is on them.
private struct NamingPrinter: LivePagePrinter {
    var hasSlots: Bool { true }

    func place(_ slot: PageSlot, on page: String) -> LivePlace {
        var options = PageOptions()
        options.letter = slot.letter
        options.part = PagePart(heading: slot.heading, levels: 3...3)
        return LivePlace(options, page: page, begin: "/live", assets: "/assets/")
    }

    func page(
        _ moment: PageArrangement, _ widgets: [String: PrintedPart], at address: String, _ position: PagePosition
    ) -> [UInt8]? {
        let slots = moment.slots.map { "\($0.letter):\(widgets[$0.letter] == nil ? "waiting" : "running")" }
        return Array("\(position.text) \(slots.joined(separator: " "))".utf8)
    }

    func slot(_ slot: PageSlot, _ widget: PrintedPart?, at address: String) -> [UInt8] { widget?.html ?? [] }
}

private final class EventSink: LiveSink {
    struct Event: Sendable {
        let position: String
        let data: String
        /// The widgets that it is about, in their order.
        var letters: [String] {
            (try? JSONValue(parsing: Array(data.utf8)))?.object?.members.map(\.name) ?? []
        }
    }

    private struct State: Sendable {
        var events: [Event] = []
        var ends: [Bool] = []
        var pending = 0
    }

    private let state = Observed(State())

    var events: [Event] { state.value.events }
    var ends: [Bool] { state.value.ends }
    var pendingByteCount: Int {
        get { state.value.pending }
        set { state.change { $0.pending = newValue } }
    }

    /// Returns when there are so many events.
    func has(_ count: Int) async { await state.becomes { $0.events.count >= count } }

    func write(at position: String, _ changes: [UInt8]) {
        let event = Event(position: position, data: String(decoding: changes, as: UTF8.self))
        state.change { $0.events.append(event) }
    }

    func beat() {}

    func end(isOver: Bool) { state.change { $0.ends.append(isOver) } }
}

/// Three slots, of which two run.
private struct GroupBench {
    let clock = ManualClock()
    let source: SlotBoard
    let group: LivePage
    let sink = EventSink()

    init() async throws {
        let document = try DocumentSource(LiveBench.document)
        source = SlotBoard(["a", "b", "c"], document)
        await source.run("a")
        await source.run("b")
        let desk = LiveDesk(LiveLimits(), in: World(clock: clock, chance: FixedChance(0.5)))
        group = LivePage("page", of: source, NamingPrinter(), at: "/live/page", desk) { _ in }
        await group.begin()
    }

    /// Taps the button of a widget, and lets the change be written.
    func tap(_ letter: String, _ serial: Int) async throws {
        let viewing = try #require(await group.part(letter) as? Viewing)
        _ = await OnePage(group, viewing).tapPart(serial, "add")
        clock.advance(by: .milliseconds(100))
        await viewing.drained()
    }
}
