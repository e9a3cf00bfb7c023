import Foundation
import Testing
import WidgetDocuments
import WidgetTestSupport

/// Goal: the fourth system has a row for each of its features, defects and good parts, and each row its tests or its
/// reason. Method: the tables in `Tests/Corpus/parity`, compared with the tests, the kinds and docs/declarative.md.
struct `Screens of Swift beside the system that their names come from` {
    private static func table(_ name: String, columns: Int) throws -> [[String]] {
        let text = try String(
            contentsOfFile: "\(Corpus.repositoryRoot)/Tests/Corpus/parity/\(name).tsv", encoding: .utf8)
        return try text.split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(cells.count == columns, "\(line)")
            return cells
        }
    }

    private static func page() throws -> String {
        try String(contentsOfFile: "\(Corpus.repositoryRoot)/docs/declarative.md", encoding: .utf8)
    }

    /// The names of all tests.
    private static func tests() throws -> Set<String> {
        let folder = "\(Corpus.repositoryRoot)/Tests"
        var tests: Set<String> = []
        for case let path as String in try #require(FileManager.default.enumerator(atPath: folder))
        where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
            for match in text.matches(of: /@Test[^`]*func `([^`\n]+)`/) { tests.insert(String(match.1)) }
        }
        return tests
    }

    private static let modifiers = [
        "view", "reactive", "control", "layer", "constraints", "placement", "padding", "gestures", "controller events",
        "navigation", "context",
    ]
    private static let successor = [
        "builders", "views at once", "one wrapper, guarded", "bind any property", "further kinds",
        "margins, corners, styles", "coming and going", "find by id", "selection of cells", "states of loading",
        "traits of fields", "sections, refresh, themes, results", "forms",
    ]

    @Test func `Every feature, defect and good part has its row, and every row its tests or its reason`() throws {
        let rows = try Self.table("declarative", columns: 3)
        let features = [1...24, 30...44, 50...57].flatMap { $0.map { "D\($0)" } }
        #expect(
            rows.map { $0[0] } == features + Self.modifiers.map { "modifiers: \($0)" }
                + (1...23).map { "defect \($0)" } + Self.successor.map { "builder: \($0)" })
        let tests = try Self.tests()
        let page = try Self.page().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for row in rows {
            switch row[1] {
            case "works":
                for name in row[2].components(separatedBy: "; ") { #expect(tests.contains(name), "\(row[0]): \(name)") }
            case "out": #expect(page.contains(row[2]), "\(row[0]): \(row[2])")
            default: Issue.record("\(row[0]) is \(row[1])")
            }
        }
    }

    @Test func `Every property, event and slot of every kind has a modifier, or a reason in the documents`() throws {
        let rows = try Self.table("modifiers", columns: 4)
        let page = try Self.page().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for spec in KindRegistry.standard.specs {
            let names = spec.properties.map(\.name) + spec.slots.map(\.name) + spec.events.map(\.name)
            let listed = rows.filter { $0[0] == spec.name }
            #expect(!listed.isEmpty, "\(spec.name) has no row in Tests/Corpus/parity/modifiers.tsv")
            for name in names where !listed.contains(where: { $0[2] == name }) {
                Issue.record("\(spec.name) has \(name), which Tests/Corpus/parity/modifiers.tsv lacks")
            }
            for row in listed where !row[2].isEmpty && !names.contains(row[2]) {
                Issue.record("\(spec.name) has no \(row[2])")
            }
        }
        for row in rows where row[3].hasPrefix("out: ") { #expect(page.contains(row[3].dropFirst(5)), "\(row)") }
    }

    @Test func `Every modifier of the table is one of its widget`() throws {
        let folder = "\(Corpus.repositoryRoot)/Sources/Engine/Widgets"
        let source = Corpus.tree(at: folder).sorted { $0.key < $1.key }
            .map { String(decoding: $0.value, as: UTF8.self) }.joined(separator: "\n")
        for row in try Self.table("modifiers", columns: 4) where !row[1].isEmpty {
            #expect(source.contains("public struct \(row[1])"), "\(row[1])")
            for name in row[3].components(separatedBy: ", ") where !name.isEmpty && name != "init" {
                #expect(row[3].hasPrefix("out: ") || source.contains("public func \(name)"), "\(row[1]).\(name)")
            }
        }
    }

    @Test func `The documents have the table of widgets, kinds and modifiers`() throws {
        var kinds: [(kind: String, widget: String, modifiers: [String])] = []
        for row in try Self.table("modifiers", columns: 4) where !row[1].isEmpty {
            if kinds.last?.kind != row[0] { kinds.append((row[0], row[1], [])) }
            let names = row[3].hasPrefix("out: ") ? [] : row[3].components(separatedBy: ", ")
            for name in names where name != "init" && !name.isEmpty && !kinds[kinds.count - 1].modifiers.contains(name)
            {
                kinds[kinds.count - 1].modifiers.append(name)
            }
        }
        let lines = kinds.map { kind in
            "| `\(kind.widget)` | `\(kind.kind)` | \(kind.modifiers.map { "`\($0)`" }.joined(separator: " ")) |"
        }
        let table = (["| widget | kind | modifiers |", "|---|---|---|"] + lines).joined(separator: "\n")
        let page = try Self.page()
        let (begin, end) = ("<!-- table -->\n", "\n<!-- end -->")
        let first = try #require(page.firstRange(of: begin))
        let last = try #require(page.firstRange(of: end))
        if Corpus.isWritten {
            try page.replacingCharacters(in: first.upperBound..<last.lowerBound, with: table)
                .write(toFile: "\(Corpus.repositoryRoot)/docs/declarative.md", atomically: true, encoding: .utf8)
            return
        }
        #expect(page[first.upperBound..<last.lowerBound] == table, "WIDGET_WRITE_CORPUS=1 writes it")
    }
}
