import CommandSupport
import Foundation
import Testing
import WidgetTestSupport

/// Goal: every clause of the language, every kind of value and every error code is right. Method: tables of cases, sent
/// to the program as another program would send them.
@Suite(.callingThreads) struct `The tables of predicates` {
    static let tables = Corpus.files(in: "predicates").filter { $0.name.hasSuffix(".txt") }

    @Test(arguments: tables)
    func `The program agrees with every row of the tables`(_ table: Corpus) throws {
        let cases = PredicateCase.cases(in: String(decoding: table.bytes, as: UTF8.self))
        try #require(!cases.isEmpty)
        let answers = try PredicateBatchRun.answers(to: cases.map(\.question))
        try #require(answers.count == cases.count)
        for (one, answer) in zip(cases, answers) {
            if let complaint = one.complaint(about: answer) {
                Issue.record("\(one.clause): \(one.text): \(complaint)")
            }
        }
    }

    @Test func `The tables have many rows, each once`() {
        let questions = Self.tables.flatMap { PredicateCase.cases(in: String(decoding: $0.bytes, as: UTF8.self)) }
            .map(\.question)
        #expect(questions.count >= 1_500)
        #expect(Set(questions).count > questions.count - questions.count / 20)
    }

    @Test func `Printed predicates read back as the same`() throws {
        let cases = Self.tables.flatMap { PredicateCase.cases(in: String(decoding: $0.bytes, as: UTF8.self)) }
        let first = try PredicateBatchRun.answers(to: cases.map(\.question))
        var again: [PredicateCase] = []
        var printed: [String] = []
        for (one, answer) in zip(cases, first) {
            guard let text = PredicateBatchRun.printed(in: answer), !text.contains("%") else { continue }
            var next = one
            (next.text, next.arguments) = (text, nil)
            again.append(next)
            printed.append(answer)
        }
        try #require(again.count > 1_000)
        let second = try PredicateBatchRun.answers(to: again.map(\.question))
        for (index, answer) in second.enumerated() where !again[index].text.contains("random:") {
            #expect(answer == printed[index])
        }
    }

    @Test func `The tables cover every error code that JSON can cause`() {
        let codes = Self.tables.flatMap { PredicateCase.cases(in: String(decoding: $0.bytes, as: UTF8.self)) }
            .compactMap { if case .error(let code, _) = $0.expectation { code } else { nil } }
        #expect(Set(codes).count >= 24)
    }
}

/// The program, asked many questions at once.
enum PredicateBatchRun {
    static func answers(to questions: [String]) throws -> [String] {
        let folder = try Folder()
        let path = try folder.write("questions.jsonl", Array((questions.joined(separator: "\n") + "\n").utf8))
        let result = try Program.run(["predicate", "--batch", path, "--json"])
        try #require(result.exitCode == 0, "\(result.error)")
        return result.output.split(separator: "\n").map(String.init)
    }

    static func printed(in answer: String) -> String? {
        let object = try? JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
        return object?["printed"] as? String
    }
}

/// One question to `widget predicate --batch`, and what must come back.
struct PredicateCase {
    enum Expectation: Equatable {
        /// The value as the program writes it.
        case value(String)
        case printed(String)
        case error(code: String, offset: Int)
    }

    /// The subject of a case: the heading above it.
    var clause: String
    var text: String
    var isExpression = false
    var object: String?
    var arguments: String?
    var variables: String?
    var expectation: Expectation

    /// The line that asks.
    var question: String {
        var members = ["\"\(isExpression ? "expression" : "format")\":\(PredicateCase.quoted(text))"]
        if let object { members.append("\"object\":\(object)") }
        if let arguments { members.append("\"args\":\(arguments)") }
        if let variables { members.append("\"variables\":\(variables)") }
        return "{\(members.joined(separator: ","))}"
    }

    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{0}"..<"\u{20}":
                quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// The error in an answer; `nil` for a right one.
    func complaint(about answer: String) -> String? {
        switch expectation {
        case .value(let value):
            answer.hasPrefix("{\"value\":\(value),\"printed\":") ? nil : "expected \(value), got \(answer)"
        case .printed(let printed):
            answer.hasSuffix(",\"printed\":\(PredicateCase.quoted(printed))}")
                ? nil : "expected \(printed), got \(answer)"
        case .error(let code, let offset):
            answer.hasPrefix("{\"error\":{\"code\":\"\(code)\",") && answer.contains(",\"offset\":\(offset),")
                ? nil : "expected \(code) at \(offset), got \(answer)"
        }
    }
}

