import Testing
import WidgetCore

@testable import WidgetLayout

/// Goal: stack views arrange as UIKit's do (L27 of the layout rules). Method: each distribution with each alignment, three
/// texts of 30, 50 and 20 points in a room of 300 × 100.
@Suite struct `Stack views` {
    private static func sketch(
        _ distribution: StackGeometry.Distribution, _ alignment: StackGeometry.Alignment, axis: Axis = .horizontal,
        isFree: Bool = false
    ) -> (Sketch, stack: NodeID, labels: [NodeID]) {
        var sketch = Sketch()
        let stack = sketch.add(.box) { parts in
            var geometry = StackGeometry()
            geometry.distribution = distribution
            geometry.alignment = alignment
            geometry.axis = axis
            geometry.spacing = 10
            parts.stack = geometry
        }
        sketch.rule(stack, .leading, .equal, Sketch.root)
        sketch.rule(stack, .top, .equal, Sketch.root)
        if !isFree {
            sketch.rule(stack, .width, plus: 300)
            sketch.rule(stack, .height, plus: axis == .horizontal ? 100 : 300)
        }
        let labels = ["aaa", "bbbbb", "cc"].map { sketch.add(.label, in: stack, text: $0) }
        return (sketch, stack, labels)
    }

    /// Starts and widths along the axis.
    private static func along(_ distribution: StackGeometry.Distribution) -> [(Double, Double)] {
        switch distribution {
        case .fill: [(0, 210), (220, 50), (280, 20)]
        case .fillEqually: [(0, 93.333), (103.333, 93.333), (206.667, 93.333)]
        case .fillProportionally: [(0, 84), (94, 140), (244, 56)]
        case .equalSpacing: [(0, 30), (130, 50), (280, 20)]
        case .equalCentering: [(0, 30), (127.5, 50), (280, 20)]
        }
    }

    private static let distributions: [StackGeometry.Distribution] = [
        .fill, .fillEqually, .fillProportionally, .equalSpacing, .equalCentering,
    ]

    private static let alignments: [StackGeometry.Alignment] = [
        .fill, .leading, .center, .trailing, .firstBaseline, .lastBaseline,
    ]

    @Test(arguments: distributions, alignments)
    func `A row distributes its children along and aligns them across`(
        distribution: StackGeometry.Distribution, alignment: StackGeometry.Alignment
    ) {
        let (sketch, _, labels) = Self.sketch(distribution, alignment)
        let placed = sketch.placed()
        for (label, wanted) in zip(labels, Self.along(distribution)) {
            let frame = placed.frame(label)
            #expect(abs(frame[0] - wanted.0) < 0.01 && abs(frame[2] - wanted.1) < 0.01, "\(frame)")
            switch alignment {
            case .fill: #expect(frame[1] == 0 && frame[3] == 100)
            case .leading: #expect(frame[1] == 0 && frame[3] == 20.5)
            case .center: #expect(frame[1] == 39.75 && frame[3] == 20.5)
            case .trailing: #expect(frame[1] == 79.5 && frame[3] == 20.5)
            case .firstBaseline, .lastBaseline:
                #expect(frame[1] == (alignment == .firstBaseline ? 0 : 79.5) && frame[3] == 20.5)
            }
        }
        #expect(!placed.codes.contains(.layoutConflict))
    }

    @Test(arguments: distributions, [StackGeometry.Alignment.leading, .trailing])
    func `A column aligns its children at either side`(
        distribution: StackGeometry.Distribution, alignment: StackGeometry.Alignment
    ) {
        let (sketch, _, labels) = Self.sketch(distribution, alignment, axis: .vertical)
        let placed = sketch.placed()
        let widths = [30.0, 50, 20]
        for (label, width) in zip(labels, widths) {
            let frame = placed.frame(label)
            #expect(frame[2] == width && frame[0] == (alignment == .leading ? 0 : 300 - width))
        }
        let (first, last) = (placed.frame(labels[0]), placed.frame(labels[2]))
        #expect(first[1] == 0 && abs(last[1] + last[3] - 300) < 0.01)
        let mirrored = sketch.placed(375, 667, direction: .rightToLeft).frame(labels[0])
        #expect(mirrored[0] == (alignment == .leading ? 375 - 30 : 75))
    }

