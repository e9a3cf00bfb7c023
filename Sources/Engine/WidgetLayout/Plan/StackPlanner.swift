internal import WidgetCore

/// Plans a stack view: its children follow each other along an axis, and the stack shares out the room.
struct StackPlanner {
    private let scene: Scene
    private let children: [NodeID]
    private let stack: StackGeometry
    private let rules: EdgeRules
    private let weakestTexts: WeakestTexts
    private let loosestParts: LoosestParts
    private let fitsWidth: Bool
    private let fitsHeight: Bool

    init(
        _ scene: Scene, _ children: [NodeID], _ stack: StackGeometry, _ rules: EdgeRules,
        _ weakestTexts: WeakestTexts, _ loosestParts: LoosestParts, fitsWidth: Bool, fitsHeight: Bool
    ) {
        self.scene = scene
        self.children = children
        self.stack = stack
        self.rules = rules
        self.weakestTexts = weakestTexts
        self.loosestParts = loosestParts
        self.fitsWidth = fitsWidth
        self.fitsHeight = fitsHeight
    }

    func plan() -> ContainerPlanner.Planned {
        if let reason {
            return ContainerPlanner.Planned(
                container: .solved(reason, children, fitsWidth: fitsWidth, fitsHeight: fitsHeight),
                boxes: Dictionary(uniqueKeysWithValues: children.map { ($0, .drawn(scene.nodes[$0].frame)) }))
        }
        var planned = PlannedContainer(form: .stack(stack))
        planned.fitsWidth = fitsWidth
        planned.fitsHeight = fitsHeight
        planned.arrangement = children.map { .node($0) }
        var boxes = children.map { _ in PlannedBox(.filling, .filling) }
        for place in children.indices { boxes[place] = box(place) }
        read(rules.x, isMain: stack.axis == .horizontal, .horizontal, &boxes)
        read(rules.y, isMain: stack.axis == .vertical, .vertical, &boxes)
        for rule in rules.ratios where rule.ratio.isFinite && rule.ratio > 0 && rule.constant == 0 {
            boxes[rule.child].ratio = rule.ratio
            if case .fixed = boxes[rule.child].y.length {
                boxes[rule.child].x.length = .ratio
            } else {
                boxes[rule.child].y.length = .ratio
            }
        }
        if stack.alignment == .fill { keepThickness(&boxes) }
        grow(&boxes)
        shrink(&boxes)
        return ContainerPlanner.Planned(
            container: planned, boxes: Dictionary(uniqueKeysWithValues: zip(children, boxes)))
    }

    private var reason: SolvedReason? {
        if stack.distribution == .equalCentering, children.count > 2 { return .equalCentering }
        return rules.hasDistantRule ? .distantRule : nil
    }

    // MARK: - One child

    private func box(_ place: Int) -> PlannedBox {
        let item = FlowItem()
        var cross = cross(children[place])
        if cross.length == .content, let drawn = drawnLength(children[place]) { cross.length = .fixed(Affine(drawn)) }
        if stack.axis == .vertical, cross.length == .content, isText(children[place]) {
            // A text beside an edge or in the middle gets no wider than its column.
            if case .end = cross.anchor { cross.startLimit = .zero } else { cross.endLimit = .zero }
        }
        let main = Extent(.start(.zero), .content)
        return stack.axis == .horizontal
            ? PlannedBox(main, cross, .item(item)) : PlannedBox(cross, main, .item(item))
    }

    /// The length across the stack of an element that has no content which makes it as long.
    private func drawnLength(_ child: NodeID) -> Double? {
        let node = scene.nodes[child]
        let across: Axis = stack.axis == .horizontal ? .vertical : .horizontal
        guard [.slider, .progress, .box].contains(node.kind), node.children.isEmpty,
            !IntrinsicSize.exists(node.kind, across, node.look)
        else { return nil }
        return (across == .horizontal ? node.frame?.width : node.frame?.height).map(Affine.bounded)
    }

    private func cross(_ child: NodeID) -> Extent {
        switch stack.alignment {
        case .fill: scene.nodes[child].kind.hasOneSize ? Extent(.start(.zero), .content) : .filling
        case .leading: Extent(.start(.zero), .content)
        case .trailing: Extent(.end(.zero), .content)
        case .center: Extent(.center(.zero), .content)
        case .firstBaseline: stack.axis == .vertical ? .filling : Extent(.baseline(last: false), .content)
        case .lastBaseline: stack.axis == .vertical ? .filling : Extent(.baseline(last: true), .content)
        }
    }

