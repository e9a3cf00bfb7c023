import Testing
import WidgetTestSupport

@testable import WidgetPredicates

/// Goal: a printed tree reads back as the same tree. Method: random trees of every kind of part.
@Suite struct `A printed predicate` {
    @Test(arguments: 0..<20)
    func `A printed predicate reads back as the same tree`(_ batch: Int) throws {
        for seed in 0..<250 {
            var generator = TreeGenerator(seed: UInt64(batch * 500 + seed))
            let tree = seed.isMultiple(of: 2) ? generator.predicate() : generator.expression()
            let printed = tree.printed
            do throws(PredicateError) {
                let again = try SyntaxTree.either(printed.text, arguments: printed.arguments)
                #expect(again == tree, "seed \(batch * 500 + seed): \(printed.text)")
                #expect(again.printed.text == printed.text)
                #expect(again.isPredicate == tree.isPredicate)
            } catch {
                Issue.record("seed \(batch * 500 + seed): \(printed.text): byte \(error.offset): \(error)")
            }
        }
    }

    @Test func `A printed predicate has a span for each part, inside the text`() throws {
        for seed in 0..<200 {
            var generator = TreeGenerator(seed: UInt64(seed))
            let printed = generator.predicate().printed
            let tree = try SyntaxTree.predicate(printed.text, arguments: printed.arguments)
            for node in tree.nodes {
                #expect(node.span.end <= printed.text.utf8.count)
                node.kind.forEachPart { part in
                    #expect(tree[part].span.offset >= node.span.offset && tree[part].span.end <= node.span.end)
                }
            }
        }
    }
}

/// Goal: faults that the fuzzer found stay fixed. Method: its findings, minimised.
@Suite struct `What the fuzzer found` {
    @Test(arguments: [
        "$\u{5BD} = 3", "(a).b", "(a.@max).b = 1", "$na := $na := $\u{5BD}", "#\u{301}a = 1",
        "SUBQUERY(a, $\u{301}, $\u{301} > 1).@count = 1",
    ])
    func `A predicate that the fuzzer found is printed as it was read`(text: String) throws {
        let tree = try SyntaxTree.either(text)
        let (printed, arguments) = tree.printed
        #expect(try SyntaxTree.either(printed, arguments: arguments) == tree, "\(printed)")
    }
}

/// Makes random trees of every kind of part, as the parser could have made them.
struct TreeGenerator {
    private var random: SeededGenerator
    private var tree = SyntaxTree()

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func predicate() -> SyntaxTree {
        tree = SyntaxTree()
        _ = predicate(5)
        tree.isPredicate = true
        return tree
    }

    mutating func expression() -> SyntaxTree {
        tree = SyntaxTree()
        _ = expression(6)
        return tree
    }

