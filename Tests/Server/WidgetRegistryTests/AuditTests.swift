import LocalStore
import MemoryStore
import RegistryContract
import Testing
import WidgetBytes
import WidgetRegistry
import WidgetTestSupport

/// Goal: every accepted act leaves a record of who moved what from where to where, and nothing else does.
@Suite struct `The audit of a registry` {
    private let fixture: Fixture
    private let registry: Registry
    private let author = Author("ci", token: 7, client: "192.0.2.1", request: "r1", agent: "curl/8")

    init() throws {
        fixture = try Fixture()
        registry = try fixture.open()
    }

    /// Oldest first.
    private func records(_ registry: Registry? = nil) throws -> [AuditRecord] {
        try (registry ?? self.registry).audit(AuditQuery(limit: 200)).items.reversed()
    }

    private func shown(_ key: String, _ rollout: Int = 10_000, mandatory: Bool = false) -> AuditRecord.Shown {
        AuditRecord.Shown(release: key, rollout: rollout, isMandatory: mandatory)
    }

    private func publish(_ version: String, rollout: Int = 10_000, force: Bool = false) throws {
        try registry.publish(
            Upload(version: version, content: "[\"\(version)\"]"),
            PublishRequest(.to("stable", rollout: rollout, forcesPromotion: force, note: "a note"), by: author))
    }

    @Test func `A publication is recorded with its author, its bytes, and the state of the channel before`() throws {
        try publish("1.0")
        try publish("2.0", rollout: 2_500)
        let found = try records()
        #expect(found.map(\.act) == [.publish, .publish] && found.map(\.number) == [1, 2])
        #expect(found[0].author == author && found[0].at == 1_000_000 && found[0].subject == sample)
        #expect(found[0].release == "1.0~1" && found[0].channel == "stable" && found[0].remark == "a note")
        #expect(found[0].from == nil && found[0].to == shown("1.0~1") && !found[0].isForced)
        let release = try registry.release(sample, "1.0~1")
        #expect(found[0].digest == release.digest && found[0].contentDigest == release.contentDigest)
        #expect(found[1].from == shown("1.0~1") && found[1].to == shown("2.0~1", 2_500))
    }

    @Test func `A publication that changes nothing, is refused or is a dry run leaves no record`() throws {
        try publish("1.0")
        try publish("1.0")
        #expect(try refusal { try registry.publish("1.0", content: "[]") } != nil)
        _ = try registry.judge(Upload(version: "9.0"))
        #expect(try refusal { try registry.rollback(sample, "stable", to: nil, by: author) } != nil)
        #expect(try refusal { try registry.withdraw(sample, "7.0~1", reason: "r", by: author) } != nil)
        _ = try registry.setChannel(sample, "stable", ChannelSetting(release: "1.0~1"), by: author)
        #expect(try records().count == 1)
    }

    @Test func `A4: a lower version on a channel is recorded as forced, and only that`() throws {
        try publish("1.0", force: true)
        try publish("2.0")
        // Stored, and not shown.
        try publish("1.5")
        try publish("1.0", force: true)
        let found = try records()
        #expect(found.map(\.isForced) == [false, false, false, true])
        #expect(found[2].channel == nil && found[2].from == nil && found[2].to == nil)
        #expect(found[3].act == .publish && found[3].from == shown("2.0~1") && found[3].to == shown("1.0~1"))
        #expect(found[3].remark == nil)
    }

