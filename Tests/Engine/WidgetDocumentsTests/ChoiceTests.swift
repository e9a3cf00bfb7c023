import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetDocuments

/// Values and elements that a value chooses.
@Suite struct ChoiceTests {
    @Test func `A value is chosen by a table, and follows what chooses it`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"type": "PushEvent", "name": "Ann", "isOn": true}, "root": [
              {"kind": "label", "payload": {"text": {"match": "$type", "cases": {"PushEvent": "pushed", "ForkEvent": "$name"}, "else": {"$": "uppercase(type)"}}}},
              {"kind": "label", "payload": {"text": {"match": "$isOn", "cases": {"true": "on", "false": "off"}}}},
              {"kind": "button", "id": "fork", "payload": {"text": "Fork"}, "on": {"tap": [{"do": "set", "state": "type", "to": "ForkEvent"}, {"do": "toggle", "state": "isOn"}]}},
              {"kind": "button", "id": "other", "payload": {"text": "Other"}, "on": {"tap": {"do": "set", "state": "type", "to": {"match": "$type", "cases": {"ForkEvent": "WatchEvent"}}}}}]}
            """#)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(bench.lines.prefix(2) == ["pushed", "on"])
        #expect(try bench.tap("fork") == nil)
        #expect(bench.lines.prefix(2) == ["Ann", "off"])
        #expect(try bench.tap("other") == nil)
        #expect(bench.lines[0] == "WATCHEVENT")
    }

    /// C20: the sample's glyph by the type of an event.
    @Test func `A glyph is chosen for each item`() throws {
        let bench = try DocumentBench(
            #"""
            {"schema": 1, "sources": {"events": {"value": [{"type": "create"}, {"type": "fork"}, {"type": "dig"}]}},
             "root": {"kind": "vstack", "items": {"in": "$events", "as": "event"}, "children": [
               {"kind": "label", "payload": {"text": {"match": "$event.type", "cases": {"create": "✚", "fork": "⑂"}, "else": "•"}}}]}}
            """#)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(bench.lines == ["✚", "⑂", "•"])
    }

    @Test func `An element is chosen by the text of a value, in stacks and as a row`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"mode": "a", "rows": ["x", "y"]}, "root": [
              {"kind": "match", "payload": {"value": "$mode"}, "slots": {
                 "a": {"kind": "button", "id": "next", "payload": {"text": "Next"}, "on": {"tap": {"do": "set", "state": "mode", "to": "b"}}},
                 "b": {"kind": "label", "payload": {"text": "Second"}}, "else": {"kind": "label", "payload": {"text": "Other"}}}},
              {"kind": "button", "id": "odd", "payload": {"text": "Odd"}, "on": {"tap": {"do": "set", "state": "mode", "to": 7}}},
              {"kind": "table", "items": {"in": "$rows", "as": "row"}, "children": [
                {"kind": "match", "payload": {"value": "$row"}, "slots": {"x": {"kind": "cell", "payload": {"title": "An x"}}, "else": {"kind": "label", "payload": {"text": "No x"}}}}]}]}
            """#)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(bench.text.contains("Next") && !bench.text.contains("Second") && !bench.text.contains("Other"))
        #expect(bench.text.contains("An x") && bench.text.contains("No x"))
        #expect(try bench.tap("next") == nil)
        #expect(bench.text.contains("Second") && !bench.text.contains("Next"))
        #expect(try bench.tap("odd") == nil)
        #expect(bench.text.contains("Other") && !bench.text.contains("Second"))
    }

    private static let feed = #"""
        {"schema": 1, "sources": {"events": {"action": "events"}}, "root": [
          {"kind": "async", "payload": {"source": "events"}, "slots": {
             "loading": {"kind": "label", "payload": {"text": "Loading"}}, "empty": {"kind": "label", "payload": {"text": "No events"}},
             "error": {"kind": "label", "payload": {"text": {"$": "uppercase(events.status.error)"}}}, "loaded": {"kind": "label", "payload": {"text": "Events"}}},
           "children": [{"kind": "vstack", "items": {"in": "$events", "as": "event"}, "children": [{"kind": "label", "payload": {"text": "$event"}}]}]},
          {"kind": "button", "id": "again", "payload": {"text": "Again"}, "on": {"tap": {"do": "refresh"}}}]}
        """#

    /// 3.7: the content of a source by its status.
    @Test func `Elements are chosen by the life of a source`() throws {
        var bench = try ServiceBench(Self.feed, services: [TestService("Feed", ["events": "https://feed.example"])])
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(bench.lines == ["Loading", "(Again)"])
        bench.fail("no network")
        #expect(bench.lines == ["NO NETWORK", "(Again)"])
        #expect(try bench.tap("again") == nil)
        bench.answer(.array([]))
        #expect(bench.lines == ["No events", "(Again)"])
        #expect(try bench.tap("again") == nil)
        bench.answer(.array([.string("One")]))
        #expect(bench.lines == ["Events", "One", "(Again)"])
        #expect(try bench.tap("again") == nil)
        bench.fail("no network")
        #expect(bench.lines == ["Events", "One", "(Again)"])
    }

    @Test(arguments: [
        (#"{"match": "$x"}"#, "A `match` has no `cases`"),
        (#"{"match": "$x", "else": "b"}"#, "A `match` has no `cases`"),
        (#"{"match": "$x", "cases": ["a"]}"#, "The `cases` of a `match` are array"),
        (#"{"match": null, "cases": {"a": "b"}}"#, "A `match` has no value that chooses"),
    ])
    func `A choice without something to choose from is reported with its place`(value: String, message: String) throws {
        for document in [
            #"{"schema": 1, "state": {"x": ""}, "root": [{"kind": "label", "payload": {"text": \#(value)}}]}"#,
            #"{"schema": 1, "state": {"x": ""}, "root": [{"kind": "button", "payload": {"text": "A"}, "on": {"tap": {"do": "set", "state": "x", "to": \#(value)}}}]}"#,
        ] {
            let bench = try DocumentBench(document)
            let found = bench.messages.first { $0.contains(message) }
            #expect(found?.hasPrefix("Main.widgets.json:1:") == true, "\(bench.messages)")
            #expect(found?.contains(#"write {"match": "#) == true)
        }
        let ordinary = #"[{"kind": "label", "payload": {"text": {"match": "a", "cases": {}, "else": "b"}}}]"#
        #expect(try DocumentBench(ordinary).messages.isEmpty)
    }

    @Test func `The kind match without slots is reported with its place`() throws {
        let bench = try DocumentBench(#"[{"kind": "match", "payload": {"value": "a"}}]"#)
        #expect(bench.messages.count == 1, "\(bench.messages)")
        #expect(
            bench.messages.first?.contains("(root[0]): warning: A match has no slots") == true
                || bench.messages.first?.contains("([0]): warning: A match has no slots") == true, "\(bench.messages)")
    }

    @Test(arguments: ["100000000000", "-1e12"])
    func `A number out of range names the range`(number: String) throws {
        let bench = try DocumentBench(#"[{"kind": "label", "payload": {"text": "A", "lines": \#(number)}}]"#)
        #expect(
            bench.messages.contains {
                $0.contains("lines of a label is out of range; expected a number from -1000000000 to 1000000000")
            }, "\(bench.messages)")
    }

    @Test func `Every value of a table has to be one of the property's type`() throws {
        let bench = try DocumentBench(
            #"[{"kind": "label", "style": {"alpha": {"match": "$x", "cases": {"a": 1, "b": "half"}}}, "payload": {"text": "A"}}]"#
        )
        #expect(
            bench.messages.contains { $0.contains("alpha of a style is \"half\"; expected number") },
            "\(bench.messages)")
        let fixed = try DocumentBench(
            #"[{"kind": "label", "payload": {"text": "A", "align": {"match": "$x", "cases": {"a": "center"}}}}]"#)
        #expect(fixed.messages.contains { $0.contains("is fixed") }, "\(fixed.messages)")
    }

    @Test func `Tables lie in each other up to a limit, and have cases up to another`() throws {
        var limits = DocumentLimits()
        var text = #""end""#
        for _ in 0...limits.matchDepth { text = #"{"match": "a", "cases": {}, "else": \#(text)}"# }
        let deep = try DocumentBench(#"[{"kind": "label", "payload": {"text": \#(text)}}]"#)
        #expect(deep.messages.contains { $0.contains("Matches lie more than 8 deep") }, "\(deep.messages)")
        limits.caseCount = 2
        let wide = try DocumentBench(
            #"[{"kind": "label", "payload": {"text": {"match": "a", "cases": {"a": 1, "b": 2, "c": 3}}}}]"#,
            limits: limits)
        #expect(wide.messages.contains { $0.contains("more than 2 cases") }, "\(wide.messages)")
        limits.caseCount = 500
        limits.settingCount = 4
        let many = try DocumentBench(
            #"[{"kind": "label", "payload": {"text": {"match": "a", "cases": {"a": 1, "b": 2, "c": 3, "d": 4}}}}]"#,
            limits: limits)
        #expect(many.messages.contains { $0.contains("more than 4 properties") }, "\(many.messages)")
    }
}
