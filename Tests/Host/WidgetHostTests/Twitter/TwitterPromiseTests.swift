import Foundation
import Testing
import WidgetTestSupport

/// Goal: no promise of the Twitter sample is forgotten. Method: Tests/Corpus/twitter/promises.tsv has a row for each, and
/// the names of the tests end with the rows that they show.
@Suite struct `The promises of the Twitter sample` {
    /// The numbers of rows at the end of each test's name: `(7)`, `(7, 8)` or `(29 to 32)`.
    private static func shown() throws -> Set<Int> {
        let folder = "\(Corpus.repositoryRoot)/Tests/Host/WidgetHostTests/Twitter"
        var rows: Set<Int> = []
        for file in ["TwitterFeedTests.swift", "TwitterWritingTests.swift"] {
            let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            for match in text.matches(of: /\(([0-9, to]+)\)`/) {
                let list = match.output.1
                if let range = list.firstRange(of: " to ") {
                    let first = Int(list[..<range.lowerBound]) ?? 0
                    let last = Int(list[range.upperBound...]) ?? 0
                    rows.formUnion(first...last)
                } else {
                    rows.formUnion(list.split(separator: ", ").compactMap { Int($0) })
                }
            }
        }
        return rows
    }

    @Test func `Every promise that is not about building has a test`() throws {
        let text = try String(
            contentsOfFile: "\(Corpus.repositoryRoot)/Tests/Corpus/twitter/promises.tsv", encoding: .utf8)
        let rows = text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        #expect(rows.map { Int($0[0]) } == (1...68).map { $0 })
        let wanted = rows.filter { $0[1] != "built" }.compactMap { Int($0[0]) }
        let shown = try Self.shown()
        #expect(wanted.filter { !shown.contains($0) } == [])
    }
}
