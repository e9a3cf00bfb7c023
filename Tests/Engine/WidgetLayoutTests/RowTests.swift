import Testing
import WidgetCore

@testable import WidgetLayout

/// Goal: rows share their room as pages do, which cannot see how wide a text is. Method: rows of texts of ten points for each letter,
/// with what lies beside them.
@Suite struct `The room of rows` {
    /// A stack at the top left of the screen, of a width.
    private static func row(_ sketch: inout Sketch, _ width: Double) -> NodeID {
        let row = sketch.add(.box) { $0.stack = StackGeometry() }
        sketch.rule(row, .leading, .equal, Sketch.root)
        sketch.rule(row, .top, .equal, Sketch.root)
        sketch.rule(row, .width, plus: width)
        return row
    }

    private static func across(_ sketch: Sketch, _ nodes: [NodeID]) -> [[Double]] {
        let placed = sketch.placed()
        return nodes.map { [placed.frame($0)[0], placed.frame($0)[2]] }
    }

    @Test(arguments: [true, false])
    func `A stack that shows nothing hugs what it could show`(isFirst: Bool) {
        var sketch = Sketch()
        let row = Self.row(&sketch, 200)
        var nodes: [NodeID] = []
        for isStack in [isFirst, !isFirst] {
            if isStack {
                let stack = sketch.add(.box, in: row) { $0.stack = StackGeometry() }
                sketch.hidden.insert(sketch.add(.label, in: stack, text: "12"))
                nodes.append(stack)
            } else {
                nodes.append(sketch.add(.label, in: row, text: "123"))
            }
        }
        // The first of two that hug alike fills the row.
        #expect(Self.across(sketch, nodes) == (isFirst ? [[0, 170], [170, 30]] : [[0, 200], [200, 0]]))
    }

    @Test func `A text of several lines makes a row with a lower picture higher, and nothing else does`() {
        var sketch = Sketch()
        let row = Self.row(&sketch, 180)
        let text = sketch.add(.label, in: row, text: "12345 12345 12345") { $0.appearance.lines = 0 }
        let picture = sketch.add(.image, in: row)
        for side in [LayoutRule.Attribute.width, .height] { sketch.rule(picture, side, plus: 24) }
        let toggle = sketch.add(.toggle, in: row)
        let slider = sketch.add(.slider, in: row)
        sketch.rule(slider, .width, plus: 40)
        func heights() -> [Double] {
            let placed = sketch.placed()
            return ([row, text, picture, toggle, slider]).map { placed.frame($0)[3] }
        }
        #expect(heights() == [61, 61, 24, 31, 31])
        // A text that is lower is stretched with the row.
        sketch.texts[text] = "12345"
        #expect(heights() == [31, 31, 24, 31, 31])
    }

    /// Two texts beside each other in a view of 200 points, of which the second one resists more; their places and widths.
    private static func pair(_ texts: [String], lines: Int = 0) -> [[Double]] {
        var sketch = Sketch()
        let around = sketch.add(.box)
        sketch.rule(around, .leading, .equal, Sketch.root)
        sketch.rule(around, .top, .equal, Sketch.root)
        sketch.rule(around, .width, plus: 200)
        let labels = zip(texts, [(Float(749), 0), (Float(751), lines)]).map { text, more in
            let (resistance, lines) = more
            return sketch.add(.label, in: around, text: text) {
                $0.appearance.lines = lines
                $0.geometry.resistance.horizontal = resistance
                $0.geometry.hugging.horizontal = resistance - 500
            }
        }
        sketch.rule(labels[0], .leading, .equal, around, plus: 10)
        sketch.rule(labels[1], .leading, .equal, labels[0], .trailing, plus: 10)
        sketch.rule(around, .trailing, .equal, labels[1], plus: 10)
        for label in labels { sketch.rule(label, .top, .equal, around) }
        return across(sketch, labels)
    }

    @Test func `A text in a row of rules keeps its words before a stronger one has its line`() {
        #expect(Self.pair(["12345 1", "1234567 123"]) == [[10, 60], [80, 110]])
        #expect(Self.pair(["12345 1", "1234567 12345"]) == [[10, 50], [70, 120]])
        // The room is too short for both words.
        #expect(Self.pair(["1234567890", "123456789012"]) == [[10, 85], [105, 85]])
        #expect(Self.pair(["1234", "12345678901234567"]) == [[10, 40], [60, 130]])
        // A line that is cut off keeps its beginning.
        #expect(Self.pair(["12345 1", "12345678901234567"], lines: 1) == [[10, 50], [70, 120]])
    }

    @Test func `A spinner keeps its width beside a word that is too long`() {
        var sketch = Sketch()
        let row = Self.row(&sketch, 100)
        let text = sketch.add(.label, in: row, text: "1234567890") { $0.appearance.lines = 0 }
        let spinner = sketch.add(.activity, in: row)
        #expect(Self.across(sketch, [text, spinner]) == [[0, 80], [80, 20]])
    }
}
