/// Makes nodes of a tree, in one pass without recursion: each part lies behind those it is made of.
struct Compiler {
    private let tree: SyntaxTree
    private let locale: TextLocale
    private let lent: LentElements
    /// One entry per part of the tree, in this array or in `truths`. The other array holds a placeholder that is never
    /// evaluated.
    private var values: [any ValueNode] = []
    private var truths: [any TruthNode] = []
    private(set) var variables: [String] = []
    /// The variables that are assigned during evaluation.
    private(set) var boundNames: Set<String> = []

    private static let noValue = ConstantNode(.null)
    private static let element = SubjectNode()
    private static let noTruth = FixedTruth(false)
    /// Scanning a list shorter than this is faster than a hash table.
    private static let tabledCount = 8

    init(_ tree: SyntaxTree, locale: TextLocale) throws(PredicateError) {
        self.tree = tree
        self.locale = locale
        lent = LentElements(tree)
        values.reserveCapacity(tree.nodes.count)
        truths.reserveCapacity(tree.nodes.count)
        for (id, node) in tree.nodes.enumerated() {
            if node.kind.isPredicate {
                truths.append(try truth(node))
                values.append(Compiler.noValue)
            } else {
                values.append(lent.isElement(id, in: tree) ? Compiler.element : value(node))
                truths.append(Compiler.noTruth)
            }
        }
    }

    var value: any ValueNode { values.last ?? Compiler.noValue }

    var truth: any TruthNode { truths.last ?? Compiler.noTruth }

    private mutating func slot(_ name: String) -> Int {
        if let slot = variables.firstIndex(of: name) { return slot }
        variables.append(name)
        return variables.count - 1
    }

    private mutating func value(_ node: SyntaxNode) -> any ValueNode {
        let span = node.span
        switch node.kind {
        case .constant(let literal): return ConstantNode(literal.value)
        case .subject: return SubjectNode()
        case .variable(let name): return VariableNode(name, slot: slot(name), span)
        case .keyPath(let base, let path): return self.path(path, from: base, span)
        case .index(let part, let index): return IndexNode(values[part], values[index], span)
        case .place(let part, let place):
            if place == .size, let subquery = values[part] as? SubqueryNode { return SubqueryCountNode(subquery, span) }
            return PlaceNode(values[part], place, span)
        case .negation(let part): return SignNode(values[part], isComplement: false, span)
        case .complement(let part): return SignNode(values[part], isComplement: true, span)
        case .arithmetic(let operation, let left, let right):
            return ArithmeticNode(operation, values[left], values[right], span)
        case .function(let function, let parts), .call(let function, let parts):
            return FunctionNode(function, parts.map { values[$0] }, span)
        case .cast(let part, let type): return CastNode(values[part], type, span)
        case .aggregate(let parts): return aggregate(parts, span)
        case .subquery(let collection, let name, let predicate):
            boundNames.insert(name)
            return SubqueryNode(
                values[collection], slot: slot(name), truths[predicate], isLent: lent.isLent(to: predicate), span)
        case .ternary(let predicate, let first, let second):
            return TernaryNode(truths[predicate], values[first], values[second])
        case .assignment(let name, let part):
            boundNames.insert(name)
            return AssignmentNode(slot: slot(name), values[part])
        case .truth, .not, .and, .or, .comparison: return Compiler.noValue
        }
    }

    private func path(_ path: KeyPath, from base: SyntaxNode.ID?, _ span: SourceSpan) -> any ValueNode {
        // A variable that is the subject here needs no evaluation.
        let start = base.flatMap { lent.isElement($0, in: tree) ? nil : values[$0] }
        guard path.components.count == 1, let component = path.components.first else {
            return PathNode(start, path, span)
        }
        switch component {
        case .key(let key): return start.map { MemberNode($0, key, span) } ?? KeyNode(key, span)
        case .operation(.count):
            if let subquery = start as? SubqueryNode { return SubqueryCountNode(subquery, span) }
        case .operation: break
        }
        return PathNode(start, path, span)
    }

    /// A list of constants is a constant.
    private func aggregate(_ parts: [SyntaxNode.ID], _ span: SourceSpan) -> any ValueNode {
        let constants = parts.compactMap { (values[$0] as? ConstantNode)?.constant }
        guard constants.count < parts.count else { return ConstantNode(.array(constants)) }
        return AggregateNode(parts.map { values[$0] }, span)
    }

    private func truth(_ node: SyntaxNode) throws(PredicateError) -> any TruthNode {
        switch node.kind {
        case .truth(let value): return FixedTruth(value)
        case .not(let part): return NotNode(truths[part])
        case .and(let parts) where parts.count == 2: return BothNode(truths[parts[0]], truths[parts[1]])
        case .or(let parts) where parts.count == 2: return EitherNode(truths[parts[0]], truths[parts[1]])
        case .and(let parts): return AllOfNode(parts.map { truths[$0] })
        case .or(let parts): return AnyOfNode(parts.map { truths[$0] })
        case .comparison(let comparison): return try self.comparison(comparison, node.span)
        default: return Compiler.noTruth
        }
    }

    private func comparison(
        _ comparison: SyntaxNode.Comparison, _ span: SourceSpan
    ) throws(PredicateError) -> any TruthNode {
        let texts = TextComparison(comparison.options, locale: locale)
        let rightSpan = tree[comparison.right].span
        let comparator = Comparator(
            operation: comparison.operation, texts: texts,
            preparation: try preparation(comparison, texts, rightSpan), span: span, rightSpan: rightSpan)
        let (left, right) = (values[comparison.left], values[comparison.right])
        switch comparison.quantifier {
        case .one:
            if let key = left as? KeyNode, let constant = right as? ConstantNode {
                return MemberComparisonNode(key, constant, comparator)
            }
            return ComparisonNode(left, right, comparator)
        case .any: return QuantifiedNode(left, right, comparator, isAll: false)
        case .all: return QuantifiedNode(left, right, comparator, isAll: true)
        }
    }

    private func preparation(
        _ comparison: SyntaxNode.Comparison, _ texts: TextComparison, _ span: SourceSpan
    ) throws(PredicateError) -> Comparator.Preparation {
        guard let constant = (values[comparison.right] as? ConstantNode)?.constant else { return .none }
        switch (comparison.operation, constant) {
        case (.contains, .string(let text)): return .part(FoldedPart(text, texts))
        case (.like, .string(let text)): return .pattern(Pattern.like(text, texts))
        case (.matches, .string(let text)):
            do throws(PatternError) {
                return .pattern(try Pattern.matches(text, texts))
            } catch {
                throw PredicateError(error, in: text, at: span)
            }
        // Folded texts cannot be in a table of plain ones.
        case (.in, .array(let elements)) where elements.count >= Compiler.tabledCount && comparison.options.isEmpty:
            return .members(Set(elements.map(ValueKey.init)))
        default: return .none
        }
    }
}
