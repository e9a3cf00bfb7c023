import Testing

@testable import Predicates

/// Goal: what the fuzzer found stays mended. Method: its findings, made small.
@Suite struct `What the fuzzer found` {
    @Test(arguments: [
        "$\u{5BD} = 3", "(a).b", "(a.@max).b = 1", "$na := $na := $\u{5BD}", "#\u{301}a = 1",
        "SUBQUERY(a, $\u{301}, $\u{301} > 1).@count = 1",
    ])
    func `is printed as it was read`(text: String) throws {
        let tree = try SyntaxTree.either(text)
        let (printed, arguments) = tree.printed
        #expect(try SyntaxTree.either(printed, arguments: arguments) == tree, "\(printed)")
    }
}