extension PredicateCase {
    /// The cases of a table; see `Tests/Corpus/predicates/README.md`.
    static func cases(in table: String) -> [PredicateCase] {
        var cases: [PredicateCase] = []
        var (clause, object, arguments, variables): (String, String?, String?, String?) = ("", nil, nil, nil)
        for line in table.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            let (word, rest) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            func add(_ text: String, isExpression: Bool = false, _ expectation: Expectation) {
                cases.append(
                    PredicateCase(
                        clause: clause, text: text, isExpression: isExpression, object: object, arguments: arguments,
                        variables: variables, expectation: expectation))
            }
            switch word {
            case "==": (clause, object, arguments, variables) = (rest, nil, nil, nil)
            case "object": object = rest
            case "args": arguments = rest
            case "vars": variables = rest
            case "+": add(rest, .value("true"))
            case "-": add(rest, .value("false"))
            case ":":
                let (text, value) = split(rest)
                add(text, isExpression: true, .value(value))
            case "#":
                let (text, printed) = split(rest)
                add(text, .printed(printed))
            case "!", ":!":
                let parts = rest.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
                add(
                    String(parts[2]), isExpression: word == ":!",
                    .error(code: String(parts[0]), offset: Int(parts[1]) ?? -1))
            case "~":
                for (text, expectation) in orders(rest) { add(text, expectation) }
            case _ where word.hasPrefix("t"):
                for (text, expectation) in texts(rest, options: String(word.dropFirst())) { add(text, expectation) }
            default: add(String(line), .error(code: "a line that the table does not know", offset: 0))
            }
        }
        return cases
    }

    /// The last arrow divides, since `=>` is an operator too.
    private static func split(_ text: String) -> (String, String) {
        guard let arrow = text.range(of: " => ", options: .backwards) else { return (text, "") }
        return (String(text[..<arrow.lowerBound]), String(text[arrow.upperBound...]))
    }

    private static func columns(_ text: String) -> (left: String, right: String, marks: Set<String>) {
        let columns = text.components(separatedBy: " |").map { $0.trimmingCharacters(in: .whitespaces) }
        guard columns.count == 3 else { return (text, "", ["a line of three columns"]) }
        return (columns[0], columns[1], Set(columns[2].split(separator: " ").map(String.init)))
    }

    private static func orders(_ text: String) -> [(String, Expectation)] {
        let (left, right, marks) = columns(text)
        let hasOrder = !marks.contains("x")
        return ["==", "!=", "<", "<=", ">", ">="].map { operation in
            let text = "\(left) \(operation) \(right)"
            if !hasOrder, operation.hasPrefix("<") || operation.hasPrefix(">") {
                return (text, .error(code: "incomparable", offset: 0))
            }
            return (text, .value(marks.contains(operation) ? "true" : "false"))
        }
    }

    private static func texts(_ text: String, options: String) -> [(String, Expectation)] {
        let (left, right, marks) = columns(text)
        let operators = [
            "B": "BEGINSWITH", "E": "ENDSWITH", "C": "CONTAINS", "L": "LIKE", "M": "MATCHES", "=": "==",
        ]
        return operators.sorted { $0.key < $1.key }.map { mark, operation in
            let text = "\(left) \(operation)\(options) "
            if mark == "M", marks.contains("x") {
                return (text + right, .error(code: "bad-pattern", offset: text.utf8.count + 1))
            }
            return (text + right, .value(marks.contains(mark) ? "true" : "false"))
        }
    }
}
