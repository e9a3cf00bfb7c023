/// A compiled pattern of `LIKE` or `MATCHES`. Matching takes time linear in the text for every pattern of `MATCHES`;
/// for `LIKE`, in the product of the text and the longest stretch between two `*`.
package struct Pattern: Sendable {
    /// Boxed, because the pattern is passed on more often than it is used.
    private indirect enum Form: Sendable {
        case like(LikePattern)
        case small(BitMatcher, PatternProgram)
        case large(PatternProgram)
    }

    private let form: Form
    private let comparison: TextComparison

    /// Wildcards: every text is a pattern.
    package static func like(_ text: String, _ comparison: TextComparison) -> Pattern {
        Pattern(form: .like(LikePattern(text, comparison)), comparison: comparison)
    }

    /// A regular expression in ICU's syntax, without the parts that need backtracking: see `PatternError.Code`.
    package static func matches(_ text: String, _ comparison: TextComparison) throws(PatternError) -> Pattern {
        var parser = PatternParser(text, comparison)
        let node = try parser.parse()
        let isTurkic = comparison.locale == .turkic
        let program = try PatternProgram(node, parser.letters, isTurkic: isTurkic, offset: text.utf8.count)
        let form = BitMatcher(program).map { Form.small($0, program) } ?? .large(program)
        return Pattern(form: form, comparison: comparison)
    }

    /// The most steps that one scalar of a subject costs. Sets above U+007F cost one more step per part.
    package var size: Int {
        switch form {
        case .like(let pattern): pattern.size
        case .small(_, let program), .large(let program): 2 * program.instructions.count
        }
    }

    /// True if the whole subject matches. Each step costs one unit of fuel.
    ///
    /// - Throws: `outOfFuel` when the fuel is used up.
    package func matches(_ subject: String, fuel: inout Int) throws(PatternError) -> Bool {
        if case .like(let pattern) = form { return try pattern.matches(subject, fuel: &fuel) }
        fuel -= 1
        let text = comparison.ignoresDiacritics ? AccentStripping.stripped(subject) : subject
        switch form {
        case .like(let pattern): return try pattern.matches(text, fuel: &fuel)
        case .small(let matcher, let program):
            if let answer = try matcher.matches(text, fuel: &fuel) { return answer }
            return try ThreadMatcher.matches(program, text, fuel: &fuel)
        case .large(let program): return try ThreadMatcher.matches(program, text, fuel: &fuel)
        }
    }
}

/// A pattern of `LIKE`: `*` matches any characters, `?` matches one, and a backslash escapes them.
///
/// Texts are compared as `==` compares them, and a character is a scalar with the marks on it.
struct LikePattern: Sendable {
    private enum Token: Hashable, Sendable {
        case one
        case any
        case entry(UInt32)
    }

    private let tokens: [Token]
    private let comparison: TextComparison

    init(_ text: String, _ comparison: TextComparison) {
        self.comparison = comparison
        var tokens: [Token] = []
        var piece = String.UnicodeScalarView()
        func finish() {
            tokens += FoldedText(String(piece), comparison).entries.map { .entry($0 & FoldTable.scalar) }
            piece = String.UnicodeScalarView()
        }
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "*" where !isEscaped:
                finish()
                if tokens.last != .any { tokens.append(.any) }
            case "?" where !isEscaped:
                finish()
                tokens.append(.one)
            default: piece.append(scalar)
            }
            isEscaped = false
        }
        // A backslash at the end has nothing to escape: it is a plain backslash.
        if isEscaped { piece.append("\\") }
        finish()
        self.tokens = tokens
    }

    /// The number of tokens plus one.
    var size: Int { tokens.count + 1 }

    /// True if the pattern matches the whole text. When a later part fails, only the last `*` takes more: the parts
    /// before it have already matched as early as they can.
    func matches(_ text: String, fuel: inout Int) throws(PatternError) -> Bool {
        let entries = FoldedText(text, comparison).entries
        var place = 0
        var token = 0
        var retry: (place: Int, token: Int)?
        while true {
            fuel -= 1
            if fuel < 0 { throw PatternError(.outOfFuel, 0) }
            if token < tokens.count, tokens[token] == .any, isEdge(place, entries) {
                token += 1
                if token == tokens.count { return true }
                retry = (place, token)
            } else if token < tokens.count, let end = end(of: tokens[token], at: place, entries) {
                place = end
                token += 1
            } else if token == tokens.count, place == entries.count {
                return true
            } else if let last = retry, last.place < entries.count {
                var next = last.place + 1
                while !isEdge(next, entries) { next += 1 }
                retry = (next, last.token)
                (place, token) = (next, last.token)
            } else {
                return false
            }
        }
    }

    /// The end of the token's match at this place, or `nil`.
    private func end(of token: Token, at place: Int, _ entries: [UInt32]) -> Int? {
        guard place < entries.count else { return nil }
        switch token {
        case .any: return nil
        case .entry(let entry): return entries[place] & FoldTable.scalar == entry ? place + 1 : nil
        case .one:
            guard isEdge(place, entries) else { return nil }
            var end = place + 1
            while !isEdge(end, entries) { end += 1 }
            return end
        }
    }

    private func isEdge(_ place: Int, _ entries: [UInt32]) -> Bool {
        place == 0 || place >= entries.count || entries[place] & (FoldTable.mark | FoldTable.joined) == 0
    }
}

