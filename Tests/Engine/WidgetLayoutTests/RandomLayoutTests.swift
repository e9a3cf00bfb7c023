import Testing
import WidgetCore

@testable import WidgetLayout

/// Goal: no interface makes the layout trap, hang or print endless numbers. Method: random trees, looks and rules, with
/// numbers that no editor writes.
@Suite struct `Random interfaces` {
    private struct Dice {
        var state: UInt64

        mutating func roll(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % sides
        }

        mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }

        mutating func length() -> Double {
            roll(30) == 0 ? pick([.nan, .infinity, -.infinity, 1e300, -1e12, 1e-300]) : Double(roll(400) - 100) / 2
        }
    }

    private static let kinds: [NodeKind] = [
        .box, .box, .box, .label, .label, .button, .image, .textField, .textArea, .searchField, .toggle, .slider,
        .segments, .picker, .activity, .progress, .list, .grid, .row, .sectionHeader, .unknown("map"),
    ]

    private static func sketch(_ seed: Int) -> Sketch {
        var dice = Dice(state: UInt64(seed) &* 104_729 &+ 17)
        var sketch = Sketch(width: dice.length(), height: 667)
        let count = 3 + dice.roll(25)
        for _ in 0..<count {
            let frame =
                dice.roll(6) == 0
                ? nil : Frame(x: dice.length(), y: dice.length(), width: dice.length(), height: dice.length())
            let springs = dice.roll(2) == 0 ? nil : Springs(rawValue: UInt8(dice.roll(64)))
            let parent = dice.roll(sketch.nodes.count)
            let text = String(repeating: dice.pick(["word ", "日本", "\u{301}", "\n", "x"]), count: dice.roll(30))
            sketch.add(dice.pick(kinds), in: parent, text: text, frame: frame, springs: springs) { parts in
                parts.appearance.lines = dice.roll(4)
                parts.appearance.minimumScale = dice.length()
                parts.appearance.font = FontRequest(size: dice.length(), weight: dice.roll(2_000) - 500)
                parts.geometry.hugging.horizontal = Float(dice.length())
                parts.geometry.role = dice.pick([.content, .content, .content, .contentView, .header, .accessory])
                if dice.roll(5) == 0 {
                    var stack = StackGeometry()
                    stack.axis = dice.pick([.horizontal, .vertical])
                    stack.spacing = dice.length()
                    stack.distribution = dice.pick([
                        .fill, .fillEqually, .fillProportionally, .equalSpacing, .equalCentering,
                    ])
                    stack.alignment = dice.pick([.fill, .leading, .firstBaseline, .center, .trailing, .lastBaseline])
                    stack.isMarginsRelative = dice.roll(2) == 0
                    parts.stack = stack
                }
                if dice.roll(5) == 0 {
                    parts.scrolling = Scrolling()
                    parts.scrolling?.inset.top = dice.length()
                }
                parts.list = ListGeometry()
                parts.list?.rowHeight = dice.length()
                parts.list?.grid = GridFlow()
                parts.list?.grid?.itemSize = Size(width: dice.length(), height: dice.length())
                parts.list?.grid?.itemSpacing = dice.length()
                parts.list?.grid?.axis = dice.pick([.horizontal, .vertical])
            }
        }
        for _ in 0..<dice.roll(80) {
            let attributes = LayoutRule.Attribute.allCases
            let isAlone = dice.roll(4) == 0
            sketch.rule(
                dice.roll(count + 3), dice.pick(attributes),
                dice.pick([.equal, .equal, .lessOrEqual, .greaterOrEqual]),
                isAlone ? nil : dice.roll(count + 3), dice.pick(attributes),
                times: dice.pick([1, 1, 1, 0.5, -1, 0, .nan, 1e200]), plus: dice.length(),
                at: dice.pick([1_000, 1_000, 999, 750, 250, 0, -1, .nan, .infinity]),
                area: dice.pick([
                    .bounds, .bounds, .margins, .safeArea, .readable, .topGuide, .bottomGuide, .scrollContent,
                    .scrollFrame,
                ]))
        }
        sketch.hidden = Set((0..<dice.roll(4)).map { _ in 1 + dice.roll(count) })
        if dice.roll(2) == 0 { sketch.navigationBar = BarGeometry() }
        return sketch
    }

    @Test(arguments: 0..<300)
    func `Every visible node gets a frame of usual numbers`(seed: Int) {
        let sketch = Self.sketch(seed)
        for (width, height) in [(375.0, 667.0), (0, 0), (1e9, 20), (.nan, 100)] {
            let direction: Viewport.Direction = seed % 2 == 0 ? .leftToRight : .rightToLeft
            let placed = sketch.placed(width, height, direction: direction, top: 20)
            var nodes = 0
            sketch.view.visit { _ in
                nodes += 1
                return true
            }
            #expect(placed.boxes.count == nodes)
            for box in placed.boxes {
                let frame = box.frame.rounded(toScale: 2)
                let numbers = [frame.x, frame.y, frame.width, frame.height, box.baseline ?? 0]
                #expect(numbers.allSatisfy { $0.isFinite && abs($0) < 1e9 }, "\(box.key): \(box.frame)")
                #expect(frame.width >= 0 && frame.height >= 0, "\(box.key): \(box.frame)")
            }
        }
    }

    @Test func `2,000 contradicting rules on a screen end within the budget`() {
        var sketch = Sketch()
        let box = sketch.add(.box)
        for place in 0..<2_000 { sketch.rule(box, .width, .equal, Sketch.root, plus: Double(place)) }
        let placed = sketch.placed()
        #expect(placed.frame(box)[2] == 375 && placed.codes.filter { $0 == .layoutConflict }.count == 21)
    }
}
