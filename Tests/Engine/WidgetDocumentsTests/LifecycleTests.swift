import Testing
import WidgetCore
import WidgetPredicates
import WidgetRender

@testable import WidgetDocuments

/// Elements that come and go, and values that change.
@Suite struct LifecycleTests {
    /// Actions that note a word in the state `log`.
    private static func note(_ text: String) -> String {
        #"{"do": "set", "state": "log", "to": {"$": ["$log", "\#(text) "]}}"#
    }

    private static func log(_ bench: DocumentBench) -> String {
        bench.store.screens.first?.states["log"]?.shown ?? ""
    }

    @Test func `An element appears with its screen and with its condition, and disappears without it`() throws {
        var bench = try DocumentBench(
            """
            {"schema": 1, "state": {"log": "", "on": false}, "root": [
              {"kind": "vstack", "if": "$on", "children": [
                {"kind": "label", "payload": {"text": "in"},
                 "on": {"appear": \(Self.note("in")), "appearOnce": \(Self.note("once")), "disappear": \(Self.note("out"))}}]},
              {"kind": "divider", "on": {"appear": \(Self.note("line"))}},
              {"kind": "button", "id": "go", "payload": {"text": "Go"}, "on": {"tap": {"do": "toggle", "state": "on"}}}]}
            """)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(Self.log(bench) == "line ")
        #expect(try bench.tap("go") == nil)
        #expect(Self.log(bench) == "line once in ")
        #expect(try bench.tap("go") == nil)
        #expect(try bench.tap("go") == nil)
        #expect(Self.log(bench) == "line once in out in ")
    }

    @Test func `Items of a list come and go by themselves, with their item as the argument`() throws {
        var bench = try DocumentBench(
            """
            {"schema": 1, "state": {"log": "", "list": ["a", "b"]}, "root": [
              {"kind": "vstack", "items": {"in": "$list", "as": "name", "key": "$name"}, "children": [
                {"kind": "label", "payload": {"text": "$name"}, "on": {
                  "appear": {"do": "set", "state": "log", "to": {"$": ["$log", "+", "$name"]}},
                  "disappear": {"do": "set", "state": "log", "to": {"$": ["$log", "-", "$argument"]}}}}]},
              {"kind": "button", "id": "go", "payload": {"text": "Go"}, "on": {"tap": {"do": "set", "state": "list", "to": ["b", "c"]}}}]}
            """)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(Self.log(bench) == "+a+b")
        #expect(try bench.tap("go") == nil)
        #expect(Self.log(bench) == "+a+b-a+c")
    }

