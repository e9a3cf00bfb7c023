internal import WidgetCore

/// The places of a container's children along one axis: extents of those that hang on the container, and links between
/// those whose places depend on content.
struct AxisPlaces: Sendable {
    /// A child that follows another one, whose end depends on content.
    struct Link: Sendable {
        var from: Int
        var to: Int
        var gap: Affine
        var isElastic = false
    }

    /// A child whose place depends on another's, but does not follow it.
    struct Alignment: Sendable {
        enum Kind: Sendable { case start, end, center, both, baseline(last: Bool) }

        var leader: Int
        var child: Int
        var kind: Kind
        var offset: Affine
        var endOffset = Affine.zero
    }

    /// By child, what holds for it in the container, or in the thing that it is linked into.
    var extents: [Extent]
    var links: [Link] = []
    var alignments: [Alignment] = []
    /// True if the child's start, or its end, hangs on the container.
    private(set) var hangsAtStart: [Bool]
    private(set) var hangsAtEnd: [Bool]
    private(set) var hangsAtCenter: [Bool]
    /// True if both ends are given, at least one by another child.
    private(set) var isBetween: [Bool]
    /// True if nothing but inequalities says where the child is.
    let isLoose: [Bool]
    /// True if places that rules of more weight forbid would be kept.
    private(set) var breaksRule = false
    /// True if a rule compares lengths that depend on content.
    private(set) var comparesContent = false

    init(_ solved: EdgeSolver) {
        let count = solved.children.count
        isLoose = solved.isLoose
        extents = []
        extents.reserveCapacity(count)
        hangsAtStart = Array(repeating: false, count: count)
        (hangsAtEnd, hangsAtCenter, isBetween) = (hangsAtStart, hangsAtStart, hangsAtStart)
        var bounded: Set<Int> = []
        for rule in solved.rules where rule.attribute == .length && rule.relation == .lessOrEqual {
            bounded.insert(rule.child)
        }
        for child in 0..<count {
            var extent = AxisPlaces.extent(of: child, in: solved, isBounded: bounded.contains(child))
            extent.isPhysical = solved.isPhysical[child]
            extents.append(extent)
            relate(child, solved)
        }
        for (place, rule) in solved.rules.enumerated() { read(rule, solved, isEqual: solved.isActive[place]) }
        for (place, rule) in solved.rules.enumerated() where solved.isActive[place] { stretch(rule, solved) }
    }

    // MARK: - From edges

    private static func isOwn(_ position: EdgeSolver.Position?, _ child: Int) -> Bool {
        position?.base.child == child
    }

    /// The offset of an edge from the container's start, if the edge hangs on the container.
    private static func offset(_ position: EdgeSolver.Position?) -> Affine? {
        guard let position, position.base == .container else { return nil }
        return position.offset
    }

    /// - Parameter isBounded: true for a child that a rule keeps from being too long. It stays in the middle then, if the rule
    ///   for that weighs more than those of its edges.
    private static func extent(of child: Int, in solved: EdgeSolver, isBounded: Bool) -> Extent {
        let half = Affine(0, share: 0.5)
        let (start, end) = (offset(solved.start[child]), offset(solved.end[child]))
        let center = offset(solved.center[child])
        if let length = solved.length[child] {
            if isBounded, solved.centerLevel[child] > solved.edgeLevel[child], let center, center.share == 0.5 {
                return Extent(.center(center - half), .fixed(length))
            }
            if let start, let end, start.share == 0, end.share == 1, length.share == 1 || !solved.fitsContent {
                return Extent(.both(start, .whole - end), .fill)
            }
            if let start, start.share == 0 { return Extent(.start(start), .fixed(length)) }
            if let end, end.share == 1 { return Extent(.end(.whole - end), .fixed(length)) }
            if let center, center.share == 0.5 { return Extent(.center(center - half), .fixed(length)) }
            return Extent(.start(start ?? .zero), .fixed(length))
        }
        let length: Extent.Length = solved.hugs[child] ? .content : .fill
        if let start { return Extent(.start(start), length) }
        if let end { return Extent(.end(.whole - end), length) }
        if let center { return Extent(.center(center - half), length) }
        return Extent(.start(.zero), length)
    }

