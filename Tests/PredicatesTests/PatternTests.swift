import Testing

@testable import Predicates

/// Goal: `LIKE` and `MATCHES` say what ICU's and the guide's syntax means. Method: two tables, one row an expectation.
@Suite struct `Patterns` {
    static let wildcards = TextTable.rows("like.tsv")
    static let expressions = TextTable.rows("matches.tsv")

    @Test func `of LIKE follow every row of the table`() throws {
        #expect(Self.wildcards.count >= 200)
        for row in Self.wildcards {
            try #require(row.count == 4, "\(row)")
            var fuel = 100_000
            let holds = try Pattern.like(row[2], TextComparison(letters: row[0])).matches(row[3], fuel: &fuel)
            #expect((holds ? "yes" : "no") == row[1], "\(row)")
        }
    }

    @Test func `of MATCHES follow every row of the table`() throws {
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
    func `are refused for every reason there is, in a sentence`(code: PatternError.Code) {
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
    func `are refused at the place that is wrong`(text: String, offset: Int) throws {
        let error = try #require(throws: PatternError.self) { try Pattern.matches(text, TextComparison()) }
        #expect(error.offset == offset)
    }
}
