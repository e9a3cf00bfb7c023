/// `SUBQUERY`: the elements that satisfy a predicate.
final class SubqueryNode: ValueNode {
    private let collection: any ValueNode
    private let slot: Int
    private let predicate: any TruthNode
    /// True if the element is the subject of the predicate, which then needs no variable for it.
    private let isLent: Bool
    private let span: SourceSpan

    init(_ collection: any ValueNode, slot: Int, _ predicate: any TruthNode, isLent: Bool, _ span: SourceSpan) {
        self.collection = collection
        self.slot = slot
        self.predicate = predicate
        self.isLent = isLent
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        let elements = try elements(subject, &run)
        // The variable may have a value outside of these parentheses.
        let outer = isLent ? nil : run.variables[slot]
        defer { if !isLent { run.variables[slot] = outer } }
        var found: [PredicateValue] = []
        for place in elements.indices where try isFound(place, of: elements, subject, &run) {
            try run.allocate(elements: 1, span)
            found.append(elements[place])
        }
        return .array(found)
    }

    /// The number of matching elements, without building an array of them.
    func count(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> Int {
        let elements = try elements(subject, &run)
        let outer = isLent ? nil : run.variables[slot]
        defer { if !isLent { run.variables[slot] = outer } }
        var count = 0
        for place in elements.indices where try isFound(place, of: elements, subject, &run) { count += 1 }
        try run.spend(count, span)
        return count
    }

    private func elements(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> [PredicateValue] {
        let value = try collection.value(subject, &run)
        if value.isNull { return [] }
        if let elements = value.elements { return elements }
        throw PredicateError(
            .collectionExpected, at: span, "SUBQUERY looks through a collection, not \(value.kindName)")
    }

    @inline(__always)
    private func isFound(
        _ place: Int, of elements: [PredicateValue], _ subject: PredicateValue, _ run: inout Run
    ) throws(PredicateError) -> Bool {
        try run.spend(1, span)
        if isLent { return try predicate.holds(at: place, of: elements, &run) }
        run.variables[slot] = elements[place]
        return try predicate.holds(subject, &run)
    }
}

/// `SUBQUERY(…).@count` and `SUBQUERY(…)[SIZE]`.
final class SubqueryCountNode: ValueNode {
    private let subquery: SubqueryNode
    private let span: SourceSpan

    init(_ subquery: SubqueryNode, _ span: SourceSpan) {
        self.subquery = subquery
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        try run.spend(1, span)
        return .integer(Int64(try subquery.count(subject, &run)))
    }
}
