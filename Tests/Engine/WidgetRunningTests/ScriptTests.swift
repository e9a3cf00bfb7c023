import Foundation
import Testing
import WidgetCore
import WidgetFiles
import WidgetHosting
import WidgetPredicates
import WidgetRender
import WidgetRunning

/// Goal: a host loads, keeps and drives widgets, and its refusals say why.
@Suite struct `A host` {
    @Test(.enabled(if: DemoBundle.isThere, "needs the original samples"))
    func `defect 3: a host refuses an identifier that is not the bundle's with a typed error`() {
        #expect(throws: WidgetError.identifierMismatch(expectedPrefix: "mobi.favio.WidgetDemo", found: "mobi.other")) {
            _ = try DemoBundle.program(identifier: "mobi.other")
        }
    }

    @Test(.enabled(if: DemoBundle.isThere, "needs the original samples"))
    func `A host keeps the records and settings of each widget separate`()
        throws
    {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let first = try DrivenWidget.demo().started()
        first.send(.setting("showAvatars", .boolean(true)))
        try first.save(to: "\(scratch.path)/one.sqlite")
        let kept = try RecordStore(path: "\(scratch.path)/one.sqlite").load(model: first.program.model)
        #expect(kept.records.count == first.store.records.count)
        #expect(kept.defaults["showAvatars"]?.truth ?? false)
        for record in first.store.records.all {
            #expect(kept.records[record.id]?.isIdentical(to: record) ?? false)
        }
        let again = try DrivenWidget.demo(store: kept)
        again.send(.start)
        #expect(again.view().title == "Favio Mobile" && again.column("timeLabel").count == 6)
        #expect(try RecordStore(path: "\(scratch.path)/two.sqlite").load(model: first.program.model).records.count == 0)
    }

    @Test func `Every value on the screen says where it came from`() throws {
        let widget = try MediatorTestWidget.values()
        let evaluator = Evaluator(widget.program)
        var unexplained: [String] = []
        var origins: Set<String> = []
        widget.view().visit { node in
            for property in node.properties {
                let found = evaluator.explanation(of: property.name, at: node.key, in: widget.store, widget.environment)
                if let found {
                    origins.insert("\(found.origin)")
                    if !found.value.isIdentical(to: property.value) {
                        unexplained.append("\(node.key) \(property.name)")
                    }
                } else if node.key.node >= 0, property.name.name != "focused" {
                    unexplained.append("\(node.key) \(property.name)")
                }
            }
            return true
        }
        #expect(unexplained.isEmpty && origins == ["authored", "bound", "given"])
    }

    @Test func `A host plays a script, and names the step that fails`() async throws {
        let script = try EventScript(
            Array(
                #"[{"expect": "Harbour Log"}, {"snapshot": "log"}, {"select": "tableView", "row": 0}, {"expect": "nowhere"}]"#
                    .utf8))
        let widget = try SampleBundle.widget("HarbourLog")
        var run = ScriptRun(widget.instance, network: DeniedNetwork()) { ViewText().text($0) }
        do throws(WidgetError) {
            try await run.play(script)
            Issue.record("the last step must fail")
        } catch {
            #expect("\(error)".contains("step 4") && run.output.hasPrefix("== log\n"))
        }
    }

    @Test(arguments: [
        "", "{}", "[5]", #"[{"tap": 5}]"#, #"[{"input": "a"}]"#, #"[{"select": "a", "row": 1.5}]"#, #"[{"wait": -1}]"#,
        #"[{"tap": "a", "expect": "b"}]"#,
    ])
    func `A malformed script is refused`(text: String) {
        #expect(throws: WidgetError.self) { _ = try EventScript(Array(text.utf8)) }
    }
}

/// Goal: each step of a script does its act, or fails with the reason. Method: one screen with an element for each
/// step.
@Suite struct `A script's step` {
    typealias S = TestStoryboard