    @Test func `A stack without a size is as large as its children`() {
        for (axis, size) in [(Axis.horizontal, [120.0, 20.5]), (.vertical, [50, 81.5])] {
            let (sketch, stack, _) = Self.sketch(.fill, .center, axis: axis, isFree: true)
            let placed = sketch.placed()
            #expect(Array(placed.frame(stack).dropFirst(2)) == size && placed.findings.isEmpty, "\(placed.findings)")
        }
    }

    @Test func `Hidden children leave no gap`() {
        var (sketch, stack, labels) = Self.sketch(.fill, .fill, isFree: true)
        sketch.hidden = [labels[1]]
        #expect(sketch.placed().frame(stack)[2] == 60)
        sketch.hidden = Set(labels)
        #expect(sketch.placed().frame(stack)[2] == 0)
    }

    @Test func `The child that hugs least fills the stack`() {
        var (sketch, stack, labels) = Self.sketch(.fill, .fill)
        let box = sketch.add(.label, in: stack, text: "d") { $0.geometry.hugging.horizontal = 249 }
        let placed = sketch.placed()
        #expect(placed.frame(box)[2] == 170 && placed.frame(labels[0])[2] == 30)
        sketch.nodes[stack].children.removeLast()
        labels.removeLast()
    }

    @Test func `A stack in a stack fits its children`() {
        var (sketch, stack, _) = Self.sketch(.fill, .leading, axis: .vertical, isFree: true)
        let inner = sketch.add(.box, in: stack) { $0.stack = StackGeometry() }
        sketch.add(.label, in: inner, text: "1234567")
        sketch.add(.label, in: inner, text: "123")
        let placed = sketch.placed()
        #expect(placed.frame(inner) == [0, 91.5, 100, 20.5] && placed.frame(stack)[2] == 100)
    }

    @Test func `A row runs from right to left where text does`() {
        let (sketch, _, labels) = Self.sketch(.equalSpacing, .leading)
        let placed = sketch.placed(375, 667, direction: .rightToLeft)
        #expect(placed.frame(labels[0])[0] == 345 && placed.frame(labels[2])[0] == 75)
    }

    // MARK: - Rooms that do not fit

    private static func places(_ sketch: Sketch, _ children: [NodeID]) -> [[Double]] {
        let placed = sketch.placed()
        return children.map { [placed.frame($0)[0], placed.frame($0)[2]] }
    }

    /// A row of 100 points with the labels, whose characters are 10 wide.
    private static func short(_ texts: [(String, lines: Int)]) -> [[Double]] {
        var sketch = Sketch()
        let row = sketch.add(.box) { $0.stack = StackGeometry() }
        sketch.rule(row, .leading, .equal, Sketch.root)
        sketch.rule(row, .top, .equal, Sketch.root)
        sketch.rule(row, .width, plus: 100)
        let labels = texts.map { text, lines in
            sketch.add(.label, in: row, text: text) { $0.appearance.lines = lines }
        }
        return places(sketch, labels)
    }

    @Test func `Children whose lengths are decided leave room behind them`() {
        var (sketch, stack, labels) = Self.sketch(.fill, .leading)
        sketch.hidden = Set(labels)
        let picture = sketch.add(.image, in: stack)
        sketch.rule(picture, .width, plus: 24)
        let stepper = sketch.add(.stepper, in: stack)
        #expect(Self.places(sketch, [picture, stepper]) == [[0, 24], [34, 94]])
        let other = sketch.add(.image, in: stack)
        sketch.rule(other, .width, plus: 40)
        sketch.hidden.insert(stepper)
        #expect(Self.places(sketch, [picture, other]) == [[0, 24], [34, 40]])
        // Room between children stays between them.
        sketch.replaceStack(stack) { $0.distribution = .equalSpacing }
        #expect(Self.places(sketch, [picture, other]) == [[0, 24], [260, 40]])
    }

    @Test(arguments: [0, 1, 2])
    func `Of children that are equally long one keeps the length of its author's`(fixed: Int) {
        var (sketch, _, labels) = Self.sketch(.fillEqually, .leading)
        sketch.rule(labels[fixed], .width, plus: 40)
        let widths = Self.places(sketch, labels).map { $0[1] }
        #expect(widths == labels.indices.map { $0 == fixed ? 40 : 120 })
        #expect(!sketch.placed().codes.contains(.layoutConflict))
    }

