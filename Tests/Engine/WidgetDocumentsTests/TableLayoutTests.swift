import JSONText
import Testing
import WidgetCore
import WidgetRender

@testable import WidgetDocuments

/// The places of tables and their rows, in frames and in pages.
@Suite struct TableLayoutTests {
    private static let cell = #"""
        {"kind": "cell", "payload": {"title": "Harbour", "subtitle": "West coast"}}
        """#
    private static let table = #"""
        {"kind": "table", "children": [
          \#(cell), {"kind": "vstack", "children": [\#(lines)]},
          {"kind": "section", "items": {"in": {"$": "{1, 2}"}}, "children": [\#(cell)]}]}
        """#
    private static let lines = Array(
        repeating: #"{"kind": "label", "payload": {"text": "Line"}}"#, count: 4
    ).joined(separator: ",")

    private static func boxes(_ document: String) throws -> [(kind: String, y: Double, height: Double)] {
        let bench = try DocumentBench(document)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        let printed = ViewFrames(bench.program, PrintOptions()).print(bench.view, NoAssets())
        var boxes: [(kind: String, y: Double, height: Double)] = []
        var pending = [try JSONDocument(parsing: printed).root]
        while let json = pending.popLast() {
            if let kind = json["kind"]?.string, let frame = json["frame"]?.array, frame.count == 4 {
                boxes.append((kind, frame[1].double ?? 0, frame[3].double ?? 0))
            }
            pending += (json.object?.members.map(\.value) ?? json.array ?? []).reversed()
        }
        return boxes
    }

    /// The selectors of the rules in the sheet of a document's screen that have such a declaration.
    private static func selectors(_ document: String, _ declaration: String) throws -> [Substring] {
        let sheet = String(decoding: PlanSheet(try DocumentBench(document).program, identity: "p").bytes, as: UTF8.self)
        return sheet.split(separator: "\n").filter { $0.contains(declaration) }
            .flatMap { $0.prefix { $0 != "{" }.split(separator: ",") }
    }

    @Test func `Rows are as high as their content, whether they are written or repeated`() throws {
        let heights = try Self.boxes(Self.table).filter { $0.kind == "row" }.map(\.height)
        try #require(heights.count == 4, "\(heights)")
        #expect(heights[0] > 60 && heights[1] > 100 && heights[2] == heights[0] && heights[3] == heights[0])
        // Pages give them a least height, and no other.
        #expect(try Self.selectors(Self.table, ";min-height:44px").count == 3)
        #expect(try Self.selectors(Self.table, ";height:44px").isEmpty)
    }

    @Test func `Lines lie between all rows, or between none`() throws {
        let without = Self.table.replacing(
            #""kind": "table","#, with: #""kind": "table", "payload": {"separators": false},"#)
        for (document, count) in [(Self.table, 3), (without, 0)] {
            let lines = try Self.selectors(document, ";border-bottom:.5px solid ")
            #expect(lines.count == count && lines.allSatisfy { $0.hasSuffix("::after") }, "\(lines)")
        }
    }

    @Test func `A table below other elements begins where it lies, not once more below the bar`() throws {
        let boxes = try Self.boxes(
            #"{"schema": 1, "title": "T", "root": [{"kind": "label", "payload": {"text": "Above"}}, \#(Self.table)]}"#)
        let list = try #require(boxes.first { $0.kind == "list" })
        let row = try #require(boxes.first { $0.kind == "row" })
        #expect(list.y > 64 && row.y == list.y)
    }

    @Test func `The text below a section takes as many lines as it needs`() throws {
        let long = Array(repeating: "words and", count: 20).joined(separator: " ")
        let boxes = try Self.boxes(
            #"{"kind": "table", "children": [{"kind": "section", "payload": {"footer": "\#(long)"}, "children": [\#(Self.cell)]}]}"#
        )
        #expect(boxes.contains { $0.kind == "section-footer" && $0.height > 60 }, "\(boxes)")
    }

    @Test(arguments: [#""title": "Oslo""#, #""title": "Oslo", "subtitle": "Norway""#, #""subtitle": "Norway""#])
    func `The value of a cell lies at the trailing edge, with one text before it and with two`(texts: String) throws {
        let table =
            #"{"kind": "table", "children": [{"kind": "cell", "payload": {\#(texts), "value": "12"}}]}"#
        let bench = try DocumentBench(table)
        let printed = ViewFrames(bench.program, PrintOptions()).print(bench.view, NoAssets())
        let elements = try #require(try JSONValue(parsing: printed)["elements"]?.array)
        let frame = try #require(elements.first { $0["text"]?.string == "12" }?["frame"]?.array?.map { $0.double ?? 0 })
        #expect(frame[0] + frame[2] == 355 && frame[2] < 30, "\(frame)")
        // On pages too, a value takes no room but its own: all of it goes to the texts before it.
        #expect(try Self.selectors(table, "{flex:1 1 auto;align-self:center").isEmpty)
    }
}
