internal import WidgetCore

/// Solves the rules of one part of a screen, and gives its boxes their frames.
struct SystemSolver {
    private(set) var system: LayoutSystem
    private let forms: RuleForms
    private let part: SceneRules.Part
    /// Of both axes together where rules mix them; else each axis has one.
    private var horizontal: [LevelRule] = []
    private var vertical: [LevelRule] = []
    private var keepsSizesPositive = false
    /// By box: true for a text that makes its row higher (``StackRules/keepsLines(_:_:_:)``).
    private var keepsLines: [Bool] = []
    private var rooms: RowRooms?
    private var shortRows = RowRooms.ShortRows()

    /// The faults and the cost of one solving.
    struct Outcome {
        var conflicts: [LevelConflict] = []
        var conflictCount = 0
        var unusable: [Int] = []
        var isExhausted = false
        var work = 0
        /// Boxes with rules that do not decide their place, each along an axis.
        var undecided: [(box: Int, axis: Axis)] = []
    }

    private(set) var outcome = Outcome()

    /// The level of what an author drew, below all that rules can have.
    static let drawn: Float = 0.5
    /// Rows are as low as their content allows.
    static let fitting: Float = 50
    /// Lengths are not negative, unless required rules want it.
    static let positive: Float = 999.999
    /// The part of a level by which a child of a stack hugs its content less than another one resists.
    static let looseness: Float = 0.45
    /// The resistance of controls of one size.
    static let rigid: Float = 999

    init(_ system: LayoutSystem) {
        self.system = system
        forms = RuleForms(system)
        part = system.rules.part(system.boxes[0].node) ?? SceneRules.Part()
    }

    /// Turns in which texts, safe areas and lengths may still change each other.
    private static let turns = 4

    mutating func solve(_ sizes: inout ContentSizes, budget: SolverBudget) {
        for turn in 0..<SystemSolver.turns {
            let before = system.boxes.map { $0.frame }
            collect(&sizes)
            run(.horizontal, &sizes, budget)
            let areShort = rooms?.update(&shortRows, system) ?? false
            if !part.mixesAxes { run(.vertical, &sizes, budget) }
            let wasPositive = keepsSizesPositive
            keepsSizesPositive = keepsSizesPositive || hasNegativeSize
            var isOver = keepsSizesPositive == wasPositive
            if areShort { isOver = false }
            if part.hasAreas, updateAreas() { isOver = false }
            if system.updateScrollInsets() { isOver = false }
            if part.mixesAxes, turn == 0 || zip(before, system.boxes).contains(where: { $0 != $1.frame }) {
                isOver = false
            }
            if isOver || outcome.isExhausted { break }
        }
    }

    private var hasNegativeSize = false

    // MARK: - Rules

    private mutating func collect(_ sizes: inout ContentSizes) {
        outcome = Outcome(work: outcome.work)
        hasNegativeSize = false
        (horizontal, vertical) = ([], [])
        let isTogether = part.mixesAxes
        measure(&sizes, width: { isTogether ? $0.frame.width : .infinity })
        if system.surroundings.height == nil { addFitting() }
        let arranged = system.arranged
        keepsLines = Array(repeating: false, count: system.boxes.count)
        for index in system.boxes.indices where StackRules.keepsLines(index, arranged[index], system) {
            for child in arranged[index] { keepsLines[child] = WeakestTexts.isText(system.boxes[child].kind) }
        }
        let rows = system.rows
        let yields = TextYields(system, arranged, rows)
        for index in system.boxes.indices.dropFirst() where system.boxes[index].isRuled {
            addPlace(of: index)
            addSize(of: index, .horizontal, yield: yields[index])
            if system.boxes[index].isScrolling { addScrolling(index) }
        }
        if system.boxes[0].isScrolling { addScrolling(0) }
        let rooms = RowRooms(system, arranged, rows, yields, &sizes)
        rooms.add(forms, shortRows) { add($0, .horizontal) }
        self.rooms = rooms
        for place in part.rules { add(system.scene.rules[place], tag: place) }
        for index in system.boxes.indices where system.boxes[index].isRuled && system.boxes[index].look?.stack != nil {
            let tag = RuleOrigin.stack.tag(index)
            StackRules(index, arranged, system, forms, widest: rooms.widest).add { rule, axis in
                var own = rule
                own.tag = tag
                add(own, axis)
            }
        }
    }

    private mutating func add(_ rule: LevelRule, _ axis: Axis) {
        if axis == .horizontal || part.mixesAxes { horizontal.append(rule) } else { vertical.append(rule) }
    }

