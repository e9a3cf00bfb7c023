import Predicates
import Testing
import WidgetCore
import WidgetRender
import WidgetRunning

/// Goal: rows that are used again say what they would say if they were made anew. Method: a list of twelve, looked at
/// before and after each thing that rows can depend on, beside an evaluation that has never seen it.
@Suite struct `Rows that are used again` {
    typealias S = TestStoryboard

    static func widget() throws -> DrivenWidget {
        let entries = (1...12).map {
            #"{"id": "\#($0 + 10)", "title": "t\#($0)", "time": "2026-06-20 0\#($0 % 9):15", "keeper": {"id": "k\#($0)", "name": "n\#($0)"}}"#
        }
        return try S.widget(
            S.button("rename", "Rename") + S.button("retitle", "Retitle", y: 30)
                + S.table(
                    "list", cells: [S.cell("Cell", labels: ["name", "keeper", "age", "setting"])]),
            #"""
            "objects": {"entries": {"type": "ManagedObjectsProvider", "attrs": {"entityName": "Entry", "sortByFields": "entryId"}},
              "table": {"type": "TableDisplayController", "attrs": {"collectSelectedObjects": true}, "outlets": {"mainContentProvider": "entries", "tableView": "list"}},
              "load": {"type": "OnLoadActionController", "attrs": {"actionName": "log"}},
              "renaming": {"type": "ButtonActionController", "attrs": {"actionName": "rename"}, "outlets": {"sender": "rename"}},
              "retitling": {"type": "ButtonActionController", "attrs": {"actionName": "retitle"}, "outlets": {"sender": "retitle"}}},
            "elements": {\#(`A scheme`.stubSelf), "name": {"bindings": [{"from": "content.title"}]},
              "keeper": {"bindings": [{"from": "content.keeper.name"}]},
              "age": {"bindings": [{"from": "content.time", "transformer": "ago"}]},
              "setting": {"bindings": [{"from": "defaults.word", "placeholder": "none"}]}}
            """#,
            files: [
                "StubService.json": #"""
                {"options": {"transformers": {"date": {"logTime": {"format": "yyyy-MM-dd HH:mm"}}}}, "actions": {
                  "log": {"resultType": "[Entry]", "response": [\#(entries.joined(separator: ","))]},
                  "rename": {"resultType": "Keeper", "response": {"id": "k3", "name": "renamed"}},
                  "retitle": {"resultType": "Entry", "response": {"id": "14", "title": "retitled"}}}}
                """#
            ]
        ).started()
    }

    /// What is shown, which must be what is shown to whoever has not looked before.
    static func look(_ widget: DrivenWidget) -> String {
        let seen = ViewText(width: 100).text(widget.view())
        let anew = Evaluator(widget.program).view(of: widget.store, widget.environment)
        #expect(ViewText(width: 100).text(anew) == seen)
        return seen
    }

    @Test func `say what has become of a record beside theirs, and of their own`() throws {
        let widget = try Self.widget()
        #expect(Self.look(widget).contains("n3"))
        try widget.tap("rename")
        #expect(widget.settle())
        let renamed = Self.look(widget)
        #expect(renamed.contains("renamed") && !renamed.contains("n3 ") && widget.instance.reevaluatedRows == 1)
        try widget.tap("retitle")
        #expect(widget.settle() && Self.look(widget).contains("retitled") && widget.instance.reevaluatedRows == 1)
    }

    @Test func `grow older`() throws {
        let widget = try Self.widget()
        var seen: Set<String> = [Self.look(widget)]
        for step in [1, 3_600, 7_200, 86_400, 3_456_000] as [Double] {
            widget.advance(by: step)
            seen.insert(Self.look(widget))
        }
        #expect(seen.count >= 5, "hours, days and months are not the same")
    }

    @Test func `know a setting, and which of them were chosen`() throws {
        let widget = try Self.widget()
        #expect(Self.look(widget).contains("none"))
        widget.send(.setting("word", .string("given")))
        #expect(Self.look(widget).contains("given"))
        try widget.select("list", row: 2)
        #expect(Self.look(widget).split(separator: "\n").count { $0.hasPrefix("*") } == 1)
        try widget.select("list", row: 5)
        let row = Self.look(widget).split(separator: "\n").first { $0.hasPrefix("*") }
        #expect(row?.contains("t6") ?? false, "\(row ?? "none")")
    }
}
