extension Parser {
    func found(_ token: Token) -> String {
        token.kind == .end ? "the end" : Quotation.of(tokenizer.bytes[token.start..<token.end])
    }

    /// The current token cannot stand where it stands.
    func unexpected(expected: [String]) -> PredicateError {
        let isEnd = current.kind == .end
        return PredicateError(
            isEnd ? .unexpectedEnd : .unexpectedToken, at: current.span,
            isEnd ? "The text ends too early" : "\(Quotation.of(text(current))) cannot stand here",
            found: found(current), expected: expected)
    }

    /// Something follows a part that is complete.
    func unexpected(after part: SyntaxNode.ID, expected: [String]? = nil) -> PredicateError {
        let isPredicate = isPredicate(part)
        let expected = expected ?? (isPredicate ? ["`AND`", "`OR`", "the end"] : ["an operator", "the end"])
        switch current.kind {
        case .identifier, .keyword, .selector:
            let word = text(current).uppercased()
            let words = isPredicate ? ["AND", "OR"] : Parser.operatorWords
            if word == "NOT" || word == "IS" || word == "<>" { return sqlWord(word) }
            return PredicateError(
                .unknownOperator, at: current.span, "\(text(current)) is not an operator", found: found(current),
                expected: expected, hint: NearMiss.of(word, among: words).map { "did you mean \($0)?" })
        case .symbol(.closeParenthesis), .symbol(.closeBrace), .symbol(.closeBracket):
            var error = unexpected(expected: expected)
            error.sentence = "The \(text(current)) closes nothing"
            return error
        case .symbol(.comma):
            var error = unexpected(expected: expected)
            error.sentence = "A comma divides nothing here"
            error.hint = "a list is written in braces: {1, 2, 3}"
            return error
        case .symbol(.openBracket):
            var error = unexpected(expected: expected)
            error.hint = "a list is written in braces: {1, 2, 3}"
            return error
        default:
            var error = unexpected(expected: expected)
            if current.kind != .end { error.sentence = "An operator is missing in front of \(found(current))" }
            return error
        }
    }

    private func sqlWord(_ word: String) -> PredicateError {
        var error = unexpected(expected: ["an operator"])
        error.hint =
            word == "NOT" ? "NOT stands in front of the whole comparison: NOT a IN {1, 2}" : "write == nil or != nil"
        return error
    }

    func requirePredicate(_ id: SyntaxNode.ID) throws(PredicateError) {
        guard !isPredicate(id) else { return }
        // An operator that is misspelled is the likelier reason than one that is missing.
        switch current.kind {
        case .end, .keyword(.and), .keyword(.or), .symbol(.and), .symbol(.or), .symbol(.closeParenthesis),
            .symbol(.comma):
            break
        default: throw unexpected(after: id)
        }
        var error = PredicateError(
            .notAPredicate, at: tree[id].span, "This has a value, but is not true or false",
            found: Quotation.of(tokenizer.bytes[tree[id].span.offset..<max(tree[id].span.end, tree[id].span.offset)]),
            expected: ["a comparison"])
        if case .keyPath = tree[id].kind { error.hint = "a Boolean is compared too: key == TRUE" }
        if case .constant(let literal) = tree[id].kind, case .boolean(let value) = literal.value {
            error.hint = value ? "did you mean TRUEPREDICATE?" : "did you mean FALSEPREDICATE?"
        }
        throw error
    }

    func requireExpression(_ id: SyntaxNode.ID) throws(PredicateError) {
        guard isPredicate(id) else { return }
        let span = tree[id].span
        throw PredicateError(
            .notAnExpression, at: span, "A predicate stands where a value is needed",
            found: Quotation.of(tokenizer.bytes[span.offset..<max(span.end, span.offset)]), expected: ["a value"],
            hint: "TERNARY(predicate, TRUE, FALSE) makes a value of a predicate")
    }

    /// `a BETWEEN 1 AND 10`, as other languages have it.
    /// - Parameter id: what stands in front of an `AND` that no predicate follows.
    func missingBounds(_ id: SyntaxNode.ID?) -> PredicateError? {
        guard let id, case .comparison(let comparison) = tree[id].kind, comparison.operation == .between else {
            return nil
        }
        let span = tree[comparison.right].span
        return PredicateError(
            .operandType, at: span, "BETWEEN needs two bounds",
            found: Quotation.of(tokenizer.bytes[span.offset..<span.end]),
            expected: ["an array of two, such as {1, 10}"], hint: "the bounds are a list: BETWEEN {1, 10}")
    }

    private static let operatorWords =
        ComparisonOperator.allCases.map(\.rawValue).filter { $0.utf8.first.map(Tokenizer.beginsIdentifier) ?? false }
        + ["AND", "OR"]
}
