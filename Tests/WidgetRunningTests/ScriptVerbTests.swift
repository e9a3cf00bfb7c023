import Files
import Foundation
import Predicates
import Testing
import WidgetCore
import WidgetRender
import WidgetRunning

/// Goal: each step that a script can have does what it says, and says when it cannot. Method: one screen with something
/// for each of them.
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
    ]) func `scrolls to either end, and pulls`(step: String, action: String) async throws {
        #expect(try await Self.signals(Self.run(step)) == ["\(action)Start", "\(action)Ready"])
    }

    @Test func `selects a row of a section`() async throws {
        for (step, title) in [
            (#"{"select": "list", "row": 1}"#, "beta"), (#"{"select": "list", "section": 1, "row": 0}"#, "gamma"),
        ] {
            let run = try await Self.run(step)
            #expect(run.instance.store.visible?.selection.values.first?.map { $0.member("title").shown } == [title])
        }
    }

    @Test func `submits what was typed at once, and waits where that is said`() async throws {
        let run = try await Self.run(
            #"{"input": "bar", "value": "beta"}"#, #"{"submit": "Main/bar"}"#, #"{"expect": "beta"}"#,
            #"{"expectNot": "alpha"}"#,
            #"{"tap": "Go"}"#, #"{"wait": 101}"#)
        #expect(Self.signals(run).contains("laterReady"))
    }

    @Test func `asks for a link to be opened, and goes back where there is somewhere to go`() async throws {
        var run = try await Self.run(#"{"link": "https://x.example/a"}"#)
        guard case .open(let url)? = run.takeHostRequests().first else {
            Issue.record("nobody is asked to open it")
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
    ]) func `that cannot be taken fails`(step: String) async throws {
        await #expect(throws: WidgetError.self) { _ = try await Self.run(step) }
    }

    @Test func `deletes the row that it names`() async throws {
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

    @Test func `picks no file that is too large`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/large.png"
        try Data(count: (8 << 20) + 1).write(to: URL(filePath: path))
        #expect(throws: WidgetError.self) { _ = try MediaFile.read(path) }
        try Data(count: 10).write(to: URL(filePath: path))
        #expect(try MediaFile.read(path).bytes.count == 10)
    }
}
