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

    private static let byWord: [String: Keyword] = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    private static let longest = allCases.map(\.rawValue.utf8.count).max() ?? 0

    /// - Parameter word: bytes of an identifier.
    init?(_ word: some Collection<UInt8>) {
        guard word.count <= Keyword.longest else { return nil }
        let capitals = String(decoding: word.lazy.map { 0x61...0x7A ~= $0 ? $0 & 0xDF : $0 }, as: UTF8.self)
        guard let keyword = Keyword.byWord[capitals] else { return nil }
        self = keyword
    }

    /// Words that are reserved only in front of a parenthesis, because Apple's parser lets them be keys elsewhere.
    var needsParenthesis: Bool {
        switch self {
        case .subquery, .ternary, .cast, .function, .fetch: true
        default: false
        }
    }
}
