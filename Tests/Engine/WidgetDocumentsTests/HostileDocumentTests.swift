import Testing
import WidgetCore

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
