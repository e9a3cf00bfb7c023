internal import WidgetSystemCalls

/// A call of a function of the language.
final class FunctionNode: ValueNode {
    let function: PredicateFunction
    let parts: [any ValueNode]
    let span: SourceSpan

    init(_ function: PredicateFunction, _ parts: [any ValueNode], _ span: SourceSpan) {
        self.function = function
        self.parts = parts
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        var arguments: [PredicateValue] = []
        arguments.reserveCapacity(parts.count)
        for part in parts { arguments.append(try part.value(subject, &run)) }
        try run.spend(1 + parts.count, span)
        return try function.applied(to: arguments, &run, span)
    }
}

extension PredicateFunction {
    func applied(
        to arguments: [PredicateValue], _ run: inout Run, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        switch self {
        case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation:
            return try statistic(try collection(arguments, &run, span), &run, span)
        case .now: return .date(run.environment.now)
        case .random: return .integer(Int64(run.random() >> 33))
        default: break
        }
        guard let first = arguments.first else { return .null }
        if let operation {
            return try Arithmetic.result(operation, first, arguments.dropFirst().first ?? .null, span)
        }
        switch self {
        case .modulus: return try Arithmetic.modulus(first, arguments.dropFirst().first ?? .null, span)
        case .noIndex: return first
        case .distance: return try Distance.between(first, arguments.dropFirst().first ?? .null, &run, span)
        case .element:
            return try ChainStep.item(of: first, at: arguments.dropFirst().first ?? .null, fromEnd: false, span)
        case _ where needsReceiver: return try ChainStep.result(self, arguments, &run, span)
        default: break
        }
        if first.isNull { return .null }
        switch self {
        case .uppercase, .lowercase, .length: return try text(first, &run, span)
        case .randomBelow:
            guard let bound = Arithmetic.integer(first), bound > 0 else {
                throw PredicateError(
                    .operandType, at: span, "random: needs a whole number above zero", expected: ["a bound"])
            }
            return .integer(Int64(run.random() % UInt64(bound)))
        case .onesComplement:
            guard let value = Arithmetic.integer(first) else { throw Arithmetic.wrongType(rawValue, first, span) }
            return .integer(~value)
        default: return try number(first, span)
        }
    }

    /// The elements of one collection, or all arguments.
    private func collection(
        _ arguments: [PredicateValue], _ run: inout Run, _ span: SourceSpan
    ) throws(PredicateError) -> [PredicateValue] {
        guard arguments.count == 1, let only = arguments.first else { return arguments }
        if only.isNull { return [] }
        if let elements = only.elements {
            try run.spend(elements.count, span)
            return elements
        }
        guard only.double != nil, self != .count else {
            throw PredicateError(
                .collectionExpected, at: span, "\(rawValue) takes a collection, not \(only.kindName)",
                expected: ["a collection"])
        }
        return [only]
    }

    private func statistic(
        _ values: [PredicateValue], _ run: inout Run, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        switch self {
        case .sum: try Statistics.sum(values, &run, span)
        case .minimum: try Statistics.extreme(values, .less, span)
        case .maximum: try Statistics.extreme(values, .greater, span)
        case .average: try Statistics.average(values, &run, span)
        case .median: try Statistics.median(values, span)
        case .mode: try Statistics.mode(values, span)
        case .standardDeviation: try Statistics.deviation(values, span)
        default: .integer(Int64(values.count))
        }
    }

    private func text(
        _ value: PredicateValue, _ run: inout Run, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        guard case .string(let text) = value else {
            throw PredicateError(
                .operandType, at: span, "\(rawValue) works on a text, not on \(value.kindName)", expected: ["a text"])
        }
        try run.spend(text.utf8.count / 16, span)
        if self == .length { return .integer(Int64(text.utf16.count)) }
        try run.allocate(text.utf8.count * 3, span)
        return .string(self == .uppercase ? text.uppercased() : text.lowercased())
    }

    private func number(_ value: PredicateValue, _ span: SourceSpan) throws(PredicateError) -> PredicateValue {
        guard let real = value.double else { throw Arithmetic.wrongType(rawValue, value, span) }
        switch self {
        case .squareRoot: return .double(real.squareRoot())
        case .logarithm: return .double(Mathematics.decimalLogarithm(real))
        case .naturalLogarithm: return .double(Mathematics.naturalLogarithm(real))
        case .exponential: return .double(Mathematics.exponential(real))
        default: break
        }
        // The remaining functions round, which a whole number does not need.
        switch value {
        case .boolean(let flag): return .integer(flag ? 1 : 0)
        case .integer(let whole): return self == .absolute && whole < 0 ? value.negated ?? value : .integer(whole)
        case .decimal(let decimal): return .decimal(rounded(decimal))
        default: break
        }
        switch self {
        case .floor: return .double(real.rounded(.down))
        case .ceiling: return .double(real.rounded(.up))
        case .truncate: return .double(real.rounded(.towardZero))
        default: return .double(real.magnitude)
        }
    }

    private func rounded(_ value: DecimalNumber) -> DecimalNumber {
        let truncated = value.truncated
        switch self {
        case .absolute: return value.isNegative ? value.negated : value
        case .floor where value.isNegative && truncated != value:
            return truncated.minus(DecimalNumber(1)) ?? truncated
        case .ceiling where !value.isNegative && truncated != value:
            return truncated.plus(DecimalNumber(1)) ?? truncated
        default: return truncated
        }
    }
}

/// Between two places on the earth, in metres.
private enum Distance {
    private static let earthRadius = 6_371_008.8

    static func between(
        _ first: PredicateValue, _ second: PredicateValue, _ run: inout Run, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        if first.isNull || second.isNull { return .null }
        let (one, other) = (try place(first, &run, span), try place(second, &run, span))
        let height = Mathematics.sine((other.latitude - one.latitude) / 2)
        let width = Mathematics.sine((other.longitude - one.longitude) / 2)
        let circles = Mathematics.cosine(one.latitude) * Mathematics.cosine(other.latitude)
        let square = height * height + circles * width * width
        return .double(2 * earthRadius * Mathematics.arcSine(min(1, square.squareRoot())))
    }

    /// In radians.
    private static func place(
        _ value: PredicateValue, _ run: inout Run, _ span: SourceSpan
    ) throws(PredicateError) -> (latitude: Double, longitude: Double) {
        let latitude = try KeyReader.value(of: "latitude", in: value, &run, span).double
        let longitude = try KeyReader.value(of: "longitude", in: value, &run, span).double
        guard let latitude, let longitude else {
            throw PredicateError(
                .operandType, at: span, "A place has a latitude and a longitude, in degrees",
                expected: ["a dictionary with these keys"])
        }
        return (latitude * .pi / 180, longitude * .pi / 180)
    }
}
