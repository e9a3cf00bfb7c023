import WidgetCore

@testable import WidgetLayout

/// A scene for tests, drawn by hand: a root of 375 × 667 points with nodes and rules.
struct SketchedScene {
    private(set) var scene: Scene
    static let root = 0

    init() {
        var root = Node(.box)
        root.frame = Frame(x: 0, y: 0, width: 375, height: 667)
        root.look = Look(geometry: Geometry())
        scene = Scene("S", nodes: [root])
    }

    /// Adds a node that rules place.
    @discardableResult
    mutating func add(
        _ kind: NodeKind, in parent: NodeID = root, _ frame: Frame = Frame(x: 0, y: 0, width: 100, height: 20),
        identifier: String? = nil, hugging: Float = 251,
        look change: (inout Geometry, inout Appearance) -> Void = { _, _ in }
    ) -> NodeID {
        var geometry = Geometry()
        geometry.hugging = Priorities(horizontal: hugging, vertical: hugging)
        var appearance = Appearance()
        appearance.font = FontRequest(size: 17)
        change(&geometry, &appearance)
        var node = Node(kind, identifier: identifier)
        node.frame = frame
        node.parent = parent
        node.look = Look(geometry: geometry, appearance: appearance)
        scene.nodes.append(node)
        scene.nodes[parent].children.append(scene.nodes.count - 1)
        return scene.nodes.count - 1
    }

    mutating func replaceLook(of node: NodeID, _ look: Look) { scene.nodes[node].look = look }

    /// `first.attribute relation second.otherAttribute × multiplier + constant`
    mutating func rule(
        _ first: NodeID, _ attribute: LayoutRule.Attribute, _ relation: LayoutRule.Relation = .equal,
        _ second: NodeID? = nil, _ other: LayoutRule.Attribute? = nil, _ constant: Double = 0,
        times multiplier: Double = 1,
        priority: Float = 1000, area: LayoutRule.Area = .bounds, variations: [RuleVariation] = []
    ) {
        scene.rules.append(
            LayoutRule(
                LayoutRule.Item(first), attribute, relation, to: second.map { LayoutRule.Item($0, area) }, other,
                multiplier: multiplier, constant: constant, priority: priority, owner: SketchedScene.root,
                variations: variations))
    }

    /// Ties all four edges to those of the parent.
    mutating func pin(_ node: NodeID, to parent: NodeID = root, _ distance: Double = 0) {
        rule(node, .leading, .equal, parent, .leading, distance)
        rule(node, .top, .equal, parent, .top, distance)
        rule(parent, .trailing, .equal, node, .trailing, distance)
        rule(parent, .bottom, .equal, node, .bottom, distance)
    }

    mutating func size(_ node: NodeID, _ width: Double?, _ height: Double?) {
        if let width { rule(node, .width, .equal, nil, nil, width) }
        if let height { rule(node, .height, .equal, nil, nil, height) }
    }

    var plan: LayoutPlan { LayoutPlan(of: scene) }
}

extension LayoutPlan {
    /// The reason why a container needs a solver.
    func reason(_ container: NodeID = SketchedScene.root) -> SolvedReason? {
        if case .solved(let reason) = containers[container]?.form { reason } else { nil }
    }

    /// The kinds of wrappers with the nodes in them, as `column(1 row(2 3))`.
    func sketch(_ container: NodeID = SketchedScene.root) -> String {
        guard let planned = containers[container] else { return "" }
        func text(_ part: Arranged) -> String {
            switch part {
            case .node(let node): return "\(node)"
            case .wrapper(let index, let parts):
                return "\(planned.wrappers[index].kind)(\(parts.map(text).joined(separator: " ")))"
            }
        }
        return planned.arrangement.map(text).joined(separator: " ")
    }

    func item(_ node: NodeID) -> FlowItem? {
        if case .item(let item) = boxes[node]?.placement { item } else { nil }
    }
}
