internal import Predicates

/// A scene prepared for evaluation, once per program. Frequent lookups need one reference, and the facts about each
/// expression are computed in advance.
final class ScenePlan: Sendable {
    let nodes: [NodePlan]
    /// By name; of two with the same name, the first.
    let sources: [String: Source]
    let actions: [String: Action]
    let data: [String: DataSource]
    /// True if some nodes have items or local values around them.
    let hasLocalScopes: Bool
    /// The nodes that run steps when they come or go, and those around them.
    let living: Set<NodeID>

    init(_ scene: Scene) {
        hasLocalScopes = scene.nodes.contains { $0.repetition != nil || !$0.locals.isEmpty }
        var living: Set<NodeID> = []
        for (id, node) in scene.nodes.enumerated() where node.lifecycle != nil {
            var next: NodeID? = id
            while let id = next, living.insert(id).inserted { next = scene.node(id)?.parent }
        }
        self.living = living
        sources = Dictionary(scene.sources.map { ($0.id, $0) }) { first, _ in first }
        data = Dictionary(scene.data.map { ($0.id, $0) }) { first, _ in first }
        actions = Dictionary(scene.actions.map { ($0.id, $0) }) { first, _ in first }
        nodes = scene.nodes.enumerated().map { NodePlan($0, $1) }
    }

    func node(_ id: NodeID) -> NodePlan? { nodes.indices.contains(id) ? nodes[id] : nil }
}

final class NodePlan: Sendable {
    let id: NodeID
    let kind: NodeKind
    let identifier: String?
    /// All properties except `hidden`.
    let properties: [(name: PropertyName, expression: ExpressionPlan)]
    let hidden: ExpressionPlan?
    let alpha: ExpressionPlan?
    let children: [NodeID]
    /// In their usual order.
    let events: [NodeEvent]
    let list: ListTemplate?
    let frame: Frame?
    let place: Place?
    let prototype: NodeID?
    let names: [String: NodeID]?
    let fieldName: String?
    let repetition: Repetition?
    let locals: [LocalValue]
    /// True if a touch leads elsewhere in a host without input.
    let leadsElsewhere: Bool

    fileprivate init(_ id: NodeID, _ node: Node) {
        self.id = id
        kind = node.kind
        identifier = node.identifier
        properties = node.properties.filter { $0.name != .hidden }.map { ($0.name, ExpressionPlan($0.expression)) }
        hidden = node[.hidden].map(ExpressionPlan.init)
        alpha = properties.first { $0.name == .alpha }?.expression
        children = node.children
        events = NodeEvent.allCases.filter { node.events[$0] != nil }
        list = node.list
        frame = node.frame
        place = node.place
        prototype = node.prototype
        names = node.names
        fieldName = node.fieldName
        repetition = node.repetition
        locals = node.locals
        leadsElsewhere = !node.instead.isEmpty
    }

    subscript(_ name: PropertyName) -> ExpressionPlan? {
        for property in properties where property.name == name { return property.expression }
        return name == .hidden ? hidden : nil
    }
}

final class ExpressionPlan: Sendable {
    let expression: Expression
    let literal: Value?
    /// True if the result can change with the clock or a random number alone.
    let dependsOnClock: Bool

    fileprivate init(_ expression: Expression) {
        self.expression = expression
        literal = expression.literal
        dependsOnClock = expression.dependsOnClock
    }
}
