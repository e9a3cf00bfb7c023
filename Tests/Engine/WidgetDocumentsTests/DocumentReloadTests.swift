import Testing
import WidgetCore
import WidgetPredicates
import WidgetRender

@testable import WidgetDocuments

/// Goal: a reload loses nothing of its user's. Method: a document, what is typed into it, and the document's next version.
@Suite struct DocumentReloadTests {
    /// A widget whose documents are replaced while it runs.
    private struct Reloaded {
        var program: Program
        var store: Store
        let environment = Environment()

        init(_ document: String, _ documents: [String: String] = [:]) throws {
            program = try DocumentBench.program(document, documents)
            store = Store(model: program.model)
            send(.start)
        }

        mutating func send(_ event: Event) {
            store = Reducer.reduce(event, store, in: program, environment).store
        }

        mutating func reload(_ document: String, _ documents: [String: String] = [:]) throws {
            let next = try DocumentBench.program(document, documents)
            store = store.moved(from: program, to: next)
            program = next
            send(.replaced(asksAgain: false))
        }

        var view: View { Evaluator(program).view(of: store, environment) }
        var text: String { ViewText(width: 80).text(view) }

        func key(_ name: String) throws -> ViewKey {
            var found: ViewKey?
            view.visit { node in
                if node.identifier == name || node.text(.text) == name { found = node.key }
                return found == nil
            }
            return try #require(found, "\(name)\n\(text)")
        }
    }

    private static let fields = #"{"kind": "textfield", "id": "first"}, {"kind": "textfield", "id": "second"}"#

    @Test func `Typed texts stay with the ids of their fields, wherever the fields move to`() throws {
        var widget = try Reloaded("[\(Self.fields)]")
        widget.send(.input(try widget.key("first"), .string("one")))
        widget.send(.input(try widget.key("second"), .string("two")))
        try widget.reload(
            #"[{"kind": "label", "payload": {"text": "New"}}, {"kind": "box", "children": [{"kind": "textfield", "id": "second"}]}, {"kind": "textfield", "id": "first"}, {"kind": "textfield", "id": "third"}]"#
        )
        let texts = try ["first", "second", "third"].map { name in
            try #require(widget.view.node(try widget.key(name))).text(.text)
        }
        #expect(texts == ["one", "two", ""])
    }

    @Test func `States keep their values under their names, and new ones begin as they are written`() throws {
        let button =
            #"{"kind": "button", "payload": {"text": "Add"}, "on": {"tap": {"do": "set", "state": "count", "to": {"$": "count + 1"}}}}"#
        var widget = try Reloaded(#"{"schema": 1, "state": {"count": 1}, "root": [\#(button)]}"#)
        widget.send(.tap(try widget.key("Add")))
        try widget.reload(
            #"{"schema": 1, "state": {"count": 1, "other": 7}, "root": [{"kind": "label", "payload": {"text": {"$": "count * 10 + other"}}}]}"#
        )
        #expect(widget.text.contains("27"))
    }

    @Test func `Members of a state stay with it, and fields that are new show them`() throws {
        var widget = try Reloaded(
            #"{"schema": 1, "state": {"user": {"name": "Ann"}}, "root": [{"kind": "textfield", "id": "a", "payload": {"value": "$user.name"}}]}"#
        )
        widget.send(.input(try widget.key("a"), .string("Bo")))
        try widget.reload(
            #"{"schema": 1, "state": {"user": {"name": "Ann"}}, "root": [{"kind": "textfield", "id": "b", "payload": {"value": "$user.name"}}]}"#
        )
        #expect(try #require(widget.view.node(try widget.key("b"))).text(.text) == "Bo")
    }

    @Test func `What is open stays open under its id, also when another one comes before it`() throws {
        func disclosure(_ id: String) -> String {
            #"{"kind": "disclosure", "id": "\#(id)", "payload": {"title": "Title \#(id)"}, "children": [{"kind": "label", "payload": {"text": "Content \#(id)"}}]}"#
        }
        var widget = try Reloaded("[\(disclosure("b"))]")
        #expect(!widget.text.contains("Content b"))
        widget.send(.tap(try widget.key("Title b")))
        #expect(widget.text.contains("Content b"))
        try widget.reload("[\(disclosure("a")), \(disclosure("b"))]")
        #expect(widget.text.contains("Content b") && !widget.text.contains("Content a"))
    }

    @Test func `Documents that were pushed stay open with their parameters, and end when they are gone`() throws {
        let main =
            #"[{"kind": "button", "payload": {"text": "Open"}, "on": {"tap": {"do": "push", "scene": "Part", "with": {"name": "Ada"}}}}]"#
        func part(_ word: String) -> String {
            #"{"schema": 1, "parameters": {"name": ""}, "root": [{"kind": "label", "payload": {"text": "\#(word)"}}, {"kind": "label", "payload": {"text": "$name"}}]}"#
        }
        var widget = try Reloaded(main, ["Part": part("Hello")])
        widget.send(.tap(try widget.key("Open")))
        #expect(widget.text.contains("Hello") && widget.text.contains("Ada"))
        try widget.reload(main, ["Part": part("Goodbye")])
        #expect(widget.text.contains("Goodbye") && widget.text.contains("Ada"))
        try widget.reload(main)
        #expect(widget.text.contains("Open"))
    }

    @Test func `The screens of a bundle have one limit of nodes together`() throws {
        var limits = DocumentLimits()
        limits.totalNodeCount = 100
        let labels = Array(repeating: #"{"kind": "label", "payload": {"text": "x"}}"#, count: 60).joined(separator: ",")
        let program = try DocumentBench.program(
            "[\(labels)]", ["B": "[\(labels)]", "C": "[\(labels)]"], [:], .skip, limits)
        let count = program.scenes.values.reduce(0) { $0 + $1.nodes.count }
        #expect(count <= 120)
        #expect(program.scenes["Main"]?.nodes.count ?? 0 > 60)
        let messages = program.diagnostics.filter { $0.code == .nodeBudget }.map(\.message)
        #expect(messages == Array(repeating: "The screens of the bundle have more than 100 nodes together", count: 2))
    }

    @Test func `Elements that fail again and again cost the limit of nodes once`() throws {
        var limits = DocumentLimits()
        limits.totalNodeCount = 500
        let labels = Array(repeating: #"{"kind": "label"}"#, count: 90).joined(separator: ",")
        // Its nodes are made before its condition turns out to be none.
        let failing = #"{"kind": "box", "if": {"$": "(("}, "children": [\#(labels)]}"#
        let document = "[\(Array(repeating: failing, count: 50).joined(separator: ","))]"
        let program = try DocumentBench.program(document, [:], [:], .skip, limits)
        #expect(program.diagnostics.contains { $0.code == .nodeBudget })
        #expect(program.diagnostics.count { $0.code == .badPredicate } < 10)
    }
}