    @Test func `Elements of a screen that closes disappear, and those of a covered one do not`() throws {
        var bench = try DocumentBench(
            """
            {"schema": 1, "state": {"log": ""}, "root": [
              {"kind": "label", "payload": {"text": "below"}, "on": {"appear": \(Self.note("below")), "disappear": \(Self.note("gone"))}},
              {"kind": "button", "id": "go", "payload": {"text": "Go"}, "on": {"tap": {"do": "push", "scene": "top",
                "result": {"do": "set", "state": "log", "to": {"$": ["$log", "$argument"]}}}}}]}
            """,
            documents: [
                "top": #"""
                {"schema": 1, "state": {"last": "nothing"}, "root": [
                  {"kind": "label", "payload": {"text": "x"}, "on": {
                    "disappear": [{"do": "cache", "key": "bye", "to": "yes"}, {"do": "back"}]}},
                  {"kind": "button", "id": "leave", "payload": {"text": "Leave"}, "on": {"tap": {"do": "back", "value": "result"}}}],
                 "cache": {"bye": "no"}}
                """#
            ])
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(try bench.tap("go") == nil)
        #expect(bench.store.screens.count == 2)
        #expect(try bench.tap("leave") == nil)
        #expect(bench.store.screens.count == 1)
        #expect(Self.log(bench) == "below result")
        #expect(bench.store.cache.values["bye"] != nil)
    }

    @Test func `Actions of a change run when a value becomes another one, and for the first one on demand`() throws {
        var bench = try DocumentBench(
            """
            {"schema": 1, "state": {"log": "", "count": 0}, "root": [
              {"kind": "label", "payload": {"text": "x"}, "on": {
                "change($count)": {"do": "set", "state": "log", "to": {"$": ["$log", "n", "$argument", " "]}},
                "change(count > 1)": {"initial": true, "then": \(Self.note("more"))}}},
              {"kind": "button", "id": "add", "payload": {"text": "Add"}, "on": {"tap": {"do": "set", "state": "count", "to": {"$": "count + 1"}}}},
              {"kind": "button", "id": "same", "payload": {"text": "Same"}, "on": {"tap": {"do": "set", "state": "count", "to": "$count"}}}]}
            """)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(Self.log(bench) == "more ")
        #expect(try bench.tap("add") == nil)
        #expect(try bench.tap("same") == nil)
        #expect(Self.log(bench) == "more n1 ")
        #expect(try bench.tap("add") == nil)
        #expect(Self.log(bench) == "more n1 n2 more ")
    }

    @Test func `Another program continues with what was there`() throws {
        func document(_ text: String) -> String {
            """
            {"schema": 1, "state": {"log": "", "count": 0}, "root": [
              {"kind": "label", "payload": {"text": "\(text)"}, "on": {"appear": \(Self.note("a")), "disappear": \(Self.note("d"))}},
              {"kind": "label", "id": "named", "payload": {"text": "y"}, "on": {"appear": \(Self.note("b")),
                "change($count)": {"initial": true, "then": \(Self.note("c"))}}}]}
            """
        }
        let bench = try DocumentBench(document("one"))
        #expect(Self.log(bench) == "c a b ")
        let next = try DocumentBench.program(document("two"))
        let moved = bench.store.moved(from: bench.program, to: next)
        let transition = Reducer.reduce(.replaced(asksAgain: false), moved, in: next, Environment())
        #expect(transition.store.screens.first?.states["log"]?.shown == "c a b ")
    }

    @Test func `Elements that call each other forth end at a limit, and faults are reported`() throws {
        let bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"on": true}, "root": [
              {"kind": "label", "payload": {"text": "a"}, "if": "$on", "on": {"appear": {"do": "set", "state": "on", "to": false}}},
              {"kind": "label", "payload": {"text": "b"}, "if": {"$": "on == NO"}, "on": {"appear": {"do": "set", "state": "on", "to": true}}},
              {"kind": "label", "payload": {"text": "c"}, "on": {"change(": [], "change()": [], "change($oops)": [], "apear": []}},
              {"kind": "vstack", "items": {"in": [1]}, "children": [{"kind": "label", "on": {"change($on)": []}}]}]}
            """#)
        #expect(bench.lines.count >= 2)
        let expected = [
            "A label has no event change(", "A label has no event apear", "Nothing is called oops",
            "Changes are not watched in an item of a list",
        ]
        for part in expected { #expect(bench.messages.contains { $0.contains(part) }, "\(part): \(bench.messages)") }
    }

    @Test func `Traits of fields are those of pages`() throws {
        let bench = try DocumentBench(
            #"""
            [{"kind": "textfield", "payload": {"placeholder": "Code", "content": "oneTimeCode", "capitalization": "all", "correction": false,
               "returnKey": "send"}},
             {"kind": "textfield", "payload": {"placeholder": "Mail", "content": "email", "keyboard": "email"}}]
            """#)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        let planned = PlannedProgram(bench.program)
        var options = PageOptions(PrintOptions(), sheets: planned.sheets)
        options.completesFields = true
        let page = String(decoding: PagePrinter(planned, options).print(bench.view, NoAssets()), as: UTF8.self)
        for part in [
            #"autocomplete="one-time-code""#, #"autocapitalize="characters""#, #"spellcheck="false""#,
            #"enterkeyhint="send""#, #"autocomplete="email""#,
        ] {
            #expect(page.contains(part), "\(part)")
        }
    }
}
