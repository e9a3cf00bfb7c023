import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

@Suite(.callingThreads) struct `widget predicate` {
    @Test func `predicate prints what it understood, and the value when there is an object`() throws {
        let result = try Program.run([
            "predicate", "name contains[cd] 'x' and age>=18", "--object", #"{"name":"X","age":18}"#,
        ])
        #expect(result.output == "printed  name CONTAINS[cd] \"x\" AND age >= 18\nvalue    true\n")
        #expect(result.exitCode == 0)
    }

    @Test func `predicate evaluates without an object only what needs none`() throws {
        #expect(try Program.run(["predicate", "1 + 2 * 3"]).output == "printed  1 + (2 * 3)\nvalue    7\n")
        #expect(try Program.run(["predicate", "a == 1"]).output == "printed  a == 1\n")
    }

    @Test func `predicate draws the tree`() throws {
        let result = try Program.run(["predicate", "NOT (a = 1 OR b IN {2, 'x'})", "--tree"])
        #expect(
            result.output == """
                printed  NOT (a == 1 OR b IN {2, "x"})

                NOT
                └─ OR
                   ├─ ==
                   │  ├─ key path a
                   │  └─ number 1
                   └─ IN
                      ├─ key path b
                      └─ list of 2
                         ├─ number 2
                         └─ text "x"

                """)
    }

    @Test func `predicate prints the same facts as JSON`() throws {
        let result = try Program.run(["predicate", "a = 1", "--object", #"{"a":1}"#, "--json", "--tree"])
        #expect(
            result.output == """
                {"value":true,"printed":"a == 1","tree":[{"depth":0,"part":"==","offset":0,"length":5},\
                {"depth":1,"part":"key path a","offset":0,"length":1},\
                {"depth":1,"part":"number 1","offset":4,"length":1}]}

                """)
    }

    @Test func `predicate reports the place of an error and the likely intention`() throws {
        let result = try Program.run(["predicate", "name CONTAIN 'x'"])
        #expect(
            result.error
                == "error: byte 5: CONTAIN is not an operator; found `CONTAIN`; expected an operator or the end\nhint: did you mean CONTAINS?\n"
        )
        #expect(result.output.isEmpty)
        #expect(result.exitCode == 1)
        let json = try Program.run(["predicate", "name CONTAIN 'x'", "--json"])
        #expect(json.output.hasPrefix(#"{"error":{"code":"unknown-operator","#))
        #expect(json.exitCode == 1)
    }

    @Test(arguments: [["predicate"], ["predicate", "a", "--batch", "x"], ["predicate", "a", "--object", "{"]])
    func `predicate answers misuse with an error and a hint`(_ arguments: [String]) throws {
        let result = try Program.run(arguments)
        #expect(result.error.wholeMatch(of: /error: [^\n]+\n(hint: [^\n]+\n)+/) != nil)
        #expect(result.exitCode == 2)
    }

    @Test func `predicate answers each line of a batch, good or bad`() throws {
        let answers = try PredicateBatchRun.answers(to: [
            #"{"format":"a == 1","object":{"a":1}}"#, "nonsense", #"{"object":1}"#, #"{"format":5}"#,
            #"{"format":"a == %@","args":5}"#, #"{"format":"a == $x","variables":[]}"#, "[]",
            #"{"expression":"1 + 1","id":7}"#, #"{"format":"a == $x","object":{"a":1},"variables":{"$x":1}}"#,
        ])
        let codes = answers.map { answer in
            answer.firstMatch(of: /"code":"([a-z-]+)"/).map { String($0.1) } ?? "fine"
        }
        #expect(
            codes == [
                "fine", "bad-request", "bad-request", "bad-request", "bad-request", "bad-request", "bad-request",
                "fine", "fine",
            ])
    }

    @Test func `predicate refuses a hundred thousand parentheses`() throws {
        let text = String(repeating: "(", count: 100_000) + "a == 1" + String(repeating: ")", count: 100_000)
        let answers = try PredicateBatchRun.answers(to: [#"{"format":"\#(text)"}"#])
        #expect(answers[0].contains(#""code":"nesting-limit""#))
    }

    @Test func `predicate names the batch file that is missing`() throws {
        let result = try Program.run(["predicate", "--batch", "/nonexistent.jsonl"])
        #expect(result.error.contains("could not open /nonexistent.jsonl"))
        #expect(result.exitCode == 1)
    }
}

/// Goal: the page about the language is true. Method: the program is run with each of its examples.
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

    @Test func `The page shows the real results of its examples`() throws {
        var examples = Self.examples(in: "predicate", dividedBy: " → ")
        try #require(examples.count > 200)
        let asPredicates = try PredicateBatchRun.answers(to: examples.map(\.0.question))
        for index in examples.indices { examples[index].0.isExpression = true }
        let asExpressions = try PredicateBatchRun.answers(to: examples.map(\.0.question))
        for (index, (one, value)) in examples.enumerated() {
            // A text that is not a predicate is an expression.
            let isExpression = asPredicates[index].contains("\"code\":\"not-a-predicate\"")
            let answer = isExpression ? asExpressions[index] : asPredicates[index]
            #expect(answer.hasPrefix("{\"value\":\(value),"), "\(one.text) → \(value): \(answer)")
        }
    }

    @Test func `The page shows the real refusals of its examples`() throws {
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

    @Test func `The page shows how predicates are printed`() throws {
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

    @Test func `The page links to headings that exist`() {
        let headings = Set(
            Self.text.matches(of: /(?m)^## (.+)$/).map { heading in
                heading.1.lowercased().filter { $0.isLetter || $0 == " " }.replacingOccurrences(of: " ", with: "-")
            })
        let links = Set(Self.text.matches(of: /\]\(#([a-z-]+)\)/).map { String($0.1) })
        #expect(links.subtracting(headings).isEmpty)
    }
}
