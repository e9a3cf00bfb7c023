/// One key of the subject, the most common of all expressions.
final class KeyNode: ValueNode {
    let key: MemberKey
    let span: SourceSpan

    init(_ key: String, _ span: SourceSpan) {
        self.key = MemberKey(key)
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        try run.spend(1, span)
        if let member = PredicateDictionary.member(key, of: subject) { return member }
        return try KeyReader.value(of: key.text, in: subject, &run, span)
    }
}

/// One key of another value, such as a variable.
final class MemberNode: ValueNode {
    let base: any ValueNode
    let key: MemberKey
    let span: SourceSpan

    init(_ base: any ValueNode, _ key: String, _ span: SourceSpan) {
        self.base = base
        self.key = MemberKey(key)
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        let value = try base.value(subject, &run)
        try run.spend(1, span)
        if let member = PredicateDictionary.member(key, of: value) { return member }
        return try KeyReader.value(of: key.text, in: value, &run, span)
    }
}

/// A way of several steps, from the subject or from another value.
final class PathNode: ValueNode {
    let base: (any ValueNode)?
    let components: [KeyPath.Component]
    let span: SourceSpan

    init(_ base: (any ValueNode)?, _ path: KeyPath, _ span: SourceSpan) {
        self.base = base
        components = path.components
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        let start = try base?.value(subject, &run) ?? subject
        return try KeyReader.value(along: components[...], from: start, &run, span)
    }
}

final class IndexNode: ValueNode {
    let part: any ValueNode
    let index: any ValueNode
    let span: SourceSpan

    init(_ part: any ValueNode, _ index: any ValueNode, _ span: SourceSpan) {
        self.part = part
        self.index = index
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        let (value, place) = (try part.value(subject, &run), try index.value(subject, &run))
        try run.spend(1, span)
        switch (value, place) {
        case (.null, _), (_, .null): return .null
        case (.array(let elements), .integer(let index)):
            // An index that does not exist has no value, as a key that does not.
            return Int(exactly: index).flatMap { elements.indices.contains($0) ? elements[$0] : nil } ?? .null
        case (.dictionary(let dictionary), .string(let key)): return dictionary[key] ?? .null
        case (.dictionary(let dictionary), .integer(let key)): return dictionary[String(key)] ?? .null
        case (.object, .string(let key)): return try KeyReader.value(of: key, in: value, &run, span)
        case (.array, .double(let real)) where real.rounded() == real:
            guard case .array(let elements) = value, let index = Int(exactly: real) else { return .null }
            return elements.indices.contains(index) ? elements[index] : .null
        default:
            throw PredicateError(
                .operandType, at: span, "\(place.kindName) is no index of \(value.kindName)".capitalizingFirst,
                expected: ["an array and a whole number", "a dictionary and a key"])
        }
    }
}

/// `[FIRST]`, `[LAST]` and `[SIZE]`.
final class PlaceNode: ValueNode {
    let part: any ValueNode
    let place: CollectionPlace
    let span: SourceSpan

    init(_ part: any ValueNode, _ place: CollectionPlace, _ span: SourceSpan) {
        self.part = part
        self.place = place
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        let value = try part.value(subject, &run)
        try run.spend(1, span)
        if value.isNull { return .null }
        guard let elements = value.elements else {
            throw PredicateError(
                .collectionExpected, at: span, "[\(place.rawValue)] belongs to a collection, not to \(value.kindName)")
        }
        switch place {
        case .first: return elements.first ?? .null
        case .last: return elements.last ?? .null
        case .size: return .integer(Int64(elements.count))
        }
    }
}