    /// Lengths that rules give; a stack itself decides places.
    private func read(
        _ rules: [EdgeRule], isMain: Bool, _ axis: Axis, _ boxes: inout [PlannedBox]
    ) {
        var weight: [Int: Float] = [:]
        for rule in rules.sorted(by: { $0.priority < $1.priority }) where rule.attribute == .length {
            defer { if rule.relation != .equal { weight[rule.child] = rule.priority } }
            switch (rule.other, rule.relation) {
            case (.length(let length), .equal):
                boxes[rule.child][axis].length = .fixed(rule.multiplier * length + rule.constant)
                // Bounds of less weight, which came before, give way.
                if rule.priority > weight[rule.child] ?? rule.priority {
                    boxes[rule.child][axis].least = nil
                    boxes[rule.child][axis].most = nil
                }
            case (.length(let length), .greaterOrEqual):
                boxes[rule.child][axis].least = rule.multiplier * length + rule.constant
            case (.length(let length), .lessOrEqual):
                boxes[rule.child][axis].most = rule.multiplier * length + rule.constant
            case (.child(let other, _), .equal):
                guard isMain, rule.multiplier > 0 else { continue }
                share(rule.child, other, rule.multiplier, &boxes)
            case (.child, _): continue
            }
        }
    }

    /// Equal lengths along the stack are equal shares of its room.
    private func share(_ child: Int, _ other: Int, _ factor: Double, _ boxes: inout [PlannedBox]) {
        guard case .item(var one) = boxes[child].placement, case .item(var two) = boxes[other].placement else { return }
        two.grows = true
        one.grows = true
        one.growth = Affine.bounded(two.growth * factor)
        (one.isShare, two.isShare) = (!fitsLength, !fitsLength)
        boxes[child].placement = .item(one)
        boxes[other].placement = .item(two)
        for place in [child, other] { setMain(.fill, place, &boxes) }
    }

    private func setMain(_ length: Extent.Length, _ place: Int, _ boxes: inout [PlannedBox]) {
        if stack.axis == .horizontal { boxes[place].x.length = length } else { boxes[place].y.length = length }
    }

    /// A row is as high as the highest child whose height a rule says, and so are the others; texts can make it higher.
    private func keepThickness(_ boxes: inout [PlannedBox]) {
        let across: Axis = stack.axis == .horizontal ? .vertical : .horizontal
        let fixed = boxes.compactMap { box -> Double? in
            if case .fixed(let length) = box[across].length, length.isConstant { length.constant } else { nil }
        }
        guard stack.axis == .horizontal, let most = fixed.max() else { return }
        // A control of one size makes it thicker.
        let least = children.compactMap { scene.nodes[$0].kind.onlyHeight }.max() ?? 0
        for place in boxes.indices where boxes[place][across].length == .fill && !isText(children[place]) {
            boxes[place][across].length = .fixed(Affine(max(most, least)))
        }
    }

    // MARK: - The room

    private func grow(_ boxes: inout [PlannedBox]) {
        switch stack.distribution {
        case .equalSpacing, .equalCentering: return
        case .fillEqually:
            let open = open(boxes)
            guard open.contains(where: { !scene.nodes[children[$0]].kind.hasOneSize }) else { return }
            if fitsLength || open.count == children.count, share(&boxes) { return }
            for place in open {
                setGrowth(1, place, isShare: !fitsLength, &boxes)
                setMain(.fill, place, &boxes)
            }
        case .fillProportionally:
            for place in open(boxes) {
                let frame = scene.nodes[children[place]].frame
                let length = (stack.axis == .horizontal ? frame?.width : frame?.height) ?? 1
                setGrowth(max(Affine.bounded(length), 1), place, &boxes)
            }
        case .fill: growLoosest(&boxes)
        }
    }

    /// Children that are equally long lie in tracks: in a stack that is as long as its content all as long as the longest, or as
    /// the one that has a length of its author's. Controls of one size do not fill theirs (``StackRules``).
    ///
    /// - Returns: false if lengths differ.
    private func share(_ boxes: inout [PlannedBox]) -> Bool {
        let axis = stack.axis
        var fixed: Affine?
        for box in boxes {
            switch box[axis].length {
            case .fixed(let length) where fixed == nil || fixed == length: fixed = length
            case .fixed, .ratio: return false
            case .content, .fill: break
            }
        }
        for place in boxes.indices {
            boxes[place].placement = .track
            // A control of one size is as long as it is drawn.
            if fixed == nil, scene.nodes[children[place]].kind.hasOneSize { continue }
            boxes[place][axis].anchor = fixed == nil ? .both(.zero, .zero) : .start(.zero)
            boxes[place][axis].length = fixed.map { .fixed($0) } ?? .fill
        }
        return true
    }

