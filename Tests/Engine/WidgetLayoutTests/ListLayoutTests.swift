import Testing
import WidgetCore

@testable import WidgetLayout

/// Goal: tables and grids lay out their rows as UIKit does (L23 to L26 of the layout rules). Method: lists made by hand.
@Suite struct `Lists and grids` {
    /// A table that fills the screen, with a prototype whose text decides its height.
    private static func table(
        _ texts: [String], isRuled: Bool = true, change: (inout Sketch.Parts) -> Void = { _ in }
    ) -> (Sketch, list: NodeID, row: NodeID, label: NodeID) {
        var sketch = Sketch()
        let whole = Frame(x: 0, y: 0, width: 375, height: 667)
        let list = sketch.add(.list, frame: whole, springs: [.width, .height]) { parts in
            parts.list = ListGeometry()
            parts.scrolling = Scrolling()
            change(&parts)
        }
        let row = sketch.add(.row, in: list, frame: Frame(x: 0, y: 0, width: 375, height: 60))
        let content = sketch.add(.box, in: row, frame: Frame(x: 0, y: 0, width: 375, height: 60), springs: []) {
            $0.geometry.role = .contentView
        }
        let label = sketch.add(
            .label, in: content, frame: Frame(x: 10, y: 5, width: 355, height: 50),
            springs: isRuled ? nil : [.width, .height]
        ) { $0.appearance.lines = 0 }
        if isRuled { sketch.pin(label, to: content, by: 10) }
        sketch.rows[list] = texts.map { (row, [label: $0]) }
        return (sketch, list, row, label)
    }

    private static func rows(_ placed: PlacedScreen, _ kind: NodeKind = .row) -> [[Double]] {
        placed.boxes.filter { $0.view.kind == kind }.map {
            [$0.frame.x, $0.frame.y, $0.frame.width, $0.frame.height]
        }
    }

    @Test func `Rows are as high as their text, and at least as high as their list says`() {
        let long = String(repeating: "word ", count: 12)
        let (sketch, list, _, _) = Self.table(["a", long, "b"])
        // Two lines of 355 points hold 35 letters each: 59 letters take two lines.
        let placed = sketch.placed(375, 667)
        #expect(Self.rows(placed) == [[0, 0, 375, 44], [0, 44, 375, 61], [0, 105, 375, 44]])
        #expect(placed.contents[placed.places[ViewKey(screen: 1, node: list)] ?? 0]?.height == 149)
        let wide = sketch.placed(700, 667)
        #expect(Self.rows(wide).map { $0[3] } == [44, 44, 44])
    }

    @Test func `Rows that masks lay out have the height of their list or of their prototype`() {
        let (drawn, _, _, label) = Self.table(["a", "b"], isRuled: false)
        #expect(Self.rows(drawn.placed()).map { $0[3] } == [60, 60])
        let (fixed, _, _, _) = Self.table(["a", "b"], isRuled: false) { $0.list?.rowHeight = 80 }
        let placed = fixed.placed(414, 600)
        #expect(Self.rows(placed) == [[0, 0, 414, 80], [0, 80, 414, 80]])
        #expect(placed.frame(label) == [10, 5, 394, 70])
    }

    @Test func `An accessory takes room from the content at the trailing edge`() {
        let (base, _, row, label) = Self.table(["a"])
        var sketch = base
        var appearance = Appearance()
        appearance.accessory = .disclosure
        sketch.nodes[row].look = Look(geometry: Geometry(), appearance: appearance)
        #expect(sketch.placed().frame(label) == [10, 10, 322, 24])
        #expect(sketch.placed(375, 667, direction: .rightToLeft).frame(label)[0] == 43)
    }

    @Test func `Headers, footers and titles of sections lie between the rows`() {
        let (base, list, _, _) = Self.table(["a", "b"])
        var sketch = base
        let header = sketch.add(
            .box, in: list, frame: Frame(x: 0, y: 0, width: 375, height: 100), springs: [.width]
        ) { $0.geometry.role = .header }
        sketch.add(.sectionFooter, in: list, frame: Frame(x: 0, y: 500, width: 375, height: 30), springs: [.width]) {
            $0.geometry.role = .footer
        }
        let placed = sketch.placed(320, 500)
        #expect(placed.frame(header) == [0, 0, 320, 100])
        #expect(Self.rows(placed) == [[0, 100, 320, 44], [0, 144, 320, 44]])
        #expect(Self.rows(placed, .sectionFooter) == [[0, 188, 320, 30]])
    }

    @Test func `The first list begins below a translucent bar`() {
        var (sketch, _, _, _) = Self.table(["a"])
        sketch.navigationBar = BarGeometry()
        #expect(Self.rows(sketch.placed(375, 667, top: 20))[0][1] == 64)
        sketch.edges.adjustsScrollInsets = false
        #expect(Self.rows(sketch.placed(375, 667, top: 20))[0][1] == 0)
        var (bouncing, _, _, _) = Self.table(["a"]) { $0.scrolling?.bouncesAlways = true }
        bouncing.navigationBar = BarGeometry()
        bouncing.edges.adjustsScrollInsets = false
        #expect(Self.rows(bouncing.placed(375, 667, top: 20))[0][1] == 64)
        var (never, _, _, _) = Self.table(["a"]) { $0.scrolling?.adjustment = .never }
        never.navigationBar = BarGeometry()
        #expect(Self.rows(never.placed(375, 667, top: 20))[0][1] == 0)
    }

