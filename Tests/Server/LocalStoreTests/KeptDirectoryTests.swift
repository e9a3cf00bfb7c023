import LocalStore
import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetDatabase
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

/// Goal: what an earlier program kept is opened by this one, whole. Method: data directories and backups under
/// `Tests/Corpus/kept`, written by the programs of their time (`make.sh` there), opened as they are, after their catalog
/// is made anew, and after their backup is restored.
///
/// A change of the schema, of a note or of a backup adds a folder there, and a row to `versions`.
@Suite struct `A data directory of an earlier program` {
    /// The folders, and the version of the schema that their catalogs have.
    static let versions: [(folder: String, schema: Int64)] = [
        ("catalog-1", 1), ("catalog-2", 2), ("catalog-3", 3), ("catalog-4", 4), ("catalog-5", 5),
    ]

    /// The version of the schema since which publishing and promoting are distinguished, and acts are audited.
    private static let audited: Int64 = 3
    /// The version of the schema of the first program that took a plus sign in a reason for a blank.
    private static let worded: Int64 = 5

    private static func kept(_ folder: String) -> String { "\(Corpus.repositoryRoot)/Tests/Corpus/kept/\(folder)" }

    /// Some time after the specimens were made, and before their withdrawn releases expire.
    private static let options = Registry.Options(in: World(clock: ManualClock(date: .seconds(1_797_000_000))))

    /// A copy of the data directory, since opening it changes it.
    private static func copy(_ folder: String, in scratch: borrowing ScratchDirectory) throws -> String {
        let path = "\(scratch.path)/data"
        try FileWork.copy("\(kept(folder))/registry", to: path)
        return path
    }

