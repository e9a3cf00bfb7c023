import Testing
import WidgetCore

@testable import WidgetLayout

/// Goal: a mask shares out what a container gains or loses. Method: every mask in three sizes, against rule L3 in numbers.
@Suite struct `A mask in a plan` {
    private static let frame = Frame(x: 20, y: 30, width: 100, height: 44)
    private static let design = Size(width: 320, height: 480)

    /// The rule itself: each flexible part gets its share of the difference.
    private static func expected(
        _ parts: [Double], flexible: [Bool], actual: Double
    ) -> (start: Double, length: Double) {
        let difference = actual - parts.reduce(0, +)
        let sum = zip(parts, flexible).filter(\.1).map(\.0).reduce(0, +)
        let count = flexible.count { $0 }
        let changed = zip(parts, flexible).map { part, bends in
            guard bends else { return part }
            return part + (sum == 0 ? difference / Double(count) : difference * part / sum)
        }
        return (changed[0], changed[1])
    }

    private static func plan(_ springs: Springs, frame: Frame, design: Size) -> (x: Extent, y: Extent) {
        (
            SpringPlan.extent(springs, frame: frame, design: design, .horizontal),
            SpringPlan.extent(springs, frame: frame, design: design, .vertical)
        )
    }

    private static func value(_ extent: Extent, in length: Double) -> (start: Double, length: Double) {
        guard case .start(let start) = extent.anchor, case .fixed(let size) = extent.length else { return (.nan, .nan) }
        return (start.value(in: length), size.value(in: length))
    }

    @Test(
        arguments: UInt8(0)..<64,
        [Size(width: 320, height: 480), Size(width: 375, height: 667), Size(width: 1024, height: 300)])
    func `Each of the 64 masks gives the extents of the rule`(mask: UInt8, size: Size) {
        let springs = Springs(rawValue: mask)
        let plan = Self.plan(springs, frame: Self.frame, design: Self.design)
        let x = Self.expected(
            [20, 100, 200], flexible: [.left, .width, .right].map(springs.contains), actual: size.width)
        let y = Self.expected(
            [30, 44, 406], flexible: [.top, .height, .bottom].map(springs.contains), actual: size.height)
        let (ownX, ownY) = (Self.value(plan.x, in: size.width), Self.value(plan.y, in: size.height))
        #expect(abs(ownX.start - x.start) < 1e-9 && abs(ownX.length - x.length) < 1e-9)
        #expect(abs(ownY.start - y.start) < 1e-9 && abs(ownY.length - y.length) < 1e-9)
    }

    @Test func `Flexible parts without any length share equally`() {
        let frame = Frame(x: 0, y: 0, width: 320, height: 0)
        let plan = Self.plan([.left, .right, .top, .height], frame: frame, design: Self.design)
        #expect(Self.value(plan.x, in: 420).start == 50)
        let y = Self.value(plan.y, in: 580)
        #expect(y.start == 50 && y.length == 50)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func `Infinite numbers and those that are not numbers become harmless`(number: Double) {
        let frame = Frame(x: number, y: number, width: number, height: number)
        let plan = Self.plan(Springs(rawValue: 63), frame: frame, design: Size(width: number, height: number))
        for extent in [plan.x, plan.y] {
            let value = Self.value(extent, in: 375)
            #expect(value.start.isFinite && value.length.isFinite)
        }
    }

    @Test func `A masked child lies left and right in every language`() {
        var scene = SketchedScene()
        let node = scene.add(.label) { geometry, _ in
            geometry.springs = .right
            geometry.design = Self.design
        }
        #expect(scene.plan.boxes[node]?.x.isPhysical == true)
    }
}
