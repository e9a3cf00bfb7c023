import Testing
import WidgetCore
import WidgetTestSupport

@testable import WidgetFormats

/// Goal: `docs/running.md` lists exactly the names that the reader knows. Method: its tables, compared with the code.
@Suite struct `The page about running` {
    private static let text = String(
        decoding: Corpus.tree(at: "\(Corpus.repositoryRoot)/docs")["running.md"] ?? [], as: UTF8.self)

    private static func names(_ cell: Substring) -> Set<String> {
        Set(cell.matches(of: /`([^`]+)`/).map { String($0.1) })
    }

    @Test func `The page about running lists every mediator with all of its members, and no other`() {
        var listed: Set<String> = []
        for line in Self.text.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            let classes = cells.first?.split(separator: "→") ?? []
            guard cells.count == 3, let name = classes.first.flatMap({ Self.names($0).first }),
                let known = MediatorClass.all[name]
            else { continue }
            let (attributes, outlets) = (cells[cells.startIndex + 1], cells[cells.startIndex + 2])
            listed.insert(name)
            #expect(Self.names(attributes) == Set(known.attributes.map(\.name)), "\(name)")
            #expect(Self.names(outlets) == Set(known.outlets.map(\.name)), "\(name)")
            #expect((classes.count > 1 ? Self.names(classes[1]).first : "CustomIBObject") == known.parent, "\(name)")
        }
        #expect(listed == Set(MediatorClass.all.keys).subtracting(["CustomIBObject"]))
    }

    @Test func `The page about running names every built-in transformer`() {
        let known = Transformers().names.filter { !$0.hasPrefix("NS") }
        #expect(known.count == 7 && known.allSatisfy { Self.text.contains("`\($0)`") })
    }

    @Test func `The page about running names the framework's own targets of bindings`() {
        let keys = WidgetKitVocabulary.vocabulary.keys.keys.filter { $0.hasPrefix("wx_") && $0 != "wx_fieldValue" }
        #expect(keys.count > 5 && keys.allSatisfy { Self.text.contains("`\($0)`") }, "\(keys)")
    }
}
