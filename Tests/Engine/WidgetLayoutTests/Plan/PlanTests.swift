import Testing
import WidgetCore

@testable import WidgetLayout

/// Goal: rules become boxes, rows and columns. Method: small scenes, and the shape of their plans.
@Suite struct `A layout plan` {
    private static func distance(_ points: Double) -> Extent.Anchor { .start(Affine(points)) }

    @Test func `A child that is tied to all edges fills its container`() {
        var scene = SketchedScene()
        let node = scene.add(.box)
        scene.pin(node, 8)
        let box = scene.plan.boxes[node]
        #expect(box?.x.anchor == .both(Affine(8), Affine(8)) && box?.y.anchor == .both(Affine(8), Affine(8)))
        #expect(box?.placement == .free)
    }

    @Test
    func `A text on the line of a larger one lies further below its top with large text, beside what has no text not`()
    {
        let above = ResolvedFont.ascender
        let middle = above - ResolvedFont.lineHeight / 2
        for (kind, inset, share) in [
            (NodeKind.label, 0.0, above), (.button, 6, above), (.textField, 12, middle), (.image, 20, 0),
        ] {
            var scene = SketchedScene()
            let small = scene.add(.label) { _, look in (look.font, look.lines) = (FontRequest(size: 13), 0) }
            let large = scene.add(kind)
            scene.rule(large, .top, .equal, 0, .top, 20)
            scene.rule(large, .leading, .equal, 0, .leading)
            scene.rule(small, .trailing, .equal, 0, .trailing)
            scene.rule(small, .firstBaseline, .equal, large, .firstBaseline)
            guard case .start(let top)? = scene.plan.boxes[small]?.y.anchor else {
                Issue.record("it hangs on the top")
                return
            }
            let growth = top.texts.first { $0.text == .font(nil) }?.factor ?? 0
            #expect(abs(growth - (kind == .image ? 0 : 17 * share - 13 * above)) < 0.001 && top.isConstant)
            #expect(abs(top.constant - 20 - inset - 17 * share + 13 * above) < 0.001)
            // A field of 24 points leaves its line that much.
            let line = Affine.Text.line(points: 17 * ResolvedFont.lineHeight / 2, nil, within: 12)
            #expect(top.texts.contains { $0.text == line } == (kind == .textField))
        }
    }

    @Test func `A text of one line on that of a field is by the field's middle, and keeps its distance from both ends`()
    {
        for isField in [true, false] {
            var scene = SketchedScene()
            let pair = scene.add(.box)
            for side in [LayoutRule.Attribute.top, .leading, .trailing] { scene.rule(pair, side, .equal, 0, side) }
            let field = scene.add(isField ? .textField : .label, in: pair)
            let button = scene.add(.button, in: pair)
            for side in [LayoutRule.Attribute.top, .leading] { scene.rule(field, side, .equal, pair, side, 8) }
            scene.rule(field, .bottom, .equal, pair, .bottom, -8)
            scene.rule(button, .trailing, .equal, pair, .trailing, -8)
            scene.rule(button, .top, .greaterOrEqual, pair, .top, 8)
            scene.rule(button, .bottom, .lessOrEqual, pair, .bottom, -8)
            scene.rule(button, .firstBaseline, .equal, field, .firstBaseline)
            let place = scene.plan.boxes[button]?.y
            guard case .center(let offset)? = place?.anchor else {
                #expect(!isField, "\(String(describing: place))")
                continue
            }
            #expect(isField && abs(offset.constant) < 0.001 && offset.texts.allSatisfy { abs($0.factor) < 0.001 })
            #expect(place?.isOverhanging == false)
            #expect(place?.isTied == true && place?.startLimit == Affine(8))
        }
    }

    @Test func `Texts of one style on a line are at one height, and a length has few terms of texts`() {
        var scene = SketchedScene()
        let styles = TextStyle.allCases + [.caption1, .caption1]
        let texts = styles.map { style in
            scene.add(.label) { _, look in look.font = FontRequest(size: style.size(at: .large), style: style) }
        }
        scene.rule(texts[0], .top, .equal, 0, .top, 20)
        for (one, other) in zip(texts, texts.dropFirst()) {
            scene.rule(other, .firstBaseline, .equal, one, .firstBaseline)
        }
        let tops = texts.map { text -> Affine? in
            if case .start(let top)? = scene.plan.boxes[text]?.y.anchor { top } else { nil }
        }
        #expect(tops.suffix(2).first == tops.last && tops.last != nil)
        #expect(tops[1]?.texts.map { $0.text } == [.font(.largeTitle), .font(.title1)])
        var sum = Affine.zero
        for style in TextStyle.allCases {
            var length = Affine(1)
            length.texts = [Affine.TextTerm(text: .font(style), factor: 1)]
            sum = sum + length
        }
        #expect(sum.texts.count == 4 && sum.constant == Double(TextStyle.allCases.count))
    }

