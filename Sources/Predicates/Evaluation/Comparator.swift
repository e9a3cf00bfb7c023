/// What one comparison asks of two values. A class, since what is handed around with every comparison should be small.
final class Comparator: Sendable {
    /// What can be made of a constant right side before anything is evaluated.
    enum Preparation: Sendable {
        case none
        case pattern(Pattern)
        case part(FoldedPart)
        case members(Set<ValueKey>)
    }

    let operation: ComparisonOperator
    let texts: TextComparison
    let preparation: Preparation
    /// The preparation's; taken out of there anew, it would be counted as a reference each time.
    private let part: FoldedPart
    private static let noPart = FoldedPart("", TextComparison())
    let span: SourceSpan
    /// Of the right side, for what is wrong with it.
    let rightSpan: SourceSpan

    init(
        operation: ComparisonOperator, texts: TextComparison, preparation: Preparation, span: SourceSpan,
        rightSpan: SourceSpan
    ) {
        self.operation = operation
        self.texts = texts
        self.preparation = preparation
        part = if case .part(let part) = preparation { part } else { Self.noPart }
        self.span = span
        self.rightSpan = rightSpan
    }

    func holds(
        _ left: PredicateValue, _ right: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> Bool {
        try run.spend(1, span)
        switch operation {
        case .equal: return try areEqual(left, right, &run)
        case .notEqual: return try !areEqual(left, right, &run)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return try isOrdered(left, right, &run)
        case .between: return try isBetween(left, right, &run)
        case .in: return try isMember(left, of: right, &run)
        case .contains:
            if case .string(let whole) = left {
                guard part.byteCount > 0 else { return try text(left, right, &run) }
                try run.spend((whole.utf8.count &+ part.byteCount) / 16, span)
                return part.isPart(of: whole)
            }
            if left.isNull { return false }
            guard left.elements != nil else { throw noText(left) }
            return try isMember(right, of: left, &run)
        case .beginsWith, .endsWith: return try text(left, right, &run)
        case .like, .matches: return try matches(left, right, &run)
        case .conformsTo, .utiEquals:
            guard case .string(let type) = left, case .string(let other) = right else {
                if left.isNull || right.isNull { return false }
                throw noText(left.isText ? right : left)
            }
            try run.spend((type.utf8.count &+ other.utf8.count) / 16, span)
            return operation == .utiEquals
                ? UniformType.areEqual(type, other) : UniformType.conforms(type, to: other)
        }
    }

    // MARK: - Equality and order

    @inline(__always)
    private func areEqual(
        _ left: PredicateValue, _ right: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> Bool {
        switch (left, right) {
        case (.integer(let first), .integer(let second)): return first == second
        case (.string(let first), .string(let second)):
            try run.spend((first.utf8.count &+ second.utf8.count) / 16, span)
            return texts.areEqual(first, second)
        default:
            if left.elements != nil { try run.spend(weightOf: left, span) }
            return left.equals(right, texts)
        }
    }

    private func isOrdered(
        _ left: PredicateValue, _ right: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> Bool {
        if case .integer(let first) = left, case .integer(let second) = right {
            switch operation {
            case .less: return first < second
            case .lessOrEqual: return first <= second
            case .greater: return first > second
            default: return first >= second
            }
        }
        guard let order = try order(left, right, &run) else { return false }
        switch operation {
        case .less: return order == .less
        case .lessOrEqual: return order == .less || order == .equal
        case .greater: return order == .greater
        default: return order == .greater || order == .equal
        }
    }

    /// `nil` when a side has no value: nothing is before or behind that.
    private func order(
        _ left: PredicateValue, _ right: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> PredicateValue.Order? {
        if left.isNull || right.isNull { return nil }
        if case .string(let first) = left { try run.spend(first.utf8.count / 16, span) }
        if let order = left.order(right, texts) { return order }
        throw PredicateError(
            .incomparable, at: span,
            "\(left.kindName) has no order with \(right.kindName)".capitalizingFirst,
            hint: left.isText != right.isText && (left.double ?? right.double) != nil
                ? "CAST(text, 'NSNumber') makes a number of a text" : nil)
    }

    private func isBetween(
        _ left: PredicateValue, _ right: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> Bool {
        if right.isNull { return false }
        guard case .array(let bounds) = right, bounds.count == 2 else {
            throw PredicateError(
                .operandType, at: rightSpan, "BETWEEN needs two bounds", found: right.kindName,
                expected: ["an array of two, such as {1, 10}"])
        }
        guard let low = try order(bounds[0], left, &run), let high = try order(left, bounds[1], &run) else {
            return false
        }
        return (low == .less || low == .equal) && (high == .less || high == .equal)
    }

    // MARK: - Collections

    private func isMember(
        _ value: PredicateValue, of collection: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> Bool {
        if case .members(let members) = preparation {
            try run.spend(weightOf: value, span)
            return members.contains(ValueKey(value))
        }
        if collection.isNull { return false }
        if case .string(let text) = collection {
            if value.isNull { return false }
            guard case .string(let part) = value else { throw noText(value) }
            try run.spend((text.utf8.count &+ part.utf8.count) / 16, span)
            return texts.contains(text, part)
        }
        guard let elements = collection.elements else {
            throw PredicateError(
                .collectionExpected, at: rightSpan, "\(operation.rawValue) looks through a collection or a text",
                found: collection.kindName, expected: ["a collection", "a text"])
        }
        // Comparing is cheaper than most steps.
        try run.spend(elements.count / 4, span)
        if case .string(let text) = value, texts.isPlain {
            var fuel = run.fuel
            let answer = Self.isElement(text, of: elements, &fuel)
            try run.spend(run.fuel &- fuel, span)
            return answer
        }
        for element in elements where try areEqual(element, value, &run) { return true }
        return false
    }

    /// On its own, so that looking at an element counts no reference to it. Ends when the fuel is used up.
    @inline(never)
    private static func isElement(_ text: String, of elements: [PredicateValue], _ fuel: inout Int) -> Bool {
        let count = text.utf8.count
        // Unicode has other scalars that are ;, ` and K; all else of ASCII is equal to nothing but itself.
        let hasTwins = text.utf8.contains { $0 >= 0x80 || $0 == 0x3B || $0 == 0x60 || $0 == 0x4B }
        for place in elements.indices {
            guard case .string(let element) = elements[place], element.utf8.count == count || hasTwins else { continue }
            fuel -= (element.utf8.count + count) / 16
            if fuel < 0 { return false }
            if element == text { return true }
        }
        return false
    }

    // MARK: - Texts

    private func text(
        _ left: PredicateValue, _ right: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> Bool {
        guard case .string(let text) = left, case .string(let part) = right else {
            if left.isNull || right.isNull { return false }
            throw noText(left.isText ? right : left)
        }
        try run.spend((text.utf8.count &+ part.utf8.count) / 16, span)
        switch operation {
        case .beginsWith: return texts.hasPrefix(text, part)
        case .endsWith: return texts.hasSuffix(text, part)
        default: return texts.contains(text, part)
        }
    }

    private func matches(
        _ left: PredicateValue, _ right: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> Bool {
        guard case .string(let text) = left, case .string(let written) = right else {
            if left.isNull || right.isNull { return false }
            throw noText(left.isText ? right : left)
        }
        do throws(PatternError) {
            if case .pattern(let pattern) = preparation { return try pattern.matches(text, fuel: &run.fuel) }
            // Making a pattern costs more than trying one.
            run.fuel -= 4 * written.utf8.count
            let pattern =
                operation == .like ? Pattern.like(written, texts) : try Pattern.matches(written, texts)
            return try pattern.matches(text, fuel: &run.fuel)
        } catch {
            throw PredicateError(error, in: written, at: rightSpan)
        }
    }

    private func noText(_ value: PredicateValue) -> PredicateError {
        PredicateError(
            .operandType, at: span, "\(operation.rawValue) compares texts, and this is \(value.kindName)",
            found: value.text.map(Quotation.of), expected: ["a text"],
            hint: value.double != nil ? "CAST(number, 'NSString') makes a text of a number" : nil)
    }
}

extension PredicateValue {
    var isText: Bool { if case .string = self { true } else { false } }
}

extension PredicateError {
    /// A pattern that a predicate cannot use.
    /// - Parameter span: where the pattern stands in the predicate, with its quotes.
    init(_ error: PatternError, in pattern: String, at span: SourceSpan) {
        let code: Code =
            switch error.code {
            case .outOfFuel: .fuelLimit
            case .backReference, .lookAround, .possessive, .atomicGroup: .backtrackingPattern
            default: .badPattern
            }
        // Without escapes the place in the pattern is a place in the text.
        let isPlain = span.byteCount == pattern.utf8.count + 2
        let start = isPlain ? span.offset + 1 + error.offset : span.offset
        self.init(
            code, at: SourceSpan(from: start, to: max(start, span.end - (isPlain ? 1 : 0))),
            "\(error)".capitalizingFirst, found: Quotation.of(pattern))
    }
}
