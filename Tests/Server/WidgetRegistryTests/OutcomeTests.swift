import RegistryContract
import Testing
import WidgetTestSupport

@testable import WidgetRegistry

/// Goal: counts only rise, are the same after a restart, and go when their days are over, in every catalog. Method: the same tests
/// over each implementation.
@Suite(.also(.cluster)) struct `Outcomes in a catalog` {
    private static let widget = "\(sample)-1"

    private static func sent(
        _ outcome: DeviceOutcome, _ release: String = "1.0~1", on channel: String = "stable",
        because reason: OutcomeReason? = nil, of widget: String = widget, day: Int64, prefix: String = ""
    ) throws -> SentOutcome {
        let report = OutcomeReport(outcome, of: release, on: channel, because: reason)
        let identifier = try #require(WidgetIdentifier(checking: widget))
        return try #require(SentOutcome(report, of: identifier, on: day, prefix: prefix))
    }

    /// A release on `stable`, and one on no channel.
    private static func prepare(_ storage: Storage) throws {
        try storage.catalog.write { catalog, _ throws(RegistryError) in
            let release = try catalog.add("1.0")
            try catalog.insertChannel(catalog.step(release))
            _ = try catalog.add("1.1")
        }
    }

    private static func count(_ registry: Registry, _ sent: [SentOutcome: Int64]) throws -> Int64 {
        var places = OutcomePlaces()
        let found = try registry.tally(sent, knowing: &places)
        try registry.add(found.tally)
        #expect(found.rest.isEmpty)
        return found.unknown
    }

    @Test(arguments: StorageKind.allCases) func `Counts add up, also over a restart`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        try Self.prepare(storage)
        for round in 1...3 {
            try Self.expectRound(Int64(round), try storage.registry())
            try storage.reopen()
        }
        #expect(try storage.registry().outcomes(sample, "1.1~1").counts.isEmpty)
        storage.end()
    }

    /// Counts the same once more.
    private static func expectRound(_ times: Int64, _ registry: Registry) throws {
        let day = registry.today
        let unknown = try count(
            registry,
            [
                sent(.installed, day: day): 3, sent(.confirmed, day: day): 2,
                sent(.rejected, because: .app, day: day): 1, sent(.installed, day: day - 1): 1,
            ])
        #expect(unknown == 0)
        #expect(
            try registry.outcomes(sample, "1.0~1").counts == [
                OutcomeCount(.confirmed, nil, on: "stable", day, count: 2 * times),
                OutcomeCount(.installed, nil, on: "stable", day, count: 3 * times),
                OutcomeCount(.rejected, .app, on: "stable", day, count: times),
                OutcomeCount(.installed, nil, on: "stable", day - 1, count: times),
            ])
    }

    @Test(arguments: StorageKind.allCases)
    func `What is about nothing that is here makes no row`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        try Self.prepare(storage)
        let registry = try storage.registry()
        let day = registry.today
        let strange: [SentOutcome] = [
            try Self.sent(.installed, "9.9~9", day: day), try Self.sent(.installed, on: "beta", day: day),
            try Self.sent(.installed, "1.1~1", day: day), try Self.sent(.installed, of: "org.other.Widget", day: day),
            try Self.sent(.installed, day: day, prefix: "org.other"), try Self.sent(.installed, of: "com", day: day),
        ]
        for one in strange { #expect(try Self.count(registry, [one: 5]) == 5, "\(one)") }
        #expect(try registry.outcomes(sample, "1.0~1").counts.isEmpty)
        #expect(try registry.outcomes(sample, "1.1~1").counts.isEmpty)
        #expect(try Self.count(registry, [try Self.sent(.installed, day: day, prefix: "com.example"): 5]) == 0)
        #expect(try registry.outcomes(sample, "1.0~1").counts.map(\.count) == [5])
        #expect(throws: RegistryError.noSuchRelease(bundle: sample, key: "9~9")) {
            try registry.outcomes(sample, "9~9")
        }
        storage.end()
    }

    @Test(arguments: StorageKind.allCases)
    func `What is not here is asked about once until the registry changes, and within bounds`(_ kind: StorageKind)
        throws
    {
        let storage = try Storage(kind)
        try Self.prepare(storage)
        let registry = try storage.registry()
        let day = registry.today
        var places = OutcomePlaces()
        func tally(_ sent: [SentOutcome: Int64]) throws -> FoundOutcomes {
            try registry.tally(sent, knowing: &places)
        }
        // Made up, each another one.
        var forged: [SentOutcome: Int64] = [:]
        for number in 0..<3_000 { forged[try Self.sent(.installed, "9.\(number)~1", day: day)] = 1 }
        let first = try tally(forged)
        #expect(places.questions <= OutcomePlaces.mostQuestions + 1 && first.unknown > 400)
        #expect(first.unknown + Int64(first.rest.count) == 3_000)
        var left = first.rest
        var rounds = 1
        while !left.isEmpty {
            left = try tally(left).rest
            rounds += 1
        }
        #expect(rounds == 6 || rounds == 7)
        // All are known now.
        #expect(try tally(forged).unknown == 3_000 && places.questions == 0)
        // What is here is not crowded out by them once it was looked up.
        let genuine = try Self.sent(.installed, day: day)
        #expect(try tally([genuine: 1]).tally.total == 1 && places.questions == 2)
        forged = [:]
        for number in 0..<3_000 { forged[try Self.sent(.started, "8.\(number)~1", day: day)] = 1 }
        forged[genuine] = 5
        #expect(try tally(forged).tally.total == 5)
        // A release that comes is seen at once.
        let early = try Self.sent(.installed, "1.1~1", day: day)
        #expect(try tally([early: 1]).unknown == 1 && tally([early: 1]).unknown == 1 && places.questions == 0)
        _ = try registry.setChannel(sample, "stable", ChannelSetting(release: "1.1~1", rollout: 10_000), by: "x")
        #expect(try tally([early: 1]).tally.total == 1)
        storage.end()
    }

    @Test(arguments: StorageKind.allCases)
    func `A widget counts for the bundle that answers to it now`(_ kind: StorageKind) throws {
        let storage = try Storage(kind)
        try Self.prepare(storage)
        let registry = try storage.registry()
        var places = OutcomePlaces()
        let alarm = try Self.sent(.installed, of: "\(sample).Alarm", day: registry.today)
        let first = try registry.tally([alarm: 1], knowing: &places)
        let other = try storage.catalog.write { catalog, changes throws(RegistryError) in
            let release = try catalog.add("1.0", of: "\(sample).Alarm")
            try catalog.insertChannel(catalog.step(release))
            changes.append(try catalog.tell("\(sample).Alarm"))
            return release.id
        }
        let second = try registry.tally([alarm: 1], knowing: &places)
        #expect(first.tally.total == 1 && first.tally.rows.map(\.release) != [other])
        #expect(second.tally.rows.map(\.release) == [other] && second.here == [alarm])
        storage.end()
    }

    @Test func `What is known is bounded, and what is here is kept`() throws {
        let storage = try Storage(.memory)
        try Self.prepare(storage)
        let registry = try storage.registry()
        let day = registry.today
        var places = OutcomePlaces()
        func questions(_ sent: SentOutcome...) throws -> Int { try questions(sent) }
        func questions(_ sent: [SentOutcome]) throws -> Int {
            let counts = Dictionary(uniqueKeysWithValues: sent.map { ($0, Int64(1)) })
            #expect(try registry.tally(counts, knowing: &places).rest.isEmpty)
            return places.questions
        }
        let genuine = try Self.sent(.installed, day: day)
        let forged = try Self.sent(.installed, "9.0~1", day: day)
        #expect(try questions(genuine) == 3 && questions(forged) == 2 && questions(forged) == 0)
        for first in stride(from: 1, through: 10_000, by: 400) {
            _ = try questions((first..<first + 400).map { try Self.sent(.installed, "9.\($0)~1", day: day) })
        }
        #expect(try questions(genuine) == 0 && questions(forged) == 2)
        // Widgets as well.
        for first in stride(from: 2, through: 10_001, by: 400) {
            _ = try questions((first..<first + 400).map { try Self.sent(.installed, of: "\(sample)-\($0)", day: day) })
        }
        #expect(try questions(genuine) == 1)
        storage.end()
    }

    @Test(arguments: StorageKind.allCases) func `Counts are kept for ninety days, and gc removes them`(
        _ kind: StorageKind
    ) throws {
        let storage = try Storage(kind)
        try Self.prepare(storage)
        let registry = try storage.registry()
        let day = registry.today
        for age in [0, 1, 89, 90, 400] as [Int64] {
            _ = try Self.count(registry, [try Self.sent(.started, day: day - age): 1])
        }
        let kept = [day, day - 1, day - 89]
        #expect(try registry.outcomes(sample, "1.0~1").counts.map(\.day) == kept)
        _ = try registry.collect(grace: 3_600, isDryRun: false) { _, _ in }
        let left = try storage.catalog.ask { reader in
            let bundle = try #require(try reader.bundle(sample))
            let release = try #require(try reader.release("1.0~1", ofBundle: bundle.id))
            return try reader.outcomes(ofRelease: release.id, since: .min).map(\.day)
        }
        #expect(left == kept)
        storage.fixture.pass(seconds: 89 * 86_400)
        #expect(try registry.outcomes(sample, "1.0~1").counts.map(\.day) == [day])
        storage.end()
    }
}

/// Goal: a backup has the counts, and a rebuilt catalog does not.
@Suite struct `Outcomes of a data directory` {
    @Test func `A backup brings the counts back, and reindex loses them`() throws {
        let fixture = try Fixture()
        var registry: Registry? = try fixture.open()
        _ = try registry?.publish(Upload())
        let today = try #require(registry?.today)
        let report = OutcomeReport(.confirmed, of: "1.0~1", on: "stable")
        let identifier = try #require(WidgetIdentifier(checking: sample))
        let sent = try #require(SentOutcome(report, of: identifier, on: today, prefix: ""))
        var places = OutcomePlaces()
        let found = try #require(try registry?.tally([sent: 7], knowing: &places))
        try registry?.add(found.tally)
        let backup = try fixture.backUp(try #require(registry))
        registry = nil
        let other = try Fixture()
        _ = try other.restore(backup)
        #expect(try other.open().outcomes(sample, "1.0~1").counts.map(\.count) == [7])
        _ = try fixture.rebuild()
        #expect(try fixture.open().outcomes(sample, "1.0~1").counts.isEmpty)
    }
}