    @Test func `Promotions, rollbacks, withdrawals and restorings are recorded with both states of the channel`() throws
    {
        for version in ["1.0", "2.0"] { try publish(version) }
        _ = try registry.setChannel(
            sample, "beta", ChannelSetting(release: "2.0~1", rollout: 100, isMandatory: true), by: author)
        _ = try registry.setChannel(sample, "stable", ChannelSetting(release: "2.0~1", rollout: 50), by: author)
        _ = try registry.rollback(sample, "stable", to: nil, by: author)
        _ = try registry.rollback(sample, "stable", to: "2.0~1", by: author)
        _ = try registry.withdraw(sample, "2.0~1", reason: "crashes", by: author)
        _ = try registry.withdraw(sample, "2.0~1", reason: "again", by: author)
        _ = try registry.restore(sample, "2.0~1", by: author)
        _ = try registry.restore(sample, "2.0~1", by: author)
        let found = try records().dropFirst(2)
        #expect(
            found.map(\.act) == [.promote, .promote, .rollback, .rollback, .withdraw, .withdraw, .restore, .restore])
        #expect(
            found.map { [$0.channel, $0.release] } == [
                ["beta", "2.0~1"], ["stable", "2.0~1"], ["stable", "1.0~1"], ["stable", "2.0~1"], ["beta", "2.0~1"],
                ["stable", "2.0~1"], ["beta", "2.0~1"], ["stable", "2.0~1"],
            ])
        #expect(
            found.map(\.from) == [
                nil, shown("2.0~1"), shown("2.0~1", 50), shown("1.0~1"),
                shown("2.0~1", 100, mandatory: true), shown("2.0~1"), found[6].to,
                shown("1.0~1"),
            ])
        #expect(found[2].to == shown("2.0~1", 100, mandatory: true) && found[3].to == shown("2.0~1", 50))
        #expect(found[7].to == shown("1.0~1") && found[9].to == shown("2.0~1"))
        #expect(found[6].remark == "crashes" && found.allSatisfy { $0.author == author && $0.digest != nil })
    }

    @Test func `Records name tokens by number, and work on the whole store`() throws {
        let digest = try #require(Digest.sha256([1]))
        let wanted = Token(name: "late", prefix: "com.example", scopes: [.publish, .read], created: 1)
        let token = try registry.createToken(wanted, digest: digest, by: author)
        try registry.revokeToken(token.identity, by: author)
        try registry.note(.gc, by: "schedule", "3 archives removed")
        let found = try records()
        #expect(found.map(\.act) == [.createToken, .revokeToken, .gc])
        #expect(found[0].token == token.identity && found[1].token == token.identity && token.number == 1)
        #expect(found[0].remark == "read publish" && found[0].subject == "com.example")
        #expect(found[2].remark == "3 archives removed" && found[2].subject.isEmpty && found[2].author == "schedule")
    }

    @Test func `The audit is read in pages, each ending with the position of the next`() throws {
        for number in 1...5 { try registry.note(.scrub, by: "schedule", "\(number)") }
        var query = AuditQuery(limit: 2)
        var pages: [[Int64]] = []
        while true {
            let page = try registry.audit(query)
            pages.append(page.items.map(\.number))
            guard let next = page.next else { break }
            query.before = try #require(Int64(next))
        }
        #expect(pages == [[5, 4], [3, 2], [1]])
    }

    @Test func `Records are kept for their time, and then removed by the collection of garbage`() throws {
        for number in 1...1_200 { try registry.note(.scrub, by: "schedule", "\(number)") }
        fixture.pass(seconds: 400 * 86_400)
        #expect(try registry.collect(grace: 60, isDryRun: false) { _, _ in }.auditRecords == 0)
        fixture.pass(seconds: 1)
        #expect(try registry.collect(grace: 60, isDryRun: true) { _, _ in }.auditRecords == 0)
        // More than one step.
        #expect(try registry.collect(grace: 60, isDryRun: false) { _, _ in }.auditRecords == 1_199)
        #expect(try records().map(\.number) == [1_200])
        try registry.publish("1.0")
        #expect(try records().map(\.number) == [1_200, 1_201])
    }
}

/// An act and its record are one transaction: a record that cannot be stored takes its act with it.
@Suite struct `An act whose record cannot be stored` {
    private let storage: Storage
    private let catalog: MemoryCatalog
    private let registry: Registry
    private let failure = RegistryError.damaged("no record can be stored")

