/// The smallest part of a text that means something.
struct Token {
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
        /// `%@`, `%K`, `%ld`: what an argument replaces.
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
