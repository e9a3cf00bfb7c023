import Testing
import WidgetCore

@testable import WidgetDocuments

/// Texts that are made of parts.
@Suite struct JoinedTextTests {
    @Test func `A text is joined of literals, key paths and expressions, and follows their values`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"name": "Ann", "n": 2},
             "root": [{"kind": "label", "payload": {"text": {"$": ["Hello ", "$name", ", ", {"$": "n * 2"}, " of ", 5, "$$"]}}},
                      {"kind": "textfield", "id": "field", "payload": {"value": "$name"}}]}
            """#)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        #expect(bench.lines.first == "Hello Ann, 4 of 5$")
        #expect(try bench.type("$p0", into: "field") == nil)
        #expect(bench.lines.first == "Hello $p0, 4 of 5$")
    }

    @Test func `A text with a part that has no value has none, so that its address is not opened`() throws {
        var bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"place": {"id": null}},
             "root": [{"kind": "label", "payload": {"text": {"$": ["Place ", "$place.id"]}, "placeholder": "no place"}},
                      {"kind": "button", "id": "go", "payload": {"text": "Go"},
                       "on": {"tap": [{"do": "open", "url": {"$": ["acme://places/", "$place.id"]}},
                                      {"do": "set", "state": "place", "to": {"id": 7}}]}}]}
            """#)
        #expect(bench.lines.first == "no place")
        #expect(try bench.open("go") == [])
        #expect(bench.lines.first == "Place 7")
        #expect(try bench.open("go") == ["acme://places/7"])
    }

    @Test(arguments: [
        ("[]", "has 0 parts"),
        ("[\(Array(repeating: "1", count: JoinedText.partCount + 1).joined(separator: ","))]", "65 parts"),
        (#"["a", ["b"]]"#, "A part of a text is array"), (#"["a", "$a."]"#, "is not a key path"),
    ])
    func `Parts that cannot be joined are a fault with its reason`(list: String, reason: String) throws {
        let bench = try DocumentBench(#"[{"kind": "label", "payload": {"text": {"$": \#(list)}}}]"#)
        #expect(bench.messages.count == 1 && bench.messages[0].contains(reason), "\(bench.messages)")
        #expect(bench.text.isEmpty)
    }
}

extension DocumentBench {
    /// Taps an element, and returns the addresses that the host is asked to open.
    mutating func open(_ name: String) throws -> [String] {
        let transition = Reducer.reduce(.tap(try key(name)), store, in: program, environment)
        store = transition.store
        return transition.effects.compactMap { effect in
            if case .open(let address) = effect { address } else { nil }
        }
    }
}
