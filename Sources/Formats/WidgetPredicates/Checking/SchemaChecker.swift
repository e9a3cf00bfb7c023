/// Follows the kinds of values through a tree, part by part.
struct SchemaChecker {
    typealias Kind = PredicateSchema.Kind

    let schema: PredicateSchema
    let tree: SyntaxTree
    private(set) var complaints: [PredicateError] = []
    /// The kinds of the parts visited so far.
    private(set) var kinds: [Kind] = []
    /// The parts of the tree where a `SUBQUERY` assigns a variable.
    private var scopes: [(parts: Range<SyntaxNode.ID>, name: String, collection: SyntaxNode.ID)] = []

    init(schema: PredicateSchema, tree: SyntaxTree) {
        self.schema = schema
        self.tree = tree
        kinds.reserveCapacity(tree.nodes.count)
    }

    mutating func run() {
        for node in tree.nodes {
            guard case .subquery(let collection, let name, let predicate) = node.kind else { continue }
            scopes.append((collection + 1..<predicate + 1, name, collection))
        }
        for id in tree.nodes.indices { kinds.append(kind(id, tree[id])) }
    }

    mutating func complain(
        _ code: PredicateError.Code, _ span: SourceSpan, _ sentence: String, hint: String? = nil
    ) {
        complaints.append(PredicateError(code, at: span, sentence, hint: hint))
    }

    private mutating func kind(_ id: SyntaxNode.ID, _ node: SyntaxNode) -> Kind {
        switch node.kind {
        case .constant(let literal): return Kind(literal.value)
        case .subject: return schema.subject
        case .variable(let name): return variable(name, id)
        case .keyPath(let base, let path):
            return kind(along: path, from: base.map { kinds[$0] } ?? schema.subject, node.span)
        case .index(let part, _): return kinds[part].element ?? .any
        case .place(let part, let place):
            require(kinds[part], "[\(place.rawValue)]", tree[part].span)
            return place == .size ? .number : kinds[part].element ?? .any
        case .negation(let part), .complement(let part): return number([part], "a sign")
        case .arithmetic(let operation, let left, let right): return number([left, right], operation.rawValue)
        case .function(let function, let parts), .call(let function, let parts): return kind(of: function, parts)
        case .cast(_, let type): return type == .string ? .string : type == .date ? .date : .number
        case .aggregate(let parts):
            let first = parts.first.map { kinds[$0] } ?? .any
            return .collection(parts.allSatisfy { kinds[$0] == first } ? first : .any)
        case .subquery(let collection, _, _):
            require(kinds[collection], "SUBQUERY", tree[collection].span)
            return kinds[collection].element == nil ? .any : kinds[collection]
        case .ternary(_, let first, let second): return kinds[first] == kinds[second] ? kinds[first] : .any
        case .assignment(_, let part): return kinds[part]
        case .truth, .not, .and, .or: return .boolean
        case .comparison(let comparison):
            check(comparison, node.span)
            return .boolean
        }
    }

    /// The innermost `SUBQUERY` around the place decides.
    private func variable(_ name: String, _ id: SyntaxNode.ID) -> Kind {
        let scope = scopes.filter { $0.name == name && $0.parts.contains(id) }.min { $0.parts.count < $1.parts.count }
        guard let scope else { return schema.variables[name] ?? .any }
        return kinds[scope.collection].element ?? .any
    }

    private mutating func require(_ kind: Kind, _ what: String, _ span: SourceSpan) {
        if kind == .any || kind.element != nil { return }
        complain(.collectionExpected, span, "\(what) needs a collection, and this is \(kind.name)")
    }

    private mutating func number(_ parts: [SyntaxNode.ID], _ what: String) -> Kind {
        for part in parts where !kinds[part].isNumeric {
            complain(.operandType, tree[part].span, "\(what) works on numbers, and this is \(kinds[part].name)")
        }
        return .number
    }

    private mutating func kind(of function: PredicateFunction, _ parts: [SyntaxNode.ID]) -> Kind {
        switch function {
        case .uppercase, .lowercase, .length:
            for part in parts where kinds[part] != .any && kinds[part] != .string {
                complain(
                    .operandType, tree[part].span,
                    "\(function.rawValue) works on a text, and this is \(kinds[part].name)")
            }
            return function == .length ? .number : .string
        case .now: return .date
        case .minimum, .maximum: return parts.count == 1 ? kinds[parts[0]].element ?? .any : .any
        case .mode: return .collection(.number)
        case .modulus, .squareRoot, .logarithm, .naturalLogarithm, .exponential, .floor, .ceiling, .absolute, .truncate:
            return number(parts, function.rawValue)
        case .sum, .count, .average, .median, .standardDeviation, .random, .randomBelow, .distance, .chainCount,
            .elementCount, .onesComplement:
            return .number
        case .noIndex: return parts.first.map { kinds[$0] } ?? .any
        case .chainFirst, .chainLast, .chainItem, .firstObject, .lastObject:
            return parts.first.flatMap { kinds[$0].element } ?? .any
        case .chainTakeFirst, .chainTakeLast: return parts.first.map { kinds[$0] } ?? .any
        case .chainJoin: return .string
        default: return .any
        }
    }
}

// MARK: - Key paths

extension SchemaChecker {
    private mutating func kind(along path: KeyPath, from start: Kind, _ span: SourceSpan) -> Kind {
        var kind = start
        for (index, component) in path.components.enumerated() {
            switch component {
            case .key(let key):
                guard let next = self.kind(of: key, in: kind, span) else { return .any }
                kind = next
            case .operation(let operation):
                let rest = KeyPath(Array(path.components[(index + 1)...]))
                require(kind, operation.rawValue, span)
                return self.kind(of: operation, kind, rest, span)
            }
        }
        return kind
    }

    private mutating func kind(
        of operation: CollectionOperator, _ collection: Kind, _ rest: KeyPath, _ span: SourceSpan
    ) -> Kind {
        let element = kind(along: rest, from: collection.element ?? .any, span)
        switch operation {
        case .count: return .number
        case .sum, .average:
            if !element.isNumeric {
                complain(.operandType, span, "\(operation.rawValue) works on numbers, and these are of another kind")
            }
            return .number
        case .minimum, .maximum: return element
        case .unionOfObjects, .distinctUnionOfObjects: return .collection(element)
        case .unionOfArrays, .distinctUnionOfArrays, .unionOfSets, .distinctUnionOfSets:
            return element.element.map { .collection($0) } ?? .any
        case .first, .last: return element
        case .allKeys, .allValues: return .collection(.any)
        }
    }

    /// `nil` once a complaint was made.
    private mutating func kind(of key: String, in kind: Kind, _ span: SourceSpan) -> Kind? {
        if key == "self" || key == "SELF" { return kind }
        switch kind {
        case .any: return .any
        case .collection(let element): return self.kind(of: key, in: element, span).map { .collection($0) }
        case .record(let type):
            guard let keys = schema.records[type] else { return .any }
            if let kind = keys[key] { return kind }
            complain(
                .unknownKey, span, "\(kind.name) has no key \(Quotation.of(key))".capitalizingFirst,
                hint: NearMiss.of(key, among: keys.keys.sorted()).map { "did you mean \($0)?" })
        default:
            if KeyReader.properties(of: kind).contains(key) { return .any }
            complain(.unknownKey, span, "\(kind.name) has no key \(Quotation.of(key))".capitalizingFirst)
        }
        return nil
    }
}

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
