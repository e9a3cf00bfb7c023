import Foundation
import Testing
import WidgetTestSupport

/// The facilities of Today extensions (C) and the faults of their samples (U) that updates are compared with.
@Suite struct UpdateParityTests {
    private struct Row {
        let name, state, reason: String
    }

    private static func rows() throws -> [Row] {
        let path = "\(Corpus.repositoryRoot)/Tests/Corpus/parity/updates.tsv"
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(parts.count == 3, "\(line)")
            return Row(name: parts[0], state: parts[1], reason: parts[2])
        }
    }

    /// The names of all tests of the engine, of hosts and of the programs.
    private static func tests() throws -> Set<String> {
        var tests: Set<String> = []
        for folder in ["Engine", "Host", "Programs"].map({ "\(Corpus.repositoryRoot)/Tests/\($0)" }) {
            for case let path as String in try #require(FileManager.default.enumerator(atPath: folder))
            where path.hasSuffix(".swift") {
                let text = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
                for match in text.matches(of: /func `([^`\n]+)`/) { tests.insert(String(match.1)) }
            }
        }
        return tests
    }

    @Test func `Every facility and every fault has its row, and every row that works has its test`() throws {
        let rows = try Self.rows()
        #expect(rows.map(\.name) == (1...20).map { "C\($0)" } + (1...9).map { "U\($0)" })
        let tests = try Self.tests()
        for row in rows {
            #expect(["works", "out"].contains(row.state) && !row.reason.isEmpty, "\(row.name)")
            #expect(row.state != "works" || tests.contains(row.reason), "\(row.name): \(row.reason)")
        }
    }

    @Test func `Every row that is out of reach is in the documents, with its reason`() throws {
        let page = try String(contentsOfFile: "\(Corpus.repositoryRoot)/docs/updates.md", encoding: .utf8)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for row in try Self.rows() where row.state == "out" {
            #expect(page.contains(row.reason), "\(row.name): \(row.reason)")
        }
    }
}
