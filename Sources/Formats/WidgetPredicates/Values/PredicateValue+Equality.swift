extension PredicateValue {
    /// Equality as in `==`: Booleans are the numbers 1 and 0, numbers compare by value, and values of different kinds
    /// are never equal.
    package func equals(_ other: PredicateValue, _ texts: TextComparison = TextComparison()) -> Bool {
        switch (self, other) {
        case (.integer(let first), .integer(let second)): first == second
        case (.string(let first), .string(let second)): texts.areEqual(first, second)
        case (.null, .null): true
        case (.null, _), (_, .null): false
        case (.date(let first), .date(let second)): first == second
        case (.data(let first), .data(let second)): first == second
        case (.array(let first), .array(let second)):
            first.count == second.count && zip(first, second).allSatisfy { $0.equals($1) }
        case (.set(let first), .set(let second)):
            first.count == second.count && Set(first.map(ValueKey.init)) == Set(second.map(ValueKey.init))
        case (.dictionary(let first), .dictionary(let second)):
            first.count == second.count
                && zip(first.keys, first.values).allSatisfy { key, value in second[key]?.equals(value) ?? false }
        case (.object(let first), .object(let second)): first.identity == second.identity
        default: PredicateValue.numericOrder(self, other) == .equal
        }
    }

    enum Order {
        case less, equal, greater
        /// One of them is not a number.
        case none

        init(_ difference: Int) {
            self = difference < 0 ? .less : difference > 0 ? .greater : .equal
        }

        init<Value: Comparable>(_ first: Value, _ second: Value) {
            self = first < second ? .less : first == second ? .equal : first > second ? .greater : .none
        }

        var reversed: Order { self == .less ? .greater : self == .greater ? .less : self }
    }

    /// The order of two values of one kind; `nil` for values that have none.
    func order(_ other: PredicateValue, _ texts: TextComparison) -> Order? {
        switch (self, other) {
        case (.integer(let first), .integer(let second)): Order(first, second)
        case (.string(let first), .string(let second)): Order(texts.compare(first, second))
        case (.date(let first), .date(let second)): Order(first, second)
        default: PredicateValue.numericOrder(self, other)
        }
    }

    /// `nil` unless both are numbers or Booleans.
    static func numericOrder(_ first: PredicateValue, _ second: PredicateValue) -> Order? {
        switch (first, second) {
        case (.double(let first), .double(let second)): return Order(first, second)
        case (.boolean(let first), _): return numericOrder(.integer(first ? 1 : 0), second)
        case (_, .boolean(let second)): return numericOrder(first, .integer(second ? 1 : 0))
        case (.integer(let first), .integer(let second)): return Order(first, second)
        case (.integer(let first), .double(let second)): return order(first, second)
        case (.double(let first), .integer(let second)): return order(second, first).reversed
        case (.decimal, _), (_, .decimal):
            guard let one = first.double, let other = second.double else { return nil }
            guard let first = first.decimal, let second = second.decimal else { return Order(one, other) }
            return first == second ? .equal : first < second ? .less : .greater
        default: return nil
        }
    }

    /// Compares exactly, without rounding either number to the other's type.
    private static func order(_ whole: Int64, _ real: Double) -> Order {
        if real.isNaN { return .none }
        if real >= 0x1p63 { return .less }
        if real < -0x1p63 { return .greater }
        let truncated = Int64(real)
        return whole == truncated ? Order(0, real - Double(truncated)) : Order(whole, truncated)
    }

    /// `nil` unless the value is a number in the range of decimals.
    var decimal: DecimalNumber? {
        switch self {
        case .boolean(let value): DecimalNumber(value ? 1 : 0)
        case .integer(let value): DecimalNumber(value)
        case .double(let value): DecimalNumber(value)
        case .decimal(let value): value
        default: nil
        }
    }
}

/// A value in a hash table, equal as `==` means it.
struct ValueKey: Hashable {
    let value: PredicateValue

    init(_ value: PredicateValue) {
        self.value = value
    }

    static func == (first: ValueKey, second: ValueKey) -> Bool { first.value.equals(second.value) }

    func hash(into hasher: inout Hasher) {
        switch value {
        case .null: hasher.combine(0 as UInt8)
        case .object(let object): hasher.combine(object.identity)
        // Exact, because many large integers share one floating-point number.
        case .boolean(let flag): hasher.combine(flag ? 1 : 0 as Int64)
        case .integer(let number): hasher.combine(number)
        case .double(let number): ValueKey.hash(Int64(exactly: number), number, into: &hasher)
        case .decimal(let number): ValueKey.hash(number.integer, number.double, into: &hasher)
        case .string(let text): hasher.combine(text)
        case .date(let seconds): hasher.combine(seconds)
        case .data(let bytes): hasher.combine(bytes)
        case .array(let elements):
            hasher.combine(elements.count)
            for element in elements { ValueKey(element).hash(into: &hasher) }
        // The order does not matter, so the parts are hashed separately.
        case .set(let elements): hasher.combine(elements.reduce(0) { $0 ^ ValueKey($1).hashValue })
        case .dictionary(let dictionary):
            hasher.combine(
                zip(dictionary.keys, dictionary.values).reduce(0) { mixed, member in
                    var part = Hasher()
                    part.combine(member.0)
                    ValueKey(member.1).hash(into: &part)
                    return mixed ^ part.finalize()
                })
        }
    }

    private static func hash(_ whole: Int64?, _ number: Double, into hasher: inout Hasher) {
        if let whole { hasher.combine(whole) } else { hasher.combine(number) }
    }
}

extension PredicateValue {
    /// A set of these, each kept once, at the place of its first.
    package static func set(of elements: some Sequence<PredicateValue>) -> PredicateValue {
        .set(distinct(elements))
    }

    static func distinct(_ elements: some Sequence<PredicateValue>) -> [PredicateValue] {
        var seen: Set<ValueKey> = []
        return elements.filter { seen.insert(ValueKey($0)).inserted }
    }
}
