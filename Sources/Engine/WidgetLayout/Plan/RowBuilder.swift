internal import WidgetCore

/// Makes a row of children that follow each other sideways. Where several follow the same one, they form a region of
/// the row with columns in it.
struct RowBuilder {
    private let outer: FlowBuilder
    private let members: [Int]
    private let links: [AxisPlaces.Link]
    private let columnLinks: [AxisPlaces.Link]
    private let lines: [Int: Extent]
    private var flow: Flow { outer.flow }
    private var x: AxisPlaces { outer.x }

    init(
        _ outer: FlowBuilder, _ members: [Int], _ links: [AxisPlaces.Link], _ columnLinks: [AxisPlaces.Link],
        _ lines: [Int: Extent]
    ) {
        self.outer = outer
        self.members = members
        self.links = links
        self.columnLinks = columnLinks
        self.lines = lines
    }

    /// Children at one place of the row, with the ties to the places before and behind.
    private struct Slot {
        var children: [Int]
        var before: [Int: AxisPlaces.Link] = [:]
        var behind: [Int: AxisPlaces.Link] = [:]
    }

    /// `nil` where the ties form no row.
    func build() -> Flow.Part? {
        guard let slots = slots(), let first = slots.first, let last = slots.last else { return nil }
        guard first.children.count == 1 || slots.count > 1 else { return nil }
        var parts: [Flow.Part] = []
        let isFilled = isFilled(first, last)
        for (place, slot) in slots.enumerated() {
            let isLast = place == slots.count - 1
            guard
                let part = slot.children.count == 1
                    ? item(slot.children[0], slot, isFirst: place == 0, isLast: isLast, isFilled: isFilled)
                    : region(slot, isFirst: place == 0, isLast: isLast)
            else { return nil }
            if let link = slot.before.values.first, link.isElastic, let before = parts.popLast() {
                parts.append(flow.place(before, trailing: link.gap))
            }
            parts.append(part)
        }
        if isFilled { rankShrinking(&parts, slots) }
        return flow.wrap(.row, PlannedBox(.filling, .filling), parts)
    }

    /// True if the row has an end, so that its parts may have to give way.
    private func isFilled(_ first: Slot, _ last: Slot) -> Bool {
        let end = last.children[0]
        let hasStart = first.children.contains { x.hangsAtStart[$0] || x.extents[$0].startLimit != nil }
        return hasStart && (x.hangsAtEnd[end] || x.extents[end].endLimit != nil)
    }

    /// The children in the order of their ties.
    private func slots() -> [Slot]? {
        var waiting: [Int: Int] = [:]
        var following: [Int: [AxisPlaces.Link]] = [:]
        var incoming: [Int: [AxisPlaces.Link]] = [:]
        for link in links {
            waiting[link.to, default: 0] += 1
            following[link.from, default: []].append(link)
            incoming[link.to, default: []].append(link)
        }
        var ready = members.filter { waiting[$0] == nil }
        var slots: [Slot] = []
        var previous: Set<Int> = []
        var count = 0
        while !ready.isEmpty {
            count += ready.count
            var slot = Slot(children: ready)
            var next: [Int] = []
            for child in ready {
                for link in incoming[child] ?? [] {
                    // Every tie has to come from the place just before.
                    guard previous.contains(link.from) else { return nil }
                    slot.before[child] = link
                }
                for link in following[child] ?? [] {
                    slot.behind[child] = link
                    waiting[link.to, default: 0] -= 1
                    if waiting[link.to] == 0 { next.append(link.to) }
                }
            }
            // Of several children beside several others, no row can keep the ties.
            if slot.children.count > 1, let before = slots.last, before.children.count > 1 { return nil }
            slots.append(slot)
            previous = Set(slot.children)
            ready = next.sorted()
        }
        return count == members.count ? slots : nil
    }

