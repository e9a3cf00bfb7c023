import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetDocuments

/// Goal: a screen that opens changes nothing on a server. Method: the requests of documents that are opened, and what
/// their authors read.
@Suite struct `Requests of a screen that opens` {
    private static func bench(
        _ scene: String, documents: [String: String] = [:], keyed: Bool = false, method: String = "POST"
    ) throws -> ServiceBench {
        try ServiceBench(
            scene, documents: documents,
            services: [
                TestService(
                    TestAction("save", method) { $0.isKeyed = keyed }, TestAction("list", "GET"),
                    TestAction("chained", "GET") {
                        $0.result = ServiceAction.Result(entity: "Entry", isArray: true)
                        $0.nextAction = "save"
                    })
            ],
            // An action is followed by another if records can be made of its answer.
            model: EntityModel([
                EntityModel.Entity("Entry", properties: [.attribute(.init("name", .string, jsonKeyPath: ["name"]))])
            ]))
    }

    /// A document with a source and a button that calls it.
    private static func source(_ members: String) -> String {
        #"""
        {"schema": 1, "state": {"text": "a"}, "sources": {"save": {"action": "save"\#(members)}}, "root": [
          {"kind": "label", "payload": {"text": "$save.status.phase"}},
          {"kind": "textfield", "id": "field", "payload": {"value": "$text"}},
          {"kind": "button", "id": "go", "payload": {"text": "Go"}, "on": {"tap": {"do": "call", "source": "save"}}}]}
        """#
    }

    private static let once = "https://shop.example/save"

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "post"])
    func `A source that changes something waits for an action`(method: String) throws {
        for keyed in [false, true] {
            var bench = try Self.bench(Self.source(""), keyed: keyed, method: method)
            #expect(bench.messages.isEmpty && bench.waiting.isEmpty && bench.lines.first == "waiting")
            bench.send(.update)
            #expect(bench.waiting.isEmpty)
            #expect(try bench.tap("go") == nil)
            #expect(bench.waiting == [Self.once] && bench.reported.isEmpty, "\(bench.reported)")
        }
    }

    @Test(arguments: ["load", "appear"])
    func `A source that says itself that it is sent on opening needs a key`(moment: String) throws {
        let keyed = try Self.bench(Self.source(#", "when": "\#(moment)""#), keyed: true)
        #expect(keyed.waiting == [Self.once] && keyed.messages.isEmpty && keyed.reported.isEmpty)
        var bench = try Self.bench(Self.source(#", "when": "\#(moment)""#))
        #expect(bench.waiting.isEmpty && bench.lines.first == "waiting")
        #expect(
            bench.messages == [
                #"Main.widgets.json:1:86 (sources.save.when): warning: The source save waits for an action, because a POST is not sent when a screen opens [sent-on-load]; write "when": "demand", or give the action "idempotencyKey": true"#
            ])
        #expect(try bench.tap("go") == nil)
        #expect(bench.waiting == [Self.once])
    }

    @Test func `A source of changes begins with the first change`() throws {
        for keyed in [false, true] {
            var bench = try Self.bench(
                Self.source(#", "with": {"text": "$text"}, "when": "change""#), keyed: keyed)
            #expect(
                bench.waiting.isEmpty && bench.messages.allSatisfy { $0.contains("[unused-value]") },
                "\(bench.messages)")
            bench.pass(10)
            bench.send(.update)
            #expect(bench.waiting.isEmpty)
            #expect(try bench.type("b", into: "field") == nil)
            #expect(bench.waiting == [Self.once])
        }
    }

    @Test func `An interval sends nothing that the source does not send on opening`() throws {
        var bench = try Self.bench(Self.source(#", "every": 5"#), keyed: true)
        bench.pass(60)
        #expect(bench.waiting.isEmpty)
        #expect(bench.messages.count == 1 && bench.messages[0].contains("[sent-on-load]"), "\(bench.messages)")
        var pulse = try Self.bench(Self.source(#", "every": 5, "when": "load""#), keyed: true)
        pulse.answer(.null)
        pulse.pass(5)
        #expect(pulse.waiting == [Self.once] && pulse.messages.isEmpty && pulse.reported.isEmpty)
    }

    /// The parts of a document that are taken when it opens.
    private static let openings = [
        #""on": {"load": CALL}, "root": []"#, #""on": {"appear": CALL}, "root": []"#,
        #""on": {"load": {"do": "after", "seconds": 1, "then": CALL}}, "root": []"#,
        #""on": {"load": {"do": "when", "if": "$yes", "then": CALL}}, "root": []"#,
        #""on": {"load": {"do": "call", "action": "list", "then": CALL, "else": CALL}}, "root": []"#,
        #""root": [{"kind": "label", "payload": {"text": "x"}, "on": {"appear": CALL}}]"#,
        #""root": [{"kind": "label", "payload": {"text": "x"}, "on": {"appearOnce": CALL}}]"#,
        #""root": [{"kind": "label", "payload": {"text": "x"}, "on": {"change($yes)": {"initial": true, "then": CALL}}}]"#,
        #""root": [{"kind": "host", "payload": {"document": "Part"}}]"#,
    ]
    private static let part =
        #"{"schema": 1, "on": {"load": CALL}, "root": [{"kind": "label", "payload": {"text": "x"}}]}"#
    private static let call =
        #"{"do": "call", "action": "save", "then": {"do": "set", "state": "end", "to": "sent"}, "else": {"do": "set", "state": "end", "to": "$argument"}}"#

    @Test(arguments: openings) func `A call is not sent because a screen opens`(opening: String) throws {
        let call = opening.contains("host") ? #"{"do": "call", "action": "save"}"# : Self.call
        var bench = try Self.bench(
            "{\"schema\": 1, \"state\": {\"yes\": true, \"end\": \"\"}, \(opening.replacing("CALL", with: call))}",
            documents: opening.contains("host") ? ["Part": Self.part.replacing("CALL", with: call)] : [:], keyed: true)
        bench.pass(1)
        bench.answerAll(.null)
        #expect(bench.waiting.isEmpty)
        let found = bench.program.diagnostics.filter { $0.code == .sentOnLoad }
        #expect(!found.isEmpty && found.allSatisfy { $0.place?.line == 1 }, "\(bench.messages)")
        let reported = bench.reported.filter { $0.code == .sentOnLoad }
        #expect(!reported.isEmpty && bench.failures.isEmpty, "\(bench.reported)")
        if !opening.contains("host") {
            #expect(
                bench.store.screens.last?.states["end"]?.string?.contains("not sent because a screen opens") == true)
        }
    }

    @Test(arguments: openings) func `A question is asked when a screen opens`(opening: String) throws {
        let call = #"{"do": "call", "action": "list"}"#
        var bench = try Self.bench(
            "{\"schema\": 1, \"state\": {\"yes\": true}, \(opening.replacing("CALL", with: call))}",
            documents: opening.contains("host") ? ["Part": Self.part.replacing("CALL", with: call)] : [:])
        bench.pass(1)
        #expect(!bench.waiting.isEmpty && bench.messages.isEmpty, "\(bench.messages)")
    }

    @Test func `An action that follows a question is not sent because a screen opens`() throws {
        var bench = try Self.bench(Self.source("").replacing(#""action": "save""#, with: #""action": "chained""#))
        #expect(bench.waiting == ["https://shop.example/chained"])
        #expect(bench.messages.count == 1 && bench.messages[0].contains("a POST is not sent then"), "\(bench.messages)")
        bench.answer(.array([]))
        #expect(bench.waiting.isEmpty && bench.reported.map(\.code) == [.sentOnLoad], "\(bench.reported)")
    }

    @Test(arguments: [
        Event.update, .replaced(asksAgain: true), .replaced(asksAgain: false), .continued(moved: []),
        .continued(moved: [1]),
    ])
    func `An action that follows a question is not sent because of an update or another release`(event: Event) throws {
        let asking = Self.source("").replacing(#""action": "save""#, with: #""action": "chained""#)
        // Before, the screen had another source, so that the answer of this one is missing.
        var bench = try Self.bench(asking.replacing("save", with: "other"))
        bench.answer(.array([]))
        #expect(bench.waiting.isEmpty)
        let next = if case .update = event { bench } else { try Self.bench(asking) }
        bench.continues(with: next, event)
        #expect(bench.waiting == ["https://shop.example/chained"])
        bench.answer(.array([]))
        #expect(bench.waiting.isEmpty && bench.reported.map(\.code) == [.sentOnLoad, .sentOnLoad], "\(bench.reported)")
        // An act of a person sends both.
        #expect(try bench.tap("go") == nil)
        bench.answer(.array([]))
        #expect(bench.waiting == [Self.once])
    }

    @Test func `A call of a source that is sent on opening is sent`() throws {
        let bench = try Self.bench(
            #"""
            {"schema": 1, "sources": {"save": {"action": "save", "when": "appear"}}, "on": {"load": {"do": "call", "source": "save"}},
             "root": [{"kind": "label", "payload": {"text": "x"}}]}
            """#, keyed: true)
        #expect(bench.waiting == [Self.once] && bench.messages.isEmpty && bench.reported.isEmpty)
    }

    @Test func `An answer to an alert, and a result of another screen, are acts of a person`() throws {
        var alert = try Self.bench(
            #"""
            {"schema": 1, "on": {"load": {"do": "alert", "title": "Send?", "actions": [
              {"title": "Yes", "actions": {"do": "call", "action": "save"}}, {"title": "No", "style": "cancel"}]}},
             "root": [{"kind": "label", "payload": {"text": "x"}}]}
            """#)
        #expect(alert.messages.isEmpty && alert.waiting.isEmpty)
        let shown = try #require(alert.view.alerts.first)
        let yes = try #require(shown.buttons.first)
        alert.send(.tap(yes.key))
        #expect(alert.waiting == [Self.once], "\(alert.reported)")
        var result = try Self.bench(
            #"""
            {"schema": 1, "on": {"load": {"do": "push", "scene": "Ask", "result": {"do": "call", "action": "save"}}},
             "root": [{"kind": "label", "payload": {"text": "x"}}]}
            """#,
            documents: [
                "Ask":
                    #"{"schema": 1, "root": [{"kind": "button", "id": "done", "payload": {"text": "Done"}, "on": {"tap": {"do": "back", "value": 1}}}]}"#
            ])
        #expect(result.messages.isEmpty && result.waiting.isEmpty)
        #expect(try result.tap("done") == nil)
        #expect(result.waiting == [Self.once], "\(result.reported)")
    }

    @Test func `A row that a person adds may send what its appearing calls`() throws {
        var bench = try Self.bench(
            #"""
            {"schema": 1, "state": {"rows": [1]}, "root": [
              {"kind": "vstack", "items": {"in": "$rows", "as": "row"}, "children": [
                {"kind": "label", "payload": {"text": "$row"}, "on": {"appearOnce": {"do": "call", "action": "save"}}}]},
              {"kind": "button", "id": "add", "payload": {"text": "Add"}, "on": {"tap": {"do": "append", "state": "rows", "item": 2}}}]}
            """#)
        // Nothing is known of rows before the widget runs.
        #expect(bench.messages.isEmpty && bench.waiting.isEmpty)
        #expect(try bench.tap("add") == nil)
        #expect(bench.waiting == [Self.once])
    }

    @Test func `To ask all sources again sends no order again`() throws {
        var bench = try Self.bench(
            #"""
            {"schema": 1, "sources": {"list": {"action": "list"}, "save": {"action": "save"}, "both": {"action": "chained"}}, "root": [
              {"kind": "button", "id": "all", "payload": {"text": "All"}, "on": {"tap": {"do": "refresh"}}},
              {"kind": "button", "id": "own", "payload": {"text": "Own"}, "on": {"tap": {"do": "refresh", "source": "save"}}}]}
            """#)
        bench.answerAll(.array([]))
        #expect(try bench.tap("all") == nil)
        #expect(bench.waiting == ["https://shop.example/list"])
        #expect(try bench.tap("own") == nil)
        #expect(bench.waiting == ["https://shop.example/list", Self.once])
        let load = try Self.bench(
            #"""
            {"schema": 1, "sources": {"save": {"action": "save"}}, "on": {"load": {"do": "refresh", "source": "save"}},
             "root": [{"kind": "label", "payload": {"text": "$save.status.phase"}}]}
            """#)
        #expect(load.waiting.isEmpty && load.lines == ["error"])
        #expect(load.messages.count == 1 && load.messages[0].contains("The source save is to be asked"))
    }
}
