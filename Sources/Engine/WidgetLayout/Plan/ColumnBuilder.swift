internal import WidgetCore

/// A child or a row, as columns see it.
struct ColumnUnit {
    var part: Flow.Part
    /// The edges that hang on the container. A unit with none of them follows another one.
    var hangsAtStart = false
    var hangsAtEnd = false
    var hangsAtCenter = false
    /// True if it fills the room between what is above and below.
    var grows = false
    /// True if it reaches over the whole container, so that nothing can follow it.
    var spans = false
}

/// Makes columns of units that follow each other downwards.
struct ColumnBuilder {
    let flow: Flow
    var units: [ColumnUnit] = []
    var links: [(from: Int, to: Int, link: AxisPlaces.Link)] = []

    init(_ flow: Flow) { self.flow = flow }

    /// A unit behind another one.
    private struct Follower {
        var unit: Int
        var gap: Affine
        var isElastic: Bool
    }

    private struct Graph {
        var followers: [[Follower]]
        var leader: [Int?]
    }

    func parts() -> [Flow.Part] {
        guard let graph = graph() else { return [] }
        var parts: [Flow.Part] = []
        var placed = Array(repeating: false, count: units.count)
        for unit in units.indices where graph.leader[unit] == nil {
            placed[unit] = true
            parts.append(graph.followers[unit].isEmpty ? units[unit].part : root(unit, graph, &placed))
            if flow.reason != nil { return [] }
        }
        // Units that follow each other in a circle have no first one.
        if placed.contains(false) { flow.fail(.crossing) }
        return parts
    }

    private func graph() -> Graph? {
        var graph = Graph(
            followers: Array(repeating: [], count: units.count), leader: Array(repeating: nil, count: units.count))
        for (from, to, link) in links {
            if let leader = graph.leader[to] {
                // Several children of one row may be tied to several of the next; the first tie counts.
                if leader == from { continue }
                flow.fail(.crossing)
                return nil
            }
            if units[from].spans || units[to].spans {
                flow.fail(.crossing)
                return nil
            }
            graph.leader[to] = from
            graph.followers[from].append(Follower(unit: to, gap: link.gap, isElastic: link.isElastic))
        }
        return graph
    }

    // MARK: - Columns

    private func root(_ unit: Int, _ graph: Graph, _ placed: inout [Bool]) -> Flow.Part {
        if units[unit].hangsAtCenter { return centered(unit, graph, &placed) }
        var (members, items) = items(from: Follower(unit: unit, gap: .zero, isElastic: false), graph, &placed, 0)
        rankShrinking(&items, members)
        var box = PlannedBox(.filling, .filling)
        let end = end(of: items, members)
        let start = units[unit].hangsAtStart ? units[unit].part.box.y.startDistance : nil
        switch (start, end) {
        case (let start?, let end?): box.y = Extent(.both(start, end), .fill)
        case (let start?, nil): box.y = Extent(.start(start), .content)
        case (nil, let end?): box.y = Extent(.end(end), .content)
        case (nil, nil):
            flow.fail(.crossing)
            return units[unit].part
        }
        let tied = members.map { units[$0].part.box.y }.filter { $0.isTied }
        box.y.isTied = !tied.isEmpty
        box.y.endTie = tied.compactMap { $0.endTie }.first
        box.x.isTied = members.contains { units[$0].part.box.x.isTied }
        return flow.wrap(.column, box, items)
    }

    /// The distance of a column's last part from the container's end, where it hangs there.
    private func end(of parts: [Flow.Part], _ members: [Int]) -> Affine? {
        if parts.count != members.count, let last = parts.last, case .item(let item) = last.box.placement {
            // A layer, in which each column keeps its distance.
            return item.grows ? .zero : nil
        }
        guard let last = members.last, units[last].hangsAtEnd else { return nil }
        return units[last].part.box.y.endDistance
    }

    /// A unit in the middle of the container; what follows it hangs below and does not move it.
    private func centered(_ unit: Int, _ graph: Graph, _ placed: inout [Bool]) -> Flow.Part {
        var own = units[unit].part
        let outer = own.box
        own.box.y = Extent(.start(.zero), .content)
        own.box.placement = .cell
        var parts = [flow.place(own, own.box)]
        for follower in graph.followers[unit] {
            let (_, items) = items(
                from: Follower(unit: follower.unit, gap: .zero, isElastic: false), graph, &placed, 1)
            var box = PlannedBox(.filling, Extent(.start(follower.gap + .whole), .content))
            box.placement = .free
            parts.append(flow.wrap(.column, box, items))
        }
        var box = PlannedBox(.filling, Extent(outer.y.anchor, .content))
        box.y.isTied = outer.y.isTied
        box.y.endTie = outer.y.endTie
        box.x.isTied = outer.x.isTied
        return flow.wrap(.layer, box, parts)
    }

