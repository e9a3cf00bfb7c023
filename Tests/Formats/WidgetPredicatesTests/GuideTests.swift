import Foundation
import Testing
import WidgetTestSupport

@testable import WidgetPredicates

/// Goal: the page about the language is complete. Method: the words are taken from the code.
@Suite struct `The page about the language` {
    static let text: String = {
        let url = URL(filePath: "\(Corpus.repositoryRoot)/docs/predicates.md")
        return (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    }()

    static let words =
        Keyword.allCases.map(\.rawValue) + PredicateFunction.allCases.map(\.rawValue)
        + CollectionOperator.allCases.map(\.rawValue) + CastType.allCases.map(\.rawValue)
        + ArithmeticOperator.allCases.map(\.rawValue) + ComparisonOperator.allCases.map(\.rawValue)

    @Test(arguments: words)
    func `The page about the language mentions every word`(_ word: String) {
        #expect(Self.text.contains(word) || Self.text.contains(word.replacing("|", with: "\\|")))
    }

    @Test(arguments: PredicateError.Code.allCases.map(\.rawValue))
    func `The page about the language explains every error`(_ code: String) {
        #expect(Self.text.split(separator: "\n").contains { $0.hasPrefix("|") && $0.contains("`\(code)`") })
    }
}
