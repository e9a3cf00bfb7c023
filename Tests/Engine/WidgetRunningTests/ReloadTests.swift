import Testing
import WidgetCore
import WidgetFiles
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning

/// Goal: a changed service is seen in the running widget, and a run can begin again. Method: a widget with a stub that
/// answers on load and on a tap, and programs whose stub has other answers.
@Suite struct `A changed service` {
    private typealias T = TestStoryboard

    private static let old = #"[{"id": "1", "title": "old"}, {"id": "2", "title": "gone"}]"#
    private static let new = #"[{"id": "1", "title": "new"}, {"id": "3", "title": "more"}]"#

    /// - Parameter rows: the answer of the stub on load.
    static func widget(
        _ rows: String, policy: String = "none", delay: Double = 0, title: String = "Add", objects: String = "",
        method: String = "GET", now: Double = 803_678_400
    ) throws -> DrivenWidget {
        let views =
            T.button("add", title) + T.element("textField", "field", y: 30)
            + T.table("list", cells: [T.cell("Cell", labels: ["name"])])
        let scheme = #"""
            "objects": {"entries": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Entry", "sortByFields": "entryId"}},
              "table": {"type": "TableDisplayController", "outlets": {"mainContentProvider": "entries", "tableView": "list"}},
              "adding": {"type": "ButtonActionController", "attrs": {"actionName": "add"}, "outlets": {"sender": "add"}},
              \#(objects)
              "load": {"type": "OnLoadActionController", "attrs": {"actionName": "load"}}},
            "elements": {"@self": {"attrs": {"serviceProviderClassName": "StubServiceProvider"}},
              "name": {"bindings": [{"from": "content.title"}]}}
            """#
        let stub = #"""
            {"actions": {"load": {"resultType": "[Entry]", "httpMethod": "\#(method)", "clearPolicy": "\#(policy)", "response": \#(rows)},
              "add": {"resultType": "Entry", "response": {"id": "9", "title": "own"}}}, "options": {"debugDelay": \#(delay)}}
            """#
        return try T.widget(
            [T.Screen(name: "Main", views: views)], ["Main": scheme], files: ["StubService.json": stub], now: now)
    }

    private static func count(_ kind: LogEntry.Kind, _ widget: DrivenWidget) -> Int {
        widget.log.count { $0.kind == kind }
    }

    @Test(arguments: [("none", ["new", "more", "own"]), ("before", ["new", "more"]), ("after", ["new", "more"])])
    func `A changed stub is asked again on open screens, and its rows replace the earlier ones`(
        policy: String, names: [String]
    ) throws {
        let widget = try Self.widget(Self.old, policy: policy).started()
        #expect(widget.column("name") == ["old", "gone"])
        try widget.tap("add")
        try #require(widget.settle())
        try widget.type("typed", into: "field")
        let changed = try Self.widget(Self.new, policy: policy).program
        widget.change { $0.replace(changed) }
        try #require(widget.settle())
        #expect(widget.column("name") == names)
        #expect(widget.shows("typed"), "what was typed stays")
        widget.change { $0.replace(changed) }
        try #require(widget.settle())
        #expect(widget.column("name") == names)
    }

    @Test func `Rows without an identity are there once after the stub was changed`() throws {
        let widget = try Self.widget(#"[{"title": "one"}, {"title": "two"}]"#).started()
        let changed = try Self.widget(#"[{"title": "two"}, {"title": "three"}]"#).program
        for _ in 0..<2 {
            widget.change { $0.replace(changed) }
            try #require(widget.settle())
        }
        #expect(widget.column("name").sorted() == ["three", "two"])
    }

    @Test func `A service that stays as it was is not asked again when something else changes`() throws {
        let widget = try Self.widget(Self.old).started()
        #expect(Self.count(.request, widget) == 1)
        let changed = try Self.widget(Self.old, title: "Another").program
        widget.change { $0.replace(changed) }
        try #require(widget.settle())
        #expect(widget.shows("(Another)") && Self.count(.request, widget) == 1)
    }

    @Test func `An action that changes something on the server is not done again after the service was changed`() throws
    {
        let widget = try Self.widget(Self.old, method: "POST").started()
        #expect(Self.count(.request, widget) == 1)
        let changed = try Self.widget(Self.new, method: "POST").program
        widget.change { $0.replace(changed) }
        try #require(widget.settle())
        #expect(Self.count(.request, widget) == 1 && widget.column("name") == ["old", "gone"])
    }

    @Test func `A record that another answer still has stays when a changed stub is asked again`() throws {
        let both = #""second": {"type": "OnLoadActionController", "attrs": {"actionName": "add"}},"#
        let same = #"[{"id": "9", "title": "own"}, {"id": "1", "title": "one"}]"#
        let widget = try Self.widget(same, objects: both).started()
        let changed = try Self.widget(#"[{"id": "1", "title": "one"}]"#, objects: both).program
        widget.change { $0.replace(changed) }
        try #require(widget.settle())
        #expect(widget.column("name").sorted() == ["one", "own"])
    }

    @Test func `An answer that a reload has cut off is asked for again`() throws {
        let widget = try Self.widget(Self.old, delay: 2)
        widget.send(.start)
        let changed = try Self.widget(Self.old, delay: 2, title: "Another").program
        widget.change { $0.replace(changed) }
        try #require(widget.settle())
        #expect(widget.column("name") == ["old", "gone"])
    }

    @Test func `A repeating timer continues after a reload`() throws {
        let timer = #""tick": {"type": "TimerActionController", "attrs": {"actionName": "load", "interval": 5}},"#
        let widget = try Self.widget(Self.old, objects: timer).started()
        let changed = try Self.widget(Self.old, title: "Another", objects: timer).program
        widget.change { $0.replace(changed) }
        let before = Self.count(.request, widget)
        widget.advance(by: 11)
        #expect(Self.count(.request, widget) == before + 2)
    }

    // MARK: - Anew

    @Test func `A run that begins anew shows its first screen without what was done in it`() throws {
        let widget = try Self.widget(Self.old).started()
        let first = widget.text()
        try widget.tap("add")
        try #require(widget.settle())
        try widget.type("typed", into: "field")
        widget.send(.setting("mine", .boolean(true)))
        #expect(widget.text() != first)
        widget.change { $0.restart() }
        try #require(widget.settle())
        #expect(widget.text() == first)
        #expect(!(widget.store.defaults["mine"]?.truth ?? false) && widget.store.screens.count == 1)
        let changed = try Self.widget(Self.new).program
        widget.change { $0.replace(changed) }
        widget.change { $0.restart() }
        try #require(widget.settle())
        #expect(widget.column("name") == ["new", "more"], "the present program begins anew")
    }

    @Test func `A run that begins anew ignores answers to what it asked before`() throws {
        let widget = try Self.widget(Self.old, delay: 2)
        widget.send(.start)
        let late = try #require(widget.store.requests.first).number
        widget.change { $0.restart() }
        #expect(widget.store.requests.map(\.number) != [late])
        widget.send(.response(request: late, .response(status: 200, body: .array([]))))
        #expect(widget.store.requests.count == 1)
        try #require(widget.settle())
        #expect(widget.column("name") == ["old", "gone"])
    }

    @Test func `A run that begins anew keeps in its store what the run began with`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/kept.sqlite"
        let earlier = try Self.widget(Self.old).started()
        earlier.send(.setting("mine", .string("first")))
        try earlier.save(to: path)
        let program = earlier.program
        let kept = try RecordStore(path: path).load(model: program.model)
        let widget = DrivenWidget(WidgetInstance(program, store: kept, environment: earlier.environment))
        try #require(widget.started().column("name") == ["old", "gone"])
        try widget.tap("add")
        widget.send(.setting("mine", .string("second")))
        widget.send(.setting("other", .string("new")))
        try #require(widget.settle())
        try widget.save(to: path)
        #expect(try RecordStore(path: path).load(model: program.model).records.count == 3)
        widget.change { $0.restart() }
        try #require(widget.settle())
        try widget.save(to: path)
        let after = try RecordStore(path: path).load(model: program.model)
        #expect(after.records.count == 2 && after.settings["mine"]?.shown == "first")
        #expect(after.settings["other"]?.isNull ?? true)
    }

    // MARK: - Nothing sent

    @Test func `Each action that sends nothing for want of an authorization says so, the second one too`() async throws
    {
        let widget = try `Defects of the original`.services(
            #"{"auth": {"setting": "token"}, "actions": {"go": {"needAuth": true}}}"#, actions: ["go"])
        var run = ScriptRun(widget.instance, network: DeniedNetwork()) { ViewText().text($0) }
        try await run.play(.empty)
        #expect(run.takeNotices().isEmpty)
        for _ in 0..<2 {
            try await run.continue(with: EventScript(steps: [.tap("goButton")]))
            let notices = run.takeNotices()
            try await run.continue(with: EventScript(steps: [.tap("OK")]))
            #expect(notices == ["nothing was sent: go needs an authorization, and the setting token has none."])
        }
    }
}
