import Foundation
import Testing
import WidgetCore
import WidgetRender
import WidgetTestSupport

@testable import WidgetDocuments

/// Documents of the corpus, shown as text and as JSON. `WIDGET_WRITE_CORPUS=1` writes the transcripts anew.
@Suite struct DocumentCorpusTests {
    private static let folder = "\(Corpus.repositoryRoot)/Tests/Corpus/documents"

    static let names: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
        .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(".json".count)) }.sorted()

    private static func bench(_ name: String) throws -> DocumentBench {
        let bytes = try #require(FileManager.default.contents(atPath: "\(folder)/\(name).json"))
        return try DocumentBench(String(decoding: bytes, as: UTF8.self))
    }

    @Test(arguments: names)
    func `A document is shown as its transcript says`(name: String) throws {
        let bench = try Self.bench(name)
        let view = bench.view
        let faults = (bench.messages + view.diagnostics.map(\.description)).map { "\($0)\n" }.joined()
        let text = ViewText(width: 80).text(view) + (faults.isEmpty ? "" : "---\n\(faults)")
        let json = ViewJSON.document(view, size: (375, 667))
        let options = PrintOptions()
        let frames = ViewFrames(bench.program, options).print(view, NoAssets())
        let page = PagePrinter(bench.program, options).print(view, NoAssets())
        for (ending, bytes) in [("txt", Array(text.utf8)), ("json", json), ("frames", frames), ("html", page)] {
            let path = "\(Self.folder)/shown/\(name).\(ending)"
            if Corpus.isWritten { try Data(bytes).write(to: URL(filePath: path)) }
            #expect(FileManager.default.contents(atPath: path).map { [UInt8]($0) } == bytes, "\(text)")
        }
    }

    @Test(arguments: names)
    func `Frames and pages show the same roles, names and values as text`(name: String) throws {
        let bench = try Self.bench(name)
        let view = bench.view
        let options = PrintOptions()
        for form in PrintedForm.allCases {
            #expect(!form.print(view, of: bench.program, options, NoAssets()).isEmpty, "\(form.name)")
        }
        let page = String(decoding: PagePrinter(bench.program, options).print(view, NoAssets()), as: UTF8.self)
        let frames = String(decoding: ViewFrames(bench.program, options).print(view, NoAssets()), as: UTF8.self)
        view.visit { node in
            let text = node.text(.text)
            // Pages write other characters as references.
            if !text.isEmpty, text.allSatisfy({ $0.isLetter || $0 == " " }) {
                #expect(page.contains(text) && frames.contains(text), "\(text)")
            }
            return true
        }
    }

    @Test func `The corpus has documents`() { #expect(Self.names.count >= 5) }
}

/// The rows of the original's features that documents are compared with.
@Suite struct DocumentParityTests {
    private struct Row {
        let name, state, reason: String
    }

    private static func rows(of table: String) throws -> [Row] {
        let path = "\(Corpus.repositoryRoot)/Tests/Corpus/parity/\(table).tsv"
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(parts.count == 3, "\(line)")
            return Row(name: parts[0], state: parts[1], reason: parts[2])
        }
    }

    /// The features of documents, and the defects of the original's watchers.
    @Test(arguments: [("documents", "B", 26), ("watching", "W", 12)])
    func `Every row of the original has its line, and every line that works has its test`(
        table: String, letter: String, count: Int
    ) throws {
        let rows = try Self.rows(of: table)
        #expect(rows.map(\.name) == (1...count).map { "\(letter)\($0)" })
        let folder = "\(Corpus.repositoryRoot)/Tests"
        var tests: Set<String> = []
        for case let path as String in try #require(FileManager.default.enumerator(atPath: folder))
        where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
            for match in text.matches(of: /@Test[^`]*func `([^`\n]+)`/) { tests.insert(String(match.1)) }
        }
        for row in rows {
            #expect(["works", "out"].contains(row.state) && !row.reason.isEmpty, "\(row.name)")
            #expect(row.state != "works" || tests.contains(row.reason), "\(row.name): \(row.reason)")
        }
    }

    @Test func `Every row that is out of reach is in the documents, with its reason`() throws {
        let page = try String(contentsOfFile: "\(Corpus.repositoryRoot)/docs/documents.md", encoding: .utf8)
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for row in try Self.rows(of: "documents") where row.state == "out" {
            #expect(page.contains(row.reason), "\(row.name): \(row.reason)")
        }
    }
}
