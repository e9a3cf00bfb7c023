import MemoryStore
import RegistryContract
import Testing
import WidgetAddresses
import WidgetBytes
import WidgetHTTPServer
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@testable import RegistryServer

/// Goal: what hosts report waits while the catalog is away, and is lost rather than counted twice where it may have been stored;
/// what is forged leaves room for what is genuine. Method: a catalog that fails as the test says, and a clock that the test moves.
@Suite struct `Outcomes and a catalog in trouble` {
    /// A catalog that fails, and says when it is asked.
    private final class TroubledCatalog: ReleaseCatalog {
        struct Trouble {
            var read: RegistryError?
            var write: RegistryError?
            /// True if what a failed write has changed is found later.
            var isStored = false
            var asked: @Sendable () -> Void = {}
        }

        let catalog = MemoryCatalog()
        let trouble: Guarded<Trouble> = Guarded(Trouble())

        func read<Value>(_ body: (any CatalogReader) throws(RegistryError) -> Value) throws(RegistryError) -> Value {
            let trouble = trouble.withLock { $0 }
            trouble.asked()
            if let error = trouble.read { throw error }
            return try catalog.read(body)
        }

        func write<Value: Sendable>(
            _ body: @escaping @Sendable (any CatalogEditor, inout [RegistryChange]) throws(RegistryError) -> Value
        ) throws(RegistryError) -> Value {
            let trouble = trouble.withLock { $0 }
            guard let error = trouble.write else { return try catalog.write(body) }
            if trouble.isStored { _ = try catalog.write(body) }
            throw error
        }

        func follow(_ observer: @escaping @Sendable ([RegistryChange]) -> Void) { catalog.follow(observer) }
        func complaints() throws(RegistryError) -> [String] { [] }
        func lastRun(of task: HousekeepingTask) -> Int64? { nil }
        func noteRun(of task: HousekeepingTask, at time: Int64) {}
    }

    private static let away = RegistryError.unavailable(CatalogFailure("the catalog is away"))
    private static let unclear = RegistryError.database(CatalogFailure("the disk has failed"))

    private let catalog = TroubledCatalog()
    private let clock = ManualClock(date: .seconds(1_800_000_000), start: .now)
    private let threads = SteppedThreads()
    private let registry: WidgetRegistry.Registry
    private let policy = Guarded(OutcomePolicy())
    private let desk: OutcomeDesk

    init() throws {
        try catalog.catalog.write { catalog, _ throws(RegistryError) in
            let bundle = try catalog.insertBundle("com.acme.Clock", name: "Clock")
            guard let digest = Digest.sha256([1]) else { throw .outOfMemory }
            let release = Release(
                bundleIdentifier: "com.acme.Clock", key: "1.0~1", shortVersion: "1.0", build: "1", name: "Clock",
                digest: digest, contentDigest: digest, byteCount: 1, published: 0, publishedBy: "test",
                minimumOSVersion: nil, isSnapshot: false)
            let id = try catalog.insert(
                ReleaseRecord(release, ofBundle: bundle), ReleaseDocuments(files: [], report: []))
            try catalog.insertChannel(
                ChannelStep(
                    bundle: bundle, channel: "stable", sequence: 1, at: 0, kind: .publish,
                    state: ChannelState(release: id, base: nil, rollout: 10_000, isMandatory: false, salt: "s")))
        }
        let world = World(clock: clock, threads: threads)
        registry = try Registry(
            catalog: catalog, blobs: try MemoryBlobs(clock: clock), options: Registry.Options(in: world))
        policy.withLock { policy in
            policy.accepts = .open
            (policy.perAddress, policy.perRelease, policy.inAll) = (1_000_000, 1_000_000, 1_000_000)
        }
        desk = OutcomeDesk(registry, in: world) { [policy] in policy.withLock { $0 } }
    }

    private static func take(_ desk: OutcomeDesk, _ reports: [OutcomeReport]) {
        guard let widget = WidgetIdentifier(checking: "com.acme.Clock-1"), let address = IPAddress("192.0.2.1") else {
            return
        }
        desk.take(OutcomeReportsDocument(reports).bytes, of: widget, from: address, prefix: "")
    }