    /// The intrinsic sizes, of widths that are known by then.
    private mutating func measure(_ sizes: inout ContentSizes, width: (LayoutSystem.Box) -> Double) {
        for index in system.boxes.indices.dropFirst() where system.boxes[index].isRuled {
            let box = system.boxes[index]
            guard let view = box.view else {
                let drawn = box.drawn.flatMap { [.label, .button, .image].contains(box.kind) ? $0 : nil }
                system.setText(index, nil, size: PartialSize(width: drawn?.width, height: drawn?.height))
                continue
            }
            let room = width(box)
            system.setText(
                index, sizes.text(of: view, box.look),
                size: sizes.size(of: view, box.look, width: room > 0 ? room : .infinity, frame: box.drawn))
        }
    }

    /// A row is as high as its content needs.
    private mutating func addFitting() {
        let height = forms.form(0, .height)
        add(height.plus(-system.surroundings.leastHeight).rule(.greaterOrEqual), .vertical)
        add(height.rule(level: SystemSolver.fitting), .vertical)
    }

    /// The rules of a mask, or of the part that a box plays in a row.
    private mutating func addPlace(of index: Int) {
        let box = system.boxes[index]
        let tag = RuleOrigin.mask.tag(index)
        let (x, width) = (forms.form(index, .x), forms.form(index, .width))
        let (y, height) = (forms.form(index, .y), forms.form(index, .height))
        if keepsSizesPositive {
            add(width.rule(.greaterOrEqual, level: SystemSolver.positive), .horizontal)
            add(height.rule(.greaterOrEqual, level: SystemSolver.positive), .vertical)
        }
        let isContent = system.boxes[box.parent].isScrolling
        let outer = (x: origin(box.parent, .x, isContent), y: origin(box.parent, .y, isContent))
        let length = (x: forms.form(box.parent, .width), y: forms.form(box.parent, .height))
        switch box.geometry?.role ?? .content {
        case .contentView, .background, .selectedBackground:
            let isContentView = box.geometry?.role == .contentView
            let accessory = isContentView ? system.accessoryWidth(of: box.parent) : 0
            let start = isContentView && system.isRightToLeft(box.parent) ? accessory : 0
            add((x - outer.x).plus(-start).rule(tag: tag), .horizontal)
            add((width - length.x).plus(accessory).rule(tag: tag), .horizontal)
            add((y - outer.y).rule(tag: tag), .vertical)
            add((height - length.y).rule(tag: tag), .vertical)
            return
        case .content, .header, .footer, .accessory: break
        }
        guard let springs = box.geometry?.springs, let drawn = box.drawn, !isArranged(index) else { return }
        let design = system.design(of: index)
        let across = SpringLine.horizontal(drawn, in: design, springs)
        let along = SpringLine.vertical(drawn, in: design, springs)
        add(
            (x - outer.x).plus(length.x, times: -across.start.share).plus(-across.start.constant).rule(tag: tag),
            .horizontal)
        add(width.plus(length.x, times: -across.size.share).plus(-across.size.constant).rule(tag: tag), .horizontal)
        add(
            (y - outer.y).plus(length.y, times: -along.start.share).plus(-along.start.constant).rule(tag: tag),
            .vertical)
        add(height.plus(length.y, times: -along.size.share).plus(-along.size.constant).rule(tag: tag), .vertical)
    }

    /// True for children of a stack, which places them without regard to their masks.
    private func isArranged(_ index: Int) -> Bool { system.boxes[system.boxes[index].parent].look?.stack != nil }

    private func origin(_ box: Int, _ part: RuleForms.Part, _ isContent: Bool) -> LinearForm {
        forms.form(box, part, content: isContent)
    }

    /// Hugging and resistance of a box with an intrinsic size.
    ///
    /// - Parameter yield: the part of a level by which it resists less than others (``TextYields``).
    private mutating func addSize(of index: Int, _ axis: Axis, yield: Float = 0) {
        let box = system.boxes[index]
        let isHorizontal = axis == .horizontal
        guard let size = isHorizontal ? box.size.width : box.size.height, box.look?.stack == nil else { return }
        // A mask decides already.
        if box.geometry?.springs != nil, box.drawn != nil, !isArranged(index) { return }
        let hugging = box.geometry?.hugging ?? Priorities.hugging
        let resistance = box.geometry?.resistance ?? Priorities.resistance
        let form = forms.form(index, isHorizontal ? .width : .height).plus(-size)
        // A switch has one size.
        var own = isHorizontal ? resistance.horizontal : resistance.vertical
        if own < LevelRule.required { own -= yield }
        let tag = RuleOrigin.content.tag(index)
        if !isHorizontal, keepsLines[index] { own = max(own, SystemSolver.rigid) }
        add(form.rule(.greaterOrEqual, level: box.kind.hasOneSize ? SystemSolver.rigid : own, tag: tag), axis)
        var tight = isHorizontal ? hugging.horizontal : hugging.vertical
        if box.kind.hasOneSize { tight = max(tight, Priorities.ofOneSize) }
        // A stack rather stretches one child than cuts off another.
        if tight < LevelRule.required, isArranged(index) { tight -= SystemSolver.looseness }
        add(form.rule(.lessOrEqual, level: tight, tag: tag), axis)
    }

