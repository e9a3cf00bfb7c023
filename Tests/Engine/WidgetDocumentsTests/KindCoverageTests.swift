import TestSupport
import Testing

@testable import WidgetDocuments

/// Goal: `widget kinds` has every kind and part of the tables 3.2 and 3.3, or docs/documents.md says why not. Method: the list
/// of both in `Tests/Corpus/parity/kinds.tsv`, compared with the table of kinds.
@Suite struct KindCoverageTests {
    struct Row: CustomStringConvertible {
        var kind, part, name, state: String

        var description: String { "\(kind) \(part) \(name)" }
    }

    private static let rows: [Row] = {
        let files = Corpus.tree(at: "\(Corpus.repositoryRoot)/Tests/Corpus/parity")
        let text = String(decoding: files["kinds.tsv"] ?? [], as: UTF8.self)
        return text.split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Row(kind: cells[1], part: cells[2], name: cells[3], state: cells[4])
        }
    }()

    private static func has(_ row: Row) -> Bool {
        switch row.part {
        case "style": return DocumentWords.style.contains { $0.name == row.name }
        case "member": return DocumentWords.element.contains { $0.name == row.name }
        default: break
        }
        guard let spec = KindRegistry.standard.spec(row.kind), spec.name == row.kind else { return false }
        return switch row.part {
        case "kind": true
        case "property": spec.properties.contains { $0.name == row.name }
        case "event": spec.events.contains { $0.name == row.name }
        case "slot": spec.slots.contains { $0.name == row.name }
        case "alias": spec.aliases.contains(row.name)
        default: false
        }
    }

    @Test
    func `Every kind, property, event and style of the tables is there, or is out with a reason in the documents`() {
        let page = String(
            decoding: Corpus.tree(at: "\(Corpus.repositoryRoot)/docs")["documents.md"] ?? [], as: UTF8.self
        ).replacing("\n", with: " ")
        #expect(Self.rows.count > 100)
        for row in Self.rows {
            if row.state == "works" {
                #expect(Self.has(row), "\(row) is not there")
            } else {
                #expect(row.state.hasPrefix("out: ") && !Self.has(row), "\(row)")
                #expect(
                    page.contains(row.state.dropFirst("out: ".count)), "\(row): docs/documents.md has no such reason")
            }
        }
    }

    @Test func `The list of the tables has every kind, and the names of their types`() {
        let listed = Set(Self.rows.map(\.kind))
        for spec in KindRegistry.standard.specs { #expect(listed.contains(spec.name), "\(spec.name)") }
        let positions = Set(DocumentWords.positions)
        #expect(DocumentWords.positions.count == positions.count)
        // "fill", four sides, four corners and seven centres.
        #expect(positions.count == 16)
    }
}
