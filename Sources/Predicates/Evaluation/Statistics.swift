/// Many numbers to one. Elements without a value are left out.
enum Statistics {
    static func sum(
        _ values: [PredicateValue], _ run: inout Run, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        var sum = PredicateValue.integer(0)
        for value in values where !value.isNull {
            try run.spend(1, span)
            sum = try Arithmetic.result(.add, sum, value, span)
        }
        return sum
    }

    static func average(
        _ values: [PredicateValue], _ run: inout Run, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        let numbers = values.filter { !$0.isNull }
        guard !numbers.isEmpty else { return .null }
        let sum = try sum(numbers, &run, span)
        if case .decimal = sum { return try Arithmetic.result(.divide, sum, .integer(Int64(numbers.count)), span) }
        return .double((sum.double ?? 0) / Double(numbers.count))
    }

    /// The smallest or the largest.
    static func extreme(
        _ values: [PredicateValue], _ wanted: PredicateValue.Order, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        var best = PredicateValue.null
        for value in values where !value.isNull {
            if best.isNull {
                // Whatever has an order has one with itself.
                guard value.order(value, TextComparison()) != nil else { throw unordered(value, value, span) }
                best = value
                continue
            }
            guard let order = value.order(best, TextComparison()) else { throw unordered(value, best, span) }
            if order == wanted { best = value }
        }
        return best
    }

    private static func unordered(
        _ first: PredicateValue, _ second: PredicateValue, _ span: SourceSpan
    ) -> PredicateError {
        PredicateError(
            .incomparable, at: span,
            "\(first.kindName) and \(second.kindName) have no order".capitalizingFirst)
    }

    static func median(_ values: [PredicateValue], _ span: SourceSpan) throws(PredicateError) -> PredicateValue {
        let numbers = try self.numbers(values, span).sorted { PredicateValue.numericOrder($0, $1) == .less }
        guard !numbers.isEmpty else { return .null }
        let middle = numbers.count / 2
        guard numbers.count.isMultiple(of: 2) else { return numbers[middle] }
        let sum = try Arithmetic.result(.add, numbers[middle - 1], numbers[middle], span)
        if case .decimal = sum { return try Arithmetic.result(.divide, sum, .integer(2), span) }
        return .double((sum.double ?? 0) / 2)
    }

    /// The numbers that come most often, in the order of their first places.
    static func mode(_ values: [PredicateValue], _ span: SourceSpan) throws(PredicateError) -> PredicateValue {
        let numbers = try numbers(values, span)
        var counts: [ValueKey: Int] = [:]
        for number in numbers { counts[ValueKey(number), default: 0] += 1 }
        let most = counts.values.max() ?? 0
        return .array(PredicateValue.distinct(numbers.filter { counts[ValueKey($0)] == most }))
    }

    /// Of all numbers there are, not of a sample of them.
    static func deviation(_ values: [PredicateValue], _ span: SourceSpan) throws(PredicateError) -> PredicateValue {
        let numbers = try numbers(values, span).compactMap(\.double)
        guard !numbers.isEmpty else { return .null }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let squares = numbers.reduce(0) { sum, number in sum + (number - mean) * (number - mean) }
        return .double((squares / Double(numbers.count)).squareRoot())
    }

    private static func numbers(
        _ values: [PredicateValue], _ span: SourceSpan
    ) throws(PredicateError) -> [PredicateValue] {
        let numbers = values.filter { !$0.isNull }
        for number in numbers where number.double == nil {
            throw PredicateError(
                .operandType, at: span, "\(number.kindName) stands among the numbers".capitalizingFirst,
                expected: ["numbers"])
        }
        return numbers
    }
}
