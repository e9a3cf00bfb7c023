import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetLayout

/// Goal: fields, texts and buttons have the sizes that pages give them. Method: one of each where rules give its place alone.
@Suite struct `The sizes of controls` {
    /// The frame of one element at a corner of the screen, 200 points wide.
    private static func height(
        _ kind: NodeKind, text: String = "", frame: Frame? = nil, size: Viewport.TextSize = .large,
        _ change: @escaping (inout Sketch.Parts) -> Void = { _ in }
    ) -> Double {
        var sketch = Sketch()
        let node = sketch.add(kind, text: text, frame: frame, change)
        sketch.rule(node, .leading, .equal, Sketch.root)
        sketch.rule(node, .top, .equal, Sketch.root)
        sketch.rule(node, .width, plus: 200)
        let screen = ScreenLayout(sketch.program, Viewport(textSize: size), measure: EqualWidths()).placed(sketch.view)
        return screen.frame(node)[3]
    }

    private static func rounded(_ parts: inout Sketch.Parts) {
        parts.appearance.fieldBorder = .rounded
        parts.appearance.font = FontRequest(size: 17, style: .body)
    }

    @Test func `A field has the height that its author drew, or the system's`() {
        let drawn = Frame(x: 0, y: 0, width: 100, height: 40)
        #expect(Self.height(.textField, Self.rounded) == 34)
        #expect(Self.height(.textField, frame: drawn, Self.rounded) == 40)
        #expect(Self.height(.textField) == 24)
    }

    @Test func `A frame that no author drew says nothing about the height of a field`() {
        let ordered = Frame(x: 100, y: 0, width: 100, height: 20)
        let height = Self.height(.textField, frame: ordered) { parts in
            Self.rounded(&parts)
            parts.geometry.design = nil
        }
        #expect(height == 34)
    }

    @Test func `A field is as high as a line of large text needs`() {
        let line = ResolvedFont(FontRequest(size: 17, style: .body), at: .accessibility3).height(ofLines: 1)
        #expect(line > 34)
        #expect(abs(Self.height(.textField, size: .accessibility3, Self.rounded) - line - 4) < 0.51)
    }

    @Test func `A text view that does not scroll has the height of its lines, and an empty one that of a line`() {
        func height(_ text: String, scrolls: Bool = false) -> Double {
            Self.height(.textArea, text: text) { parts in
                parts.scrolling = Scrolling()
                parts.scrolling?.isEnabled = scrolls
                parts.appearance.font = FontRequest(size: 17)
            }
        }
        #expect(height("") == 20.5 + 16)
        #expect(height("one\ntwo") == 41 + 16)
        // One that scrolls has the height that others leave.
        #expect(height("one", scrolls: true) != 20.5 + 16)
    }

    /// A row of two texts that is too narrow for both.
    private static func widths(_ first: String, _ second: String, in width: Double) -> [Double] {
        var sketch = Sketch()
        let stack = sketch.add(.box) { $0.stack = StackGeometry() }
        sketch.rule(stack, .leading, .equal, Sketch.root)
        sketch.rule(stack, .top, .equal, Sketch.root)
        sketch.rule(stack, .width, plus: width)
        let labels = [first, second].map { text in
            sketch.add(.label, in: stack, text: text) { $0.appearance.lines = 0 }
        }
        let placed = sketch.placed()
        return labels.map { placed.frame($0)[2] }
    }

    @Test func `A text in a row keeps room for its longest word, and the other one wraps`() {
        #expect(Self.widths("a few short words", "2,469.00", in: 150) == [70, 80])
        #expect(Self.widths("2,469.00", "a few short words", in: 150) == [80, 70])
    }

    @Test func `A button of a bar has the room of its symbol or of its title, and says which`() throws {
        for (item, symbol, text) in [
            (0, nil, "Done"), (1, nil, "Cancel"), (4, "plus", ""), (16, "trash", ""),
        ] as [(Int, String?, String)] {
            var appearance = Appearance()
            appearance.systemItem = item
            appearance.systemTitle = text.isEmpty ? nil : text
            let look = Look(geometry: Geometry(), appearance: appearance)
            let button = ViewNode(
                ViewKey(screen: 1, node: 1), .button,
                properties: [ViewProperty(.text, .string("")), ViewProperty(.accessibleName, .string("Finish"))])
            #expect(SystemSymbol.shown(by: button, look)?.rawValue == symbol)
            #expect(button.shownText(look) == text)
            var sizes = ContentSizes(Viewport(), EqualWidths(), pictures: [:], byteCount: 1_000)
            let size = sizes.size(of: button, look, width: .infinity, frame: nil)
            #expect(size.width == (symbol == nil ? max(Double(text.count) * 10, 30) : 24))
        }
    }

    @Test func `A button that its author named without a title shows the name`() {
        let button = ViewNode(
            ViewKey(screen: 1, node: 1), .button, properties: [ViewProperty(.accessibleName, .string("Finish"))])
        #expect(button.shownText(nil) == "Finish")
        let search = ViewNode(
            ViewKey(screen: 1, node: 1), .button, properties: [ViewProperty(.accessibleName, .string("Search"))])
        #expect(search.shownText(nil) == "" && SystemSymbol.shown(by: search, nil) == .search)
    }
}
