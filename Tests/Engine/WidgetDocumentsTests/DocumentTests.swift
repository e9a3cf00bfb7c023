import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetDocuments

@Suite struct DocumentTests {
    // MARK: - Forms

    /// B7, B8.
    @Test func `A fault in a member of a scene costs no more than the member`() throws {
        let document = #"""
            {"schema": 1, "title": {"$": "((("}, "id": 5, "bar": "yes", "components": [], "on": {"laod": [], "load": []},
             "root": [{"kind": "label", "payload": {"text": "Sound"}}]}
            """#
        let bench = try DocumentBench(document)
        #expect(bench.text.contains("Sound"))
        let found = bench.program.diagnostics.map { "\($0)" }
        #expect(found.count == 5, "\(found)")
        #expect(found.contains { $0.contains("Scenes have no event laod") && $0.contains("did you mean load?") })
        #expect(throws: DocumentError.self) { _ = try DocumentBench(document, policy: .fail) }
    }

    @Test func `A forgotten expression, and a value for another parameter, are reported with what was meant`() throws {
        let bench = try DocumentBench(
            #"""
            {"schema": 1, "visible": "rows.@count > 0", "state": {"rows": [1]}, "root": [
              {"kind": "label", "payload": {"text": "x"}, "if": "rows.@count > 0"},
              {"kind": "vstack", "items": {"in": "rows"}, "children": [{"kind": "label", "payload": {"text": "y"}}]},
              {"kind": "button", "payload": {"text": "Go"}, "on": {"tap":
                {"do": "push", "scene": "Ship", "with": {"sort": 1}}}}]}
            """#,
            documents: [
                "Ship":
                    #"{"schema": 1, "parameters": {"type": 0}, "root": [{"kind": "label", "payload": {"text": "$type"}}]}"#
            ])
        let found = bench.program.diagnostics.map { "\($0)" }
        #expect(found.count { $0.contains(#"did you mean {"$": "#) } == 3, "\(found)")
        #expect(found.contains { $0.contains("Ship has no parameter sort") }, "\(found)")
    }

    @Test func `A number beyond all limits counts as missing, and stops nothing`() throws {
        let bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"t": "1e-9223372036854775808"}, "root": [
              {"kind": "label", "payload": {"text": {"$": "CAST('1e-9223372036854775808', 'NSDecimalNumber')"}}},
              {"kind": "label", "payload": {"text": {"$": "CAST(t, 'NSDecimalNumber')"}}},
              {"kind": "label", "payload": {"text": {"$": "CAST('1e-900', 'NSDecimalNumber') + 1"}}},
              {"kind": "label", "payload": {"text": "Sound"}}]}
            """#)
        #expect(bench.text.contains("Sound"))
    }

    @Test func `Lists that would become too large by an update stay as they are`() throws {
        let rows = (0..<5_000).map { _ in #"{"a": 1}"# }.joined(separator: ",")
        let members = (0..<100).map { #""m\#($0)": 0"# }.joined(separator: ",")
        let bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"l": [\#(rows)]}, "on": {"load": {"do": "update", "state": "l", "key": "a", "is": 1,
              "with": {\#(members)}}}, "root": [{"kind": "label", "payload": {"text": {"$": "l.@count"}}}]}
            """#)
        #expect(bench.text.contains("5000"))
        #expect(bench.store.screens.first?.states["l"] == nil)
    }

    @Test func `All states together have a limit, and one that would pass it stays as it is`() throws {
        let text = String(repeating: "x", count: 200_000)
        let appends = (0..<60).map { _ in #"{"do": "append", "state": "l", "item": "$s"}"# }.joined(separator: ",")
        let bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"l": [], "s": "\#(text)"}, "on": {"load": [\#(appends)]},
             "root": [{"kind": "label", "payload": {"text": {"$": "l.@count"}}}]}
            """#)
        let count = bench.store.screens.first?.states["l"]?.elements?.count ?? 0
        #expect(1...45 ~= count, "\(count)")
    }

    @Test func `A link reveals a row of a table that is called like its state`() throws {
        let bench = try DocumentBench(
            #"""
            {"schema": 1, "state": {"teas": [{"name": "Assam"}]},
             "links": {"tea": {"pattern": "tea://{name}", "scene": "Main", "reveal": {"list": "teas", "key": "name"}}},
             "root": [{"kind": "table", "id": "teas", "items": {"in": "$teas", "as": "tea"},
                       "children": [{"kind": "cell", "payload": {"title": "$tea.name"}}]}]}
            """#)
        #expect(!bench.program.diagnostics.contains { $0.code == .deadLink })
        #expect(
            bench.store.item(
                of: "teas", having: .string("Assam"), at: ["name"], in: bench.program, bench.environment) != nil)
    }

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
        // A bundle for newer programs can be built and published.
        #expect(bench.program.diagnostics.allSatisfy { $0.severity == .warning })
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
        // Nothing changes the state, so the placeholder is all that is ever shown.
        #expect(
            bench.messages == [
                "Main.widgets.json:8:49 (root[6].payload.text): warning: user has no member nick [unknown-key]; it has name"
            ])
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
                    #"{"schema": 1, "state": {"count": 0, "name": "", "wantsNews": true, "isSaved": false}, "sources": {"events": {"value": []}}, "root": \#(sample)}"#
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
