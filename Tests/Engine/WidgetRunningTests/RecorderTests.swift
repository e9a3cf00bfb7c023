import Testing
import WidgetCore
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning

/// Goal: a recorded run can be repeated. Method: acts on widgets of the tests; the script that was recorded is read back
/// and played, and must lead to the same screen.
@Suite struct `A recorded run` {
    private typealias T = TestStoryboard

    /// A widget with a recorder beside it.
    private final class Recorded {
        var driver: WidgetDriver
        var recorder = ScriptRecorder()
        private let beginning: WidgetInstance

        init(_ instance: WidgetInstance) {
            beginning = instance
            driver = WidgetDriver(instance, clock: .script)
            driver.send(.start)
            rest()
        }

        private func rest() {
            _ = driver.settle()
            recorder.observe(driver.instance)
        }

        func key(_ name: String, for action: NodeEvent? = nil) throws -> ViewKey {
            try #require(ElementSearch(driver.view()).key(name, for: action))
        }

        func act(_ event: Event, file: String? = nil) {
            let (view, before) = (driver.view(), driver.instance)
            #expect(driver.send(event) == nil)
            recorder.take(event, in: view, of: before, isRefused: false, file: file)
            rest()
        }

        func pass(_ seconds: Double) { driver.pass(seconds) }

        /// The screen after the script, which is read from its JSON.
        func replayed() async throws -> String {
            let script = try EventScript(EventScript(steps: recorder.steps).document)
            #expect(script.steps == recorder.steps)
            var run = ScriptRun(beginning, network: DeniedNetwork()) { ViewText().text($0) }
            try await run.play(script)
            return ViewText().text(run.view())
        }

        var text: String { ViewText().text(driver.view()) }
    }

