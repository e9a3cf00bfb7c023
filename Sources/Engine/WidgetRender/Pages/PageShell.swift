internal import WidgetCore

/// The nodes that two views share, so that neither page needs to print them to say what has changed.
struct SharedNodes {
    private var identical: Set<ObjectIdentifier> = []
    /// The children of long lists that neither page needs to name, by list.
    private var oldSkips: [ObjectIdentifier: [Range<Int>]] = [:]
    private var newSkips: [ObjectIdentifier: [Range<Int>]] = [:]
    /// Nodes around lists that show other rows than before, and around pictures of the network that have come, though
    /// nothing else about them has changed.
    private let opened: Set<ObjectIdentifier>
    private let (oldCounts, options): ([ViewKey: Int], PageOptions)
    /// The rows of long lists of the new view that have nothing else.
    private(set) var newCounts: [ViewKey: Int] = [:]
    private let (oldWindows, newWindows): ([ViewKey: Int], [ViewKey: Int])

    init(_ old: PageMoment, _ new: View, _ windows: [ViewKey: Int], _ options: PageOptions) {
        self.options = options
        (oldCounts, oldWindows, newWindows) = (old.rowCounts, old.windows, windows)
        let lists = Set(old.windows.keys).union(windows.keys).filter { old.windows[$0] != windows[$0] }
        let (before, after) = (old.view.pictures, new.pictures)
        let pictures = before == after ? [] : Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        var around: Set<ObjectIdentifier> = []
        if !lists.isEmpty || !pictures.isEmpty {
            _ = SharedNodes.find(in: new.root, &around) { node in
                lists.contains(node.key)
                    || !pictures.isEmpty && ShownPicture(node)?.address.map(pictures.contains) ?? false
            }
        }
        opened = around
        if !isShared(old.view.root, new.root) { compare(old.view.root, new.root) }
    }

    /// Views are no deeper than their budget, which bounds this.
    private static func find(
        in node: ViewNode, _ found: inout Set<ObjectIdentifier>, _ isSought: (ViewNode) -> Bool
    ) -> Bool {
        var isAround = isSought(node)
        for child in node.children where find(in: child, &found, isSought) { isAround = true }
        if isAround { found.insert(ObjectIdentifier(node)) }
        return isAround
    }

    func contains(_ node: ViewNode) -> Bool { identical.contains(ObjectIdentifier(node)) }

    func skips(of list: ViewNode, isOld: Bool) -> [Range<Int>] {
        (isOld ? oldSkips : newSkips)[ObjectIdentifier(list)] ?? []
    }

    private func isShared(_ old: ViewNode, _ new: ViewNode) -> Bool {
        old === new && !opened.contains(ObjectIdentifier(new))
    }

    // MARK: - Comparing

    private mutating func compare(_ old: ViewNode, _ new: ViewNode) {
        guard old.kind == new.kind else { return }
        let (before, after) = (old.children, new.children)
        var long = LongRows(old, new, self)
        var start = 0
        while start < before.count, start < after.count {
            let end = prefix(before, after, from: start)
            if end > start { share(after, start..<end, &long) }
            start = end
            guard start < before.count, start < after.count, before[start].key == after[start].key else { break }
            compare(before[start], after[start])
            start += 1
        }
        let most = min(before.count, after.count) - start
        let suffix = opened.isEmpty ? NodeList.sharedSuffix(of: before, and: after, atMost: most) : 0
        if suffix > 0 { share(after, (after.count - suffix)..<after.count, &long, isEnd: true) }
        compare(before[start..<(before.count - suffix)], after[start..<(after.count - suffix)])
        if let long {
            newCounts[new.key] = after.count
            oldSkips[ObjectIdentifier(old)] = long.oldSkips
            newSkips[ObjectIdentifier(new)] = long.newSkips
        }
    }

    private func prefix(_ before: NodeList, _ after: NodeList, from start: Int) -> Int {
        if opened.isEmpty { return NodeList.sharedPrefix(of: before, and: after, from: start) }
        var place = start
        while place < before.count, place < after.count, isShared(before[place], after[place]) { place += 1 }
        return place
    }

    private mutating func share(
        _ nodes: NodeList, _ places: Range<Int>, _ long: inout LongRows?, isEnd: Bool = false
    ) {
        if let named = long?.skip(places, isEnd: isEnd) {
            for place in named { identical.insert(ObjectIdentifier(nodes[place])) }
        } else {
            for place in places { identical.insert(ObjectIdentifier(nodes[place])) }
        }
    }

