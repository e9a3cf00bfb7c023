/// The words of the predicate language, as far as they tell whether a text can be a predicate at all.
enum PredicateWords {
    private static let comparisons: Set<String> = [
        "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "UTI", "CONFORMS", "EQUALS", "TO",
    ]
    private static let connectives: Set<String> = ["AND", "OR", "NOT"]
    private static let quantifiers: Set<String> = ["ANY", "SOME", "ALL", "NONE"]
    private static let truths: Set<String> = ["TRUEPREDICATE", "FALSEPREDICATE", "TRUE", "FALSE", "YES", "NO"]
    private static let keywords = comparisons.union(connectives).union(quantifiers)

    static let mayPrecedeParenthesis = keywords.union(["SUBQUERY", "TERNARY", "ANYKEY", "%"])

    private static let functionWords = Set(
        FrameworkNames.functions.map { String($0.prefix { $0 != ":" }).lowercased() })

    /// Whether a word before a parenthesis is a documented function, by its full name or its first word.
    static func isFunction(_ word: String) -> Bool {
        FrameworkNames.functions.contains(word) || functionWords.contains(word.lowercased())
    }

    static func closing(_ bracket: UInt8) -> UInt8 {
        switch bracket {
        case UInt8(ascii: "("): UInt8(ascii: ")")
        case UInt8(ascii: "["): UInt8(ascii: "]")
        default: UInt8(ascii: "}")
        }
    }

    static func needsLeftSide(_ token: PredicateToken) -> Bool {
        switch token.kind {
        case .symbol(let text): ["=", "==", "!=", "<>", "<", ">", "<=", "=<", ">=", "=>", "&&", "||"].contains(text)
        case .word: token.keyword.map { comparisons.contains($0) || $0 == "AND" || $0 == "OR" } ?? false
        default: false
        }
    }

    static func needsRightSide(_ token: PredicateToken) -> Bool {
        switch token.kind {
        case .symbol: true
        case .word: token.keyword.map(keywords.contains) ?? false
        default: false
        }
    }

    /// Whether a predicate with this token may have a truth value.
    static func decides(_ token: PredicateToken) -> Bool {
        switch token.kind {
        case .symbol(let text): text.utf8.contains { $0 == 0x3D || $0 == 0x3C || $0 == 0x3E }
        case .word: token.keyword.map { comparisons.contains($0) || truths.contains($0) } ?? false
        default: false
        }
    }

    static func endsOperand(_ token: PredicateToken) -> Bool {
        switch token.kind {
        case .string: true
        case .word: isOperand(token)
        case .close(let bracket): bracket != UInt8(ascii: "]")
        default: false
        }
    }

    static func startsOperand(_ token: PredicateToken) -> Bool {
        switch token.kind {
        case .string: true
        // A word that begins with a dot continues what stands before it.
        case .word(let text): isOperand(token) && text.utf8.first != UInt8(ascii: ".")
        default: false
        }
    }

    private static func isOperand(_ token: PredicateToken) -> Bool {
        token.keyword.map { !keywords.contains($0) } ?? false
    }
}