/// The reason that a pattern is refused, or that a match was not finished.
package struct PatternError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// `\1`, `\k<name>`: the matcher does not store the text of groups.
        case backReference
        /// `(?=`, `(?!`, `(?<=`, `(?<!`.
        case lookAround
        /// `a*+`, `a++`, `a?+`, `a{2}+`.
        case possessive
        /// `(?>`.
        case atomicGroup
        /// `\X`, `\N{…}` and flags that ICU has and this matcher does not.
        case unsupported
        /// A backslash before a letter that is not an escape.
        case unknownEscape
        /// `\x`, `\u`, `\U`, `\0` or `\c` without the digits it needs, or beyond what Unicode has.
        case badEscape
        case unknownProperty
        case unknownFlag
        /// A `(` without its `)`, or the reverse.
        case unbalancedParenthesis
        /// A `[` without its `]`.
        case unbalancedBracket
        /// A `{` or `}` that does not belong to a count. A literal brace needs a backslash.
        case strayBrace
        /// `{3,2}`, or a number too large to mean anything.
        case badCount
        /// `*`, `+`, `?` or a count with nothing before it.
        case nothingToRepeat
        /// `[z-a]`, `[a-\d]`.
        case badRange
        case badGroupName
        /// A backslash at the end.
        case unfinished
        case tooDeep
        case tooLarge
        case outOfFuel
    }

    package var code: Code
    /// The place in the pattern, in bytes of UTF-8 from its beginning.
    package var offset: Int

    init(_ code: Code, _ offset: Int) {
        self.code = code
        self.offset = offset
    }
}

extension PatternError: CustomStringConvertible {
    /// One sentence for the author of the pattern, without the place.
    package var description: String {
        switch code {
        case .backReference: "a pattern cannot refer back to what a group matched; write the alternatives out"
        case .lookAround: "a pattern cannot look ahead or behind; combine two comparisons with AND or NOT"
        case .possessive: "possessive repeats (*+ ++ ?+) are not available; leave out the second +"
        case .atomicGroup: "atomic groups (?>…) are not available; write (?:…)"
        case .unsupported: "this construct is not available in patterns"
        case .unknownEscape: "this letter means nothing behind a backslash; a letter itself needs none"
        case .badEscape: "this escape needs hexadecimal digits of one Unicode scalar"
        case .unknownProperty: "no property, category or script has this name"
        case .unknownFlag: "unknown flag; the flags are i, m, s and x"
        case .unbalancedParenthesis: "this parenthesis has no partner"
        case .unbalancedBracket: "this set is not closed by a ]"
        case .strayBrace: "a literal brace needs a backslash before it"
        case .badCount: "a count is written {2}, {2,} or {2,5}, with at most \(PatternLimits.count)"
        case .nothingToRepeat: "there is nothing before this to repeat"
        case .badRange: "a range in a set goes from a lower character to a higher one"
        case .badGroupName: "a group's name is letters and digits, closed by >"
        case .unfinished: "a backslash needs a character behind it"
        case .tooDeep: "groups and sets are nested more than \(PatternLimits.depth) deep"
        case .tooLarge: "with its counts written out the pattern has more than \(PatternLimits.instructions) steps"
        case .outOfFuel: "the match took more steps than it was allowed"
        }
    }
}

/// The limits on a pattern.
package enum PatternLimits {
    /// Groups within groups, sets within sets.
    package static let depth = 100
    /// The number in `{n}`.
    package static let count = 10_000
    /// The size of a compiled pattern: its instructions, and the parts of its sets.
    package static let instructions = 20_000
}
