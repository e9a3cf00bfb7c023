import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetDocuments

/// Sources: values that a service answers with.
@Suite struct SourceTests {
    /// A feed with its status, an action of a person and a fixed table.
    private static let feed = #"""
        {"schema": 1, "state": {"user": "ann"}, "sources": {
           "events": {"action": "events", "with": {"user": "$user"}, "part": "items"},
           "words": {"value": {"push": "pushed"}}},
         "root": [
          {"kind": "spinner", "payload": {"active": "$events.status.inProgress"}},
          {"kind": "label", "id": "error", "payload": {"text": "$events.status.error"}, "if": "$events.status.failure"},
          {"kind": "label", "id": "facts", "payload": {"text": {"$": "{events.status.phase, events.status.count, words.push}"}}},
          {"kind": "table", "id": "list", "payload": {"refresh": "events"}, "items": {"in": "$events", "as": "event"},
           "slots": {"empty": {"kind": "label", "payload": {"text": "Nothing yet"}}},
           "children": [{"kind": "cell", "payload": {"title": "$event.name"}}]},
          {"kind": "button", "id": "other", "payload": {"text": "Other"}, "on": {"tap": [{"do": "set", "state": "user", "to": "bo"}, {"do": "refresh", "source": "events"}]}}]}
        """#

    private static func bench(_ main: String = feed, documents: [String: String] = [:]) throws -> ServiceBench {
        try ServiceBench(
            main, documents: documents,
            services: [
                TestService(
                    "Feed", ["events": "https://feed.example/$user", "one": "https://feed.example/one"],
                    posts: ["save": "https://feed.example/save"])
            ])
    }

    private static func items(_ names: String...) -> Value {
        .dictionary(
            PredicateDictionary([
                ("items", .array(names.map { .dictionary(PredicateDictionary([("name", .string($0))])) }))
            ]))
    }

    @Test func `A source asks its service when the screen is made, and its answer is a value with a status`() throws {
        var bench = try Self.bench()
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(bench.waiting == ["https://feed.example/ann"])
        #expect(bench.text.contains("(loading, 0, pushed)") && bench.text.contains("Nothing yet"))
        bench.answer(Self.items("One", "Two"))
        #expect(bench.waiting.isEmpty)
        #expect(bench.text.contains("(loaded, 2, pushed)"))
        #expect(bench.text.contains("One") && bench.text.contains("Two") && !bench.text.contains("Nothing yet"))
    }

    @Test func `A source that fails keeps its last good value, and says why`() throws {
        var bench = try Self.bench()
        bench.fail("no network")
        #expect(bench.text.contains("(error, 0, pushed)") && bench.text.contains("no network"))
        try bench.refresh("list")
        bench.answer(Self.items("One"))
        #expect(bench.text.contains("(loaded, 1, pushed)") && !bench.text.contains("no network"))
        try bench.refresh("list")
        bench.fail("no network")
        #expect(bench.text.contains("One") && bench.text.contains("no network"))
        #expect(bench.text.contains("(loaded, 1, pushed)"))
    }

    @Test func `An answer without the part that a source names is a failure`() throws {
        var bench = try Self.bench()
        bench.answer(.dictionary(PredicateDictionary([("other", .integer(1))])))
        #expect(bench.text.contains("The answer has nothing at items."))
        #expect(bench.failures == ["events: The answer has nothing at items."])
        try bench.refresh("list")
        bench.answer(.dictionary(PredicateDictionary([])))
        // A widget lists equal diagnostics once.
        let reported = Set(bench.reported.map(\.description))
        #expect(reported.count == 1, "\(reported)")
        let first = try #require(reported.first)
        #expect(first.contains("The source events has no value. The answer has nothing at items."), "\(first)")
        #expect(first.hasPrefix("Main.widgets.json:2:") && first.contains("(sources.events)"), "\(first)")
    }

    @Test(arguments: [
        (#"{"action": "evnets"}"#, "The service Feed has no action evnets", "did you mean events?"),
        (#"{"action": "one", "service": "Fede"}"#, "No service is called Fede", "did you mean Feed?"),
        (#"{}"#, "The source does not say which action of a service it asks", #"write "action""#),
    ])
    func `A source with a fault is one that has failed, and says why`(source: String, reason: String, hint: String)
        throws
    {
        let bench = try Self.bench(
            #"""
            {"schema": 1, "sources": {"events": \#(source)}, "root": [
              {"kind": "label", "payload": {"text": {"$": "{events.status.phase, events.status.failure}"}}},
              {"kind": "async", "payload": {"source": "events"}},
              {"kind": "button", "payload": {"text": "Call"}, "on": {"tap": {"do": "call", "source": "events"}}}]}
            """#)
        #expect(bench.waiting.isEmpty)
        #expect(bench.lines == ["(error, 1)", "\(reason).", "(Call)"], "\(bench.lines)")
        let (fault, call) = (bench.messages.first ?? "", bench.messages.last ?? "")
        #expect(fault.contains("\(reason) [") && fault.contains(hint), "\(bench.messages)")
        #expect(bench.messages.count == 2 && call.contains("The source events cannot be asked"), "\(bench.messages)")
    }

    @Test func `An empty answer is a value of nothing`() throws {
        var bench = try Self.bench()
        bench.answer(Self.items())
        #expect(bench.text.contains("(empty, 0, pushed)") && bench.text.contains("Nothing yet"))
    }

    @Test func `The same request joins the one under way, and another one replaces it`() throws {
        var bench = try Self.bench()
        try bench.refresh("list")
        #expect(bench.waiting == ["https://feed.example/ann"])
        #expect(try bench.tap("other") == nil)
        #expect(bench.waiting == ["https://feed.example/bo"] && bench.canceled == 1)
        bench.answer(Self.items("Bo's"))
        #expect(bench.text.contains("Bo's"))
    }

    @Test func `Sources that follow each other ask twice in a second, and no more`() throws {
        var bench = try Self.bench(
            #"""
            {"schema": 1, "sources": {
              "a": {"action": "events", "with": {"user": "$b.status.time"}, "when": "change"},
              "b": {"action": "events", "with": {"user": "$a.status.time"}, "when": "change"}},
             "root": [{"kind": "label", "payload": {"text": "$a.status.phase"}}]}
            """#)
        var count = 0
        for _ in 0..<100 {
            count += bench.waiting.count
            bench.answerAll(Self.items("One"))
            bench.pass(0.1)
        }
        #expect(2...50 ~= count, "\(count) requests in 10 s")
    }

    @Test func `A call that is made twice is sent once, and its steps run once`() throws {
        var bench = try ServiceBench(
            #"""
            {"schema": 1, "state": {"count": 0}, "sources": {"saved": {"action": "save", "when": "demand"}}, "root": [
              {"kind": "label", "payload": {"text": "$count"}},
              {"kind": "button", "id": "ask", "payload": {"text": "Ask"}, "on": {"tap": {"do": "refresh", "source": "saved"}}},
              {"kind": "button", "id": "save", "payload": {"text": "Save"}, "on": {"tap":
                {"do": "call", "source": "saved", "then": {"do": "set", "state": "count", "to": {"$": "count + 1"}}}}}]}
            """#, services: [TestService("Log", [:], posts: ["save": "https://log.example/entries"])])
        for name in ["save", "save", "ask"] { #expect(try bench.tap(name) == nil) }
        #expect(bench.waiting.count == 1 && bench.canceled == 0)
        bench.answer(.dictionary(PredicateDictionary([("id", .integer(1))])))
        #expect(bench.text.hasPrefix("1\n"))
        for name in ["ask", "save"] { #expect(try bench.tap(name) == nil) }
        bench.answer(.dictionary(PredicateDictionary([("id", .integer(2))])))
        #expect(bench.text.hasPrefix("2\n") && bench.canceled == 0)
    }

    @Test func `Pulling a table down asks its source again and shows the progress`() throws {
        var bench = try Self.bench()
        bench.answer(Self.items("One"))
        func isRefreshing() throws -> Bool { bench.view.node(try bench.key("list"))?[.refreshing]?.truth ?? false }
        #expect(try !isRefreshing())
        try bench.refresh("list")
        #expect(try isRefreshing())
        bench.fail("no network")
        #expect(try !isRefreshing())
    }

    @Test func `An update asks the sources again that are asked without a demand`() throws {
        var bench = try Self.bench(
            #"""
            {"schema": 1, "sources": {"a": {"action": "events", "with": {"user": "a"}},
               "b": {"action": "one", "when": "appear"}, "c": {"action": "events", "with": {"user": "c"}, "when": "demand"}},
             "root": [{"kind": "label", "payload": {"text": {"$": "{a, b, c}"}}}]}
            """#)
        #expect(bench.waiting.sorted() == ["https://feed.example/a", "https://feed.example/one"])
        bench.answerAll(.string("x"))
        bench.send(.update)
        #expect(bench.waiting.sorted() == ["https://feed.example/a", "https://feed.example/one"])
    }

    @Test func `A source is asked again after its interval, and not while its condition is false`() throws {
        var bench = try Self.bench(
            #"""
            {"schema": 1, "state": {"on": true}, "sources": {"a": {"action": "one", "every": 30, "if": "$on"}},
             "root": [{"kind": "switch", "id": "on", "payload": {"value": "$on"}}, {"kind": "label", "payload": {"text": "$a"}}]}
            """#)
        bench.answer(.string("first"))
        bench.pass(29)
        #expect(bench.waiting.isEmpty)
        bench.pass(1)
        #expect(bench.waiting.count == 1)
        bench.answer(.string("second"))
        #expect(bench.text.contains("second"))
        #expect(try bench.tap("on") == nil)
        bench.pass(30)
        #expect(bench.waiting.isEmpty)
    }

    @Test func `A source of changes is asked again when its values become others`() throws {
        var bench = try Self.bench(
            #"""
            {"schema": 1, "state": {"user": "a"}, "sources": {"e": {"action": "events", "with": {"user": "$user"}, "when": "change"}},
             "root": [{"kind": "textfield", "id": "field", "payload": {"value": "$user"}}, {"kind": "label", "payload": {"text": "$e"}}]}
            """#)
        #expect(bench.waiting == ["https://feed.example/a"])
        #expect(try bench.type("ab", into: "field") == nil)
        // Not sooner than half a second after the request before.
        #expect(bench.waiting == ["https://feed.example/a"])
        bench.pass(0.5)
        #expect(bench.waiting == ["https://feed.example/ab"] && bench.canceled == 1)
        bench.answer(.string("for ab"))
        #expect(bench.text.contains("for ab"))
    }

    @Test func `An action calls a service, and others follow its answer or its failure`() throws {
        var bench = try Self.bench(
            #"""
            {"schema": 1, "state": {"text": "hello", "said": "not saved"}, "sources": {"save": {"action": "save", "when": "demand"}},
             "root": [{"kind": "label", "payload": {"text": "$said"}},
              {"kind": "button", "id": "save", "payload": {"text": "Save", "busy": "$save.status.inProgress"}, "on": {"tap":
                {"do": "call", "source": "save", "with": {"text": "$text"}, "then": {"do": "set", "state": "said", "to": "$argument.id"},
                 "else": {"do": "set", "state": "said", "to": "$argument"}}}}]}
            """#)
        // The text has no place in the request.
        #expect(bench.messages.count == 1 && bench.messages[0].contains("[unused-value]"), "\(bench.messages)")
        #expect(bench.waiting.isEmpty)
        #expect(try bench.tap("save") == nil)
        #expect(bench.waiting == ["https://feed.example/save"])
        #expect(try bench.tap("save") == "the element is disabled")
        bench.fail("no network")
        #expect(bench.lines[0] == "no network")
        #expect(try bench.tap("save") == nil)
        bench.answer(.dictionary(PredicateDictionary([("id", .string("n7"))])))
        #expect(bench.lines[0] == "n7")
        bench.send(.update)
        #expect(bench.waiting.isEmpty)
    }

    @Test func `A hosted document has sources that only this place has`() throws {
        var bench = try Self.bench(
            #"""
            {"schema": 1, "root": [{"kind": "host", "payload": {"document": "Part", "with": {"user": "a"}}},
              {"kind": "host", "payload": {"document": "Part", "with": {"user": "b"}}}]}
            """#,
            documents: [
                "Part": #"""
                {"schema": 1, "parameters": {"user": ""}, "sources": {"e": {"action": "events", "with": {"user": "$user"}}},
                 "root": {"kind": "label", "payload": {"text": {"$": "{user, e, e.status.phase}"}}}}
                """#
            ])
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(bench.waiting.sorted() == ["https://feed.example/a", "https://feed.example/b"])
        bench.answer(.string("A"))
        #expect(bench.lines.first == "(a, A, loaded)" && bench.lines.last?.hasSuffix("loading)") ?? false)
    }

    @Test func `A component that gets a source as a parameter can read its status`() throws {
        var bench = try Self.bench(
            #"""
            {"schema": 1, "sources": {"e": {"action": "one"}}, "components": {"box": {"parameters": {"of": ""},
               "body": {"kind": "label", "payload": {"text": {"$": "{of.status.phase, of}"}}}}},
             "root": {"kind": "box", "payload": {"of": "$e"}}}
            """#)
        bench.answer(.string("A"))
        #expect(bench.lines == ["(loaded, A)"])
    }

    @Test func `A member called status is read in brackets`() throws {
        var bench = try Self.bench(
            #"""
            {"schema": 1, "sources": {"e": {"action": "one"}}, "root": {"kind": "label", "payload": {"text": {"$": "e['status']"}}}}
            """#)
        bench.answer(.dictionary(PredicateDictionary([("status", .string("open"))])))
        #expect(bench.lines == ["open"])
    }

    @Test func `Faults of sources name their places and the nearest names`() throws {
        let bench = try Self.bench(
            #"""
            {"schema": 1, "sources": {
               "a": {"action": "event"}, "b": {"service": "Fed", "action": "events"}, "c": {"action": "one", "value": 1},
               "d": {}, "e": {"action": "one", "every": 0.01}, "f": {"action": "one", "part": "a..b"}, "x.y": {"value": 1}},
             "root": [{"kind": "label", "payload": {"text": "$e.status.inProgres"}},
               {"kind": "table", "payload": {"refresh": "g"}},
               {"kind": "button", "payload": {"text": "A"}, "on": {"tap": [{"do": "refresh", "source": "ee"}, {"do": "call"}]}}]}
            """#)
        let messages = bench.messages.map { $0.split(separator: ": ", maxSplits: 2).last.map(String.init) ?? "" }
        for part in [
            "did you mean events?", "did you mean Feed?", "has both", "does not say which action",
            "the shortest interval is 1 s", "a..b is not a key path", "x.y cannot be a name",
            "did you mean inProgress?",
            "No source is called g", "No source is called ee", "The call does not say which action",
        ] { #expect(messages.contains { $0.contains(part) }, "\(part) in \(messages)") }
        #expect(bench.messages.allSatisfy { $0.hasPrefix("Main.widgets.json:") })
    }

    @Test func `More sources than the limit are not asked`() throws {
        let sources = (0..<60).map { #""s\#($0)": {"action": "one"}"# }.joined(separator: ", ")
        let bench = try Self.bench(#"{"schema": 1, "sources": {\#(sources)}, "root": []}"#)
        #expect(bench.waiting.count == 50)
        #expect(bench.messages.contains { $0.contains("more than 50 sources") })
    }

    @Test func `An answer of too many values is a failure that leaves the last one`() throws {
        var bench = try Self.bench()
        bench.answer(Self.items("One"))
        try bench.refresh("list")
        bench.answer(
            .dictionary(PredicateDictionary([("items", .array(Array(repeating: .integer(1), count: 200_000)))])))
        #expect(bench.text.contains("One") && bench.text.contains("more than 100000 values"))
    }
}
