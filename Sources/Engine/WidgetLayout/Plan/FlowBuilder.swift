internal import WidgetCore

/// The boxes and wrappers of one container while they are made.
final class Flow {
    /// A child's facts beside its places.
    struct Child: Sendable {
        var node: NodeID
        var kind: NodeKind
        var look: Look?
        var ratio: Double?
        /// True if it has content with a width, such as text.
        var hasContent: Bool
        /// True if it has content with a height.
        var hasHeight: Bool
    }

    /// A part of the arrangement with its box.
    struct Part {
        var arranged: Arranged
        var box: PlannedBox
        /// The first child in it, by which parts are ordered.
        var first: Int
    }

    /// Rows in columns in rows: deeper nestings need a solver.
    static let depthLimit = 8
    /// Groups of columns inside rows; a container with more needs a solver.
    static let regionLimit = 64

    let children: [Child]
    /// True along the axes on which the container fits its content.
    let fitsWidth: Bool
    let fitsHeight: Bool
    /// True if all parts are content that scrolls: it begins below bars, and free boxes would not.
    private let isScrolling: Bool
    private(set) var wrappers: [PlannedWrapper] = []
    private(set) var boxes: [PlannedBox?]
    private(set) var reason: SolvedReason?
    private var regionCount = 0

    init(_ children: [Child], fitsWidth: Bool, fitsHeight: Bool, isScrolling: Bool = false) {
        self.isScrolling = isScrolling
        self.children = children
        self.fitsWidth = fitsWidth
        self.fitsHeight = fitsHeight
        boxes = Array(repeating: nil, count: children.count)
    }

    /// Notes why the container needs a solver; the first reason counts.
    func fail(_ reason: SolvedReason) { if self.reason == nil { self.reason = reason } }

    func wrap(_ kind: PlannedWrapper.Kind, _ box: PlannedBox, _ parts: [Part]) -> Part {
        let index = wrappers.count
        wrappers.append(PlannedWrapper(kind: kind, box: box))
        return Part(
            arranged: .wrapper(index, parts.map { $0.arranged }), box: box, first: parts.map { $0.first }.min() ?? 0)
    }

    /// Gives a part its final box.
    func place(_ part: Part, _ box: PlannedBox) -> Part {
        var part = part
        part.box = box
        switch part.arranged {
        case .wrapper(let index, _): wrappers[index].box = box
        case .node: boxes[part.first] = box
        }
        return part
    }

    /// Gives a part of a row or column another distance from the part behind it.
    func place(_ part: Part, trailing distance: Affine) -> Part {
        guard case .item(var item) = part.box.placement else { return part }
        item.trailing = distance
        var box = part.box
        box.placement = .item(item)
        return place(part, box)
    }

    /// Places a part in the container, or in a region of it: in the cell that decides how long the container is, or free.
    func place(_ part: Part) -> Part {
        var box = part.box
        let isTied = isScrolling || fitsHeight && box.y.isTied || fitsWidth && box.x.isTied
        box.placement = isTied && Flow.fitsCell(box.y) ? .cell : .free
        return place(part, box)
    }

    /// False for shares of the height, which a cell cannot keep.
    private static func fitsCell(_ extent: Extent) -> Bool {
        switch extent.anchor {
        case .start(let distance), .end(let distance), .center(let distance): if distance.share != 0 { return false }
        case .both(let start, let end): if start.share != 0 || end.share != 0 { return false }
        case .baseline: break
        }
        if case .fixed(let length) = extent.length { return length.share == 0 }
        return true
    }

    func addRegion() -> Bool {
        regionCount += 1
        return regionCount <= Flow.regionLimit
    }
}

/// Turns the places of a container's children into boxes, rows and columns.
///
/// Children whose places along an axis depend on the content of others form rows and columns; everything else is a box
/// with numbers of the container alone. Children beside each other become a unit first, then units below each other a
/// column.
struct FlowBuilder {
    let flow: Flow
    let members: [Int]
    let x: AxisPlaces
    let y: AxisPlaces
    let depth: Int

