import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetDocuments

/// Goal: documents read and write values that outlive them, with their types and for their time. Method: a clock that the
/// test sets.
@Suite struct `Cached values of documents` {
    private static func scene(_ cache: String, _ root: String) -> String {
        #"{"schema": 1, "state": {"typed": "", "time": 0}, "cache": \#(cache), "root": [\#(root)]}"#
    }

    private static func label(_ text: String) -> String { #"{"kind": "label", "payload": {"text": \#(text)}}"# }

    private static func button(_ name: String, _ action: String) -> String {
        #"{"kind": "button", "payload": {"text": "\#(name)"}, "on": {"tap": \#(action)}}"#
    }

    @Test func `C15: A value is the declared one until one is stored, and again when it is removed`() throws {
        var bench = try DocumentBench(
            Self.scene(
                #"{"count": 3}"#,
                Self.label(#"{"$": "cache.count * 2"}"#)
                    + "," + Self.button("Store", #"{"do": "cache", "key": "count", "to": {"$": "cache.count + 1"}}"#)
                    + "," + Self.button("Remove", #"{"do": "uncache", "key": "count"}"#)
                    + "," + Self.button("Empty", #"{"do": "cache", "key": "count", "to": null}"#)))
        #expect(bench.messages == [] && bench.lines.first == "6")
        _ = try bench.tap("Store")
        _ = try bench.tap("Store")
        #expect(bench.lines.first == "10")
        _ = try bench.tap("Remove")
        #expect(bench.lines.first == "6" && bench.store.cache.values.isEmpty)
        _ = try bench.tap("Store")
        _ = try bench.tap("Empty")
        #expect(bench.lines.first == "6")
    }

    @Test func `C15: A value is good for its seconds, by the clock of the widget`() throws {
        var bench = try DocumentBench(
            Self.scene(
                #"{"news": "old"}"#,
                Self.label(#""$cache.news""#)
                    + "," + Self.button("Store", #"{"do": "cache", "key": "news", "to": "new", "for": 60}"#)))
        _ = try bench.tap("Store")
        #expect(bench.store.nextDeadline == 60)
        bench.pass(59.9)
        #expect(bench.lines.first == "new")
        bench.pass(0.1)
        #expect(bench.lines.first == "old" && bench.store.nextDeadline == nil)
    }

    @Test func `C15: A stored value of another type than the declared one is absent`() throws {
        var bench = try DocumentBench(Self.scene(#"{"count": 3, "any": null}"#, Self.label(#""$cache.count""#)))
        let text = CachedValue(.string("many"), storedAt: 0)
        bench.send(.cached([CacheChange("count", text), CacheChange("any", text)]))
        #expect(bench.lines.first == "3")
        bench.send(.cached([CacheChange("count", CachedValue(.double(4.5), storedAt: 0))]))
        #expect(bench.lines.first == "4.5")
    }

    @Test func `C16: A value that is older at its source does not replace a newer one`() throws {
        var bench = try DocumentBench(
            Self.scene(
                #"{"event": ""}"#,
                Self.label(#""$cache.event""#)
                    + "," + Self.button("A", #"{"do": "cache", "key": "event", "to": "nine", "at": 900}"#)
                    + "," + Self.button("B", #"{"do": "cache", "key": "event", "to": "five", "at": 500}"#)
                    + "," + Self.button("C", #"{"do": "cache", "key": "event", "to": "any"}"#)))
        _ = try bench.tap("A")
        _ = try bench.tap("B")
        #expect(bench.lines.first == "nine")
        _ = try bench.tap("C")
        #expect(bench.lines.first == "any", "a value without a time is the last one that was written")
    }

    @Test(arguments: [
        ("for", #""soon""#, "expected number"), ("for", "null", nil), ("for", #"{"$": "nil"}"#, "`for` is nil"),
        ("at", #""soon""#, "`at` is a text"), ("at", #"{"$": "typed"}"#, "`at` is a text"), ("at", "true", "`at` is"),
        ("at", #"{"$": "{1, 2}"}"#, "`at` is"), ("for", #"{"$": "typed"}"#, "`for` is a text"),
    ])
    func `C15: A value that cannot be a time stores nothing, and says so`(
        member: String, value: String, message: String?
    )
        throws
    {
        var bench = try DocumentBench(
            Self.scene(
                #"{"event": ""}"#,
                Self.label(#""$cache.event""#)
                    + "," + Self.button("A", #"{"do": "cache", "key": "event", "to": "nine", "at": 900}"#)
                    + ","
                    + Self.button("B", #"{"do": "cache", "key": "event", "to": "bad", "\#(member)": \#(value)}"#)))
        _ = try bench.tap("A")
        _ = try bench.tap("B")
        let found = bench.messages + bench.reported.map(\.description)
        if let message {
            #expect(bench.lines.first == "nine")
            #expect(found.contains { $0.contains(message) && $0.contains("Main.widgets.json:1:") }, "\(found)")
        } else {
            #expect(bench.lines.first == "bad" && found == [])
        }
    }

    @Test func `C16: A time can be a date as a text, as servers send it`() throws {
        var bench = try DocumentBench(
            Self.scene(
                #"{"event": ""}"#,
                Self.label(#""$cache.event""#)
                    + ","
                    + Self.button("A", #"{"do": "cache", "key": "event", "to": "new", "at": "2026-06-16T12:00:00Z"}"#)
                    + ","
                    + Self.button("B", #"{"do": "cache", "key": "event", "to": "old", "at": "2026-06-15T12:00:00Z"}"#)))
        _ = try bench.tap("A")
        _ = try bench.tap("B")
        #expect(bench.lines.first == "new" && bench.reported.isEmpty, "\(bench.reported)")
    }

    @Test func `A list that is stored is repeated, and dates stay dates`() throws {
        var bench = try DocumentBench(
            Self.scene(
                #"{"list": [], "when": null}"#,
                #"""
                {"kind": "vstack", "items": {"in": "$cache.list", "as": "one"},
                 "children": [{"kind": "label", "payload": {"text": "$one.name"}}]}
                """#))
        let items = ["fog", "lamp"].map { Value.dictionary(PredicateDictionary([("name", .string($0))])) }
        bench.send(.cached([CacheChange("list", CachedValue(.array(items), storedAt: 0))]))
        #expect(bench.lines.filter { !$0.isEmpty } == ["fog", "lamp"])
    }

    @Test func `A key that the document does not declare is reported with the nearest one`() throws {
        let bench = try DocumentBench(
            Self.scene(
                #"{"latest": null}"#,
                Self.label(#""$cache.lastest""#)
                    + "," + Self.button("Store", #"{"do": "cache", "key": "latets", "to": 1}"#)))
        #expect(bench.codes == ["unknown-key", "unknown-key"])
        #expect(bench.messages.allSatisfy { $0.contains("did you mean latest?") }, "\(bench.messages)")
        let none = try DocumentBench(Self.label(#""$cache.latest""#))
        #expect(none.messages.count == 1 && none.messages[0].contains("Nothing is called cache here"))
    }

    @Test func `A document that is hosted brings its keys, which are those of the whole widget`() throws {
        var bench = try DocumentBench(
            Self.scene(
                #"{"count": 1}"#,
                Self.label(#""$cache.count""#) + #",{"kind": "host", "payload": {"document": "Part"}}"#),
            documents: [
                "Part": Self.scene(
                    #"{"count": 5, "own": 7}"#,
                    Self.label(#""$cache.own""#)
                        + "," + Self.button("Add", #"{"do": "cache", "key": "count", "to": {"$": "cache.count + 1"}}"#))
            ])
        #expect(bench.program.cachedKeys == ["count", "own"])
        _ = try bench.tap("Add")
        #expect(bench.lines.contains("2") && bench.lines.contains("7"), "\(bench.text)")
    }

    @Test func `A document has as many cached values as the limit says`() throws {
        let keys = (0..<65).map { "\"k\($0)\": 0" }.joined(separator: ", ")
        do throws(DocumentError) {
            _ = try DocumentBench(Self.scene("{\(keys)}", ""))
            Issue.record("it has one too many")
        } catch {
            #expect("\(error)".contains("more than 64 cached values"), "\(error)")
        }
    }

    @Test func `U3: Values that a feed lacks are replaced, and a parameter says whose feed it is`() throws {
        let bench = try DocumentBench(
            #"""
            {"schema": 1, "parameters": {"user": "guest"},
             "cache": {"events": [{"name": "first"}, {"id": "two", "name": 2}]},
             "root": [{"kind": "label", "payload": {"text": "$user"}},
               {"kind": "vstack", "items": {"in": "$cache.events", "as": "event"},
                "children": [{"kind": "label",
                  "payload": {"text": {"$": "TERNARY(event.id = nil, 'no id', event.id)"}}}]}]}
            """#)
        #expect(bench.lines.filter { !$0.isEmpty } == ["guest", "no id", "two"], "\(bench.text)")
    }
}
