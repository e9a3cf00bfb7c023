/// Comparisons. One side changes; the other may be a constant.
public func == <L: Changing, Value>(left: L, right: Value) -> Reading<Bool>
where L.Value == Value, Value: Encodable & Equatable { compare(left.operand, "==", .literal(right)) }

/// True while both values are equal.
public func == <L: Changing, R: Changing>(left: L, right: R) -> Reading<Bool> where L.Value == R.Value {
    compare(left.operand, "==", right.operand)
}

/// True while the value is missing: `$user == nil`.
public func == <L: Changing, Value>(left: L, right: _OptionalNilComparisonType) -> Reading<Bool>
where L.Value == Value? { compare(left.operand, "==", .null) }

/// True while a value is different from a constant.
public func != <L: Changing, Value>(left: L, right: Value) -> Reading<Bool>
where L.Value == Value, Value: Encodable & Equatable { compare(left.operand, "!=", .literal(right)) }

/// True while both values are different.
public func != <L: Changing, R: Changing>(left: L, right: R) -> Reading<Bool> where L.Value == R.Value {
    compare(left.operand, "!=", right.operand)
}

/// True while the value is there: `$user != nil`.
public func != <L: Changing, Value>(left: L, right: _OptionalNilComparisonType) -> Reading<Bool>
where L.Value == Value? { compare(left.operand, "!=", .null) }

/// True while a value is less than a constant.
public func < <L: Changing, Value>(left: L, right: Value) -> Reading<Bool>
where L.Value == Value, Value: Encodable & Comparable { compare(left.operand, "<", .literal(right)) }

/// True while a value is greater than a constant.
public func > <L: Changing, Value>(left: L, right: Value) -> Reading<Bool>
where L.Value == Value, Value: Encodable & Comparable { compare(left.operand, ">", .literal(right)) }

/// True while a value is at most a constant.
public func <= <L: Changing, Value>(left: L, right: Value) -> Reading<Bool>
where L.Value == Value, Value: Encodable & Comparable { compare(left.operand, "<=", .literal(right)) }

/// True while a value is at least a constant.
public func >= <L: Changing, Value>(left: L, right: Value) -> Reading<Bool>
where L.Value == Value, Value: Encodable & Comparable { compare(left.operand, ">=", .literal(right)) }

/// True while the left value is less than the right one.
public func < <L: Changing, R: Changing>(left: L, right: R) -> Reading<Bool> where L.Value == R.Value {
    compare(left.operand, "<", right.operand)
}

/// True while the left value is greater than the right one.
public func > <L: Changing, R: Changing>(left: L, right: R) -> Reading<Bool> where L.Value == R.Value {
    compare(left.operand, ">", right.operand)
}

private func compare(_ left: Operand, _ sign: String, _ right: Operand) -> Reading<Bool> {
    Reading(.expression([.value(left), .word(" \(sign) "), .value(right)], isCondition: true))
}

// MARK: - Truth

/// True while the value is false.
public prefix func ! <Truth: Changing>(value: Truth) -> Reading<Bool> where Truth.Value == Bool {
    Reading(value.operand.negated)
}

/// True while both values are true.
public func && <L: Changing, R: Changing>(left: L, right: R) -> Reading<Bool>
where L.Value == Bool, R.Value == Bool {
    Reading(.expression([.condition(left.operand), .word(" AND "), .condition(right.operand)], isCondition: true))
}

/// True while one of the values is true, or both.
public func || <L: Changing, R: Changing>(left: L, right: R) -> Reading<Bool>
where L.Value == Bool, R.Value == Bool {
    Reading(.expression([.condition(left.operand), .word(" OR "), .condition(right.operand)], isCondition: true))
}

extension Changing where Value == Bool {
    /// One of two values.
    public func choose<Result: Encodable>(_ yes: Result, else no: Result) -> Reading<Result> {
        choose(Reading<Result>(.literal(yes)), else: Reading<Result>(.literal(no)))
    }

    /// One of two values.
    @_disfavoredOverload
    public func choose<Yes: Readable, No: Readable>(_ yes: Yes, else no: No) -> Reading<Yes.Value>
    where Yes.Value == No.Value {
        Reading(
            .expression([
                .word("TERNARY("), .condition(operand), .word(", "), .value(yes.operand), .word(", "),
                .value(no.operand), .word(")"),
            ]))
    }
}

// MARK: - Numbers

/// The sum of a value and a constant: `$count + 1`.
public func + <L: Changing, Value: Numeric & Encodable>(left: L, right: Value) -> Reading<Value>
where L.Value == Value { calculate(left.operand, "+", .literal(right)) }

/// The difference of a value and a constant.
public func - <L: Changing, Value: Numeric & Encodable>(left: L, right: Value) -> Reading<Value>
where L.Value == Value { calculate(left.operand, "-", .literal(right)) }

/// The product of a value and a constant.
public func * <L: Changing, Value: Numeric & Encodable>(left: L, right: Value) -> Reading<Value>
where L.Value == Value { calculate(left.operand, "*", .literal(right)) }

/// The quotient of a value and a constant.
public func / <L: Changing>(left: L, right: Double) -> Reading<Double> where L.Value == Double {
    calculate(left.operand, "/", .literal(right))
}

/// The sum of two values.
public func + <L: Changing, R: Changing>(left: L, right: R) -> Reading<L.Value>
where L.Value == R.Value, L.Value: Numeric { calculate(left.operand, "+", right.operand) }

/// The difference of two values.
public func - <L: Changing, R: Changing>(left: L, right: R) -> Reading<L.Value>
where L.Value == R.Value, L.Value: Numeric { calculate(left.operand, "-", right.operand) }

/// The product of two values.
public func * <L: Changing, R: Changing>(left: L, right: R) -> Reading<L.Value>
where L.Value == R.Value, L.Value: Numeric { calculate(left.operand, "*", right.operand) }

private func calculate<Value>(_ left: Operand, _ sign: String, _ right: Operand) -> Reading<Value> {
    Reading(.expression([.value(left), .word(" \(sign) "), .value(right)]))
}

// MARK: - Texts and lists

extension Changing where Value == String {
    /// The text in capital letters.
    public func uppercased() -> Reading<String> {
        Reading(.expression([.word("uppercase("), .value(operand), .word(")")]))
    }

    /// The text in small letters.
    public func lowercased() -> Reading<String> {
        Reading(.expression([.word("lowercase("), .value(operand), .word(")")]))
    }

    /// True while the text has no characters.
    public var isEmpty: Reading<Bool> { compare(operand, "==", .literal("")) }

    /// True if the text has another one in it in any case of its letters.
    public func contains<Part: Readable>(_ part: Part) -> Reading<Bool> where Part.Value == String {
        compare(operand, "CONTAINS[cd]", part.operand)
    }
}

extension Changing where Value: RandomAccessCollection {
    /// The number of elements.
    public var count: Reading<Int> { Reading(.expression([.value(operand), .word(".@count")])) }

    /// True while the collection has no elements.
    public var isEmpty: Reading<Bool> {
        Reading(.expression([.value(operand), .word(".@count == 0")], isCondition: true))
    }
}

extension Changing {
    /// The value whose key is the text of this one: data in place of a `switch`.
    public func match<Result: Encodable>(_ cases: KeyValuePairs<String, Result>, else other: Result? = nil)
        -> Reading<Result>
    {
        Reading(
            Operand(
                .match(
                    operand, cases.map { (name: $0.key, value: Operand.literal($0.value)) },
                    otherwise: other.map { Operand.literal($0) })))
    }
}
