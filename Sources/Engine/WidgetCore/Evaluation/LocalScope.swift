internal import Predicates

/// A value that the expressions within a node know by name.
package struct LocalValue: Sendable {
    package var name: String
    package var expression: Expression

    package init(_ name: String, _ expression: Expression) {
        self.name = name
        self.expression = expression
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
    }
}

/// The items of a repetition at one moment, with their keys.
struct RepeatedItems {
    let values: [Value]
    let keys: [ItemKey]
    /// The number of items whose key an earlier one has as well.
    private(set) var duplicateCount = 0
    /// True if there are more items than the limit.
    let isCut: Bool

    /// - Parameter outer: the item that the repetition lies in.
    init(
        _ repetition: Repetition, of list: NodeID, in scope: Value, _ context: ExpressionContext, outer: ItemKey?,
        limit: Int
    ) throws(PredicateError) {
        let value = try repetition.items.value(scope, context)
        let all = value.elements ?? (value.isNull ? [] : [value])
        isCut = all.count > limit
        values = all.count > limit ? Array(all.prefix(limit)) : all
        var keys: [ItemKey] = []
        keys.reserveCapacity(values.count)
        var turns: [Int: Int] = [:]
        for (place, item) in values.enumerated() {
            var number = place
            if let key = repetition.key {
                let names = [(repetition.name ?? "content", item), ("content", item)]
                let inner = Value.object(LocalNames(names, around: scope))
                number = RepeatedItems.number(of: try key.value(inner, context))
                let turn = turns[number, default: 0]
                turns[number] = turn + 1
                if turn > 0 { duplicateCount += 1 }
                keys.append(ItemKey(list: list, number: number, isRecord: false, turn: turn, outer: outer))
            } else {
                keys.append(ItemKey(list: list, number: number, isRecord: false, outer: outer))
            }
        }
        self.keys = keys
    }

    /// The number in place of a key: itself, or a hash of its text.
    private static func number(of key: Value) -> Int {
        if case .integer(let number) = key, number >= 0 { return Int(truncatingIfNeeded: number) }
        // FNV-1a, cut to the numbers of keys.
        var code: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key.shown.utf8 { code = (code ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int(truncatingIfNeeded: code >> 1)
    }
}

/// Names in front of those of another scope.
final class LocalNames: PredicateObject {
    private let names: [(String, Value)]
    private let outer: Value

    init(_ names: [(String, Value)], around outer: Value) {
        self.names = names
        self.outer = outer
    }

    func value(forKey key: String) -> Value? {
        for (name, value) in names where name == key { return value }
        guard case .object(let object) = outer else { return .null }
        return object.value(forKey: key)
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
        var scope: ItemScope?
        for id in path.reversed() {
            guard let known = scene.node(id) else { continue }
            if !known.locals.isEmpty { scope = try ItemScope(self, locals: known.locals, in: scope) }
            // The item of the node's own children is not one that it is made for itself.
            guard id != node, let repetition = known.repetition, let key = keys[id] else { continue }
            let around: Value = scope.map { .object($0) } ?? .object(self)
            let items = try RepeatedItems(
                repetition, of: id, in: around, context, outer: scope?.key, limit: .max)
            guard let place = items.keys.firstIndex(of: key) else { return nil }
            scope = ItemScope(self, content: items.values[place], key: key, repetition, in: scope)
        }
        return scope
    }

    /// Nodes around a node that are looked at.
    private static let deepestNode = 1_000
}
