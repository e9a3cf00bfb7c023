internal import WidgetCore

/// The nodes of a scene as a tree, even where the scene's lists are in another order or contain each other.
struct SceneTree {
    /// By node; each node is the child of one.
    private(set) var children: [[NodeID]]
    private(set) var parent: [NodeID?]
    /// Nodes with children, each before those in it.
    private(set) var containers: [NodeID] = []
    private(set) var depth: [Int]

    init(_ scene: Scene) {
        let count = scene.nodes.count
        children = Array(repeating: [], count: count)
        parent = Array(repeating: nil, count: count)
        depth = Array(repeating: 0, count: count)
        var isSeen = Array(repeating: false, count: count)
        var isChild = isSeen
        for node in scene.nodes {
            for child in node.children where scene.nodes.indices.contains(child) { isChild[child] = true }
        }
        // What no list names is a root. Nodes that contain each other in a circle come last.
        for pass in 0...1 {
            for root in 0..<count where !isSeen[root] && (pass == 1 || !isChild[root] || root == scene.root) {
                isSeen[root] = true
                var pending = [root]
                while let node = pending.popLast() {
                    for child in SceneTree.shown(in: node, scene) {
                        guard !isSeen[child], scene.nodes[child].kind != .constraint else { continue }
                        isSeen[child] = true
                        parent[child] = node
                        depth[child] = depth[node] + 1
                        children[node].append(child)
                    }
                    if !children[node].isEmpty { containers.append(node) }
                    pending.append(contentsOf: children[node].reversed())
                }
            }
        }
    }

    /// The children of a node. Those that are repeated for items lie where the node that repeats them is.
    private static func shown(in node: NodeID, _ scene: Scene) -> [NodeID] {
        let own = scene.nodes[node].children.filter(scene.nodes.indices.contains)
        guard own.contains(where: { scene.nodes[$0].repetition != nil }) else { return own }
        return own.flatMap { child in
            scene.nodes[child].repetition == nil
                ? [child] : scene.nodes[child].children.filter(scene.nodes.indices.contains)
        }
    }
}

/// The rules of a scene that are installed for a size class, by the container whose children they are about.
struct SortedRules {
    private(set) var rules: [NodeID: [(rule: LayoutRule, constant: Double)]] = [:]
    /// Containers with a rule that reaches deeper, or out of them.
    private(set) var distant: Set<NodeID> = []
    /// The steps up that are taken to find what two views have in common.
    private static let climbLimit = 64

    init(_ scene: Scene, _ classes: SizeClasses, _ tree: SceneTree) {
        for var rule in scene.rules {
            var constant: Double? = rule.constant
            for variation in rule.variations where variation.classes.fits(classes) { constant = variation.constant }
            guard let constant, tree.children.indices.contains(rule.first.node) else { continue }
            guard let second = rule.second, second.node != rule.first.node else {
                if let parent = tree.parent[rule.first.node] { rules[parent, default: []].append((rule, constant)) }
                continue
            }
            guard tree.children.indices.contains(second.node) else { continue }
            rule.first.node = SortedRules.content(of: rule.first.node, beside: second.node, scene, tree)
            rule.second?.node = SortedRules.content(of: second.node, beside: rule.first.node, scene, tree)
            add(rule, constant, tree)
        }
    }

    private mutating func add(_ rule: LayoutRule, _ constant: Double, _ tree: SceneTree) {
        guard var one = rule.second?.node else { return }
        var other = rule.first.node
        let (first, second) = (tree.parent[other], tree.parent[one])
        if first == one || first == second, let first {
            rules[first, default: []].append((rule, constant))
        } else if second == other {
            rules[other, default: []].append((rule, constant))
        } else {
            for _ in 0..<SortedRules.climbLimit where one != other {
                if tree.depth[one] < tree.depth[other] { swap(&one, &other) }
                guard let parent = tree.parent[one] else { return }
                distant.insert(parent)
                one = parent
            }
        }
    }

    /// A row's rules may name the row in place of the view that holds its content.
    private static func content(of node: NodeID, beside other: NodeID, _ scene: Scene, _ tree: SceneTree) -> NodeID {
        guard let parent = tree.parent[other], tree.parent[parent] == node,
            scene.nodes[parent].look?.geometry.role == .contentView
        else { return node }
        return parent
    }
}

/// The axes along which the rules of a container tie one of its ends to the other, so that its content can decide how
/// long it is.
struct ContentConnection {
    var x = false
    var y = false

    static func all(
        _ rules: [NodeID: [(rule: LayoutRule, constant: Double)]], _ tree: SceneTree, _ scene: Scene
    ) -> [NodeID: ContentConnection] {
        var connections: [NodeID: ContentConnection] = [:]
        for (container, rules) in rules {
            let children = Dictionary(uniqueKeysWithValues: tree.children[container].enumerated().map { ($1, $0) })
            connections[container] = ContentConnection(
                x: connects(rules, container, children, .horizontal),
                y: connects(rules, container, children, .vertical))
        }
        // The content of a row, or of an effect, is that of the view which holds it.
        for container in tree.containers.reversed() {
            let view = tree.children[container].first { scene.nodes[$0].look?.geometry.role == .contentView }
            if let view, let inner = connections[view] { connections[container] = inner }
        }
        return connections
    }

    private static func connects(
        _ rules: [(rule: LayoutRule, constant: Double)], _ container: NodeID, _ children: [NodeID: Int], _ axis: Axis
    ) -> Bool {
        // The container's start and end, then the children.
        var sets = ChildSets(count: children.count + 2)
        var isAny = false
        for (rule, _) in rules where rule.attribute.axis == axis && rule.secondAttribute?.axis == axis {
            guard let second = rule.second, let attribute = rule.secondAttribute,
                let one = place(rule.first, rule.attribute, container, children),
                let other = place(second, attribute, container, children)
            else { continue }
            isAny = true
            sets.join(one, other)
        }
        return isAny && sets.find(0) == sets.find(1)
    }

    private static func place(
        _ item: LayoutRule.Item, _ attribute: LayoutRule.Attribute, _ container: NodeID, _ children: [NodeID: Int]
    ) -> Int? {
        if let child = children[item.node] { return attribute.edge == .length ? nil : child + 2 }
        guard item.node == container else { return nil }
        switch attribute.edge {
        case .start, .firstBaseline: return 0
        case .end, .lastBaseline: return 1
        case .center, .length: return nil
        }
    }
}
