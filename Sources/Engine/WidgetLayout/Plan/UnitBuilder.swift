internal import WidgetCore

/// Makes one part of children that lie beside each other: a row, or a layer of rows and children that share a line.
struct UnitBuilder {
    private let outer: FlowBuilder
    private let contents: UnitContents
    private var flow: Flow { outer.flow }
    private var y: AxisPlaces { outer.y }

    init(_ outer: FlowBuilder, _ contents: UnitContents) {
        self.outer = outer
        self.contents = contents
    }

    /// The place of a unit along y, and those of its members in it.
    private struct Lines {
        var unit: ColumnUnit
        var extent: Extent
        /// By member.
        var inner: [Int: Extent]
    }

    func build() -> ColumnUnit {
        let failed = ColumnUnit(
            part: Flow.Part(arranged: .node(0), box: PlannedBox(.filling, .filling), first: contents.members[0]))
        guard let lines = contents.columnLinks.isEmpty ? lines() : spanning() else {
            flow.fail(.crossing)
            return failed
        }
        // Numbered anew, so that a container with many units takes no longer than its children.
        let numbers = Dictionary(uniqueKeysWithValues: contents.members.enumerated().map { ($1, $0) })
        var sets = ChildSets(count: contents.members.count)
        for link in contents.links {
            if let from = numbers[link.from], let to = numbers[link.to] { sets.join(from, to) }
        }
        let groups = sets.groups(of: Array(contents.members.indices))
        var links: [[AxisPlaces.Link]] = Array(repeating: [], count: groups.members.count)
        for link in contents.links {
            if let from = numbers[link.from] { links[groups.place[from]].append(link) }
        }
        var parts: [Flow.Part] = []
        for (place, numbers) in groups.members.enumerated() {
            let members = numbers.map { contents.members[$0] }
            if members.count == 1 {
                parts.append(single(members[0], lines.inner[members[0]] ?? y.extents[members[0]]))
            } else {
                let row = RowBuilder(outer, members, links[place], contents.columnLinks, lines.inner)
                guard let part = row.build() else {
                    flow.fail(.crossing)
                    return failed
                }
                parts.append(part)
            }
        }
        var unit = lines.unit
        var box = PlannedBox(.filling, lines.extent)
        box.x.isTied = contents.members.contains { outer.x.extents[$0].isTied }
        if parts.count == 1, let row = parts.first {
            unit.part = flow.place(row, PlannedBox(box.x, box.y))
        } else {
            unit.part = flow.wrap(.layer, box, parts)
        }
        unit.part.first = contents.members[0]
        return unit
    }

    private func single(_ child: Int, _ extent: Extent) -> Flow.Part {
        var box = PlannedBox(outer.x.extents[child], extent, .cell)
        box.ratio = flow.children[child].ratio
        return flow.place(Flow.Part(arranged: .node(flow.children[child].node), box: box, first: child), box)
    }

    // MARK: - Along y

    /// A unit over the whole container, in which each child keeps its place.
    private func spanning() -> Lines? {
        guard contents.incoming.isEmpty, contents.outgoing.isEmpty, contents.alignments.isEmpty else { return nil }
        var lines = Lines(
            unit: ColumnUnit(part: placeholder), extent: .filling,
            inner: Dictionary(uniqueKeysWithValues: contents.members.map { ($0, y.extents[$0]) }))
        lines.unit.spans = true
        lines.unit.hangsAtStart = true
        lines.unit.hangsAtEnd = true
        lines.extent.isTied = contents.members.contains { y.extents[$0].isTied }
        return lines
    }

    private var placeholder: Flow.Part {
        Flow.Part(arranged: .node(0), box: PlannedBox(.filling, .filling), first: contents.members[0])
    }

    private func lines() -> Lines? {
        if contents.alignments.isEmpty {
            return contents.incoming.isEmpty && contents.outgoing.isEmpty ? hanging() : linked()
        }
        return aligned()
    }

    /// Every member hangs on the container: all at its start, all at its end, all in the middle, or each somewhere.
    private func hanging() -> Lines? {
        let members = contents.members
        if members.allSatisfy({ isStart(y.extents[$0]) }) { return shifted(y.hangsAtStart) }
        if members.allSatisfy({ isEnd(y.extents[$0]) }) { return shifted(y.hangsAtEnd) }
        return spanning()
    }