    @Test func `A recording has one step for a typed word, names rows by their place, and leads to the same screen`()
        async throws
    {
        let run = Recorded(try SampleBundle.widget("HarbourLog").instance)
        let bar = try run.key("searchBar")
        for text in ["g", "gu", "gull"] { run.act(.input(bar, .string(text))) }
        var row: ViewKey?
        run.driver.view().visit { node in
            if node.kind == .row { row = row ?? node.key }
            return row == nil
        }
        run.act(.tap(try #require(row)))
        run.act(.back)
        #expect(
            run.recorder.steps == [.input("searchBar", "gull"), .select("tableView", section: 0, row: 0), .back])
        #expect(try await run.replayed() == run.text && run.text.contains("A gull took the biscuits"))
    }

    @Test func `A recording counts elements that share a name, and answers alerts by their button`() async throws {
        let widget = try T.widget(
            T.button("go", "Go") + T.button("go2", "Go", y: 40)
                + T.label("text", y: 80),
            #"""
            "objects": {"one": {"type": "ButtonActionController", "attrs": {"actionName": "fails"}, "outlets": {"sender": "go2"}},
              "status": {"type": "ActionStatusController", "attrs": {"actionName": "fails", "errorTitle": "No", "errorMessage": "Sorry"}}},
            "elements": {"@self": {"attrs": {"serviceProviderClassName": "StubServiceProvider"}}}
            """#, files: ["StubService.json": #"{"actions": {"fails": {}}}"#])
        let run = Recorded(widget.instance)
        run.act(.tap(try run.key("go2")))
        let alert = try #require(run.driver.view().alerts.last)
        run.act(.tap(alert.key))
        #expect(run.recorder.steps == [.tap("go2"), .tap("OK")])
        #expect(try await run.replayed() == run.text)
        let view = View(
            screen: "Main", title: "",
            root: ViewNode(
                ViewKey(screen: 0, node: 0), .box,
                children: (1...3).map {
                    ViewNode(
                        ViewKey(screen: 0, node: $0), .button, identifier: "like", events: $0 == 1 ? [] : [.tap])
                }))
        let search = ElementSearch(view)
        #expect((2...3).map { search.name(of: ViewKey(screen: 0, node: $0), for: .tap) } == ["like", "like#2"])
        #expect(search.key("like#2", for: .tap)?.node == 3 && search.key("like#3")?.node == 3)
        for name in ["like#0", "like#4", "like#", "like#x", "#1"] { #expect(search.key(name) == nil, "\(name)") }
    }

    @Test func `A recording waits where a timer was pending, and nowhere else`() async throws {
        for hasTimer in [false, true] {
            let timer = #""tick": {"type": "TimerActionController", "attrs": {"actionName": "load", "interval": 5}},"#
            let rows = #"[{"id": "1", "title": "one"}]"#
            let run = Recorded(try `A changed service`.widget(rows, objects: hasTimer ? timer : "").instance)
            let field = try run.key("field")
            run.pass(12.04)
            run.act(.input(field, .string("a")))
            run.pass(1)
            run.act(.input(field, .string("ab")))
            run.act(.tap(try run.key("add")))
            run.pass(0.02)
            run.recorder.end(run.driver.instance)
            let taps: [ScriptStep] = [.input("field", "ab"), .tap("add")]
            #expect(run.recorder.steps == (hasTimer ? [.wait(12), taps[0], .wait(1), taps[1]] : taps))
            #expect(try await run.replayed() == run.text)
        }
    }

    @Test func `A recording leaves the text of a secure field out, and says so`() throws {
        let widget = try T.widget(
            T.element(
                "textField", "pin", inside: #"<textInputTraits key="textInputTraits" secureTextEntry="YES"/>"#)
                + T.element("textField", "name", y: 40), "")
        let run = Recorded(widget.instance)
        let pin = try run.key("pin")
        for text in ["1", "1234"] { run.act(.input(pin, .string(text))) }
        run.act(.input(try run.key("name"), .string("Ada")))
        let (view, before) = (run.driver.view(), run.driver.instance)
        run.recorder.take(.input("pin", "5678"), in: view, of: before)
        #expect(
            run.recorder.steps == [
                .input("pin", ScriptRecorder.secret), .input("name", "Ada"), .input("pin", ScriptRecorder.secret),
            ])
        #expect(run.recorder.remarks.count == 1 && run.recorder.remarks[0].hasPrefix("pin is a secure field"))
    }

    @Test func `A recording has values that a script can give, titles that are numbers among them`() async throws {
        let widget = try T.widget(
            T.element("pickerView", "year")
                + T.element("slider", "size", y: 40, attributes: #"minValue="0" maxValue="9""#)
                + T.element("switch", "sound", y: 80),
            #""elements": {"year": {"attrs": {"titles": ["2", "1", "0"]}}}"#)
        let run = Recorded(widget.instance)
        run.act(.input(try run.key("year"), .double(2)))
        run.act(.input(try run.key("size"), .double(2.25)))
        run.act(.input(try run.key("size"), .double(3)))
        run.act(.tap(try run.key("sound")))
        #expect(run.recorder.steps == [.input("year", "0"), .input("size", "3"), .tap("sound")])
        #expect(try await run.replayed() == run.text)
    }

    @Test func `A recording names what numbers tapped, and keeps other steps as they were given`() throws {
        let run = Recorded(try SampleBundle.widget("HarbourLog").instance)
        let (view, before) = (run.driver.view(), run.driver.instance)
        var row: ViewKey?
        view.visit { node in
            if node.kind == .row { row = row ?? node.key }
            return row == nil
        }
        run.recorder.take(.tap("\(try #require(row))"), in: view, of: before)
        run.recorder.take(.tap("\(try run.key("searchBar"))"), in: view, of: before)
        run.recorder.take(.tap("Fog"), in: view, of: before)
        run.recorder.take(.wait(3), in: view, of: before)
        #expect(
            run.recorder.steps == [
                .select("tableView", section: 0, row: 0), .tap("searchBar"), .tap("Fog"), .wait(3),
            ])
    }

    @Test func `A recording ends at the size that a script may have, and says so once`() throws {
        let run = Recorded(try SampleBundle.widget("HarbourLog").instance)
        let (view, before) = (run.driver.view(), run.driver.instance)
        let text = String(repeating: "x", count: 100_000)
        for _ in 0..<15 { run.recorder.take(.input("searchBar", text), in: view, of: before) }
        #expect(run.recorder.steps.count == 10 && run.recorder.remarks.count == 1)
        #expect(EventScript(steps: run.recorder.steps).document.count <= EventScript.byteCount)
    }

    @Test func `A recording of nothing is a script without steps`() throws {
        #expect(try EventScript(EventScript.empty.document).steps.isEmpty)
    }
}
