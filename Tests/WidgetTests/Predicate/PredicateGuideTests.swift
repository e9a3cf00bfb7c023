import Foundation
import TestSupport
import Testing

/// Goal: the page about the language is true. Method: each of its examples is asked of the program.
@Suite struct `The page about predicates` {
    private static let text: String = {
        let url = URL(filePath: "\(Corpus.repositoryRoot)/docs/predicates.md")
        return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    }()

    /// The examples of one kind of block, under the object, variables and arguments given last.
    private static func examples(in block: String, dividedBy divider: String) -> [(PredicateCase, String)] {
        var examples: [(PredicateCase, String)] = []
        var given: [String: String] = [:]
        for match in text.matches(of: /(?ms)^```([^\n]*)\n(.*?)^```/) {
            let kind = String(match.1)
            if kind.hasPrefix("json ") { given[String(kind.dropFirst(5))] = match.2.split(separator: "\n").joined() }
            guard kind == block else { continue }
            for line in match.2.split(separator: "\n") {
                let parts = line.components(separatedBy: divider)
                guard parts.count == 2 else { continue }
                let one = PredicateCase(
                    clause: "", text: parts[0], object: given["object"], arguments: given["args"],
                    variables: given["variables"], expectation: .value(""))
                examples.append((one, parts[1]))
            }
        }
        return examples
    }

    @Test func `shows what comes out`() throws {
        var examples = Self.examples(in: "predicate", dividedBy: " → ")
        try #require(examples.count > 200)
        let asPredicates = try PredicateBatchRun.answers(to: examples.map(\.0.question))
        for index in examples.indices { examples[index].0.isExpression = true }
        let asExpressions = try PredicateBatchRun.answers(to: examples.map(\.0.question))
        for (index, (one, value)) in examples.enumerated() {
            // What is no predicate is an expression.
            let isExpression = asPredicates[index].contains("\"code\":\"not-a-predicate\"")
            let answer = isExpression ? asExpressions[index] : asPredicates[index]
            #expect(answer.hasPrefix("{\"value\":\(value),"), "\(one.text) → \(value): \(answer)")
        }
    }

    @Test func `shows what is refused`() throws {
        var examples = Self.examples(in: "predicate", dividedBy: " ✗ ")
        try #require(examples.count >= 30)
        let asPredicates = try PredicateBatchRun.answers(to: examples.map(\.0.question))
        for index in examples.indices { examples[index].0.isExpression = true }
        let asExpressions = try PredicateBatchRun.answers(to: examples.map(\.0.question))
        for (index, (one, code)) in examples.enumerated() {
            let marks = [asPredicates[index], asExpressions[index]].filter { $0.contains("\"code\":\"\(code)\"") }
            #expect(!marks.isEmpty, "\(one.text) ✗ \(code): \(asPredicates[index])")
        }
    }

    @Test func `shows how predicates are printed`() throws {
        var given = Self.examples(in: "prints", dividedBy: " → ")
        try #require(given.count > 5)
        for index in given.indices { given[index].0.object = "{\"a\": 1, \"b\": 2, \"c\": 3, \"d\": {\"$date\": 0}}" }
        for index in given.indices where given[index].0.text.contains("(c * d)") {
            given[index].0.object = "{\"a\": 1, \"b\": 2, \"c\": 3, \"d\": 4}"
        }
        let answers = try PredicateBatchRun.answers(to: given.map(\.0.question))
        for (index, (one, printed)) in given.enumerated() {
            #expect(PredicateBatchRun.printed(in: answers[index]) == printed, "\(one.text): \(answers[index])")
        }
    }

    @Test func `links to headings that exist`() {
        let headings = Set(
            Self.text.matches(of: /(?m)^## (.+)$/).map { heading in
                heading.1.lowercased().filter { $0.isLetter || $0 == " " }.replacingOccurrences(of: " ", with: "-")
            })
        let links = Set(Self.text.matches(of: /\]\(#([a-z-]+)\)/).map { String($0.1) })
        #expect(links.subtracting(headings).isEmpty)
    }
}