    /// Children that have come, gone or moved.
    private mutating func compare(_ before: Slice<NodeList>, _ after: Slice<NodeList>) {
        guard !before.isEmpty, !after.isEmpty else { return }
        var known: [ViewKey: ViewNode] = [:]
        for node in before { known[node.key] = node }
        for node in after {
            guard let other = known[node.key] else { continue }
            if isShared(other, node) { identical.insert(ObjectIdentifier(node)) } else { compare(other, node) }
        }
    }

    /// The rows of a long list without sections, of which runs that have not changed are named by one of them.
    private struct LongRows {
        var oldSkips: [Range<Int>] = []
        var newSkips: [Range<Int>] = []
        /// The rows of both pages that have the same places from the beginning.
        private let shown: Int
        /// The last rows that one of the pages does not show.
        private let hidden: Int
        private let (oldCount, newCount): (Int, Int)

        /// - Returns: `nil` for other elements.
        init?(_ old: ViewNode, _ new: ViewNode, _ shared: SharedNodes) {
            let least = ReadingOrder.sortedCount
            // Of a list that keeps its end, the first rows are those that pages lack.
            guard old.kind == .list && !old.keepsEnd && !new.keepsEnd || old.kind == .grid, old.children.count > least,
                new.children.count > least
            else { return nil }
            (oldCount, newCount) = (old.children.count, new.children.count)
            guard PageBody.rowCount(of: old, shared.oldCounts) == oldCount else { return nil }
            // Nodes that the old list has as well are rows, and are not looked at.
            let start = NodeList.sharedPrefix(of: old.children, and: new.children)
            let most = min(oldCount, newCount) - start
            let end = newCount - NodeList.sharedSuffix(of: old.children, and: new.children, atMost: most)
            guard new.children[start..<end].allSatisfy({ PageBody.isRow($0, of: new) }) else { return nil }
            let options = shared.options
            let oldShown = min(oldCount, options.shownRows(of: old, oldCount, shared.oldWindows))
            let newShown = min(newCount, options.shownRows(of: new, newCount, shared.newWindows))
            shown = min(oldShown, newShown)
            hidden = max(oldCount - oldShown, newCount - newShown)
        }

        /// Leaves out rows that both pages show.
        ///
        /// - Parameter isEnd: true for rows that have the same places from the end.
        /// - Returns: the rows that are named, so that others can be inserted before them.
        mutating func skip(_ places: Range<Int>, isEnd: Bool) -> [Int] {
            guard isEnd else {
                let last = places.upperBound - 1
                add(places.lowerBound..<max(places.lowerBound, min(last, shown)), movedBy: 0)
                return last < shown ? [last] : []
            }
            let end = newCount - hidden
            guard places.lowerBound < end else { return [] }
            add((places.lowerBound + 1)..<max(places.lowerBound + 1, end), movedBy: oldCount - newCount)
            return [places.lowerBound]
        }

        private mutating func add(_ places: Range<Int>, movedBy distance: Int) {
            guard !places.isEmpty else { return }
            newSkips.append(places)
            oldSkips.append((places.lowerBound + distance)..<(places.upperBound + distance))
        }
    }
}

/// The surroundings that an element which is not printed depends on.
struct PageHole: Equatable {
    let isRoot: Bool
    let isInBar: Bool
    /// The list, of a row.
    let list: ViewKey?
}

/// The parts of a page that are printed to compare it with another: elements that both pages have are holes.
struct PageShell {
    let shared: SharedNodes
    /// The holes of the old page; `nil` while that one is printed.
    let allowed: [String: PageHole]?
    /// Elements that have to be printed.
    var closed: Set<String> = []
    /// The names of the regions that the page has, by their identities.
    let regions: [String: PageRegion]
    private(set) var holes: [String: PageHole] = [:]
    private(set) var order: [String] = []
    /// True if an identity occurs twice.
    private(set) var isAmbiguous = false

    init(_ shared: SharedNodes, allowed: [String: PageHole]?, regions: [PageRegion]) {
        self.shared = shared
        self.allowed = allowed
        self.regions = Dictionary(regions.map { ($0.id, $0) }) { first, _ in first }
    }

    var isOld: Bool { allowed == nil }

    /// Notes a hole, if the element can be one.
    mutating func takes(_ node: ViewNode, _ id: String, _ hole: PageHole) -> Bool {
        guard shared.contains(node), !closed.contains(id) else { return false }
        if let allowed, allowed[id] != hole { return false }
        if holes.updateValue(hole, forKey: id) != nil { isAmbiguous = true }
        order.append(id)
        return true
    }
}

/// A part of a page that people can jump to, by a name that no other has.
struct PageRegion: Equatable, Sendable {
    let id: String
    /// The name without a number.
    let base: String
    let name: String
}