    /// Every member follows the same unit, or is followed.
    private func linked() -> Lines? {
        let members = contents.members
        if contents.incoming.isEmpty {
            if members.allSatisfy({ y.hangsAtStart[$0] && isStart(y.extents[$0]) }) { return shifted(y.hangsAtStart) }
            // A unit that something hangs on from above, and that hangs on the container's end itself.
            let linked = Set(contents.outgoing.map { $0.from })
            return members.allSatisfy { linked.contains($0) && !y.hangsAtStart[$0] && !y.hangsAtCenter[$0] }
                ? plain() : centered()
        }
        let gaps = Dictionary(contents.incoming.map { ($0.to, $0.gap) }) { first, _ in first }
        if gaps.count == members.count {
            guard let least = gaps.values.min(by: { $0.constant < $1.constant }) else { return nil }
            var lines = plain()
            for member in members {
                guard let gap = gaps[member] else { return nil }
                lines.inner[member] = inner(y.extents[member], at: gap - least)
                if y.hangsAtEnd[member] {
                    lines.unit.hangsAtEnd = true
                    lines.extent = y.extents[member]
                    lines.unit.grows = y.isBetween[member]
                    lines.inner[member] = y.isBetween[member] ? .filling : lines.inner[member]
                }
            }
            return lines
        }
        if members.allSatisfy({ y.hangsAtEnd[$0] && isEnd(y.extents[$0]) }) { return shifted(y.hangsAtEnd) }
        return nil
    }

    private func centered() -> Lines? {
        let members = contents.members
        guard let first = members.first, members.allSatisfy({ y.extents[$0].anchor == y.extents[first].anchor }),
            case .center = y.extents[first].anchor
        else { return nil }
        var lines = plain()
        lines.extent = y.extents[first]
        lines.extent.length = .content
        lines.unit.hangsAtCenter = true
        for member in members { lines.inner[member] = Extent(.center(.zero), y.extents[member].length) }
        return lines
    }

    /// One member has the place, and the others lie by it.
    private func aligned() -> Lines? {
        let aligned = Set(contents.alignments.map { $0.child })
        guard let leader = contents.alignments.map({ $0.leader }).first(where: { !aligned.contains($0) }) else {
            return nil
        }
        if flow.fitsHeight, y.isLoose[leader], let lines = loose(leader) { return lines }
        var lines = plain()
        let place = y.extents[leader]
        lines.extent = place
        lines.unit.hangsAtStart = y.hangsAtStart[leader]
        lines.unit.hangsAtEnd = y.hangsAtEnd[leader]
        lines.unit.hangsAtCenter = y.hangsAtCenter[leader] && !y.hangsAtStart[leader] && !y.hangsAtEnd[leader]
        lines.unit.grows = y.isBetween[leader]
        lines.inner[leader] = y.isBetween[leader] ? .filling : inner(place, at: .zero)
        for alignment in contents.alignments {
            guard alignment.leader == leader else { return nil }
            var extent = extent(alignment)
            let own = y.extents[alignment.child]
            if flow.fitsHeight, own.isTied || own.startLimit != nil {
                switch alignment.kind {
                case .center where place.isTied:
                    // The higher of both decides how high the container is, and the leader is stretched with it.
                    extent.isOverhanging = false
                    if place.length == .content { lines.inner[leader] = .filling }
                case .baseline where alignment.offset.constant < 0:
                    // Its line pushes down that of the leader, which no alignment does.
                    return nil
                default: break
                }
            }
            lines.inner[alignment.child] = extent
        }
        for member in contents.members where member != leader && !aligned.contains(member) {
            // Beside the leader in a row: its place has to differ from the leader's by points alone.
            guard case .start(let start) = place.anchor, case .start(let own) = y.extents[member].anchor,
                y.hangsAtStart[member] == y.hangsAtStart[leader], (own - start).isConstant
            else { return nil }
            lines.inner[member] = inner(y.extents[member], at: own - start)
        }
        if contents.members.contains(where: { y.extents[$0].isTied }) {
            lines.extent.isTied = true
            lines.extent.endTie = contents.members.compactMap { y.extents[$0].endTie }.first
        }
        return lines
    }

