import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetDocuments

/// Items of lists that are states: fields in their rows follow them, and change them.
@Suite struct ItemBindingTests {
    private static func keys(_ bench: DocumentBench, _ kind: NodeKind) -> [ViewKey] {
        var keys: [ViewKey] = []
        bench.view.visit { node in
            if node.kind == kind { keys.append(node.key) }
            return true
        }
        return keys
    }

    private static func tasks(_ key: String) -> String {
        #"""
        {"schema": 1, "state": {"tasks": [{"id": 7, "name": "a", "done": false}, {"id": 9, "name": "b", "done": false}]},
         "root": [{"kind": "vstack", "items": {"in": "$tasks", "as": "task"\#(key)}, "children": [
            {"kind": "switch", "payload": {"value": "$task.done"}},
            {"kind": "textfield", "payload": {"value": "$content.name"}},
            {"kind": "button", "payload": {"text": {"$": ["turn ", "$task.id"]}}, "on": {"tap": {"do": "toggle", "state": "task.done"}}},
            {"kind": "button", "payload": {"text": {"$": ["later ", "$task.id"]}}, "on": {"tap": {"do": "after", "seconds": 1, "then": {"do": "set", "state": "task.name", "to": "late"}}}}]},
          {"kind": "label", "payload": {"text": {"$": "{tasks.name, tasks.done}"}}},
          {"kind": "button", "id": "first", "payload": {"text": "First"}, "on": {"tap": {"do": "remove", "state": "tasks", "at": 0}}}]}
        """#
    }

    private static func items(_ bench: DocumentBench) -> [String] {
        (bench.store.visible?.states["tasks"]?.elements ?? []).map {
            "\($0.member("id").shown) \($0.member("name").shown) \($0.member("done").shown)"
        }
    }

    @Test(arguments: ["", #", "key": "$task.id""#])
    func `A switch, a field and actions in a row change the item of a list`(key: String) throws {
        var bench = try DocumentBench(Self.tasks(key))
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(bench.send(.tap(Self.keys(bench, .toggle)[1])) == nil)
        #expect(Self.items(bench) == ["7 a 0", "9 b 1"])
        #expect(bench.send(.input(Self.keys(bench, .textField)[0], .string("x"))) == nil)
        #expect(Self.items(bench) == ["7 x 0", "9 b 1"])
        #expect(bench.view.node(Self.keys(bench, .textField)[0])?.text(.text) == "x")
        #expect(try bench.tap("turn 7") == nil)
        #expect(Self.items(bench) == ["7 x 1", "9 b 1"])
        #expect(bench.faults.isEmpty, "\(bench.faults)")
    }

    @Test func `Steps that wait change the item of their key wherever it is, and nothing once it is gone`() throws {
        var bench = try DocumentBench(Self.tasks(#", "key": "$task.id""#))
        #expect(try bench.tap("later 9") == nil)
        #expect(try bench.tap("first") == nil)
        bench.pass(2)
        #expect(Self.items(bench) == ["9 late 0"])
        #expect(try bench.tap("later 9") == nil)
        #expect(try bench.tap("first") == nil)
        bench.pass(2)
        #expect(Self.items(bench).isEmpty)
        #expect(bench.faults.contains { $0.contains("tasks has the item no longer") }, "\(bench.faults)")
    }

    @Test func `Items within items, and items that are passed to components, are changed in their lists`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"board": {"groups": [
               {"name": "one", "tags": ["a", "b"], "cards": [{"id": 1, "at": {"x": 0}}]},
               {"name": "two", "tags": ["c"], "cards": [{"id": 1, "at": {"x": 0}}, {"id": 2, "at": {"x": 0}}]}]}},
             "components": {
               "card": {"parameters": {"place": {}, "group": {}}, "body": {"kind": "hstack", "children": [
                 {"kind": "textfield", "payload": {"value": "$place.x"}},
                 {"kind": "button", "payload": {"text": {"$": ["name ", "$group.name"]}}, "on": {"tap": {"do": "set", "state": "group.name", "to": "new"}}}]}}},
             "root": [{"kind": "vstack", "items": {"in": "$board.groups", "as": "group", "key": "$group.name"}, "children": [
               {"kind": "vstack", "items": {"in": "$group.cards", "as": "card", "key": "$card.id"}, "children": [
                 {"kind": "card", "payload": {"place": "$card.at", "group": "$group"}}]},
               {"kind": "vstack", "items": {"in": "$group.tags"}, "children": [{"kind": "switch", "payload": {"value": "$content"}}]},
               {"kind": "button", "payload": {"text": {"$": ["tag ", "$group.name"]}}, "on": {"tap": {"do": "append", "state": "group.tags", "item": "z"}}}]}]}
            """#)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        func group(_ place: Int) -> Value {
            bench.store.visible?.states["board"]?.member(at: ["groups", "\(place)"]) ?? .null
        }
        #expect(bench.send(.input(Self.keys(bench, .textField)[2], .string("5"))) == nil)
        #expect(group(1).member(at: ["cards", "1", "at", "x"]).shown == "5")
        #expect(group(1).member(at: ["cards", "0", "at", "x"]).shown == "0")
        #expect(group(0).member(at: ["cards", "0", "at", "x"]).shown == "0")
        #expect(try bench.tap("tag two") == nil)
        #expect(group(1).member("tags").elements?.map(\.shown) == ["c", "z"])
        #expect(bench.send(.tap(Self.keys(bench, .toggle)[1])) == nil)
        #expect(group(0).member("tags").elements?.map(\.shown) == ["a", "1"])
        #expect(try bench.tap("name two") == nil)
        #expect(group(1).member("name").shown == "new")
        #expect(bench.faults.isEmpty, "\(bench.faults)")
    }

    @Test func `A switch in the last of 10,000 rows with keys changes its item within the limits of an event`() throws {
        let items = (0..<10_000).map { #"{"id": \#($0), "name": "name \#($0)", "done": false}"# }.joined(separator: ",")
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"tasks": [\#(items)]}, "root": {"kind": "table", "items": {"in": "$tasks", "as": "task", "key": "$task.id"},
              "children": [{"kind": "cell", "children": [{"kind": "switch", "payload": {"value": "$task.done"}}]}]}}
            """#)
        let last = try #require(Self.keys(bench, .toggle).last)
        #expect(bench.send(.tap(last)) == nil)
        #expect(bench.faults.isEmpty, "\(bench.faults)")
        #expect(bench.store.visible?.states["tasks"]?.member(at: ["9999", "done"]).truth == true)
    }

    @Test func `A row whose key is typed into changes its item, and actions of the change find it no longer`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"tasks": [{"name": "a"}, {"name": "b"}]}, "root": [
              {"kind": "vstack", "items": {"in": "$tasks", "as": "task", "key": "$task.name"}, "children": [
                {"kind": "textfield", "payload": {"value": "$task.name"}, "on": {"change": {"do": "set", "state": "task.seen", "to": "$input"}}}]}]}
            """#)
        for text in ["x", "xy"] {
            #expect(bench.send(.input(Self.keys(bench, .textField)[1], .string(text))) == nil)
            // The steps of the change are about the item of the key before.
            #expect(bench.faults.contains { $0.contains("tasks has the item no longer") }, "\(bench.faults)")
        }
        let tasks = bench.store.visible?.states["tasks"]?.elements ?? []
        #expect(tasks.map { $0.member("name").shown } == ["a", "xy"])
        #expect(tasks.allSatisfy { $0.member("seen").isNull })
    }

    @Test func `Items of what is not a state are not changed, and neither is a state behind an item's name`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"list": [1, 2], "n": true, "content": false}, "root": [
              {"kind": "vstack", "items": {"in": {"$": "list"}, "as": "n"}, "children": [
                {"kind": "switch", "payload": {"value": "$n"}}, {"kind": "switch", "payload": {"value": "$content"}}]}]}
            """#)
        for key in Self.keys(bench, .toggle) { #expect(bench.send(.tap(key)) == nil) }
        #expect(bench.store.visible?.states.isEmpty == true)
        #expect(bench.store.visible?.slots.count == 4)
    }
}