    private func item(_ child: Int, _ slot: Slot, isFirst: Bool, isLast: Bool, isFilled: Bool) -> Flow.Part? {
        var box = PlannedBox(x.extents[child], lines[child] ?? outer.y.extents[child])
        box.ratio = flow.children[child].ratio
        var item = FlowItem()
        if isFirst {
            if case .start(let distance) = box.x.anchor, x.hangsAtStart[child] {
                item.gap = distance
            } else if case .both(let start, _) = box.x.anchor {
                item.gap = start
            } else if x.hangsAtCenter[child] {
                return nil
            } else {
                item.isGapElastic = true
                item.gap = box.x.startLimit ?? .zero
            }
        } else if let link = slot.before[child] {
            item.isGapElastic = link.isElastic
            item.gap = link.isElastic ? .zero : link.gap
        }
        if isLast {
            if x.hangsAtEnd[child], case .end(let distance) = box.x.anchor {
                item.trailing = distance
            } else if let limit = box.x.endLimit {
                item.trailing = limit
            }
        }
        item.grows = x.isBetween[child]
        if x.isBetween[child] { box.x.length = flow.children[child].hasContent ? .content : .fill }
        item.shrinkRank = isFilled && box.x.length == .content ? 1 : 0
        box.placement = .item(item)
        return flow.place(Flow.Part(arranged: .node(flow.children[child].node), box: box, first: child), box)
    }

    /// Several children between the same places: columns in a part of the row that reaches over its whole height.
    private func region(_ slot: Slot, isFirst: Bool, isLast: Bool) -> Flow.Part? {
        guard flow.addRegion() else { return nil }
        let children = Set(slot.children)
        var inner = x
        inner.links = []
        inner.alignments = []
        var rows = outer.y
        rows.links = columnLinks.filter { children.contains($0.from) && children.contains($0.to) }
        rows.alignments = []
        for child in slot.children {
            let before = slot.before[child]
            let behind = slot.behind[child]
            guard isFirst || before != nil, isLast || behind != nil, !(before?.isElastic ?? false),
                !(behind?.isElastic ?? false)
            else { return nil }
            let own = x.extents[child]
            var extent = own
            let start = before?.gap ?? own.startDistance
            let end = behind?.gap ?? own.endDistance
            switch (start, end) {
            case (let start?, let end?): (extent.anchor, extent.length) = (.both(start, end), .fill)
            case (let start?, nil): extent.anchor = .start(start)
            case (nil, let end?): extent.anchor = .end(end)
            case (nil, nil): return nil
            }
            inner.extents[child] = extent
            let isPlaced = outer.y.hangsAtStart[child] || outer.y.hangsAtEnd[child] || outer.y.hangsAtCenter[child]
            guard isPlaced || rows.links.contains(where: { $0.from == child || $0.to == child }) else { return nil }
        }
        let parts = FlowBuilder(flow, slot.children, inner, rows, depth: outer.depth + 1).build()
        guard flow.reason == nil else { return nil }
        var item = FlowItem()
        item.grows = true
        item.shrinkRank = 1
        var box = PlannedBox(Extent(.start(.zero), .fill), .filling, .item(item))
        box.y.isTied = slot.children.contains { rows.extents[$0].isTied }
        return flow.wrap(.layer, box, parts)
    }

    /// Parts of the least resistance get smaller first; of those, the parts that hug their content least, and then in the order of
    /// ``TextStrength``.
    private func rankShrinking(_ parts: inout [Flow.Part], _ slots: [Slot]) {
        let strengths = slots.enumerated().map { place, slot in
            TextStrength(flow.children[slot.children[0]].kind, flow.children[slot.children[0]].look, place)
        }
        let shrinking = zip(parts, strengths).filter { part, _ in
            if case .item(let item) = part.box.placement { item.shrinkRank > 0 } else { false }
        }
        let ranks = Dictionary(
            uniqueKeysWithValues: shrinking.map { $1 }.sorted(by: >).enumerated().map { ($1, $0) })
        let needs = needs(parts, slots)
        for (place, strength) in strengths.enumerated() {
            var box = parts[place].box
            guard case .item(var item) = box.placement, item.shrinkRank > 0 else { continue }
            item.needs = needs
            item.shrinkRank = (ranks[strength] ?? 0) + 1
            box.placement = .item(item)
            parts[place] = flow.place(parts[place], box)
        }
    }

    /// The needs from which the room of each word follows; `nil` for a row with columns in it.
    private func needs(_ parts: [Flow.Part], _ slots: [Slot]) -> RowNeeds? {
        var needs = RowNeeds()
        for (part, slot) in zip(parts, slots) {
            guard slot.children.count == 1, case .item(let item) = part.box.placement else { return nil }
            let child = flow.children[slot.children[0]]
            for distance in [item.gap, item.trailing] where distance.isConstant { needs.points += distance.constant }
            if case .fixed(let length) = part.box.x.length {
                needs.points += length.constant
            } else if WeakestTexts.isText(child.kind) {
                needs.add(child.kind, child.look)
            } else {
                needs.points += RowNeeds.points(child.kind, child.look)
            }
        }
        needs.bound()
        return needs
    }
}
