extension CollectionOperator {
    /// - Parameter path: the key path of each element; an empty path means the element itself.
    func applied(
        to collection: PredicateValue, _ path: ArraySlice<KeyPath.Component>, _ run: inout Run, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        if collection.isNull { return .null }
        if case .dictionary(let dictionary) = collection {
            switch self {
            case .allKeys: return try rest(.array(dictionary.keys.map { .string($0) }), path, &run, span)
            case .allValues: return try rest(.array(dictionary.values), path, &run, span)
            default: break
            }
        }
        guard let elements = collection.elements, self != .allKeys, self != .allValues else {
            throw PredicateError(
                .collectionExpected, at: span, "\(rawValue) belongs to a collection, not to \(collection.kindName)")
        }
        try run.spend(elements.count, span)
        switch self {
        case .count: return try rest(.integer(Int64(elements.count)), path, &run, span)
        case .first: return try rest(elements.first ?? .null, path, &run, span)
        case .last: return try rest(elements.last ?? .null, path, &run, span)
        default: break
        }
        var values: [PredicateValue] = []
        values.reserveCapacity(elements.count)
        try run.allocate(elements: elements.count, span)
        for element in elements { values.append(try KeyReader.value(along: path, from: element, &run, span)) }
        return try combined(values, &run, span)
    }

    private func rest(
        _ value: PredicateValue, _ path: ArraySlice<KeyPath.Component>, _ run: inout Run, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        try KeyReader.value(along: path, from: value, &run, span)
    }

    private func combined(
        _ values: [PredicateValue], _ run: inout Run, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        switch self {
        case .sum: return try Statistics.sum(values, &run, span)
        // A missing number counts as zero here, and the average of no numbers is zero.
        case .average:
            return values.isEmpty
                ? .integer(0) : try Statistics.average(values.map { $0.isNull ? .integer(0) : $0 }, &run, span)
        case .minimum: return try Statistics.extreme(values, .less, span)
        case .maximum: return try Statistics.extreme(values, .greater, span)
        case .unionOfObjects: return .array(values.filter { !$0.isNull })
        case .distinctUnionOfObjects:
            for value in values { try run.spend(weightOf: value, span) }
            return .array(PredicateValue.distinct(values.filter { !$0.isNull }))
        case .unionOfArrays, .unionOfSets: return .array(try flattened(values, &run, span))
        case .distinctUnionOfArrays: return .array(PredicateValue.distinct(try flattened(values, &run, span)))
        case .distinctUnionOfSets: return .set(of: try flattened(values, &run, span))
        case .count, .first, .last, .allKeys, .allValues: return .null
        }
    }

    private func flattened(
        _ values: [PredicateValue], _ run: inout Run, _ span: SourceSpan
    ) throws(PredicateError) -> [PredicateValue] {
        var flat: [PredicateValue] = []
        for value in values where !value.isNull {
            guard let elements = value.elements else {
                throw PredicateError(
                    .collectionExpected, at: span, "\(rawValue) joins collections, and one of them is \(value.kindName)"
                )
            }
            try run.allocate(elements: elements.count, span)
            try run.spend(weightOf: value, span)
            flat += elements.filter { !$0.isNull }
        }
        return flat
    }
}

/// Statistics of many numbers. Elements without a value are skipped.
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
                // A value that cannot be ordered against itself has no order at all.
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

    /// The standard deviation of the whole population, not of a sample.
    static func deviation(_ values: [PredicateValue], _ span: SourceSpan) throws(PredicateError) -> PredicateValue {
        let numbers = try numbers(values, span).compactMap { $0.double }
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
                .operandType, at: span, "\(number.kindName) is among the numbers".capitalizingFirst,
                expected: ["numbers"])
        }
        return numbers
    }
}

/// The steps of a result chain, which `FUNCTION` applies to a provider's items. Arguments are texts.
enum ChainStep {
    static func result(
        _ step: PredicateFunction, _ arguments: [PredicateValue], _ run: inout Run, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        guard let receiver = arguments.first, !receiver.isNull else { return .null }
        let argument = arguments.dropFirst().first ?? .null
        if step == .valueForKeyPath || step == .chainMap {
            guard case .string(let text) = argument, let path = KeyPath(text: text) else {
                throw PredicateError(
                    .operandType, at: span, "\(step.rawValue) needs a key path, as a text", expected: ["a key path"])
            }
            return try KeyReader.value(along: path.components[...], from: receiver, &run, span)
        }
        guard let elements = receiver.elements else {
            throw PredicateError(
                .collectionExpected, at: span, "\(step.rawValue) belongs to a collection, not to \(receiver.kindName)")
        }
        switch step {
        case .chainFirst, .firstObject: return elements.first ?? .null
        case .chainLast, .lastObject: return elements.last ?? .null
        case .chainItem: return try item(of: receiver, at: argument, fromEnd: true, span)
        case .chainTakeFirst, .chainTakeLast:
            let count = try number(argument, step, span)
            try run.allocate(elements: elements.count, span)
            let taken = max(0, min(count, elements.count))
            return .array(Array(step == .chainTakeFirst ? elements.prefix(taken) : elements.suffix(taken)))
        case .chainJoin: return try joined(elements, by: argument, &run, span)
        default: return .integer(Int64(elements.count))
        }
    }

    /// - Parameter fromEnd: true if negative indexes count from the end.
    static func item(
        of value: PredicateValue, at place: PredicateValue, fromEnd: Bool, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        guard let elements = value.elements else { return .null }
        var index = try number(place, .chainItem, span)
        if index < 0, fromEnd { index += elements.count }
        return elements.indices.contains(index) ? elements[index] : .null
    }

    private static func number(
        _ value: PredicateValue, _ step: PredicateFunction, _ span: SourceSpan
    ) throws(PredicateError) -> Int {
        var number = Arithmetic.integer(value)
        if case .string(let text) = value { number = NumberText.number(text).flatMap(Arithmetic.integer) }
        guard let number, let count = Int32(exactly: number) else {
            throw PredicateError(
                .operandType, at: span, "\(step.rawValue) needs a whole number", expected: ["a whole number"])
        }
        return Int(count)
    }

    private static func joined(
        _ elements: [PredicateValue], by separator: PredicateValue, _ run: inout Run, _ span: SourceSpan
    ) throws(PredicateError) -> PredicateValue {
        let separator = separator.text ?? ""
        var text = ""
        for (index, element) in elements.enumerated() {
            let part = element.text ?? ""
            try run.allocate(part.utf8.count + separator.utf8.count + 1, span)
            try run.spend(1, span)
            if index > 0 { text += separator }
            text += part
        }
        guard !MarkRun.isTooLong(in: text) else {
            throw PredicateError(
                .memoryLimit, at: span, "The joined text has more than \(MarkRun.longest) marks on one letter")
        }
        return .string(text)
    }
}
