/// A pattern as it is written, with escapes and flags resolved.
indirect enum PatternNode: Sendable {
    case empty
    /// A letter by its number in the pattern.
    case letter(Int)
    case condition(PatternCondition)
    case sequence([PatternNode])
    case choice([PatternNode])
    /// `most` is nil where there is no end.
    case repeated(PatternNode, least: Int, most: Int?)
}

/// What one scalar of the subject is held against.
enum PatternLetter: Sendable {
    case exactly(UInt32)
    /// A scalar as case folding leaves it; scalars that fold to several are met one by one.
    case folded(UInt32)
    case oneOf(ScalarSet)

    /// Whether it takes the scalar as it stands in the subject.
    func takes(_ scalar: UInt32, isTurkic: Bool) -> Bool {
        switch self {
        case .exactly(let other): scalar == other
        case .folded(let other): CaseVariants.foldedAlone(scalar, isTurkic: isTurkic) == other
        case .oneOf(let set): set.contains(scalar)
        }
    }

    /// Whether it takes this piece of a scalar that folds to several.
    func takes(piece: UInt32) -> Bool {
        if case .folded(let other) = self { return piece == other }
        return false
    }

    /// How many steps asking takes, above U+007F.
    var weight: Int {
        switch self {
        case .exactly, .folded: 1
        case .oneOf(let set): set.weight
        }
    }
}

/// What must hold between two scalars.
struct PatternCondition: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// `\A`, and `^` without the flag m.
    static let textStart = PatternCondition(rawValue: 1)
    /// `\z`.
    static let textEnd = PatternCondition(rawValue: 2)
    /// `\Z`, and `$` without the flag m: the end, or before a line break that ends the text.
    static let lastLineEnd = PatternCondition(rawValue: 4)
    static let lineStart = PatternCondition(rawValue: 8)
    static let lineEnd = PatternCondition(rawValue: 16)
    static let wordEdge = PatternCondition(rawValue: 32)
    static let noWordEdge = PatternCondition(rawValue: 64)
    /// No line feed follows: `\R` never splits a carriage return from its line feed.
    static let beforeNoLineFeed = PatternCondition(rawValue: 128)
}
