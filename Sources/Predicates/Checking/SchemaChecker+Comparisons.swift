extension SchemaChecker {
    mutating func check(_ comparison: SyntaxNode.Comparison, _ span: SourceSpan) {
        var left = kinds[comparison.left]
        if comparison.quantifier != .one {
            guard left == .any || left.element != nil else {
                return complain(
                    .collectionExpected, tree[comparison.left].span,
                    "\(comparison.quantifier.rawValue)needs a collection, and this is \(left.name)")
            }
            left = left.element ?? .any
        }
        let right = kinds[comparison.right]
        switch comparison.operation {
        case .equal: equality(comparison, left, right, span)
        case .notEqual: return
        case .less, .lessOrEqual, .greater, .greaterOrEqual: order(comparison, left, right, span)
        case .between: bounds(comparison, left, span)
        case .in: membership(left, in: comparison.right, right, span)
        case .contains:
            if let element = left.element {
                if !element.mayEqual(right) { neverTrue(span, "a collection of such elements has no \(right.name)") }
            } else {
                texts(comparison, left, right)
            }
        case .beginsWith, .endsWith, .like, .matches, .conformsTo, .utiEquals: texts(comparison, left, right)
        }
    }

    private mutating func neverTrue(_ span: SourceSpan, _ reason: String) {
        complain(.neverTrue, span, "This is never true: \(reason)")
    }

    private func constant(_ id: SyntaxNode.ID) -> PredicateValue? {
        guard case .constant(let literal) = tree[id].kind else { return nil }
        return literal.value
    }

    private func isNil(_ id: SyntaxNode.ID) -> Bool { constant(id)?.isNull ?? false }

    private mutating func equality(
        _ comparison: SyntaxNode.Comparison, _ left: Kind, _ right: Kind, _ span: SourceSpan
    ) {
        if isNil(comparison.left) || isNil(comparison.right) || left.mayEqual(right) { return }
        neverTrue(span, "\(left.name) is not equal to \(right.name)")
    }

    private mutating func order(
        _ comparison: SyntaxNode.Comparison, _ left: Kind, _ right: Kind, _ span: SourceSpan
    ) {
        if isNil(comparison.left) || isNil(comparison.right) {
            return neverTrue(span, "nothing comes before or after nil")
        }
        for (kind, id) in [(left, comparison.left), (right, comparison.right)] where !kind.hasOrder {
            return complain(.incomparable, tree[id].span, "\(kind.name) has no order".capitalizingFirst)
        }
        if !left.mayEqual(right) {
            complain(.incomparable, span, "\(left.name) has no order with \(right.name)".capitalizingFirst)
        }
    }

    private mutating func bounds(_ comparison: SyntaxNode.Comparison, _ left: Kind, _ span: SourceSpan) {
        guard case .aggregate(let parts) = tree[comparison.right].kind else {
            let right = kinds[comparison.right]
            if right != .any, right.element == nil {
                complain(
                    .operandType, tree[comparison.right].span, "BETWEEN needs two bounds, and this is \(right.name)")
            }
            return
        }
        guard parts.count == 2 else {
            return complain(
                .operandType, tree[comparison.right].span, "BETWEEN needs two bounds, and there are \(parts.count)")
        }
        for part in parts where !left.mayEqual(kinds[part]) {
            return complain(
                .incomparable, tree[part].span, "\(left.name) has no order with \(kinds[part].name)".capitalizingFirst)
        }
        if let low = constant(parts[0]), let high = constant(parts[1]),
            low.order(high, TextComparison()) == .greater
        {
            neverTrue(span, "the lower bound is above the upper one")
        }
    }

    private mutating func membership(_ left: Kind, in id: SyntaxNode.ID, _ right: Kind, _ span: SourceSpan) {
        if case .aggregate(let parts) = tree[id].kind {
            if parts.isEmpty { return neverTrue(span, "the list is empty") }
            if !parts.contains(where: { left.mayEqual(kinds[$0]) || isNil($0) }) {
                neverTrue(span, "the list has no \(left.name.drop { $0 != " " }.dropFirst())")
            }
            return
        }
        switch right {
        case .any, .collection(.any): return
        case .collection(let element):
            if !left.mayEqual(element) { neverTrue(span, "such a collection has no \(left.name)") }
        case .string:
            if left != .any, left != .string {
                complain(.operandType, span, "Only a text is found in a text, and this is \(left.name)")
            }
        default:
            complain(.collectionExpected, tree[id].span, "IN needs a collection or a text, and this is \(right.name)")
        }
    }

    private mutating func texts(_ comparison: SyntaxNode.Comparison, _ left: Kind, _ right: Kind) {
        for (kind, id) in [(left, comparison.left), (right, comparison.right)] where kind != .any && kind != .string {
            complain(
                .operandType, tree[id].span,
                "\(comparison.operation.rawValue) compares texts, and this is \(kind.name)")
        }
    }
}
