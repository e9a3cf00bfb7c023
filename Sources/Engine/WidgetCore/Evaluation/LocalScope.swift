internal import WidgetPredicates

/// A value that the expressions within a node know by name.
package struct LocalValue: Sendable {
    package let name: String
    package let expression: Expression
    let dependsOnClock: Bool

    package init(_ name: String, _ expression: Expression) {
        self.name = name
        self.expression = expression
        dependsOnClock = expression.dependsOnClock
    }
}

/// Nodes that are made once for each item of a value.
///
/// Its node is not shown itself: its children take its place among those around it. Unlike the rows of a
/// ``ListTemplate``, they need no source: the items are those of an expression, which may read an item around it.
package final class Repetition: Sendable {
    package let items: Expression
    /// The item's name in expressions, besides `content`.
    package let name: String?
    /// The value that distinguishes an item; otherwise its place. Typed values move with their item.
    package let key: Expression?
    package let template: [NodeID]
    /// Shown while there are no items.
    package let empty: [NodeID]
    package let place: Place?
    /// True if the list or its keys can change with the clock or a random number alone.
    let dependsOnClock: Bool

    package init(
        _ items: Expression, name: String? = nil, key: Expression? = nil, template: [NodeID], empty: [NodeID] = [],
        place: Place? = nil
    ) {
        self.items = items
        self.name = name
        self.key = key
        self.template = template
        self.empty = empty
        self.place = place
        dependsOnClock = items.dependsOnClock || key?.dependsOnClock ?? false
    }
}

extension ScreenScope {
    /// The scope of a node in a scene with local values: those of the nodes around it, outermost first.
    ///
    /// - Parameter item: the innermost item that the node is made for.
    /// - Returns: `nil` for a node that has only the screen around it, or whose item is gone.
    func scope(of node: NodeID, item: ItemKey?) throws(PredicateError) -> ItemScope? {
        var keys: [NodeID: ItemKey] = [:]
        var next = item
        while let key = next {
            keys[key.list] = key
            next = key.outer?.key
        }
        var path: [NodeID] = []
        var current: NodeID? = node
        while let id = current, path.count <= ScreenScope.deepestNode {
            path.append(id)
            current = scene.node(id)?.parent
        }
        var scope = row(around: node, keys)
        for id in path.reversed() {
            guard let known = scene.node(id) else { continue }
            if !known.locals.isEmpty { scope = try ItemScope(self, locals: known.locals, in: scope) }
            // The item of the node's own children is not one that it is made for itself.
            guard id != node, let repetition = known.repetition, let key = keys[id] else { continue }
            let around: Value = scope.map { .object($0) } ?? .object(self)
            let items = try RepeatedItems(
                repetition, of: id, in: around, context, outer: scope?.key, limit: .max)
            guard let place = items.place(of: key) else { return nil }
            scope = ItemScope(self, content: items.values[place], key: key, repetition, in: scope)
        }
        return scope
    }

    /// The scope of the row of a list that a node is a part of.
    private func row(around node: NodeID, _ keys: [NodeID: ItemKey]) -> ItemScope? {
        guard let prototype = scene.node(node)?.prototype,
            let key = keys.values.first(where: { scene.node($0.list)?.repetition == nil })
        else { return nil }
        return ItemScope(
            self, content: key.content(scene, screen, in: records).moved(to: records), key: key,
            prototype: prototype, log: nil)
    }

    /// Nodes around a node that are looked at.
    private static let deepestNode = 1_000
}