    private func take(_ count: Int) {
        let report = OutcomeReport(.confirmed, of: "1.0~1", on: "stable")
        for _ in 0..<count { Self.take(desk, [report]) }
    }

    /// Lets time pass, and does what is due.
    private func pass(_ seconds: Int) {
        clock.advance(by: .seconds(seconds))
        threads.run()
    }

    private func sample(_ name: String) throws -> Int {
        var text = MetricsText()
        desk.write(to: &text)
        let line = try #require(text.text.split(separator: "\n").first { $0.hasPrefix(name + " ") })
        return Int(line.split(separator: " ").last ?? "") ?? -1
    }

    private func fate(_ word: String) throws -> Int { try sample("widgetd_outcomes_total{fate=\"\(word)\"}") }
    private var waiting: Int { get throws { try sample("widgetd_outcomes_waiting") } }
    private var counted: [Int64] {
        get throws {
            catalog.trouble.withLock { $0 = TroubledCatalog.Trouble() }
            return try registry.outcomes("com.acme.Clock", "1.0~1").counts.map(\.count)
        }
    }

    @Test(arguments: [true, false]) func `What cannot be added waits, and is added once when it can`(_ reads: Bool)
        throws
    {
        catalog.trouble.withLock { trouble in
            if reads { trouble.read = Self.away } else { trouble.write = Self.away }
        }
        take(3)
        pass(1)
        #expect(try waiting == 3 && fate("counted") == 0 && fate("lost") == 0)
        take(2)
        #expect(try waiting == 5)
        // It is tried again after five seconds, not sooner.
        pass(4)
        #expect(try waiting == 5)
        catalog.trouble.withLock { $0 = TroubledCatalog.Trouble() }
        pass(1)
        #expect(try waiting == 0 && fate("counted") == 5 && fate("lost") == 0)
        #expect(try counted == [5])
        take(1)
        pass(1)
        #expect(try counted == [6])
    }

    @Test(arguments: [true, false]) func `What may be stored is lost, and never counted twice`(_ isStored: Bool) throws
    {
        catalog.trouble.withLock { ($0.write, $0.isStored) = (Self.unclear, isStored) }
        take(4)
        pass(1)
        #expect(try waiting == 0 && fate("lost") == 4 && fate("counted") == 0)
        pass(60)
        take(2)
        catalog.trouble.withLock { $0 = TroubledCatalog.Trouble() }
        pass(1)
        #expect(try fate("lost") == 4 && fate("counted") == 2)
        #expect(try counted == [isStored ? 6 : 2])
    }

    // MARK: Floods

    /// Outcomes of releases that are made up, each another one.
    private static func forged(_ first: Int, _ count: Int) -> [OutcomeReport] {
        (first..<first + count).map { OutcomeReport(.installed, of: "9.\($0)~1", on: "stable") }
    }

    private static func address(_ number: Int) throws -> IPAddress {
        try #require(IPAddress("10.0.\(number / 250).\(number % 250 + 1)"))
    }

    private func send(_ reports: [OutcomeReport], from address: IPAddress, widget: Int = 1) throws {
        let widget = try #require(WidgetIdentifier(checking: "com.acme.Clock-\(widget)"))
        desk.take(OutcomeReportsDocument(reports).bytes, of: widget, from: address, prefix: "")
    }

    @Test func `An address has a part of the room that is left, and what finds none is dropped and counted`() throws {
        catalog.trouble.withLock { $0.read = Self.away }
        let greedy = try Self.address(0)
        for first in stride(from: 0, to: 3_200, by: 16) { try send(Self.forged(first, 16), from: greedy) }
        let most = WaitingOutcomes.capacity / WaitingOutcomes.share
        let share = try waiting
        #expect(share < most && share > most * 9 / 10)
        #expect(try fate("over-address") == 3_200 - share && fate("over-all") == 0)
        // Others find room beside it, the more so the less they have.
        for number in 1...600 { try send(Self.forged(number * 16, 16), from: Self.address(number)) }
        #expect(try waiting == share + 9_600 && fate("over-all") == 0)
        // Where more than a thousand fill it, it is full.
        for number in 601...2_000 { try send(Self.forged(number * 16, 16), from: Self.address(number)) }
        #expect(try waiting <= WaitingOutcomes.capacity && waiting > WaitingOutcomes.capacity - WaitingOutcomes.share)
        #expect(try fate("over-all") > 0)
        #expect(try waiting + fate("over-address") + fate("over-all") == 3_200 + 32_000)
    }