    /// The content of a box that scrolls begins behind its insets.
    private mutating func addScrolling(_ index: Int) {
        let inset = system.boxes[index].scrollInset
        let (x, y) = (forms.form(index, .x, content: true), forms.form(index, .y, content: true))
        if system.isRightToLeft(index) {
            // What is read first is at the right, where it is seen before a person scrolls.
            let (end, around) = (
                x.plus(forms.form(index, .width, content: true), times: 1),
                forms.form(index, .x).plus(forms.form(index, .width), times: 1)
            )
            add((around - end).plus(-inset.right).rule(), .horizontal)
        } else {
            add((x - forms.form(index, .x)).plus(-inset.left).rule(), .horizontal)
        }
        add((y - forms.form(index, .y)).plus(-inset.top).rule(), .vertical)
        let size = system.boxes[index].look?.scrolling?.contentSize
        let (width, height) = (
            forms.form(index, .width, content: true), forms.form(index, .height, content: true)
        )
        if let size {
            add(width.plus(-size.width).rule(level: SystemSolver.drawn), .horizontal)
            add(height.plus(-size.height).rule(level: SystemSolver.drawn), .vertical)
        } else {
            add((width - forms.form(index, .width)).rule(level: SystemSolver.drawn), .horizontal)
        }
    }

    // MARK: - Authored rules

    private mutating func add(_ rule: LayoutRule, tag: Int) {
        // A rule holds for each item that its nodes are made for.
        let (first, second) = (system.copies[rule.first.node], rule.second.flatMap { system.copies[$0.node] })
        guard first != nil || second != nil else { return addOnce(rule, tag: tag) }
        let isFirst = first?.count ?? 0 >= second?.count ?? 0
        for index in (isFirst ? first : second) ?? [] {
            system.choose(index, beside: isFirst ? rule.second?.node : rule.first.node)
            addOnce(rule, tag: tag)
        }
    }

    private mutating func addOnce(_ rule: LayoutRule, tag: Int) {
        var constant = rule.constant
        if let variation = rule.variations.last(where: { $0.classes.fits(system.viewport.sizeClasses) }) {
            guard let own = variation.constant else { return }
            constant = own
        }
        if let node = rule.node, let given = system.surroundings.constants[node] { constant = given }
        guard rule.priority > 0, let first = system.places[rule.first.node] else { return }
        let isRightToLeft = system.isRightToLeft(first)
        // From right to left, what is farther along has the smaller x.
        let isReversed = isRightToLeft && [.leading, .trailing].contains(rule.attribute)
        if isReversed { constant = -constant }
        var form: LinearForm
        if let item = rule.second, let attribute = rule.secondAttribute {
            guard let second = system.places[item.node] else { return }
            form = self.form(rule.first, rule.attribute, beside: second, isRightToLeft)
            form = form.plus(
                self.form(item, attribute, beside: first, isRightToLeft), times: -rule.multiplier)
        } else {
            form = self.form(rule.first, rule.attribute, beside: nil, isRightToLeft)
        }
        let relation: LevelRule.Relation =
            switch rule.relation {
            case .lessOrEqual: isReversed ? .greaterOrEqual : .lessOrEqual
            case .equal: .equal
            case .greaterOrEqual: isReversed ? .lessOrEqual : .greaterOrEqual
            }
        add(
            form.plus(-constant).rule(relation, level: min(rule.priority, LevelRule.required), tag: tag),
            rule.attribute.axis)
    }

    /// - Parameter other: the box at the other end of the rule.
    private func form(
        _ item: LayoutRule.Item, _ attribute: LayoutRule.Attribute, beside other: Int?, _ isRightToLeft: Bool
    ) -> LinearForm {
        guard let index = system.places[item.node] else { return LinearForm() }
        let isLength = attribute == .width || attribute == .height
        let isCenter = attribute == .centerX || attribute == .centerY
        let box = system.boxes[index]
        if item.area == .topGuide || item.area == .bottomGuide { return guide(item.area, index, attribute) }
        // For what lies in it, the edges of a box that scrolls are those of its content.
        let isContent =
            item.area == .scrollContent
            || item.area == .bounds && box.isScrolling && !isLength && !isCenter
                && other.map { system.isInside($0, index) } ?? false
        return forms.form(
            index, attribute, insets(index, item.area), content: isContent, isRightToLeft: isRightToLeft,
            baseline: baseline(box, attribute))
    }

