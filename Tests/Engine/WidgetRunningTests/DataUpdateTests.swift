import Testing
import WidgetBytes
import WidgetContract
import WidgetCore
import WidgetFiles
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning
import WidgetSurroundings
import WidgetTestSupport

/// A log of a harbour whose entries come from a server that the test plays.
enum LiveLog {
    static let key = "GET https://harbour.example.com/v1/log"

    static func sources(_ sources: inout [String: [UInt8]]) {
        sources["StubService.json"] = nil
        sources["Service.json"] = Array(
            #"""
            {"defaults": {"baseUrl": "https://harbour.example.com/v1"},
             "actions": {"log": {"path": "log", "resultType": "[Entry]", "clearPolicy": "after"}}}
            """#.utf8)
        let scheme = String(decoding: sources["LogViewController.json"] ?? [], as: UTF8.self)
        sources["LogViewController.json"] = Array(
            scheme.replacing(#""serviceProviderClassName": "StubServiceProvider""#, with: #""title": "Log""#).utf8)
    }

    /// - Parameter rows: the most rows of a list.
    static func instance(rows: Int? = nil) throws -> WidgetInstance {
        var instance = try SampleBundle.widget("HarbourLog", changing: sources).instance
        if let rows { instance.budget.rowCount = rows }
        return instance
    }

    static func driver() throws -> WidgetDriver { WidgetDriver(try instance(), clock: .script) }

    static func answer(_ titles: [String]) -> RequestOutcome {
        .response(
            status: 200,
            body: .array(
                titles.enumerated().map { place, title in
                    .dictionary(PredicateDictionary([("id", .string("\(place)")), ("title", .string(title))]))
                }))
    }

    /// Answers the only request that waits.
    static func answer(_ driver: inout WidgetDriver, _ outcome: RequestOutcome) throws {
        let begun = driver.beginRequests()
        let request = try #require(begun.first)
        driver.finish(request.number, outcome)
    }
}

/// Goal: an update of a widget's data asks what its screens ask on load, and its end says what came of it. Method: a
/// driver whose clock and server are the test.
@Suite struct `An update of a widget` {
    private static func text(_ driver: inout WidgetDriver) -> String { ViewText(width: 100).text(driver.view()) }

    /// The answer to an update that a server has answered so.
    private static func answer(
        _ driver: inout WidgetDriver, _ number: Int, _ outcome: RequestOutcome
    ) throws -> DataUpdateAnswer {
        driver.beginUpdate(number, within: 10)
        #expect(driver.takeUpdateAnswer() == nil, "its request is not answered yet")
        try LiveLog.answer(&driver, outcome)
        let answered = driver.takeUpdateAnswer()
        let taken = try #require(answered)
        #expect(taken.update == number)
        #expect(driver.takeUpdateAnswer() == nil, "it is answered once")
        return taken.answer
    }

    @Test func `C2: A widget that is mounted shows its kept data at once, and has asked no server`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/log.sqlite"
        var before = try LiveLog.driver()
        _ = try Self.answer(&before, 1, LiveLog.answer(["Fog", "Lamp changed"]))
        try before.save(to: try RecordStore(path: path))
        let kept = try RecordStore(path: path).load(model: before.instance.program.model)
        let instance = WidgetInstance(
            before.instance.program, store: kept, environment: Environment(now: 803_678_400))
        var mounted = WidgetDriver(instance, clock: .script)
        mounted.beginUpdate(1, within: 10)
        #expect(mounted.underWay.isEmpty && mounted.waiting.count == 1)
        #expect(Self.text(&mounted).contains("Lamp changed"))
    }

    @Test func `C4: An answer that changes the view has another digest`() throws {
        var driver = try LiveLog.driver()
        let first = try Self.answer(&driver, 1, LiveLog.answer(["Fog"]))
        let second = try Self.answer(&driver, 2, LiveLog.answer(["Fog", "A ship"]))
        guard case .content(let one) = first, case .content(let two) = second else {
            Issue.record("\(first) \(second)")
            return
        }
        #expect(one != two && Self.text(&driver).contains("A ship"))
    }

    @Test func `C5: The same answer again has the same digest`() throws {
        var driver = try LiveLog.driver()
        let first = try Self.answer(&driver, 1, LiveLog.answer(["Fog"]))
        driver.pass(600)
        #expect(try Self.answer(&driver, 2, LiveLog.answer(["Fog"])) == first)
    }

    @Test func `C6: A request that fails is the reason of the update, and the view from before stays`() throws {
        var driver = try LiveLog.driver()
        _ = try Self.answer(&driver, 1, LiveLog.answer(["Fog"]))
        let shown = Self.text(&driver)
        for (outcome, reason, wait) in [
            (.failure("no route to host"), "log: no route to host", nil),
            (.response(status: 500, body: .null), "log: The server answered with status 500.", nil),
            (.response(status: 200, body: .string("x")), "log: the answer is not as it is described", nil),
            (
                .postponed(status: 503, body: .null, seconds: 90),
                "log: The server answered with status 503. The server asks to wait 90 s.", 90
            ),
        ] as [(RequestOutcome, String, Double?)] {
            let answer = try Self.answer(&driver, 2, outcome)
            #expect(answer == .failed(.request(reason), retryAfter: wait))
            if !driver.instance.store.alerts.isEmpty { _ = driver.send(to: "OK", for: .tap) { .tap($0) } }
            #expect(Self.text(&driver) == shown)
        }
    }

    @Test func `U2: An empty answer is a normal state`() throws {
        var driver = try LiveLog.driver()
        let before = driver.instance.diagnostics
        guard case .content = try Self.answer(&driver, 1, LiveLog.answer([])) else {
            Issue.record("it must be content")
            return
        }
        #expect(driver.instance.store.alerts.isEmpty)
        #expect(driver.instance.diagnostics == before)
    }

    @Test func `U7: An edited entry with the same identifier is new`() throws {
        var driver = try LiveLog.driver()
        let first = try Self.answer(&driver, 1, LiveLog.answer(["Fog", "Lamp changed"]))
        #expect(try Self.answer(&driver, 2, LiveLog.answer(["Fog", "Lamp mended"])) != first)
    }

    @Test func `C17: With a watched expression, only its value decides`() throws {
        var instance = try LiveLog.instance()
        instance.watched = try TermExpression("entries.count")
        var driver = WidgetDriver(instance, clock: .script)
        let first = try Self.answer(&driver, 1, LiveLog.answer(["Fog"]))
        let edited = try Self.answer(&driver, 2, LiveLog.answer(["Fog and rain"]))
        let more = try Self.answer(&driver, 3, LiveLog.answer(["Fog and rain", "A ship"]))
        #expect(edited == first && more != first, "\(first) \(edited) \(more)")
    }

    @Test func `An update asks again without a second timer, alert or screen`() throws {
        var driver = try LiveLog.driver()
        for number in 1...5 { _ = try Self.answer(&driver, number, LiveLog.answer(["Fog"])) }
        #expect(driver.instance.store.screens.count == 1 && driver.instance.store.timers.isEmpty)
    }

    @Test func `An update that is given up cancels its requests, and a late answer is discarded`() throws {
        var driver = try LiveLog.driver()
        _ = try Self.answer(&driver, 1, LiveLog.answer(["Fog"]))
        driver.beginUpdate(2, within: 10)
        let begun = driver.beginRequests()
        let request = try #require(begun.first)
        driver.abandonUpdate(because: "No answer came within 10 seconds.")
        #expect(driver.underWay.isEmpty && driver.instance.store.requests.isEmpty)
        driver.finish(request.number, LiveLog.answer(["Late"]))
        #expect(driver.takeUpdateAnswer() == nil)
        #expect(Self.text(&driver).contains("Fog") && !Self.text(&driver).contains("Late"))
        // The author's alert says why.
        #expect(driver.instance.log.contains { $0.text.contains("given up") })
    }

    @Test func `Requests from before an update continue when it is given up`() throws {
        var driver = try LiveLog.driver()
        driver.beginUpdate(1, within: 10)
        driver.beginUpdate(2, within: 10)
        let begun = driver.beginRequests()
        #expect(begun.count == 2)
        driver.abandonUpdate(because: "No answer came.")
        #expect(driver.underWay == [begun[0].number])
    }

    @Test func `U6: An answer that nothing has changed ends as no data, also when the view shows the time`() throws {
        var driver = try LiveLog.driver()
        _ = try Self.answer(&driver, 1, LiveLog.answer(["Fog"]))
        guard case .response(_, let body) = LiveLog.answer(["Fog"]) else { return }
        driver.pass(3_600)
        driver.beginUpdate(2, within: 10)
        try LiveLog.answer(&driver, .notModified(body: body))
        let first = driver.takeUpdateAnswer(hasContent: true)
        #expect(first?.answer == .unchanged)
        #expect(Self.text(&driver).contains("Fog"))
        // A widget that knows no content has to look at what it shows.
        driver.beginUpdate(3, within: 10)
        try LiveLog.answer(&driver, .notModified(body: body))
        let second = driver.takeUpdateAnswer(hasContent: false)
        guard case .content = second?.answer else {
            Issue.record("\(String(describing: second))")
            return
        }
    }

    @Test func `U8: A view beyond a limit is a failure with the name of the limit`() throws {
        var driver = WidgetDriver(try LiveLog.instance(rows: 5), clock: .script)
        guard case .content = try Self.answer(&driver, 1, LiveLog.answer(["Fog"])) else {
            Issue.record("it is small")
            return
        }
        let answer = try Self.answer(&driver, 2, LiveLog.answer((0..<6).map { "Ship \($0)" }))
        guard case .failed(.budget(let reason), nil) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(reason.contains("The list has more than 5 rows [row-budget]"), "\(reason)")
    }

    @Test func `Views of equal widgets have equal digests, and a changed text, state or order another`() throws {
        func digest(_ titles: [String]) throws -> Digest? {
            var driver = try LiveLog.driver()
            _ = try Self.answer(&driver, 1, LiveLog.answer(titles))
            return driver.view().digest
        }
        let first = try digest(["Fog", "Lamp"])
        #expect(try digest(["Fog", "Lamp"]) == first)
        #expect(try Set([digest(["Fog"]), digest(["Fog", "Lamps"]), digest(["Lamp", "Fog"]), first]).count == 4)
    }
}

/// A server that answers each request as the test says, when it says so.
actor PlayedServer: WidgetNetwork {
    private var outcomes: [RequestOutcome]
    private(set) var count = 0
    private var isHolding: Bool
    private var held: [CheckedContinuation<Void, Never>] = []

    init(_ outcomes: [RequestOutcome], isHolding: Bool = false) {
        self.outcomes = outcomes
        self.isHolding = isHolding
    }

    func outcome(of request: ServiceRequest, progress: @escaping @Sendable (Double) -> Void) async -> RequestOutcome {
        count += 1
        if isHolding { await withCheckedContinuation { held.append($0) } }
        return outcomes.count > 1 ? outcomes.removeFirst() : outcomes[0]
    }

    func release() {
        isHolding = false
        for one in held { one.resume() }
        held = []
    }
}

extension RunningWidget {
    /// Returns when a snapshot fulfils the condition. The widget notifies of each change.
    func becomes(_ condition: (Snapshot) -> Bool) async {
        for await _ in changes where condition(snapshot()) { return }
    }
}

/// Goal: each call for an update of a running widget returns, with what came of it. Method: a clock and a server that the
/// test plays.
@Suite(.ownThreads) struct `A running widget's updates` {
    private static func widget(
        _ network: any WidgetNetwork, deadline: Double = 300, interval: Double? = nil, clock: ManualClock? = nil
    ) throws -> RunningWidget {
        RunningWidget(
            try LiveLog.instance(), network: network, policy: DataUpdatePolicy(interval: interval, deadline: deadline),
            clock: clock)
    }

    @Test func `C3: Updates end as new data, no data or a failure, and are counted`() async throws {
        let server = PlayedServer(
            [
                LiveLog.answer(["Fog"]), LiveLog.answer(["Fog"]), .failure("the server is down"),
                LiveLog.answer(["Fog", "A ship"]),
            ], isHolding: true)
        let widget = try Self.widget(server)
        // The widget's beginning is its first update, and a call joins it.
        await widget.start()
        async let first = widget.update()
        await widget.becomes { $0.data.counts.joined == 1 }
        await server.release()
        #expect(await first == .newData)
        #expect(await widget.update() == .noData)
        #expect(await widget.update() == .failed(.request("log: the server is down")))
        var data = await widget.snapshot().data
        #expect(data.state == .stale && data.revision == 1 && data.counts.failed == 1)
        #expect(await widget.update() == .newData)
        data = await widget.snapshot().data
        #expect(data.state == .fresh && data.revision == 2 && data.counts.updates == 4)
        #expect(await server.count == 4)
        #expect(await widget.content?.revision == 2)
        await widget.stop()
        #expect(await widget.update() == .failed(.closed))
    }

    @Test func `Calls during an update share its result and its request`() async throws {
        let server = PlayedServer([LiveLog.answer(["Fog"])], isHolding: true)
        let widget = try Self.widget(server)
        await widget.start()
        async let first = widget.update()
        async let second = widget.update(.push)
        await widget.becomes { $0.data.counts.joined == 2 }
        #expect(await widget.snapshot().data.state == .updating)
        await server.release()
        #expect(await [first, second] == [.newData, .newData])
        #expect(await server.count == 1)
    }

    @Test func `U1: A call returns at the deadline, even if the server never answers`() async throws {
        let server = PlayedServer([LiveLog.answer(["Fog"])], isHolding: true)
        let clock = ManualClock()
        let widget = try Self.widget(server, deadline: 3, clock: clock)
        await widget.start()
        async let result = widget.update()
        await widget.becomes { $0.data.counts.joined == 1 }
        clock.advance(by: .seconds(3))
        await widget.settle()
        #expect(await result == .failed(.timeout(seconds: 3)))
        let data = await widget.snapshot().data
        #expect(data.state == .empty && data.counts.timeouts == 1)
        await server.release()
    }

    @Test func `A call of a widget that is stopped returns`() async throws {
        let server = PlayedServer([LiveLog.answer(["Fog"])], isHolding: true)
        let widget = try Self.widget(server)
        await widget.start()
        async let result = widget.update()
        await widget.becomes { $0.data.counts.joined == 1 }
        await widget.stop()
        #expect(await result == .failed(.closed))
        await server.release()
    }

    @Test func `U6: A widget with an interval is updated by itself`() async throws {
        let server = PlayedServer([LiveLog.answer(["Fog"])])
        let clock = ManualClock()
        let widget = try Self.widget(server, interval: 1, clock: clock)
        await widget.start()
        // The interval is up to a tenth longer by chance.
        await clock.step(by: .seconds(2.5))
        #expect(await server.count == 3)
        #expect(await widget.snapshot().data.counts.noData >= 1)
        await widget.stop()
    }
}
