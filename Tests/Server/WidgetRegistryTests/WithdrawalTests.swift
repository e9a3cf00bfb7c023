import RegistryContract
import Testing

@testable import WidgetRegistry

@Suite struct `Withdrawing` {
    let registry: Registry
    private let fixture: Fixture

    init() throws {
        fixture = try Fixture()
        registry = try fixture.open()
    }

    @discardableResult
    func withdraw(_ key: String) throws -> Release { try registry.withdraw(sample, key, reason: "crashes", by: "x") }

    @discardableResult
    func restore(_ key: String) throws -> Release { try registry.restore(sample, key, by: "y") }

    func tombstones(_ release: Release) throws -> [String] {
        try fixture.shard(of: release.digest).filter { $0.hasSuffix(".withdrawn.json") }
    }

    @Test
    func `A directive is kept in the note beside the archive, and listed for hosts until the release is restored`()
        throws
    {
        try registry.publish("1.0")
        try registry.publish("1.1")
        let release = try registry.withdraw(sample, "1.0~1", reason: "crashes", directive: .builtIn, by: "x")
        #expect(release.withdrawal == Withdrawal(at: 1_000_000, reason: "crashes", directive: .builtIn))
        let resolution = try registry.resolve(ResolveQuery(widgetIdentifier: sample))
        #expect(resolution.candidates.map(\.release.key) == ["1.1~1"])
        #expect(resolution.withdrawn.map(\.key) == ["1.0~1"])
        #expect(resolution.withdrawn.map(\.contentDigest) == [release.contentDigest])
        // The catalog that is made of the notes has it too.
        let withdrawal = Withdrawal(at: 1_000_000, reason: "crashes", directive: .builtIn)
        let note = Tombstone(release: release, end: .withdrawal(withdrawal, by: "x"))
        #expect(Tombstone(parsing: note.bytes)?.end == note.end)
        // With nothing left, the refusal has the list.
        try withdraw("1.1~1")
        guard case .nothingLeft(_, "1.1~1", let last, let others) = try refusal({ try registry.shown() }) else {
            Issue.record("the refusal has no list")
            return
        }
        #expect(last.directive == .keep && others.map(\.key) == ["1.0~1"])
        try restore("1.0~1")
        guard case .withdrawn = try refusal({ try registry.shown() }) else {
            Issue.record("the list still has a restored release")
            return
        }
    }

