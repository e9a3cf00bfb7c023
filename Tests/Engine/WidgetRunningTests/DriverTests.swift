import Testing
import WidgetCore
import WidgetDatabase
import WidgetFiles
import WidgetHosting
import WidgetPredicates
import WidgetRunning
import WidgetSurroundings

/// Goal: one driver carries out the effects of events, under any clock. Method: a program of buttons and a timer, and
/// drivers whose requests only the test answers.
@Suite struct `A widget's driver` {
    /// Three buttons: one asks the service, one cancels that, one asks for a page to be opened.
    static func driver(_ clock: WidgetTime = .script, keeping records: RecordStore? = nil) throws -> WidgetDriver {
        let widget = try TestStoryboard.widget(
            TestStoryboard.button("go", "Go") + TestStoryboard.button("stop", "Stop", y: 30)
                + TestStoryboard.button("host", "Host", y: 60) + TestStoryboard.label("text", "Text", y: 90),
            #"""
            "objects": {
              "act": {"type": "ButtonActionController", "attrs": {"actionName": "go"}, "outlets": {"sender": "go", "cancelButton": "stop"}}},
            "elements": {"host": {"action": {"target": "session", "selector": "login:"}}, "@self": {"attrs": {"content": {"title": "typed"}}}}
            """#,
            files: [
                "Service.json":
                    #"{"defaults": {"baseUrl": "https://x.example"}, "actions": {"go": {"path": "go"}}}"#
            ])
        var driver = WidgetDriver(widget.instance, clock: clock, keeping: records)
        driver.send(.start)
        return driver
    }

    private static func number(_ driver: inout WidgetDriver) throws -> Int {
        #expect(driver.send(to: "go", for: .tap) { .tap($0) } == nil)
        return try #require(driver.waiting.last).number
    }

    @Test func `The driver begins requests in their order, and at most as many at once as it may`() throws {
        var driver = try Self.driver()
        let first = try Self.number(&driver)
        #expect(driver.beginRequests(atOnce: 0).isEmpty)
        #expect(driver.beginRequests(atOnce: 1).map(\.number) == [first])
        #expect(driver.underWay == [first] && driver.waiting.isEmpty)
        #expect(driver.beginRequests().isEmpty, "a request is begun once")
        driver.finish(first, .failure("no answer"))
        #expect(driver.underWay.isEmpty && driver.instance.store.alerts.count <= 1)
    }

    @Test func `The driver gives up a request that the widget cancels, whether it is sent or not`() throws {
        for isBegun in [false, true] {
            var driver = try Self.driver()
            let number = try Self.number(&driver)
            if isBegun { _ = driver.beginRequests() }
            #expect(driver.send(to: "stop", for: .tap) { .tap($0) } == nil)
            #expect(driver.waiting.isEmpty && driver.underWay.isEmpty)
            let before = driver.instance.log.count
            driver.progress(of: number, 0.5)
            driver.finish(number, .response(status: 200, body: .null))
            #expect(driver.instance.log.count == before, "the answer comes too late")
        }
    }

    @Test func `The driver fails the oldest requests when too many wait`() throws {
        var driver = try Self.driver()
        _ = try Self.number(&driver)
        driver.failRequests(beyond: 1)
        #expect(driver.waiting.count == 1)
        driver.failRequests(beyond: 0)
        #expect(driver.waiting.isEmpty && driver.instance.store.requests.isEmpty)
    }

    @Test func `The driver hands requests to the app over once`() throws {
        var driver = try Self.driver()
        #expect(driver.send(to: "host", for: .tap) { .tap($0) } == nil)
        guard case .native(.message(target: "session", selector: _), _)? = driver.takeHostRequests().first else {
            Issue.record("the app is not asked")
            return
        }
        #expect(driver.takeHostRequests().isEmpty)
    }

    @Test func `An event to an unknown name is refused with a list of the names`() throws {
        var driver = try Self.driver()
        let complaint = try #require(driver.send(to: "nobody") { .tap($0) })
        #expect(complaint.hasPrefix("the screen has no nobody; it has ") && complaint.contains("stop"))
    }

    @Test func `A script's clock moves only when its driver lets time pass, and a host's by itself`() throws {
        let clock = ManualClock()
        var still = try Self.driver()
        var running = try Self.driver(HostTime(from: 803_678_400, by: clock).time)
        let before = (still.instance.environment.now, running.instance.environment.now)
        clock.advance(by: .milliseconds(20))
        still.send(.time)
        running.send(.time)
        #expect(still.instance.environment.now == before.0 && running.instance.environment.now > before.1)
        still.pass(5)
        #expect(still.instance.environment.now == before.0 + 5)
        #expect(still.secondsToDeadline == .infinity)
    }

    @Test func `The driver drops its requests when it continues with another program`() throws {
        var driver = try Self.driver()
        _ = try Self.number(&driver)
        driver.replace(driver.instance.program)
        #expect(driver.waiting.isEmpty && driver.instance.revision == 2)
    }

    @Test func `The driver keeps changes that could not be saved, and releases the store when it is asked to`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/kept.sqlite"
        var driver = try Self.driver(keeping: try RecordStore(path: path))
        driver.send(.setting("one", .integer(1)))
        let obstacle = try DatabaseConnection(opening: path, for: .writing)
        try obstacle.script("CREATE TRIGGER no BEFORE INSERT ON setting BEGIN SELECT RAISE(ABORT, 'not now'); END;")
        #expect(throws: WidgetError.self) { try driver.save() }
        #expect(driver.hasUnsavedSettings)
        try obstacle.script("DROP TRIGGER no;")
        try driver.save()
        #expect(!driver.hasUnsavedSettings)
        driver.releaseStore()
        #expect(try RecordStore(path: path).load(model: driver.instance.program.model).defaults.keys.contains("one"))
    }
}

/// Goal: a step is the same value in every spelling.
@Suite struct `A step of a script` {
    static let steps: [ScriptStep] = [
        .tap("a \"b\""), .input("a", "x\ny"), .submit("a"), .select("a", section: 0, row: 3),
        .select("a", section: 2, row: 0), .delete("a", section: 0, row: 1), .scroll("a", toEnd: true),
        .scroll("a", toEnd: false), .refresh("a"), .pick("a", file: "/b.png"), .back, .link("https://x.example"),
        .wait(1.5), .expect("a"), .expectNot("a"), .snapshot("a"),
    ]

    @Test(arguments: steps) func `A step reads back as it was written`(step: ScriptStep) throws {
        let script = try EventScript(Array("[\(step.json)]".utf8))
        #expect(script.steps == [step])
    }
}

/// Goal: a widget that never settles, and a host that never takes its effects, stay within their limits. Method: a
/// timer that fires as often as it can, and buttons that are tapped again and again.
@Suite struct `A widget without rest` {
    static func widget(_ budget: Budget) -> WidgetInstance {
        var scene = Scene("main", nodes: [Node(.button)])
        scene.nodes[0].events[.tap] = [.open(.literal(.string("https://x.example")))]
        scene.onLoad = [.every(name: "t", seconds: 0.1, [.assign(.content, .literal(.integer(1)))])]
        let program = Program(
            identifier: "test", scenes: [scene], entries: ["main": .init(scene: "main", isNavigation: true)],
            initial: "main")
        return WidgetInstance(program, budget: budget)
    }

    @Test func `A widget that never settles is late, and says so`() {
        var calm = Self.widget(Budget())
        calm.send(.start)
        calm.advance(by: 10)
        #expect(calm.diagnostics.isEmpty)
        var hasty = Self.widget(Budget(unrestStepCount: 50))
        hasty.send(.start)
        hasty.advance(by: 100)
        let turns = hasty.log.count { $0.kind == .timer }
        #expect(hasty.diagnostics.map(\.code) == [.stepBudget] && turns <= 50 && hasty.environment.now == 100)
        hasty.advance(by: 0.5)
        #expect(hasty.log.count { $0.kind == .timer } - turns < 10, "what was missed is not made up for")
    }

    @Test func `Of a widget that never settles, the last requests to the app and log lines are kept`() {
        var widget = Self.widget(Budget())
        widget.send(.start)
        let key = ViewKey(screen: widget.store.visible?.number ?? 0, node: 0)
        for _ in 0..<250 { widget.send(.tap(key)) }
        let opened = widget.takeEffects().count { if case .open = $0 { true } else { false } }
        #expect(opened == 200 && widget.takeEffects().isEmpty)
        for _ in 0..<60 { widget.advance(by: 10) }
        #expect(widget.log.count <= 5_000)
    }
}
