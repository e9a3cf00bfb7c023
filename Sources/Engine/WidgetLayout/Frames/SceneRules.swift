internal import WidgetCore

/// The rules of a scene by the part that they lay out: the screen itself, a prototype of rows, or a header. Parts are
/// laid out one after another, since a list decides how wide a row is and a row how high.
struct SceneRules: Sendable {
    /// The rules of one part.
    struct Part: Sendable {
        /// Places in the scene's rules, in file order.
        var rules: [Int] = []
        /// True if some rule ties a length across to one along.
        var mixesAxes = false
        /// True if rules speak of safe areas, margins or readable widths of views within.
        var hasAreas = false
    }

    let scene: Scene
    private(set) var parts: [NodeID: Part] = [:]
    /// Nodes that rules or stacks place, and nodes that contain such.
    private(set) var isRuled: [Bool]
    /// The number of rules that name a node along each axis.
    private(set) var horizontalCounts: [Int32]
    private(set) var verticalCounts: [Int32]
    /// The lengths along each axis that a required rule sets to a number.
    private var fixedWidths: [NodeID: Double] = [:]
    private var fixedHeights: [NodeID: Double] = [:]
    /// The nodes for whose lengths along each axis a required rule has a number: their lengths, or the least or most of them.
    private var boundWidths: Set<NodeID> = []
    private var boundHeights: Set<NodeID> = []
    private let roots: [NodeID]
    let loosestParts: LoosestParts
    private let ruleRows: RuleRows

    init(_ scene: Scene) {
        self.scene = scene
        let count = scene.nodes.count
        let roots = SceneRules.roots(scene)
        self.roots = roots
        ruleRows = RuleRows(scene) { roots[$0] }
        let hasStacks = scene.nodes.contains { $0.look?.stack != nil }
        loosestParts = hasStacks ? LoosestParts(scene, SceneTree(scene)) : LoosestParts()
        isRuled = Array(repeating: false, count: count)
        horizontalCounts = Array(repeating: 0, count: count)
        verticalCounts = Array(repeating: 0, count: count)
        for (place, rule) in scene.rules.enumerated() { add(rule, place) }
        for (id, node) in scene.nodes.enumerated() where node.look?.stack != nil {
            mark(id)
            for child in node.children where scene.nodes.indices.contains(child) {
                mark(child)
                // What is repeated takes the place of the repetition.
                guard let repetition = scene.nodes[child].repetition else { continue }
                for part in repetition.template + repetition.empty where scene.nodes.indices.contains(part) {
                    mark(part)
                }
            }
        }
    }

    /// For each node, the root of the part that it belongs to.
    private static func roots(_ scene: Scene) -> [NodeID] {
        var roots = Array(repeating: -1, count: scene.nodes.count)
        for start in scene.nodes.indices where roots[start] < 0 {
            var (path, current, root): ([NodeID], NodeID, NodeID) = ([], start, start)
            while true {
                path.append(current)
                // Marked at once, so that a circle of parents ends.
                roots[current] = start
                if isRoot(current, in: scene) {
                    root = current
                    break
                }
                guard let parent = scene.nodes[current].parent, scene.nodes.indices.contains(parent) else {
                    root = current
                    break
                }
                if roots[parent] >= 0 {
                    root = roots[parent]
                    break
                }
                current = parent
            }
            for node in path { roots[node] = root }
        }
        return roots
    }

    private static func isRoot(_ id: NodeID, in scene: Scene) -> Bool {
        let node = scene.nodes[id]
        if [.row, .sectionHeader, .sectionFooter].contains(node.kind) || id == scene.root { return true }
        guard let parent = node.parent, scene.nodes.indices.contains(parent) else { return true }
        return [.list, .grid].contains(scene.nodes[parent].kind)
    }

    func root(of node: NodeID) -> NodeID { roots.indices.contains(node) ? roots[node] : node }

    func part(_ root: NodeID) -> Part? { parts[root] }

    func rows(_ root: NodeID) -> [RuleRows.Row] { ruleRows.rows[root] ?? [] }

    /// True if rules place the node or something in it.
    func isPlaced(_ node: NodeID) -> Bool { isRuled.indices.contains(node) && isRuled[node] }

    func isNamed(_ node: NodeID, _ axis: Axis) -> Bool {
        guard isRuled.indices.contains(node) else { return false }
        return (axis == .horizontal ? horizontalCounts[node] : verticalCounts[node]) > 0
    }

    /// True if a required rule of the node sets its length to a number.
    func isFixed(_ node: NodeID, _ axis: Axis) -> Bool { fixedLength(node, axis) != nil }

    func fixedLength(_ node: NodeID, _ axis: Axis) -> Double? {
        axis == .horizontal ? fixedWidths[node] : fixedHeights[node]
    }

    /// True if a required rule of the node has a number for its length, or for the least or the most of it.
    func isBound(_ node: NodeID, _ axis: Axis) -> Bool {
        axis == .horizontal ? boundWidths.contains(node) : boundHeights.contains(node)
    }

    private mutating func add(_ rule: LayoutRule, _ place: Int) {
        let items = [rule.first] + (rule.second.map { [$0] } ?? [])
        guard items.allSatisfy({ scene.nodes.indices.contains($0.node) }) else { return }
        let root = root(of: rule.first.node)
        // A list between two views parts them: no rule reaches across.
        guard items.allSatisfy({ self.root(of: $0.node) == root }) else { return }
        parts[root, default: Part()].rules.append(place)
        if let other = rule.secondAttribute, rule.second != nil, other.axis != rule.attribute.axis {
            parts[root]?.mixesAxes = true
        }
        if items.contains(where: { [.margins, .safeArea, .readable].contains($0.area) && $0.node != root }) {
            parts[root]?.hasAreas = true
        }
        if rule.second == nil, rule.priority >= LevelRule.required {
            if rule.attribute == .width { boundWidths.insert(rule.first.node) }
            if rule.attribute == .height { boundHeights.insert(rule.first.node) }
            if rule.relation == .equal, rule.attribute == .width { fixedWidths[rule.first.node] = rule.constant }
            if rule.relation == .equal, rule.attribute == .height { fixedHeights[rule.first.node] = rule.constant }
        }
        for item in items {
            mark(item.node)
            guard item.area == .bounds else { continue }
            if rule.attribute.axis == .horizontal {
                horizontalCounts[item.node] &+= 1
            } else {
                verticalCounts[item.node] &+= 1
            }
        }
    }

    /// Marks a node and those around it, up to the root of its part.
    private mutating func mark(_ node: NodeID) {
        let root = root(of: node)
        var current = node
        while !isRuled[current] {
            isRuled[current] = true
            guard current != root, let parent = scene.nodes[current].parent, scene.nodes.indices.contains(parent)
            else { return }
            current = parent
        }
    }
}