    @Test func `A control keeps its size in a stack of equal children that cannot be stretched`() {
        var (sketch, stack, labels) = Self.sketch(.fillEqually, .leading)
        sketch.hidden = Set(labels)
        let picture = sketch.add(.image, in: stack)
        sketch.rule(picture, .width, plus: 24)
        let control = sketch.add(.toggle, in: stack)
        #expect(Self.places(sketch, [picture, control]) == [[0, 24], [34, 51]])
    }

    @Test(arguments: [Axis.horizontal, .vertical])
    func `A control of one size begins where its equal room does, and what follows where that ends`(axis: Axis) {
        var (sketch, stack, labels) = Self.sketch(.fillEqually, .leading, axis: axis, isFree: axis == .vertical)
        let control = sketch.add(.toggle, in: stack)
        func along() -> [[Double]] {
            let placed = sketch.placed()
            return ([control] + labels).map {
                axis == .horizontal
                    ? [placed.frame($0)[0], placed.frame($0)[2]]
                    : [placed.frame($0)[1], placed.frame($0)[3]]
            }
        }
        // At the end, and between others.
        #expect(along()[0] == (axis == .horizontal ? [232.5, 51] : [123, 31]))
        sketch.nodes[stack].children = [labels[0], control, labels[1], labels[2]]
        let wanted: [[Double]] =
            axis == .horizontal
            ? [[77.5, 51], [0, 67.5], [155, 67.5], [232.5, 67.5]] : [[41, 31], [0, 31], [82, 31], [123, 31]]
        #expect(along() == wanted)
        #expect(!sketch.placed().codes.contains(.layoutConflict))
    }

    @Test func `A row is as high as the higher of two children with heights of their author's`() {
        for heights in [[24.0, 40], [40, 24]] {
            var (sketch, stack, labels) = Self.sketch(.fill, .fill, isFree: true)
            for height in heights { sketch.rule(sketch.add(.image, in: stack), .height, plus: height) }
            let placed = sketch.placed()
            #expect(placed.frame(stack)[3] == 40 && placed.frame(labels[0])[3] == 40)
            #expect([4, 5].map { placed.frame(labels[0] + $0 - 1)[3] } == heights)
            sketch.hidden = Set(labels)
            sketch.add(.toggle, in: stack)
            labels = []
            #expect(sketch.placed().frame(stack)[3] == 40)
        }
    }