    /// A guide reaches from the edge of the screen to the end of what covers it.
    private func guide(_ area: LayoutRule.Area, _ index: Int, _ attribute: LayoutRule.Attribute) -> LinearForm {
        let safe = system.boxes[index].safe
        let isTop = area == .topGuide
        let inset = isTop ? safe.top : safe.bottom
        switch attribute {
        case .height: return LinearForm(constant: inset)
        case .top where !isTop: return forms.form(index, .bottom).plus(-inset)
        case .bottom where isTop: return forms.form(index, .top).plus(inset)
        case .centerY:
            return forms.form(index, isTop ? .top : .bottom).plus(isTop ? inset / 2 : -inset / 2)
        case .top, .bottom, .left, .right, .leading, .trailing, .width, .centerX, .firstBaseline, .lastBaseline:
            return forms.form(index, attribute)
        }
    }

    private func insets(_ index: Int, _ area: LayoutRule.Area) -> AreaInsets {
        switch area {
        case .bounds, .scrollContent, .scrollFrame, .topGuide, .bottomGuide: return AreaInsets()
        case .safeArea: return system.boxes[index].safe
        case .margins: return margins(index)
        case .readable:
            let width = index == 0 ? system.surroundings.width : system.boxes[index].frame.width
            return margins(index).readable(inWidth: width, textSize: system.viewport.textSize)
        }
    }

    private func margins(_ index: Int) -> AreaInsets { system.margins(index) }

    // MARK: - Solving

    private mutating func run(_ axis: Axis, _ sizes: inout ContentSizes, _ budget: SolverBudget) {
        if axis == .vertical || part.mixesAxes {
            if axis == .vertical { measure(&sizes, width: { $0.frame.width }) }
            for index in system.boxes.indices.dropFirst() where system.boxes[index].isRuled {
                addSize(of: index, .vertical)
            }
            if axis == .vertical { addBaselines() }
        }
        let rules = axis == .horizontal ? horizontal : vertical
        var rest = budget
        rest.termCount = max(budget.termCount - outcome.work, 1)
        var solver = LevelSolver(variables: forms.count, budget: rest)
        solver.add(rules)
        let axes: [Axis] = part.mixesAxes ? [.horizontal, .vertical] : [axis]
        for axis in axes { decide(axis, &solver) }
        for axis in axes { read(axis, &solver) }
        outcome.work += solver.work
        outcome.isExhausted = outcome.isExhausted || solver.isExhausted
        outcome.unusable += solver.unusable
        outcome.conflictCount += solver.conflictCount
        if solver.conflictCount > 0 {
            var tracing = LevelSolver(variables: forms.count, budget: rest, isTracing: true)
            tracing.add(rules.filter { $0.level >= LevelRule.required })
            outcome.conflicts += tracing.conflicts
            outcome.work += tracing.work
        }
    }

    /// Rules of baselines depend on the heights of texts, which depend on widths: they are made anew by now.
    private mutating func addBaselines() {
        let tags = Set(
            part.rules.filter { place in
                let rule = system.scene.rules[place]
                return [rule.attribute, rule.secondAttribute ?? rule.attribute].contains {
                    $0 == .firstBaseline || $0 == .lastBaseline
                }
            })
        guard !tags.isEmpty else { return }
        vertical.removeAll { tags.contains($0.tag) }
        for tag in tags.sorted() { add(system.scene.rules[tag], tag: tag) }
    }

