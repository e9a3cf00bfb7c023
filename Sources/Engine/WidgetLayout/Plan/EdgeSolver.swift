internal import WidgetCore

/// Places and lengths along one axis, found by following rules from what is known.
///
/// Rules apply in the order of their priorities, and each number is set once: a rule of a lower priority changes nothing
/// that a higher one has decided, and of rules that contradict each other the first holds. A child that has to be as
/// long as its content has a length that no plan knows. Its edges then are places that others can hang on.
struct EdgeSolver {
    /// A place in the container: so far from the container's start, or from an edge of a child that depends on content.
    struct Position {
        var base: Base
        var offset: Affine
    }

    enum Base: Hashable {
        case container
        case start(Int)
        case end(Int)
        case center(Int)

        var child: Int? {
            switch self {
            case .container: nil
            case .start(let child), .end(let child), .center(let child): child
            }
        }
    }

    /// A child before any rule is followed.
    struct Child {
        /// The priority of being as long as its content; `nil` for a child without content that has a length.
        var hugging: Float?
        /// The place and the length by its mask.
        var springs: Extent?
        /// The distance from the start to the line under the text, and from there to the end.
        var ascent: Affine
        var descent: Affine
        var lines = Lines.several
        var ratioLength: (length: Affine, priority: Float)?
        /// True if its own content decides its length where no rule does.
        var fitsContent: Bool
        var frame: (start: Double, length: Double)
    }

    /// The lines of text that a child can have.
    enum Lines: Sendable { case several, one, field }

    private(set) var children: [Child]
    let rules: [EdgeRule]
    /// True if its content decides how long the container is. Its end then is known from what lies before it, so that a
    /// place which hangs on the end is as open as the end of a text.
    let fitsContent: Bool
    /// True once no rule will say how long a child is between two ends.
    private var isSettling = false
    private(set) var start: [Position?]
    private(set) var end: [Position?]
    private(set) var center: [Position?]
    private(set) var length: [Affine?]
    /// True for a child that is as long as its content.
    private(set) var hugs: [Bool]
    private(set) var isPhysical: [Bool]
    /// The priority of the rule that each child's length, edges and middle came from; rules of more weight may bound them.
    private(set) var lengthLevel: [Float]
    private(set) var edgeLevel: [Float]
    private(set) var centerLevel: [Float]
    /// The priority of what is followed.
    private var level = LayoutRule.required
    /// True for a child that only inequalities hold, or none, so that content may move it.
    private(set) var isLoose: [Bool]
    /// Set where a text's line placed the child; true for the last line.
    private(set) var baseline: [Bool?]
    /// The rules of each child that apply by now.
    private var active: [[Int]]
    private(set) var isActive: [Bool]
    private var queue: [Int] = []
    private var isQueued: [Bool]

    init(_ children: [Child], _ rules: [EdgeRule], fitsContent: Bool = false) {
        self.children = children
        self.rules = rules.map { EdgeSolver.byMiddles($0, children) }
        self.fitsContent = fitsContent
        start = Array(repeating: nil, count: children.count)
        end = start
        center = start
        length = Array(repeating: nil, count: children.count)
        hugs = Array(repeating: false, count: children.count)
        isPhysical = hugs
        isLoose = hugs
        lengthLevel = Array(repeating: 0, count: children.count)
        (edgeLevel, centerLevel) = (lengthLevel, lengthLevel)
        baseline = Array(repeating: nil, count: children.count)
        active = Array(repeating: [], count: children.count)
        isQueued = Array(repeating: false, count: rules.count)
        isActive = isQueued
    }

    /// The line of a field is where its middle is, also if the field is stretched or higher with large text, and so is the only
    /// line of another element: their middles are as far from each other as their lines are tied.
    private static func byMiddles(_ rule: EdgeRule, _ children: [Child]) -> EdgeRule {
        guard case .child(let other, let line) = rule.other, rule.multiplier == 1, line.isBaseline,
            rule.attribute.isBaseline
        else { return rule }
        let (first, second) = (children[other], children[rule.child])
        guard first.lines != .several, second.lines != .several, first.lines == .field || second.lines == .field else {
            return rule
        }
        var middles = rule
        middles.attribute = .center
        middles.other = .child(other, .center)
        middles.constant = rule.constant + 0.5 * ((first.ascent - first.descent) - (second.ascent - second.descent))
        return middles
    }

    /// Gives a child a length that follows from its other axis.
    mutating func setRatio(_ child: Int, _ length: Affine, _ priority: Float) {
        if children[child].ratioLength == nil { children[child].ratioLength = (length, priority) }
    }

    mutating func setFitsContent(_ child: Int) { children[child].fitsContent = true }

