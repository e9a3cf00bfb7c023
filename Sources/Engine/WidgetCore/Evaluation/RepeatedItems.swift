internal import WidgetPredicates

/// The items of a repetition at one moment, with their keys.
struct RepeatedItems: Sendable {
    let list: NodeID
    /// The item that the repetition lies in.
    let outer: ItemKey?
    let values: [Value]
    /// True if there are more items than the limit.
    let isCut: Bool
    /// The numbers of their keys; empty if items are distinguished by their places.
    let numbers: [Int]
    /// The items whose key earlier ones have as well: the number of those, by place.
    let turns: [Int: Int]

    init(
        _ values: (shown: [Value], isCut: Bool), numbers: [Int], of list: NodeID, outer: ItemKey?,
        turns: [Int: Int]? = nil
    ) {
        self.list = list
        self.outer = outer
        self.values = values.shown
        isCut = values.isCut
        self.numbers = numbers
        self.turns = turns ?? RepeatedItems.turns(numbers)
    }

    init(
        _ repetition: Repetition, of list: NodeID, in scope: Value, _ context: ExpressionContext, outer: ItemKey?,
        limit: Int
    ) throws(PredicateError) {
        let values = try RepeatedItems.values(repetition, in: scope, context, limit: limit)
        var numbers: [Int] = []
        if repetition.key != nil {
            numbers.reserveCapacity(values.shown.count)
            for item in values.shown {
                numbers.append(try RepeatedItems.number(of: item, repetition, in: scope, context))
            }
        }
        self.init(values, numbers: numbers, of: list, outer: outer)
    }

    func key(_ place: Int) -> ItemKey {
        guard !numbers.isEmpty else { return ItemKey(list: list, number: place, isRecord: false, outer: outer) }
        return ItemKey(
            list: list, number: numbers[place], isRecord: false, turn: turns.isEmpty ? 0 : turns[place] ?? 0,
            outer: outer)
    }

    func place(of key: ItemKey) -> Int? {
        guard key.list == list, !key.isRecord, key.outer?.key == outer else { return nil }
        if numbers.isEmpty { return values.indices.contains(key.number) && key.turn == 0 ? key.number : nil }
        return numbers.indices.first { numbers[$0] == key.number && turns[$0, default: 0] == key.turn }
    }

    // MARK: - Parts

    static func values(
        _ repetition: Repetition, in scope: Value, _ context: ExpressionContext, limit: Int
    ) throws(PredicateError) -> (shown: [Value], isCut: Bool) {
        let value = try repetition.items.value(scope, context)
        let all = value.elements ?? (value.isNull ? [] : [value])
        return all.count > limit ? (Array(all.prefix(limit)), true) : (all, false)
    }

    /// The number of an item's key: itself, or a hash of its text.
    static func number(
        of item: Value, _ repetition: Repetition, in scope: Value, _ context: ExpressionContext
    ) throws(PredicateError) -> Int {
        guard let key = repetition.key else { return 0 }
        let names = [(repetition.name ?? "content", item), ("content", item)]
        let value = try key.value(.object(LocalNames(names, around: scope)), context)
        if case .integer(let number) = value, number >= 0 { return Int(truncatingIfNeeded: number) }
        // FNV-1a, cut to the numbers of keys.
        var code: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in value.shown.utf8 { code = (code ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int(truncatingIfNeeded: code >> 1)
    }

    private static func turns(_ numbers: [Int]) -> [Int: Int] {
        var next: [Int: Int] = [:]
        next.reserveCapacity(numbers.count)
        var turns: [Int: Int] = [:]
        for (place, number) in numbers.enumerated() {
            let turn = next[number, default: 0]
            next[number] = turn + 1
            if turn > 0 { turns[place] = turn }
        }
        return turns
    }
}

/// Names in front of those of another scope.
private final class LocalNames: PredicateObject {
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
