import Testing
import WidgetPredicates
import WidgetTestSupport

@testable import WidgetCore

/// Goal: patches lead from one view to the next, and move as few rows as possible. Method: random trees, and lists whose
/// changes have a name; the patches are applied to the old view.
@Suite struct `The difference of two views` {
    static func node(_ id: Int, _ text: String = "", kind: NodeKind = .label, _ children: [ViewNode] = []) -> ViewNode {
        ViewNode(
            ViewKey(screen: 1, node: id), kind, properties: text.isEmpty ? [] : [ViewProperty(.text, .string(text))],
            children: children)
    }

    static func view(_ root: ViewNode) -> View { View(screen: "s", title: "t", root: root) }

    static func list(_ ids: [Int]) -> View { view(node(0, kind: .screen, ids.map { node($0) })) }

    /// Compares two lists of labels, and expects that the patches lead from one to the other.
    static func patches(_ old: [Int], _ new: [Int]) -> [Patch] {
        let (before, after) = (list(old), list(new))
        let patches = after.difference(from: before)
        #expect(before.applying(patches)?.root.isSame(as: after.root) ?? false, "\(old) \(new) \(patches)")
        return patches
    }

    static func moveCount(_ patches: [Patch]) -> Int {
        patches.count { if case .move = $0 { true } else { false } }
    }

    // MARK: - Lists

    @Test func `One row that moves is one move, and the rest stays`() {
        let rows = Array(1...100)
        for (from, to) in [(99, 0), (0, 99), (50, 10), (10, 50), (0, 1)] {
            var moved = rows
            moved.insert(moved.remove(at: from), at: to)
            let patches = Self.patches(rows, moved)
            #expect(patches.count == 1 && Self.moveCount(patches) == 1)
        }
        guard case .move(let key, let parent, let next)? = Self.patches([1, 2, 3], [3, 1, 2]).first else {
            Issue.record("it is a move")
            return
        }
        #expect(key.node == 3 && parent.node == 0 && next?.node == 1)
    }

    @Test func `Rows in reverse are moved, all but one`() {
        let patches = Self.patches(Array(1...50), Array(1...50).reversed())
        #expect(patches.count == 49 && Self.moveCount(patches) == 49)
    }

    @Test func `Rows that come and go are inserted and removed, and no row is both`() {
        #expect(Self.patches([], []).isEmpty)
        #expect(Self.patches([], [1, 2, 3]).count == 3)
        #expect(Self.patches([1, 2, 3], []).count == 3)
        #expect(Self.patches([1, 2, 3], [1, 4, 2, 3]).count == 1)
        let patches = Self.patches([1, 2, 3, 4, 5, 6], [7, 5, 1, 8, 3, 9])
        var (removed, inserted) = (Set<Int>(), Set<Int>())
        for patch in patches {
            if case .remove(let key) = patch { removed.insert(key.node) }
            if case .insert(let node, _, _) = patch { inserted.insert(node.key.node) }
        }
        #expect(removed == [2, 4, 6] && inserted == [7, 8, 9] && Self.moveCount(patches) == 1)
    }

    @Test func `A row that moves and changes has a patch for each`() {
        let (one, two) = (Self.node(1), Self.node(2))
        let before = Self.view(Self.node(0, kind: .screen, [one, two, Self.node(3)]))
        let after = Self.view(Self.node(0, kind: .screen, [Self.node(3, "new"), one, two]))
        let patches = after.difference(from: before)
        #expect(patches.count == 2 && before.applying(patches)?.root.isSame(as: after.root) ?? false)
    }

    @Test func `A shuffled list moves no more rows than it has to`() {
        var chance = SeededGenerator(seed: 0xD1F)
        for _ in 0..<300 {
            let old = Array(1...Int.random(in: 1...9, using: &chance))
            let new = old.shuffled(using: &chance)
            #expect(Self.moveCount(Self.patches(old, new)) == old.count - Self.longestSeries(new))
        }
    }

    /// The length of a longest rising series, found by trying all.
    static func longestSeries(_ numbers: [Int]) -> Int {
        var best = [Int](repeating: 1, count: numbers.count)
        for end in numbers.indices {
            for start in 0..<end where numbers[start] < numbers[end] { best[end] = max(best[end], best[start] + 1) }
        }
        return best.max() ?? 0
    }

