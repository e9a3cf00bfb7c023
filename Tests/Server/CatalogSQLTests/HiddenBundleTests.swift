import CatalogSQL
import Testing
import WidgetBytes
import WidgetDatabase
import WidgetFiles
import WidgetTestSupport

@testable import LocalStore
@testable import WidgetRegistry

/// Goal: the time of an answer does not show a reader of one prefix what is hidden from it. Method: a catalog with bundles
/// of others and one without them are asked the same, and the statements and rows that each took are compared.
@Suite struct `Hidden bundles` {
    private static let territory = "x.a"

    private static func isVisible(_ identifier: String) -> Bool {
        Token(name: "reader", prefix: territory, scopes: [.read], created: 0).covers(identifier)
    }

    /// A catalog of these bundles, and the steps of the questions that it is asked.
    private final class Asked {
        let scratch: ScratchDirectory
        let session: RecordingSession

        init(_ identifiers: [String]) throws {
            scratch = try ScratchDirectory(in: Directory.temporary)
            let directory = try StoreDirectory(scratch.path, holder: "the test")
            let catalog = try LocalCatalog(directory, readers: 1, figures: StoreFigures())
            for identifier in identifiers {
                try catalog.write { editor, _ throws(RegistryError) in
                    _ = try editor.insertBundle(identifier, name: "Sample")
                }
            }
            session = RecordingSession(try DatabaseConnection(opening: directory.catalogPath, for: .reading))
        }

        func steps(_ question: (any CatalogReader) throws(RegistryError) -> Void) -> [String] {
            session.steps.withLock { $0 = [] }
            var outcome = "answered"
            do throws(RegistryError) { try question(SQLCatalog(session)) } catch { outcome = "\(error)" }
            return session.steps.withLock { $0 } + [outcome]
        }
    }

    private static func word(_ length: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
        String((0..<Int.random(in: length, using: &random)).map { _ in "ab-.".randomElement(using: &random) ?? "a" })
    }

    @Test func `A widget that is not found takes the same look-ups with and without hidden bundles`() throws {
        var random = SeededGenerator(seed: 11)
        var hidden = ["x", "x.aa", "x.a-b", "x.a-b.a", "x.ab.a"]
        for _ in 0..<60 { hidden.append("x.a\(Self.word(1...6, &random))") }
        hidden = Set(hidden.filter { !Self.isVisible($0) }).sorted()
        let visible = ["x.a.b", "x.a.b-a", "x.a.ba.b"]
        let alone = try Asked(visible)
        let beside = try Asked(visible + hidden)
        var refused = 0
        for number in 0..<1_000 {
            // One in three is spelled as nothing is.
            let start = number % 3 == 0 ? "X.a" : "x.a"
            let query = ResolveQuery(
                widgetIdentifier: "\(start)\(Self.word(0...8, &random))-1", territory: Self.territory,
                isVisible: Self.isVisible)
            let steps = [alone, beside].map { asked in
                asked.steps { catalog throws(RegistryError) in _ = try query.resolution(by: catalog) }
            }
            guard steps[0].last?.contains("noSuchWidget") == true else { continue }
            #expect(steps[0] == steps[1], "\(query.widgetIdentifier)")
            refused += 1
        }
        #expect(refused > 100)
    }

    @Test func `A list takes the same look-ups with and without hidden bundles`() throws {
        let visible = [Self.territory, "x.a.b", "x.a.c", "x.a.d-e"]
        let hidden = ["x.a-b", "x.a-b.a", "x.ab", "x.b", "a.b"]
        let (alone, beside) = (try Asked(visible), try Asked(visible + hidden))
        for prefix in ["", "x", "x.a", "x.a-", "x.a-b", "x.a.", "x.a.c", "x.b", "a"] {
            for after in [nil, "x.a", "x.a-b", "x.a.b", "x.ab"] {
                var pages: [[String]] = []
                let query = BundleQuery(
                    prefix: prefix, limit: 2, after: after, territory: Self.territory, isVisible: Self.isVisible)
                let steps = [alone, beside].map { asked in
                    asked.steps { catalog throws(RegistryError) in
                        pages.append(try query.page(of: catalog).items.map(\.identifier))
                    }
                }
                #expect(steps[0] == steps[1], "\(prefix) after \(after ?? "nothing")")
                let expected = visible.filter { $0.hasPrefix(prefix) && $0 > after ?? "" }.prefix(2)
                #expect(pages == [Array(expected), Array(expected)], "\(prefix) after \(after ?? "nothing")")
            }
        }
    }
}

extension `Hidden bundles` {
    @Test func `A search takes the same look-ups with and without hidden bundles`() throws {
        let visible = [Self.territory, "x.a.clock", "x.a.c", "x.a.d-clock"]
        let hidden = ["x.a-clock", "x.clock", "x.ab.clock", "clock.x.a", "x.a-b.clock"]
        let (alone, beside) = (try Asked(visible), try Asked(visible + hidden))
        for (text, finding) in [("", nil), ("clock", nil), ("clock x", nil), ("nothing", nil), ("", "low-contrast")] {
            for after in [nil, "x.a", "x.a.c"] {
                var query = SearchQuery(limit: 2, after: after, territory: Self.territory, isVisible: Self.isVisible)
                query.text = text
                query.finding = finding
                let steps = [alone, beside].map { asked in
                    asked.steps { catalog throws(RegistryError) in _ = try query.bundles(in: catalog) }
                }
                #expect(steps[0] == steps[1], "\(text) after \(after ?? "nothing")")
                #expect(!steps[0].contains { $0.contains("bundle_term JOIN") })
            }
        }
    }
}

/// A session that notes each statement and how many rows it handed over.
private final class RecordingSession: CatalogSession {
    private let session: DatabaseConnection
    let steps: Guarded<[String]> = Guarded([])

    init(_ session: DatabaseConnection) {
        self.session = session
    }

    func run(_ sql: StaticString, _ values: [CatalogValue]) throws(RegistryError) -> Int {
        steps.withLock { $0.append("\(sql)") }
        return try session.run(sql, values)
    }

    func each(
        _ sql: StaticString, _ values: [CatalogValue], _ read: (any CatalogRow) throws(RegistryError) -> Bool
    ) throws(RegistryError) {
        var count = 0
        try session.each(sql, values) { row throws(RegistryError) in
            count += 1
            return try read(row)
        }
        steps.withLock { $0.append("\(sql): \(count)") }
    }

    func reading<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result {
        try session.reading(body)
    }

    func writing<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result {
        try session.writing(body)
    }

    func part<Result>(_ body: () throws(RegistryError) -> Result) throws(RegistryError) -> Result {
        try session.part(body)
    }

    var isInTransaction: Bool { session.isInTransaction }
}
