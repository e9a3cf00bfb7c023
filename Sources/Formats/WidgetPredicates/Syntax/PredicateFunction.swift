/// The functions an expression may call: all of them, and nothing else.
package enum PredicateFunction: String, CaseIterable, Sendable {
    case sum = "sum:"
    case count = "count:"
    case minimum = "min:"
    case maximum = "max:"
    case average = "average:"
    case median = "median:"
    case mode = "mode:"
    case standardDeviation = "stddev:"
    case add = "add:to:"
    case subtract = "from:subtract:"
    case multiply = "multiply:by:"
    case divide = "divide:by:"
    case modulus = "modulus:by:"
    case squareRoot = "sqrt:"
    case logarithm = "log:"
    case naturalLogarithm = "ln:"
    case power = "raise:toPower:"
    case exponential = "exp:"
    case floor = "floor:"
    case ceiling = "ceiling:"
    case absolute = "abs:"
    case truncate = "trunc:"
    case random = "random"
    case randomBelow = "random:"
    case now = "now"
    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
    case length = "length:"
    case bitAnd = "bitwiseAnd:with:"
    case bitOr = "bitwiseOr:with:"
    case bitXor = "bitwiseXor:with:"
    case shiftLeft = "leftshift:by:"
    case shiftRight = "rightshift:by:"
    case onesComplement = "onesComplement:"
    case noIndex = "noindex:"
    case distance = "distanceToLocation:fromLocation:"
    case cast = "castObject:toType:"
    case element = "objectFrom:withIndex:"
    // The steps of a widget's result chain, which only `FUNCTION` can call.
    case chainFirst = "wx_first"
    case chainLast = "wx_last"
    case chainCount = "wx_count"
    case chainItem = "wx_itemAt:"
    case chainTakeFirst = "wx_takeFirst:"
    case chainTakeLast = "wx_takeLast:"
    case chainJoin = "wx_joinedBy:"
    case chainMap = "wx_map:"
    case firstObject
    case lastObject
    case elementCount = "count"
    case valueForKeyPath = "valueForKeyPath:"

    /// The number of arguments. Functions on numbers take one collection, or the numbers themselves.
    var arity: ClosedRange<Int> {
        switch self {
        case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation: 1...1_000_000
        case .random, .now: 0...0
        // A step of a chain is written with its argument, used or not.
        case .chainFirst, .chainLast, .chainCount, .firstObject, .lastObject, .elementCount: 1...2
        case .chainItem, .chainTakeFirst, .chainTakeLast, .chainJoin, .chainMap, .valueForKeyPath: 2...2
        default:
            switch rawValue.utf8.count(where: { $0 == UInt8(ascii: ":") }) {
            case 2: 2...2
            default: 1...1
            }
        }
    }

    /// Steps of a chain have a receiver, and no way to be called but `FUNCTION`.
    var needsReceiver: Bool {
        switch self {
        case .chainFirst, .chainLast, .chainCount, .chainItem, .chainTakeFirst, .chainTakeLast, .chainJoin,
            .chainMap, .firstObject, .lastObject, .elementCount, .valueForKeyPath:
            true
        default: false
        }
    }

    /// The operator of a function that also has a sign, such as `+`.
    var operation: ArithmeticOperator? {
        switch self {
        case .add: .add
        case .subtract: .subtract
        case .multiply: .multiply
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

    private static let byName: [String: PredicateFunction] = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.rawValue.lowercased(), $0) })

    /// By first words: `modulus(11, 3)` is `modulus:by:`.
    private static let byFirstWord: [String: [PredicateFunction]] = Dictionary(
        grouping: allCases.filter { !$0.needsReceiver }, by: { String($0.rawValue.prefix { $0 != ":" }).lowercased() })

    static func named(_ name: String) -> PredicateFunction? { byName[name.lowercased()] }

    static func called(_ word: String, argumentCount: Int) -> PredicateFunction? {
        if word.hasSuffix(":") { return named(word).flatMap { $0.needsReceiver ? nil : $0 } }
        guard let candidates = byFirstWord[word.lowercased()] else { return nil }
        return candidates.first { $0.arity.contains(argumentCount) } ?? candidates.first
    }

    /// The candidates for a misspelled name.
    static let firstWords = byFirstWord.keys.sorted()
}