    @Test func `The text of a field or button is in its middle, and a label beside it on its line`() {
        for kind in [NodeKind.textField, .button] {
            var (sketch, stack, labels) = Self.sketch(.fill, .firstBaseline)
            sketch.hidden = Set(labels.dropFirst())
            let control = sketch.add(kind, in: stack, text: "abc", frame: Frame(x: 0, y: 0, width: 60, height: 50)) {
                $0.appearance.font = FontRequest(size: 17)
            }
            let placed = sketch.placed()
            let (label, other) = (placed.frame(labels[0]), placed.frame(control))
            // Texts of one size have one middle.
            #expect(
                abs(label[1] + label[3] / 2 - other[1] - other[3] / 2) < 0.3 && other[3] > label[3], "\(label) \(other)"
            )
        }
    }

    @Test func `The first of texts that are too long gives way, up to its beginning`() {
        #expect(Self.short([("123456", 1), ("12345", 1)]) == [[0, 50], [50, 50]])
        #expect(Self.short([("123456789012", 1), ("123456789", 1)]) == [[0, 34], [34, 66]])
        #expect(Self.short([("123", 1), ("12345", 1), ("123456", 1)]) == [[0, 30], [30, 34], [64, 36]])
    }

    @Test func `A text that may have a second line gives way before one of one line, up to its longest word`() {
        #expect(Self.short([("12345", 1), ("12 12 12 12", 0)]) == [[0, 50], [50, 50]])
        #expect(Self.short([("123456789", 1), ("12345 12", 0)]) == [[0, 50], [50, 50]])
        #expect(Self.short([("12 12 12 12", 0), ("12 12 12", 0)]) == [[0, 20], [20, 80]])
    }

    @Test func `Each part of a row that is too short for its words keeps an equal share, or its words`() {
        #expect(
            Self.short([("1234567", 0), ("12345", 0), ("12", 0)]) == [[0, 33.333], [33.333, 46.667], [80, 20]])
        // A line that is cut off keeps its beginning.
        #expect(Self.short([("12345678", 0), ("123456", 0), ("123456", 1)]) == [[0, 33], [33, 33], [66, 34]])
        // Words come before the line of a stronger text, and that comes before the line of a weaker one.
        #expect(Self.short([("12 12", 0), ("1234567", 0), ("1 1", 0)]) == [[0, 20], [20, 70], [90, 10]])
        #expect(Self.short([("12 12 12", 0), ("1234", 0), ("1 1", 0)]) == [[0, 30], [30, 40], [70, 30]])
    }

    @Test
    func `A button in a row that is too short keeps what lies around its title, and the least that can be touched`() {
        var sketch = Sketch()
        let row = sketch.add(.box) { $0.stack = StackGeometry() }
        sketch.rule(row, .leading, .equal, Sketch.root)
        sketch.rule(row, .top, .equal, Sketch.root)
        sketch.rule(row, .width, plus: 130)
        let small = sketch.add(.button, in: row, text: "1")
        let framed = sketch.add(.button, in: row, text: "12 12") {
            $0.appearance.contentInsets = Insets(top: 0, leading: 5, bottom: 0, trailing: 15)
        }
        let text = sketch.add(.label, in: row, text: "123456 123456") { $0.appearance.lines = 0 }
        #expect(Self.places(sketch, [small, framed, text]) == [[0, 30], [30, 40], [70, 60]])
    }

    @Test func `A text beside a switch in a stack of a row that is too short keeps what the switch leaves`() {
        var sketch = Sketch()
        let row = sketch.add(.box) { $0.stack = StackGeometry() }
        sketch.rule(row, .leading, .equal, Sketch.root)
        sketch.rule(row, .top, .equal, Sketch.root)
        sketch.rule(row, .width, plus: 240)
        let stacks = (0..<2).map { _ in sketch.add(.box, in: row) { $0.stack = StackGeometry() } }
        let inner = stacks.map { stack in
            let label = sketch.add(.label, in: stack, text: "1234")
            sketch.add(.toggle, in: stack)
            return label
        }
        let text = sketch.add(.label, in: row, text: "123456789") { $0.appearance.lines = 0 }
        #expect(Self.places(sketch, stacks + [text]) == [[0, 80], [80, 80], [160, 80]])
        #expect(Self.places(sketch, inner) == [[0, 29], [80, 29]])
    }

    @Test func `What a row holds for each item of a list shares the room that is left`() {
        var sketch = Sketch()
        let row = sketch.add(.box) { $0.stack = StackGeometry() }
        sketch.rule(row, .leading, .equal, Sketch.root)
        sketch.rule(row, .top, .equal, Sketch.root)
        sketch.rule(row, .width, plus: 200)
        let column = sketch.add(.box, in: row) { $0.stack = StackGeometry.along(.vertical) }
        let label = sketch.add(.label, in: column)
        sketch.rows[row] = ["12", "1234"].map { (column, [label: $0]) }
        let widths = sketch.placed().boxes.filter { $0.key.node == column }.map { $0.frame.width }
        #expect(widths == [90, 110])
    }

    @Test func `What lies in a stack gives way before the text beside it`() {
        var sketch = Sketch()
        let row = sketch.add(.box) { $0.stack = StackGeometry() }
        sketch.rule(row, .leading, .equal, Sketch.root)
        sketch.rule(row, .top, .equal, Sketch.root)
        sketch.rule(row, .width, plus: 100)
        let text = sketch.add(.label, in: row, text: "12345")
        let column = sketch.add(.box, in: row) { $0.stack = StackGeometry.along(.vertical) }
        let inner = sketch.add(.label, in: column, text: "12345 789") { $0.appearance.lines = 0 }
        #expect(Self.places(sketch, [text, inner]) == [[0, 50], [50, 50]])
        // A line in it is kept as a word is.
        let other = sketch.add(.label, in: column, text: "123456")
        #expect(Self.places(sketch, [text, other]) == [[0, 40], [40, 60]])
    }

    @Test func `A stack stretches one child before it cuts off another`() {
        var sketch = Sketch()
        let row = sketch.add(.box) { $0.stack = StackGeometry() }
        sketch.rule(row, .leading, .equal, Sketch.root)
        sketch.rule(row, .top, .equal, Sketch.root)
        let spinner = sketch.add(.activity, in: row) { $0.geometry.hugging.vertical = 750 }
        let slider = sketch.add(.slider, in: row)
        sketch.rule(slider, .width, plus: 100)
        let placed = sketch.placed()
        #expect(placed.frame(spinner)[3] == 31 && placed.frame(slider)[3] == 31)
    }

    /// A column over the whole screen with a column in it, whose only child is 270 points wide.
    private static func nested(_ rule: LayoutRule.Relation, _ width: Double) -> PlacedScreen {
        var sketch = Sketch()
        let outer = sketch.add(.box) { $0.stack = StackGeometry.along(.vertical) }
        sketch.pin(outer, to: Sketch.root)
        let inner = sketch.add(.box, in: outer) { $0.stack = StackGeometry.along(.vertical) }
        sketch.rule(inner, .width, rule, plus: width)
        let child = sketch.add(.box, in: inner)
        sketch.rule(child, .width, plus: 270)
        return sketch.placed()
    }

    @Test(arguments: [
        (LayoutRule.Relation.greaterOrEqual, 60.0, 375.0), (.lessOrEqual, 300, 300), (.equal, 280, 280),
    ])
    func `A length of a child comes before the room of a column, which others fill`(
        relation: LayoutRule.Relation, width: Double, wanted: Double
    ) {
        let placed = Self.nested(relation, width)
        #expect(placed.frame(2)[2] == wanted && placed.frame(3)[2] == 270 && placed.frame(3)[0] == 0)
        #expect(placed.codes == [])
    }

    @Test func `A row whose children may only be so long leaves room behind them`() {
        var sketch = Sketch()
        let row = sketch.add(.box) { $0.stack = StackGeometry() }
        sketch.pin(row, to: Sketch.root)
        let children = (0..<2).map { _ in sketch.add(.box, in: row) }
        sketch.rule(children[0], .width, .lessOrEqual, plus: 100)
        sketch.rule(children[1], .width, plus: 50)
        let placed = sketch.placed()
        #expect(children.map { placed.frame($0)[2] } == [100, 50] && placed.codes == [])
    }

    @Test func `A spinner beside a switch takes the room of a row, and a switch its height beside a lower picture`() {
        var sketch = Sketch()
        let row = sketch.add(.box) { $0.stack = StackGeometry() }
        sketch.rule(row, .leading, .equal, Sketch.root)
        sketch.rule(row, .trailing, .equal, Sketch.root)
        sketch.rule(row, .top, .equal, Sketch.root)
        let toggle = sketch.add(.toggle, in: row)
        let spinner = sketch.add(.activity, in: row) {
            $0.geometry.hugging = Priorities(horizontal: 750, vertical: 750)
        }
        #expect(sketch.placed().frame(toggle)[2] == 51 && sketch.placed().frame(spinner)[2] == 324)
        let picture = sketch.add(.image, in: row)
        for side in [LayoutRule.Attribute.width, .height] { sketch.rule(picture, side, plus: 24) }
        let placed = sketch.placed()
        #expect(placed.frame(toggle)[3] == 31 && placed.frame(picture)[3] == 24 && placed.frame(row)[3] == 31)
    }

    @Test func `A stack with nothing in it has no size`() {
        for axis in [Axis.horizontal, .vertical] {
            var sketch = Sketch()
            let stack = sketch.add(.box, frame: Frame(x: 0, y: 0, width: 20, height: 20)) {
                $0.stack = StackGeometry.along(axis)
            }
            sketch.rule(stack, .leading, .equal, Sketch.root)
            sketch.rule(stack, .top, .equal, Sketch.root)
            #expect(Array(sketch.placed().frame(stack).dropFirst(2)) == [0, 0])
        }
    }
}

extension StackGeometry {
    fileprivate static func along(_ axis: Axis) -> StackGeometry {
        var stack = StackGeometry()
        stack.axis = axis
        return stack
    }
}
