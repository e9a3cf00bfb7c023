import Testing

@testable import Predicates

/// Goal: what is printed reads back as what was printed. Method: trees of every kind of part, made at random.
@Suite struct `A printed predicate` {
    @Test(arguments: 0..<20)
    func `reads back as the same tree`(_ batch: Int) throws {
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

    @Test func `has a span for each part, inside the text`() throws {
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
