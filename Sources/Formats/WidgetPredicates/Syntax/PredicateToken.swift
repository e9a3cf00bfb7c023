/// A token of a predicate's text.
struct PredicateToken {
    enum Kind: Equatable {
        case end
        case identifier
        /// A function's full name, `add:to:`, in front of its parenthesis.
        case selector
        case keyword(Keyword)
        case integer
        case real
        case string
        /// `$name`.
        case variable
        /// A placeholder for an argument: `%@`, `%K`, `%ld`.
        case placeholder
        case symbol(Symbol)
    }

    enum Symbol: String {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case and = "&&"
        case or = "||"
        case not = "!"
        case plus = "+"
        case minus = "-"
        case times = "*"
        case divide = "/"
        case power = "**"
        case bitAnd = "&"
        case bitOr = "|"
        case bitXor = "^"
        case bitNot = "~"
        case shiftLeft = "<<"
        case shiftRight = ">>"
        case assign = ":="
        case openParenthesis = "("
        case closeParenthesis = ")"
        case openBrace = "{"
        case closeBrace = "}"
        case openBracket = "["
        case closeBracket = "]"
        case comma = ","
        case dot = "."
        case at = "@"

        var arithmetic: ArithmeticOperator? {
            switch self {
            case .plus: .add
            case .minus: .subtract
            case .times: .multiply
            case .divide: .divide
            case .power: .power
            case .bitAnd: .bitAnd
            case .bitOr: .bitOr
            case .bitXor: .bitXor
            case .shiftLeft: .shiftLeft
            case .shiftRight: .shiftRight
            default: nil
            }
        }

        var comparison: ComparisonOperator? {
            switch self {
            case .equal: .equal
            case .notEqual: .notEqual
            case .less: .less
            case .lessOrEqual: .lessOrEqual
            case .greater: .greater
            case .greaterOrEqual: .greaterOrEqual
            default: nil
            }
        }
    }

    var kind: Kind
    var start: Int
    var end: Int

    var comparison: ComparisonOperator? {
        switch kind {
        case .symbol(let symbol): symbol.comparison
        case .keyword(let keyword): keyword.comparison
        default: nil
        }
    }

    var span: SourceSpan { SourceSpan(from: start, to: end) }
}

/// The reserved words. They are written in any case; a key of the same name is written with `#`.
enum Keyword: String, CaseIterable {
    case and = "AND"
    case or = "OR"
    case not = "NOT"
    case any = "ANY"
    case some = "SOME"
    case all = "ALL"
    case none = "NONE"
    case `in` = "IN"
    case between = "BETWEEN"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"
    case matches = "MATCHES"
    case conformsTo = "UTI-CONFORMS-TO"
    case utiEquals = "UTI-EQUALS"
    case null = "NULL"
    case `nil` = "NIL"
    case `true` = "TRUE"
    case `false` = "FALSE"
    case yes = "YES"
    case no = "NO"
    case itself = "SELF"
    case truePredicate = "TRUEPREDICATE"
    case falsePredicate = "FALSEPREDICATE"
    case first = "FIRST"
    case last = "LAST"
    case size = "SIZE"
    case subquery = "SUBQUERY"
    case ternary = "TERNARY"
    case cast = "CAST"
    case function = "FUNCTION"
    case fetch = "FETCH"
    case anyKey = "ANYKEY"
    case caseInsensitive = "CASEINSENSITIVE"
    case ci = "CI"

    /// In the order of their packed words, which a search can halve.
    private static let table: [(word: UInt128, keyword: Keyword)] = allCases.map { (pack($0.rawValue.utf8), $0) }
        .sorted { $0.word < $1.word }

    private static let longest = allCases.map { $0.rawValue.utf8.count }.max() ?? 0

    /// The word in capitals, as one number: words of up to 16 bytes are equal when these are.
    private static func pack(_ word: some Collection<UInt8>) -> UInt128 {
        word.reduce(0) { packed, byte in packed << 8 | UInt128(0x61...0x7A ~= byte ? byte & 0xDF : byte) }
    }

    /// - Parameter word: bytes of an identifier.
    init?(_ word: some Collection<UInt8>) {
        guard word.count <= Keyword.longest else { return nil }
        let packed = Keyword.pack(word)
        var (low, high) = (0, Keyword.table.count)
        while low < high {
            let middle = (low + high) / 2
            let entry = Keyword.table[middle]
            if entry.word == packed {
                self = entry.keyword
                return
            }
            if entry.word < packed { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    /// The comparison that the word denotes.
    var comparison: ComparisonOperator? {
        switch self {
        case .in: .in
        case .between: .between
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        case .contains: .contains
        case .like: .like
        case .matches: .matches
        case .conformsTo: .conformsTo
        case .utiEquals: .utiEquals
        default: nil
        }
    }

    /// Words that are reserved only in front of a parenthesis, because Apple's parser lets them be keys elsewhere.
    var needsParenthesis: Bool {
        switch self {
        case .subquery, .ternary, .cast, .function, .fetch: true
        default: false
        }
    }
}
