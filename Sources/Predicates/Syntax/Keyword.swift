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

    private static let longest = allCases.map(\.rawValue.utf8.count).max() ?? 0

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

    /// The comparison that the word stands for.
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
