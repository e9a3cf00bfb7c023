import Testing

@testable import WidgetPredicates

/// Goal: `LIKE` and `MATCHES` say what ICU's and the guide's syntax means. Method: two tables, one row an expectation.
@Suite struct `Patterns` {
    static let wildcards = TextTable.rows("like.tsv")
    static let expressions = TextTable.rows("matches.tsv")

    @Test func `Patterns of LIKE follow every row of the table`() throws {
        #expect(Self.wildcards.count >= 200)
        for row in Self.wildcards {
            try #require(row.count == 4, "\(row)")
            var fuel = 100_000
            let holds = try Pattern.like(row[2], TextComparison(letters: row[0])).matches(row[3], fuel: &fuel)
            #expect((holds ? "yes" : "no") == row[1], "\(row)")
        }
    }

    @Test func `Patterns of MATCHES follow every row of the table`() throws {
        #expect(Self.expressions.count >= 800)
        for row in Self.expressions {
            try #require(row.count == 4, "\(row)")
            #expect(answer(row[2], row[3], row[0]) == row[1], "\(row)")
        }
    }

    private func answer(_ text: String, _ subject: String, _ letters: String) -> String {
        var fuel = 100_000
        do {
            let pattern = try Pattern.matches(text, TextComparison(letters: letters))
            return try pattern.matches(subject, fuel: &fuel) ? "yes" : "no"
        } catch {
            return error.code.rawValue
        }
    }

    @Test(arguments: PatternError.Code.allCases)
    func `Patterns are refused for every reason, with a sentence`(code: PatternError.Code) {
        let isInTable = Self.expressions.contains { $0[1] == code.rawValue }
        #expect(isInTable || code == .outOfFuel)
        let sentence = PatternError(code, 0).description
        #expect(sentence.count > 20 && !sentence.hasSuffix("."))
    }

    @Test(arguments: [
        ("ab(?=c)", 2), ("é(?<=x)", 2), ("ab\\1", 2), ("a++", 2), ("x(?>a)", 1), ("ab[c", 2), ("a{3,2}", 1),
        ("ab*?*", 4),
        ("[a-c]\\p{Nope}", 5), ("(a", 0), ("a)", 1), ("\\", 0), ("[z-a]", 1), ("a(?i-y)", 5),
    ])
    func `Patterns are refused at the place of the fault`(text: String, offset: Int) throws {
        let error = try #require(throws: PatternError.self) { try Pattern.matches(text, TextComparison()) }
        #expect(error.offset == offset)
    }
}

/// Goal: no pattern and no subject make a match take longer than their sizes together. Method: patterns that have
/// brought other matchers down, with steps counted instead of time.
@Suite struct `The cost of a pattern` {
    /// A pattern, what its subject repeats, and what ends it.
    static let patterns = TextTable.rows("costly.tsv")

    @Test(arguments: patterns)
    func `The cost of a pattern is at most its size for each scalar`(row: [String]) throws {
        let subject = String(repeating: row[1], count: 5_000) + row[2]
        let pattern = try Pattern.matches(row[0], TextComparison())
        let most = (subject.unicodeScalars.count + 1) * pattern.size
        var fuel = most
        #expect(try !pattern.matches(subject, fuel: &fuel))
        #expect(fuel < most, "nothing was counted")
    }

    @Test func `The cost is counted on at least thirty patterns`() {
        #expect(Self.patterns.count >= 30)
    }

    @Test(arguments: ["*a*a*a*a*a*a*a*a*b", "*a?a?a?a?b", "a*a*a*a*a*a*a*a*a*b", "*?*?*?*?*?*b", "*aaaaaaaaaaaaaaaab"])
    func `The cost of a pattern with wildcards is bounded too`(text: String) throws {
        let subject = String(repeating: "a", count: 10_000)
        let pattern = Pattern.like(text, TextComparison())
        var fuel = (subject.count + 1) * pattern.size
        #expect(try !pattern.matches(subject, fuel: &fuel))
    }

    @Test func `A match ends when the fuel is used up`() throws {
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

    @Test func `The cost of making a pattern is bounded`() throws {
        // Each pattern would have millions of instructions if counts were expanded without a limit.
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