    /// The units of a column from one on. Where several follow the same one, the column ends with a layer of columns.
    ///
    /// - Parameter depth: of layers in layers, which `Flow.depthLimit` bounds.
    private func items(
        from first: Follower, _ graph: Graph, _ placed: inout [Bool], _ depth: Int
    ) -> (members: [Int], items: [Flow.Part]) {
        guard depth < Flow.depthLimit else {
            flow.fail(.depth)
            return ([], [])
        }
        var members: [Int] = []
        var parts: [Flow.Part] = []
        var next: Follower? = first
        while let follower = next {
            next = nil
            placed[follower.unit] = true
            members.append(follower.unit)
            if follower.isElastic, let before = parts.popLast() {
                parts.append(flow.place(before, trailing: follower.gap))
            }
            parts.append(item(follower))
            let behind = graph.followers[follower.unit].sorted { $0.gap.constant < $1.gap.constant }
            if behind.count == 1 {
                next = behind[0]
            } else if behind.count > 1 {
                next = sequence(behind, graph, &members, &parts, &placed)
                if next == nil { parts.append(layer(behind, graph, &members, &placed, depth)) }
            }
            if flow.reason != nil { return ([], []) }
        }
        return (members, parts)
    }

    /// Followers of known heights below each other need no layer. Adds all but the last.
    ///
    /// - Returns: the last, at its distance from the one before; `nil` if they overlap or vary.
    private func sequence(
        _ followers: [Follower], _ graph: Graph, _ members: inout [Int], _ parts: inout [Flow.Part],
        _ placed: inout [Bool]
    ) -> Follower? {
        var top = 0.0
        var gaps: [Double] = []
        for (place, follower) in followers.enumerated() {
            guard follower.gap.isConstant, !follower.isElastic, follower.gap.constant >= top else { return nil }
            gaps.append(follower.gap.constant - top)
            if place == followers.count - 1 { break }
            let box = units[follower.unit].part.box
            guard graph.followers[follower.unit].isEmpty, !box.y.isTied, case .fixed(let length) = box.y.length,
                length.isConstant
            else { return nil }
            top = follower.gap.constant + length.constant
        }
        for (follower, gap) in zip(followers.dropLast(), gaps) {
            placed[follower.unit] = true
            members.append(follower.unit)
            parts.append(item(Follower(unit: follower.unit, gap: Affine(gap), isElastic: false)))
        }
        guard let last = followers.last, let gap = gaps.last else { return nil }
        return Follower(unit: last.unit, gap: Affine(gap), isElastic: false)
    }

    private func layer(
        _ followers: [Follower], _ graph: Graph, _ members: inout [Int], _ placed: inout [Bool], _ depth: Int
    ) -> Flow.Part {
        var parts: [Flow.Part] = []
        var grows = false
        for follower in followers {
            let (inner, items) = items(from: follower, graph, &placed, depth + 1)
            guard flow.reason == nil else { break }
            var box = PlannedBox(.filling, Extent(.start(.zero), .content))
            box.placement = .cell
            if let last = inner.last, units[last].hangsAtEnd {
                box.y = Extent(.both(.zero, units[last].part.box.y.endDistance ?? .zero), .fill)
                grows = true
            } else {
                box.y.endTie = inner.compactMap { units[$0].part.box.y.endTie }.first
            }
            members.append(contentsOf: inner)
            parts.append(flow.wrap(.column, box, items))
        }
        var item = FlowItem()
        item.grows = grows
        return flow.wrap(.layer, PlannedBox(.filling, .filling, .item(item)), parts)
    }

    private func item(_ follower: Follower) -> Flow.Part {
        let unit = units[follower.unit]
        var box = unit.part.box
        var item = FlowItem()
        item.gap = follower.isElastic ? .zero : follower.gap
        item.isGapElastic = follower.isElastic
        item.grows = unit.grows
        box.placement = .item(item)
        return flow.place(unit.part, box)
    }

    /// In a column that is too short for its content, the units that fill the room give way. One that is as long as its
    /// content is never too short.
    private func rankShrinking(_ parts: inout [Flow.Part], _ members: [Int]) {
        guard !flow.fitsHeight, parts.count == members.count, members.contains(where: { units[$0].grows }) else {
            return
        }
        for (place, member) in members.enumerated() where units[member].grows {
            var box = parts[place].box
            guard case .item(var item) = box.placement else { continue }
            item.shrinkRank = 1
            box.placement = .item(item)
            parts[place] = flow.place(parts[place], box)
        }
    }
}
