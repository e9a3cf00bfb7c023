final class ComparisonNode: TruthNode {
    let left: any ValueNode
    let right: any ValueNode
    let comparator: Comparator

    init(_ left: any ValueNode, _ right: any ValueNode, _ comparator: Comparator) {
        self.left = left
        self.right = right
        self.comparator = comparator
    }

    func holds(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> Bool {
        let value = try left.value(subject, &run)
        return try comparator.holds(value, try right.value(subject, &run), &run)
    }
}

/// A key of a dictionary against a constant, which is what most predicates are made of: nothing is handed around.
final class MemberComparisonNode: TruthNode {
    let key: MemberKey
    let constant: PredicateValue
    let comparator: Comparator
    /// For subjects that are no dictionaries, and keys that they do not have.
    let other: ComparisonNode

    init(_ key: KeyNode, _ constant: ConstantNode, _ comparator: Comparator) {
        self.key = key.key
        self.constant = constant.constant
        self.comparator = comparator
        other = ComparisonNode(key, constant, comparator)
    }

    func holds(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> Bool {
        guard let value = PredicateDictionary.member(key, of: subject) else { return try other.holds(subject, &run) }
        try run.spend(1, comparator.span)
        return try comparator.holds(value, constant, &run)
    }

    func holds(at place: Int, of subjects: [PredicateValue], _ run: inout Run) throws(PredicateError) -> Bool {
        guard let value = PredicateDictionary.member(key, at: place, of: subjects) else {
            return try other.holds(subjects[place], &run)
        }
        try run.spend(1, comparator.span)
        return try comparator.holds(value, constant, &run)
    }
}

/// `ANY` and `ALL`: the left side is a collection, and each of its elements is compared.
final class QuantifiedNode: TruthNode {
    let left: any ValueNode
    let right: any ValueNode
    let comparator: Comparator
    let isAll: Bool

    init(_ left: any ValueNode, _ right: any ValueNode, _ comparator: Comparator, isAll: Bool) {
        self.left = left
        self.right = right
        self.comparator = comparator
        self.isAll = isAll
    }

    func holds(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> Bool {
        let value = try left.value(subject, &run)
        let other = try right.value(subject, &run)
        // What does not exist has no elements.
        if value.isNull { return isAll }
        guard let elements = value.elements else {
            throw PredicateError(
                .collectionExpected, at: comparator.span,
                "\(isAll ? "ALL" : "ANY") asks for a collection on the left, and this is \(value.kindName)",
                expected: ["a collection"])
        }
        for element in elements where try comparator.holds(element, other, &run) != isAll { return !isAll }
        return isAll
    }
}