    @Test func `A long list takes no longer than its sorting`() {
        var chance = SeededGenerator(seed: 0xD20)
        let rows = Array(1...20_000)
        let before = Self.list(rows)
        let after = Self.list(rows.shuffled(using: &chance))
        let patches = after.difference(from: before)
        #expect(Self.moveCount(patches) == patches.count && patches.count > 19_000)
    }

    // MARK: - Keys that are there twice

    @Test func `Rows that share a key are replaced with their list`() {
        for (old, new) in [
            ([1, 2, 1], [1, 2]), ([1, 1, 2], [2, 1, 1]), ([1, 2], [2, 1, 2]), ([3, 1, 4], [3, 1, 5, 3, 4]),
        ] {
            let before = Self.view(Self.node(9, kind: .screen, [Self.node(0, kind: .list, old.map { Self.node($0) })]))
            let after = Self.view(Self.node(9, kind: .screen, [Self.node(0, kind: .list, new.map { Self.node($0) })]))
            let patches = after.difference(from: before)
            #expect(before.applying(patches)?.root.isSame(as: after.root) ?? false)
            guard case .replace(let key, _)? = patches.first, patches.count == 1 else {
                Issue.record("the list is replaced: \(patches)")
                continue
            }
            #expect(key.node == 0)
        }
    }

    // MARK: - Trees

    @Test func `A child that appears below another parent is removed from the first one before`() {
        let child = Self.node(5, "c")
        for isUp in [true, false] {
            let (here, there) = (isUp ? [] : [child], isUp ? [child] : [])
            func tree(_ first: [ViewNode], _ second: [ViewNode]) -> View {
                Self.view(
                    Self.node(0, kind: .screen, [Self.node(1, kind: .box, first), Self.node(2, kind: .box, second)]))
            }
            let (before, after) = (tree(here, there), tree(there, here))
            let patches = after.difference(from: before)
            guard case .remove? = patches.first else { Issue.record("the removal is first"); continue }
            #expect(before.applying(patches)?.root.isSame(as: after.root) ?? false)
        }
    }

    @Test func `The patches between random trees lead from one to the other`() {
        var chance = SeededGenerator(seed: 0xD21)
        for round in 0..<2_000 {
            var trees = RandomTrees(chance: chance)
            let before = Self.view(trees.tree())
            let after = Self.view(trees.changed(before.root))
            chance = trees.chance
            let patches = after.difference(from: before)
            #expect(before.applying(patches)?.root.isSame(as: after.root) ?? false, "round \(round): \(patches)")
            // What is in both is not removed.
            let kept = after.keys
            for case .remove(let key) in patches where kept.contains(key) {
                #expect(before.parent(of: key) != after.parent(of: key), "round \(round)")
            }
            #expect(before.difference(from: before).isEmpty)
        }
    }
}

/// Trees of nodes with distinct keys, and others that differ in some of them.
private struct RandomTrees {
    var chance: SeededGenerator
    private var last = 0

    init(chance: SeededGenerator) { self.chance = chance }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &chance) }

    mutating func tree() -> ViewNode { node(id: 0, kind: .screen, depth: 0) }

    private mutating func node(id: Int, kind: NodeKind, depth: Int) -> ViewNode {
        let count = depth < 3 ? number(0...6) : 0
        var children: [ViewNode] = []
        for _ in 0..<count {
            last += 1
            children.append(node(id: last, kind: number(0...1) == 0 ? .box : .label, depth: depth + 1))
        }
        return made(id, kind, text: number(0...2), children)
    }

    private func made(_ id: Int, _ kind: NodeKind, text: Int, _ children: [ViewNode]) -> ViewNode {
        ViewNode(
            ViewKey(screen: 1, node: id), kind,
            properties: text == 0 ? [] : [ViewProperty(.text, .integer(Int64(text)))], children: children)
    }

    /// A tree with other values, kinds, orders, and children that have come, gone, or have another parent.
    mutating func changed(_ node: ViewNode) -> ViewNode {
        var spare: [ViewNode] = []
        return changed(node, &spare)
    }

    private mutating func changed(_ node: ViewNode, _ spare: inout [ViewNode]) -> ViewNode {
        if node.key.node != 0, number(0...3) == 0 { return node }
        var children: [ViewNode] = []
        for child in node.children {
            switch number(0...7) {
            case 0: break
            case 1: spare.append(child)
            default: children.append(changed(child, &spare))
            }
        }
        if number(0...2) == 0, let child = spare.popLast() { children.append(child) }
        for _ in 0..<number(0...1) {
            last += 1
            children.insert(made(last, .label, text: 1, []), at: number(0...children.count))
        }
        if number(0...2) == 0 { children.shuffle(using: &chance) }
        let kind: NodeKind = node.key.node != 0 && number(0...9) == 0 ? .button : node.kind
        return made(node.key.node, kind, text: number(0...2), children)
    }
}

