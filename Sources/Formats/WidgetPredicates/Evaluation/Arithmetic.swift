internal import WidgetSystemCalls

/// Arithmetic on values. Whole numbers stay whole, and become decimals on overflow. An operand without a value gives a
/// result without one.
enum Arithmetic {
    static func result(
        _ operation: ArithmeticOperator, _ first: PredicateValue, _ second: PredicateValue, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        if first.isNull || second.isNull { return .null }
        switch (first.isTruth, second.isTruth) {
        case (.integer(let one), .integer(let other)):
            return try whole(operation, one, other, span)
        case (let one, let other):
            guard let left = one.double, let right = other.double else {
                throw wrongType(operation.rawValue, one.double == nil ? one : other, span)
            }
            switch operation {
            case .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight:
                guard let left = integer(one), let right = integer(other) else {
                    throw PredicateError(
                        .operandType, at: span, "\(operation.rawValue) works on the bits of whole numbers",
                        expected: ["whole numbers"])
                }
                return try whole(operation, left, right, span)
            case .power: return .double(Mathematics.power(left, right))
            default: break
            }
            if one.isDecimal || other.isDecimal, let first = one.decimal, let second = other.decimal {
                return try decimal(operation, first, second, span)
            }
            return try real(operation, left, right, span)
        }
    }

    static func wrongType(_ name: String, _ value: PredicateValue, _ span: SourceSpan) -> PredicateError {
        let isDate = if case .date = value { true } else { false }
        return PredicateError(
            .operandType, at: span, "\(name) works on numbers, not on \(value.kindName)", expected: ["a number"],
            hint: isDate ? "CAST(date, 'NSNumber') makes seconds of a date" : nil)
    }

    static func integer(_ value: PredicateValue) -> Int64? {
        switch value {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): value
        case .double(let value): Int64(exactly: value)
        case .decimal(let value): value.integer
        default: nil
        }
    }

    private static func whole(
        _ operation: ArithmeticOperator, _ first: Int64, _ second: Int64, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        let result: (partialValue: Int64, overflow: Bool)
        switch operation {
        case .add: result = first.addingReportingOverflow(second)
        case .subtract: result = first.subtractingReportingOverflow(second)
        case .multiply: result = first.multipliedReportingOverflow(by: second)
        case .divide:
            guard second != 0 else { throw divisionByZero(span) }
            result = first.dividedReportingOverflow(by: second)
        case .power: return power(first, second)
        case .bitAnd: return .integer(first & second)
        case .bitOr: return .integer(first | second)
        case .bitXor: return .integer(first ^ second)
        case .shiftLeft: return .integer(first << second)
        case .shiftRight: return .integer(first >> second)
        }
        if !result.overflow { return .integer(result.partialValue) }
        return try decimal(operation, DecimalNumber(first), DecimalNumber(second), span)
    }

    private static func power(_ base: Int64, _ exponent: Int64) -> PredicateValue {
        guard 0...64 ~= exponent else { return .double(Mathematics.power(Double(base), Double(exponent))) }
        var result: Int64 = 1
        for _ in 0..<exponent {
            let (product, isTooLarge) = result.multipliedReportingOverflow(by: base)
            guard !isTooLarge else { return .double(Mathematics.power(Double(base), Double(exponent))) }
            result = product
        }
        return .integer(result)
    }

    private static func decimal(
        _ operation: ArithmeticOperator, _ first: DecimalNumber, _ second: DecimalNumber, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        let result: DecimalNumber?
        switch operation {
        case .add: result = first.plus(second)
        case .subtract: result = first.minus(second)
        case .multiply: result = first.times(second)
        case .divide:
            guard second.significand != 0 else { throw divisionByZero(span) }
            result = first.divided(by: second)
        default: result = nil
        }
        if let result { return .decimal(result) }
        return try real(operation, first.double, second.double, span)
    }

    private static func real(
        _ operation: ArithmeticOperator, _ first: Double, _ second: Double, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        switch operation {
        case .add: return .double(first + second)
        case .subtract: return .double(first - second)
        case .multiply: return .double(first * second)
        case .divide:
            guard second != 0 else { throw divisionByZero(span) }
            return .double(first / second)
        case .power, .bitAnd, .bitOr, .bitXor, .shiftLeft, .shiftRight: return .double(Mathematics.power(first, second))
        }
    }

    static func modulus(
        _ first: PredicateValue, _ second: PredicateValue, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        if first.isNull || second.isNull { return .null }
        guard let one = first.double, let other = second.double else {
            throw wrongType("modulus:by:", first.double == nil ? first : second, span)
        }
        guard other != 0 else { throw divisionByZero(span) }
        if case .integer(let one) = first.isTruth, case .integer(let other) = second.isTruth {
            return .integer(one.remainderReportingOverflow(dividingBy: other).partialValue)
        }
        return .double(one.truncatingRemainder(dividingBy: other))
    }

    private static func divisionByZero(_ span: SourceSpan) -> PredicateError {
        PredicateError(.divisionByZero, at: span, "A number is divided by zero")
    }
}

extension PredicateValue {
    /// Booleans count as numbers.
    fileprivate var isTruth: PredicateValue {
        if case .boolean(let value) = self { .integer(value ? 1 : 0) } else { self }
    }

    fileprivate var isDecimal: Bool { if case .decimal = self { true } else { false } }
}

final class ArithmeticNode: ValueNode {
    let operation: ArithmeticOperator
    let left: any ValueNode
    let right: any ValueNode
    let span: SourceSpan

    init(_ operation: ArithmeticOperator, _ left: any ValueNode, _ right: any ValueNode, _ span: SourceSpan) {
        self.operation = operation
        self.left = left
        self.right = right
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        let (first, second) = (try left.value(subject, &run), try right.value(subject, &run))
        try run.spend(1, span)
        return try Arithmetic.result(operation, first, second, span)
    }
}

/// `-a` and `~a`.
final class SignNode: ValueNode {
    let part: any ValueNode
    let isComplement: Bool
    let span: SourceSpan

    init(_ part: any ValueNode, isComplement: Bool, _ span: SourceSpan) {
        self.part = part
        self.isComplement = isComplement
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        let value = try part.value(subject, &run)
        try run.spend(1, span)
        if value.isNull { return .null }
        let result = isComplement ? Arithmetic.integer(value).map { .integer(~$0) } : value.negated
        guard let result else { throw Arithmetic.wrongType(isComplement ? "~" : "-", value, span) }
        return result
    }
}
