import Testing
import WidgetCore
import WidgetTestSupport

@testable import WidgetLayout

/// Goal: containers fit their content, scroll, stack and vary as their authors said. Method: small scenes.
@Suite struct `A container in a plan` {
    /// A row with a picture and a text, as in a feed.
    private static func feed() -> (scene: SketchedScene, row: NodeID, picture: NodeID, text: NodeID) {
        var scene = SketchedScene()
        let row = scene.add(.row)
        let (picture, text) = (scene.add(.image, in: row), scene.add(.label, in: row))
        scene.size(picture, 50, 50)
        scene.rule(picture, .leading, .equal, row, .leading, 12)
        scene.rule(picture, .top, .equal, row, .top, 12)
        scene.rule(row, .bottom, .greaterOrEqual, picture, .bottom, 12, priority: 750)
        scene.rule(text, .leading, .equal, row, .leading, 72)
        scene.rule(row, .trailing, .equal, text, .trailing, 56)
        scene.rule(text, .top, .equal, row, .top, 31)
        scene.rule(row, .bottom, .equal, text, .bottom, 12, priority: 250)
        return (scene, row, picture, text)
    }

    @Test func `A row fits the content that is tied to its end`() {
        let (scene, row, picture, text) = Self.feed()
        let plan = scene.plan
        #expect(plan.containers[row]?.fitsHeight == true && plan.containers[row]?.fitsWidth == false)
        for node in [picture, text] {
            #expect(plan.boxes[node]?.placement == .cell && plan.boxes[node]?.y.endTie == Affine(12))
        }
    }

    @Test func `A row's children that nothing ties to its end do not make it higher`() {
        var (scene, row, _, _) = Self.feed()
        let line = scene.add(.label, in: row)
        scene.rule(line, .top, .equal, row, .top, 100)
        #expect(scene.plan.boxes[line]?.placement == .free)
    }

    @Test func `A row placed by masks alone has a height of the list`() {
        var scene = SketchedScene()
        let row = scene.add(.row)
        scene.add(.label, in: row) { geometry, _ in
            geometry.springs = []
            geometry.design = Size(width: 375, height: 44)
        }
        #expect(scene.plan.containers[row]?.fitsHeight == false)
    }

    @Test func `The content of a scroll view decides how far it scrolls`() {
        var scene = SketchedScene()
        let scroll = scene.add(.box)
        scene.replaceLook(of: scroll, Look(geometry: Geometry(), scrolling: Scrolling()))
        scene.pin(scroll)
        let content = scene.add(.box, in: scroll)
        scene.pin(content, to: scroll)
        #expect(scene.plan.containers[scroll]?.form == .scroll(horizontal: true, vertical: true))
        scene.rule(content, .width, .equal, scroll, .width)
        #expect(scene.plan.containers[scroll]?.form == .scroll(horizontal: false, vertical: true))
    }

    @Test func `A list under a bar begins below it unless its author forbade that`() {
        for (adjustment, isCovered) in [(Scrolling.InsetAdjustment.automatic, true), (.never, false)] {
            var scene = SketchedScene()
            let list = scene.add(.list)
            var scrolling = Scrolling()
            scrolling.adjustment = adjustment
            scene.replaceLook(of: list, Look(geometry: Geometry(), list: ListGeometry(), scrolling: scrolling))
            scene.pin(list)
            #expect((scene.plan.covered[list]?.contains(.top) ?? false) == isCovered)
        }
    }

