import Testing
import WidgetCore
import WidgetPredicates

@testable import WidgetLayout

/// Goal: an author learns what a reader of a narrow window never sees or touches, and why. Method: a small screen for each
/// cause, and one like it without the cause.
@Suite struct `A review of what can be reached` {
    private static func findings(_ sketch: Sketch, upTo most: Int = 100) -> [Finding] {
        var sketch = sketch
        for (node, text) in sketch.texts where sketch.nodes[node].kind != .image {
            sketch.nodes[node][.text] = .literal(.string(text))
        }
        return ReachReview(sketch.program, upTo: most).findings
    }

    /// A button at a place that rules give.
    @discardableResult
    private static func button(
        _ sketch: inout Sketch, in parent: NodeID = Sketch.root, x: Double = 10, y: Double = 40, width: Double = 100,
        height: Double = 30
    ) -> NodeID {
        let button = sketch.add(.button, in: parent, text: "Save")
        place(button, in: parent, &sketch, x: x, y: y, width: width, height: height)
        return button
    }

    private static func place(
        _ node: NodeID, in parent: NodeID, _ sketch: inout Sketch, x: Double, y: Double, width: Double, height: Double
    ) {
        sketch.rule(node, .leading, .equal, parent, plus: x)
        sketch.rule(node, .top, .equal, parent, plus: y)
        sketch.rule(node, .width, plus: width)
        sketch.rule(node, .height, plus: height)
    }

