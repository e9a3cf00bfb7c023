import JSONText
import Testing
import WidgetCore
import WidgetPredicates
import WidgetRender

@testable import WidgetDocuments

/// Alerts with several buttons, rows that actions choose, and states that outlive the widget.
@Suite struct AlertTests {
    private static let question = #"""
        {"schema": 1, "state": {"list": ["a", "b"], "answer": "none", "asks": false}, "root": [
          {"kind": "vstack", "items": {"in": "$list", "as": "name"}, "children": [
            {"kind": "button", "payload": {"text": "$name"}, "on": {"tap": {"do": "alert", "title": {"$": ["Delete ", "$name", "?"]}, "message": "For ever",
              "actions": [{"title": "Keep", "style": "cancel"},
                {"title": {"$": ["Delete ", "$name"]}, "style": "destructive", "actions": {"do": "set", "state": "answer", "to": "$name"}}]}}}]},
          {"kind": "label", "payload": {"text": "$answer"}},
          {"kind": "button", "id": "ask", "payload": {"text": "Ask"}, "on": {"tap": {"do": "set", "state": "asks", "to": true}}},
          {"kind": "alert", "payload": {"title": "Sure?", "shown": "$asks", "actions": [
            {"title": "Yes", "actions": {"do": "set", "state": "answer", "to": "yes"}}, {"title": "No"}]}}]}
        """#

    @Test func `A button of an alert closes it and takes its own actions, with the names of its row`() throws {
        var bench = try DocumentBench(Self.question)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(try bench.tap("b") == nil)
        let alert = try #require(bench.view.alerts.first)
        #expect(alert.title == "Delete b?" && alert.message == "For ever")
        #expect(alert.buttons.map(\.title) == ["Keep", "Delete b"])
        #expect(bench.lines.contains { $0.contains("(Keep) (Delete b)") }, "\(bench.text)")
        #expect(try bench.tap("a")?.hasPrefix("an alert is in front") == true)
        let page = String(
            decoding: PagePrinter(bench.program, PrintOptions()).print(bench.view, NoAssets()), as: UTF8.self)
        #expect(page.contains(#"class="destructive""#) && page.contains(">Keep<"))
        let json = try JSONValue(parsing: ViewJSON.document(bench.view, size: (375, 667)))
        #expect(json["alerts"]?.array?.first?["styles"]?.array?.compactMap(\.string) == ["cancel", "destructive"])
        #expect(bench.send(.tap(alert.buttons[1].key)) == nil)
        #expect(bench.view.alerts.isEmpty && bench.lines.contains("b"))
        #expect(bench.send(.tap(alert.buttons[1].key)) == "the alert is gone")
        #expect(try bench.tap("a") == nil)
        let keep = try #require(bench.view.alerts.first?.buttons.first)
        #expect(bench.send(.tap(keep.key)) == nil)
        #expect(bench.view.alerts.isEmpty && bench.store.screens[0].states["answer"]?.shown == "b")
    }

    @Test func `The kind alert has buttons as well, and faults of them are reported`() throws {
        var bench = try DocumentBench(Self.question)
        #expect(try bench.tap("ask") == nil)
        let yes = try #require(bench.view.alerts.first?.buttons.first)
        #expect(bench.send(.tap(yes.key)) == nil)
        #expect(bench.lines.contains("yes"))
        let many = Array(repeating: #"{"title": "x"}"#, count: 11).joined(separator: ",")
        let broken = try DocumentBench(
            #"""
            [{"kind": "button", "payload": {"text": "a"}, "on": {"tap": [
              {"do": "alert", "title": "a", "actions": ["x"]}, {"do": "alert", "title": "a", "actions": [{"style": "cancel"}]},
              {"do": "alert", "title": "a", "actions": [{"title": "a", "style": "red"}]}, {"do": "alert", "title": "a", "actions": [\#(many)]}]}}]
            """#)
        let expected = [
            "has to be an object", "has no title", #"style of a button of an alert is "red""#, "more than 10 buttons",
        ]
        #expect(broken.messages.count == expected.count, "\(broken.messages)")
        for (message, part) in zip(broken.messages, expected) { #expect(message.contains(part), "\(message)") }
    }

    @Test func `An action chooses the row of an item`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"people": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bob"}], "on": false}, "root": [
              {"kind": "table", "id": "people", "items": {"in": "$people", "as": "person", "key": "$person.id"}, "children": [
                {"kind": "cell", "id": "row", "payload": {"title": "$person.name"}}]},
              {"kind": "button", "id": "go", "payload": {"text": "Go"}, "on": {"tap": {"do": "reveal", "list": "people", "key": "id", "is": 2}}},
              {"kind": "button", "payload": {"text": "No"}, "on": {"tap": {"do": "reveal", "list": "peple", "is": 2}}}]}
            """#)
        #expect(
            bench.messages.count == 1 && bench.messages[0].contains("No element is called peple"), "\(bench.messages)")
        #expect(try bench.tap("go") == nil)
        var chosen: [Bool] = []
        bench.view.visit { node in
            if node.kind == .row { chosen.append(node.isTrue(.selected)) }
            return true
        }
        #expect(chosen == [false, true])
    }

    @Test func `A state that persists begins with its last value`() throws {
        let document = #"""
            {"schema": 1, "state": {"name": "unknown", "other": "x"}, "persist": ["name", "nmae"], "root": [
              {"kind": "textfield", "id": "name", "payload": {"value": "$name"}}, {"kind": "textfield", "id": "other", "payload": {"value": "$other"}},
              {"kind": "host", "id": "part", "payload": {"document": "part"}}]}
            """#
        let part = #"""
            {"schema": 1, "state": {"inner": ""}, "persist": ["inner"], "root": {"kind": "textfield", "id": "inner", "payload": {"value": "$inner"}}}
            """#
        var bench = try DocumentBench(document, documents: ["part": part])
        #expect(bench.messages.count == 1 && bench.messages[0].contains("No state is called nmae"), "\(bench.messages)")
        for (field, text) in [("name", "Ann"), ("other", "y"), ("inner", "z")] {
            #expect(try bench.type(text, into: field) == nil)
        }
        var next = Store(model: bench.program.model)
        next.defaults = bench.store.defaults
        let begun = Reducer.reduce(.start, next, in: bench.program, Environment())
        let view = Evaluator(bench.program).view(of: begun.store, Environment())
        var texts: [String: String] = [:]
        view.visit { node in
            if let name = node.identifier, node.kind == .textField { texts[name] = node.text(.text) }
            return true
        }
        #expect(texts == ["name": "Ann", "other": "x", "inner": "z"])
    }
}
