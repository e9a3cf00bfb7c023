import Testing
import WidgetCore
import WidgetLayout
import WidgetRender

@testable import WidgetDocuments

/// Goal: elements that a stack repeats have frames as those have that it is written with. Method: the frames of a stack
/// of labels, repeated and written out.
@Suite struct `Frames of repeated elements` {
    private static func frames(_ children: String, items: String = "") throws -> [Frame] {
        let document =
            "{\"schema\": 1, \"state\": {\"list\": [1, 2, 3]}, \"root\": [{\"kind\": \"vstack\"\(items), \"children\": [\(children)]}]}"
        let bench = try DocumentBench(document)
        #expect(bench.messages.isEmpty, "\(bench.messages)")
        let layout = ScreenLayout(bench.program, Viewport(), measure: TextMetrics())
        let placed = layout.placed(bench.view)
        return placed.boxes.filter { $0.view.kind == .label || $0.view.kind == .native }.map(\.frame)
    }

    private static let label = #"{"kind": "label", "payload": {"text": "one"}}"#

    @Test func `A stack places the elements that it repeats below each other`() throws {
        let written = try Self.frames([Self.label, Self.label, Self.label].joined(separator: ", "))
        let repeated = try Self.frames(Self.label, items: #", "items": {"in": "$list", "as": "n"}"#)
        #expect(repeated.count == 3 && repeated == written, "\(repeated)")
        #expect(repeated[0].height > 10 && repeated[1].y > repeated[0].y && repeated[2].y > repeated[1].y)
    }
}
