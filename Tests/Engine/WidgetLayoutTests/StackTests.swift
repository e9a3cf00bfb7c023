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
}