    @Test(arguments: [
        StackGeometry.Distribution.fill, .fillEqually, .fillProportionally, .equalSpacing, .equalCentering,
    ])
    func `A stack view shares its room by its distribution`(distribution: StackGeometry.Distribution) {
        var scene = SketchedScene()
        let stack = scene.add(.box)
        var geometry = StackGeometry()
        geometry.distribution = distribution
        scene.replaceLook(of: stack, Look(geometry: Geometry(), stack: geometry))
        scene.pin(stack)
        let loose = scene.add(.label, in: stack, Frame(x: 0, y: 0, width: 30, height: 20), hugging: 250)
        let tight = scene.add(.label, in: stack, Frame(x: 0, y: 0, width: 60, height: 20), hugging: 251)
        let plan = scene.plan
        let growth = [loose, tight].map { node in plan.item(node).flatMap { $0.grows ? $0.growth : nil } }
        switch distribution {
        case .fill: #expect(growth == [1, nil])
        case .fillEqually:
            #expect([loose, tight].allSatisfy { plan.boxes[$0]?.placement == .track && plan.boxes[$0]?.x == .filling })
            // Beside one with a length of its author's, the others share the rest.
            let other = scene.add(.label, in: stack)
            scene.size(tight, 60, nil)
            let items = [loose, other].map { scene.plan.item($0) }
            #expect(
                items.allSatisfy { $0?.isShare == true && $0?.growth == 1 } && scene.plan.item(tight)?.grows == false)
        case .fillProportionally: #expect(growth == [30, 60])
        case .equalSpacing, .equalCentering: #expect(growth == [nil, nil])
        }
        #expect(plan.containers[stack]?.form == .stack(geometry))
    }

    @Test(arguments: [Axis.horizontal, .vertical])
    func `Equal children of a stack that fits its content are as long as the longest`(axis: Axis) {
        var scene = SketchedScene()
        let stack = scene.add(.box)
        var geometry = StackGeometry()
        (geometry.axis, geometry.distribution) = (axis, .fillEqually)
        scene.replaceLook(of: stack, Look(geometry: Geometry(), stack: geometry))
        scene.rule(stack, .leading, .equal, SketchedScene.root, .leading)
        scene.rule(stack, .top, .equal, SketchedScene.root, .top)
        let (text, picture) = (scene.add(.label, in: stack), scene.add(.image, in: stack))
        func along(_ node: NodeID) -> Extent? {
            axis == .horizontal ? scene.plan.boxes[node]?.x : scene.plan.boxes[node]?.y
        }
        for node in [text, picture] {
            #expect(scene.plan.boxes[node]?.placement == .track && along(node) == .filling)
        }
        // A length of the author's holds for all.
        scene.rule(picture, axis == .horizontal ? .width : .height, .equal, nil, nil, 40)
        for node in [text, picture] { #expect(along(node)?.length == .fixed(Affine(40))) }
        // With two of them, each keeps its own.
        scene.rule(text, axis == .horizontal ? .width : .height, .equal, nil, nil, 30)
        #expect(scene.plan.item(text) != nil && along(picture)?.length == .fixed(Affine(40)))
    }

    @Test(arguments: [Axis.horizontal, .vertical])
    func `Equal children none of which can be stretched keep their sizes`(axis: Axis) {
        var scene = SketchedScene()
        let stack = scene.add(.box)
        var geometry = StackGeometry()
        (geometry.axis, geometry.distribution) = (axis, .fillEqually)
        scene.replaceLook(of: stack, Look(geometry: Geometry(), stack: geometry))
        scene.rule(stack, .leading, .equal, SketchedScene.root, .leading)
        scene.rule(stack, .top, .equal, SketchedScene.root, .top)
        let (toggle, picture) = (scene.add(.toggle, in: stack), scene.add(.image, in: stack))
        #expect([toggle, picture].allSatisfy { scene.plan.boxes[$0]?.placement == .track })
        #expect(scene.plan.boxes[toggle]?[axis] == Extent(.start(.zero), .content))
        scene.size(picture, 48, 48)
        #expect(scene.plan.item(toggle)?.grows == false && scene.plan.boxes[toggle]?[axis].length == .content)
    }

    @Test func `A row is as thick as the thickest of the children whose thickness rules say`() {
        for heights in [[24.0, 40], [40, 24]] {
            var scene = SketchedScene()
            let stack = scene.add(.box)
            scene.replaceLook(of: stack, Look(geometry: Geometry(), stack: StackGeometry()))
            for height in heights { scene.size(scene.add(.image, in: stack), nil, height) }
            let (slider, text) = (scene.add(.slider, in: stack), scene.add(.label, in: stack))
            #expect(scene.plan.boxes[slider]?.y.length == .fixed(Affine(40)))
            // A text of several lines makes it higher.
            #expect(scene.plan.boxes[text]?.y == .filling)
        }
    }

    @Test func `A field that does not fill its row gives way once no text can`() {
        var scene = SketchedScene()
        let stack = scene.add(.box)
        scene.replaceLook(of: stack, Look(geometry: Geometry(), stack: StackGeometry()))
        scene.pin(stack)
        let texts = [scene.add(.label, in: stack, hugging: 250), scene.add(.button, in: stack)]
        let field = scene.add(.textField, in: stack)
        #expect((texts + [field]).map { scene.plan.item($0)?.shrinkRank } == [3, 2, 1])
        scene.size(field, 80, nil)
        #expect((texts + [field]).map { scene.plan.item($0)?.shrinkRank } == [2, 1, 0])
    }

    @Test func `What scrolls below others does not begin below the bar once more`() {
        func isCovered(_ distance: Double, below text: Bool) -> Bool {
            var scene = SketchedScene()
            let label = text ? scene.add(.label) : nil
            let area = scene.add(.textArea)
            // As high as its text.
            var scrolling = Scrolling()
            scrolling.isEnabled = false
            scene.replaceLook(of: area, Look(geometry: Geometry(), scrolling: scrolling))
            let next = scene.add(.label)
            let column = (label.map { [$0] } ?? []) + [area, next]
            scene.rule(column[0], .top, .equal, SketchedScene.root, .top, distance)
            for (one, other) in zip(column, column.dropFirst()) { scene.rule(other, .top, .equal, one, .bottom, 8) }
            for node in column {
                scene.rule(node, .leading, .equal, SketchedScene.root, .leading)
                scene.rule(node, .trailing, .equal, SketchedScene.root, .trailing)
            }
            #expect(scene.plan.sketch().hasPrefix("column("))
            return scene.plan.covered[area]?.contains(.top) ?? false
        }
        #expect(isCovered(0, below: false))
        #expect(!isCovered(0, below: true) && !isCovered(16, below: false))
    }

    @Test func `A row knows what its parts need beside their words`() {
        var scene = SketchedScene()
        let stack = scene.add(.box)
        var geometry = StackGeometry()
        geometry.spacing = 8
        scene.replaceLook(of: stack, Look(geometry: Geometry(), stack: geometry))
        scene.pin(stack)
        let (picture, line) = (scene.add(.image, in: stack), scene.add(.label, in: stack))
        scene.size(picture, 24, 24)
        let texts = (0..<2).map { _ in scene.add(.label, in: stack) { _, appearance in appearance.lines = 0 } }
        scene.add(.toggle, in: stack)
        scene.add(.activity, in: stack)
        for text in [line] + texts {
            #expect(scene.plan.item(text)?.needs == RowNeeds(wordCount: 2, lines: 17, points: 40 + 24 + 51 + 20))
        }
    }

    @Test func `A spinner fills a row before a switch does, and a switch makes a row thicker than a picture`() {
        var scene = SketchedScene()
        let stack = scene.add(.box)
        scene.replaceLook(of: stack, Look(geometry: Geometry(), stack: StackGeometry()))
        scene.pin(stack)
        let (toggle, picture) = (scene.add(.toggle, in: stack), scene.add(.image, in: stack))
        scene.size(picture, 24, 24)
        let spinner = scene.add(.activity, in: stack) { geometry, _ in
            geometry.hugging = Priorities(horizontal: 750, vertical: 750)
        }
        #expect(scene.plan.item(toggle)?.grows == false && scene.plan.item(spinner)?.grows == true)
        #expect(scene.plan.boxes[spinner]?.y.length == .fixed(Affine(31)))
    }

    @Test func `Controls of one size do not fill a stack whose other children have lengths of their authors'`() {
        var scene = SketchedScene()
        let stack = scene.add(.box)
        scene.replaceLook(of: stack, Look(geometry: Geometry(), stack: StackGeometry()))
        scene.pin(stack)
        let (picture, stepper) = (scene.add(.image, in: stack), scene.add(.stepper, in: stack))
        #expect(scene.plan.item(picture)?.grows == true)
        scene.size(picture, 24, 24)
        #expect(scene.plan.item(stepper)?.grows == false && scene.plan.item(picture)?.grows == false)
    }

    @Test func `A stack of texts gets narrower before the text beside it, the first of two stacks before the second`() {
        var scene = SketchedScene()
        let row = scene.add(.box)
        scene.replaceLook(of: row, Look(geometry: Geometry(), stack: StackGeometry()))
        scene.pin(row)
        let stacks = (0..<4).map { _ in
            let stack = scene.add(.box, in: row)
            scene.replaceLook(of: stack, Look(geometry: Geometry(), stack: StackGeometry()))
            _ = scene.add(.label, in: stack)
            return stack
        }
        let pictures = scene.add(.box, in: row)
        scene.replaceLook(of: pictures, Look(geometry: Geometry(), stack: StackGeometry()))
        _ = scene.add(.image, in: pictures)
        let text = scene.add(.label, in: row)
        // A length that a rule gives is kept.
        scene.rule(stacks[3], .width, .equal, nil, nil, 80)
        let items = (stacks + [text, pictures]).map { scene.plan.item($0) }
        #expect(items.map { $0?.shrinkRank } == [4, 3, 2, 0, 1, 0])
        #expect(items.map { $0?.keepsContent } == [true, true, true, false, false, false])
    }

    @Test func `All texts of a row that is too short give way, the first before the others`() {
        var scene = SketchedScene()
        let stack = scene.add(.box)
        scene.replaceLook(of: stack, Look(geometry: Geometry(), stack: StackGeometry()))
        scene.pin(stack)
        let texts = [251, 250, 251].map { scene.add(.label, in: stack, hugging: $0) }
        let picture = scene.add(.image, in: stack)
        #expect(texts.map { scene.plan.item($0)?.shrinkRank } == [3, 2, 1])
        // One that can have more lines gives way before those of one line.
        let long = scene.add(.label, in: stack) { _, appearance in appearance.lines = 0 }
        #expect((texts + [long]).map { scene.plan.item($0)?.shrinkRank } == [3, 2, 1, 4])
        #expect(scene.plan.item(picture)?.shrinkRank == 0)
    }

    @Test(arguments: [
        (StackGeometry.Alignment.fill, Extent.filling), (.leading, Extent(.start(.zero), .content)),
        (.center, Extent(.center(.zero), .content)), (.trailing, Extent(.end(.zero), .content)),
        (.firstBaseline, Extent(.baseline(last: false), .content)),
        (.lastBaseline, Extent(.baseline(last: true), .content)),
    ])
    func `A stack view aligns its children`(alignment: StackGeometry.Alignment, extent: Extent) {
        var scene = SketchedScene()
        let stack = scene.add(.box)
        var geometry = StackGeometry()
        geometry.alignment = alignment
        scene.replaceLook(of: stack, Look(geometry: Geometry(), stack: geometry))
        let child = scene.add(.label, in: stack)
        #expect(scene.plan.boxes[child]?.y == extent)
    }

    @Test func `Centres of three views equally far apart need a solver`() {
        var scene = SketchedScene()
        let stack = scene.add(.box, identifier: "trio")
        var geometry = StackGeometry()
        geometry.distribution = .equalCentering
        scene.replaceLook(of: stack, Look(geometry: Geometry(), stack: geometry))
        for _ in 0..<3 { scene.add(.label, in: stack) }
        #expect(scene.plan.reason(stack) == .equalCentering)
        #expect(scene.plan.findings.map(\.code) == [.layoutSolved])
        #expect(scene.plan.findings.first?.message.contains("\"trio\"") == true)
    }

    // MARK: - Containers that need a solver

    @Test func `Equal widths of texts that nothing else decides need a solver`() {
        var scene = SketchedScene()
        let (one, other) = (scene.add(.label), scene.add(.label))
        scene.rule(one, .width, .equal, other, .width)
        #expect(scene.plan.reason() == .contentMultiple)
        #expect(scene.plan.findings.first?.message.contains("depend on text") == true)
    }

    @Test func `A rule into a view inside another needs a solver for both`() {
        var scene = SketchedScene()
        let (box, outer) = (scene.add(.box), scene.add(.label))
        let inner = scene.add(.label, in: box)
        scene.rule(inner, .leading, .equal, outer, .leading)
        #expect(scene.plan.reason() == .distantRule && scene.plan.reason(box) == .distantRule)
    }

    @Test func `A ratio of a text needs a solver`() {
        var scene = SketchedScene()
        let text = scene.add(.label)
        scene.rule(text, .width, .equal, text, .height, 0, times: 2)
        #expect(scene.plan.reason() == .contentRatio)
    }

    // MARK: - Margins

    @Test(arguments: [(0.0, 40.0), (10, 30), (36, 8)])
    func `A container that preserves the margins of its parent keeps what reaches into it`(
        distance: Double, margin: Double
    ) {
        for preserves in [true, false] {
            var scene = SketchedScene()
            let outer = scene.add(.box) { geometry, _ in
                geometry.margins = Insets(top: 0, leading: 40, bottom: 0, trailing: 40)
                geometry.addsSafeArea = false
            }
            scene.pin(outer)
            let inner = scene.add(.box, in: outer) { geometry, _ in
                geometry.preservesParentMargins = preserves
                geometry.addsSafeArea = false
            }
            scene.pin(inner, to: outer, distance)
            let box = scene.add(.box, in: inner)
            scene.rule(box, .leading, .equal, inner, .leading, area: .margins)
            scene.rule(box, .trailing, .equal, inner, .trailing, area: .margins)
            let own = Affine(preserves ? margin : 8)
            #expect(scene.plan.boxes[box]?.x.anchor == .both(own, own))
        }
    }

    @Test func `The margin of a screen reaches into views at its edge`() {
        var scene = SketchedScene()
        let inner = scene.add(.box) { geometry, _ in geometry.preservesParentMargins = true }
        scene.pin(inner)
        let box = scene.add(.box, in: inner)
        scene.rule(box, .leading, .equal, inner, .leading, area: .margins)
        guard case .start(let start) = scene.plan.boxes[box]?.x.anchor else {
            Issue.record("the box has no start")
            return
        }
        #expect(start.margin == 1)
    }

    // MARK: - Size classes

    @Test func `A rule that varies by size class has a plan for each`() {
        var scene = SketchedScene()
        let node = scene.add(.box)
        scene.rule(node, .leading, .equal, 0, .leading)
        scene.rule(
            node, .width, .equal, nil, nil, 100,
            variations: [RuleVariation(SizeClasses(width: .regular), constant: 300)])
        let plan = scene.plan
        #expect(plan.variants.count == 2)
        let lengths = plan.variants.map { $0.boxes[node]?.x.length }
        #expect(lengths == [.fixed(Affine(100)), .fixed(Affine(300))])
        #expect(plan.variants.map(\.classes.count) == [2, 2])
    }

    @Test func `Children that are grouped differently for size classes need a solver`() {
        var scene = SketchedScene()
        let (one, other) = (scene.add(.label), scene.add(.label))
        scene.rule(one, .top, .equal, 0, .top, 8)
        scene.rule(
            other, .top, .equal, one, .bottom, 8,
            variations: [RuleVariation(SizeClasses(width: .regular), constant: nil)])
        #expect(scene.plan.reason() == .classes)
    }
}

