/// A compiled pattern of `LIKE` or `MATCHES`. Matching takes time linear in the text for every pattern of `MATCHES`;
/// for `LIKE`, in the product of the text and the longest stretch between two `*`.
package struct Pattern: Sendable {
    /// Apart from the pattern, which is handed on more often than it is used.
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

    /// A regular expression in ICU's syntax, without what has to go back: see `PatternError.Code`.
    package static func matches(_ text: String, _ comparison: TextComparison) throws(PatternError) -> Pattern {
        var parser = PatternParser(text, comparison)
        let node = try parser.parse()
        let isTurkic = comparison.locale == .turkic
        let program = try PatternProgram(node, parser.letters, isTurkic: isTurkic, offset: text.utf8.count)
        let form = BitMatcher(program).map { Form.small($0, program) } ?? .large(program)
        return Pattern(form: form, comparison: comparison)
    }

    /// How many steps one scalar of a subject takes at most, but for sets above U+007F, which count their parts.
    package var size: Int {
        switch form {
        case .like(let pattern): pattern.size
        case .small(_, let program), .large(let program): 2 * program.instructions.count
        }
    }

    /// Whether the whole subject matches. Each step takes one from the fuel; when none is left, `outOfFuel` is thrown.
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