    init(_ flow: Flow, _ members: [Int], _ x: AxisPlaces, _ y: AxisPlaces, depth: Int = 0) {
        self.flow = flow
        self.members = members
        self.x = x
        self.y = y
        self.depth = depth
    }

    /// The parts of the container, or nothing if `flow` has a reason for a solver.
    func build() -> [Flow.Part] {
        guard depth < Flow.depthLimit else {
            flow.fail(.depth)
            return []
        }
        if x.comparesContent || y.comparesContent { flow.fail(.contentMultiple) }
        if !x.alignments.isEmpty || x.breaksRule || y.breaksRule { flow.fail(.crossing) }
        guard flow.reason == nil else { return [] }
        var sets = ChildSets(count: flow.children.count)
        for link in x.links { sets.join(link.from, link.to) }
        for alignment in y.alignments { sets.join(alignment.leader, alignment.child) }
        let groups = sets.groups(of: members)
        var contents = groups.members.map { UnitContents(members: $0) }
        for link in x.links { contents[groups.place[link.from]].links.append(link) }
        for alignment in y.alignments { contents[groups.place[alignment.child]].alignments.append(alignment) }
        var columns = ColumnBuilder(flow)
        for link in y.links {
            let (from, to) = (groups.place[link.from], groups.place[link.to])
            if from == to {
                contents[from].columnLinks.append(link)
            } else {
                contents[to].incoming.append(link)
                contents[from].outgoing.append(link)
                columns.links.append((from, to, link))
            }
        }
        for content in contents {
            columns.units.append(unit(content))
            guard flow.reason == nil else { return [] }
        }
        let parts = columns.parts().map { flow.place($0) }
        return flow.reason == nil ? parts : []
    }

    private func unit(_ contents: UnitContents) -> ColumnUnit {
        guard contents.members.count == 1 else { return UnitBuilder(self, contents).build() }
        let child = contents.members[0]
        var extent = y.extents[child]
        if y.isBetween[child] { extent.length = flow.fitsHeight && flow.children[child].hasHeight ? .content : .fill }
        var box = PlannedBox(x.extents[child], extent)
        box.ratio = flow.children[child].ratio
        var unit = ColumnUnit(part: Flow.Part(arranged: .node(flow.children[child].node), box: box, first: child))
        unit.hangsAtStart = y.hangsAtStart[child]
        unit.hangsAtEnd = y.hangsAtEnd[child]
        unit.hangsAtCenter = y.hangsAtCenter[child] && !unit.hangsAtStart && !unit.hangsAtEnd
        unit.grows = y.isBetween[child]
        return unit
    }
}

/// Children that lie beside each other, with what ties them.
struct UnitContents {
    var members: [Int]
    /// Along x, inside the unit.
    var links: [AxisPlaces.Link] = []
    /// Along y, inside the unit.
    var alignments: [AxisPlaces.Alignment] = []
    var columnLinks: [AxisPlaces.Link] = []
    /// Along y, from or to other units.
    var incoming: [AxisPlaces.Link] = []
    var outgoing: [AxisPlaces.Link] = []
}

/// Sets of children that belong together.
struct ChildSets {
    struct Groups {
        var members: [[Int]] = []
        /// By child, the place of its set.
        var place: [Int]
    }

    private var parent: [Int]

    init(count: Int) { parent = Array(0..<count) }

    mutating func join(_ one: Int, _ other: Int) {
        let (first, second) = (find(one), find(other))
        if first != second { parent[max(first, second)] = min(first, second) }
    }

    mutating func find(_ child: Int) -> Int {
        var leader = child
        while parent[leader] != leader {
            parent[leader] = parent[parent[leader]]
            leader = parent[leader]
        }
        return leader
    }

    mutating func groups(of children: [Int]) -> Groups {
        var groups = Groups(place: Array(repeating: 0, count: parent.count))
        var places: [Int: Int] = [:]
        for child in children {
            let leader = find(child)
            let place = places[leader] ?? groups.members.count
            if place == groups.members.count {
                places[leader] = place
                groups.members.append([])
            }
            groups.members[place].append(child)
            groups.place[child] = place
        }
        return groups
    }
}
