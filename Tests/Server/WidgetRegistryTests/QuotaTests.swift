import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetDatabase
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

private let day: Int64 = 86_400

@Suite(.also(.cluster)) struct `Quotas by prefix` {
    private static let clock = "com.acme.Clock"
    private static let other = "org.example.Note"

    private func open(_ storage: Storage, _ rules: QuotaRule...) throws -> Registry {
        storage.fixture.clock.setDate(to: SystemClock().seconds)
        let policy = QuotaPolicy(rules)
        return try storage.registry { $0.quotas = { policy } }
    }

    private func prefix(_ text: String) throws -> BundlePrefix { try #require(BundlePrefix(text)) }

    @discardableResult
    private func publish(
        _ registry: Registry, _ version: String, of bundle: String = clock, to channel: String = "stable",
        content: String? = nil
    ) throws -> Publication {
        var request = PublishRequest(.to(channel), by: "x")
        request.sees = { $0.hasPrefix("com.acme") }
        return try registry.publish(
            Upload(identifier: bundle, version: version, content: content ?? "[\(version)]"), request)
    }

    private func breach(_ body: () throws -> Publication) throws -> QuotaBreach? {
        guard case .quotaExceeded(let breach) = try refusal(body) else { return nil }
        return breach
    }

    @Test(arguments: StorageKind.allCases)
    func `A prefix at its limit of releases is refused, and no other`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let registry = try open(storage, QuotaRule(try prefix("com.acme"), releases: 5))
        for number in 0..<3 { #expect(try publish(registry, "1.\(number)").warnings.isEmpty) }
        // From 80 % on a note comes with the release.
        let near = try publish(registry, "1.3")
        #expect(near.warnings.map(\.code) == [.quotaNear] && near.warnings[0].detail.contains("4 of the 5 releases"))
        try publish(registry, "1.0", of: "com.acme.Clock.Timer", to: "beta")
        let refused = try #require(try breach { try publish(registry, "1.4") })
        #expect(refused.prefix.text == "com.acme" && refused.measure == .releases)
        #expect(refused.limit == 5 && refused.used == 5 && refused.added == 1)
        #expect(refused.bundles.map(\.bundle.identifier) == [Self.clock, "com.acme.Clock.Timer"])
        // Three are on no channel.
        #expect(refused.unshown.releases == 3 && refused.withdrawn.releases == 0)
        #expect(try breach { try registry.judge(Upload(identifier: Self.clock, version: "1.4")) } != nil)
        // The same again does not count as a publication, and others are not concerned.
        #expect(try publish(registry, "1.3").outcome == .unchanged)
        #expect(try publish(registry, "1.0", of: Self.other).warnings.map(\.code) == [])
        #expect(try publish(registry, "1.0", of: "com.acmes.Map").outcome == .created)
        // Nothing of what was refused is left.
        #expect(try registry.collect(grace: 0, isDryRun: true) { _, _ in }.waiting.count == 0)
        // A withdrawn one makes room when it cannot be restored any more.
        _ = try registry.withdraw(Self.clock, "1.0~1", reason: "r", by: "x")
        #expect(try breach { try publish(registry, "1.4") }?.withdrawn.releases == 1)
        storage.fixture.pass(seconds: 31 * day)
        _ = try registry.collect(grace: 1, isDryRun: false) { _, _ in }
        #expect(try publish(registry, "1.4").outcome == .created)
    }

    @Test(arguments: StorageKind.allCases)
    func `Bytes are those of archives, each counted once for its bundle`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let registry = try open(storage)
        let first = try publish(registry, "1.0").release
        // The same archive under another key.
        let snapshot = try publish(registry, "1.0", to: "dev").release
        #expect(snapshot.digest == first.digest && snapshot.key != first.key)
        for name in ["*", "com", "com.acme", Self.clock] {
            let stored = try registry.usage(of: try prefix(name)).stored
            #expect(stored == StoredUsage(releases: 2, bytes: first.byteCount), "\(name)")
        }
        #expect(try registry.usage(of: try prefix("com.acme.Clo")).stored == StoredUsage())
        let limited = try storage.registry { options in
            let rule = QuotaRule(.all, bytes: first.byteCount * 2 - 1)
            options.quotas = { QuotaPolicy([rule]) }
        }
        let refused = try #require(try breach { try publish(limited, "1.1") })
        #expect(refused.measure == .bytes && refused.used == first.byteCount && refused.prefix.text.isEmpty)
        // Withdrawing one of two that share an archive frees nothing, and the other does.
        _ = try limited.withdraw(Self.clock, first.key, reason: "r", by: "x")
        storage.fixture.pass(seconds: 31 * day)
        _ = try limited.collect(grace: 1, isDryRun: false) { _, _ in }
        #expect(try registry.usage(of: .all).stored == StoredUsage(releases: 1, bytes: first.byteCount))
        _ = try limited.withdraw(Self.clock, snapshot.key, reason: "r", by: "x")
        storage.fixture.pass(seconds: 31 * day)
        _ = try limited.collect(grace: 1, isDryRun: false) { _, _ in }
        let usage = try registry.usage(of: .all)
        #expect(usage.stored == StoredUsage() && usage.added == StoredUsage())
        // Of the last 30 days it is the second that is gone.
        #expect(usage.freed.releases == 1 && usage.freed.bytes == first.byteCount)
        #expect(try publish(limited, "1.1").outcome == .created)
        #expect(try registry.usage(of: .all).added.releases == 1)
    }

    @Test(arguments: StorageKind.allCases)
    func `Publications are counted within a day, and the refusal says when there is room`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let registry = try open(
            storage, QuotaRule(try prefix("com.acme"), publications: 3), QuotaRule(.all, publications: 100))
        let start = storage.fixture.clock.seconds
        for number in 0..<3 {
            try publish(registry, "1.\(number)")
            storage.fixture.pass(seconds: 100)
        }
        let refused = try #require(try breach { try publish(registry, "1.3") })
        #expect(refused.measure == .publications && refused.next == start + day && refused.bundles.isEmpty)
        #expect(try publish(registry, "1.0", of: Self.other).outcome == .created)
        storage.fixture.clock.setDate(to: start + day)
        #expect(try publish(registry, "1.3").outcome == .created)
        #expect(try breach { try publish(registry, "1.4") }?.next == start + day + 100)
        #expect(try registry.limitedUsage().map(\.publications) == [3, 4])
    }

    @Test func `What is counted wrongly by an earlier program is counted anew by a collection`() throws {
        let storage = try Storage(.local)
        let registry = try open(storage)
        try publish(registry, "1.0")
        let stored = try registry.usage(of: .all).stored
        // As a program of before leaves it, which does not count.
        try DatabaseConnection(opening: "\(storage.fixture.path)/catalog.sqlite", for: .writing)
            .script("UPDATE bundle_usage SET release_count = 7, byte_count = 1")
        #expect(try registry.usage(of: .all).stored == StoredUsage(releases: 7, bytes: 1))
        #expect(try storage.catalog.ask { try $0.miscountedBundles(from: 0, through: .max) }.count == 1)
        _ = try registry.collect(grace: 3_600, isDryRun: false) { _, _ in }
        #expect(try registry.usage(of: .all).stored == stored && stored.releases == 1)
        #expect(try storage.catalog.ask { try $0.miscountedBundles(from: 0, through: .max) }.isEmpty)
    }

    @Test func `A bundle that only earlier programs have stored in is counted in full by its first change`() throws {
        let storage = try Storage(.local)
        let registry = try open(storage)
        for number in 0..<3 { try publish(registry, "1.\(number)") }
        let stored = try registry.usage(of: .all).stored
        func count(_ statement: StaticString) throws {
            try DatabaseConnection(opening: "\(storage.fixture.path)/catalog.sqlite", for: .writing).script(statement)
        }
        func isCounted() throws -> Bool {
            try storage.catalog.ask { try $0.miscountedBundles(from: 0, through: .max) }.isEmpty
        }
        // As an upgrade of replicas leaves it: a publication counts those of before.
        try count("DELETE FROM bundle_usage")
        try publish(registry, "1.3")
        #expect(try registry.usage(of: .all).stored.releases == 4 && isCounted())
        // A removal never counts below nothing.
        let states: [StaticString] = [
            "DELETE FROM bundle_usage", "UPDATE bundle_usage SET release_count = 0, byte_count = 0",
            "UPDATE bundle_usage SET release_count = 9, byte_count = 1",
        ]
        for (number, state) in states.enumerated() {
            try count(state)
            let id = try #require(try storage.catalog.ask { try $0.bundle(Self.clock).map(\.id) })
            let gone = try #require(
                try storage.catalog.ask { try $0.release("1.\(number)~1", ofBundle: id).map(\.id) })
            try storage.catalog.write { editor, _ throws(RegistryError) in try editor.removeDocuments(of: gone, at: 9) }
            #expect(try registry.usage(of: .all).stored.releases == 3 - number && isCounted(), "\(state)")
        }
        #expect(try registry.usage(of: .all).stored.bytes < stored.bytes)
    }

    @Test(arguments: StorageKind.allCases)
    func `A publication between the first look at a quota and the transaction counts`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        defer { storage.end() }
        // A moment after the sample that comes between.
        storage.fixture.clock.setDate(to: 1_500)
        let between = InterruptedCatalog(storage.catalog)
        let rule = QuotaRule(try prefix("com.acme"), publications: 2)
        var options = Registry.Options(in: World(clock: storage.fixture.clock))
        options.quotas = { QuotaPolicy([rule]) }
        let registry = try Registry(catalog: between, blobs: storage.blobs, options: options)
        try publish(registry, "1.0")
        between.interrupt { editor throws(RegistryError) in
            _ = try editor.add("1.1", of: "com.acme.Map")
            _ = try editor.tell("com.acme.Map")
        }
        let refused = try #require(try breach { try publish(registry, "1.2") })
        #expect(refused.measure == .publications && refused.used == 2 && !between.isWaiting)
        #expect(try registry.usage(of: .all).publications == 2)
    }

    @Test func `A table of prefixes has those of settings and tokens, or the next labels`() throws {
        let storage = try Storage(.memory)
        let registry = try open(storage)
        for bundle in [Self.clock, "com.acme.Clock.Timer", "com.acme.Map", Self.other] {
            try publish(registry, "1.0", of: bundle)
        }
        func rows(of registry: Registry, below name: String? = nil) throws -> [String] {
            try registry.usagePrefixes(below: try name.map(prefix)).map(\.description)
        }
        #expect(try rows(of: registry) == ["*", "com.acme", "org.example"])
        // One that is called like a prefix, and one whose name comes between it and what is below it.
        for bundle in ["com.acme", "com.acme-labs.Map"] { try publish(registry, "1.0", of: bundle) }
        #expect(try rows(of: registry) == ["*", "com.acme", "com.acme-labs", "org.example"])
        #expect(try rows(of: registry, below: "com.acme") == ["com.acme", "com.acme.Clock", "com.acme.Map"])
        let limited = try open(storage, QuotaRule(try prefix("com.acme"), releases: 9))
        #expect(try rows(of: limited) == ["*", "com.acme"])
    }
}
