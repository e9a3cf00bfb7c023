internal import WidgetPredicates

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
        let checkable = ScenePlan.checkable(scene)
        nodes = scene.nodes.enumerated().map { NodePlan($0, $1, isChecked: checkable[$0]) }
    }

    /// The rows of lists in which some rows have checkmarks, and true for those that do.
    private static func checkable(_ scene: Scene) -> [NodeID: Bool] {
        func hasMark(_ row: NodeID) -> Bool {
            guard let node = scene.node(row), node.look?.appearance.accessory == .checkmark else { return false }
            // A view of the author's has the place of the mark.
            return !node.children.contains { scene.node($0)?.look?.geometry.role == .accessory }
        }
        guard scene.nodes.contains(where: { $0.look?.appearance.accessory == .checkmark }) else { return [:] }
        var owners: [NodeID: NodeID] = [:]
        for (id, node) in scene.nodes.enumerated() {
            for row in node.list.map({ Array($0.prototypes.values) }) ?? [] { owners[row] = id }
            guard node.kind == .row, owners[id] == nil else { continue }
            var around = node.parent
            while let next = around.flatMap({ scene.node($0) }), next.kind != .list, next.kind != .grid {
                around = next.parent
            }
            if let around { owners[id] = around }
        }
        let lists = Set(owners.filter { hasMark($0.key) }.values)
        return owners.reduce(into: [:]) { rows, owner in
            if lists.contains(owner.value) { rows[owner.key] = hasMark(owner.key) }
        }
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
    /// True for a row with a checkmark, false for other rows of its list, and `nil` where rows have none.
    let isChecked: Bool?
    /// True for an element whose author has said that it is selected.
    let isSelected: Bool

    fileprivate init(_ id: NodeID, _ node: Node, isChecked: Bool?) {
        self.isChecked = isChecked
        isSelected = node.look?.accessibility?.isSelected == true
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
