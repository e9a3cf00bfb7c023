import Testing
import WidgetCore
import WidgetTestSupport

@testable import WidgetLayout

/// Goal: no screen makes layout slow, endless or wrong beyond itself. Method: screens that try, whose work is counted by the
/// terms of the solver: about ten nanoseconds each.
@Suite struct `The layout of a hostile screen` {
    /// The work of about 100 milliseconds, in a program that was built for release.
    private static let workOfAMoment = LayoutBudget().termCount

    private static func isUsual(_ placed: PlacedScreen) -> Bool {
        placed.boxes.allSatisfy { box in
            [box.frame.x, box.frame.y, box.frame.width, box.frame.height].allSatisfy { $0.isFinite && abs($0) <= 1e6 }
                && box.frame.width >= 0 && box.frame.height >= 0
        }
    }

    @Test func `Rules in a circle hold if they agree, and the last is left out and named if not`() {
        for sum in [0.0, 8] {
            var sketch = Sketch()
            let boxes = (0..<3).map { _ in sketch.add(.box, frame: Frame(x: 10, y: 10, width: 50, height: 20)) }
            for (place, box) in boxes.enumerated() {
                let next = boxes[(place + 1) % 3]
                sketch.rule(box, .leading, .equal, next, plus: place == 2 ? -16 + sum : 8)
                sketch.rule(box, .top, .equal, Sketch.root, plus: 10)
                sketch.rule(box, .width, plus: 50)
                sketch.rule(box, .height, plus: 20)
            }
            let placed = sketch.placed()
            #expect(Self.isUsual(placed))
            #expect(placed.findings.contains { $0.code == .layoutConflict } == (sum != 0))
            let xs = boxes.map { placed.frame($0)[0] }
            #expect(xs[0] == xs[1] + 8 && xs[1] == xs[2] + 8)
            if sum != 0 {
                let message = placed.findings.first { $0.code == .layoutConflict }?.message ?? ""
                #expect(message.hasPrefix("The rule n3.leading = n1.leading - 8 contradicts "))
            }
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e308, -1e308, 1e8])
    func `Numbers that are no lengths are named, and harm no other rule`(number: Double) {
        var sketch = Sketch()
        let (one, two) = (sketch.add(.box), sketch.add(.box))
        for box in [one, two] {
            for edge in [LayoutRule.Attribute.leading, .top] { sketch.rule(box, edge, .equal, Sketch.root, plus: 10) }
            sketch.rule(box, .width, plus: 50)
            sketch.rule(box, .height, plus: 20)
        }
        sketch.rule(one, .width, plus: number)
        sketch.rule(one, .height, .equal, two, times: number)
        sketch.rule(one, .leading, .greaterOrEqual, two, plus: number, at: Float(number))
        let placed = sketch.placed()
        #expect(placed.frame(one) == [10, 10, 50, 20] && placed.frame(two) == [10, 10, 50, 20])
        #expect(placed.findings.contains { $0.message.hasPrefix("The numbers of the rule n1.width = ") })
    }

    @Test func `Stack views take processor time in proportion to their number`() {
        func spent(_ count: Int) -> Duration {
            var sketch = Sketch()
            for _ in 0..<count {
                let stack = sketch.add(.box) { $0.stack = StackGeometry() }
                sketch.add(.label, in: stack, text: "aaa")
            }
            let made = sketch
            return ProcessorTime.spent { #expect(Self.isUsual(made.placed())) }
        }
        let quarter = spent(1_000)
        let whole = spent(4_000)
        #expect(whole < quarter * 10)
    }

    @Test(arguments: [LayoutRule.Relation.equal, .lessOrEqual, .greaterOrEqual], [1_000, 750] as [Float])
    func `2,000 rules that contradict each other take the work of a moment`(
        relation: LayoutRule.Relation, priority: Float
    ) {
        var sketch = Sketch()
        let (one, two) = (sketch.add(.box), sketch.add(.box))
        sketch.rule(one, .leading, .equal, Sketch.root)
        for number in 0..<2_000 {
            let box = number % 2 == 0 ? one : two
            sketch.rule(
                box, number % 3 == 0 ? .leading : .width, relation, number % 5 == 0 ? Sketch.root : nil, .width,
                plus: Double(number * (number % 7 == 0 ? -1 : 1)), at: priority)
        }
        let placed = sketch.placed()
        #expect(placed.termCount < Self.workOfAMoment && Self.isUsual(placed))
        #expect(placed.findings.count <= LayoutBudget().findingCount)
    }

    @Test func `A rule with 10,000 variations has a plan for each size class alone`() {
        var scene = SketchedScene()
        let node = scene.add(.box)
        scene.rule(node, .leading, .equal, 0, .leading)
        let kinds = LayoutPlanner.allClasses + [SizeClasses(), SizeClasses(width: .regular)]
        let variations = (0..<10_000).map { RuleVariation(kinds[$0 % kinds.count], constant: Double($0)) }
        scene.rule(node, .width, .equal, nil, nil, 100, variations: variations)
        let plan = scene.plan
        #expect(plan.variants.count <= 4 && plan.variants.map(\.classes.count).reduce(0, +) <= 4)
    }

    @Test func `10,000 nodes have a frame each, by masks and by rules`() {
        var sketch = Sketch()
        for number in 0..<5_000 {
            sketch.add(.box, frame: Frame(x: 0, y: Double(number), width: 375, height: 1), springs: .width)
        }
        var above = Sketch.root
        for _ in 0..<5_000 {
            let box = sketch.add(.box, frame: Frame(x: 0, y: 0, width: 10, height: 1))
            sketch.rule(box, .leading, .equal, Sketch.root)
            sketch.rule(box, .top, .equal, above, above == Sketch.root ? .top : .bottom)
            sketch.rule(box, .width, plus: 10)
            sketch.rule(box, .height, plus: 1)
            above = box
        }
        let placed = sketch.placed(400, 667)
        #expect(placed.boxes.count == 10_002 && Self.isUsual(placed))
        #expect(placed.frame(5_000) == [0, 4_999, 400, 1])
        #expect(placed.frame(above) == [0, 4_999, 10, 1] && placed.codes == [])
    }
}