    /// Fills in what rules leave open: sizes first, and boxes before those that follow from them. A box that its content keeps
    /// at a distance is as small as the content lets it be, others are as they were drawn, and content that scrolls is as high as
    /// its view.
    private mutating func decide(_ axis: Axis, _ solver: inout LevelSolver) {
        let parts: [RuleForms.Part] = axis == .horizontal ? [.width, .x] : [.height, .y]
        let held = heldBoxes(axis)
        var undecided: Set<Int> = []
        // Those inside first, so that none is stretched for the drawn size of one around it.
        for index in held.sorted(by: >) where index > 0 && system.boxes[index].isRuled {
            guard !solver.isDecided(forms.variable(index, parts[0])) else { continue }
            undecided.insert(index)
            solver.add([forms.form(index, parts[0]).rule(level: SystemSolver.drawn)])
        }
        for index in system.boxes.indices.dropFirst() where system.boxes[index].isRuled {
            let box = system.boxes[index]
            var isOpen = undecided.contains(index)
            for part in parts where !solver.isDecided(forms.variable(index, part)) {
                isOpen = true
                var form = forms.form(index, part).plus(-(box.drawn ?? .zero)[part])
                if part == .x || part == .y { form = form - forms.form(box.parent, part) }
                solver.add([form.rule(level: SystemSolver.drawn)])
            }
            // What there was no time to decide is not the author's fault.
            if isOpen, !solver.isExhausted, box.view != nil, !isArranged(index), box.look?.stack == nil,
                system.rules.isNamed(box.node, axis), !isFetched(box)
            {
                outcome.undecided.append((index, axis))
            }
        }
        guard axis == .vertical else { return }
        for index in system.boxes.indices where system.boxes[index].isScrolling {
            let height = forms.form(index, .height, content: true)
            guard let content = forms.contents[index], !solver.isDecided(content + RuleForms.Part.height.rawValue)
            else { continue }
            solver.add([(height - forms.form(index, .height)).rule(level: SystemSolver.drawn)])
        }
    }

    /// True for a picture that comes later, and is without a size until then.
    private func isFetched(_ box: LayoutSystem.Box) -> Bool {
        guard box.kind == .image, let node = system.scene.node(box.node) else { return false }
        return node[.image]?.literal == nil && (node[.image] != nil || node[.imageURL] != nil)
    }

    /// The boxes whose ends rules keep at a distance from what lies in them.
    private func heldBoxes(_ axis: Axis) -> Set<Int> {
        var held: Set<Int> = []
        for place in part.rules {
            let rule = system.scene.rules[place]
            guard rule.relation != .equal, rule.attribute.axis == axis, let item = rule.second,
                let attribute = rule.secondAttribute, let first = system.places[rule.first.node],
                let second = system.places[item.node]
            else { continue }
            if attribute.edge == .end, system.boxes[first].parent == second { held.insert(second) }
            if rule.attribute.edge == .end, system.boxes[second].parent == first { held.insert(first) }
        }
        return held
    }

    private mutating func read(_ axis: Axis, _ solver: inout LevelSolver) {
        let (start, length): (RuleForms.Part, RuleForms.Part) = axis == .horizontal ? (.x, .width) : (.y, .height)
        if system.surroundings.height == nil, axis == .vertical {
            var frame = system.boxes[0].frame
            frame.height = solver.value(forms.variable(0, .height)) ?? system.surroundings.leastHeight
            system.set(0, frame)
        }
        for index in system.boxes.indices where system.boxes[index].isRuled {
            if let first = forms.contents[index] {
                var content = system.boxes[index].content ?? .zero
                content[start] = solver.value(first + start.rawValue) ?? 0
                content[length] = solver.value(first + length.rawValue) ?? 0
                system.set(index, system.boxes[index].frame, content: content)
            }
            guard index > 0 else { continue }
            let drawn = system.boxes[index].drawn ?? .zero
            var frame = system.boxes[index].frame
            frame[start] = solver.value(forms.variable(index, start)) ?? drawn[start]
            let size = solver.value(forms.variable(index, length)) ?? drawn[length]
            if size < -LevelTableau.slack { hasNegativeSize = true }
            frame[length] = size
            system.set(index, frame, content: system.boxes[index].content)
        }
    }

    /// The safe areas and inherited margins of boxes within, now that their places are known.
    private mutating func updateAreas() -> Bool {
        var hasChanged = false
        let screen = system.boxes[0].frame
        for index in system.boxes.indices.dropFirst() where system.boxes[index].isRuled {
            let safe = AreaInsets.covered(system.boxes[index].frame, in: screen, by: system.surroundings.safe)
            if safe != system.boxes[index].safe {
                hasChanged = true
                system.setSafe(index, safe)
            }
            guard system.boxes[index].geometry?.preservesParentMargins ?? false else { continue }
            let parent = system.boxes[index].parent
            let margins = AreaInsets.inherited(
                system.margins(parent), from: system.boxes[parent].frame, into: system.boxes[index].frame)
            if margins != system.boxes[index].inherited {
                hasChanged = true
                system.setInherited(index, margins)
            }
        }
        return hasChanged
    }
}

extension Frame {
    fileprivate subscript(_ part: RuleForms.Part) -> Double {
        get {
            switch part {
            case .x: x
            case .y: y
            case .width: width
            case .height: height
            }
        }
        set {
            switch part {
            case .x: x = newValue
            case .y: y = newValue
            case .width: width = newValue
            case .height: height = newValue
            }
        }
    }
}