    /// Members on one line that only keep a distance from the container's edges: the highest decides how high it is.
    private func loose(_ leader: Int) -> Lines? {
        guard let first = contents.alignments.first, contents.alignments.count == contents.members.count - 1 else {
            return nil
        }
        var lines = plain()
        lines.unit.hangsAtStart = true
        (lines.extent.isTied, lines.extent.endTie) = (true, .zero)
        for member in contents.members {
            var extent = y.extents[member]
            guard extent.isTied, extent.startLimit != nil else { return nil }
            extent.anchor = Extent.Anchor.center(.zero)
            if case .baseline(false) = first.kind { extent.anchor = .baseline(last: false) }
            lines.inner[member] = extent
        }
        for alignment in contents.alignments {
            switch (first.kind, alignment.kind) {
            case (.center, .center) where alignment.offset.isZero: continue
            case (.baseline(false), .baseline(false)): continue
            default: return nil
            }
        }
        return lines
    }

    private func extent(_ alignment: AxisPlaces.Alignment) -> Extent {
        var extent = y.extents[alignment.child]
        extent.isTied = false
        extent.endTie = nil
        // That of the container: here it lies by its leader.
        extent.startLimit = nil
        switch alignment.kind {
        case .start: extent.anchor = .start(alignment.offset)
        case .end:
            extent.anchor = .end(alignment.offset)
            extent.isOverhanging = true
        case .center:
            extent.anchor = .center(alignment.offset)
            extent.isOverhanging = true
        case .both:
            extent.anchor = .both(alignment.offset, alignment.endOffset)
            extent.length = .fill
        case .baseline(let isLast):
            // A smaller text beside a larger one. The other way round, it may not push the larger one down.
            extent.anchor =
                alignment.offset.constant < 0 || isLast
                ? (isLast ? .end(alignment.offset) : .start(alignment.offset))
                : .baseline(last: false)
            extent.isOverhanging = isLast
        }
        return extent
    }

    private func plain() -> Lines {
        var extent = Extent(.start(.zero), .content)
        extent.isTied = contents.members.contains { y.extents[$0].isTied }
        extent.endTie = contents.members.compactMap { y.extents[$0].endTie }.first
        return Lines(
            unit: ColumnUnit(part: placeholder), extent: extent,
            inner: Dictionary(
                uniqueKeysWithValues: contents.members.map { ($0, inner(y.extents[$0], at: .zero)) }))
    }

    /// A unit at the least distance of its members, in which each keeps what it has more.
    private func shifted(_ hangs: [Bool]) -> Lines? {
        let distances = contents.members.map { distance(y.extents[$0]) }
        guard let least = distances.min(by: { $0.constant < $1.constant }) else { return nil }
        var lines = plain()
        let isEnd = isEnd(y.extents[contents.members[0]])
        lines.unit.hangsAtStart = !isEnd
        lines.unit.hangsAtEnd = isEnd
        lines.extent.anchor = isEnd ? .end(least) : .start(least)
        for (member, distance) in zip(contents.members, distances) {
            guard hangs[member], (distance - least).isConstant else { return nil }
            var extent = y.extents[member]
            extent.anchor = isEnd ? .end(distance - least) : .start(distance - least)
            if !isEnd { extent.startLimit = extent.startLimit.map { $0 - least } }
            (extent.isTied, extent.endTie) = (false, nil)
            lines.inner[member] = extent
        }
        return lines
    }

    private func inner(_ extent: Extent, at offset: Affine) -> Extent {
        var inner = extent
        inner.anchor = .start(offset)
        (inner.isTied, inner.endTie) = (false, nil)
        return inner
    }

    private func distance(_ extent: Extent) -> Affine {
        switch extent.anchor {
        case .start(let distance), .end(let distance), .center(let distance): distance
        case .both(let start, _): start
        case .baseline: .zero
        }
    }

    private func isStart(_ extent: Extent) -> Bool { if case .start = extent.anchor { true } else { false } }

    private func isEnd(_ extent: Extent) -> Bool { if case .end = extent.anchor { true } else { false } }
}