extension View {
    fileprivate var keys: Set<ViewKey> {
        var keys: Set<ViewKey> = []
        visit { keys.insert($0.key).inserted }
        return keys
    }

    fileprivate func parent(of key: ViewKey) -> ViewKey? {
        var found: ViewKey?
        visit { node in
            if node.children.contains(where: { $0.key == key }) { found = node.key }
            return found == nil
        }
        return found
    }

    /// The view after patches; `nil` if one of them names what is not there.
    fileprivate func applying(_ patches: [Patch]) -> View? {
        var view = self
        for patch in patches {
            switch patch {
            case .whole(let whole): view = whole
            case .title(let title): view.title = title
            case .alerts(let alerts): view.alerts = alerts
            case .set, .replace, .remove, .insert, .move:
                var isDone = false
                view.root = view.root.applying(patch, &isDone)
                guard isDone else { return nil }
            }
        }
        return view
    }
}

extension ViewNode {
    /// The tree after a patch of one of its nodes, the first of its key.
    fileprivate func applying(_ patch: Patch, _ isDone: inout Bool) -> ViewNode {
        if isDone { return self }
        switch patch {
        case .replace(key, let node):
            isDone = true
            return node
        case .set(key, let changes):
            isDone = true
            let names = Set(changes.map(\.name))
            let kept = properties.filter { !names.contains($0.name) }
            return with(properties: kept + changes.filter { !$0.value.isNull }, Array(children))
        case .remove(let gone):
            if let place = children.firstIndex(where: { $0.key == gone }) {
                isDone = true
                var rest = Array(children)
                rest.remove(at: place)
                return with(properties: properties, rest)
            }
        case .insert(let node, key, let next):
            return with(properties: properties, ViewNode.inserting(node, before: next, in: Array(children), &isDone))
        case .move(let moved, key, let next):
            guard let place = children.firstIndex(where: { $0.key == moved }) else { return self }
            var rest = Array(children)
            let node = rest.remove(at: place)
            return with(properties: properties, ViewNode.inserting(node, before: next, in: rest, &isDone))
        default: break
        }
        var changed: [ViewNode] = []
        for child in children { changed.append(child.applying(patch, &isDone)) }
        return isDone ? with(properties: properties, changed) : self
    }

    private static func inserting(
        _ node: ViewNode, before next: ViewKey?, in children: [ViewNode], _ isDone: inout Bool
    ) -> [ViewNode] {
        guard let place = next.map({ key in children.firstIndex { $0.key == key } }) ?? children.count else {
            return children
        }
        isDone = true
        var children = children
        children.insert(node, at: place)
        return children
    }

    private func with(properties: [ViewProperty], _ children: [ViewNode]) -> ViewNode {
        ViewNode(
            key, kind, identifier: identifier, properties: properties, children: children, events: events, frame: frame)
    }

    fileprivate func isSame(as other: ViewNode) -> Bool {
        guard key == other.key, kind == other.kind, identifier == other.identifier, events == other.events,
            frame == other.frame, properties.count == other.properties.count, children.count == other.children.count
        else { return false }
        let values = properties.allSatisfy { other[$0.name]?.isIdentical(to: $0.value) ?? false }
        return values && zip(children, other.children).allSatisfy { $0.isSame(as: $1) }
    }
}
