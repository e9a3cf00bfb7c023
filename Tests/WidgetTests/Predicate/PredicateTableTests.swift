import Foundation
import TestSupport
import Testing

/// Goal: every clause of the language, every kind of value and every error code does what it must. Method: tables of
/// cases, asked of the program as another program would ask.
@Suite struct `The tables of predicates` {
    static let tables = Corpus.files(in: "predicates").filter { $0.name.hasSuffix(".txt") }

    @Test(arguments: tables)
    func `hold`(_ table: Corpus) throws {
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

    @Test func `are many, and none of them twice`() {
        let questions = Self.tables.flatMap { PredicateCase.cases(in: String(decoding: $0.bytes, as: UTF8.self)) }
            .map(\.question)
        #expect(questions.count >= 1_500)
        #expect(Set(questions).count > questions.count - questions.count / 20)
    }

    @Test func `print what reads back as the same`() throws {
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

    @Test func `give every code that can be met with JSON`() {
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