    @Test func `A list that begins below the status bar is not inset by it again`() {
        for (y, top) in [(0.0, 20.0), (8, 20), (20, 20), (30, 30)] {
            var (sketch, list, _, _) = Self.table(["a"])
            sketch.nodes[list].frame = Frame(x: 0, y: y, width: 375, height: 400)
            #expect(Self.rows(sketch.placed(375, 667, top: 20))[0][1] == top, "\(y)")
        }
    }

    @Test func `The background of chosen rows is in the chosen one alone, even inside its content`() {
        let (base, _, row, label) = Self.table(["a", "b"], isRuled: false)
        for parent in [row, base.nodes[label].parent] {
            var sketch = base
            let ground = sketch.add(
                .box, in: parent, frame: Frame(x: 0, y: 0, width: 375, height: 60), springs: [.width, .height]
            ) { $0.geometry.role = .selectedBackground }
            sketch.chosen = [1]
            let grounds = sketch.placed().boxes.filter { $0.key.node == ground }
            #expect(grounds.map(\.frame.y) == [60] && grounds.map(\.frame.height) == [60])
        }
    }

    @Test func `Rows above and below a section have the heights that their list has for them`() throws {
        for (height, expected) in [(28.0 as Double?, 28.0), (nil, 60)] {
            var (sketch, list, row, _) = Self.table(["a"], isRuled: false) { parts in
                parts.list?.sectionHeaderHeight = height
                parts.list?.sectionFooterHeight = height.map { $0 + 10 }
            }
            let header = sketch.add(.row, in: list, frame: Frame(x: 0, y: 0, width: 375, height: 60))
            let footer = sketch.add(.row, in: list, frame: Frame(x: 0, y: 0, width: 375, height: 60))
            var template = ListTemplate()
            (template.header, template.footer) = (header, footer)
            sketch.nodes[list].list = template
            sketch.rows[list] = [(header, [:]), (row, [:]), (footer, [:])]
            #expect(Self.rows(sketch.placed()).map { $0[3] } == [expected, 60, height == nil ? 60 : 38])
        }
    }

    @Test func `Grids put as many items in a line as fit, and share the rest of it`() {
        var (sketch, list, row, _) = Self.table((0..<5).map { "\($0)" }, isRuled: false) { parts in
            var flow = GridFlow()
            flow.itemSize = Size(width: 100, height: 50)
            flow.sectionInset = Insets(top: 5, leading: 10, bottom: 5, trailing: 10)
            parts.list?.grid = flow
        }
        sketch.nodes[list].kind = .grid
        let frames = Self.rows(sketch.placed(350, 600))
        #expect(frames.map { $0[0] } == [10, 125, 240, 10, 125] && frames.map { $0[1] } == [5, 5, 5, 65, 65])
        #expect(frames.allSatisfy { $0[2] == 100 && $0[3] == 50 })
        let mirrored = Self.rows(sketch.placed(350, 600, direction: .rightToLeft))
        #expect(mirrored.map { $0[0] } == [240, 125, 10, 240, 125])
        #expect(sketch.nodes[row].kind == .row)
    }

    @Test func `Grids that scroll sideways fill columns`() {
        var (sketch, list, _, _) = Self.table((0..<3).map { "\($0)" }, isRuled: false) { parts in
            var flow = GridFlow()
            flow.itemSize = Size(width: 300, height: 400)
            flow.axis = .horizontal
            flow.lineSpacing = 0
            parts.list?.grid = flow
        }
        sketch.nodes[list].kind = .grid
        #expect(Self.rows(sketch.placed(300, 600)).map { $0[0] } == [0, 300, 600])
    }

    @Test func `Equal rows share one layout, and many rows end in time`() {
        let texts = (0..<10_000).map { "row \($0 % 7)" }
        let (sketch, _, _, _) = Self.table(texts)
        var budget = LayoutBudget()
        budget.termCount = 60_000
        let placed = sketch.placed(budget: budget)
        #expect(Self.rows(placed).count == 10_000 && placed.findings.isEmpty)
    }

    @Test func `Rows beyond the budget are as they were drawn, and a finding says so`() {
        let (sketch, _, _, _) = Self.table((0..<2_000).map { "row \($0)" })
        var budget = LayoutBudget()
        budget.termCount = 500
        let placed = sketch.placed(budget: budget)
        #expect(placed.codes == [.layoutBudget] && Self.rows(placed).count == 2_000, "\(placed.findings)")
        var short = LayoutBudget()
        short.textByteCount = 100
        #expect(sketch.placed(budget: short).codes == [.layoutBudget])
    }
}
