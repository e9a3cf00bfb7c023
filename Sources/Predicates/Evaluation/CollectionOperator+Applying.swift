extension CollectionOperator {
    /// - Parameter path: what is read from each element; nothing means the element itself.
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
        // A missing number counts as zero here, and the sum of nothing is nothing.
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
