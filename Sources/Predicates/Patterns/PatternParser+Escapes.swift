extension PatternParser {
    /// Behind a backslash, outside a set.
    mutating func escape(at offset: Int) throws(PatternError) -> (PatternNode, Bool) {
        guard let next = reader.raw() else { throw PatternError(.unfinished, offset) }
        switch Unicode.Scalar(next) {
        case "A", "G": return conditionEscape(.textStart)
        case "z": return conditionEscape(.textEnd)
        case "Z": return conditionEscape(.lastLineEnd)
        case "b": return conditionEscape(.wordEdge)
        case "B": return conditionEscape(.noWordEdge)
        case "R":
            _ = reader.nextRaw()
            return (lineBreak(), true)
        case "k": throw PatternError(.backReference, offset)
        case "1", "2", "3", "4", "5", "6", "7", "8", "9": throw PatternError(.backReference, offset)
        case "X", "N": throw PatternError(.unsupported, offset)
        default: break
        }
        if let set = try setEscape(at: offset) { return (node(.oneOf(set)), true) }
        return (literal(try scalarEscape(at: offset)), true)
    }

    private mutating func conditionEscape(_ condition: PatternCondition) -> (PatternNode, Bool) {
        _ = reader.nextRaw()
        return (.condition(condition), false)
    }

    private mutating func lineBreak() -> PatternNode {
        .choice([
            .sequence([node(.exactly(0x0D)), node(.exactly(0x0A))]),
            .sequence([node(.exactly(0x0D)), .condition(.beforeNoLineFeed)]),
            node(.oneOf(.ranges([0x0A...0x0C, 0x85...0x85, 0x2028...0x2029]))),
        ])
    }

    /// A set that a letter behind a backslash names, or nil if it names none.
    mutating func setEscape(at offset: Int) throws(PatternError) -> ScalarSet? {
        let set: ScalarSet
        switch reader.raw().flatMap(Unicode.Scalar.init) {
        case "d": set = .digits
        case "D": set = .complement(.digits)
        case "w": set = .words
        case "W": set = .complement(.words)
        case "s": set = .spaces
        case "S": set = .complement(.spaces)
        case "h": set = .blanks
        case "H": set = .complement(.blanks)
        case "v": set = .verticals
        case "V": set = .complement(.verticals)
        case "p":
            _ = reader.nextRaw()
            return try property(at: offset)
        case "P":
            _ = reader.nextRaw()
            return .complement(try property(at: offset))
        default: return nil
        }
        _ = reader.nextRaw()
        return set
    }

    /// `{Name}`, `{^Name}` or one letter, behind `\p`.
    private mutating func property(at offset: Int) throws(PatternError) -> ScalarSet {
        var name: String
        if reader.raw() == 0x7B {
            _ = reader.nextRaw()
            guard let braced = reader.name(until: "}") else { throw PatternError(.unknownProperty, offset) }
            name = braced
        } else {
            name = reader.nextRaw().flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
        }
        let isNegated = name.first == "^"
        if isNegated { name.removeFirst() }
        guard let set = ScalarSet(named: name).map(caseless) else { throw PatternError(.unknownProperty, offset) }
        return isNegated ? .complement(set) : set
    }

    /// The one scalar that an escape stands for.
    mutating func scalarEscape(at offset: Int) throws(PatternError) -> UInt32 {
        guard let letter = reader.nextRaw() else { throw PatternError(.unfinished, offset) }
        switch Unicode.Scalar(letter) {
        case "a": return 0x07
        case "e": return 0x1B
        case "f": return 0x0C
        case "n": return 0x0A
        case "r": return 0x0D
        case "t": return 0x09
        case "c":
            guard let control = reader.nextRaw() else { throw PatternError(.badEscape, offset) }
            return control & 0x1F
        case "0": return try digits(1...3, base: 8, at: offset)
        case "u": return try digits(4...4, base: 16, at: offset)
        case "U": return try digits(8...8, base: 16, at: offset)
        case "x":
            guard reader.raw() == 0x7B else { return try digits(2...2, base: 16, at: offset) }
            _ = reader.nextRaw()
            let scalar = try digits(1...6, base: 16, at: offset)
            guard reader.nextRaw() == 0x7D else { throw PatternError(.badEscape, offset) }
            return scalar
        default:
            // Every other letter is kept for what it may come to mean; anything else stands for itself.
            guard (letter | 0x20) &- 0x61 >= 26 else { throw PatternError(.unknownEscape, offset) }
            return letter
        }
    }

    private mutating func digits(_ counts: ClosedRange<Int>, base: UInt32, at offset: Int) throws(PatternError)
        -> UInt32
    {
        var value: UInt32 = 0
        var count = 0
        while count < counts.upperBound, let digit = reader.raw().flatMap(Self.digit), digit < base {
            _ = reader.nextRaw()
            // At most eight digits of 16, the first of which may be too much.
            value = value &* base &+ digit
            count += 1
            if value > 0x10_FFFF { throw PatternError(.badEscape, offset) }
        }
        guard counts.contains(count), Unicode.Scalar(value) != nil else { throw PatternError(.badEscape, offset) }
        return value
    }

    private static func digit(_ scalar: UInt32) -> UInt32? {
        if scalar &- 0x30 < 10 { return scalar - 0x30 }
        return (scalar | 0x20) &- 0x61 < 6 ? (scalar | 0x20) - 0x61 + 10 : nil
    }
}