    @Test(arguments: versions.indices) func `A data directory of an earlier program opens with everything in it`(
        _ index: Int
    ) throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = try Self.copy(Self.versions[index].folder, in: scratch)
        let before = try DatabaseConnection(opening: "\(path)/catalog.sqlite", for: .writing).schemaVersion()
        #expect(before == Self.versions[index].schema)
        let registry = try Registry(opening: path, options: Self.options)
        #expect(registry.latestTag == 12)
        #expect(try registry.tokens().map(\.name) == ["admin", "ci", "guest"])
        let isAudited = Self.versions[index].schema >= Self.audited
        // Tokens of before have numbers now, which their rights came through; the audit begins empty.
        #expect(try registry.tokens().map(\.number) == [1, 2, 3])
        #expect(
            try registry.tokens()[1].scopes == [.publish, .promote] && registry.tokens()[1].prefix == "com.example")
        #expect(try registry.tokensByDigest().count == 3)
        #expect(try registry.audit(AuditQuery(limit: 9)).items.isEmpty == !isAudited)
        // They could move channels by publishing and restore by withdrawing, and still can.
        #expect(try registry.tokens().allSatisfy { $0.keepsEarlierRights == !isAudited && $0.channels.isEmpty })
        #expect(try registry.tokens().map(\.scopes) == [[.admin], [.publish, .promote], [.read]])
        #expect(registry.lastRun(of: .backup) != nil && registry.lastRun(of: .gc) != nil)
        #expect(try !registry.isEmpty)
        try expectReleases(registry, Self.versions[index].schema)
        let stable = try registry.channel(clock, "stable")
        #expect(stable.release == "2.0~4" && stable.rollout == 2_500 && stable.base == "1.1~2" && stable.sequence == 5)
        #expect(try registry.channel(clock, "beta").release == "2.1~5")
        #expect(try registry.channel(clock, "dev").release == "3.0~6+cd90f7c0e194")
        #expect(try registry.changes(since: 0, limit: 100).items.map(\.tag) == Array(1...12))
        let resolution = try registry.resolve(ResolveQuery(widgetIdentifier: "\(clock).Timer.x"))
        #expect(resolution.bundleIdentifier == "\(clock).Timer" && !resolution.candidates[0].files.isEmpty)
        // The registry works: the steps back are known, and a withdrawn release can be restored.
        #expect(try registry.rollback(clock, "stable", to: nil, by: "x").release == "1.1~2")
        #expect(try registry.audit(AuditQuery(limit: 1)).items.map(\.from?.release) == ["2.0~4"])
        // Bundles of before are found by their words.
        var query = SearchQuery(limit: 9)
        query.text = "clock"
        #expect(try registry.search(query).items.map(\.bundle.identifier) == [clock, "\(clock).Timer"])
        #expect(try registry.restore(clock, "1.2~3", by: "x").withdrawal == nil)
        #expect(try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
    }

    @Test(arguments: versions.indices) func `The catalog of an earlier program can be rebuilt`(_ index: Int) throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = try Self.copy(Self.versions[index].folder, in: scratch)
        let report = try Registry.rebuild(path, options: Self.options, policy: .init()) { _, _ in }
        #expect(report.bundles == 3 && report.releases == 9 && report.withdrawn == 3 && report.channels == 4)
        #expect(report.skipped.isEmpty && report.lost.isEmpty && report.damaged.isEmpty && report.recovered.isEmpty)
        try expectReleases(try Registry(opening: path, options: Self.options), Self.versions[index].schema)
    }

    @Test(arguments: versions.indices) func `A backup of an earlier program can be restored`(_ index: Int) throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = "\(scratch.path)/data"
        let backup = "\(Self.kept(Self.versions[index].folder))/backup.tar"
        let report = try Registry.restore(path, from: .reading(backup), options: Self.options) { _, _ in }
        #expect(report.releases == 9 && report.tokens == 3 && report.archives == 8 && report.missing.isEmpty)
        let registry = try Registry(opening: path, options: Self.options)
        try expectReleases(registry, Self.versions[index].schema)
        let isAudited = Self.versions[index].schema >= Self.audited
        #expect(try registry.tokens().allSatisfy { $0.keepsEarlierRights == !isAudited })
        let stable = try registry.channel(clock, "stable")
        #expect(stable.release == "2.0~4" && stable.rollout == 2_500 && stable.base == "1.1~2")
        #expect(try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
    }

    @Test(arguments: versions.indices)
    func `Releases of an earlier program expire by rules, and count for quotas`(_ index: Int) throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = try Self.copy(Self.versions[index].folder, in: scratch)
        let prefix = try #require(BundlePrefix("com.example"))
        var options = Registry.Options(in: World(clock: ManualClock(date: .seconds(1_796_400_000))))
        options.retention = { RetentionPolicy([RetentionRule(prefix, last: 1)], rollbacks: 0) }
        options.quotas = { QuotaPolicy([QuotaRule(prefix, releases: 8)]) }
        let registry = try Registry(opening: path, options: options)
        func publish() throws { try registry.publish(Upload(identifier: "com.example.New")) }
        #expect(try registry.usage(of: .all).stored == StoredUsage(releases: 8, bytes: 4_123))
        #expect(throws: RegistryError.self) { try publish() }
        #expect(try registry.reviewRetention()?.count == 1)
        // One of eight is more than a tenth, so the first collection waits for its owner's word.
        #expect(try registry.collect(grace: 3_600, isDryRun: false) { _, _ in }.expired.waitsUntil != nil)
        let report = try registry.collect(grace: 3_600, isDryRun: false, isConfirmed: true) { _, _ in }
        // Channels keep what they show, and the base of a rollout.
        #expect(report.expired.items.map(\.key) == ["1.0~1"] && report.expired.waitsUntil == nil)
        let alive = try registry.releases(clock, limit: 99, after: nil).items.filter { !$0.isGone }.map(\.key)
        #expect(alive == ["3.0~6+cd90f7c0e194", "2.1~5", "2.0~4", "1.1~2"])
        // The retired snapshot has ended as well.
        #expect(try registry.usage(of: prefix).stored.releases == 6)
        try publish()
        #expect(try registry.restore(clock, "1.2~3", by: "x").withdrawal == nil)
        #expect(try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
    }

    private let clock = "com.example.Clock"

    /// Expects the releases that the notes beside the archives have, and so every way to a catalog.
    private func expectReleases(_ registry: Registry, _ schema: Int64) throws {
        let blank = schema >= Self.worded ? " " : "+"
        #expect(
            try registry.bundles(BundleQuery(limit: 9)).items.map(\.identifier)
                == [clock, "\(clock).Timer", "com.example.Old"])
        let releases = try registry.releases(clock, limit: 99, after: nil).items
        #expect(
            releases.map(\.key).sorted() == [
                "1.0~1", "1.1~2", "1.2~3", "2.0~4", "2.1~5", "3.0~6+95299500ead2", "3.0~6+cd90f7c0e194",
            ])
        #expect(releases.allSatisfy { $0.publishedBy == "admin" && $0.minimumOSVersion == "12.0" })
        // Notes came later.
        #expect(releases.allSatisfy { $0.remarks.named.isEmpty })
        for release in releases {
            #expect(try registry.files(clock, release.key).files.count == 2)
            #expect(try !registry.report(clock, release.key).report.isEmpty)
            #expect(try registry.openBlob(release.digest).byteCount == release.byteCount)
        }
        #expect(try registry.release(clock, "1.2~3").withdrawal?.reason == "hands\(blank)run\(blank)backwards")
        // Directives came later, and nothing that was withdrawn before has one.
        #expect(releases.allSatisfy { $0.withdrawal.map { $0.directive == .keep } ?? true })
        let retired = try registry.release(clock, "3.0~6+95299500ead2")
        #expect(retired.isSnapshot && retired.withdrawal?.reason == "later snapshots took its place")
        // Of the one whose time is over, the key and the reason are left.
        let old = try registry.release("com.example.Old", "1.0~1")
        #expect(old.withdrawal?.reason == "shows\(blank)the\(blank)wrong\(blank)time")
        #expect(throws: RegistryError.self) { try registry.files("com.example.Old", "1.0~1") }
    }

    // MARK: Later programs

    @Test func `A data directory of a later program is refused by its version, and left unchanged`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        let path = try Self.copy("catalog-1", in: scratch)
        let later: Int64 = 1_000
        do {
            try DatabaseConnection(opening: "\(path)/catalog.sqlite", for: .writing).script(
                "PRAGMA user_version = 1000;")
        }
        for _ in 0..<2 {
            #expect(throws: RegistryError.newerStore(version: later)) {
                try Registry(opening: path, options: Self.options)
            }
        }
        #expect(try DatabaseConnection(opening: "\(path)/catalog.sqlite", for: .writing).schemaVersion() == later)
    }

    @Test func `Each step of the schema ends with its own version`() throws {
        let scratch = try ScratchDirectory(in: Directory.temporary)
        _ = try Registry(opening: "\(scratch.path)/data", options: Self.options)
        let version = try DatabaseConnection(opening: "\(scratch.path)/data/catalog.sqlite", for: .writing)
            .schemaVersion()
        // The present version has no specimen yet; all before it have one.
        #expect(Self.versions.map(\.schema) == Array(1..<version))
    }
}