    /// The child that hugs its content least fills the room; the first of several.
    private func growLoosest(_ boxes: inout [PlannedBox]) {
        let open = open(boxes)
        guard Set(growing(boxes)).isDisjoint(with: open),
            open.contains(where: { !scene.nodes[children[$0]].kind.hasOneSize }),
            let loosest = open.min(by: { hugging($0) < hugging($1) })
        else { return }
        setGrowth(1, loosest, &boxes)
        let node = scene.nodes[children[loosest]]
        if !fitsLength, stack.axis == .horizontal, node.children.isEmpty,
            !IntrinsicSize.exists(node.kind, stack.axis, node.look)
        {
            setMain(.fill, loosest, &boxes)
        }
    }

    /// The children whose length along the stack no rule says.
    private func open(_ boxes: [PlannedBox]) -> [Int] {
        boxes.indices.filter { place in
            switch stack.axis == .horizontal ? boxes[place].x.length : boxes[place].y.length {
            case .fixed, .ratio: false
            case .content, .fill: true
            }
        }
    }

    private func hugging(_ place: Int) -> Float {
        let node = scene.nodes[children[place]]
        if node.look?.stack != nil { return loosestParts[children[place], stack.axis] }
        guard IntrinsicSize.exists(node.kind, stack.axis, node.look) else { return 0 }
        let own = (node.look?.geometry.hugging ?? Priorities.hugging)[stack.axis]
        return node.kind.hasOneSize ? max(own, Priorities.ofOneSize) : own
    }

    /// Texts in a row that is too short are shortened, those of the lowest resistance first, and none is left without room.
    /// Of the same resistance, they give way in the order of ``TextStrength``. A field that is as wide as what is typed gives
    /// way once no text can.
    private func shrink(_ boxes: inout [PlannedBox]) {
        guard stack.axis == .horizontal else { return }
        let strengths = children.enumerated().map { place, child -> TextStrength? in
            guard let resistance = weakestTexts[child] else { return nil }
            let node = scene.nodes[child]
            let strength = TextStrength(resistance, node.kind, node.look, place)
            if isText(child) { return strength }
            switch boxes[place].x.length {
            case .fixed, .ratio: return nil
            case .content, .fill: return strength
            }
        }
        let needs = needs(boxes, strengths.map { $0 != nil })
        var order = (byWords: [TextStrength](), byLines: strengths.compactMap { $0 }.sorted(by: >))
        // Of several parts with words, each would give its words for the line of a stronger one.
        let growing = growing(boxes)
        if needs.wordCount > 1, growing.count < 2, !growing.contains(where: isRepeated) {
            order = self.order(order.byLines, filling: growing.first.flatMap { strengths[$0] })
        }
        let ranks = Dictionary(uniqueKeysWithValues: (order.byWords + order.byLines).enumerated().map { ($1, $0 + 1) })
        let fields = boxes.indices.filter { isOpenField($0, boxes) }
        for place in fields {
            guard case .item(var item) = boxes[place].placement else { continue }
            item.shrinkRank = max(item.shrinkRank, 1)
            boxes[place].placement = .item(item)
        }
        for (place, strength) in strengths.enumerated() {
            guard let strength, case .item(var item) = boxes[place].placement else { continue }
            item.needs = needs
            item.keepsContent = !isText(children[place])
            let rank = ranks[strength] ?? 1
            item.shrinkRank = max(item.shrinkRank, rank + (fields.isEmpty ? 0 : 1))
            if rank <= order.byWords.count, boxes[place].x.least == nil, boxes[place].x.most == nil {
                item.lineRank = max(StackPlanner.lineRanks - rank + 1, 1)
            }
            boxes[place].placement = .item(item)
        }
    }

    private func growing(_ boxes: [PlannedBox]) -> [Int] {
        boxes.indices.filter { place in
            if case .item(let item) = boxes[place].placement { item.grows } else { false }
        }
    }

    /// The parts that begin with their words and grow to their lines, and those that begin with their lines and give way before
    /// any word breaks; the strongest of each first. A part that fills the row cannot have its line before it has all the rest, so
    /// that it begins with it, and so do those that are stronger; unless all others are.
    private func order(
        _ order: [TextStrength], filling: TextStrength?
    ) -> (byWords: [TextStrength], byLines: [TextStrength]) {
        guard let filling, filling != order.last else { return (order, []) }
        return (order.filter { $0 < filling }, order.filter { $0 >= filling })
    }