    private mutating func relate(_ child: Int, _ solved: EdgeSolver) {
        let (start, end, center) = (solved.start[child], solved.end[child], solved.center[child])
        hangsAtStart[child] = start?.base == .container
        hangsAtEnd[child] = end?.base == .container
        hangsAtCenter[child] = center?.base == .container
        let given = [start, end, center].compactMap { $0 }.filter { $0.base.child != child }
        guard let first = given.first, given.contains(where: { $0.base != .container }) else { return }
        if solved.length[child] != nil {
            relateStart(child, first, length: solved.length[child], solved.baseline[child])
            return
        }
        let (startBase, endBase) = (start?.base, end?.base)
        isBetween[child] = startBase?.child != child && endBase?.child != child && start != nil && end != nil
        if let start, case .end(let from) = start.base, from != child {
            links.append(Link(from: from, to: child, gap: start.offset))
        }
        if let end, case .start(let to) = end.base, to != child {
            links.append(Link(from: child, to: to, gap: -end.offset))
        }
        if let start, let end, case .start(let leader) = start.base, leader != child, end.base == .end(leader) {
            alignments.append(
                Alignment(leader: leader, child: child, kind: .both, offset: start.offset, endOffset: -end.offset))
        } else if let start, case .start(let leader) = start.base, leader != child {
            let kind = solved.baseline[child].map { Alignment.Kind.baseline(last: $0) } ?? .start
            alignments.append(Alignment(leader: leader, child: child, kind: kind, offset: start.offset))
        } else if let end, case .end(let leader) = end.base, leader != child {
            let kind = solved.baseline[child].map { Alignment.Kind.baseline(last: $0) } ?? .end
            alignments.append(Alignment(leader: leader, child: child, kind: kind, offset: -end.offset))
        }
        if let center, case .center(let leader) = center.base, leader != child {
            alignments.append(Alignment(leader: leader, child: child, kind: .center, offset: center.offset))
        }
    }

    /// A child of a known length hangs on an edge of another by any of its edges.
    private mutating func relateStart(
        _ child: Int, _ position: EdgeSolver.Position, length: Affine?, _ baseline: Bool?
    ) {
        let length = length ?? .zero
        // The solver completes all three edges of a child with a length, so this one is its start.
        switch position.base {
        case .container: return
        case .end(let from):
            let end = position.offset + length
            if end.isConstant, end.constant <= 0, position.offset.isConstant {
                let kind = baseline.map { Alignment.Kind.baseline(last: $0) } ?? .end
                alignments.append(Alignment(leader: from, child: child, kind: kind, offset: -end))
            } else {
                links.append(Link(from: from, to: child, gap: position.offset))
            }
        case .start(let leader):
            let end = position.offset + length
            if end.isConstant, end.constant <= 0 {
                links.append(Link(from: child, to: leader, gap: -end))
            } else {
                let kind = baseline.map { Alignment.Kind.baseline(last: $0) } ?? .start
                alignments.append(Alignment(leader: leader, child: child, kind: kind, offset: position.offset))
            }
        case .center(let leader):
            let offset = position.offset + 0.5 * length
            alignments.append(Alignment(leader: leader, child: child, kind: .center, offset: offset))
        }
    }

    // MARK: - From rules that decided nothing

    private mutating func read(_ rule: EdgeRule, _ solved: EdgeSolver, isEqual: Bool) {
        let child = rule.child
        if rule.attribute == .length {
            readLength(rule, solved, isEqual: isEqual)
            return
        }
        guard rule.multiplier == 1 else { return }
        switch rule.other {
        case .length(let place): readLimit(child, rule, place + rule.constant, solved)
        case .child(let other, let attribute):
            guard !isEqual else { return }
            readElastic(rule, other, attribute, solved)
        }
    }

    private mutating func readLength(_ rule: EdgeRule, _ solved: EdgeSolver, isEqual: Bool) {
        let bound: Affine
        switch rule.other {
        case .length(let length): bound = rule.multiplier * length + rule.constant
        case .child(let other, _):
            guard let length = solved.length[other] else {
                if isEqual, solved.length[rule.child] == nil { comparesContent = true }
                return
            }
            bound = rule.multiplier * length + rule.constant
        }
        switch rule.relation {
        case .equal: break
        case .greaterOrEqual: extents[rule.child].least = bound
        case .lessOrEqual: extents[rule.child].most = bound
        }
    }

