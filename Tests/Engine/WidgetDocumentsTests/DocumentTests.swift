import Predicates
import Testing
import WidgetCore

@testable import WidgetDocuments

@Suite struct DocumentTests {
    // MARK: - Forms

    /// B7, B8.
    @Test(arguments: [
        #"[{"kind": "label", "payload": {"text": "A"}}]"#, #"{"kind": "text", "payload": {"text": "A"}, "extra": 1}"#,
        #"{"schema": 1, "root": [{"kind": "LabelWidget", "payload": {"text": "A"}}]}"#,
        #"{"schema": 1, "root": {"kind": "label", "payload": {"text": "A"}}}"#,
    ])
    func `A document is a list of elements, one element or a scene`(document: String) throws {
        #expect(try DocumentBench(document).text == "A")
    }

    @Test func `A list is a stack of its elements in their order`() throws {
        let bench = try DocumentBench(
            #"[{"kind": "label", "payload": {"text": "A"}}, {"kind": "label", "payload": {"text": "B"}}]"#)
        #expect(bench.lines == ["A", "B"] && bench.messages.isEmpty)
    }

    @Test(arguments: [
        (
            #"{"schema": 2, "root": []}"#,
            "Main.widgets.json:1:12 (schema): The document's schema is 2, and this program reads 1 [bad-payload]"
        ),
        (#"{"root": []}"#, "Main.widgets.json:1:1: The document is neither an element nor a scene [bad-payload]"),
        (#"[{"kind": "label",}]"#, "there is a comma before the end"), ("", "the document is empty"),
    ])
    func `A document of another version or form is refused, with its place`(document: String, part: String) {
        let error = #expect(throws: DocumentError.self) { try DocumentBench(document) }
        #expect(error.map { "\($0)".contains(part) } ?? false, "\(error.map { "\($0)" } ?? "")")
    }

    // MARK: - Faults

    /// B13.
    @Test func `An unknown kind is reported with its place and the nearest name`() throws {
        let bench = try DocumentBench("[\n  {\"kind\": \"lable\"}]")
        #expect(
            bench.messages == [
                "Main.widgets.json:2:12 ([0].kind): error: No kind is called lable [unknown-kind]; did you mean label?"
            ])
    }

    /// B14.
    @Test(arguments: [
        (#"{"text": []}"#, "(payload.text): error: text of a label is array; expected text [bad-payload]"),
        (
            #"{"text": "A", "align": "centre"}"#,
            #"(payload.align): error: align of a label is "centre"; expected left | center"#
        ),
        (#"{"text": "A", "lines": "$n"}"#, "(payload.lines): error: lines of a label is fixed"),
        (#"{"text": {"$": "1 +"}}"#, "(payload.text.$): error:"), (#"{"text": {"$": 3}}"#, "An expression is number"),
    ])
    func `A payload that does not fit is reported with path, expected type and found value`(
        payload: String, part: String
    ) throws {
        let bench = try DocumentBench(#"{"kind": "label", "payload": \#(payload)}"#)
        #expect(bench.messages.count == 1 && bench.messages[0].contains(part), "\(bench.messages)")
        #expect(bench.text.isEmpty)
    }

    /// B14.
    @Test func `An unknown property is a warning, and the element is shown`() throws {
        let bench = try DocumentBench(#"{"kind": "label", "payload": {"text": "A", "colour": 1}, "paylod": {}}"#)
        #expect(bench.text == "A")
        #expect(bench.codes == ["unknown-key", "unknown-key"])
        #expect(bench.messages[0].contains("did you mean payload?"), "\(bench.messages)")
    }

    private static let broken = """
        [{"kind": "label", "payload": {"text": "A"}}, {"kind": "nothing"}, {"kind": "label", "payload": {"text": 4.5}},
         {"kind": "timer", "payload": {}}, 7, {"kind": "vstack", "children": [{"kind": "label", "payload": {"text": {}}},
          {"kind": "label", "payload": {"text": "B"}}]}]
        """

    /// B15.
    @Test func `One bad element never costs its siblings`() throws {
        let bench = try DocumentBench(Self.broken)
        #expect(bench.lines == ["A", "4.5", "B"])
        #expect(bench.codes == ["unknown-kind", "bad-payload", "bad-payload", "bad-payload"])
    }

    /// B15.
    @Test func `A placeholder says in its place what is wrong with an element`() throws {
        let lines = try DocumentBench(Self.broken, policy: .placeholder).lines
        #expect(lines[0] == "A" && lines[1] == "⚠ nothing: No kind is called nothing")
        #expect(lines.contains("B") && lines.count(where: { $0.hasPrefix("⚠") }) == 4, "\(lines)")
    }

    /// B15.
    @Test func `A bundle that demands it fails with the first bad element`() {
        let error = #expect(throws: DocumentError.self) { try DocumentBench(Self.broken, policy: .fail) }
        #expect(error.map { "\($0)".contains("No kind is called nothing") } ?? false)
    }

    /// B15, as the original: decoding stops at the first throw, and the list is empty.
    @Test func `In the strict mode one bad element costs the whole list`() throws {
        let bench = try DocumentBench(Self.broken, policy: .strict)
        #expect(bench.text.isEmpty && bench.codes == ["unknown-kind"])
        let good = try DocumentBench(
            #"[{"kind": "text", "payload": {"text": "A", "more": 1}, "x": 1}]"#, policy: .strict)
        #expect(good.text == "A" && good.messages.isEmpty)
    }

    @Test func `A fallback is shown in place of an element that cannot be`() throws {
        let bench = try DocumentBench(
            #"{"kind": "hologram", "fallback": {"kind": "chart", "fallback": {"kind": "label", "payload": {"text": "Flat"}}}}"#,
            policy: .placeholder)
        #expect(bench.text == "Flat" && bench.codes == ["unknown-kind", "unknown-kind"])
    }

    @Test func `A failed element leaves no state, name or rule behind`() throws {
        let bench = try DocumentBench(
            #"""
            [{"kind": "vstack", "id": "x", "style": {"width": 3}, "if": {"$": "1 +"},
              "children": [{"kind": "disclosure", "payload": {"title": "A"}}]},
             {"kind": "label", "id": "x", "payload": {"text": "B"}}]
            """#)
        let scene = try #require(bench.program.scenes["Main"])
        #expect(bench.text == "B" && scene.states.isEmpty)
        guard case .node(let id)? = scene.names["x"] else { throw DocumentError.missing("x") }
        #expect(scene.nodes[id].kind == .label && !scene.rules.contains { $0.constant == 3 })
    }

    // MARK: - Values

    @Test func `A dollar sign begins a key path, two of them a text`() throws {
        let bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"user": {"name": "Ann"}, "n": 2},
             "root": [{"kind": "label", "payload": {"text": "$user.name"}},
                      {"kind": "label", "payload": {"text": "$$5"}},
                      {"kind": "label", "payload": {"text": {"$": "uppercase(user.name)"}}},
                      {"kind": "label", "payload": {"text": {"$": "n * 2 + 1"}}},
                      {"kind": "label", "payload": {"text": "yes"}, "if": {"$": "n > 1 AND user.name BEGINSWITH 'A'"}},
                      {"kind": "label", "payload": {"text": "no"}, "if": "$user.admin"},
                      {"kind": "label", "payload": {"text": "$user.nick", "placeholder": "no nick"}}]}
            """#)
        #expect(bench.lines == ["Ann", "$5", "ANN", "5", "yes", "no nick"])
        #expect(bench.messages.isEmpty, "\(bench.messages)")
    }

    @Test func `A name that means nothing is a warning with the nearest one`() throws {
        let bench = try DocumentBench(
            #"{"schema": 1, "state": {"count": 1}, "root": {"kind": "label", "payload": {"text": "$cuont"}}}"#)
        #expect(
            bench.messages.count == 1
                && bench.messages[0].hasSuffix("Nothing is called cuont here [unknown-key]; did you mean count?"))
    }

    @Test func `A sign within an expression is a fault that says how to write the name`() throws {
        let bench = try DocumentBench(#"{"kind": "label", "payload": {"text": {"$": "$content.name"}}}"#)
        #expect(bench.messages.count == 1 && bench.messages[0].hasSuffix("write content"), "\(bench.messages)")
    }

    // MARK: - Timers

    /// B17, B18.
    @Test func `A timer shows a distance, a countdown or a time of day, by the clock that it is given`() throws {
        func timer(_ date: String, _ style: String) -> String {
            #"{"kind": "timer", "payload": {"date": \#(date), "style": "\#(style)"}}"#
        }
        var bench = try DocumentBench(
            "[\(timer(#""2001-01-01T01:00:00Z""#, "countdown")), \(timer("978307200", "relative")), \(timer(#"{"reference": 60}"#, "clock"))]"
        )
        #expect(bench.lines == ["01:00:00", "now", "00:01:00"])
        bench.pass(3_000)
        #expect(bench.lines == ["00:10:00", "50m ago", "00:01:00"])
        bench.pass(100_000)
        #expect(bench.lines[0] == "00:00:00" && bench.lines[1] == "1d ago")
        #expect(bench.store.nextDeadline != nil)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
    }

    /// B17: 4 000 000 000 is in 2096, and in the original in 2127.
    @Test func `Numbers that are dates count from 1970, and from 2001 in the strict mode`() throws {
        let document =
            #"{"schema": 1, "state": {"at": 4000000000}, "root": {"kind": "timer", "payload": {"date": "$at", "style": "countdown"}}}"#
        var plain = try DocumentBench(document)
        plain.set(now: 4_000_000_000 - 978_307_200 - 5)
        #expect(plain.text == "00:00:05")
        var strict = try DocumentBench(document, policy: .strict)
        strict.set(now: 4_000_000_000 - 5)
        #expect(strict.text == "00:00:05")
        #expect(try DocumentBench(#"{"kind": "timer", "payload": {"date": "tomorrow"}}"#).codes == ["bad-payload"])
    }

    // MARK: - Samples

    @Test func `Every sample of a kind is shown without a fault`() throws {
        for spec in KindRegistry.standard.specs {
            for sample in spec.samples {
                let document =
                    #"{"schema": 1, "state": {"count": 0, "name": "", "wantsNews": true, "isSaved": false}, "root": \#(sample)}"#
                let bench = try DocumentBench(
                    document,
                    documents: [
                        "Header":
                            #"{"schema": 1, "parameters": {"title": ""}, "root": {"kind": "label", "payload": {"text": "$title"}}}"#
                    ])
                let faults = bench.messages.filter { !$0.contains("Nothing leads to Header") }
                #expect(faults.isEmpty, "\(spec.name): \(faults)")
                #expect(bench.view.diagnostics.isEmpty, "\(spec.name): \(bench.view.diagnostics)")
                #expect(
                    !["label", "button", "cell", "host", "help", "switch"].contains(spec.name) || !bench.text.isEmpty)
            }
        }
    }

    /// B24.
    @Test func `The help element documents every kind, or the one that it names`() throws {
        let all = try DocumentBench(#"{"kind": "help"}"#).lines
        for spec in KindRegistry.standard.specs { #expect(all.contains(spec.name), "\(spec.name)") }
        let one = try DocumentBench(#"{"kind": "help", "payload": {"kind": "SpacerWidget"}}"#).lines
        #expect(one[0] == "spacer" && !one.contains("label"))
        #expect(
            one.contains { $0.hasPrefix("grow: true if it takes") && $0.hasSuffix("(true or false, true by default)") })
    }
}