    @Test func `Genuine outcomes are counted within a second while some addresses flood a registry`() throws {
        let confirmed = OutcomeReport(.confirmed, of: "1.0~1", on: "stable")
        var next = 0
        for second in 1...90 {
            // More than are looked up in a second.
            for number in 0..<60 {
                try send(Self.forged(next, 10), from: Self.address(number))
                next += 10
            }
            // A device that was never heard of, with a widget that was not.
            try send([confirmed], from: Self.address(1_000 + second), widget: second)
            pass(1)
            #expect(try counted == [Int64(second)])
        }
        #expect(try waiting > WaitingOutcomes.capacity / 2)
        #expect(try fate("unknown") > 90 * 300 && fate("over-address") > 0 && fate("over-all") == 0)
        // A device behind an address that floods is heard too, once its widget is known.
        try send([confirmed], from: Self.address(0), widget: 1)
        pass(1)
        #expect(try counted == [91])
    }

    @Test func `Made-up widgets of a release that is here leave room for those that are not made up`() throws {
        let confirmed = OutcomeReport(.confirmed, of: "1.0~1", on: "stable")
        var next = 0
        for second in 1...60 {
            for number in 0..<40 {
                for _ in 0..<10 {
                    next += 1
                    try send([confirmed], from: Self.address(number), widget: next)
                }
            }
            let installed = OutcomeReport(.installed, of: "1.0~1", on: "stable")
            try send([installed], from: Self.address(1_000 + second), widget: 1_000_000 + second)
            pass(1)
            let counts = try registry.outcomes("com.acme.Clock", "1.0~1").counts
            #expect(counts.first { $0.outcome == .installed }?.count == Int64(second))
        }
        #expect(try fate("unknown") == 0 && fate("counted") > 60 * 300)
    }

    @Test func `All that is forged ends within its bounds, and leaves genuine outcomes half of the allowance`() throws {
        policy.withLock { $0.inAll = 100 }
        take(1)
        pass(60)
        #expect(try counted == [1])
        for number in 0..<40 { try send(Self.forged(number * 10, 10), from: Self.address(number)) }
        #expect(try waiting == 50 && fate("over-all") == 350)
        take(100)
        pass(1)
        #expect(try counted == [51] && fate("over-all") == 400)
    }

    @Test func `What is not counted at the end is counted as lost`() throws {
        catalog.trouble.withLock { $0.read = Self.away }
        take(3)
        desk.end()
        #expect(try waiting == 0 && fate("lost") == 3)
        // A catalog that takes its time: what was not looked up within the time for it.
        catalog.trouble.withLock { trouble in
            trouble.read = nil
            trouble.asked = { [clock] in clock.advance(by: .seconds(2)) }
        }
        for number in 0..<40 { try send(Self.forged(number * 16, 16), from: Self.address(number)) }
        let sent = try waiting
        desk.end()
        let unknown = try fate("unknown")
        #expect(try waiting == 0 && unknown > 0 && unknown < sent && fate("lost") == 3 + sent - unknown)
    }

    @Test func `What comes while others are looked up finds its room`() throws {
        for number in 0..<40 { try send(Self.forged(number * 16, 16), from: Self.address(number)) }
        catalog.trouble.withLock { trouble in
            trouble.read = Self.away
            trouble.asked = { [desk] in Self.take(desk, Self.forged(100_000, 5)) }
        }
        pass(1)
        #expect(try waiting == 645 && fate("lost") == 0)
        catalog.trouble.withLock { $0 = TroubledCatalog.Trouble() }
        // What is not here is asked about within bounds, a part each second.
        pass(5)
        let left = try waiting
        #expect(left > 0 && left < 645)
        desk.finish()
        #expect(try waiting == 0 && fate("unknown") == 645)
    }
}