    @Test(arguments: [
        (300.0, 40.0, "beyond the right edge"), (-20, 40, "beyond the left edge"), (10, 560, "below the end"),
        (10, -20, "above the top"),
    ])
    func `A control outside of the window is named with the side at which it is`(x: Double, y: Double, side: String) {
        var sketch = Sketch()
        Self.button(&sketch, x: x, y: y)
        let findings = Self.findings(sketch)
        #expect(findings.map(\.code) == [.outOfReach])
        #expect(
            findings.first?.message
                == "button n1 reaches \(side) of a window 320 points wide, and nothing around it scrolls there")
    }

    @Test func `A control within the window, and one a little over its edge, are no finding`() {
        var sketch = Sketch()
        Self.button(&sketch)
        Self.button(&sketch, x: 223, y: 100)
        #expect(Self.findings(sketch) == [])
    }

    @Test func `What scrolls brings its content into the window, but not what lies before its start`() {
        var sketch = Sketch()
        let scroll = sketch.add(.box) { $0.scrolling = Scrolling() }
        sketch.pin(scroll, to: Sketch.root)
        Self.button(&sketch, in: scroll, y: 2_000)
        #expect(Self.findings(sketch) == [])
        Self.button(&sketch, in: scroll, x: -60, y: 20)
        #expect(Self.findings(sketch).map(\.message) == ["button n3 begins before the content of box n1"])
    }

    @Test func `What a box cuts off is named with the box`() {
        var sketch = Sketch()
        let box = sketch.add(.box) { $0.appearance.clips = true }
        Self.place(box, in: Sketch.root, &sketch, x: 0, y: 0, width: 200, height: 100)
        Self.button(&sketch, in: box, y: 90)
        #expect(
            Self.findings(sketch).map(\.message) == ["button n2 reaches below the end of box n1, which cuts it off"])
    }

    @Test func `Of a text it counts what its words take`() {
        var sketch = Sketch()
        let label = sketch.add(.label, text: "Short")
        Self.place(label, in: Sketch.root, &sketch, x: 10, y: 40, width: 400, height: 20)
        #expect(Self.findings(sketch) == [])
        sketch.texts[label] = "A text that is much longer than a narrow window is wide"
        #expect(Self.findings(sketch).count == 1)
    }

    @Test func `A control under a later view is named with the view, and a label over it lets touches through`() {
        var sketch = Sketch()
        Self.button(&sketch)
        let label = sketch.add(.label, text: "Hint")
        Self.place(label, in: Sketch.root, &sketch, x: 10, y: 40, width: 100, height: 30)
        #expect(Self.findings(sketch) == [])
        let box = sketch.add(.box)
        Self.place(box, in: Sketch.root, &sketch, x: 0, y: 0, width: 300, height: 100)
        #expect(Self.findings(sketch).map(\.message) == ["button n1 lies under box n3 in a window 320 points wide"])
    }

    @Test func `A text is covered by an opaque view alone, and by none that may be hidden`() {
        for (ground, isCovered) in [
            (nil, false), (Paint.role(.fill), false), (.role(.background), true),
            (.value(RGBA(red: UInt8(1), green: 2, blue: 3)), true),
        ] as [(Paint?, Bool)] {
            var sketch = Sketch()
            let label = sketch.add(.label, text: "Covered")
            Self.place(label, in: Sketch.root, &sketch, x: 10, y: 40, width: 100, height: 20)
            let box = sketch.add(.box) { $0.appearance.background = ground }
            Self.place(box, in: Sketch.root, &sketch, x: 0, y: 0, width: 300, height: 100)
            #expect(Self.findings(sketch).count == (isCovered ? 1 : 0), "\(String(describing: ground))")
            sketch.nodes[box][.hidden] = .literal(.boolean(true))
            #expect(Self.findings(sketch) == [])
        }
    }

    @Test func `A control under a bar is named`() {
        var sketch = Sketch()
        sketch.navigationBar = BarGeometry()
        Self.button(&sketch, y: 20)
        #expect(Self.findings(sketch).map(\.message) == ["button n1 lies under a bar"])
    }

    @Test(arguments: [
        (500.0, true, true, true), (470, true, true, true), (410, true, true, false), (530, true, false, true),
        (480, true, false, false), (530, false, true, true), (480, false, true, false), (530, false, false, false),
    ])
    func `A control under tabs, and under a toolbar above them, is named`(
        y: Double, hasTabs: Bool, hasToolbar: Bool, isReported: Bool
    ) {
        var sketch = Sketch()
        sketch.edges.extendsUnderBottomBar = true
        if hasTabs { sketch.tabBar = BarGeometry() }
        if hasToolbar { sketch.toolbar = BarGeometry() }
        Self.button(&sketch, y: y)
        #expect(Self.findings(sketch).map(\.message) == (isReported ? ["button n1 lies under a bar"] : []))
    }

    @Test func `Only a screen of a stack is without the tabs that it hides`() {
        var sketch = Sketch()
        (sketch.tabBar, sketch.edges.hidesBottomBar) = (BarGeometry(), true)
        Self.button(&sketch, y: 530)
        #expect(Self.findings(sketch).count == 1)
        sketch.navigationBar = BarGeometry()
        #expect(Self.findings(sketch) == [])
    }

    @Test(arguments: [(18.0, 44.0, true), (44, 18, true), (24, 24, false)])
    func `A control that is too small to be touched is named with its size`(
        width: Double, height: Double, isReported: Bool
    ) {
        var sketch = Sketch()
        Self.button(&sketch, width: width, height: height)
        let sizes = "\(Int(width)) × \(Int(height))"
        #expect(
            Self.findings(sketch).map(\.message)
                == (isReported ? ["button n1 is \(sizes) points in a window 320 points wide"] : []))
    }

    @Test func `A control whose title is known only later has no size yet`() {
        var sketch = Sketch()
        let button = sketch.add(.button)
        sketch.rule(button, .leading, .equal, Sketch.root, plus: 10)
        sketch.rule(button, .top, .equal, Sketch.root, plus: 40)
        sketch.nodes[button][.text] = .literal(.string(""))
        #expect(Self.findings(sketch).count == 1)
        sketch.nodes[button][.text] = Expression(.scope, [.named("title")])
        #expect(Self.findings(sketch) == [])
    }

    @Test func `A text without room is named`() {
        var sketch = Sketch()
        let label = sketch.add(.label, text: "Lost")
        Self.place(label, in: Sketch.root, &sketch, x: 10, y: 40, width: 0, height: 20)
        #expect(Self.findings(sketch).map(\.message) == ["label n1 has no room in a window 320 points wide"])
    }

    @Test func `Findings end at the number that was asked for`() {
        var sketch = Sketch()
        for _ in 0..<5 { Self.button(&sketch, x: 400) }
        #expect(Self.findings(sketch).count == 5)
        #expect(Self.findings(sketch, upTo: 2).count == 2)
    }

    @Test func `The work of a review is bounded, however many boxes lie over each other`() {
        var sketch = Sketch()
        for _ in 0..<20 { Self.button(&sketch) }
        #expect(Self.findings(sketch).count == 19)
        sketch.nodes.indices.dropFirst().forEach { sketch.nodes[$0][.text] = .literal(.string("Save")) }
        let some = ReachReview(sketch.program, upTo: 100, comparisonCount: 30).findings
        #expect(!some.isEmpty && some.count < 5)
    }
}
