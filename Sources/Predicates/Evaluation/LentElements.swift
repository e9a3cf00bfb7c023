/// Which predicates of SUBQUERY ask for nothing but the element: it then is their subject, which is handed on without
/// counting references, where a variable takes a place in the evaluation.
struct LentElements {
    /// For each part of the tree the variable that is the subject there; nothing if there is none anywhere.
    private var names: [String?] = []

    init(_ tree: SyntaxTree) {
        guard tree.nodes.contains(where: { if case .subquery = $0.kind { true } else { false } }) else { return }
        var looksElsewhere: [Bool] = []
        looksElsewhere.reserveCapacity(tree.nodes.count)
        for node in tree.nodes {
            var answer =
                switch node.kind {
                case .subject, .keyPath(base: nil, _), .assignment, .subquery: true
                default: false
                }
            node.kind.forEachPart { answer = answer || looksElsewhere[$0] }
            looksElsewhere.append(answer)
        }
        names = Array(repeating: nil, count: tree.nodes.count)
        // Whatever is made of parts stands behind them, so this goes from the whole to its parts.
        for id in tree.nodes.indices.reversed() {
            let kind = tree[id].kind
            if case .subquery(_, let name, let predicate) = kind, !looksElsewhere[predicate] { names[predicate] = name }
            if let name = names[id] { kind.forEachPart { names[$0] = name } }
        }
    }

    /// Whether the predicate of a SUBQUERY is asked so.
    func isLent(to predicate: SyntaxNode.ID) -> Bool { !names.isEmpty && names[predicate] != nil }

    /// Whether this part of the tree is the variable that is the subject there.
    func isElement(_ id: SyntaxNode.ID, in tree: SyntaxTree) -> Bool {
        guard !names.isEmpty, let name = names[id], case .variable(let variable) = tree[id].kind else { return false }
        return variable == name
    }
}
