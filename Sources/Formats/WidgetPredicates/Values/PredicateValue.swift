/// A value that a predicate or expression reads, or that an expression returns.
package enum PredicateValue: Sendable {
    /// `nil`: no value, as for a missing key.
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    /// Boxed, so that the common values stay three words long.
    indirect case decimal(DecimalNumber)
    case string(String)
    /// Seconds since the first moment of 2001, UTC.
    case date(Double)
    case data([UInt8])
    case array([PredicateValue])
    /// Different elements, in the order of their insertion.
    case set([PredicateValue])
    case dictionary(PredicateDictionary)
    case object(any PredicateObject)
}

/// Something with keys that is not a value: a record of a store, a part of a screen.
package protocol PredicateObject: AnyObject, Sendable {
    /// - Returns: `nil` for a key that this object does not have; `.null` for one without a value.
    func value(forKey key: String) -> PredicateValue?

    /// Objects with equal identities represent the same thing.
    var identity: ObjectIdentity { get }
}

extension PredicateObject {
    package var identity: ObjectIdentity { .address(ObjectIdentifier(self)) }
}

/// The identity of an object, which no other object has.
package enum ObjectIdentity: Hashable, Sendable {
    case address(ObjectIdentifier)
    /// The identity of a record, which each access wraps in a new object.
    case record(Int)
}

extension PredicateValue {
    package var isNull: Bool { if case .null = self { true } else { false } }

    /// With its article, for a sentence.
    package var kindName: String {
        switch self {
        case .null: "nil"
        case .boolean: "a Boolean"
        case .integer, .double, .decimal: "a number"
        case .string: "a text"
        case .date: "a date"
        case .data: "data"
        case .array: "an array"
        case .set: "a set"
        case .dictionary: "a dictionary"
        case .object: "an object"
        }
    }

    var isNumberNotBoolean: Bool {
        switch self {
        case .integer, .double, .decimal: true
        default: false
        }
    }

    /// A number or a Boolean as the nearest double.
    var double: Double? {
        switch self {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.double
        default: nil
        }
    }

    /// The elements of a collection, or the values of a dictionary.
    package var elements: [PredicateValue]? {
        switch self {
        case .array(let elements), .set(let elements): elements
        case .dictionary(let dictionary): dictionary.values
        default: nil
        }
    }

    /// The steps of a full traversal: one for each part of the value, and one for every 16 bytes of a text. A shared
    /// part counts each time it is met, so a small value can cost exponentially many.
    ///
    /// - Returns: `nil` if there are more than `limit`.
    package func weight(upTo limit: Int) -> Int? {
        var left = limit
        return subtractWeight(from: &left) ? limit - left : nil
    }

    /// Recursive, by the depth of the value; each level costs a step.
    private func subtractWeight(from left: inout Int) -> Bool {
        left -= 1
        switch self {
        case .string(let text): left -= text.utf8.count / 16
        case .data(let bytes): left -= bytes.count / 16
        case .array(let elements), .set(let elements):
            guard left >= elements.count else { return false }
            for element in elements where !element.subtractWeight(from: &left) { return false }
        case .dictionary(let dictionary):
            guard dictionary.extent.weight < ValueExtent.endless, dictionary.extent.count <= ValueExtent.endless else {
                return false
            }
            left -= dictionary.extent.weight
        default: break
        }
        return left >= 0
    }

    /// True if both have one kind and one content. Unlike in equality, `1` is neither `1.0` nor `TRUE`.
    package func isIdentical(to other: PredicateValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.boolean(let first), .boolean(let second)): first == second
        case (.integer(let first), .integer(let second)): first == second
        case (.double(let first), .double(let second)): first.bitPattern == second.bitPattern
        case (.decimal(let first), .decimal(let second)): first == second
        case (.string(let first), .string(let second)): first.utf8.elementsEqual(second.utf8)
        case (.date(let first), .date(let second)): first.bitPattern == second.bitPattern
        case (.data(let first), .data(let second)): first == second
        case (.array(let first), .array(let second)), (.set(let first), .set(let second)):
            first.span.isIdentical(to: second.span) || first.elementsEqual(second) { $0.isIdentical(to: $1) }
        case (.dictionary(let first), .dictionary(let second)):
            first.isSame(as: second)
                || first.keys == second.keys && first.values.elementsEqual(second.values) { $0.isIdentical(to: $1) }
        case (.object(let first), .object(let second)): first.identity == second.identity
        default: false
        }
    }
}

/// The size of a collection's values. Shared parts count each time they are met.
package struct ValueExtent: Equatable, Sendable {
    /// All values in it.
    package private(set) var count = 0
    /// As ``PredicateValue/weight(upTo:)`` counts.
    package private(set) var weight = 0
    /// Collections within collections.
    package private(set) var depth = 0
    /// True if an object is among them. An object may answer differently later.
    package private(set) var hasObjects = false

    /// Counts saturate here.
    package static let endless = 1 << 20

    init(of values: [PredicateValue], upTo limit: Int = endless) {
        for value in values where count <= limit { add(value, limit) }
    }

    /// - Parameter limit: the count at which the traversal stops.
    package init(of value: PredicateValue, upTo limit: Int = endless) {
        add(value, limit)
    }

    /// The size of a list after one item is replaced.
    ///
    /// - Returns: `nil` if the other items have to be looked at: the one that is gone may have been the deepest, or all is too
    ///   much to be counted.
    package func replacing(_ old: ValueExtent, with new: ValueExtent) -> ValueExtent? {
        let isGoneDeepest = old.depth + 1 >= depth && new.depth < old.depth
        guard weight < ValueExtent.endless, count < ValueExtent.endless, old.weight < ValueExtent.endless,
            !isGoneDeepest,
            new.hasObjects || !old.hasObjects
        else { return nil }
        var next = self
        next.count = min(count + new.count - old.count, ValueExtent.endless + 1)
        next.weight = min(weight + new.weight - old.weight, ValueExtent.endless)
        next.depth = max(depth, new.depth + 1)
        next.hasObjects = hasObjects || new.hasObjects
        return next
    }

    /// Recursive, by the depth of arrays; dictionaries have their extent computed.
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