    private mutating func add(_ kind: SyntaxNode.Kind) -> SyntaxNode.ID {
        tree.nodes.append(SyntaxNode(kind: kind, span: SourceSpan(from: 0, to: 0), depth: 0))
        return tree.root
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

    // MARK: - Predicates

    private mutating func predicate(_ depth: Int) -> SyntaxNode.ID {
        switch depth > 0 ? below(8) : 7 {
        case 0:
            let part = predicate(depth - 1)
            return add(.not(part))
        case 1:
            let parts = (0..<below(3) + 2).map { _ in predicate(depth - 1) }
            return add(.and(parts))
        case 2:
            let parts = (0..<below(3) + 2).map { _ in predicate(depth - 1) }
            return add(.or(parts))
        case 3: return add(.truth(below(2) == 0))
        default:
            let left = expression(depth)
            let right = expression(depth)
            return add(
                .comparison(
                    SyntaxNode.Comparison(
                        quantifier: pick([.one, .one, .any, .all]), left: left,
                        operation: pick(ComparisonOperator.allCases),
                        options: TextOptions(rawValue: UInt8(below(3) == 0 ? below(16) : 0)), right: right)))
        }
    }

    // MARK: - Expressions

    private mutating func expression(_ depth: Int) -> SyntaxNode.ID {
        switch depth > 0 ? below(16) : below(4) {
        case 0: return add(.constant(SyntaxNode.Literal(value: constant())))
        case 1: return add(.keyPath(base: nil, path()))
        case 2: return add(.variable(pick(["x", "input", "a_1"])))
        case 3: return add(.subject)
        case 4, 5:
            let left = expression(depth - 1)
            let right = expression(depth - 1)
            return add(.arithmetic(pick(ArithmeticOperator.allCases), left, right))
        case 6:
            let part = expression(depth - 1)
            if isNumber(part) { return part }
            return add(.negation(part))
        case 7:
            let part = expression(depth - 1)
            return add(.complement(part))
        case 8:
            let base = expression(depth - 1)
            // Two paths in a row would be one path.
            if case .keyPath = tree[base].kind { return base }
            return add(.keyPath(base: base, path()))
        case 9:
            let part = expression(depth - 1)
            let index = expression(depth - 1)
            return add(.index(part, at: index))
        case 10:
            let part = expression(depth - 1)
            return add(.place(part, pick([.first, .last, .size])))
        case 11: return function(depth)
        case 12:
            let parts = (0..<below(4)).map { _ in expression(depth - 1) }
            return add(.aggregate(parts))
        case 13:
            let collection = expression(depth - 1)
            let part = predicate(depth - 1)
            return add(.subquery(collection, variable: "x", part))
        case 14:
            let condition = predicate(depth - 1)
            let first = expression(depth - 1)
            let second = expression(depth - 1)
            return add(.ternary(condition, first, second))
        default:
            let part = expression(depth - 1)
            if below(2) == 0 { return add(.assignment("x", part)) }
            if case .constant = tree[part].kind { return part }
            return add(.cast(part, pick(CastType.allCases)))
        }
    }

    private func isNumber(_ id: SyntaxNode.ID) -> Bool {
        guard case .constant(let literal) = tree[id].kind else { return false }
        return literal.value.isNumberNotBoolean
    }

    private mutating func function(_ depth: Int) -> SyntaxNode.ID {
        let isCall = below(3) == 0
        // Functions that are printed as a sign or a bracket are read back as such.
        let functions = PredicateFunction.allCases.filter { function in
            isCall
                ? function != .cast
                : function.operation == nil && !function.needsReceiver
                    && ![.cast, .element, .onesComplement].contains(function)
        }
        let function = pick(functions)
        let count = max(function.arity.lowerBound, isCall ? 1 : 0)
        let parts = (0..<count).map { _ in expression(depth - 1) }
        return add(isCall ? .call(function, parts) : .function(function, parts))
    }

    private mutating func path() -> KeyPath {
        let keys = ["a", "name", "size", "in", "first", "größe", "_x", "uti", "function", "with space", "x-y", "5"]
        return KeyPath(
            (0..<below(3) + 1).map { _ in
                below(5) == 0 ? .operation(pick(CollectionOperator.allCases)) : .key(pick(keys))
            })
    }

    private mutating func constant() -> PredicateValue {
        switch below(12) {
        case 0: .null
        case 1: .boolean(below(2) == 0)
        case 2: .integer(pick([0, 1, -1, .max, .min, 42]))
        case 3: .double(pick([0, -0.0, 1.5, -2.25, 1e300, .leastNonzeroMagnitude, 0.1, .infinity]))
        case 4:
            .decimal(
                pick(
                    [DecimalNumber("1.25"), DecimalNumber("-123456789012345678901234567890"), DecimalNumber("0")]
                        .compactMap { $0 }))
        case 5: .date(pick([0, 551_210_400, -1.5, 0.1, 1e15, 1.0 / 3]))
        case 6: .data([1, 2, 3])
        case 7: .set([.integer(1)])
        case 8: .dictionary(PredicateDictionary([("k", .integer(1))]))
        default:
            .string(pick(["", "x", "it's", "say \"x\"", "a\\b", "\\d+", "\n\t\r", "é😀", "%@ %K", "\u{1}\u{2028}"]))
        }
    }
}
