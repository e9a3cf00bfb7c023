import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetDocuments

/// Goal: an order has a person as its cause, however long the way from a screen that opens to the request. Method: documents that
/// lead from opening to an order in every way that needs no touch, and the same ways from a touch.
@Suite struct `What follows from a screen that opens` {
    private static let call = #"{"do": "call", "action": "save"}"#

    /// Documents without any touch. `BEGIN` is what happens on load, or at a tap.
    private static let ways: [(name: String, main: String, documents: [String: String])] = [
        (
            "a permitted request, and then an order",
            #"""
            "sources": {"ping": {"action": "ping", "when": "load"}},
            "on": {"load": {"do": "call", "source": "ping", "then": CALL, "else": CALL}}, "root": []
            """#, [:]
        ),
        (
            "a permitted request, and after a while an order",
            #"""
            "sources": {"ping": {"action": "ping", "when": "appear"}},
            "on": {"appear": {"do": "call", "source": "ping", "then": {"do": "after", "seconds": 1, "then": CALL}}}, "root": []
            """#, [:]
        ),
        (
            "a permitted request that another action follows",
            #""sources": {"linked": {"action": "linked", "when": "load"}}, "root": []"#, [:]
        ),
        (
            "a value that a timer changes",
            #"""
            "state": {"s": 1}, "on": {"load": {"do": "after", "seconds": 1, "then": {"do": "set", "state": "s", "to": 2}}},
            "root": [{"kind": "label", "payload": {"text": "x"}, "on": {"change($s)": CALL}}]
            """#, [:]
        ),
        (
            "a source that follows the answer to a question",
            #"""
            "sources": {"l": {"action": "list"}, "o": {"action": "save", "when": "change", "with": {"n": "$l.n"}}}, "root": []
            """#, [:]
        ),
        (
            "a source that follows a question which is asked again and again",
            #"""
            "sources": {"l": {"action": "list", "every": 1}, "o": {"action": "save", "when": "change", "with": {"n": "$l.n"}}},
            "root": []
            """#, [:]
        ),
        (
            "rows of an answer that appear",
            #"""
            "sources": {"l": {"action": "list"}}, "root": [{"kind": "vstack", "items": {"in": "$l.items", "as": "row"}, "children": [
              {"kind": "label", "payload": {"text": "$row"}, "on": {"appear": CALL}}]}]
            """#, [:]
        ),
        (
            "rows of an answer that appear once",
            #"""
            "sources": {"l": {"action": "list"}}, "root": [{"kind": "vstack", "items": {"in": "$l.items", "as": "row"}, "children": [
              {"kind": "label", "payload": {"text": "$row"}, "on": {"appearOnce": CALL}}]}]
            """#, [:]
        ),
        (
            "an element that an answer shows",
            #"""
            "sources": {"l": {"action": "list"}}, "root": [
              {"kind": "label", "if": {"$": "l.n > 0"}, "payload": {"text": "x"}, "on": {"appear": CALL}}]
            """#, [:]
        ),
        (
            "the result of a screen that leaves by itself",
            #""on": {"load": {"do": "push", "scene": "B", "result": CALL}}, "root": []"#,
            ["B": #"{"schema": 1, "on": {"load": {"do": "back", "value": 1}}, "root": []}"#]
        ),
        (
            "the result of a sheet that leaves after a while",
            #""on": {"load": {"do": "present", "scene": "B", "result": CALL}}, "root": []"#,
            [
                "B":
                    #"{"schema": 1, "on": {"appear": {"do": "after", "seconds": 1, "then": {"do": "dismiss", "value": 1}}}, "root": []}"#
            ]
        ),
    ]

    private static func bench(_ members: String, _ documents: [String: String] = [:]) throws -> ServiceBench {
        try ServiceBench(
            "{\"schema\": 1, \(members.replacing("CALL", with: call))}", documents: documents,
            services: [
                TestService(
                    TestAction("save"), TestAction("list", "GET"), TestAction("ping") { $0.isKeyed = true },
                    TestAction("linked") {
                        $0.isKeyed = true
                        $0.result = ServiceAction.Result(entity: "Entry", isArray: true)
                        $0.nextAction = "save"
                    })
            ],
            model: EntityModel([
                EntityModel.Entity("Entry", properties: [.attribute(.init("name", .string, jsonKeyPath: ["name"]))])
            ]))
    }

    /// Answers all requests, and lets time pass, a few times.
    private static func orders(_ bench: inout ServiceBench) -> Int {
        var count = 0
        for number in 1...6 {
            let answer = Value.dictionary(
                PredicateDictionary([
                    ("n", .integer(Int64(number))), ("items", .array((0..<number).map { .integer(Int64($0)) })),
                ]))
            while let next = bench.waiting.first {
                if next.hasSuffix("/save") { count += 1 }
                bench.answer(next.hasSuffix("/linked") ? .array([]) : answer)
            }
            bench.pass(1)
        }
        return count
    }

    @Test(arguments: ways.indices) func `An order is not sent by any way that leads from an opening`(number: Int) throws
    {
        let way = Self.ways[number]
        var bench = try Self.bench(way.main, way.documents)
        #expect(Self.orders(&bench) == 0, "\(way.name)")
        for event in [Event.update, .replaced(asksAgain: true), .replaced(asksAgain: false), .cached([])] {
            bench.send(event)
            #expect(Self.orders(&bench) == 0, "\(way.name)")
        }
        // It is known that the way leads to an order, since the reason why it is not sent is said.
        #expect(bench.reported.contains { $0.code == .sentOnLoad }, "\(way.name): \(bench.reported)")
    }

    /// The same ways, begun by a tap.
    @Test(arguments: [
        #"{"do": "call", "action": "ping", "then": CALL}"#,
        #"{"do": "after", "seconds": 1, "then": {"do": "set", "state": "s", "to": 2}}"#,
        #"{"do": "call", "action": "list", "then": {"do": "set", "state": "s", "to": "$argument.n"}}"#,
        #"{"do": "set", "state": "s", "to": 2}"#,
    ])
    func `An order is sent where a person has begun the same`(steps: String) throws {
        let observed = steps.contains("CALL") ? "" : #", "on": {"change($s)": CALL}"#
        var bench = try Self.bench(
            #"""
            "state": {"s": 0}, "root": [
              {"kind": "button", "id": "go", "payload": {"text": "Go"}, "on": {"tap": STEPS}},
              {"kind": "label", "payload": {"text": "x"} OBSERVED}]
            """#.replacing("STEPS", with: steps).replacing("OBSERVED", with: observed))
        #expect(Self.orders(&bench) == 0)
        #expect(try bench.tap("go") == nil)
        #expect(Self.orders(&bench) == 1, "\(bench.reported)")
    }

    @Test func `An order follows an answer that a person has asked for as well`() throws {
        for isAsked in [false, true] {
            var bench = try Self.bench(
                #"""
                "sources": {"l": {"action": "list"}, "o": {"action": "save", "when": "change", "with": {"n": "$l.n"}}}, "root": [
                  {"kind": "button", "id": "go", "payload": {"text": "Go"}, "on": {"tap": {"do": "refresh", "source": "l"}}}]
                """#)
            #expect(bench.waiting.count == 1)
            // The request of the opening is under way, and the tap joins it.
            if isAsked { #expect(try bench.tap("go") == nil) }
            #expect(bench.waiting.count == 1)
            #expect(Self.orders(&bench) == (isAsked ? 1 : 0), "\(bench.reported)")
        }
    }

    @Test func `A path that a value would lead elsewhere is not changed`() throws {
        for (value, isSent) in [
            ("7", true), ("a/b", true), ("ü 1", true), ("", false), ("..", false), (".", false), ("../users", false),
            ("7?all=1", false), ("7#x", false), (#"a\b"#, false),
        ] {
            let service = TestService(
                TestAction("drop", "DELETE", path: "orders/$id"), TestAction("look", "GET", path: "orders/$id"))
            for action in ["drop", "look"] {
                var bench = try ServiceBench(
                    #"""
                    {"schema": 1, "state": {"id": VALUE}, "root": [{"kind": "button", "id": "go", "payload": {"text": "Go"},
                      "on": {"tap": {"do": "call", "action": "ACTION", "with": {"id": "$id"}}}}]}
                    """#.replacing("VALUE", with: value == #"a\b"# ? #""a\\b""# : "\"\(value)\"").replacing(
                        "ACTION", with: action), services: [service])
                _ = try bench.tap("go")
                #expect(bench.waiting.isEmpty == !(isSent || action == "look"), "\(action) \(value): \(bench.reported)")
            }
        }
    }

    @Test func `An upload has a hundred parts at most`() throws {
        for (count, isSent) in [(100, true), (101, false), (5_000, false)] {
            var bench = try ServiceBench(
                #"""
                {"schema": 1, "state": {"parts": LIST}, "root": [{"kind": "button", "id": "go", "payload": {"text": "Go"},
                  "on": {"tap": {"do": "call", "action": "send", "with": {"f": "$parts"}}}}]}
                """#.replacing("LIST", with: "[\(Array(repeating: "\"x\"", count: count).joined(separator: ","))]"),
                services: [
                    TestService(
                        TestAction("send") {
                            $0.isUpload = true
                            $0.multipart = [("p", "f")]
                        })
                ])
            _ = try bench.tap("go")
            #expect(bench.waiting.isEmpty == !isSent, "\(count): \(bench.reported)")
            #expect(isSent || bench.reported.contains { $0.message.contains("100 parts") }, "\(bench.reported)")
        }
    }
}