    mutating func solve() {
        for (child, start) in children.enumerated() {
            guard let extent = start.springs, case .start(let place) = extent.anchor,
                case .fixed(let length) = extent.length
            else { continue }
            isPhysical[child] = extent.isPhysical
            self.length[child] = length
            setEdge(.start, child, Position(base: .container, offset: place))
        }
        solveLevels()
        settleLengths()
        settlePlaces()
    }

    // MARK: - By priority

    private enum Step {
        case rule(Int)
        case hug(Int)
        case ratio(Int)
    }

    private mutating func solveLevels() {
        var steps: [(priority: Float, order: Int, step: Step)] = []
        for (place, rule) in rules.enumerated() where rule.relation == .equal {
            steps.append((rule.priority, steps.count, .rule(place)))
        }
        for (child, start) in children.enumerated() where start.springs == nil {
            if let ratio = start.ratioLength { steps.append((ratio.priority, steps.count, .ratio(child))) }
            if let hugging = start.hugging { steps.append((hugging, steps.count, .hug(child))) }
        }
        steps.sort { $0.priority == $1.priority ? $0.order < $1.order : $0.priority > $1.priority }
        var sharesLeft = EdgeSolver.shareTurns
        for (place, step) in steps.enumerated() {
            level = step.priority
            switch step.step {
            case .rule(let rule): activate(rule)
            case .ratio(let child):
                if length[child] == nil, let ratio = children[child].ratioLength { setLength(child, ratio.length) }
            case .hug(let child):
                if sharesLeft > 0, place == 0 || steps[place - 1].priority != step.priority {
                    sharesLeft -= 1
                    shareRows()
                }
                hug(child)
            }
            follow()
        }
        shareRows()
    }

    /// Equal lengths in rows are looked for so many times; each takes time linear in the children.
    private static let shareTurns = 4

    private mutating func activate(_ rule: Int) {
        isActive[rule] = true
        active[rules[rule].child].append(rule)
        if case .child(let other, _) = rules[rule].other { active[other].append(rule) }
        enqueue(rule)
    }

    private mutating func enqueue(_ rule: Int) {
        guard !isQueued[rule] else { return }
        isQueued[rule] = true
        queue.append(rule)
    }

    mutating func follow() {
        while let rule = queue.popLast() {
            isQueued[rule] = false
            apply(rules[rule])
        }
    }

    private mutating func hug(_ child: Int) {
        guard length[child] == nil, !hugs[child], start[child] == nil || end[child] == nil else { return }
        hugs[child] = true
        derive(child)
        noteChange(child)
    }

    private mutating func noteChange(_ child: Int) {
        for rule in active[child] { enqueue(rule) }
    }

    // MARK: - One rule

    private mutating func apply(_ rule: EdgeRule) {
        if rule.attribute == .length {
            switch rule.other {
            case .length(let length): setLength(rule.child, rule.multiplier * length + rule.constant)
            case .child(let other, .length):
                if let length = length[other] {
                    setLength(rule.child, rule.multiplier * length + rule.constant)
                } else if let own = length[rule.child], rule.multiplier != 0 {
                    setLength(other, (1 / rule.multiplier) * (own - rule.constant))
                }
            case .child: break
            }
            return
        }
        switch rule.other {
        case .length(let place):
            let target = rule.multiplier * place + rule.constant
            self.place(rule.child, rule.attribute, at: Position(base: .container, offset: target), rule.isPhysical)
        case .child(let other, let attribute):
            if let position = position(other, attribute) {
                guard let target = moved(position, rule.multiplier, rule.constant) else { return }
                self.place(rule.child, rule.attribute, at: target, rule.isPhysical)
            } else if rule.multiplier != 0, let position = position(rule.child, rule.attribute) {
                let back = 1 / rule.multiplier
                guard let target = moved(position, back, -(back * rule.constant)) else { return }
                self.place(other, attribute, at: target, rule.isPhysical)
            }
        }
    }

    /// `nil` for a multiple of a place that depends on content.
    private func moved(_ position: Position, _ factor: Double, _ distance: Affine) -> Position? {
        if factor == 1 { return Position(base: position.base, offset: position.offset + distance) }
        guard position.base == .container else { return nil }
        return Position(base: .container, offset: factor * position.offset + distance)
    }

    private func position(_ child: Int, _ attribute: EdgeAttribute) -> Position? {
        switch attribute {
        case .start: start[child]
        case .end: end[child]
        case .center: center[child]
        case .firstBaseline:
            start[child].map { Position(base: $0.base, offset: $0.offset + children[child].ascent) }
        case .lastBaseline: end[child].map { Position(base: $0.base, offset: $0.offset - children[child].descent) }
        case .length: nil
        }
    }

    private mutating func place(_ child: Int, _ attribute: EdgeAttribute, at position: Position, _ physical: Bool) {
        if physical, start[child] == nil, end[child] == nil, center[child] == nil { isPhysical[child] = true }
        switch attribute {
        case .start, .end, .center: setEdge(attribute, child, position)
        case .firstBaseline:
            if start[child] == nil { baseline[child] = false }
            setEdge(.start, child, on(position, -children[child].ascent))
        case .lastBaseline:
            if end[child] == nil { baseline[child] = true }
            setEdge(.end, child, on(position, children[child].descent))
        case .length: break
        }
    }

