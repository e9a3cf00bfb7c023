import Testing
import WidgetCore
import WidgetFormats
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning

/// Goal: what a person taps in rows of documents can be recorded and played again, without a name for each. Method: taps on
/// the rows of a document, as a page and a terminal send them.
@Suite struct `A recorded tap` {
    private static func instance(_ table: String, states: String = "") throws -> WidgetInstance {
        let document =
            #"{"schema": 1, "state": {"last": "none"\#(states)}, "root": [{"kind": "label", "payload": {"text": "$last"}}, \#(table)]}"#
        let files = BundleFiles(["Main.widgets.json": Array(document.utf8)])
        return WidgetInstance(try FrontEnds.program(files, ProgramOptions(identifier: "test")))
    }

    private static func rows(_ view: View) -> [ViewKey] {
        var rows: [ViewKey] = []
        view.visit { node in
            if node.kind == .row { rows.append(node.key) }
            return true
        }
        return rows
    }

    @Test(arguments: [
        (
            #"{"kind": "table", "items": {"in": ["a", "b", "c"], "as": "name"}, "children": [{"kind": "cell", "payload": {"title": "$name"}, "on": {"select": {"do": "set", "state": "last", "to": {"$": "uppercase(name)"}}}}]}"#,
            2, #"{"select": "list", "section": 0, "row": 2}"#, "C"
        ),
        (
            #"{"kind": "table", "id": "people", "on": {"select": {"do": "set", "state": "last", "to": "by table"}}, "children": [{"kind": "section", "payload": {"title": "One"}, "children": [{"kind": "cell", "payload": {"title": "A"}}]}, {"kind": "section", "payload": {"title": "Two"}, "children": [{"kind": "cell", "payload": {"title": "B"}}]}]}"#,
            1, #"{"select": "people", "section": 1, "row": 0}"#, "by table"
        ),
    ])
    func `A tap on a row without a name is recorded as the choice of its place, and leads to the same screen`(
        table: String, row: Int, json: String, shown: String
    ) async throws {
        let beginning = try Self.instance(table)
        var driver = WidgetDriver(beginning, clock: .script)
        driver.send(.start)
        var recorder = ScriptRecorder()
        let (view, before) = (driver.view(), driver.instance)
        let event = Event.tap(Self.rows(view)[row])
        #expect(driver.send(event) == nil)
        recorder.take(event, in: view, of: before, isRefused: false)
        let script = try EventScript(EventScript(steps: recorder.steps).document)
        #expect(script.steps == (try EventScript(Array("[\(json)]".utf8)).steps), "\(recorder.steps)")
        var run = ScriptRun(beginning, network: DeniedNetwork()) { ViewText().text($0) }
        try await run.play(script)
        #expect(ViewText().text(run.view()) == ViewText().text(driver.view()))
        #expect(ViewText().text(run.view()).contains(shown))
    }

    @Test func `Rows that are chosen and deleted by their keys are recorded by their places`() async throws {
        let beginning = try Self.instance(
            #"""
            {"kind": "table", "id": "t", "items": {"in": "$list", "as": "n", "key": "$n"}, "children": [
              {"kind": "cell", "payload": {"title": "$n"}, "on": {"select": {"do": "set", "state": "last", "to": "$n"},
                "delete": {"do": "remove", "state": "list", "is": "$n"}}}]}
            """#, states: #", "list": ["a", "b", "c"]"#)
        var driver = WidgetDriver(beginning, clock: .script)
        driver.send(.start)
        var recorder = ScriptRecorder()
        let rows = Self.rows(driver.view())
        for event in [Event.deleteRow(rows[0]), .select(rows[2])] {
            let (view, before) = (driver.view(), driver.instance)
            #expect(driver.send(event) == nil)
            recorder.take(event, in: view, of: before, isRefused: false)
        }
        #expect(recorder.steps == [.delete("t", section: 0, row: 0), .select("t", section: 0, row: 1)])
        var run = ScriptRun(beginning, network: DeniedNetwork()) { ViewText().text($0) }
        try await run.play(EventScript(steps: recorder.steps))
        let shown = ViewText().text(run.view())
        #expect(shown == ViewText().text(driver.view()) && shown.contains("b") && !shown.contains("a"))
        #expect(run.instance.store.visible?.states["last"]?.shown == "c")
    }

    @Test func `A button of an alert is recorded as the answer, which a script gives`() async throws {
        let beginning = try Self.instance(
            #"""
            {"kind": "button", "id": "go", "payload": {"text": "Go"}, "on": {"tap": {"do": "alert", "title": "Sure?", "actions": [
              {"title": "No"}, {"title": "Yes", "actions": {"do": "set", "state": "last", "to": "done"}}]}}}
            """#)
        var driver = WidgetDriver(beginning, clock: .script)
        driver.send(.start)
        var recorder = ScriptRecorder()
        for name in ["go", "Yes"] {
            let (view, before) = (driver.view(), driver.instance)
            let event = Event.tap(try #require(ElementSearch(view).key(name, for: .tap)))
            #expect(driver.send(event) == nil)
            recorder.take(event, in: view, of: before, isRefused: false)
        }
        let script = try EventScript(EventScript(steps: recorder.steps).document)
        #expect(script.steps == [.tap("go"), .answer("Yes")])
        var run = ScriptRun(beginning, network: DeniedNetwork()) { ViewText().text($0) }
        try await run.play(script)
        #expect(ViewText().text(run.view()).contains("done"))
        let early = EventScript(steps: [.answer("Yes")])
        await #expect(throws: WidgetError.self) { try await run.play(early) }
    }
}
