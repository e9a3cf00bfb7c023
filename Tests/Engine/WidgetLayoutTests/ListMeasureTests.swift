import Testing
import WidgetCore

@testable import WidgetLayout

/// Goal: plans and frames give the rows of a list the same room. Method: one list, planned and laid out.
@Suite struct `Measures of lists` {
    /// A list with one row, which has a switch of its author's at the trailing edge.
    private static func list(_ accessory: Accessory = .none) -> (Sketch, content: NodeID, accessory: NodeID) {
        var sketch = Sketch()
        let whole = Frame(x: 0, y: 0, width: 375, height: 667)
        let list = sketch.add(.list, frame: whole, springs: [.width, .height]) { $0.list = ListGeometry() }
        let frame = Frame(x: 0, y: 0, width: 375, height: 60)
        let row = sketch.add(.row, in: list, frame: frame) { $0.appearance.accessory = accessory }
        let content = sketch.add(.box, in: row, frame: frame, springs: []) { $0.geometry.role = .contentView }
        let own = sketch.add(.toggle, in: row, frame: Frame(x: 310, y: 6, width: 51, height: 31), springs: []) {
            $0.geometry.role = .accessory
        }
        sketch.rows[list] = [(row, [:])]
        return (sketch, content, own)
    }

    private static func plan(_ sketch: Sketch) throws -> LayoutPlan {
        LayoutPlan(of: try #require(sketch.program.scenes["s"]))
    }

    @Test func `A view at the end of a row takes its width and a margin from the content`() throws {
        let (sketch, content, accessory) = Self.list(.disclosure)
        let placed = sketch.placed()
        #expect(placed.frame(content) == [0, 0, 308, 60] && placed.frame(accessory) == [308, 14.5, 51, 31])
        let plan = try Self.plan(sketch)
        #expect(plan.boxes[content]?.x.anchor == .both(.zero, Affine(375 - 308)))
        #expect(plan.boxes[accessory]?.x.anchor == .end(Affine(375 - 308 - 51)))
    }

    @Test func `A hidden view at the end of a row keeps its room`() {
        var (sketch, content, accessory) = Self.list()
        sketch.hidden = [accessory]
        #expect(sketch.placed().frame(content) == [0, 0, 308, 60])
    }

    @Test(arguments: [
        (Accessory.none, 0.0), (.disclosure, 33), (.checkmark, 39), (.detail, 43), (.detailDisclosure, 67),
    ])
    func `A sign of the system takes the same room in plans and frames`(sign: Accessory, room: Double) throws {
        var (sketch, content, accessory) = Self.list(sign)
        sketch.nodes[accessory].look = Look(geometry: Geometry())
        #expect(sketch.placed().frame(content)[2] == 375 - room)
        #expect(try Self.plan(sketch).boxes[content]?.x.anchor == .both(.zero, Affine(room)))
    }

    @Test func `A title has the height of its view, of its list, or of the list's style`() {
        var list = ListGeometry()
        var drawn = Node(.row)
        drawn.frame = Frame(x: 0, y: 0, width: 375, height: 70)
        drawn.look = Look(geometry: Geometry())
        #expect(ListMeasures(list).titleHeight(drawn, isFooter: false) == 70)
        #expect(ListMeasures(list).titleHeight(nil, isFooter: false) == 28)
        list.style = .insetGrouped
        #expect(ListMeasures(list).titleHeight(nil, isFooter: true) == 54.5 && ListMeasures(list).sideMargin == 16)
        list.sectionFooterHeight = 12
        #expect(ListMeasures(list).titleHeight(nil, isFooter: true) == 12)
        list.grid = GridFlow()
        list.grid?.headerSize = Size(width: 0, height: 33)
        #expect(ListMeasures(list).titleHeight(drawn, isFooter: false) == 33)
    }

    @Test(arguments: [Double.nan, .infinity, -1, 0])
    func `A height that no row can have is that of the system`(height: Double) {
        var list = ListGeometry()
        list.rowHeight = height
        #expect(ListMeasures(list).rowHeight(nil, isRuled: true) == 44)
    }
}
