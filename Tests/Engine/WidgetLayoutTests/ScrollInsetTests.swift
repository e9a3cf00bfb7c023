import Testing
import WidgetCore

@testable import WidgetLayout

/// Goal: plans and frames begin the same content below bars. Method: screens with views that scroll, planned and laid out.
@Suite struct `Content below bars` {
    /// A view that fills what is around it.
    private static func scroll(
        _ kind: NodeKind, in parent: NodeID? = nil, of sketch: inout Sketch,
        _ change: (inout Scrolling) -> Void = { _ in }
    ) -> NodeID {
        var scrolling = Scrolling()
        change(&scrolling)
        let whole = Frame(x: 0, y: 0, width: 375, height: 667)
        return sketch.add(kind, in: parent, frame: whole, springs: [.width, .height]) { parts in
            parts.scrolling = scrolling
            if kind == .list { parts.list = ListGeometry() }
        }
    }

    /// Those of the nodes that frames inset by a bar of 44 points, and those that the plan does.
    private static func inset(_ nodes: [NodeID], _ sketch: Sketch) throws -> (frames: [NodeID], plan: [NodeID]) {
        var sketch = sketch
        sketch.navigationBar = BarGeometry()
        let first = try #require(sketch.view.root.children.last)
        var surroundings = LayoutSystem.Surroundings(width: 375, height: 667)
        surroundings.safe = AreaInsets(top: 44)
        surroundings.isScreen = true
        surroundings.adjustsInsets = sketch.edges.adjustsScrollInsets
        let scene = try #require(sketch.program.scenes["s"])
        let system = LayoutSystem(first, SceneRules(scene), surroundings, Viewport())
        let plan = LayoutPlan(of: scene)
        return (
            nodes.filter { node in system.boxes.contains { $0.node == node && $0.scrollInset.top == 44 } },
            nodes.filter { plan.covered[$0]?.contains(.top) ?? false }
        )
    }

    @Test func `Of views that need not scroll, only the first begins below a bar`() throws {
        var sketch = Sketch()
        let (one, two) = (Self.scroll(.box, of: &sketch), Self.scroll(.box, of: &sketch))
        let three = Self.scroll(.box, of: &sketch) { $0.bouncesAlways = true }
        let found = try Self.inset([one, two, three], sketch)
        #expect(found.frames == [one, three] && found.plan == [one, three])
    }

    @Test func `The second of two lists that take turns begins below a bar as well`() throws {
        var sketch = Sketch()
        let (one, two) = (Self.scroll(.list, of: &sketch), Self.scroll(.list, of: &sketch))
        sketch.hidden = [one]
        let found = try Self.inset([two], sketch)
        #expect(found.frames == [two] && found.plan == [two])
        sketch.edges.adjustsScrollInsets = false
        let left = try Self.inset([two], sketch)
        #expect(left.frames.isEmpty && left.plan.isEmpty)
    }

    @Test func `Content within a view that begins below a bar is not moved twice`() throws {
        var sketch = Sketch()
        let holder = sketch.add(
            .box, frame: Frame(x: 0, y: 0, width: 375, height: 667), springs: [.width, .height])
        let outer = Self.scroll(.box, in: holder, of: &sketch) { $0.bouncesAlways = true }
        let inner = Self.scroll(.box, in: outer, of: &sketch) { $0.bouncesAlways = true }
        let found = try Self.inset([outer, inner], sketch)
        #expect(found.frames == [outer] && found.plan == [outer])
    }

    @Test(arguments: [Scrolling.InsetAdjustment.never, .scrollableAxes, .always])
    func `A view is inset as its author says`(adjustment: Scrolling.InsetAdjustment) throws {
        var sketch = Sketch()
        let node = Self.scroll(.box, of: &sketch) { $0.adjustment = adjustment }
        let found = try Self.inset([node], sketch)
        #expect(found.frames == (adjustment == .always ? [node] : []) && found.plan == found.frames)
    }

    @Test func `A circle of parents ends the search for what scrolls`() {
        var scene = Scene("s", nodes: [Node(.box), Node(.box)])
        scene.nodes[0].children = [1, 7, -1]
        scene.nodes[1].children = [0]
        #expect(scene.firstScrolling == nil)
    }

    @Test(arguments: [Viewport.Direction.leftToRight, .rightToLeft])
    func `A large title has a row below the items, and a larger font`(direction: Viewport.Direction) throws {
        var sketch = Sketch()
        sketch.navigationBar = BarGeometry()
        sketch.navigationBar?.prefersLargeTitle = true
        let placed = sketch.placed(direction: direction, top: 20)
        let title = try #require(placed.boxes.first { $0.view.kind == .barTitle })
        // Five letters of ten points; a line of 40.57 points in the middle of 52, below 20 and 44.
        let x = direction == .rightToLeft ? 375 - 16 - 50.0 : 16
        #expect(title.frame == Frame(x: x, y: 69.5, width: 50, height: 41))
        #expect(title.font == ResolvedFont(size: 34, weight: 700))
        sketch.navigationBar?.prefersLargeTitle = false
        let small = try #require(sketch.placed(top: 20).boxes.first { $0.view.kind == .barTitle })
        #expect(small.font?.size == 17 && small.frame.y < 64)
    }
}
