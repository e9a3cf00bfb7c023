internal import WidgetCore

/// Plans one container: its rules and its children's looks to boxes and wrappers.
struct ContainerPlanner {
    let scene: Scene
    let container: NodeID
    let children: [NodeID]
    let rules: EdgeRules
    let fitsWidth: Bool
    let fitsHeight: Bool
    let isScrolling: Bool
    /// True for a child whose own rules decide how long it is.
    let connects: (NodeID, Axis) -> Bool

    struct Planned {
        var container: PlannedContainer
        var boxes: [NodeID: PlannedBox]
    }

    func plan() -> Planned {
        if rules.hasDistantRule { return solved(.distantRule) }
        if rules.hasUnusualRule { return solved(.contentRatio) }
        var x = EdgeSolver(children.map { start($0, .horizontal) }, rules.x, fitsContent: fitsWidth)
        addRatios(&x, .horizontal, known: fixedLengths(rules.y))
        x.solve()
        var y = EdgeSolver(children.map { start($0, .vertical) }, rules.y, fitsContent: fitsHeight)
        addRatios(&y, .vertical, known: x.length)
        y.solve()
        var places = (x: AxisPlaces(x), y: AxisPlaces(y))
        var ratios = Array(repeating: nil as Double?, count: children.count)
        for rule in rules.ratios {
            guard settle(rule, scene.nodes[children[rule.child]].kind, x, y, &places, &ratios) else {
                return solved(.contentRatio)
            }
        }
        let flow = Flow(
            children.enumerated().map { place, node in
                let look = scene.nodes[node].look
                return Flow.Child(
                    node: node, kind: scene.nodes[node].kind, look: look, ratio: ratios[place],
                    hasContent: IntrinsicSize.exists(scene.nodes[node].kind, .horizontal, look),
                    hasHeight: IntrinsicSize.exists(scene.nodes[node].kind, .vertical, look)
                        || connects(node, .vertical))
            }, fitsWidth: fitsWidth, fitsHeight: fitsHeight, isScrolling: isScrolling)
        let parts = FlowBuilder(flow, Array(children.indices), places.x, places.y).build()
        if let reason = flow.reason { return solved(reason) }
        return planned(parts, flow)
    }

    // MARK: - Before rules

    private func start(_ node: NodeID, _ axis: Axis) -> EdgeSolver.Child {
        // A node has very many parts, so those that matter are taken one by one.
        let (kind, look, frame) = (scene.nodes[node].kind, scene.nodes[node].look, scene.nodes[node].frame)
        let isHorizontal = axis == .horizontal
        var springs: Extent?
        if let mask = look?.geometry.springs, let frame, let design = look?.geometry.design {
            springs = SpringPlan.extent(mask, frame: frame, design: design, axis)
        }
        let (ascent, descent) = isHorizontal ? (.zero, .zero) : IntrinsicSize.baseline(of: kind, look, frame)
        let priorities = look?.geometry.hugging ?? Priorities.hugging
        let hugging = isHorizontal ? priorities.horizontal : priorities.vertical
        return EdgeSolver.Child(
            hugging: IntrinsicSize.exists(kind, axis, look) ? hugging : nil, springs: springs, ascent: ascent,
            descent: descent, lines: lines(kind, look), ratioLength: nil, fitsContent: connects(node, axis),
            frame: isHorizontal
                ? (frame?.x ?? 0, frame?.width ?? 0) : (frame?.y ?? 0, frame?.height ?? 0))
    }

    private func lines(_ kind: NodeKind, _ look: Look?) -> EdgeSolver.Lines {
        switch kind {
        case .textField: .field
        case .button: .one
        case .label: look?.appearance.lines ?? 1 == 1 ? .one : .several
        default: .several
        }
    }

    /// The lengths that rules set to a number.
    private func fixedLengths(_ rules: [EdgeRule]) -> [Affine?] {
        var lengths: [Affine?] = Array(repeating: nil, count: children.count)
        for rule in rules where rule.relation == .equal && rule.attribute == .length {
            if case .length(let length) = rule.other, lengths[rule.child] == nil {
                lengths[rule.child] = rule.multiplier * length + rule.constant
            }
        }
        return lengths
    }

    // MARK: - Ratios

    /// A child of a known height has a known width, and the other way round.
    private func addRatios(_ solver: inout EdgeSolver, _ axis: Axis, known: [Affine?]) {
        for rule in rules.ratios where rule.ratio.isFinite && rule.ratio > 0 {
            if let length = known[rule.child], length.isConstant {
                let own =
                    axis == .horizontal
                    ? rule.ratio * length + Affine(Affine.bounded(rule.constant))
                    : (1 / rule.ratio) * (length - Affine(Affine.bounded(rule.constant)))
                solver.setRatio(rule.child, own, rule.priority)
            } else if axis == .vertical, known[rule.child] != nil {
                solver.setFitsContent(rule.child)
            }
        }
    }

    /// - Returns: false if both lengths depend on a text.
    private func settle(
        _ rule: RatioRule, _ kind: NodeKind, _ x: EdgeSolver, _ y: EdgeSolver,
        _ places: inout (x: AxisPlaces, y: AxisPlaces), _ ratios: inout [Double?]
    ) -> Bool {
        let child = rule.child
        switch (x.length[child], y.length[child]) {
        case (_?, _?): return true
        case (_?, nil): places.y.extents[child].length = y.hugs[child] ? .ratio : places.y.extents[child].length
        case (nil, _?): places.x.extents[child].length = x.hugs[child] ? .ratio : places.x.extents[child].length
        case (nil, nil): if IntrinsicSize.hasText(kind) { return false }
        }
        guard rule.constant == 0, rule.ratio.isFinite, rule.ratio > 0 else { return false }
        ratios[child] = rule.ratio
        return true
    }