    /// Distances from the container's edges that content has to keep, and that a container which fits its content needs.
    private mutating func readLimit(_ child: Int, _ rule: EdgeRule, _ place: Affine, _ solved: EdgeSolver) {
        switch (rule.attribute, rule.relation) {
        case (.end, .equal), (.end, .lessOrEqual):
            guard place.share == 1 else { return }
            let distance = .whole - place
            extents[child].isTied = true
            if extents[child].endTie == nil || rule.relation == .equal { extents[child].endTie = distance }
            if rule.relation == .lessOrEqual {
                extents[child].endLimit = distance
                bound(child, rule, solved, end: distance)
            }
        case (.start, .greaterOrEqual):
            guard place.share == 0 else { return }
            extents[child].startLimit = place
            bound(child, rule, solved, start: place)
            if let start = AxisPlaces.offset(solved.start[child]), !solved.isLoose[child],
                rule.priority >= solved.edgeLevel[child], extents[child].most == nil
            {
                check(start - place)
            }
        default: return
        }
    }

    /// A field is so high that a larger text on its line keeps its distance from the container's start: the line of the field is in
    /// its middle.
    private mutating func stretch(_ rule: EdgeRule, _ solved: EdgeSolver) {
        guard case .child(let other, let line) = rule.other, line.isBaseline, rule.attribute.isBaseline else { return }
        let (field, text) =
            solved.children[other].lines == .field ? (other, rule.child) : (rule.child, other)
        guard solved.children[field].lines == .field, solved.baseline[text] == false,
            let start = AxisPlaces.offset(solved.start[text]), let limit = extents[text].startLimit,
            AxisPlaces.offset(solved.start[field]) != nil, extents[field].least == nil
        else { return }
        if case .fixed = extents[field].length { return }
        var half = solved.children[field].ascent
        for term in half.texts {
            if case .font = term.text { half.constant -= term.factor }
        }
        half.texts.removeAll { if case .font = $0.text { true } else { false } }
        extents[field].least = 2 * (limit - start + half)
    }

    /// Bounds a length of less weight than the distances that it has to keep by the room between them.
    private mutating func bound(
        _ child: Int, _ rule: EdgeRule, _ solved: EdgeSolver, start: Affine? = nil, end: Affine? = nil
    ) {
        guard case .fixed = extents[child].length, solved.lengthLevel[child] < rule.priority else { return }
        let room: Affine
        switch (extents[child].anchor, start, end) {
        case (.start(let place), nil, let end?): room = .whole - place - end
        case (.end(let place), let start?, nil): room = .whole - place - start
        case (.center(let offset), let start?, nil): room = .whole + 2 * offset - 2 * start
        case (.center(let offset), nil, let end?): room = .whole - 2 * offset - 2 * end
        default: return
        }
        if let most = extents[child].most, most.share <= room.share, most.constant <= room.constant { return }
        extents[child].most = room
    }

    /// An inequality between two children ties them into one row or column if content may make them meet.
    private mutating func readElastic(
        _ rule: EdgeRule, _ other: Int, _ attribute: EdgeAttribute, _ solved: EdgeSolver
    ) {
        let (before, after, gap): (Int, Int, Affine)
        switch (rule.attribute, attribute, rule.relation) {
        case (.start, .end, .greaterOrEqual): (before, after, gap) = (other, rule.child, rule.constant)
        case (.end, .start, .lessOrEqual): (before, after, gap) = (rule.child, other, -rule.constant)
        default: return
        }
        let end = AxisPlaces.offset(solved.end[before])
        let start = AxisPlaces.offset(solved.start[after])
        switch (end, start) {
        case (nil, nil):
            // Only between what hangs on the start and what hangs on the end.
            if hangsAtStart[before], hangsAtEnd[after] {
                links.append(Link(from: before, to: after, gap: gap, isElastic: true))
            }
        case (nil, let start?): extents[before].endLimit = .whole - start + gap
        case (let end?, nil): extents[after].startLimit = end + gap
        case (let end?, let start?): if rule.priority >= LayoutRule.required { check(start - end - gap) }
        }
    }

    /// Notes a distance that is less than nothing in a container of any usual length.
    private mutating func check(_ distance: Affine) {
        guard distance.isConstant, distance.constant < -AxisPlaces.slack else { return }
        breaksRule = true
    }

    private static let slack = 0.5
}
