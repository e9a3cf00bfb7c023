internal import WidgetBytes

/// Parses ICU's regular expressions, without the parts that need backtracking.
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
    /// The letters; `PatternNode.letter` holds an index of this array.
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

    /// One part of a sequence, and true if a repeat may follow.
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

    /// The set under the flag i. It is applied to the members of a set, so that `[^a]` excludes both a and A.
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
            let value = (number ?? 0) * 10 + Int(truncatingIfNeeded: character.scalar &- 0x30)
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

    /// The single scalar that an escape denotes.
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
            // Escapes of other letters are reserved; any other escaped scalar is literal.
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
            // At most eight hexadecimal digits; the first may exceed the range.
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

/// `[…]`: `--` is difference, `&&` (tighter) intersection, juxtaposition (tightest) union. Between two sets in brackets a
/// single `-` or `&` does the same.
extension PatternParser {
    /// Behind the opening bracket.
    mutating func set(at offset: Int) throws(PatternError) -> ScalarSet {
        if reader.peek()?.is(":") == true, let set = try posixSet() { return set }
        let isNegated = reader.skip("^")
        var set = try intersections(at: offset, isFirst: true)
        while skipTwice("-") { set = set.subtracting(try intersections(at: offset, isFirst: false)) }
        guard reader.skip("]") else { throw PatternError(.unbalancedBracket, offset) }
        return isNegated ? .complement(set) : set
    }

    private mutating func intersections(at offset: Int, isFirst: Bool) throws(PatternError) -> ScalarSet {
        var set = try members(at: offset, isFirst: isFirst)
        while skipTwice("&") { set = set.intersecting(try members(at: offset, isFirst: false)) }
        return set
    }

    private mutating func skipTwice(_ letter: Unicode.Scalar) -> Bool {
        guard isDouble(letter) else { return false }
        return reader.skip(letter) && reader.skip(letter)
    }

    private mutating func isDouble(_ letter: Unicode.Scalar) -> Bool {
        guard let first = reader.peek(), first.is(letter) else { return false }
        return reader.raw(1) == letter.value
    }

    /// Characters, ranges and sets, up to `--`, `&&` or the closing bracket.
    private mutating func members(at offset: Int, isFirst: Bool) throws(PatternError) -> ScalarSet {
        var ranges: [ClosedRange<UInt32>] = []
        var sets: [ScalarSet] = []
        var isFirst = isFirst
        var followsBrackets = false
        while let character = reader.peek() {
            defer { isFirst = false }
            if character.is("]"), !isFirst { break }
            if !isFirst, isDouble("-") || isDouble("&") { break }
            if followsBrackets, character.is("-") || character.is("&"), reader.raw(1) == 0x5B {
                let takesAway = reader.skip("-")
                if !takesAway { _ = reader.skip("&") }
                guard let bracket = reader.next(), let last = sets.popLast() else { break }
                let other = try bracketed(at: bracket.offset)
                sets.append(takesAway ? last.subtracting(other) : last.intersecting(other))
                continue
            }
            followsBrackets = false
            if character.is("[") {
                _ = reader.next()
                sets.append(try bracketed(at: character.offset))
                followsBrackets = true
            } else if let set = try member(&ranges, character.offset) {
                sets.append(set)
            }
        }
        if sets.isEmpty { return caseless(ScalarSet(ranges)) }
        return ranges.isEmpty && sets.count == 1 ? sets[0] : .union([caseless(ScalarSet(ranges))] + sets)
    }

    private mutating func bracketed(at offset: Int) throws(PatternError) -> ScalarSet {
        try nested(at: offset) { parser throws(PatternError) in try parser.set(at: offset) }
    }

    /// A character or a range, which is added, or the set that an escape names.
    private mutating func member(
        _ ranges: inout [ClosedRange<UInt32>], _ offset: Int
    ) throws(PatternError) -> ScalarSet? {
        guard let first = reader.next() else { return nil }
        if first.is("\\"), let set = try setEscape(at: offset) { return set }
        let lower = first.is("\\") ? try scalarEscape(at: offset) : first.scalar
        guard let dash = reader.peek(), dash.is("-"), let ahead = reader.raw(1), ahead != 0x5D, ahead != 0x2D,
            ahead != 0x5B
        else {
            add(lower, lower, to: &ranges)
            return nil
        }
        _ = reader.next()
        guard let last = reader.next() else { throw PatternError(.unbalancedBracket, offset) }
        if last.is("\\"), try setEscape(at: last.offset) != nil { throw PatternError(.badRange, offset) }
        let upper = last.is("\\") ? try scalarEscape(at: last.offset) : last.scalar
        guard lower <= upper else { throw PatternError(.badRange, offset) }
        add(lower, upper, to: &ranges)
        return nil
    }

    private func add(_ lower: UInt32, _ upper: UInt32, to ranges: inout [ClosedRange<UInt32>]) {
        guard comparison.ignoresDiacritics else {
            ranges.append(lower...upper)
            return
        }
        // Letters lose their accents in the subject, so they do here; what lies between two of them stays.
        let low = AccentStripping.stripped(lower) ?? lower
        let high = AccentStripping.stripped(upper) ?? upper
        ranges.append(min(low, high)...max(low, high))
        if lower != upper { ranges.append(lower...upper) }
    }

    /// `[:name:]` behind its first bracket, or nil if this is a set that begins with a colon.
    private mutating func posixSet() throws(PatternError) -> ScalarSet? {
        let start = reader
        let offset = reader.offset
        _ = reader.nextRaw()
        guard var name = reader.name(until: ":"), reader.raw() == 0x5D, !name.contains("]") else {
            reader = start
            return nil
        }
        _ = reader.nextRaw()
        let isNegated = name.first == "^"
        if isNegated { name.removeFirst() }
        guard let set = ScalarSet(named: name).map(caseless) else { throw PatternError(.unknownProperty, offset) }
        return isNegated ? .complement(set) : set
    }
}
