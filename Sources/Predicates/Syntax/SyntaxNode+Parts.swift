extension SyntaxNode.Kind {
    package var isPredicate: Bool {
        switch self {
        case .truth, .not, .and, .or, .comparison: true
        default: false
        }
    }

    /// The nodes this one is made of, in the order in which they are written.
    package func forEachPart(_ body: (SyntaxNode.ID) -> Void) {
        switch self {
        case .constant, .subject, .variable, .truth: return
        case .keyPath(let base, _): if let base { body(base) }
        case .place(let part, _), .negation(let part), .complement(let part), .cast(let part, _),
            .assignment(_, let part), .not(let part):
            body(part)
        case .index(let first, let second), .arithmetic(_, let first, let second),
            .subquery(let first, _, let second):
            body(first)
            body(second)
        case .ternary(let first, let second, let third):
            body(first)
            body(second)
            body(third)
        case .function(_, let parts), .call(_, let parts), .aggregate(let parts), .and(let parts), .or(let parts):
            parts.forEach(body)
        case .comparison(let comparison):
            body(comparison.left)
            body(comparison.right)
        }
    }
}