    // MARK: - After rules

    private func planned(_ parts: [Flow.Part], _ flow: Flow) -> Planned {
        var planned = PlannedContainer(form: .boxes)
        planned.fitsWidth = fitsWidth
        planned.fitsHeight = fitsHeight
        planned.wrappers = flow.wrappers
        let frames = children.map { scene.nodes[$0].frame }
        let sorted = ReadingPlan.sorted(parts, frames)
        planned.arrangement = sorted.map { $0.arranged }
        let numbers = Dictionary(uniqueKeysWithValues: children.enumerated().map { ($1, $0) })
        if ReadingPlan.changesPaint(sorted, numbers, frames) {
            for part in sorted {
                var box = part.box
                box.paintOrder = part.first
                _ = flow.place(part, box)
            }
            planned.wrappers = flow.wrappers
        }
        var boxes: [NodeID: PlannedBox] = [:]
        boxes.reserveCapacity(children.count)
        for (place, node) in children.enumerated() { boxes[node] = flow.boxes[place] }
        return Planned(container: planned, boxes: boxes)
    }

    /// The children where they were drawn, until a solver says where they are.
    private func solved(_ reason: SolvedReason) -> Planned {
        Planned(
            container: .solved(reason, children, fitsWidth: fitsWidth, fitsHeight: fitsHeight),
            boxes: Dictionary(uniqueKeysWithValues: children.map { ($0, .drawn(scene.nodes[$0].frame)) }))
    }
}

extension PlannedContainer {
    static func solved(
        _ reason: SolvedReason, _ children: [NodeID], fitsWidth: Bool, fitsHeight: Bool
    ) -> PlannedContainer {
        var planned = PlannedContainer(form: .solved(reason))
        planned.fitsWidth = fitsWidth
        planned.fitsHeight = fitsHeight
        planned.arrangement = children.map { .node($0) }
        return planned
    }
}

extension PlannedBox {
    /// A box where its author drew it.
    static func drawn(_ frame: Frame?) -> PlannedBox {
        let frame = frame ?? .zero
        return PlannedBox(
            Extent(.start(Affine(Affine.bounded(frame.x))), .fixed(Affine(Affine.bounded(frame.width)))),
            Extent(.start(Affine(Affine.bounded(frame.y))), .fixed(Affine(Affine.bounded(frame.height)))))
    }
}

/// The order in which the parts of a container are read: from the top, and along lines.
enum ReadingPlan {
    static func sorted(_ parts: [Flow.Part], _ frames: [Frame?]) -> [Flow.Part] {
        guard parts.count > 1, parts.count <= ReadingOrder.sortedCount else { return parts }
        var sorted: [Flow.Part] = []
        for part in parts.sorted(by: { $0.first < $1.first }) {
            var place = sorted.count
            while place > 0, isBefore(frames[part.first], frames[sorted[place - 1].first]) { place -= 1 }
            sorted.insert(part, at: place)
        }
        return sorted
    }

    private static func isBefore(_ first: Frame?, _ second: Frame?) -> Bool {
        guard let one = first, let other = second else { return false }
        if ReadingOrder.isSameLine(one, other) { return one.x + one.width <= other.x + 1 }
        return one.y + one.height <= other.y + min(one.height, other.height) / 2 && one.y < other.y
    }

    /// True if two parts lie over each other and are read in another order than they are painted.
    static func changesPaint(_ parts: [Flow.Part], _ numbers: [NodeID: Int], _ frames: [Frame?]) -> Bool {
        let firsts = parts.map { $0.first }
        if zip(firsts, firsts.dropFirst()).allSatisfy({ $0 < $1 }) { return false }
        let areas = parts.map { part in
            nodes(of: [part.arranged]).compactMap { numbers[$0].flatMap { frames[$0] } }.reduce(nil, union)
        }
        for place in parts.indices {
            guard let area = areas[place] else { continue }
            for other in 0..<place where firsts[other] > firsts[place] {
                if let before = areas[other], overlaps(area, before) { return true }
            }
        }
        return false
    }

    private static func union(_ area: Frame?, _ frame: Frame) -> Frame? {
        guard let area else { return frame }
        let (x, y) = (min(area.x, frame.x), min(area.y, frame.y))
        return Frame(
            x: x, y: y, width: max(area.x + area.width, frame.x + frame.width) - x,
            height: max(area.y + area.height, frame.y + frame.height) - y)
    }

    private static func overlaps(_ one: Frame, _ other: Frame) -> Bool {
        one.x < other.x + other.width && other.x < one.x + one.width && one.y < other.y + other.height
            && other.y < one.y + one.height
    }

    /// The nodes of an arrangement, in its order.
    static func nodes(of arrangement: [Arranged]) -> [NodeID] {
        var nodes: [NodeID] = []
        var pending = Array(arrangement.reversed())
        while let part = pending.popLast() {
            switch part {
            case .node(let node): nodes.append(node)
            case .wrapper(_, let parts): pending.append(contentsOf: parts.reversed())
            }
        }
        return nodes
    }
}
