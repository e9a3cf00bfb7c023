/// How much lies in the values of a collection. Parts that are shared count as often as they are met.
package struct ValueExtent: Equatable, Sendable {
    /// All values in it.
    package private(set) var count = 0
    /// As ``PredicateValue/weight(upTo:)`` counts.
    package private(set) var weight = 0
    /// Collections within collections.
    package private(set) var depth = 0
    /// Whether an object is among them, which may be another one at another moment.
    package private(set) var hasObjects = false

    /// More than this is as good as without end.
    package static let endless = 1 << 20

    init(of values: [PredicateValue], upTo limit: Int = endless) {
        for value in values where count <= limit { add(value, limit) }
    }

    /// - Parameter limit: of the count; what has more is not looked through to its end.
    package init(of value: PredicateValue, upTo limit: Int = endless) {
        add(value, limit)
    }

    /// As deep as arrays lie in each other; dictionaries know it of themselves.
    private mutating func add(_ value: PredicateValue, _ limit: Int) {
        count += 1
        var added = 1
        switch value {
        case .string(let text): added += text.utf8.count / 16
        case .data(let bytes): added += bytes.count / 16
        case .object: hasObjects = true
        case .array(let elements), .set(let elements):
            added += take(ValueExtent(of: elements, upTo: limit - count))
        case .dictionary(let dictionary): added += take(dictionary.extent)
        default: break
        }
        weight = min(weight + added, ValueExtent.endless)
    }

    /// - Returns: its weight.
    private mutating func take(_ inner: ValueExtent) -> Int {
        count = min(count + inner.count, ValueExtent.endless + 1)
        depth = max(depth, inner.depth + 1)
        hasObjects = hasObjects || inner.hasObjects
        return inner.weight
    }
}
