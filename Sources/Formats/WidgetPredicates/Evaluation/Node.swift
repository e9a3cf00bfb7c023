/// A compiled expression. Nodes are made once and never change, so that any number of evaluations can share them.
protocol ValueNode: AnyObject, Sendable {
    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue
}

/// A compiled predicate.
protocol TruthNode: AnyObject, Sendable {
    func holds(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> Bool

    /// Evaluates an element in place, in its array. Reading it there avoids a reference count, the main cost of a loop.
    func holds(at place: Int, of subjects: [PredicateValue], _ run: inout Run) throws(PredicateError) -> Bool
}

extension TruthNode {
    func holds(at place: Int, of subjects: [PredicateValue], _ run: inout Run) throws(PredicateError) -> Bool {
        try holds(subjects[place], &run)
    }
}

// MARK: - Compound predicates

final class FixedTruth: TruthNode {
    let value: Bool

    init(_ value: Bool) {
        self.value = value
    }

    func holds(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> Bool { value }
}

final class NotNode: TruthNode {
    let part: any TruthNode

    init(_ part: any TruthNode) {
        self.part = part
    }

    func holds(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> Bool {
        try !part.holds(subject, &run)
    }
}

/// `AND` of two, by far the most common. Its fields are read faster than the elements of an array.
final class BothNode: TruthNode {
    let first: any TruthNode
    let second: any TruthNode

    init(_ first: any TruthNode, _ second: any TruthNode) {
        self.first = first
        self.second = second
    }

    func holds(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> Bool {
        guard try first.holds(subject, &run) else { return false }
        return try second.holds(subject, &run)
    }

    func holds(at place: Int, of subjects: [PredicateValue], _ run: inout Run) throws(PredicateError) -> Bool {
        guard try first.holds(at: place, of: subjects, &run) else { return false }
        return try second.holds(at: place, of: subjects, &run)
    }
}

/// `OR` of two.
final class EitherNode: TruthNode {
    let first: any TruthNode
    let second: any TruthNode

    init(_ first: any TruthNode, _ second: any TruthNode) {
        self.first = first
        self.second = second
    }

    func holds(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> Bool {
        if try first.holds(subject, &run) { return true }
        return try second.holds(subject, &run)
    }

    func holds(at place: Int, of subjects: [PredicateValue], _ run: inout Run) throws(PredicateError) -> Bool {
        if try first.holds(at: place, of: subjects, &run) { return true }
        return try second.holds(at: place, of: subjects, &run)
    }
}

/// Evaluation stops at the first part that decides the result.
final class AllOfNode: TruthNode {
    let parts: [any TruthNode]

    init(_ parts: [any TruthNode]) {
        self.parts = parts
    }

    func holds(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> Bool {
        for part in parts where try !part.holds(subject, &run) { return false }
        return true
    }

    func holds(at place: Int, of subjects: [PredicateValue], _ run: inout Run) throws(PredicateError) -> Bool {
        for part in parts where try !part.holds(at: place, of: subjects, &run) { return false }
        return true
    }
}

final class AnyOfNode: TruthNode {
    let parts: [any TruthNode]

    init(_ parts: [any TruthNode]) {
        self.parts = parts
    }

    func holds(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> Bool {
        for part in parts where try part.holds(subject, &run) { return true }
        return false
    }

    func holds(at place: Int, of subjects: [PredicateValue], _ run: inout Run) throws(PredicateError) -> Bool {
        for part in parts where try part.holds(at: place, of: subjects, &run) { return true }
        return false
    }
}

// MARK: - Simple expressions

final class ConstantNode: ValueNode {
    let constant: PredicateValue

    init(_ constant: PredicateValue) {
        self.constant = constant
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue { constant }
}

final class SubjectNode: ValueNode {
    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue { subject }
}

final class VariableNode: ValueNode {
    let name: String
    let slot: Int
    let span: SourceSpan

    init(_ name: String, slot: Int, _ span: SourceSpan) {
        self.name = name
        self.slot = slot
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        guard let value = run.variables[slot] else {
            throw PredicateError(
                .variableMissing, at: span, "No value is given for $\(name)", found: "`$\(name)`")
        }
        return value
    }
}

final class AssignmentNode: ValueNode {
    let slot: Int
    let part: any ValueNode

    init(slot: Int, _ part: any ValueNode) {
        self.slot = slot
        self.part = part
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        let value = try part.value(subject, &run)
        run.variables[slot] = value
        return value
    }
}

final class TernaryNode: ValueNode {
    let predicate: any TruthNode
    let first: any ValueNode
    let second: any ValueNode

    init(_ predicate: any TruthNode, _ first: any ValueNode, _ second: any ValueNode) {
        self.predicate = predicate
        self.first = first
        self.second = second
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        try predicate.holds(subject, &run) ? try first.value(subject, &run) : try second.value(subject, &run)
    }
}

final class AggregateNode: ValueNode {
    let parts: [any ValueNode]
    let span: SourceSpan

    init(_ parts: [any ValueNode], _ span: SourceSpan) {
        self.parts = parts
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        try run.allocate(elements: parts.count, span)
        var elements: [PredicateValue] = []
        elements.reserveCapacity(parts.count)
        for part in parts {
            let element = try part.value(subject, &run)
            // A value that contains another one twice doubles with each level, and would soon be too large to traverse.
            if element.elements != nil { try run.spend(weightOf: element, span) }
            elements.append(element)
        }
        return .array(elements)
    }
}

final class CastNode: ValueNode {
    let part: any ValueNode
    let type: CastType
    let span: SourceSpan

    init(_ part: any ValueNode, _ type: CastType, _ span: SourceSpan) {
        self.part = part
        self.type = type
        self.span = span
    }

    func value(_ subject: PredicateValue, _ run: inout Run) throws(PredicateError) -> PredicateValue {
        let value = try part.value(subject, &run)
        try run.spend(4, span)
        try run.spend(weightOf: value, span)
        guard let result = value.cast(to: type) else {
            throw PredicateError(
                .castFailed, at: span, "\(value.kindName) cannot become \(type.rawValue)".capitalizingFirst,
                found: value.text.map(Quotation.of))
        }
        return result
    }
}

extension String {
    /// Sentences begin with capitals.
    var capitalizingFirst: String { prefix(1).uppercased() + dropFirst() }
}
