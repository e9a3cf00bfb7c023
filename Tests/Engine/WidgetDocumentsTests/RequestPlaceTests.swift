import Testing
import WidgetPredicates

@testable import WidgetCore
@testable import WidgetDocuments

/// Goal: a request has a value for each `$name`, or is not sent. Method: requests of documents with and without values.
@Suite struct `Places of a request` {
    private static func value(_ members: (String, Value)...) -> Value { .dictionary(PredicateDictionary(members)) }

    private static func bench(_ scene: String, _ action: TestAction) throws -> ServiceBench {
        try ServiceBench(scene, services: [TestService(action)])
    }

    /// A document that calls an action by a button.
    private static func call(_ with: String?, state: String = "{}") -> String {
        #"""
        {"schema": 1, "state": \#(state), "sources": {"go": {"action": "go", "when": "demand"}}, "root": [
          {"kind": "label", "payload": {"text": {"$": "go.status.error"}}},
          {"kind": "button", "id": "go", "payload": {"text": "Go"}, "on": {"tap": {"do": "call", "source": "go"\#(with.map { ", \"with\": \($0)" } ?? "")}}}]}
        """#
    }

    private static let order = value(
        ("cents", .string("$cents")), ("email", .string("$email")), ("zip", .string("at $zip.code")))

    // MARK: - Places without a value

    @Test func `A source without values is not sent, and names its places`() throws {
        let scene =
            #"{"schema": 1, "sources": {"go": {"action": "go"}}, "root": [{"kind": "label", "payload": {"text": "$go.status.error"}}]}"#
        let bench = try Self.bench(scene, TestAction("go", "GET", path: "orders/$id", with: Self.order, in: .query))
        #expect(bench.sent.isEmpty)
        #expect(
            bench.messages == [
                #"Main.widgets.json:1:33 (sources.go): warning: The source go has no value for $id, $cents, $email, $zip.code [unfilled]; pass one in "with"; the request is not sent without"#
            ])
        #expect(bench.lines == ["go is not sent: $id, $cents, $email, $zip.code has no value"], "\(bench.lines)")
        #expect(bench.reported.map(\.code) == [.unfilled] && bench.reported[0].place?.column == 33)
    }

    @Test(
        arguments: [
            (nil, "$cents, $email, $zip.code"), (#"{"cents": 5}"#, "$email, $zip.code"),
            (#"{"cents": 5, "email": "a@b"}"#, "$zip.code"),
            (#"{"cents": 5, "email": "a@b", "zip": {"town": "Ulm"}}"#, "$zip.code"),
            (#"{"cents": 5, "email": "a@b", "zip": {"code": 89073}}"#, nil),
            (#"{"cents": 5, "email": null, "zip": {"code": null}}"#, nil),
        ] as [(String?, String?)])
    func `A call whose values fill its places in part is not sent, and the report names the rest`(
        with: String?, missing: String?
    ) throws {
        var bench = try Self.bench(Self.call(with), TestAction("go", with: Self.order))
        let found = bench.program.diagnostics.filter { $0.code == .unfilled }
        #expect(found.map(\.message) == (missing.map { ["The source go has no value for \($0)"] } ?? []))
        #expect(try bench.tap("go") == nil)
        #expect(bench.sent.count == (missing == nil ? 1 : 0))
        #expect(bench.text.contains("is not sent") == (missing != nil), "\(bench.text)")
    }

    @Test func `A value that lacks a member is known when the request is made`() throws {
        var bench = try Self.bench(
            Self.call(#"{"cents": 1, "email": "a", "zip": "$zip"}"#, state: #"{"zip": {"town": "Ulm"}}"#),
            TestAction("go", with: Self.order))
        #expect(bench.messages.isEmpty)
        #expect(try bench.tap("go") == nil)
        #expect(bench.sent.isEmpty && bench.reported.map(\.code) == [.unfilled])
        #expect(bench.text.contains("go is not sent: $zip.code has no value"))
    }

    @Test(arguments: ["DELETE", "GET"])
    func `A request that changes something needs each part of its path`(method: String) throws {
        var bench = try Self.bench(
            Self.call(#"{"id": "$id", "q": "$id"}"#, state: #"{"id": null}"#),
            TestAction("go", method, path: "orders/$id?q=$q"))
        #expect(bench.messages.isEmpty)
        #expect(try bench.tap("go") == nil)
        #expect(bench.waiting == (method == "GET" ? ["https://shop.example/orders/?q="] : []))
        #expect(bench.reported.map(\.message) == (method == "GET" ? [] : ["go is not sent: $id has no value"]))
    }

    @Test func `The places of a request that a stub answers have values, too`() throws {
        var service = TestService(TestAction("go", "GET", path: "a/$id"))
        service.service.isScripted = true
        let bench = try ServiceBench(
            #"{"schema": 1, "sources": {"go": {"action": "go"}}, "root": [{"kind": "label", "payload": {"text": "$go.status.error"}}]}"#,
            services: [service])
        #expect(bench.lines == ["go is not sent: $id has no value"])
    }

    // MARK: - JSON

    private static let cart =
        #"{"lines": "$cart", "note": "Order of $name", "name": "$name", "total": "$total", "gift": "$gift", "none": "$none"}"#
    private static let cartState =
        #"{"cart": [{"id": 7, "count": 2, "price": 1.5, "tags": ["a\"b"]}, {"id": 8, "count": 1}], "name": "Ann", "total": 3, "gift": false, "none": null}"#
    private static let parameters = value(
        ("lines", .string("$lines")), ("note", .string("Order of $name")), ("total", .string("$total")),
        ("gift", .string("$gift")), ("none", .string("$none")),
        ("fixed", .array([.integer(1), value(("a", .string("$name")))])))
    private static let sentCart =
        #"{"lines":[{"id":7,"count":2,"price":1.5,"tags":["a\"b"]},{"id":8,"count":1}],"note":"Order of Ann","total":3,"gift":false,"none":null,"fixed":[1,{"a":"Ann"}]}"#

    @Test func `A cart is sent as JSON, in which lists, objects and numbers are what they are`() throws {
        for header in [nil, "application/json", "application/vnd.acme+json; charset=utf-8"] {
            var bench = try Self.bench(
                Self.call(Self.cart, state: Self.cartState),
                TestAction("go", with: Self.parameters, in: header == nil ? .json : .body) { action in
                    if let header { action.headers = [("content-type", header)] }
                })
            #expect(try bench.tap("go") == nil)
            let request = try #require(bench.sent.first)
            #expect(String(decoding: request.body, as: UTF8.self) == Self.sentCart)
            #expect(request.headers.map(\.value) == [header ?? "application/json"])
            #expect(bench.reported.isEmpty)
        }
    }

    @Test func `A list in a form is an error that says the way out`() throws {
        for (place, name) in [(ParameterPlace.body, "POST"), (.query, "GET")] {
            var bench = try Self.bench(
                Self.call(Self.cart, state: Self.cartState), TestAction("go", name, with: Self.parameters, in: place))
            #expect(try bench.tap("go") == nil)
            #expect(bench.sent.isEmpty && bench.text.contains("go is not sent: $lines is a list, an object or a file"))
            #expect(bench.reported.map(\.code) == [.badValue])
            #expect(bench.reported.first?.hint?.hasPrefix(#""parametersIn": "json" sends lists"#) == true)
        }
        // A list within a text has no way out but its own place.
        var bench = try Self.bench(
            Self.call(#"{"lines": "$cart"}"#, state: Self.cartState),
            TestAction("go", with: Self.value(("a", .string("all: $lines"))), in: .json))
        #expect(try bench.tap("go") == nil)
        #expect(bench.sent.isEmpty && bench.reported.map(\.code) == [.badValue])
    }

    @Test func `A list that the description writes stays a part of a form`() throws {
        var bench = try Self.bench(
            Self.call(#"{"a": "x"}"#), TestAction("go", with: Self.value(("t", .array([.string("$a"), .integer(2)])))))
        #expect(try bench.tap("go") == nil)
        #expect(bench.sent.map { String(decoding: $0.body, as: UTF8.self) } == ["t%5B%5D=x&t%5B%5D=2"])
    }

    @Test func `JSON beyond a limit, with a file or with a record is not sent`() throws {
        var deep = Value.integer(1)
        for _ in 0..<70 { deep = .array([deep]) }
        let long = Value.array(Array(repeating: .string(String(repeating: "x", count: 1_000)), count: 1_100))
        for (value, reason) in [
            (deep, "more than 64 deep"), (long, "more than 1048576 bytes"), (.data([1]), "multipart"),
            (.object(SomeRecord()), "a record"),
        ] {
            let json = JSONParameters(Self.value(("a", value)), Budget())
            #expect(json.bytes.isEmpty && json.fault?.contains(reason) == true, "\(json.fault ?? "")")
        }
        let moments = JSONParameters(
            Self.value(("at", .date(0)), ("whole", .double(8)), ("not", .double(.nan))), Budget())
        #expect(
            String(decoding: moments.bytes, as: UTF8.self)
                == #"{"at":"2001-01-01T00:00:00Z","whole":8,"not":null}"#)
    }

    private final class SomeRecord: PredicateObject {
        func value(forKey key: String) -> Value? { nil }
    }

    // MARK: - Files

    @Test func `Parts of an upload are texts, files and lists of them`() throws {
        let action = TestAction("go") { action in
            action.isUpload = true
            action.multipart = [("title", "title"), ("file", "files"), ("none", "none")]
        }
        let files =
            #"[{"data": "a;b", "fileName": "a.csv", "contentType": "text/csv"}, {"data": "c", "fileName": "c.txt"}]"#
        var bench = try Self.bench(Self.call(#"{"title": "T", "files": \#(files)}"#), action)
        #expect(try bench.tap("go") == nil)
        #expect(
            bench.sent.first?.parts == [
                ServiceRequest.Part(name: "title", bytes: Array("T".utf8)),
                ServiceRequest.Part(name: "file", bytes: Array("a;b".utf8), contentType: "text/csv", fileName: "a.csv"),
                ServiceRequest.Part(name: "file", bytes: Array("c".utf8), fileName: "c.txt"),
            ])
        var other = try Self.bench(Self.call(#"{"title": "T", "files": [{"name": "a"}]}"#), action)
        #expect(try other.tap("go") == nil)
        #expect(other.sent.isEmpty && other.text.contains("$files is a list, an object or a file"))
    }
}
