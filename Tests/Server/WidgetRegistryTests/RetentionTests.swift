import LocalStore
import RegistryContract
import Testing
import WidgetBundles
import WidgetBytes
import WidgetFiles
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

private let day: Int64 = 86_400
private let hour: Int64 = 3_600

extension RetentionPolicy {
    /// - Parameter last: of all bundles.
    static func all(last: Int? = nil, age: Int64? = nil, rollbacks: Int = 1) -> RetentionPolicy {
        RetentionPolicy([RetentionRule(.all, last: last, age: age)], rollbacks: rollbacks)
    }
}

extension Registry {
    @discardableResult
    fileprivate func collect(isDryRun: Bool = false, isConfirmed: Bool = false) throws -> CollectReport {
        try collect(grace: hour, isDryRun: isDryRun, isConfirmed: isConfirmed) { _, _ in }
    }

    fileprivate func alive() throws -> [String] {
        try releases(sample, limit: 100, after: nil).items.filter { !$0.isGone }.map(\.key)
    }
}

@Suite struct `The rule of what is kept` {
    private static func candidate(_ id: Int64, published: Int64, shownUntil: Int64? = nil, isSnapshot: Bool = false)
        -> BundleHistory.Candidate
    {
        BundleHistory.Candidate(
            id: id, key: "1.\(id)~1", digest: Digest(repeating: UInt8(clamping: id)), byteCount: 10,
            isSnapshot: isSnapshot, published: published, shownUntil: shownUntil)
    }

    /// Of seven releases, all published long ago, the last one stays by its number.
    private let history = BundleHistory(
        traces: [BundleHistory.Trace(channel: "stable", shown: [5, 4], showed: [3], rollbacks: [2])],
        firstOfLast: (PublicationPlace(false, 7 * day, 7), PublicationPlace(true, 10 * day, 10)))

    private func stays(
        _ rule: RetentionRule, _ release: BundleHistory.Candidate,
        in history: BundleHistory = BundleHistory(traces: []),
        at now: Int64 = 100 * day
    ) -> [Stay] { rule.stays(release, in: history, at: now) }

    @Test func `A channel keeps what it shows, what was put on it last, and where rollbacks lead`() {
        let found = (1...7).map {
            stays(RetentionRule(.all, last: 1), Self.candidate($0, published: $0 * day), in: history)
        }
        #expect(
            found == [
                [], [.rollback(channel: "stable")], [.showed(channel: "stable")], [.shown(channel: "stable")],
                [.shown(channel: "stable")], [], [.last(1)],
            ])
        // A rule without a number keeps none by it.
        #expect(stays(RetentionRule(.all), Self.candidate(7, published: 7 * day), in: history) == [])
    }

    @Test func `A release is young to the second of its age, and what left a channel is kept for a day`() {
        let rule = RetentionRule(.all, age: 10 * day)
        var release = Self.candidate(7, published: 7 * day)
        #expect(stays(rule, release, at: 17 * day - 1) == [.young(until: 17 * day)])
        #expect(stays(rule, release, at: 17 * day) == [])
        release.shownUntil = 20 * day
        #expect(stays(rule, release, at: 21 * day - 1) == [.asked(until: 21 * day)])
        #expect(stays(rule, release, at: 21 * day) == [])
        release.restored = 30 * day
        #expect(stays(rule, release, at: 31 * day - 1) == [.asked(until: 31 * day)])
        #expect(stays(rule, release, at: 31 * day) == [])
    }

    @Test func `Snapshots take no places of releases`() {
        let rule = RetentionRule(.all, last: 1)
        let found = [9, 10].map {
            stays(rule, Self.candidate($0, published: $0 * day, isSnapshot: true), in: history)
        }
        #expect(found == [[], [.last(1)]])
        #expect(PublicationPlace(false, 9, 9) < PublicationPlace(true, 1, 1) && PublicationPlace(true, 1, 2) > .start)
        #expect(PublicationPlace(true, 1, 2) < PublicationPlace(true, 1, 3))
    }

    @Test func `Times at the end of numbers do not trap`() {
        let rule = RetentionRule(.all, age: .max)
        var release = Self.candidate(7, published: .max)
        #expect(stays(rule, release, at: .max - 1) == [.young(until: .max), .asked(until: .max)])
        release = Self.candidate(6, published: .min, shownUntil: .max)
        #expect(!stays(rule, release, at: .max - 1).isEmpty)
    }

    @Test func `The end of a release is known if nothing but time keeps it`() {
        let rule = RetentionRule(.all)
        #expect(RetentionStanding(rule: rule, stays: [.young(until: 9), .asked(until: 12)]).expires == 12)
        #expect(RetentionStanding(rule: rule, stays: [.young(until: 9), .last(3)]).expires == nil)
        #expect(RetentionStanding(rule: rule, stays: []).expires == nil)
    }

    @Test func `The longest prefix counts, and labels are whole`() throws {
        func prefix(_ text: String) throws -> BundlePrefix { try #require(BundlePrefix(text)) }
        let policy = RetentionPolicy([
            RetentionRule(try prefix("com.acme"), last: 3), RetentionRule(try prefix("com.acme.legal")),
            RetentionRule(.all, age: day),
        ])
        #expect(policy.rule(for: "com.acme")?.last == 3 && policy.rule(for: "com.acme.Clock")?.last == 3)
        #expect(policy.rule(for: "com.acme.legal.Terms") == nil)
        #expect(policy.rule(for: "com.acmes")?.age == day)
        #expect(policy.text == "* age=1d, com.acme last=3, com.acme.legal keep, rollbacks=10")
        #expect(RetentionPolicy([RetentionRule(.all)]).text.isEmpty)
        for text in ["", ".", "com..acme", "com.acme.", "com acme", "com/acme", String(repeating: "a", count: 200)] {
            #expect(BundlePrefix(text) == nil, "\(text)")
        }
    }
}

