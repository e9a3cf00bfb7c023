import Foundation
import TestSupport
import Testing

@Suite struct `widget predicate` {
    @Test func `prints what it understood, and the value when there is an object`() throws {
        let result = try Program.run([
            "predicate", "name contains[cd] 'x' and age>=18", "--object", #"{"name":"X","age":18}"#,
        ])
        #expect(result.output == "printed  name CONTAINS[cd] \"x\" AND age >= 18\nvalue    true\n")
        #expect(result.exitCode == 0)
    }

    @Test func `evaluates what reads from no object, and only prints what does`() throws {
        #expect(try Program.run(["predicate", "1 + 2 * 3"]).output == "printed  1 + (2 * 3)\nvalue    7\n")
        #expect(try Program.run(["predicate", "a == 1"]).output == "printed  a == 1\n")
    }

    @Test func `draws the tree`() throws {
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

    @Test func `says the same as JSON`() throws {
        let result = try Program.run(["predicate", "a = 1", "--object", #"{"a":1}"#, "--json", "--tree"])
        #expect(
            result.output == """
                {"value":true,"printed":"a == 1","tree":[{"depth":0,"part":"==","offset":0,"length":5},\
                {"depth":1,"part":"key path a","offset":0,"length":1},\
                {"depth":1,"part":"number 1","offset":4,"length":1}]}

                """)
    }

    @Test func `says where a text is wrong and what was probably meant`() throws {
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
    func `answers misuse with an error and a hint`(_ arguments: [String]) throws {
        let result = try Program.run(arguments)
        #expect(result.error.wholeMatch(of: /error: [^\n]+\n(hint: [^\n]+\n)+/) != nil)
        #expect(result.exitCode == 2)
    }

    @Test func `answers each line of a batch, good or bad`() throws {
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

    @Test func `refuses a hundred thousand parentheses`() throws {
        let text = String(repeating: "(", count: 100_000) + "a == 1" + String(repeating: ")", count: 100_000)
        let answers = try PredicateBatchRun.answers(to: [#"{"format":"\#(text)"}"#])
        #expect(answers[0].contains(#""code":"nesting-limit""#))
    }

    @Test func `says which batch file is missing`() throws {
        let result = try Program.run(["predicate", "--batch", "/nonexistent.jsonl"])
        #expect(result.error.contains("could not open /nonexistent.jsonl"))
        #expect(result.exitCode == 1)
    }
}
