import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetDocuments

/// States, items, components and other documents.
@Suite struct InteractionTests {
    @Test func `Actions change states, and elements follow them`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"count": 0, "isOn": false},
             "root": [{"kind": "label", "payload": {"text": "$count"}},
              {"kind": "button", "id": "add", "payload": {"text": "Add", "enabled": {"$": "count < 2"}},
               "on": {"tap": [{"do": "set", "state": "count", "to": {"$": "count + 1"}}, {"do": "toggle", "state": "isOn"}]}},
              {"kind": "label", "payload": {"text": "on"}, "if": "$isOn"}]}
            """#)
        #expect(bench.lines == ["0", "(Add)"])
        #expect(try bench.tap("add") == nil)
        #expect(bench.lines.first == "1" && bench.lines.last == "on")
        #expect(try bench.tap("add") == nil)
        #expect(bench.lines.first == "2" && bench.lines.count == 2)
        #expect(try bench.tap("add") == "the element is disabled")
        #expect(bench.messages.isEmpty, "\(bench.messages)")
    }

    @Test func `A field follows its state, and the state follows what is typed`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"name": "Ann", "wants": true},
             "root": [{"kind": "textfield", "id": "field", "payload": {"value": "$name"}},
              {"kind": "switch", "id": "news", "payload": {"value": "$wants", "label": "News"}},
              {"kind": "label", "id": "shown", "payload": {"text": {"$": "TERNARY(wants == YES, name, 'none')"}}},
              {"kind": "button", "id": "clear", "payload": {"text": "Clear"}, "on": {"tap": {"do": "set", "state": "name", "to": "Bo"}}}]}
            """#)
        #expect(try bench.type("Cy", into: "field") == nil)
        #expect(bench.lines.contains("Cy"))
        #expect(try bench.tap("clear") == nil)
        #expect(bench.view.node(try bench.key("field"))?.text(.text) == "Bo")
        #expect(try bench.tap("news") == nil)
        #expect(bench.lines.contains("none"))
    }

    private static let people = #"""
        {"schema": 1, "state": {"chosen": "not chosen", "people": [
           {"id": 7, "name": "Ann", "tags": ["a", "b"]}, {"id": 9, "name": "Bo", "tags": []}]},
         "root": [{"kind": "label", "payload": {"text": "$chosen"}},
          {"kind": "table", "id": "people", "items": {"in": "$people", "as": "person", "key": "$person.id"},
           "slots": {"empty": {"kind": "label", "payload": {"text": "Empty"}}},
           "on": {"select": {"do": "set", "state": "chosen", "to": "$person.name"}},
           "children": [{"kind": "cell", "payload": {"title": "$person.name"}, "children": [
             {"kind": "hstack", "items": {"in": "$person.tags", "as": "tag"}, "children": [
               {"kind": "button", "payload": {"text": {"$": "tag"}},
                "on": {"tap": {"do": "set", "state": "chosen", "to": {"$": "{person.name, tag}"}}}}]}]}]},
          {"kind": "button", "id": "none", "payload": {"text": "None"}, "on": {"tap": {"do": "set", "state": "people", "to": []}}}]}
        """#

    @Test func `Items repeat the children of an element, and see the items around them`() throws {
        var bench = try DocumentBench(Self.people)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(bench.text.contains("Ann") && bench.text.contains("Bo") && !bench.text.contains("Empty"))
        #expect(try bench.tap("b") == nil)
        #expect(bench.lines[0] == "(Ann, b)")
        #expect(try bench.tap("none") == nil)
        #expect(bench.text.contains("Empty") && !bench.text.contains("Bo"))
    }

    @Test func `A row is selected by its place, and its actions know its item`() throws {
        var bench = try DocumentBench(Self.people)
        let list = try bench.key("people")
        #expect(bench.send(toRow: 1, of: list) { .select($0) } == nil)
        #expect(bench.lines[0] == "Bo")
        #expect(bench.send(toRow: 2, of: list) { .select($0) } == "the list has no row 2, but 2 rows")
        #expect(bench.send(toRow: -1, of: list) { .select($0) } == "the list has no row -1, but 2 rows")
        #expect(
            bench.send(toRow: 0, inSection: 1, of: list) { .select($0) } == "the list has no section 1, but 1 sections")
        #expect(bench.send(toRow: 7, of: list) { .deleteRow($0) } == "the list has no row 7, but 2 rows")
        #expect(bench.send(toRow: 0, of: try bench.key("none")) { .select($0) } == "the element has no rows")
        #expect(bench.lines[0] == "Bo")
    }

    @Test func `Text typed into an item moves with the item's key`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"list": [1, 2]}, "root": [
              {"kind": "vstack", "items": {"in": "$list", "as": "n", "key": "$n"}, "children": [
                {"kind": "textfield", "payload": {"placeholder": {"$": "n"}}}]},
              {"kind": "button", "id": "turn", "payload": {"text": "Turn"}, "on": {"tap": {"do": "set", "state": "list", "to": [2, 1]}}}]}
            """#)
        func fields() -> [String] {
            var texts: [String] = []
            bench.view.visit { node in
                if node.kind == .textField { texts.append(node.text(.placeholder) + node.text(.text)) }
                return true
            }
            return texts
        }
        var first: ViewKey?
        bench.view.visit { node in
            if first == nil, node.kind == .textField { first = node.key }
            return true
        }
        #expect(bench.send(.input(try #require(first), .string("x"))) == nil)
        #expect(fields() == ["1x", "2"])
        #expect(try bench.tap("turn") == nil)
        #expect(fields() == ["2", "1x"])
    }

    @Test func `Two items of one key are a warning`() throws {
        let bench = try DocumentBench(
            #"{"kind": "vstack", "items": {"in": {"$": "{1, 1}"}, "key": "$content"}, "children": [{"kind": "label", "payload": {"text": "$content"}}]}"#
        )
        #expect(bench.lines == ["1", "1"])
        #expect(bench.view.diagnostics.map(\.code.rawValue) == ["duplicate-identifier"])
    }

    @Test func `Sections have titles, written rows and rows of items`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"done": ""}, "root": {"kind": "table", "id": "t", "on": {"select": {"do": "set", "state": "done", "to": "table"}},
              "children": [
               {"kind": "section", "payload": {"title": "One"}, "children": [{"kind": "cell", "payload": {"title": "A"}}]},
               {"kind": "section", "payload": {"title": "Two", "footer": "End"}, "items": {"in": {"$": "{'B', 'C'}"}, "as": "letter"},
                "on": {"select": {"do": "set", "state": "done", "to": "$letter"}},
                "children": [{"kind": "cell", "payload": {"title": "$letter"}}]},
               {"kind": "label", "payload": {"text": "$done"}}]}}
            """#)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(["One", "A", "Two", "B", "C", "End"].allSatisfy(bench.text.contains))
        let list = try bench.key("t")
        bench.send(toRow: 1, inSection: 1, of: list) { .select($0) }
        #expect(bench.lines.contains { $0.hasSuffix("C") } && bench.store.visible?.states["done"]?.string == "C")
        bench.send(toRow: 0, of: list) { .select($0) }
        #expect(bench.store.visible?.states["done"]?.string == "table")
    }

    @Test func `A component is an element with parameters`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"name": "Ann", "title": "outer"},
             "components": {
               "card": {"parameters": {"title": "none", "field": ""}, "body": {"kind": "vstack", "children": [
                  {"kind": "line", "payload": {"text": "$title"}}, {"kind": "textfield", "id": "in", "payload": {"value": "$field"}}]}},
               "line": {"parameters": {"text": ""}, "body": {"kind": "label", "payload": {"text": {"$": "uppercase(text)"}}}}},
             "root": [{"kind": "card", "payload": {"title": "$name", "field": "$name"}, "if": {"$": "title == 'outer'"}}, {"kind": "card"}]}
            """#)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(bench.lines.first == "ANN" && bench.lines.contains("NONE"))
        #expect(try bench.type("Bo", into: "in") == nil)
        #expect(bench.lines.first == "BO")
    }

    /// 1.4: a file in the folder is a kind.
    @Test func `A file among the components is a kind of every document`() throws {
        let bench = try DocumentBench(
            #"[{"kind": "greeting", "payload": {"to": "Ann"}}]"#,
            components: [
                "greeting": #"{"parameters": {"to": ""}, "body": {"kind": "label", "payload": {"text": "$to"}}}"#
            ])
        #expect(bench.text == "Ann" && bench.messages.isEmpty)
    }

    @Test func `A component that is not used, and a wrong parameter, are warnings`() throws {
        let bench = try DocumentBench(
            #"""
            {"schema": 1, "components": {"a": {"parameters": {"size": 1}, "body": {"kind": "spinner"}}, "b": {"body": {"kind": "spinner"}}},
             "root": {"kind": "a", "payload": {"sise": 2}}}
            """#)
        #expect(bench.messages.count == 2)
        #expect(
            bench.messages[0].contains("did you mean size?")
                && bench.messages[1].contains("Nothing uses the component b"))
    }

    @Test func `The parameters of a component are the members of an object`() throws {
        let bench = try DocumentBench(
            #"""
            {"schema": 1, "components": {"a": {"parameters": {"size": 1}, "body": {"kind": "spinner"}}},
             "root": [{"kind": "a", "payload": "large"}, {"kind": "label", "payload": {"text": "after"}}]}
            """#)
        #expect(bench.messages.count == 1)
        #expect(bench.messages.first?.contains("The payload is string, and has to be an object") == true)
        #expect(bench.lines.contains("after"))
    }

    @Test func `A hosted document gets parameters, and has states of its host's number`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"n": 10}, "root": [
              {"kind": "host", "payload": {"document": "Counter", "with": {"title": {"$": "n + 1"}}}},
              {"kind": "host", "payload": {"document": "Counter"}}]}
            """#,
            documents: [
                "Counter": #"""
                {"schema": 1, "parameters": {"title": "plain"}, "state": {"n": 0}, "root": {"kind": "button",
                 "payload": {"text": {"$": "{title, n}"}}, "on": {"tap": {"do": "set", "state": "n", "to": {"$": "n + 1"}}}}}
                """#
            ])
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(bench.lines == ["((11, 0))", "((plain, 0))"])
        #expect(try bench.tap("(plain, 0)") == nil)
        #expect(bench.lines == ["((11, 0))", "((plain, 1))"])
    }

    @Test func `A document is pushed with values for its parameters, and a button leads back`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "title": "People", "root": {"kind": "button", "payload": {"text": "Ann"},
              "on": {"tap": {"do": "push", "scene": "Person", "with": {"name": "Ann"}}}}}
            """#,
            documents: [
                "Person":
                    #"{"schema": 1, "title": "$name", "parameters": {"name": "?", "age": 7}, "root": {"kind": "label", "payload": {"text": {"$": "{name, age}"}}}}"#
            ])
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(try bench.tap("Ann") == nil)
        #expect(bench.view.title == "Ann" && bench.lines.last == "(Ann, 7)")
        #expect(bench.send(.back) == nil)
        #expect(bench.view.title == "People")
    }

    @Test func `An action that leads nowhere is an error with the nearest document`() throws {
        let bench = try DocumentBench(
            #"{"kind": "button", "payload": {"text": "A"}, "on": {"tap": [{"do": "push", "scene": "Persn"}, {"do": "psh"}, {"do": "set", "state": "x", "to": 1}]}}"#,
            documents: ["Person": "[]"])
        #expect(bench.codes == ["unknown-screen", "unknown-action", "unknown-key", "unknown-screen"])
        #expect(
            bench.messages[0].hasSuffix("did you mean Person?") && bench.messages[1].hasSuffix("did you mean push?"))
        #expect(bench.messages[3].contains("Nothing leads to Person"))
    }

    @Test func `An alert appears when its state becomes true, which then becomes false again`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"saved": false}, "root": [
              {"kind": "alert", "payload": {"title": "Saved", "message": "All of it", "shown": "$saved"}},
              {"kind": "button", "payload": {"text": "Save"}, "on": {"tap": {"do": "set", "state": "saved", "to": true}}}]}
            """#)
        #expect(bench.view.alerts.isEmpty)
        for _ in 0..<2 {
            #expect(try bench.tap("Save") == nil)
            let alert = try #require(bench.view.alerts.first)
            #expect(alert.title == "Saved" && alert.message == "All of it")
            #expect(bench.send(.tap(alert.key)) == nil)
            #expect(bench.view.alerts.isEmpty)
        }
    }

    @Test func `A disclosure shows its elements after a tap on its title`() throws {
        var bench = try DocumentBench(
            #"{"kind": "disclosure", "payload": {"title": "More"}, "children": [{"kind": "label", "payload": {"text": "Details"}}]}"#
        )
        #expect(bench.text.contains("▸") && !bench.text.contains("Details"))
        #expect(try bench.tap("More") == nil)
        #expect(bench.text.contains("▾") && bench.text.contains("Details"))
    }

    @Test func `Actions wait, branch and open addresses that there are`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"n": 0, "url": null}, "on": {"load": {"do": "after", "seconds": 5, "then": {"do": "set", "state": "n", "to": 1}}},
             "root": [{"kind": "label", "payload": {"text": "$n"}}, {"kind": "button", "id": "b", "payload": {"text": "B"},
              "on": {"tap": [{"do": "when", "if": {"$": "n == 1"}, "then": {"do": "set", "state": "n", "to": 2}, "else": {"do": "set", "state": "n", "to": 9}},
                             {"do": "open", "url": "$url"}]}}]}
            """#)
        bench.pass(5)
        #expect(bench.lines[0] == "1")
        #expect(try bench.tap("b") == nil)
        #expect(bench.lines[0] == "2")
        #expect(try bench.tap("b") == nil)
        #expect(bench.lines[0] == "9")
    }
}