    @Test func `Withdrawing the only release leaves its channel with nothing to show`() throws {
        try registry.publish("1.0")
        let release = try withdraw("1.0~1")
        let withdrawal = Withdrawal(at: 1_000_000, reason: "crashes")
        #expect(release.withdrawal == withdrawal && release.channels == ["stable"])
        #expect(
            try refusal { try registry.shown() } == .withdrawn(bundle: sample, key: "1.0~1", withdrawal))
        let bundle = try registry.bundle(sample)
        #expect(bundle.latest == nil && bundle.releaseCount == 1 && bundle.name == "Sample")
        #expect(bundle.channels.map(\.sequence) == [2])
        #expect(try registry.releases(sample, limit: 5, after: nil).items == [release])
        #expect(try registry.report(sample, "1.0~1").release.withdrawal == withdrawal)
        #expect(try registry.releaseOfBlob(release.digest).lastGone?.withdrawal == withdrawal)
        #expect(try tombstones(release).count == 1)
        let change = try #require(try registry.changes(since: 1, limit: 5).items.first)
        #expect(change.kind == .withdraw && change.channel == "stable" && change.sequence == 2)
        // A shorter identifier does not answer instead.
        try registry.publish(Upload(identifier: "com.example"))
        #expect(try refusal { try registry.shown() } != nil)
        // The next release is shown at once, and the channel is well again.
        try registry.publish("0.9", rollout: 100)
        #expect(try registry.shown() == ["0.9~1 0-100"])
    }

    @Test func `Withdrawing twice is accepted, and keeps the first reason`() throws {
        try registry.publish("1.0")
        let first = try withdraw("1.0~1")
        fixture.pass(seconds: 10)
        #expect(try registry.withdraw(sample, "1.0~1", reason: "other", by: "z") == first)
        #expect(registry.latestTag == 2)
        #expect(try refusal { try withdraw("2~2") } == .noSuchRelease(bundle: sample, key: "2~2"))
    }

    @Test func `Withdrawing a partly rolled out release gives all buckets to its base`() throws {
        try registry.publish("1.0")
        try registry.publish("1.1", rollout: 2_500)
        try withdraw("1.1~1")
        #expect(try registry.shown() == ["1.0~1 0-10000"])
        #expect(try registry.channel(sample, "stable").sequence == 3)
    }

    @Test func `Withdrawing the base lets the highest release of the channel's history take its place`() throws {
        for version in ["1.0", "1.1", "1.2"] { try registry.publish(version) }
        try registry.publish("1.9", to: "beta")
        let during = try #require(try registry.publish("2.0", rollout: 2_500).channel)
        try withdraw("1.2~1")
        #expect(try registry.shown() == ["2.0~1 0-2500", "1.1~1 2500-10000"])
        #expect(try registry.channel(sample, "stable").salt == during.salt)
        try withdraw("1.1~1")
        try withdraw("1.0~1")
        #expect(try registry.shown() == ["2.0~1 0-2500"])
        try withdraw("2.0~1")
        #expect(try refusal { try registry.shown() } != nil)
        #expect(try registry.shown("beta") == ["1.9~1 0-10000"])
    }

    @Test func `Withdrawing a fully rolled out release lets the highest of the channel's history take all buckets`()
        throws
    {
        for version in ["1.0", "1.2"] { try registry.publish(version) }
        try registry.publish("1.1", force: true)
        try withdraw("1.1~1")
        #expect(try registry.shown() == ["1.2~1 0-10000"])
    }

    @Test func `Withdrawing a release that no channel shows adds one line to the feed`() throws {
        try registry.publish("1.0")
        try registry.publish("1.1")
        try withdraw("1.0~1")
        let change = try #require(try registry.changes(since: 2, limit: 5).items.first)
        #expect(change.kind == .withdraw && change.channel == nil && change.sequence == nil)
        #expect(try registry.channel(sample, "stable").sequence == 2)
    }

    @Test func `Withdrawing keeps the key: its content can be restored, other content needs another`() throws {
        let first = try registry.publish("1.0").release
        let withdrawn = try withdraw("1.0~1")
        guard
            case .keyWithdrawn(sample, "1.0~1", let stored, let offered, let withdrawal) = try refusal({
                try registry.publish("1.0")
            })
        else {
            Issue.record("published under a withdrawn key")
            return
        }
        #expect(stored == offered && stored == first.contentDigest && withdrawal == withdrawn.withdrawal)
        guard
            case .keyWithdrawn(_, _, let kept, let other, _) = try refusal({
                try registry.publish("1.0", content: "[2]")
            })
        else {
            Issue.record("published under a withdrawn key")
            return
        }
        #expect(kept == first.contentDigest && other != kept)
    }

    @Test func `Withdrawing and restoring returns a channel to its former state`() throws {
        try registry.publish("1.0")
        try registry.publish("1.1", rollout: 2_500)
        try registry.publish("1.0", to: "beta")
        let before = try registry.channel(sample, "stable")
        for key in ["1.1~1", "1.0~1"] {
            try withdraw(key)
            let release = try restore(key)
            #expect(release.withdrawal == nil)
            let after = try registry.channel(sample, "stable")
            #expect(after.release == before.release && after.base == before.base && after.rollout == before.rollout)
            #expect(after.salt == before.salt)
            #expect(try tombstones(release).isEmpty)
        }
        #expect(try registry.channel(sample, "stable").sequence == before.sequence + 4)
        let last = try registry.changes(since: 3, limit: 20).items.map { "\($0.kind) \($0.channel ?? "-")" }
        #expect(
            last == [
                "withdraw stable", "restore stable", "withdraw beta", "withdraw stable", "restore beta",
                "restore stable",
            ])
        // The history is what it was, too.
        #expect(try registry.rollback(sample, "stable", to: nil, by: "x").release == "1.0~1")
        #expect(try restore("1.0~1").withdrawal == nil)
    }

    @Test func `Restoring leaves a channel alone that has moved since`() throws {
        try registry.publish("1.0")
        try registry.publish("1.1")
        try withdraw("1.1~1")
        _ = try registry.setChannel(sample, "stable", ChannelSetting(release: "1.0~1", rollout: 10), by: "x")
        let before = try registry.channel(sample, "stable")
        try restore("1.1~1")
        #expect(try registry.channel(sample, "stable") == before)
        #expect(try registry.changes(since: 4, limit: 5).items.map(\.channel) == [nil])
        #expect(try registry.bundle(sample).latest == "1.1~1")
    }

    @Test func `A withdrawal can be undone inside its window only`() throws {
        try registry.publish("1.0")
        #expect(try refusal { try restore("1.0~1") } == .notWithdrawn(bundle: sample, key: "1.0~1"))
        try withdraw("1.0~1")
        fixture.pass(seconds: 30 * 86_400)
        try restore("1.0~1")
        #expect(try registry.shown() == ["1.0~1 0-10000"])
        try withdraw("1.0~1")
        fixture.pass(seconds: 30 * 86_400 + 1)
        #expect(
            try refusal { try restore("1.0~1") }
                == .restoreTooLate(bundle: sample, key: "1.0~1", until: 1_000_000 + 60 * 86_400))
    }

    @Test func `Withdrawing one of two releases leaves the archive they share`() throws {
        let snapshot = try registry.publish("1.0", to: "dev").release
        try registry.publish("1.0")
        try withdraw("1.0~1")
        #expect(try registry.releaseOfBlob(snapshot.digest).lastGone == nil)
        fixture.pass(seconds: 1)
        try withdraw(snapshot.key)
        #expect(try registry.releaseOfBlob(snapshot.digest).lastGone?.key == snapshot.key)
    }
}
