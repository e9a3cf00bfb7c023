import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetDocuments

/// Actions that change lists, return values, and lead out of components.
@Suite struct ActionTests {
    private static let list = #"""
        {"schema": 1, "state": {"name": "Cy", "people": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}]}, "root": [
          {"kind": "table", "id": "people", "items": {"in": "$people", "as": "person", "key": "$person.id"}, "children": [
            {"kind": "cell", "payload": {"title": "$person.name"}, "on": {
               "delete": {"do": "remove", "state": "people", "key": "id", "is": "$person.id"},
               "select": {"do": "update", "state": "people", "key": "id", "is": "$person.id", "with": {"name": {"$": "uppercase(person.name)"}}}}}]},
          {"kind": "button", "id": "add", "payload": {"text": "Add"}, "on": {"tap": {"do": "append", "state": "people", "with": {"id": {"$": "people.@count + 10"}, "name": "$name"}}}},
          {"kind": "button", "id": "first", "payload": {"text": "First"}, "on": {"tap": {"do": "remove", "state": "people", "at": 0}}},
          {"kind": "button", "id": "none", "payload": {"text": "None"}, "on": {"tap": {"do": "remove", "state": "people", "at": 9}}}]}
        """#

    private static func rows(_ bench: DocumentBench) -> [String] { bench.lines.filter { !$0.hasPrefix("(") } }

    @Test func `Items are appended, changed and removed by a member or by their place`() throws {
        var bench = try DocumentBench(Self.list)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(try bench.tap("add") == nil)
        #expect(bench.text.contains("Cy"))
        let table = try bench.key("people")
        #expect(bench.send(toRow: 1, of: table) { .select($0) } == nil)
        #expect(bench.text.contains("BO") && bench.text.contains("Ann"))
        #expect(try bench.tap("first") == nil)
        #expect(try bench.tap("none") == nil)
        #expect(!bench.text.contains("Ann") && bench.text.contains("BO") && bench.text.contains("Cy"))
    }

    @Test func `A state is set to null, and an action without a value is refused`() throws {
        func bench(_ action: String) throws -> DocumentBench {
            try DocumentBench(
                #"""
                {"schema": 1, "state": {"chosen": "Ann"}, "root": [
                  {"kind": "label", "payload": {"text": {"$": ["It is ", "$chosen"]}}},
                  {"kind": "button", "id": "clear", "on": {"tap": {"do": "set", "state": "chosen"\#(action)}}}]}
                """#)
        }
        var cleared = try bench(#", "to": null"#)
        #expect(cleared.messages.isEmpty, "\(cleared.messages)")
        #expect(cleared.text.contains("Ann"))
        #expect(try cleared.tap("clear") == nil)
        #expect(!cleared.text.contains("Ann"))
        #expect(try bench("").messages.contains { $0.contains("The set has no to") })
    }

    @Test func `A screen that a save gives a bar has it while it is open, and what it opens has a way back`() throws {
        let small = try DocumentBench(#"[{"kind": "label", "payload": {"text": "Tea"}}]"#)
        func hasBar(_ bench: DocumentBench) -> Bool { bench.view.root.children.contains { $0.kind == .bar } }
        #expect(!hasBar(small))
        let other = #"{"schema": 1, "title": "Leaf", "root": [{"kind": "label", "payload": {"text": "Leaf"}}]}"#
        let main =
            #"{"schema": 1, "title": "Teas", "root": [{"kind": "button", "id": "go", "on": {"tap": {"do": "push", "scene": "Leaf"}}}]}"#
        var grown = try DocumentBench(main, documents: ["Leaf": other])
        grown.store = small.store.moved(from: small.program, to: grown.program)
        #expect(hasBar(grown))
        #expect(try grown.tap("go") == nil)
        #expect(grown.text.contains("(Back)") && grown.text.contains("Leaf"))
        // Back to the small one, it has none again.
        grown.send(.back)
        var shrunk = small
        shrunk.store = grown.store.moved(from: grown.program, to: small.program)
        #expect(!hasBar(shrunk))
    }

    @Test func `A reader deletes a row that has actions for it, and no other`() throws {
        var bench = try DocumentBench(Self.list)
        let table = try bench.key("people")
        #expect(bench.send(toRow: 0, of: table) { .deleteRow($0) } == nil)
        #expect(!bench.text.contains("Ann") && bench.text.contains("Bo"))
        var row: ViewKey?
        bench.view.visit { node in
            if node.kind == .row { row = node.key }
            return true
        }
        #expect(bench.send(.deleteRow(try #require(row))) == nil)
        #expect(!bench.text.contains("Bo"))
        var fixed = try DocumentBench(
            #"{"kind": "table", "id": "t", "children": [{"kind": "cell", "payload": {"title": "A"}}]}"#)
        #expect(fixed.send(toRow: 0, of: try fixed.key("t")) { .deleteRow($0) } == "rows cannot be deleted here")
    }

    @Test func `A row is the one whose key an event names, and one that is not there any longer is refused`() throws {
        var bench = try DocumentBench(Self.list)
        let table = try bench.key("people")
        guard case .row(let ann) = bench.view.row(0, of: table), case .row(let bo) = bench.view.row(1, of: table) else {
            Issue.record("there are two rows")
            return
        }
        #expect(try bench.tap("first") == nil)
        #expect(bench.send(.select(bo)) == nil)
        #expect(bench.text.contains("BO"))
        for event in [Event.select(ann), .deleteRow(ann)] {
            #expect(bench.send(event) == "the row is not in the list any longer")
        }
        var keyless = bo
        keyless.item = nil
        #expect(bench.send(.deleteRow(keyless)) == "the row is not in the list any longer")
        #expect(bench.send(.deleteRow(table)) == "the element is not a row of a list")
        #expect(bench.text.contains("BO"))
    }

    @Test func `A list that would be too large stays as it is, and so does a state that is not a list`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"n": 5, "list": [1]}, "root": [{"kind": "label", "payload": {"text": {"$": "{n, list.@count}"}}},
              {"kind": "button", "id": "n", "payload": {"text": "N"}, "on": {"tap": {"do": "append", "state": "n", "item": 1}}},
              {"kind": "button", "id": "twice", "payload": {"text": "Twice"}, "on": {"tap": {"do": "append", "state": "list", "item": "$list"}}}]}
            """#)
        #expect(try bench.tap("n") == nil)
        for _ in 0..<30 { #expect(try bench.tap("twice") == nil) }
        let count = bench.store.visible?.states["list"]?.elements?.count ?? 0
        #expect(bench.lines[0].hasPrefix("(5, ") && count > 5 && count < 30, "\(bench.lines)")
    }

    @Test func `A pushed document returns a value to the actions of the one below`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"color": "not chosen"}, "root": [{"kind": "label", "payload": {"text": "$color"}},
              {"kind": "button", "id": "push", "payload": {"text": "Push"}, "on": {"tap": {"do": "push", "scene": "Pick", "result": {"do": "set", "state": "color", "to": "$argument"}}}},
              {"kind": "button", "id": "present", "payload": {"text": "Present"}, "on": {"tap": {"do": "present", "scene": "Pick", "result": [{"do": "set", "state": "color", "to": {"$": "uppercase(argument)"}}]}}}]}
            """#,
            documents: [
                "Pick": #"""
                {"schema": 1, "root": [
                  {"kind": "button", "payload": {"text": "Red"}, "on": {"tap": {"do": "back", "value": "red"}}},
                  {"kind": "button", "payload": {"text": "Blue"}, "on": {"tap": {"do": "dismiss", "value": "blue"}}},
                  {"kind": "button", "payload": {"text": "Leave"}, "on": {"tap": {"do": "back"}}}]}
                """#
            ])
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(try bench.tap("push") == nil)
        #expect(try bench.tap("Red") == nil)
        #expect(bench.lines[0] == "red")
        #expect(try bench.tap("present") == nil)
        #expect(try bench.tap("Blue") == nil)
        #expect(bench.lines[0] == "BLUE")
        #expect(try bench.tap("push") == nil)
        #expect(try bench.tap("Leave") == nil)
        #expect(bench.lines[0] == "BLUE")
    }

    @Test func `A component emits events to the element that uses it, whose names they see`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"title": "outer", "people": ["Ann", "Bo"], "said": "quiet"},
             "components": {"row": {"parameters": {"title": ""}, "body": {"kind": "button", "payload": {"text": "$title"},
                "on": {"tap": {"do": "emit", "event": "chosen", "value": {"$": "lowercase(title)"}}}}}},
             "root": [{"kind": "label", "payload": {"text": "$said"}},
               {"kind": "vstack", "items": {"in": "$people", "as": "person"}, "children": [
                 {"kind": "row", "payload": {"title": "$person"}, "on": {"chosen": {"do": "set", "state": "said", "to": {"$": "{title, person, argument}"}}}}]},
               {"kind": "row", "payload": {"title": "Alone"}}]}
            """#)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(try bench.tap("Bo") == nil)
        #expect(bench.lines[0] == "(outer, Bo, bo)")
        #expect(try bench.tap("Alone") == nil)
        #expect(bench.lines[0] == "(outer, Bo, bo)")
    }

    @Test func `A field is focused by its name, which may come later`() throws {
        var bench = try DocumentBench(
            #"""
            [{"kind": "button", "id": "go", "payload": {"text": "Go"}, "on": {"tap": {"do": "focus", "id": "name"}}},
             {"kind": "textfield", "id": "name"}]
            """#)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(try bench.tap("go") == nil)
        let field = try bench.key("name").node
        #expect(bench.store.visible?.focus == field)
        let wrong = try DocumentBench(
            #"[{"kind": "button", "payload": {"text": "Go"}, "on": {"tap": {"do": "focus", "id": "nam"}}}, {"kind": "textfield", "id": "name"}]"#
        )
        #expect(wrong.messages.contains { $0.hasPrefix("Main.widgets.json:1:") && $0.contains("did you mean name?") })
    }

    @Test func `A field is focused that has the name of its state`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"draft": ""}, "root": [
              {"kind": "textfield", "id": "draft", "payload": {"value": "$draft"}},
              {"kind": "button", "id": "go", "payload": {"text": "Go"}, "on": {"tap": {"do": "focus", "id": "draft"}}}]}
            """#)
        #expect(try bench.tap("go") == nil)
        let field = try bench.key("draft").node
        #expect(bench.store.visible?.focus == field && bench.messages.isEmpty, "\(bench.messages)")
    }

    @Test func `An action on a list that names no item, or two, is an error`() throws {
        let bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"l": []}, "root": {"kind": "button", "payload": {"text": "A"}, "on": {"tap": [
              {"do": "append", "state": "l"}, {"do": "append", "state": "l", "item": 1, "with": {"a": 1}},
              {"do": "remove", "state": "l"}, {"do": "update", "state": "l", "to": 1, "is": 1, "at": 1}]}}}
            """#)
        #expect(bench.codes == Array(repeating: "bad-payload", count: 4), "\(bench.messages)")
    }
}
