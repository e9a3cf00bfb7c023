/// The steps of a result chain: what `FUNCTION` can ask a provider's items for. Arguments come as texts.
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

    /// - Parameter fromEnd: whether negative indexes count from there.
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
