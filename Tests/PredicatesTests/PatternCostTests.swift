import Testing

@testable import Predicates

/// Goal: no pattern and no subject make a match take longer than their sizes together. Method: patterns that have brought
/// other matchers down, with steps counted instead of time.
@Suite struct `The cost of a pattern` {
    /// A pattern, what its subject repeats, and what ends it.
    static let patterns = TextTable.rows("costly.tsv")

    @Test(arguments: patterns)
    func `is at most its size for each scalar`(row: [String]) throws {
        let subject = String(repeating: row[1], count: 5_000) + row[2]
        let pattern = try Pattern.matches(row[0], TextComparison())
        let most = (subject.unicodeScalars.count + 1) * pattern.size
        var fuel = most
        #expect(try !pattern.matches(subject, fuel: &fuel))
        #expect(fuel < most, "nothing was counted")
    }

    @Test func `is counted on at least thirty such patterns`() {
        #expect(Self.patterns.count >= 30)
    }

    @Test(arguments: ["*a*a*a*a*a*a*a*a*b", "*a?a?a?a?b", "a*a*a*a*a*a*a*a*a*b", "*?*?*?*?*?*b", "*aaaaaaaaaaaaaaaab"])
    func `is bounded for wildcards too`(text: String) throws {
        let subject = String(repeating: "a", count: 10_000)
        let pattern = Pattern.like(text, TextComparison())
        var fuel = (subject.count + 1) * pattern.size
        #expect(try !pattern.matches(subject, fuel: &fuel))
    }

    @Test func `ends a match when the fuel is used up`() throws {
        let subject = String(repeating: "a", count: 1_000)
        for pattern in [
            try Pattern.matches("(a|b)*", TextComparison()), try Pattern.matches("(a|\\b)*", TextComparison()),
            .like("*ab*c", TextComparison()),
        ] {
            var fuel = 10
            let error = #expect(throws: PatternError.self) { try pattern.matches(subject + "b", fuel: &fuel) }
            #expect(error?.code == .outOfFuel)
        }
    }

    @Test func `is bounded when the pattern is made`() throws {
        // Each would be millions of steps if counts were written out without looking.
        for text in ["(((((){1000}){1000}){1000}){1000}){1000}", "((){0,1000}){0,1000}"] {
            var fuel = 10_000
            #expect(try Pattern.matches(text, TextComparison()).matches("", fuel: &fuel))
        }
        for text in [
            "((a{1000}){1000}){1000}", "(a{0,9999}){3}", "((((){0,1000}){0,1000}){0,1000})*",
            String(repeating: "a", count: 30_000),
        ] {
            let error = #expect(throws: PatternError.self) { try Pattern.matches(text, TextComparison()) }
            #expect(error?.code == .tooLarge)
        }
        for text in [
            String(repeating: "(", count: 100_000), String(repeating: "[", count: 100_000),
            String(repeating: "(?i:", count: 100_000),
        ] {
            let error = #expect(throws: PatternError.self) { try Pattern.matches(text, TextComparison()) }
            #expect(error?.code == .tooDeep)
        }
    }
}
