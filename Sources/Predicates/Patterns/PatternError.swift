/// Why a pattern is not accepted, or a match was not finished.
package struct PatternError: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// `\1`, `\k<name>`: the matcher never looks back at what a group held.
        case backReference
        /// `(?=`, `(?!`, `(?<=`, `(?<!`.
        case lookAround
        /// `a*+`, `a++`, `a?+`, `a{2}+`.
        case possessive
        /// `(?>`.
        case atomicGroup
        /// `\X`, `\N{…}` and flags that ICU has and this matcher does not.
        case unsupported
        /// A letter behind a backslash that means nothing.
        case unknownEscape
        /// `\x`, `\u`, `\U`, `\0` or `\c` without the digits it needs, or beyond what Unicode has.
        case badEscape
        case unknownProperty
        case unknownFlag
        /// A `(` without its `)`, or the reverse.
        case unbalancedParenthesis
        /// A `[` without its `]`.
        case unbalancedBracket
        /// `{` or `}` that is no count; as itself it needs a backslash.
        case strayBrace
        /// `{3,2}`, or a number too large to mean anything.
        case badCount
        /// `*`, `+`, `?` or a count with nothing before it.
        case nothingToRepeat
        /// `[z-a]`, `[a-\d]`.
        case badRange
        case badGroupName
        /// A backslash with nothing behind it.
        case unfinished
        case tooDeep
        case tooLarge
        case outOfFuel
    }

    package var code: Code
    /// Where in the pattern, in bytes of UTF-8 from its beginning.
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
        case .unknownProperty: "there is no property, category or script of this name"
        case .unknownFlag: "there is no such flag; there are i, m, s and x"
        case .unbalancedParenthesis: "this parenthesis has no partner"
        case .unbalancedBracket: "this set is not closed by a ]"
        case .strayBrace: "a brace that is no count needs a backslash before it"
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

/// What a pattern may be at most.
package enum PatternLimits {
    /// Groups within groups, sets within sets.
    package static let depth = 100
    /// The number in `{n}`.
    package static let count = 10_000
    /// Instructions of a compiled pattern, and parts of its sets.
    package static let instructions = 20_000
}
