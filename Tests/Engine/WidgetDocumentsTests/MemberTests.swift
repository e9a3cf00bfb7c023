import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetDocuments

/// Members of states that fields follow and actions change.
@Suite struct MemberTests {
    private static func value(_ bench: DocumentBench, _ state: String, _ path: String...) -> Value? {
        bench.store.visible?.states[state]?.member(at: path)
    }

    @Test func `Fields, switches, disclosures and alerts follow members of a state, which follow them`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"user": {"name": "Ann", "age": 7, "wants": {"news": false, "more": false, "asked": false}}},
             "root": [{"kind": "textfield", "id": "field", "payload": {"value": "$user.name"}},
              {"kind": "switch", "id": "news", "payload": {"value": "$user.wants.news"}},
              {"kind": "disclosure", "payload": {"title": "More", "expanded": "$user.wants.more"},
               "children": [{"kind": "label", "payload": {"text": "inside"}}]},
              {"kind": "alert", "payload": {"title": "Hello", "shown": "$user.wants.asked"}},
              {"kind": "button", "id": "ask", "payload": {"text": "Ask"}, "on": {"tap": {"do": "set", "state": "user.wants.asked", "to": true}}},
              {"kind": "button", "id": "name", "payload": {"text": "Bo"}, "on": {"tap": {"do": "set", "state": "user.name", "to": "Bo"}}},
              {"kind": "label", "payload": {"text": {"$": "{user.name, user.age, user.wants.news, user.wants.asked}"}}}]}
            """#)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(try bench.type("Cy", into: "field") == nil)
        #expect(try bench.tap("news") == nil)
        #expect(bench.lines.contains("(Cy, 7, 1, 0)"), "\(bench.text)")
        #expect(try bench.tap("name") == nil)
        #expect(bench.view.node(try bench.key("field"))?.text(.text) == "Bo")
        #expect(!bench.text.contains("inside"))
        #expect(try bench.tap("More") == nil)
        #expect(bench.text.contains("inside"))
        #expect(try bench.tap("ask") == nil)
        #expect(bench.store.alerts.map(\.title) == ["Hello"])
        #expect(bench.lines.contains("(Bo, 7, 1, 0)"), "\(bench.text)")
    }

    @Test func `Actions change members, and lists that are members`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"user": {"isOn": false, "friends": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}]}},
             "root": [{"kind": "label", "payload": {"text": {"$": "{user.isOn, user.friends.name}"}}},
              {"kind": "button", "id": "toggle", "payload": {"text": "1"}, "on": {"tap": {"do": "toggle", "state": "user.isOn"}}},
              {"kind": "button", "id": "append", "payload": {"text": "2"}, "on": {"tap": {"do": "append", "state": "user.friends", "with": {"id": 3, "name": "Cy"}}}},
              {"kind": "button", "id": "remove", "payload": {"text": "3"}, "on": {"tap": {"do": "remove", "state": "user.friends", "key": "id", "is": 1}}},
              {"kind": "button", "id": "update", "payload": {"text": "4"}, "on": {"tap": {"do": "update", "state": "user.friends", "at": 0, "with": {"name": "Di"}}}}]}
            """#)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(try bench.tap("toggle") == nil)
        #expect(Self.value(bench, "user", "isOn")?.truth == true)
        #expect(try bench.tap("toggle") == nil)
        #expect(Self.value(bench, "user", "isOn")?.truth == false)
        for step in ["append", "remove", "update"] { #expect(try bench.tap(step) == nil) }
        let friends = Self.value(bench, "user", "friends")?.elements ?? []
        #expect(friends.map { $0.member("name").shown } == ["Di", "Cy"])
        #expect(friends.map { $0.member("id").shown } == ["2", "3"])
        #expect(bench.faults.isEmpty, "\(bench.faults)")
    }

    @Test func `A member that is missing is made with the records around it, and other members keep their order`()
        throws
    {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"user": {"b": 1, "a": 2}, "none": null},
             "root": [{"kind": "textfield", "id": "deep", "payload": {"value": "$user.place.street.name"}},
              {"kind": "textfield", "id": "a", "payload": {"value": "$user.a"}},
              {"kind": "textfield", "id": "none", "payload": {"value": "$none.x"}},
              {"kind": "button", "id": "list", "payload": {"text": "List"}, "on": {"tap": {"do": "append", "state": "none.list.inner", "item": 5}}}]}
            """#)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(try bench.type("Elm", into: "deep") == nil)
        #expect(try bench.type("9", into: "a") == nil)
        #expect(try bench.type("new", into: "none") == nil)
        #expect(try bench.tap("list") == nil)
        #expect(bench.faults.isEmpty, "\(bench.faults)")
        #expect(bench.store.visible?.states["user"]?.elements?.map(\.shown) == ["1", "9", "{street: …}"])
        #expect(Self.value(bench, "user", "place", "street", "name")?.string == "Elm")
        #expect(bench.view.node(try bench.key("deep"))?.text(.text) == "Elm")
        #expect(Self.value(bench, "none", "x")?.string == "new")
        #expect(Self.value(bench, "none", "list", "inner", "0")?.shown == "5")
    }

    @Test func `A part on the way that is not a record stays as it is, with a diagnostic`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"user": {"name": "Ann", "list": [1]}},
             "root": [{"kind": "textfield", "id": "text", "payload": {"value": "$user.name.first"}},
              {"kind": "button", "id": "list", "payload": {"text": "L"}, "on": {"tap": {"do": "set", "state": "user.list.x", "to": 1}}},
              {"kind": "button", "id": "edit", "payload": {"text": "E"}, "on": {"tap": {"do": "append", "state": "user.name", "item": 1}}}]}
            """#)
        #expect(
            bench.messages == [
                "Main.widgets.json:2:68 (root[0].payload.value): warning: user.name is a text at first, and has no members [bad-value]; write an object",
                "Main.widgets.json:3:99 (root[1].on.tap.state): warning: user.list is an array at first, and has no members [bad-value]; write an object",
            ])
        #expect(try bench.type("x", into: "text") == nil)
        #expect(bench.faults.first?.contains("user.name is a text, and has to be a record") == true, "\(bench.faults)")
        #expect(try bench.tap("list") == nil)
        #expect(
            bench.faults.first?.contains("user.list is an array, and has to be a record") == true, "\(bench.faults)")
        #expect(try bench.tap("edit") == nil)
        #expect(bench.faults.first?.contains("user.name is a text, and has to be a list") == true, "\(bench.faults)")
        #expect(bench.store.visible?.states.isEmpty == true)
    }

    @Test func `A member that gets the value which it has leaves its state untouched`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"user": {"name": "Ann", "tags": ["a"]}},
             "root": [{"kind": "textfield", "id": "field", "payload": {"value": "$user.name"}},
              {"kind": "button", "id": "same", "payload": {"text": "Same"}, "on": {"tap": {"do": "set", "state": "user.tags", "to": ["a"]}}}]}
            """#)
        #expect(try bench.type("Ann", into: "field") == nil)
        #expect(try bench.tap("same") == nil)
        #expect(bench.store.visible?.states.isEmpty == true)
        #expect(try bench.type("Bo", into: "field") == nil)
        #expect(bench.store.visible?.states.isEmpty == false)
    }

    @Test func `A state or a member that is passed to components and hosted documents is changed by their members`()
        throws
    {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"user": {"name": "Ann", "place": {"street": "Elm", "isFar": false}}},
             "components": {
               "place": {"parameters": {"value": {}}, "body": {"kind": "vstack", "children": [
                 {"kind": "street", "payload": {"text": "$value.street"}},
                 {"kind": "button", "id": "far", "payload": {"text": "Far"}, "on": {"tap": {"do": "toggle", "state": "value.isFar"}}}]}},
               "street": {"parameters": {"text": ""}, "body": {"kind": "textfield", "id": "street", "payload": {"value": "$text"}}}},
             "root": [{"kind": "place", "payload": {"value": "$user.place"}},
              {"kind": "host", "payload": {"document": "Name", "with": {"person": "$user"}}},
              {"kind": "label", "payload": {"text": {"$": "{user.name, user.place.street, user.place.isFar}"}}}]}
            """#,
            documents: [
                "Name": #"""
                {"schema": 1, "parameters": {"person": {}}, "state": {"own": {"count": 0}}, "root": [
                  {"kind": "textfield", "id": "name", "payload": {"value": "$person.name"}},
                  {"kind": "button", "id": "own", "payload": {"text": "Own"}, "on": {"tap": [
                    {"do": "set", "state": "own.count", "to": {"$": "own.count + 1"}}, {"do": "toggle", "state": "own.isOdd"}]}},
                  {"kind": "label", "payload": {"text": {"$": "{own.count, own.isOdd}"}}}]}
                """#
            ])
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(try bench.type("Oak", into: "street") == nil)
        #expect(try bench.tap("far") == nil)
        #expect(try bench.type("Bo", into: "name") == nil)
        #expect(try bench.tap("own") == nil)
        #expect(bench.lines.contains("(Bo, Oak, 1)") && bench.lines.contains("(1, 1)"), "\(bench.text)")
        #expect(try bench.tap("far") == nil)
        #expect(bench.lines.contains("(Bo, Oak, 0)"), "\(bench.text)")
    }

    @Test func `A toggle reads what its state is called there, although another state has that name outside`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"a": true, "b": false},
             "components": {"both": {"parameters": {"a": false, "c": false}, "body": {"kind": "button", "id": "turn", "payload": {"text": "T"},
               "on": {"tap": {"do": "toggle", "state": "c"}}}}},
             "root": [{"kind": "both", "payload": {"a": "$b", "c": "$a"}}]}
            """#)
        #expect(try bench.tap("turn") == nil)
        #expect(bench.store.visible?.states["a"]?.truth == false)
    }

    @Test func `Names that are not known, and members that are nearly known, have the nearest name as a hint`() throws {
        let bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"user": {"name": "Ann"}}, "root": [
              {"kind": "textfield", "payload": {"value": "$user.nmae"}},
              {"kind": "button", "payload": {"text": "1"}, "on": {"tap": {"do": "set", "state": "usr.name", "to": 1}}},
              {"kind": "button", "payload": {"text": "2"}, "on": {"tap": {"do": "set", "state": "user.@count", "to": 1}}},
              {"kind": "button", "payload": {"text": "3"}, "on": {"tap": {"do": "set", "state": "user.naem", "to": 1}}},
              {"kind": "button", "payload": {"text": "4"}, "on": {"tap": {"do": "set", "state": "user.entirely", "to": 1}}},
              {"kind": "textfield", "payload": {"value": "$user.entirely"}}]}
            """#)
        #expect(
            bench.messages == [
                "Main.widgets.json:3:85 (root[1].on.tap.state): error: No state is called usr [unknown-key]; did you mean user?",
                "Main.widgets.json:4:85 (root[2].on.tap.state): error: user.@count is not a state, nor a member of one [bad-value]; a member has a name after a dot, as in user.name",
                "Main.widgets.json:5:85 (root[3].on.tap.state): warning: user has no member naem at first [unknown-key]; did you mean name? Otherwise write it there as well",
                "Main.widgets.json:2:46 (root[0].payload.value): warning: user has no member nmae at first [unknown-key]; did you mean name? Otherwise write it there as well",
            ])
    }

    @Test func `A member lies 16 deep at most`() throws {
        func document(_ count: Int) -> String {
            let path = (["user"] + (0..<count).map { "m\($0)" }).joined(separator: ".")
            return
                #"{"schema": 1, "state": {"user": {}}, "root": [{"kind": "textfield", "id": "field", "payload": {"value": "$\#(path)"}}]}"#
        }
        var bench = try DocumentBench(document(16))
        #expect(bench.messages.isEmpty)
        #expect(try bench.type("x", into: "field") == nil)
        #expect(bench.view.node(try bench.key("field"))?.text(.text) == "x")
        #expect(try DocumentBench(document(17)).codes == ["depth-budget"])
        // A component may pass on what it cannot change.
        let parts = Array(repeating: "p", count: 12).joined(separator: ".")
        let deeper = try DocumentBench(
            #"""
            {"schema": 1, "state": {"user": {}},
             "components": {"a": {"parameters": {"x": {}}, "body": {"kind": "textfield", "payload": {"value": "$x.\#(parts)"}}}},
             "root": [{"kind": "a", "payload": {"x": "$user.\#(parts)"}}, {"kind": "label", "payload": {"text": "after"}}]}
            """#)
        #expect(deeper.codes == ["depth-budget"] && deeper.lines == ["after"])
    }

    @Test func `A member that would make the states too large stays as it is`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"user": {"list": [1]}}, "root": [
              {"kind": "button", "id": "twice", "payload": {"text": "Twice"}, "on": {"tap": {"do": "append", "state": "user.list", "item": "$user.list"}}},
              {"kind": "button", "id": "deep", "payload": {"text": "Deep"}, "on": {"tap": {"do": "set", "state": "user.in", "to": "$user"}}}]}
            """#)
        for _ in 0..<30 { #expect(try bench.tap("twice") == nil) }
        #expect(bench.faults.contains { $0.contains("stays as it is") }, "\(bench.faults)")
        let count = Self.value(bench, "user", "list")?.elements?.count ?? 0
        #expect(count > 5 && count < 30)
        for _ in 0..<100 { #expect(try bench.tap("deep") == nil) }
        #expect(!bench.faults.isEmpty)
        let extent = ValueExtent(of: bench.store.visible?.states["user"] ?? .null)
        #expect(extent.depth <= Budget().valueDepth && extent.count <= Budget().valueCount)
    }

    @Test func `An explanation of a field names the member and its value`() throws {
        var bench = try DocumentBench(
            #"{"schema": 1, "state": {"user": {"name": "Ann"}}, "root": [{"kind": "textfield", "id": "field", "payload": {"value": "$user.name"}}]}"#
        )
        #expect(try bench.type("Bo", into: "field") == nil)
        let found = Evaluator(bench.program).explanation(
            of: .text, at: try bench.key("field"), in: bench.store, bench.environment)
        let explanation = try #require(found)
        #expect(explanation.source == "user.name" && explanation.value.string == "Bo")
        #expect(explanation.inputs.map(\.keyPath) == ["user.name"])
        #expect(explanation.inputs.map(\.value.shown) == ["Bo"])
    }
}
