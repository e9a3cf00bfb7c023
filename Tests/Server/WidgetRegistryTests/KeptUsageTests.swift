import Dispatch
import Testing
import WidgetDatabase
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

/// Goal: pages and figures that are asked for often cost one sum a minute, and keep no other caller waiting. Method: a catalog
/// that counts questions, and holds or fails them.
@Suite struct `Sums of usage that are kept` {
    /// A catalog whose questions a test holds, or has fail.
    private final class HeldCatalog: ReleaseCatalog {
        struct State: Sendable {
            var reads = 0
            var waiting = 0
            var isHeld = false
            var failure: RegistryError?
        }

        let state = Observed(State())
        private let catalog: any ReleaseCatalog

        init(_ catalog: any ReleaseCatalog) { self.catalog = catalog }

        func read<Value>(_ body: (any CatalogReader) throws(RegistryError) -> Value) throws(RegistryError) -> Value {
            state.withLock {
                $0.reads += 1
                $0.waiting += 1
            }
            _ = state.reaches { !$0.isHeld }
            let failure = state.withLock { state -> RegistryError? in
                state.waiting -= 1
                return state.failure
            }
            if let failure { throw failure }
            return try catalog.read(body)
        }

        func write<Value: Sendable>(
            _ body: @escaping @Sendable (any CatalogEditor, inout [RegistryChange]) throws(RegistryError) -> Value
        ) throws(RegistryError) -> Value {
            try catalog.write(body)
        }

        func follow(_ observer: @escaping @Sendable ([RegistryChange]) -> Void) { catalog.follow(observer) }

        func complaints() throws(RegistryError) -> [String] { try catalog.complaints() }

        func lastRun(of task: HousekeepingTask) -> Int64? { catalog.lastRun(of: task) }

        func noteRun(of task: HousekeepingTask, at time: Int64) { catalog.noteRun(of: task, at: time) }
    }

    private struct Book {
        let storage: Storage
        let catalog: HeldCatalog
        let registry: Registry

        init(_ rules: [QuotaRule] = [QuotaRule(.all, releases: 100)]) throws {
            let storage = try Storage(.memory)
            self.storage = storage
            storage.fixture.clock.setDate(to: SystemClock().seconds)
            catalog = HeldCatalog(storage.catalog)
            var options = Registry.Options(in: World(clock: storage.fixture.clock))
            options.quotas = { QuotaPolicy(rules) }
            registry = try Registry(catalog: catalog, blobs: storage.blobs, options: options)
        }

        var reads: Int { catalog.state.value.reads }

        func releases() throws -> [Int] { try registry.limitedUsage().map(\.stored.releases) }
    }

    @Test func `While one caller sums, the others get the sum from before`() throws {
        let book = try Book()
        defer { book.storage.end() }
        #expect(try book.releases() == [0] && book.registry.keptUsage { $0 == .all }.map(\.stored.releases) == [0])
        try book.registry.publish("1.0")
        book.storage.fixture.pass(seconds: PrefixUsage.freshness)
        book.catalog.state.withLock { $0.isHeld = true }
        let (registry, sums) = (book.registry, Observed([[Int]]()))
        DispatchQueue(label: "first").async {
            let found = (try? registry.limitedUsage().map(\.stored.releases)) ?? []
            sums.withLock { $0.append(found) }
        }
        #expect(book.catalog.state.reaches { $0.waiting == 1 })
        // It asks nothing, so it returns although all questions are held.
        let before = book.reads
        #expect(try book.releases() == [0] && book.reads == before)
        DispatchQueue(label: "page").async {
            let found = (try? registry.keptUsage { $0 == .all }.map(\.stored.releases)) ?? []
            sums.withLock { $0.append(found) }
        }
        #expect(book.catalog.state.reaches { $0.waiting == 2 })
        book.catalog.state.withLock { $0.isHeld = false }
        #expect(sums.reaches { $0.count == 2 } && sums.value == [[1], [1]])
        #expect(try book.releases() == [1])
    }

    @Test func `A failure is kept for seconds, and then the sum is made again`() throws {
        let book = try Book()
        defer { book.storage.end() }
        let failure = RegistryError.unavailable(CatalogFailure("the database is away"))
        book.catalog.state.withLock { $0.failure = failure }
        #expect(try refusal { try book.releases() } == failure)
        let before = book.reads
        book.storage.fixture.pass(seconds: PrefixUsage.pause - 1)
        #expect(try refusal { try book.releases() } == failure)
        #expect(try refusal { try book.registry.keptUsage { _ in true } } == failure && book.reads == before + 1)
        #expect(try refusal { try book.registry.keptUsage { _ in true } } == failure && book.reads == before + 1)
        book.catalog.state.withLock { $0.failure = nil }
        book.storage.fixture.pass(seconds: 1)
        #expect(try book.releases() == [0] && book.reads == before + 2)
    }

    @Test func `A clock that is set back ends what is kept`() throws {
        let book = try Book()
        defer { book.storage.end() }
        #expect(try book.releases() == [0])
        let before = book.reads
        #expect(try book.releases() == [0] && book.reads == before)
        book.storage.fixture.pass(seconds: -1)
        #expect(try book.releases() == [0] && book.reads == before + 1)
        #expect(try book.releases() == [0] && book.reads == before + 1)
    }

    @Test func `A page has the first rows, and a command has more`() throws {
        let count = PrefixUsage.mostRowsOfPage + 10
        let rules = try (0..<count).map { number in
            QuotaRule(try #require(BundlePrefix("com.team\(number)")), releases: 9)
        }
        let book = try Book(rules)
        defer { book.storage.end() }
        #expect(try book.registry.usagePrefixes(below: nil).count == count + 1)
        let before = book.reads
        #expect(try book.registry.keptUsage { _ in true }.count == PrefixUsage.mostRowsOfPage)
        // One question for each row that is shown, and one for the prefixes of tokens.
        #expect(book.reads == before + PrefixUsage.mostRowsOfPage + 1)
        // Of those that a person may see.
        #expect(try book.registry.keptUsage { $0.text == "com.team7" }.map(\.prefix.text) == ["com.team7"])
    }

    @Test func `Bundles are counted anew some hundred at a time, to the last`() throws {
        let storage = try Storage(.local)
        defer { storage.end() }
        let registry = try storage.registry()
        let count = 250
        try storage.catalog.write { editor, _ throws(RegistryError) in
            for number in 0..<count { _ = try editor.add("1.0", of: "com.acme.B\(number)") }
        }
        let counted = try registry.usage(of: .all).stored
        #expect(counted == StoredUsage(releases: count, bytes: count * 100))
        // The first and the last of each hundred, and one that is counted though nothing of it is stored.
        try DatabaseConnection(opening: "\(storage.fixture.path)/catalog.sqlite", for: .writing).script(
            """
            UPDATE bundle_usage SET byte_count = 7 WHERE bundle IN (1, 100, 200, 201, 250);
            DELETE FROM bundle_usage WHERE bundle IN (2, 101, 199, 249);
            INSERT INTO bundle (id, identifier, folded, name) VALUES (900, 'com.acme.Z', 'com.acme.z', 'Z');
            INSERT INTO bundle_usage VALUES ('com.acme.Z', 900, 3, 3);
            """)
        #expect(try registry.usage(of: .all).stored != counted)
        try registry.recountUsage()
        #expect(try registry.usage(of: .all).stored == counted)
        #expect(try storage.catalog.ask { try $0.miscountedBundles(from: 0, through: .max) }.isEmpty)
    }
}
