import HostileWidgets
import Testing
import WidgetCore
import WidgetPredicates
import WidgetTestSupport

@testable import WidgetDocuments

/// Documents made to exhaust their reader. Each is stopped by a limit that its diagnostic names.
@Suite struct HostileDocumentTests {
    private static func label(_ text: String) -> String { #"{"kind": "label", "payload": {"text": "\#(text)"}}"# }

    private func codes(_ document: String, _ limits: DocumentLimits = DocumentLimits()) throws -> Set<String> {
        Set(try DocumentBench.program(document, [:], [:], .skip, limits).diagnostics.map(\.code.rawValue))
    }

    @Test func `Elements that lie too deep are left out, and those around them stay`() throws {
        var document = Self.label("deep")
        for _ in 0..<35 { document = #"{"kind": "box", "children": [\#(document)]}"# }
        let bench = try DocumentBench("[\(Self.label("A")), \(document)]")
        #expect(bench.text == "A" && bench.codes == ["depth-budget"])
    }

    @Test func `Values that lie too deep make a document unreadable`() {
        let document = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
        #expect(throws: DocumentError.self) { try DocumentBench(document) }
    }

    @Test func `A screen of very many elements is cut at the limit of nodes`() throws {
        let document = "[" + Array(repeating: Self.label("A"), count: 10_500).joined(separator: ",") + "]"
        let program = try DocumentBench.program(document)
        #expect(program.diagnostics.contains { $0.code == .nodeBudget })
        #expect(program.scenes["Main"]?.nodes.count ?? 0 <= DocumentLimits().nodeCount)
    }

    @Test(arguments: [
        #"{"a": {"body": {"kind": "a"}}}"#,
        #"{"a": {"body": {"kind": "b"}}, "b": {"body": {"kind": "box", "children": [{"kind": "a"}]}}}"#,
    ])
    func `Components that contain themselves are reported with their path`(components: String) throws {
        let bench = try DocumentBench(
            #"{"schema": 1, "components": \#(components), "root": [{"kind": "a"}, \#(Self.label("A"))]}"#)
        #expect(bench.text == "A")
        #expect(bench.messages.contains { $0.contains("contains itself: ") && $0.contains("→ component a") })
    }

    @Test func `Documents that host each other are reported with their path`() throws {
        let bench = try DocumentBench(
            #"[{"kind": "host", "payload": {"document": "B"}}, \#(Self.label("A"))]"#,
            documents: ["B": #"[{"kind": "host", "payload": {"document": "Main"}}]"#])
        #expect(bench.text == "A" && bench.codes.contains("binding-cycle"))
    }

    /// Each component uses the next one ten times: ten to the twelfth elements.
    @Test func `An expansion bomb ends at the limit of nodes, within a tenth of a second in a release`() throws {
        let uses = (1...12).map { level in
            let inner = level == 12 ? Self.label("x") : #"{"kind": "c\#(level + 1)"}"#
            return
                #""c\#(level)": {"body": {"kind": "vstack", "children": [\#(Array(repeating: inner, count: 10).joined(separator: ","))]}}"#
        }
        let document = #"{"schema": 1, "components": {\#(uses.joined(separator: ","))}, "root": {"kind": "c1"}}"#
        let program = try DocumentBench.program(document)
        #expect(program.diagnostics.contains { $0.code == .nodeBudget || $0.code == .depthBudget })
        #expect(program.scenes["Main"]?.nodes.count ?? 0 <= DocumentLimits().nodeCount)
        // Few messages: a screen that is full says so once.
        #expect(program.diagnostics.count < 30)
    }

    @Test func `Items of items of items end at the limits of a view`() throws {
        var document = Self.label("x")
        for _ in 0..<5 {
            document = #"{"kind": "vstack", "items": {"in": "$list"}, "children": [\#(document)]}"#
        }
        let list = Array(repeating: "1", count: 100).joined(separator: ",")
        let bench = try DocumentBench(#"{"schema": 1, "state": {"list": [\#(list)]}, "root": \#(document)}"#)
        let codes = Set(bench.view.diagnostics.map(\.code.rawValue))
        #expect(!codes.isDisjoint(with: ["node-budget", "byte-budget", "expression-budget"]), "\(codes)")
    }

    /// A fifth of what is usual, because programs for tests take ten times as long; `make bench` measures the costs.
    @Test(arguments: HostileDocument.all) func `A hostile document is stopped by a limit with a name`(
        document: HostileDocument
    ) throws {
        var limits = DocumentLimits()
        limits.workCount = 60_000
        limits.nodeCount = 2_000
        let budget = Budget(
            byteCount: 800 << 10, textByteCount: 50 << 10, nodeCount: 15_000, rowCount: 4_000, fuel: 400_000)
        var result: HostileWidget.Outcome?
        let spent = ProcessorTime.spent { result = document.run(budget, limits) }
        let outcome = try #require(result)
        #expect(
            outcome.refusal != nil || !outcome.codes.isDisjoint(with: document.codes.union([.countBudget])),
            "\(outcome.codes)")
        // Without the limits some take minutes, and others never end.
        #expect(spent < .seconds(30))
    }

    @Test func `Elements that fail spend the work of all screens, and what came before stays`() throws {
        var limits = DocumentLimits()
        limits.workCount = 2_000
        let failing = #"{"kind": "vstack", "children": [\#(Self.label("x"))], "if": {"$": "((("}}"#
        let document = "[\(Self.label("A")), \(Array(repeating: failing, count: 100).joined(separator: ","))]"
        let program = try DocumentBench.program(document, ["Other": "[\(Self.label("B"))]"], [:], .skip, limits)
        #expect(program.scenes["Main"]?.nodes.contains { $0[.text]?.literal?.text == "A" } ?? false)
        let stopped = program.diagnostics.filter { $0.code == .countBudget }
        #expect(stopped.count == 1, "\(stopped)")
        #expect(stopped.first?.message == "The documents take more than 2000 steps to read")
        // Nothing is left for the second screen.
        #expect(!(program.scenes["Other"]?.nodes.contains { $0.kind == .label } ?? false))
        #expect(throws: DocumentError.self) { try DocumentBench.program(document, [:], [:], .fail, limits) }
    }

    @Test func `As many documents are read as a bundle may have, and the first one beyond is named and not read`()
        throws
    {
        let others = ["B": "[\(Self.label("second"))]", "C": "[\(Self.label("third"))]"]
        func outcome(_ fileCount: Int) throws -> (texts: Set<String>, refused: [Finding]) {
            var limits = DocumentLimits()
            limits.fileCount = fileCount
            let program = try DocumentBench.program("[\(Self.label("first"))]", others, [:], .skip, limits)
            let nodes = program.scenes.values.flatMap(\.nodes)
            return (
                Set(nodes.compactMap { $0[.text]?.literal?.text }).intersection(["first", "second", "third"]),
                program.diagnostics.filter { $0.code == .countBudget }
            )
        }
        let all = try outcome(3)
        #expect(all.texts == ["first", "second", "third"] && all.refused.isEmpty, "\(all)")
        let fewer = try outcome(2)
        #expect(fewer.texts == ["first", "second"])
        #expect(fewer.refused.map(\.message) == ["There are more than 2 documents and components"])
        #expect(fewer.refused.map { $0.place?.file } == ["C.widgets.json"])
    }

    @Test func `A document with very many faults makes no more messages than are shown`() throws {
        let names = (0..<300).map { #""someName\#($0)": 1"# }.joined(separator: ",")
        let label = #"{"kind": "label", "payload": {"text": "$somename7"}}"#
        let document =
            #"{"schema": 1, "state": {\#(names)}, "root": [\#(Array(repeating: label, count: 700).joined(separator: ","))]}"#
        let program = try DocumentBench.program(document)
        #expect(program.diagnostics.count <= Program.diagnosticCount + 1)
        let hints = program.diagnostics.filter { $0.hint?.contains("someName7") ?? false }
        #expect(hints.count == DocumentLimits().hintCount)
    }

    @Test func `Each limit of a document has a diagnostic`() throws {
        var limits = DocumentLimits()
        limits.settingCount = 3
        #expect(
            try codes("[\(Array(repeating: Self.label("A"), count: 5).joined(separator: ","))]", limits).contains(
                "count-budget"))
        limits = DocumentLimits()
        limits.nameCount = 1
        #expect(throws: DocumentError.self) {
            try codes(#"{"schema": 1, "state": {"a": 1, "b": 2}, "root": []}"#, limits)
        }
        limits = DocumentLimits()
        limits.actionCount = 1
        #expect(
            try codes(
                #"{"schema": 1, "root": {"kind": "button", "on": {"tap": [{"do": "back"}, {"do": "back"}]}}}"#, limits)
                == ["count-budget"])
        limits = DocumentLimits()
        limits.actionDepth = 2
        #expect(
            try codes(
                #"{"kind": "button", "on": {"tap": {"do": "after", "seconds": 1, "then": {"do": "after", "seconds": 1, "then": {"do": "back"}}}}}"#,
                limits) == ["depth-budget"])
        limits = DocumentLimits()
        limits.expansionDepth = 1
        #expect(
            try codes(
                #"{"schema": 1, "components": {"a": {"body": {"kind": "spinner"}}}, "root": {"kind": "a"}}"#, limits
            ).contains("depth-budget"))
        limits = DocumentLimits()
        limits.byteCount = 10
        #expect(throws: DocumentError.self) { try codes("[\(Self.label("A"))]", limits) }
    }
}