    /// True for a child that is made for each item of a list: those have the same part in the row.
    private func isRepeated(_ place: Int) -> Bool {
        guard let parent = scene.nodes[children[place]].parent, scene.nodes.indices.contains(parent) else {
            return false
        }
        return scene.nodes[parent].repetition != nil
    }

    /// The ranks of lines that pages tell from each other.
    private static let lineRanks = 5

    private func isOpenField(_ place: Int, _ boxes: [PlannedBox]) -> Bool {
        scene.nodes[children[place]].kind == .textField && boxes[place].x.length == .content
    }

    private func needs(_ boxes: [PlannedBox], _ givesWay: [Bool]) -> RowNeeds {
        var needs = RowNeeds(points: max(Affine.bounded(stack.spacing), 0) * Double(max(children.count - 1, 0)))
        for (place, child) in children.enumerated() {
            let node = scene.nodes[child]
            if case .fixed(let length) = boxes[place].x.length {
                needs.points += length.constant
            } else if givesWay[place] {
                needs.add(node.kind, node.look)
            } else {
                needs.points += RowNeeds.points(node.kind, node.look)
            }
        }
        needs.bound()
        return needs
    }

    private func isText(_ node: NodeID) -> Bool { WeakestTexts.isText(scene.nodes[node].kind) }

    /// True if the content decides how long the stack is: its children have no room to share.
    private var fitsLength: Bool { stack.axis == .horizontal ? fitsWidth : fitsHeight }

    private func setGrowth(_ growth: Double, _ place: Int, isShare: Bool = false, _ boxes: inout [PlannedBox]) {
        guard case .item(var item) = boxes[place].placement else { return }
        item.grows = true
        item.growth = growth
        item.isShare = isShare
        item.shrinkRank = 1
        boxes[place].placement = .item(item)
    }
}

/// For each text, and each stack that holds texts, the least resistance of a text against being made narrower.
struct WeakestTexts {
    private var resistances: [NodeID: Float] = [:]

    init(_ scene: Scene, _ tree: SceneTree) {
        for (node, part) in scene.nodes.enumerated() where WeakestTexts.isText(part.kind) {
            resistances[node] = (part.look?.geometry.resistance ?? Priorities.resistance).horizontal
        }
        // Those inside first.
        for stack in tree.containers.reversed() where scene.nodes[stack].look?.stack != nil {
            resistances[stack] = tree.children[stack].compactMap { resistances[$0] }.min()
        }
    }

    static func isText(_ kind: NodeKind) -> Bool { [.label, .button].contains(kind) }

    subscript(node: NodeID) -> Float? { resistances[node] }
}

/// For each stack, how much the content hugs that would be stretched first with it.
struct LoosestParts: Sendable {
    private var hugging: [NodeID: Priorities] = [:]

    init() {}

    init(_ scene: Scene, _ tree: SceneTree) {
        // Those inside first.
        for node in tree.containers.reversed() {
            guard let stack = scene.nodes[node].look?.stack else { continue }
            func of(_ child: NodeID, _ axis: Axis) -> Float {
                if let inner = hugging[child] { return inner[axis] }
                guard IntrinsicSize.exists(scene.nodes[child].kind, axis, scene.nodes[child].look) else { return 0 }
                return (scene.nodes[child].look?.geometry.hugging ?? Priorities.hugging)[axis]
            }
            func along(_ axis: Axis) -> Float {
                let all = tree.children[node].map { of($0, axis) }
                if axis == stack.axis {
                    let isFilled = stack.distribution == .fill || stack.distribution == .fillProportionally
                    return (isFilled ? all.min() : all.max()) ?? 0
                }
                guard stack.alignment == .fill, let most = all.max() else { return LoosestParts.thickness }
                // Several that hug alike are stretched after one.
                return most + LoosestParts.another * Float(min(all.count { $0 == most } - 1, 100))
            }
            hugging[node] = Priorities(horizontal: along(.horizontal), vertical: along(.vertical))
        }
    }

    /// The weight with which a stack is as thick as its content.
    private static let thickness: Float = 49
    private static let another: Float = 0.001

    subscript(node: NodeID, axis: Axis) -> Float { hugging[node]?[axis] ?? 0 }
}

extension Priorities {
    /// The least with which a control of one size keeps it: more than a spinner does, which is drawn in the middle of its room,
    /// and less than texts resist.
    static let ofOneSize: Float = 750.2

    subscript(axis: Axis) -> Float { axis == .horizontal ? horizontal : vertical }
}
