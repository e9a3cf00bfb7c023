internal import WidgetCore

/// The rows that an author's rules make: views beside each other, each tied to the one before it, from one edge of the view around
/// them to the other. Pages have the same (``RowBuilder``).
struct RuleRows: Sendable {
    struct Row: Sendable {
        let around: NodeID
        var members: [NodeID]
        /// The distances between the members, and between them and the edges.
        var gaps: Double
    }

    /// By the root of the part that they are in.
    private(set) var rows: [NodeID: [Row]] = [:]

    private struct Ties {
        var first: [NodeID: Double] = [:]
        var next: [NodeID: (node: NodeID, gap: Double)] = [:]
        var last: [NodeID: Double] = [:]
        /// Views that are tied to several others at one end.
        var forks: Set<NodeID> = []
        /// Views that are tied to one before them.
        private(set) var followers: Set<NodeID> = []

        mutating func add(_ node: NodeID, before other: NodeID, _ gap: Double) {
            if next.updateValue((other, gap), forKey: node) != nil { forks.insert(node) }
            if !followers.insert(other).inserted { forks.insert(other) }
        }
    }

    /// - Parameter root: the root of the part that a node is in.
    init(_ scene: Scene, root: (NodeID) -> NodeID) {
        let ties = RuleRows.ties(scene)
        guard !ties.next.isEmpty else { return }
        for (start, distance) in ties.first.sorted(by: { $0.key < $1.key }) where !ties.followers.contains(start) {
            guard let around = scene.nodes[start].parent,
                let row = RuleRows.row(from: start, Row(around: around, members: [start], gaps: distance), ties),
                row.members.count(where: { WeakestTexts.isText(scene.nodes[$0].kind) }) > 1
            else { continue }
            rows[root(around), default: []].append(row)
        }
    }

    private static func row(from start: NodeID, _ begun: Row, _ ties: Ties) -> Row? {
        var (row, current) = (begun, start)
        while let next = ties.next[current], ties.last[current] == nil {
            // The first one follows nothing, and each other one a single one, so that only a fork could lead in a circle.
            guard !ties.forks.contains(current), !ties.forks.contains(next.node) else { return nil }
            row.members.append(next.node)
            row.gaps += next.gap
            current = next.node
        }
        guard row.members.count > 1, let end = ties.last[current] else { return nil }
        row.gaps += end
        return row
    }

    private static func ties(_ scene: Scene) -> Ties {
        var ties = Ties()
        for rule in scene.rules {
            guard let other = rule.second, let attribute = rule.secondAttribute, rule.priority >= LevelRule.required,
                rule.multiplier == 1, rule.variations.isEmpty,
                rule.first.area == .bounds, other.area == .bounds,
                let (one, two) = parents(rule.first.node, other.node, scene)
            else { continue }
            let (first, second, distance) = (rule.first.node, other.node, rule.constant)
            switch (rule.attribute, attribute, rule.relation) {
            case (.leading, .trailing, .equal) where one == two: ties.add(second, before: first, distance)
            case (.trailing, .leading, .equal) where one == two: ties.add(first, before: second, -distance)
            // At the edges it is the least distance that counts.
            case (.leading, .leading, .equal) where one == second,
                (.leading, .leading, .greaterOrEqual) where one == second:
                ties.first[first] = distance
            case (.leading, .leading, .equal) where two == first, (.leading, .leading, .lessOrEqual) where two == first:
                ties.first[second] = -distance
            case (.trailing, .trailing, .equal) where two == first,
                (.trailing, .trailing, .greaterOrEqual) where two == first:
                ties.last[second] = distance
            case (.trailing, .trailing, .equal) where one == second,
                (.trailing, .trailing, .lessOrEqual) where one == second:
                ties.last[first] = -distance
            default: continue
            }
        }
        return ties
    }

    /// The views around two nodes; `nil` where a rule names something else.
    private static func parents(_ first: NodeID, _ second: NodeID, _ scene: Scene) -> (NodeID, NodeID)? {
        guard scene.nodes.indices.contains(first), scene.nodes.indices.contains(second) else { return nil }
        return (scene.nodes[first].parent ?? -1, scene.nodes[second].parent ?? -1)
    }
}

/// A row of rules in which each view is shown, and once.
struct PlacedRow {
    var around: Int
    var members: [Int]
    var gaps: Double

    /// Its place among all rows: those of stacks have the place of the stack.
    var key: Int { ~members[0] }
}

extension LayoutSystem {
    var rows: [PlacedRow] {
        rules.rows(boxes[0].node).compactMap { row in
            let members = row.members.compactMap { node in
                places[node].flatMap { boxes[$0].view == nil || copies[node] != nil ? nil : $0 }
            }
            guard members.count == row.members.count, let around = places[row.around] else { return nil }
            return PlacedRow(around: around, members: members, gaps: row.gaps)
        }
    }
}