/// Goal: no scene makes a plan slow, deep or large. Method: scenes that try.
@Suite struct `A plan of a hostile scene` {
    @Test func `Rules in a circle need a solver and nothing else`() {
        var scene = SketchedScene()
        let nodes = (0..<3).map { _ in scene.add(.label) }
        for (place, node) in nodes.enumerated() { scene.rule(node, .top, .equal, nodes[(place + 1) % 3], .bottom, 8) }
        #expect(!scene.plan.boxes.isEmpty)
    }

    @Test func `Nodes that contain each other are planned once each`() {
        var scene = SketchedScene().scene
        var (one, other) = (Node(.box), Node(.box))
        one.children = [2, 2, 99, -4, 1]
        other.children = [1, 0]
        scene.nodes += [one, other]
        scene.nodes[0].children = [1]
        let plan = LayoutPlan(of: scene)
        #expect(plan.containers.count == 2 && plan.boxes.count == 2)
        for node in scene.nodes.indices {
            scene.nodes[node].look = Look(geometry: Geometry(), stack: StackGeometry())
        }
        #expect(LayoutPlan(of: scene).boxes.count == 2)
    }

    @Test func `Stacks may lie in each other 20,000 times`() {
        var scene = SketchedScene().scene
        for number in 0..<20_000 {
            scene.nodes[number].look = Look(geometry: Geometry(), stack: StackGeometry())
            scene.nodes[number].children = [number + 1]
            scene.nodes.append(Node(number == 19_999 ? .label : .box))
        }
        #expect(LayoutPlan(of: scene).item(1)?.shrinkRank == 1)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e308, -1e308])
    func `Constants and multipliers that are no numbers are harmless`(number: Double) {
        var scene = SketchedScene()
        let (one, other) = (scene.add(.label), scene.add(.label))
        scene.rule(one, .leading, .equal, 0, .leading, number)
        scene.rule(one, .top, .equal, 0, .top, 8, times: number)
        scene.rule(other, .top, .equal, one, .bottom, number)
        scene.rule(other, .width, .equal, one, .width, number, times: number)
        scene.rule(other, .height, .equal, other, .width, number, times: number)
        scene.rule(other, .leading, .equal, 0, .leading, 1, priority: Float(number))
        for box in scene.plan.boxes.values {
            for extent in [box.x, box.y] {
                if case .start(let start) = extent.anchor { #expect(start.value(in: 375).isFinite) }
                if case .fixed(let length) = extent.length { #expect(length.value(in: 375).isFinite) }
            }
        }
    }

    @Test func `A column of 10,000 texts is planned in linear time`() {
        func duration(_ count: Int) -> Duration {
            var scene = SketchedScene()
            var before = SketchedScene.root
            for _ in 0..<count {
                let node = scene.add(.label)
                scene.rule(node, .leading, .equal, 0, .leading, 16)
                scene.rule(node, .top, .equal, before, before == 0 ? .top : .bottom, 8)
                before = node
            }
            let made = scene
            return ProcessorTime.spent { #expect(made.plan.containers[0]?.wrappers.count == 1) }
        }
        let small = duration(1_000)
        #expect(duration(10_000) < small * 40 + .milliseconds(200))
    }

    @Test func `2,000 contradicting rules are read once each`() {
        var scene = SketchedScene()
        let node = scene.add(.label)
        for number in 0..<2_000 {
            scene.rule(node, .leading, .equal, 0, .leading, Double(number), priority: Float(number % 1_000 + 1))
        }
        let plan = scene.plan
        #expect(plan.boxes[node]?.x.anchor == .start(Affine(999)))
    }

    @Test func `Layers in layers end at a limit`() {
        var scene = SketchedScene()
        var above = scene.add(.label)
        scene.rule(above, .top, .equal, 0, .top)
        for _ in 0..<200 {
            let (one, other) = (scene.add(.label), scene.add(.label))
            scene.rule(one, .top, .equal, above, .bottom)
            scene.rule(other, .top, .equal, above, .bottom)
            above = other
        }
        #expect(scene.plan.reason() == .depth)
    }
}
