/// The syntax of ICU's regular expressions, as far as it can be matched without going back.
struct PatternParser {
    /// The letters of `(?imsx)`.
    struct Flags {
        var ignoresCase: Bool
        var isMultiline = false
        var dotTakesAll = false
    }

    var reader: PatternReader
    var flags: Flags
    let comparison: TextComparison
    /// What `PatternNode.letter` counts.
    private(set) var letters: [PatternLetter] = []
    private var depth = 0

    init(_ text: String, _ comparison: TextComparison) {
        reader = PatternReader(text)
        flags = Flags(ignoresCase: comparison.ignoresCase)
        self.comparison = comparison
    }

    mutating func parse() throws(PatternError) -> PatternNode {
        let node = try choice()
        if let stray = reader.peek() { throw PatternError(.unbalancedParenthesis, stray.offset) }
        return node
    }

    /// One level further in: a group or a set.
    mutating func nested<Result>(
        at offset: Int, _ body: (inout PatternParser) throws(PatternError) -> Result
    ) throws(PatternError) -> Result {
        guard depth < PatternLimits.depth else { throw PatternError(.tooDeep, offset) }
        depth += 1
        defer { depth -= 1 }
        return try body(&self)
    }

    /// Alternatives, up to a closing parenthesis or the end.
    private mutating func choice() throws(PatternError) -> PatternNode {
        var branches: [PatternNode] = []
        repeat { branches.append(try sequence()) } while reader.skip("|")
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(PatternError) -> PatternNode {
        var parts: [PatternNode] = []
        while let character = reader.peek(), !character.is("|"), !character.is(")") {
            let (node, isRepeatable) = try term()
            parts.append(try repeats(of: node, isRepeatable))
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    /// One thing, and whether a repeat may follow.
    private mutating func term() throws(PatternError) -> (PatternNode, Bool) {
        guard let character = reader.next() else { return (.empty, false) }
        if character.isQuoted { return (literal(character.scalar), true) }
        switch Unicode.Scalar(character.scalar) {
        case "(": return try group(at: character.offset)
        case "[":
            let set = try nested(at: character.offset) { parser throws(PatternError) in
                try parser.set(at: character.offset)
            }
            return (node(.oneOf(set)), true)
        case ".": return (node(.oneOf(flags.dotTakesAll ? .everything : .withinLine)), true)
        case "^": return (.condition(flags.isMultiline ? .lineStart : .textStart), false)
        case "$": return (.condition(flags.isMultiline ? .lineEnd : .lastLineEnd), false)
        case "\\": return try escape(at: character.offset)
        case "*", "+", "?": throw PatternError(.nothingToRepeat, character.offset)
        case "{", "}": throw PatternError(.strayBrace, character.offset)
        default: return (literal(character.scalar), true)
        }
    }

    mutating func node(_ letter: PatternLetter) -> PatternNode {
        letters.append(letter)
        return .letter(letters.count - 1)
    }

    mutating func literal(_ scalar: UInt32) -> PatternNode {
        let scalars = comparison.ignoresDiacritics ? AccentStripping.stripped(scalar) : scalar
        guard let scalar = scalars else { return .empty }
        guard flags.ignoresCase else { return node(.exactly(scalar)) }
        let folded = CaseVariants.folded(scalar, isTurkic: comparison.locale == .turkic)
        return folded.count == 1 ? node(.folded(folded[0])) : .sequence(folded.map { node(.folded($0)) })
    }

    /// The set as the flag i takes it. Done to what sets are made of, so that `[^a]` leaves out both of a and A.
    func caseless(_ set: ScalarSet) -> ScalarSet {
        flags.ignoresCase ? .caseless(set, isTurkic: comparison.locale == .turkic) : set
    }

    private mutating func repeats(of node: PatternNode, _ isRepeatable: Bool) throws(PatternError) -> PatternNode {
        guard let character = reader.peek(), !character.isQuoted else { return node }
        let bounds: (Int, Int?)
        switch Unicode.Scalar(character.scalar) {
        case "*": bounds = (0, nil)
        case "+": bounds = (1, nil)
        case "?": bounds = (0, 1)
        case "{": bounds = (0, 0)
        default: return node
        }
        guard isRepeatable else { throw PatternError(.nothingToRepeat, character.offset) }
        _ = reader.next()
        let (least, most) = character.is("{") ? try count(at: character.offset) : bounds
        // Whether a repeat is lazy makes no difference to what the whole of a text matches.
        if !reader.skip("?"), let sign = reader.peek(), sign.is("+") { throw PatternError(.possessive, sign.offset) }
        return .repeated(node, least: least, most: most)
    }

    /// `{n}`, `{n,}` or `{n,m}`, behind the brace.
    private mutating func count(at offset: Int) throws(PatternError) -> (Int, Int?) {
        guard let least = try number(at: offset) else { throw PatternError(.strayBrace, offset) }
        var most: Int? = least
        if reader.skip(",") { most = try number(at: offset) }
        guard reader.skip("}") else { throw PatternError(.strayBrace, offset) }
        if let most, most < least { throw PatternError(.badCount, offset) }
        return (least, most)
    }

    private mutating func number(at offset: Int) throws(PatternError) -> Int? {
        var number: Int?
        while let character = reader.peek(), !character.isQuoted, character.scalar &- 0x30 < 10 {
            _ = reader.next()
            let value = (number ?? 0) * 10 + Int(character.scalar - 0x30)
            guard value <= PatternLimits.count else { throw PatternError(.badCount, offset) }
            number = value
        }
        return number
    }

    /// Behind an opening parenthesis.
    private mutating func group(at offset: Int) throws(PatternError) -> (PatternNode, Bool) {
        let before = (flags, reader.skipsSpace)
        if reader.raw() == 0x3F {
            _ = reader.nextRaw()
            switch try groupKind(at: offset) {
            case .comment: return (.empty, false)
            case .flagsToTheEnd: return (.empty, false)
            case .group: break
            }
        }
        let node = try nested(at: offset) { parser throws(PatternError) in try parser.choice() }
        guard reader.skip(")") else { throw PatternError(.unbalancedParenthesis, offset) }
        (flags, reader.skipsSpace) = before
        return (node, true)
    }

    private enum GroupKind { case group, flagsToTheEnd, comment }

    /// Behind `(?`.
    private mutating func groupKind(at offset: Int) throws(PatternError) -> GroupKind {
        switch reader.raw().flatMap(Unicode.Scalar.init) {
        case ":":
            _ = reader.nextRaw()
            return .group
        case "#":
            while let scalar = reader.nextRaw() { if scalar == 0x29 { return .comment } }
            throw PatternError(.unbalancedParenthesis, offset)
        case "=", "!": throw PatternError(.lookAround, offset)
        case ">": throw PatternError(.atomicGroup, offset)
        case "<":
            if let ahead = reader.raw(1), ahead == 0x3D || ahead == 0x21 { throw PatternError(.lookAround, offset) }
            _ = reader.nextRaw()
            guard let name = reader.name(until: ">"), isGroupName(name) else {
                throw PatternError(.badGroupName, offset)
            }
            return .group
        default: return try flagLetters(at: offset)
        }
    }

    private func isGroupName(_ name: String) -> Bool {
        guard let first = name.utf8.first else { return false }
        let isLetter = { (byte: UInt8) in (byte | 0x20) &- 0x61 < 26 }
        return isLetter(first) && name.utf8.allSatisfy { isLetter($0) || $0 &- 0x30 < 10 }
    }

    /// `i-s)` or `i-s:`, behind `(?`.
    private mutating func flagLetters(at offset: Int) throws(PatternError) -> GroupKind {
        var isOn = true
        while true {
            let place = reader.offset
            switch reader.nextRaw().flatMap(Unicode.Scalar.init) {
            case "i": flags.ignoresCase = isOn
            case "m": flags.isMultiline = isOn
            case "s": flags.dotTakesAll = isOn
            case "x": reader.skipsSpace = isOn
            case "-" where isOn: isOn = false
            case "w", "d", "u": throw PatternError(.unsupported, place)
            case ":": return .group
            case ")": return .flagsToTheEnd
            case nil: throw PatternError(.unbalancedParenthesis, offset)
            default: throw PatternError(.unknownFlag, place)
            }
        }
    }
}