    static func run(_ steps: String...) async throws -> ScriptRun {
        let widget = try S.widget(
            S.element("searchBar", "bar", height: 44) + S.button("go", "Go", y: 50)
                + S.label("text", y: 80)
                + S.table("list", cells: [S.cell("Cell", labels: ["name"])]),
            #"""
            "objects": {"entries": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Entry", "sortByFields": "entryId", "groupByField": "kind", "filterFormat": "title == $input"}},
              "table": {"type": "TableInfiniteScrollController", "attrs": {"collectSelectedObjects": true},
                "outlets": {"mainContentProvider": "entries", "tableView": "list", "searchController": "search"}},
              "load": {"type": "OnLoadActionController", "attrs": {"actionName": "log"}},
              "search": {"type": "SearchActionController", "attrs": {"filterFormat": "title == $input"}, "outlets": {"sender": "bar"}},
              "up": {"type": "InfiniteScrollActionController", "attrs": {"actionName": "up", "trackScrollDown": false}, "outlets": {"sender": "list"}},
              "down": {"type": "InfiniteScrollActionController", "attrs": {"actionName": "down"}, "outlets": {"sender": "list"}},
              "pull": {"type": "TableRefreshActionController", "attrs": {"actionName": "pull"}, "outlets": {"sender": "list"}},
              "later": {"type": "ButtonActionController", "attrs": {"actionName": "later", "actionDelay": 100}, "outlets": {"sender": "go"}}},
            "elements": {\#(`A scheme`.stubSelf), "name": {"bindings": [{"from": "content.title"}]}}
            """#,
            files: [
                "StubService.json": `A mediator`.stub(
                    #"""
                    "up": {"response": {}}, "down": {"response": {}}, "pull": {"response": {}}, "later": {"response": {}},
                    "log": {"resultType": "[Entry]", "response": [{"id": "1", "title": "alpha", "kind": "x"}, {"id": "2", "title": "beta", "kind": "x"}, {"id": "3", "title": "gamma", "kind": "y"}]}
                    """#)
            ])
        var run = ScriptRun(widget.instance, network: DeniedNetwork()) { ViewText().text($0) }
        try await run.play(EventScript(Array("[\(steps.joined(separator: ","))]".utf8)))
        return run
    }

    static func signals(_ run: ScriptRun) -> Set<String> {
        Set(run.instance.log.filter { $0.kind == .signal }.map(\.text)).subtracting([
            "logStart", "logReady", "logSuccess",
        ])
    }

    @Test(arguments: [
        (#"{"scroll": "list"}"#, "down"), (#"{"scroll": "list", "to": "end"}"#, "down"),
        (#"{"scroll": "list", "to": "start"}"#, "up"), (#"{"refresh": "list"}"#, "pull"),
    ]) func `A step scrolls to either end, and pulls a list`(step: String, action: String) async throws {
        #expect(try await Self.signals(Self.run(step)) == ["\(action)Start", "\(action)Ready"])
    }

    @Test func `A step selects a row of a section`() async throws {
        for (step, title) in [
            (#"{"select": "list", "row": 1}"#, "beta"), (#"{"select": "list", "section": 1, "row": 0}"#, "gamma"),
        ] {
            let run = try await Self.run(step)
            #expect(run.instance.store.visible?.selection.values.first?.map { $0.member("title").shown } == [title])
        }
    }

    @Test func `A step submits typed text at once, and waits where the scheme says so`() async throws {
        let run = try await Self.run(
            #"{"input": "bar", "value": "beta"}"#, #"{"submit": "Main/bar"}"#, #"{"expect": "beta"}"#,
            #"{"expectNot": "alpha"}"#,
            #"{"tap": "Go"}"#, #"{"wait": 101}"#)
        #expect(Self.signals(run).contains("laterReady"))
    }

    @Test func `A step opens a link, and goes back where there is an earlier screen`() async throws {
        var run = try await Self.run(#"{"link": "https://x.example/a"}"#)
        guard case .open(let url)? = run.takeHostRequests().first else {
            Issue.record("the app was not asked to open it")
            return
        }
        #expect(url == "https://x.example/a")
        await #expect(throws: WidgetError.self) { _ = try await Self.run(#"{"back": true}"#) }
    }

    @Test(arguments: [
        #"{"expect": "nowhere"}"#, #"{"expectNot": "alpha"}"#, #"{"tap": "nobody"}"#, #"{"select": "list", "row": 7}"#,
        #"{"select": "list", "section": 4, "row": 0}"#, #"{"delete": "list", "row": 0}"#, #"{"refresh": "go"}"#,
        #"{"submit": "go"}"#, #"{"pick": "go", "file": "/nothing.png"}"#, #"{"input": "go", "value": "x"}"#,
        #"{"tap": "Elsewhere/go"}"#,
    ]) func `A step that cannot be taken fails`(step: String) async throws {
        await #expect(throws: WidgetError.self) { _ = try await Self.run(step) }
    }

    @Test func `A step deletes the row that it names`() async throws {
        let widget = try `A mediator`.widget(
            [`A mediator`.provider, `A mediator`.load, `A mediator`.table(#", "allowDeletion": true"#)],
            service: `A mediator`.stub(
                #""log": {"resultType": "[Entry]", "response": [{"id": "1", "title": "first", "keeper": {"id": "ada"}}, {"id": "2", "title": "second", "keeper": {"id": "ada"}}]}"#
            ))
        var run = ScriptRun(widget.instance, network: DeniedNetwork()) { ViewText().text($0) }
        try await run.play(
            EventScript(
                Array(#"[{"delete": "tableView", "row": 1}, {"expect": "first"}, {"expectNot": "second"}]"#.utf8)))
    }

    @Test func `A step refuses to pick a file that is too large`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/large.png"
        try Data(count: (8 << 20) + 1).write(to: URL(filePath: path))
        #expect(throws: WidgetError.self) { _ = try MediaFile.read(path) }
        try Data(count: 10).write(to: URL(filePath: path))
        #expect(try MediaFile.read(path).bytes.count == 10)
    }
}