    @Test func `A text is as large as its content where one edge is given`() {
        var scene = SketchedScene()
        let (one, other, middle) = (scene.add(.label), scene.add(.label), scene.add(.label))
        scene.rule(one, .leading, .equal, 0, .leading, 16)
        scene.rule(one, .top, .equal, 0, .top, 20)
        scene.rule(0, .trailing, .equal, other, .trailing, 16)
        scene.rule(0, .bottom, .equal, other, .bottom, 20)
        scene.rule(middle, .centerX, .equal, 0, .centerX)
        scene.rule(middle, .centerY, .equal, 0, .centerY, 10)
        let plan = scene.plan
        #expect(plan.boxes[one]?.x == Extent(.start(Affine(16)), .content))
        #expect(plan.boxes[other]?.y.anchor == .end(Affine(20)) && plan.boxes[other]?.x.anchor == .end(Affine(16)))
        #expect(plan.boxes[middle]?.y == Extent(.center(Affine(10)), .content))
    }

    @Test func `Texts below each other are a column, and the last may fill it`() {
        var scene = SketchedScene()
        let (title, text) = (scene.add(.label), scene.add(.label, hugging: 250))
        scene.rule(title, .top, .equal, 0, .top, 20)
        scene.rule(text, .top, .equal, title, .bottom, 8)
        #expect(scene.plan.sketch() == "column(\(title) \(text))")
        #expect(scene.plan.item(text)?.gap == Affine(8) && scene.plan.item(text)?.grows == false)
        scene.rule(0, .bottom, .equal, text, .bottom, 12)
        #expect(scene.plan.item(text)?.grows == true && scene.plan.item(title)?.grows == false)
    }

    @Test func `A box of a known height between texts is a part of their column`() {
        var scene = SketchedScene()
        let (title, picture, text) = (scene.add(.label), scene.add(.image), scene.add(.label))
        scene.size(picture, 160, 160)
        scene.rule(title, .top, .equal, 0, .top, 20)
        scene.rule(picture, .top, .equal, title, .bottom, 15)
        scene.rule(text, .top, .equal, picture, .bottom, 10)
        #expect(scene.plan.sketch() == "column(\(title) \(picture) \(text))")
        #expect(scene.plan.item(picture)?.gap == Affine(15) && scene.plan.item(text)?.gap == Affine(10))
    }

    @Test func `Two texts below the same one are a layer of columns`() {
        var scene = SketchedScene()
        let (title, left, right) = (scene.add(.label), scene.add(.label), scene.add(.label))
        scene.rule(title, .top, .equal, 0, .top, 20)
        scene.rule(left, .top, .equal, title, .bottom, 8)
        scene.rule(right, .top, .equal, title, .bottom, 16)
        scene.rule(0, .trailing, .equal, right, .trailing, 16)
        #expect(scene.plan.sketch() == "column(\(title) layer(column(\(left)) column(\(right))))")
    }

    @Test func `A column is built upwards from the end of its container`() {
        var scene = SketchedScene()
        let (text, button) = (scene.add(.label), scene.add(.button))
        scene.rule(0, .bottom, .equal, button, .bottom, 20, area: .bounds)
        scene.rule(button, .top, .equal, text, .bottom, 8)
        let plan = scene.plan
        #expect(plan.sketch() == "column(\(text) \(button))")
        #expect(plan.containers[0]?.wrappers.last?.box.y.anchor == .end(Affine(20)))
    }

    @Test func `Texts beside each other are a row, and the one that hugs least gives way`() {
        var scene = SketchedScene()
        let (title, time) = (scene.add(.label, hugging: 250), scene.add(.label, hugging: 252))
        scene.rule(title, .leading, .equal, 0, .leading, 16)
        scene.rule(title, .top, .equal, 0, .top, 20)
        scene.rule(time, .leading, .equal, title, .trailing, 8)
        scene.rule(0, .trailing, .equal, time, .trailing, 16)
        scene.rule(time, .top, .equal, title, .top)
        let plan = scene.plan
        #expect(plan.sketch() == "row(\(title) \(time))")
        #expect(plan.item(title)?.grows == true && plan.item(time)?.grows == false)
        #expect((plan.item(title)?.shrinkRank ?? 0) > (plan.item(time)?.shrinkRank ?? 9))
        #expect(plan.item(time)?.trailing == Affine(16))
    }

    @Test func `An inequality between two texts keeps them apart in a row`() {
        var scene = SketchedScene()
        let (name, value) = (scene.add(.label), scene.add(.label))
        for node in [name, value] { scene.rule(node, .centerY, .equal, 0, .centerY) }
        scene.rule(name, .leading, .equal, 0, .leading, 16)
        scene.rule(0, .trailing, .equal, value, .trailing, 16)
        scene.rule(value, .leading, .greaterOrEqual, name, .trailing, 8)
        let plan = scene.plan
        #expect(plan.sketch() == "row(\(name) \(value))")
        #expect(plan.item(value)?.isGapElastic == true && plan.item(name)?.trailing == Affine(8))
    }

