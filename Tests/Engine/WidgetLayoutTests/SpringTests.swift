import Testing
import WidgetCore

@testable import WidgetLayout

/// Goal: masks place boxes as UIKit does (L3 of the layout rules). Method: all 64 masks at three sizes, against the
/// formula written down a second time.
@Suite struct `Autoresizing masks` {
    /// Start and size along one axis.
    private static func expected(
        _ start: Double, _ size: Double, of design: Double, in actual: Double, _ flags: [Bool]
    ) -> [Double] {
        let parts = [start, size, design - start - size]
        let total = zip(parts, flags).reduce(0) { $0 + ($1.1 ? $1.0 : 0) }
        let count = Double(flags.filter { $0 }.count)
        let change = actual - design
        let grown = zip(parts, flags).map { part, isFlexible in
            guard isFlexible else { return part }
            return part + (total == 0 ? change / count : change * part / total)
        }
        return [grown[0], max(grown[1], 0)]
    }

    @Test(arguments: 0..<64)
    func `A mask shares the change of its parent's length among flexible parts`(bits: Int) {
        let mask = Springs(rawValue: UInt8(bits))
        for frame in [Frame(x: 20, y: 40, width: 100, height: 60), Frame(x: 0, y: 0, width: 375, height: 667)] {
            var sketch = Sketch()
            let box = sketch.add(.box, frame: frame, springs: mask)
            for (width, height) in [(320.0, 480.0), (375.0, 667.0), (1_024.0, 768.0)] {
                let x = Self.expected(
                    frame.x, frame.width, of: 375, in: width, [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0])
                let y = Self.expected(
                    frame.y, frame.height, of: 667, in: height, [bits & 8 != 0, bits & 16 != 0, bits & 32 != 0])
                let placed = sketch.placed(width, height).frame(box)
                for (own, wanted) in zip(placed, [x[0], y[0], x[1], y[1]]) {
                    #expect(abs(own - wanted) < 0.01, "\(placed)")
                }
            }
        }
    }

    @Test(arguments: 0..<64)
    func `A mask that a rule speaks of is solved to the same frame`(bits: Int) {
        var sketch = Sketch()
        let mask = Springs(rawValue: UInt8(bits))
        let box = sketch.add(.box, frame: Frame(x: 20, y: 40, width: 100, height: 60), springs: mask)
        let free = sketch.placed(414, 736).frame(box)
        let other = sketch.add(.box, frame: Frame(x: 0, y: 0, width: 10, height: 10))
        sketch.rule(other, .leading, .equal, box, .trailing, plus: 5)
        sketch.rule(other, .top, .equal, box, .bottom, plus: 6)
        let placed = sketch.placed(414, 736)
        #expect(placed.frame(box) == free)
        let right = free[0] + free[2] + 5
        #expect(abs(placed.frame(other)[0] - right) < 0.01 && placed.frame(other)[2] == 10)
    }

    @Test func `A mask counts from the bounds that its box was drawn in, even in a screen of another size`() {
        // The root was archived 600 × 600, its child fills the 375 × 667 that were drawn.
        var sketch = Sketch(width: 600, height: 600)
        let box = sketch.add(
            .box, frame: Frame(x: 0, y: 0, width: 375, height: 667), springs: [.width, .height]
        ) { $0.geometry.design = Size(width: 375, height: 667) }
        #expect(sketch.placed(320, 568).frame(box) == [0, 0, 320, 568])
    }

    @Test(arguments: [Double.nan, .infinity, 1e300])
    func `A frame whose numbers are no lengths does no harm`(number: Double) {
        var sketch = Sketch()
        let box = sketch.add(.box, frame: Frame(x: number, y: 0, width: 10, height: number), springs: [.width])
        #expect(sketch.placed().frame(box).allSatisfy { $0.isFinite && abs($0) <= 1e6 })
    }
}