    init() throws {
        storage = try Storage(.memory)
        catalog = try #require(storage.catalog as? MemoryCatalog)
        registry = try storage.registry()
        for version in ["1.0", "1.1", "1.2"] { try registry.publish(version) }
        try registry.publish("1.1", to: "beta")
        _ = try registry.withdraw(sample, "1.0~1", reason: "r", by: "x")
        try registry.createToken(token("kept"), digest: #require(Digest.sha256([1])), by: "x")
    }

    private func token(_ name: String) -> Token { Token(name: name, prefix: "", scopes: [.publish], created: 1) }

    /// All that readers, hosts and operators can see.
    private func state() throws -> String {
        let bundles = try registry.bundles(BundleQuery(limit: 99)).items
        let releases = try registry.releases(sample, limit: 99, after: nil).items
        let feed = try registry.changes(since: 0, limit: 99).items
        let audit = try registry.audit(AuditQuery(limit: 99)).items
        var items = 0
        for byte in UInt8.min...UInt8.max { items += try storage.blobs.items(beginning: byte).count }
        return "\(bundles)\n\(releases)\n\(feed)\n\(audit)\n\(try registry.tokens())\n\(items) \(registry.latestTag)"
    }

    private func acts(_ name: String) -> [(String, () throws -> Void)] {
        let registry = registry
        let other = token("other \(name)".replacing(" ", with: "-"))
        return [
            ("publishing a bundle", { try registry.publish(Upload(identifier: "org.example.New")) }),
            ("publishing a release", { try registry.publish("2.0") }),
            ("publishing to a further channel", { try registry.publish("1.2", to: "third") }),
            ("storing a lower release", { try registry.publish("0.5") }),
            (
                "promoting",
                { _ = try registry.setChannel(sample, "beta", ChannelSetting(release: "1.2~1"), by: "x") }
            ),
            ("rolling back", { _ = try registry.rollback(sample, "stable", to: nil, by: "x") }),
            ("withdrawing", { _ = try registry.withdraw(sample, "1.2~1", reason: "r", by: "x") }),
            ("restoring", { _ = try registry.restore(sample, "1.0~1", by: "x") }),
            ("deleting a channel", { try registry.deleteChannel(sample, "beta", by: "x") }),
            (
                "making a token",
                { try registry.createToken(other, digest: #require(Digest.sha256([2])), by: "x") }
            ),
            (
                "revoking a token",
                { try registry.revokeToken(#require(try registry.tokens().first).identity, by: "x") }
            ),
            ("work on the store", { try registry.note(.gc, by: "schedule", "done") }),
        ]
    }

    @Test func `An act whose record cannot be stored fails, and leaves nothing`() throws {
        let before = try state()
        catalog.refuseAudit(with: failure)
        for (name, act) in acts("refused") {
            #expect(try refusal(act) == failure, "\(name)")
            #expect(try state() == before, "\(name)")
        }
        catalog.refuseAudit(with: nil)
        #expect(try state() == before)
        // Each of them would have changed something, and been recorded.
        for (name, act) in acts("accepted") {
            let count = try registry.audit(AuditQuery(limit: 99)).items.count
            #expect(try refusal(act) == nil, "\(name)")
            #expect(try registry.audit(AuditQuery(limit: 99)).items.count > count, "\(name)")
        }
        storage.end()
    }
}

@Suite struct `The audit of a catalog that is replaced` {
    private let fixture: Fixture
    private let token = Token(name: "late", prefix: "", scopes: [.admin], created: 1)
    private let digest: Digest

    init() throws {
        fixture = try Fixture()
        digest = try #require(Digest.sha256([1]))
    }

    /// The records of a store, oldest first.
    private static func records(_ fixture: Fixture) throws -> [AuditRecord] {
        try fixture.open().audit(AuditQuery(limit: 200)).items.reversed()
    }

    /// Publishes a release and makes a token.
    private func fill() throws {
        let registry = try fixture.open()
        try registry.publish("1.0")
        try registry.createToken(token, digest: digest, by: "x")
    }

    @Test func `The audit and the names of tokens survive a rebuilt catalog`() throws {
        try fill()
        let before = try Self.records(fixture)
        #expect(try fixture.rebuild().auditRecords == 2)
        let found = try Self.records(fixture)
        #expect(Array(found.prefix(2)) == before && found.map(\.act) == [.publish, .createToken, .reindex])
        let registry = try fixture.open()
        #expect(try registry.tokens().isEmpty)
        #expect(try refusal { try registry.createToken(token, digest: digest, by: "x") } == .tokenExists("late"))
        var other = token
        other.name = "other"
        #expect(try registry.createToken(other, digest: digest, by: "x").number == 2)
    }

    @Test func `A rebuilt audit without a former catalog begins with numbers that were never given`() throws {
        try fill()
        try FileWork.remove(in: fixture.path, startingWith: "catalog.sqlite")
        #expect(try fixture.rebuild().auditRecords == nil)
        let found = try Self.records(fixture)
        #expect(found.map(\.act) == [.reindex] && found.allSatisfy { $0.number >= 1_000_000 })
        #expect(try fixture.open().createToken(token, digest: digest, by: "x").number > 1_000_000)
    }

    @Test func `A restored backup brings its audit back, and later records are kept`() throws {
        var file = ""
        do {
            let registry = try fixture.open()
            try registry.publish("1.0")
            file = try fixture.backUp(registry)
        }
        try fill()
        do { try fixture.open().publish("2.0") }
        let before = try Self.records(fixture)
        #expect(before.map(\.act) == [.publish, .createToken, .publish])
        #expect(try fixture.restore(file).auditRecords == 2)
        let found = try Self.records(fixture)
        #expect(Array(found.prefix(3)) == before && found.last?.act == .restoreBackup && found.count == 4)
        let registry = try fixture.open()
        #expect(try refusal { try registry.createToken(token, digest: digest, by: "x") } == .tokenExists("late"))
    }

    @Test func `The audits of two registries are never mixed`() throws {
        try fill()
        let before = try Self.records(fixture)
        var file = ""
        do { file = try fixture.backUp(fixture.open()) }
        let other = try Fixture()
        other.pass(seconds: 77)
        do {
            let registry = try other.open()
            for version in ["5.0", "6.0", "7.0"] { try registry.publish(version) }
        }
        #expect(try other.restore(file).auditRecords == nil)
        let found = try Self.records(other)
        #expect(Array(found.prefix(2)) == before && found.count == 3)
        #expect(found.last?.act == .restoreBackup && found.last?.number ?? 0 > 1_000_000)
    }
}