@Suite(.also(.cluster)) struct `Releases that expire` {
    private func open(
        _ storage: Storage, _ policy: RetentionPolicy, change: (inout Registry.Options) -> Void = { _ in }
    ) throws -> Registry {
        storage.fixture.clock.setDate(to: SystemClock().seconds)
        return try storage.registry { options in
            options.retention = { policy }
            change(&options)
        }
    }

    /// Publishes one after the other, two days apart.
    private func publish(_ registry: Registry, _ storage: Storage, _ versions: String...) throws {
        for version in versions {
            try registry.publish(version)
            storage.fixture.pass(seconds: 2 * day)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func `A dry run lists what hosts may still ask for, which follows within a day`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let registry = try open(storage, .all(last: 1))
        for version in ["1.0", "1.1", "1.2", "1.3"] {
            try registry.publish(version)
            storage.fixture.pass(seconds: 3_600)
        }
        let foretold = try registry.collect(isDryRun: true, isConfirmed: true).expired
        #expect(foretold.items.isEmpty && foretold.laterItems.map(\.key) == ["1.0~1", "1.1~1"])
        #expect(foretold.later.count == 2 && foretold.later.byteCount > 0)
        storage.fixture.pass(seconds: day)
        let report = try registry.collect(isConfirmed: true).expired
        #expect(report.items.map(\.key) == ["1.0~1", "1.1~1"] && report.laterItems.isEmpty)
        storage.end()
    }

    @Test(arguments: StorageKind.allCases)
    func `A release that nothing keeps expires: its key stays used, and its archive goes`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let registry = try open(storage, .all(last: 1))
        let feed = Seen()
        registry.observe { feed.add("\($0.kind) \($0.release) by \($0.by)") }
        try publish(registry, storage, "1.0", "1.1", "1.2", "1.3")
        let oldest = try registry.release(sample, "1.0~1")
        let foretold = try registry.collect(isDryRun: true, isConfirmed: true)
        #expect(foretold.expired.items.map(\.key) == ["1.0~1", "1.1~1"])
        #expect(foretold.expired.rules.map(\.rule) == ["* last=1"] && foretold.expired.releases == 4)
        #expect(foretold.expired.later.count == 0)
        #expect(foretold.archives.count == 2 && foretold.archives.byteCount == foretold.expired.amount.byteCount)
        #expect(try registry.alive() == ["1.3~1", "1.2~1", "1.1~1", "1.0~1"])
        let report = try registry.collect(isConfirmed: true)
        #expect(report.expired.amount == foretold.expired.amount && report.archives == foretold.archives)
        // 1.2 is where a rollback leads.
        #expect(try registry.alive() == ["1.3~1", "1.2~1"])
        #expect(feed.lines.suffix(2) == ["expire 1.0~1 by retention", "expire 1.1~1 by retention"])
        #expect(
            try registry.release(sample, "1.0~1").expiry == Expiry(at: storage.fixture.clock.seconds, rule: "* last=1"))
        let refusals = [
            try refusal { try registry.files(sample, "1.0~1") }, try refusal { try registry.report(sample, "1.0~1") },
            try refusal { try registry.setChannel(sample, "beta", ChannelSetting(release: "1.0~1"), by: "x") },
            try refusal { try registry.rollback(sample, "stable", to: "1.0~1", by: "x") },
        ]
        for refused in refusals {
            guard case .expired(sample, "1.0~1", _) = refused else {
                Issue.record("\(String(describing: refused))")
                continue
            }
        }
        guard case .keyExpired = try refusal({ try registry.publish("1.0") }) else {
            Issue.record("its key was given again")
            return
        }
        #expect(try registry.releaseOfBlob(oldest.digest).lastGone?.key == "1.0~1")
        #expect(
            try storage.item(.blob(oldest.digest)) == nil
                && storage.item(.expiry(oldest.digest, key: "1.0~1")) != nil)
        #expect(try registry.resolve(ResolveQuery(widgetIdentifier: sample)).withdrawn.isEmpty)
        #expect(try registry.rollback(sample, "stable", to: nil, by: "x").release == "1.2~1")
        #expect(try registry.audit(AuditQuery(limit: 3)).items.map(\.act) == [.rollback, .expire, .expire])
        #expect(try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
        #expect(try registry.usage(of: .all).stored.releases == 2)
        #expect(try registry.collect().expired.amount.count == 0)
    }

    @Test(arguments: StorageKind.allCases)
    func `An expired release can be withdrawn, and is not restored`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let registry = try open(storage, .all(last: 1, rollbacks: 0))
        try publish(registry, storage, "1.0", "1.1")
        try registry.collect(isConfirmed: true)
        let release = try registry.withdraw(sample, "1.0~1", reason: "leaks", directive: .stop, by: "x")
        #expect(release.withdrawal?.reason == "leaks" && release.expiry != nil)
        #expect(try registry.resolve(ResolveQuery(widgetIdentifier: sample)).withdrawn.map(\.key) == ["1.0~1"])
        let expiry = try #require(release.expiry)
        #expect(
            try refusal { try registry.restore(sample, "1.0~1", by: "x") }
                == .expired(bundle: sample, key: "1.0~1", expiry))
        #expect(try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
        storage.fixture.pass(seconds: 40 * day)
        try registry.collect()
        for note in [StoredItem.tombstone, StoredItem.expiry] {
            #expect(try storage.item(note(release.digest, release.key)) != nil)
        }
    }

    @Test(arguments: StorageKind.allCases)
    func `An expired snapshot can be published again`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        let registry = try open(storage, .all(last: 1, rollbacks: 0))
        let first = try registry.publish("1.0", to: "dev", content: "[1]").release
        storage.fixture.pass(seconds: 2 * day)
        try registry.publish("1.0", to: "dev", content: "[2]")
        storage.fixture.pass(seconds: 2 * day)
        try registry.collect(isConfirmed: true)
        #expect(try registry.release(sample, first.key).expiry != nil)
        let again = try registry.publish("1.0", to: "dev", content: "[1]")
        #expect(again.outcome == .created && again.release.key == first.key && again.release.expiry == nil)
        #expect(try registry.files(sample, first.key).files.count == 2)
        #expect(try registry.usage(of: .all).stored.releases == 2)
        try registry.collect()
        #expect(try storage.item(.expiry(first.digest, key: first.key)) == nil)
        #expect(try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
    }

    @Test func `Changed rules that would remove much wait for a day or for their owner`() throws {
        let storage = try Storage(.local)
        let policy = Guarded(RetentionPolicy())
        storage.fixture.clock.setDate(to: SystemClock().seconds)
        let registry = try storage.registry { $0.retention = { policy.withLock { $0 } } }
        for number in 0..<20 { try registry.publish("1.\(number)") }
        storage.fixture.pass(seconds: 10 * day)
        #expect(try registry.collect().expired.amount.count == 0 && registry.reviewRetention() == nil)
        let now = storage.fixture.clock.seconds
        // Little is removed at once.
        policy.withLock { $0 = .all(last: 18) }
        #expect(try registry.reviewRetention()?.waitsUntil == nil)
        #expect(try registry.collect().expired.amount.count == 2)
        policy.withLock { $0 = .all(last: 5) }
        let review = try #require(try registry.reviewRetention())
        #expect(review.count == 13 && review.all == 18 && review.byteCount > 0 && review.waitsUntil == now + day)
        #expect(try registry.retentionGuard().pending == "* last=5, rollbacks=1")
        storage.fixture.pass(seconds: hour)
        let waiting = try registry.collect()
        #expect(waiting.expired.waitsUntil == now + day && waiting.expired.amount.count == 0)
        #expect(try registry.collect(isDryRun: true).expired.amount.count == 13)
        // Another change waits for another day.
        policy.withLock { $0 = .all(last: 6) }
        #expect(try registry.collect().expired.waitsUntil == now + hour + day)
        storage.fixture.pass(seconds: day - 1)
        #expect(try registry.collect().expired.amount.count == 0)
        storage.fixture.pass(seconds: 1)
        #expect(try registry.collect().expired.amount.count == 12)
        #expect(try registry.retentionGuard() == RetentionGuard(applied: "* last=6, rollbacks=1"))
        policy.withLock { $0 = .all(last: 2) }
        #expect(try registry.collect().expired.waitsUntil != nil)
        #expect(try registry.collect(isConfirmed: true).expired.amount.count == 4)
        // Rules that were taken back do not wait any more.
        policy.withLock { $0 = .all(last: 1, rollbacks: 0) }
        #expect(try registry.reviewRetention()?.waitsUntil != nil)
        policy.withLock { $0 = .all(last: 2) }
        #expect(try registry.reviewRetention() == nil && registry.retentionGuard().pending == nil)
    }

    @Test func `A change is as large as it will be when hosts no longer ask for what is new`() throws {
        let storage = try Storage(.local)
        storage.fixture.clock.setDate(to: SystemClock().seconds)
        let registry = try storage.registry { $0.retention = { .all(last: 1, rollbacks: 0) } }
        for number in 0..<20 { try registry.publish("1.\(number)") }
        let now = storage.fixture.clock.seconds
        let waiting = try registry.collect().expired
        #expect(waiting.amount.count == 0 && waiting.waitsUntil == now + day)
        #expect(try registry.reviewRetention()?.count == 19)
        storage.fixture.pass(seconds: day)
        #expect(try registry.collect().expired.amount.count == 19)
    }

    @Test func `After a catalog was made anew, also a small removal waits for its owner`() throws {
        let storage = try Fixture()
        storage.clock.setDate(to: SystemClock().seconds)
        func options(_ options: inout Registry.Options) { options.retention = { .all(last: 19, rollbacks: 0) } }
        func publish() throws {
            let registry = try storage.open(options)
            for number in 0..<20 { try registry.publish("1.\(number)") }
            storage.pass(seconds: 10 * day)
            #expect(try registry.reviewRetention()?.waitsUntil == nil)
        }
        try publish()
        var rebuilding = Registry.Options(in: World(clock: storage.clock))
        options(&rebuilding)
        _ = try Registry.rebuild(storage.path, options: rebuilding, policy: .init()) { _, _ in }
        let registry = try storage.open(options)
        #expect(try registry.collect().expired.waitsUntil != nil && registry.alive().count == 20)
        #expect(try registry.collect(isConfirmed: true).expired.amount.count == 1)
        #expect(try registry.retentionGuard() == RetentionGuard(applied: "* last=19, rollbacks=0"))
    }

    @Test func `A mirror that was cut off keeps for a day what its hosts were shown until it followed`() throws {
        let origin = try Storage(.memory)
        let mirror = try Storage(.memory)
        let registry = try origin.registry { $0.retention = { .all(last: 1, rollbacks: 0) } }
        let copy = try mirror.registry { $0.snapshotsKept = .max }
        func follow() throws {
            let releases = try registry.releases(sample, limit: 100, after: nil).items.reversed()
            var adopted: [Release] = []
            for var release in releases where !release.isGone {
                release.channels = []
                guard try !copy.holds(release) else { continue }
                let staged = try copy.stage()
                let taken = try BundleIntake().take(
                    registry.openBlob(release.digest).file.descriptor, into: staged.file)
                try copy.adopt(release, taken, report: Array("{}".utf8), archive: staged)
                adopted.append(release)
            }
            try copy.follow(
                MirroredBundle(
                    sample,
                    releases: releases.map { release in
                        var plain = release
                        plain.channels = []
                        return plain
                    }, isComplete: true, channels: registry.channels(sample), adopted: adopted))
        }
        try registry.publish("1.0")
        try follow()
        try registry.publish("1.1")
        for storage in [origin, mirror] { storage.fixture.pass(seconds: 3 * day) }
        #expect(try registry.collect(isConfirmed: true).expired.amount.count == 1)
        // The mirror has shown 1.0 until now. It is still there when the bundle is looked at again.
        for _ in 0..<2 {
            try follow()
            #expect(try copy.channel(sample, "stable").release == "1.1~1")
            #expect(try copy.release(sample, "1.0~1").expiry == nil && copy.files(sample, "1.0~1").files.count == 2)
            mirror.fixture.pass(seconds: hour)
        }
        mirror.fixture.pass(seconds: day)
        try follow()
        #expect(try copy.release(sample, "1.0~1").expiry != nil)
    }

    @Test func `A rebuilt catalog knows the keys of expired releases, and a restored one waits`() throws {
        let storage = try Fixture()
        storage.clock.setDate(to: SystemClock().seconds)
        let options = { (options: inout Registry.Options) in options.retention = { .all(last: 1, rollbacks: 0) } }
        func backedUp() throws -> FileDescriptor {
            let registry = try storage.open(options)
            for version in ["1.0", "1.1", "1.2"] {
                try registry.publish(version)
                storage.pass(seconds: 2 * day)
            }
            var written: [UInt8] = []
            _ = try registry.backUp(server: "test", begin: { _ in }) { written += $0 }
            try registry.collect(isConfirmed: true)
            let file = try FileDescriptor.unnamed(inDirectory: TemporaryPlace.path)
            try file.write(written, at: 0)
            return file
        }
        let backup = try backedUp()
        var rebuilding = Registry.Options(in: World(clock: storage.clock))
        options(&rebuilding)
        let report = try Registry.rebuild(storage.path, options: rebuilding, policy: .init()) { _, _ in }
        #expect(report.expired == 2 && report.releases == 3 && report.withdrawn == 0 && report.skipped.isEmpty)
        do {
            let registry = try storage.open(options)
            #expect(try registry.alive() == ["1.2~1"])
            #expect(try registry.release(sample, "1.0~1").expiry?.rule == "* last=1")
            guard case .keyExpired = try refusal({ try registry.publish("1.0") }) else {
                Issue.record("its key was given again")
                return
            }
            #expect(try registry.usage(of: .all).stored.releases == 1)
        }
        _ = try Registry.restore(storage.path, from: backup, options: rebuilding) { _, _ in }
        let registry = try storage.open(options)
        #expect(try registry.alive() == ["1.2~1", "1.1~1", "1.0~1"])
        // What has expired since the backup does not go again before its owner has seen it.
        #expect(try registry.collect().expired.waitsUntil != nil)
        #expect(try registry.files(sample, "1.0~1").files.count == 2)
        #expect(try registry.collect(isConfirmed: true).expired.amount.count == 2)
        #expect(try registry.scrub(rate: nil, pause: { _ in }, progress: { _, _ in }).isSound)
    }
}