    /// The edge of a text whose line is at a position. Beside a view whose line does not grow with the reader's text, the
    /// distance does not either.
    private func on(_ line: Position, _ distance: Affine) -> Position {
        var offset = line.offset + distance
        if line.offset.texts.isEmpty || distance.texts.isEmpty { offset.texts = [] }
        return Position(base: line.base, offset: offset)
    }

    private mutating func setEdge(_ attribute: EdgeAttribute, _ child: Int, _ position: Position) {
        guard self.position(child, attribute) == nil else { return }
        switch attribute {
        case .start: start[child] = position
        case .end: end[child] = position
        case .center: center[child] = position
        case .length, .firstBaseline, .lastBaseline: return
        }
        if attribute == .center { centerLevel[child] = level } else { edgeLevel[child] = max(edgeLevel[child], level) }
        derive(child)
        noteChange(child)
    }

    mutating func setLength(_ child: Int, _ length: Affine) {
        guard self.length[child] == nil, !hugs[child] else { return }
        self.length[child] = length
        lengthLevel[child] = level
        derive(child)
        noteChange(child)
    }

    /// Completes a child whose other edges follow from those that are known.
    private mutating func derive(_ child: Int) {
        if let length = length[child] {
            let half = 0.5 * length
            if fitsContent, start[child] == nil, let end = end[child], end.base == .container, end.offset.share != 0 {
                start[child] = Position(base: .start(child), offset: .zero)
                if center[child] == nil { center[child] = Position(base: .start(child), offset: half) }
                return
            }
            if start[child] == nil {
                start[child] =
                    end[child].map { Position(base: $0.base, offset: $0.offset - length) }
                    ?? center[child].map { Position(base: $0.base, offset: $0.offset - half) }
            }
            guard let start = start[child] else { return }
            if end[child] == nil { end[child] = Position(base: start.base, offset: start.offset + length) }
            if center[child] == nil { center[child] = Position(base: start.base, offset: start.offset + half) }
        } else if hugs[child] {
            guard start[child] != nil || end[child] != nil || center[child] != nil else { return }
            if start[child] == nil { start[child] = Position(base: .start(child), offset: .zero) }
            if end[child] == nil { end[child] = Position(base: .end(child), offset: .zero) }
            if center[child] == nil { center[child] = Position(base: .center(child), offset: .zero) }
        } else if let start = start[child], let end = end[child] {
            guard start.base == end.base else { return }
            if fitsContent, !isSettling, start.offset.share != end.offset.share { return }
            length[child] = end.offset - start.offset
            if center[child] == nil {
                center[child] = Position(base: start.base, offset: 0.5 * (start.offset + end.offset))
            }
        } else if let center = center[child], center.base == .container {
            if let start = start[child], start.base == .container {
                length[child] = 2 * (center.offset - start.offset)
            } else if let end = end[child], end.base == .container {
                length[child] = 2 * (end.offset - center.offset)
            } else {
                return
            }
            derive(child)
        }
    }
}

// MARK: - What rules leave open

extension EdgeSolver {
    /// Children without a length fit their content, or keep the length that they were drawn with.
    private mutating func settleLengths() {
        isSettling = true
        level = 0
        if fitsContent {
            for child in children.indices where length[child] == nil && !hugs[child] {
                derive(child)
                if length[child] != nil { noteChange(child) }
            }
            follow()
        }
        for child in children.indices where length[child] == nil && !hugs[child] {
            if start[child] != nil, end[child] != nil { continue }
            if children[child].fitsContent || children[child].hugging != nil {
                hugs[child] = true
                derive(child)
                noteChange(child)
            } else {
                setLength(child, Affine(Affine.bounded(children[child].frame.length)))
            }
            follow()
        }
    }

    /// Children without a place are as near as an inequality lets them be, or where they were drawn.
    private mutating func settlePlaces() {
        for rule in rules where rule.relation != .equal && rule.attribute != .length {
            let hasPlace = hasPlace(rule.child)
            if case .child(let other, _) = rule.other {
                guard hasPlace != self.hasPlace(other) else { continue }
                isLoose[hasPlace ? other : rule.child] = true
            } else if hasPlace {
                continue
            } else {
                isLoose[rule.child] = true
            }
            apply(rule)
            follow()
        }
        for child in children.indices where !hasPlace(child) {
            setEdge(
                .start, child, Position(base: .container, offset: Affine(Affine.bounded(children[child].frame.start))))
            follow()
        }
    }

    private func hasPlace(_ child: Int) -> Bool { start[child] != nil || end[child] != nil || center[child] != nil }
}