    @Test func `A text in line with another shares a layer with it`() {
        var scene = SketchedScene()
        let (name, value) = (scene.add(.label), scene.add(.toggle))
        scene.rule(name, .leading, .equal, 0, .leading, 16)
        scene.rule(name, .top, .equal, 0, .top, 20)
        scene.rule(0, .trailing, .equal, value, .trailing, 16)
        scene.rule(value, .centerY, .equal, name, .centerY)
        let plan = scene.plan
        #expect(plan.sketch() == "layer(\(name) \(value))")
        #expect(plan.boxes[value]?.y.anchor == .center(.zero) && plan.boxes[value]?.y.isOverhanging == true)
    }

    @Test func `Two texts beside a text are a region of its row`() {
        var scene = SketchedScene()
        let icon = scene.add(.label)
        let (title, text) = (scene.add(.label), scene.add(.label))
        scene.rule(icon, .leading, .equal, 0, .leading, 16)
        scene.rule(icon, .top, .equal, 0, .top, 16)
        for node in [title, text] {
            scene.rule(node, .leading, .equal, icon, .trailing, 8)
            scene.rule(0, .trailing, .equal, node, .trailing, 16)
        }
        scene.rule(title, .top, .equal, 0, .top, 16)
        scene.rule(text, .top, .equal, title, .bottom, 4)
        #expect(scene.plan.sketch() == "row(\(icon) layer(column(\(title) \(text))))")
    }

    @Test func `Equal widths in a row that is tied at both ends are shares of the container`() {
        var scene = SketchedScene()
        let (one, other) = (scene.add(.button), scene.add(.button))
        scene.rule(one, .leading, .equal, 0, .leading, 16)
        scene.rule(other, .leading, .equal, one, .trailing, 8)
        scene.rule(0, .trailing, .equal, other, .trailing, 16)
        scene.rule(one, .width, .equal, other, .width)
        let plan = scene.plan
        #expect(plan.boxes[one]?.x.length == .fixed(Affine(-20, share: 0.5)))
        #expect(plan.boxes[other]?.x.length == .fixed(Affine(-20, share: 0.5)))
        #expect(plan.reason() == nil)
    }

    @Test func `A width can be a share of the container, and a height a multiple of it`() {
        var scene = SketchedScene()
        let picture = scene.add(.image)
        scene.rule(picture, .leading, .equal, 0, .leading)
        scene.rule(picture, .top, .equal, 0, .top)
        scene.rule(picture, .width, .equal, 0, .width, 0, times: 0.5)
        scene.rule(picture, .height, .equal, picture, .width, 0, times: 0.75)
        let box = scene.plan.boxes[picture]
        #expect(box?.x.length == .fixed(Affine(0, share: 0.5)) && box?.y.length == .ratio)
        #expect(abs((box?.ratio ?? 0) - 4 / 3) < 1e-9)
    }

    @Test func `A limit is kept by a text that hugs its content`() {
        var scene = SketchedScene()
        let text = scene.add(.label)
        scene.rule(text, .leading, .equal, 0, .leading, 16)
        scene.rule(0, .trailing, .greaterOrEqual, text, .trailing, 20)
        scene.rule(text, .width, .lessOrEqual, nil, nil, 200)
        let x = scene.plan.boxes[text]?.x
        #expect(x?.endLimit == Affine(20) && x?.most == Affine(200) && x?.length == .content)
    }

    @Test func `A higher priority decides, and a lower one changes nothing`() {
        var scene = SketchedScene()
        let node = scene.add(.box)
        scene.rule(node, .leading, .equal, 0, .leading, 16)
        scene.rule(node, .width, .equal, nil, nil, 50, priority: 749)
        scene.rule(node, .width, .equal, nil, nil, 100, priority: 751)
        scene.rule(node, .width, .equal, nil, nil, 60, priority: 750)
        #expect(scene.plan.boxes[node]?.x.length == .fixed(Affine(100)))
    }

    @Test func `Guides are places that bars cover`() {
        var scene = SketchedScene()
        let node = scene.add(.label)
        scene.rule(node, .top, .equal, 0, .bottom, 8, area: .topGuide)
        guard case .start(let top) = scene.plan.boxes[node]?.y.anchor else {
            Issue.record("the label does not hang on the guide")
            return
        }
        #expect(top.safeStart == 1 && top.constant == 8)
    }

    @Test func `A constant that a running widget changes stays apart`() {
        var scene = SketchedScene()
        let node = scene.add(.box)
        scene.rule(node, .leading, .equal, 0, .leading)
        var rules = scene.scene
        rules.rules.append(
            LayoutRule(LayoutRule.Item(node), .width, constant: 128, owner: 0, node: 7))
        let length = LayoutPlan(of: rules).boxes[node]?.x.length
        #expect(length == .fixed(Affine(128, changedBy: 7)))
    }

    @Test func `A child without rules stays where it was drawn`() {
        var scene = SketchedScene()
        let box = scene.add(.box, Frame(x: 30, y: 40, width: 50, height: 60))
        #expect(scene.plan.boxes[box]?.x == Extent(Self.distance(30), .fixed(Affine(50))))
        #expect(scene.plan.boxes[box]?.y == Extent(Self.distance(40), .fixed(Affine(60))))
    }
}
