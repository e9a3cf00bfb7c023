internal import Predicates

/// What a predicate's text says that a host should know before it acts on it. Offsets are in its UTF-8 bytes.
struct PredicateReading: Equatable {
    struct Problem: Equatable {
        var code: FindingCode
        var offset: Int
        var detail: String
    }

    /// A part of the text that is judged by other rules.
    struct Part: Equatable {
        var text: String
        var offset: Int
    }

    private(set) var problems: [Problem] = []
    private(set) var keyPaths: [Part] = []
    /// Regular expressions, the right sides of `MATCHES`.
    private(set) var patterns: [Part] = []

    /// - Parameter format: nothing at all is what a framework takes for no predicate.
    init(_ format: String) {
        guard !format.isEmpty else { return }
        let (tree, errors) = SyntaxTree.examine(format)
        problems = errors.map { error in
            Problem(
                code: PredicateReading.code(of: error.code), offset: error.offset,
                detail: error.hint.map { "\(error); \($0)" } ?? "\(error)")
        }
        guard let tree else { return }
        let bytes = Array(format.utf8)
        for node in tree.nodes {
            switch node.kind {
            case .keyPath(let base, _): keyPaths.append(PredicateReading.keyPath(node, base, tree, bytes))
            case .comparison(let comparison) where comparison.operation == .matches:
                let pattern = tree[comparison.right]
                guard case .constant(let literal) = pattern.kind, case .string(let text) = literal.value else {
                    continue
                }
                patterns.append(Part(text: text, offset: pattern.span.offset + 1))
            default: continue
            }
        }
    }

    /// As it is written, so that a place in it is a place in the text. What stands before its first dot may be a
    /// value of any kind.
    private static func keyPath(
        _ node: SyntaxNode, _ base: SyntaxNode.ID?, _ tree: SyntaxTree, _ bytes: [UInt8]
    ) -> Part {
        var start = node.span.offset
        if let base, tree[base].kind != .subject {
            start = bytes[tree[base].span.end..<node.span.end].firstIndex(of: UInt8(ascii: ".")) ?? start
        }
        return Part(text: String(decoding: bytes[start..<node.span.end], as: UTF8.self), offset: start)
    }

    private static func code(of code: PredicateError.Code) -> FindingCode {
        switch code {
        case .unknownFunction, .functionNotAllowed, .argumentCount: .predicateFunction
        case .castNotAllowed: .predicateCast
        case .argumentMissing, .argumentType: .predicateArgument
        case .empty, .unexpectedEnd, .unexpectedToken, .unknownOperator, .unknownOption, .unknownCharacter,
            .reservedWord,
            .unterminatedString, .badEscape, .badNumber, .notAPredicate, .notAnExpression, .badPattern,
            .backtrackingPattern, .variableMissing, .unknownKey, .operandType, .incomparable, .collectionExpected,
            .divisionByZero, .castFailed, .neverTrue, .badRequest, .textLimit, .nestingLimit, .nodeLimit, .fuelLimit,
            .memoryLimit:
            .predicateSyntax
        }
    }
}
