import Glibc
import LocalStore
import Testing
import WidgetBytes
import WidgetDatabase
import WidgetFiles
import WidgetHTTPServer
import WidgetLogging
import WidgetRegistry
import WidgetSurroundings
import WidgetTestSupport

@testable import RegistryServer

/// A registry, its housekeeper, and a clock and a policy that the test moves.
private final class House: Sendable {
    let registry: Registry
    let housekeeper: Housekeeper
    let clock = ManualClock(date: .seconds(1_000_000))
    let policy = Guarded(Housekeeper.Policy())
    let retention = Guarded(RetentionPolicy())
    let log = Observed<[UInt8]>([])
    /// The housekeeper's threads, which do their work when the test says so.
    private let threads = SteppedThreads()
    private let scratch: ScratchDirectory

    var data: String { "\(scratch.path)/data" }

    /// - Parameter isStepped: false for work that waits while it is under way.
    init(isStepped: Bool = true) throws {
        scratch = try ScratchDirectory(in: TemporaryPlace.path)
        let (policy, log, retention) = (policy, log, retention)
        var world = World(clock: clock)
        if isStepped { world.threads = threads }
        let logger = Logger(
            level: .warning,
            sink: { bytes in
                log.withLock { $0 += bytes }
                return bytes.count
            })
        var options = Registry.Options(in: world)
        options.retention = { retention.withLock { $0 } }
        registry = try Registry(opening: "\(scratch.path)/data", options: options)
        housekeeper = Housekeeper(registry, audit: Audit(logger), logger: logger, in: world) {
            policy.withLock { $0 }
        }
    }

    /// Another that keeps the same house, as after a restart.
    func restarted() -> Housekeeper {
        Housekeeper(registry, in: World(clock: clock, threads: threads)) { [policy] in policy.withLock { $0 } }
    }

    func publish(_ bundle: TestBundle) throws {
        let staged = try registry.stage()
        let taken = try bundle.take(into: staged.file)
        _ = try registry.publish(taken, archive: staged, PublishRequest(by: "tester"))
    }

    /// Moves the clock from one look of the housekeeper to the next, and has the work done that they find due.
    func pass(_ duration: Duration) {
        let end = clock.now + duration
        while let next = clock.next, next <= end, clock.advanceToNext() { threads.run() }
        clock.advance(by: end - clock.now)
        threads.run()
    }

    func successes(_ task: HousekeepingTask) -> UInt64 { housekeeper.state[task].successes }

    var text: String { log.withLock { String(decoding: $0, as: UTF8.self) } }

    func logged(_ text: String) -> Bool {
        log.reaches { String(decoding: $0, as: UTF8.self).contains(text) }
    }
}

@Suite struct `Housekeeping` {
    @Test func `Housekeeping is as due after a dry run as before`() throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        let world = World(clock: ManualClock(date: .seconds(1_000_000)))
        let registry = try Registry(opening: "\(scratch.path)/data", options: Registry.Options(in: world))
        let housekeeper = Housekeeper(registry, in: world)
        _ = try housekeeper.collect(isDryRun: true, by: "test")
        #expect(housekeeper.state[.gc].lastSuccess == nil && housekeeper.state[.gc].successes == 0)
        #expect(housekeeper.state[.gc].lastReport != nil && registry.lastRun(of: .gc) == nil)
        _ = try housekeeper.collect(isDryRun: false, by: "test")
        #expect(housekeeper.state[.gc].lastSuccess == 1_000_000 && housekeeper.state[.gc].successes == 1)
        #expect(registry.lastRun(of: .gc) == 1_000_000)
        // And it does not forget what was done.
        _ = try housekeeper.collect(isDryRun: true, by: "test")
        #expect(housekeeper.state[.gc].lastSuccess == 1_000_000)
    }

    @Test func `Housekeeping is done when it is due, and not before`() throws {
        let house = try House()
        house.policy.withLock {
            $0.collectEvery = .seconds(100)
            $0.scrubEvery = .seconds(1_000)
        }
        house.housekeeper.runWhenDue(lookEvery: .seconds(1))
        #expect(house.successes(.gc) == 0 && house.successes(.scrub) == 0)
        // What was never done is due.
        house.pass(.seconds(1))
        #expect(house.successes(.gc) == 1 && house.successes(.scrub) == 1)
        house.pass(.seconds(99))
        #expect(house.successes(.gc) == 1 && house.successes(.scrub) == 1)
        house.pass(.seconds(1))
        #expect(house.successes(.gc) == 2)
        #expect(house.successes(.gc) == 2 && house.successes(.scrub) == 1)
        house.pass(.seconds(900))
        #expect(house.successes(.gc) == 11 && house.successes(.scrub) == 2)
        #expect(house.housekeeper.state[.scrub].lastSuccess == 1_001_001)
        house.housekeeper.stop()
        #expect(house.logged("\"action\":\"gc\",\"result\":\"done\",\"by\":\"schedule\""))
        #expect(house.logged("\"action\":\"scrub\",\"result\":\"done\",\"by\":\"schedule\""))
    }

    @Test func `The log says what changed rules would remove, and that they wait`() throws {
        let house = try House()
        for version in ["1.0", "1.1", "1.2"] { try house.publish(TestBundle(version: version)) }
        house.clock.advance(by: .seconds(3 * 86_400))
        func review(last: Int) {
            house.retention.withLock {
                $0 = RetentionPolicy([RetentionRule(.all, last: last)], rollbacks: 0)
            }
            house.housekeeper.reviewRetention()
            house.pass(.zero)
        }
        review(last: 3)
        #expect(house.logged("\"event\":\"rules.changed\""))
        #expect(house.logged("\"rules\":\"* last=3, rollbacks=0\",\"releases\":0,\"bytes\":0,\"of\":3"))
        #expect(!house.text.contains("rules.wait"))
        review(last: 1)
        #expect(house.logged("\"event\":\"rules.wait\""))
        #expect(house.logged("\"rules\":\"* last=1, rollbacks=0\",\"releases\":2,"))
        #expect(house.text.contains("\"until\":\""))
        // The collection that leaves it out says so as well.
        let lines = house.text.split(separator: "\n").count { $0.contains("rules.wait") }
        _ = try house.housekeeper.collect(isDryRun: false, by: "test")
        #expect(house.logged("changed rules wait: nothing has expired"))
        #expect(house.text.split(separator: "\n").count { $0.contains("rules.wait") } == lines + 1)
        // What the owner confirms is applied, and nothing waits.
        _ = try house.housekeeper.collect(isDryRun: false, isConfirmed: true, by: "test")
        #expect(house.text.split(separator: "\n").count { $0.contains("rules.wait") } == lines + 1)
        #expect(try house.registry.usage(of: .all).stored.releases == 1)
    }

    @Test func `Where rules are set, what an upgrade has not counted is counted at the start and after a reload`()
        throws
    {
        let house = try House()
        for version in ["1.0", "1.1"] { try house.publish(TestBundle(version: version)) }
        let stored = try house.registry.usage(of: .all).stored
        // As an upgrade of replicas leaves it.
        try DatabaseConnection(opening: "\(house.data)/catalog.sqlite", for: .writing).script(
            "DELETE FROM bundle_usage")
        func review() throws -> StoredUsage {
            house.housekeeper.reviewRetention()
            house.pass(.zero)
            return try house.registry.usage(of: .all).stored
        }
        // Without a rule nothing depends on it.
        #expect(try review() == StoredUsage())
        house.retention.withLock { $0 = RetentionPolicy([RetentionRule(.all, last: 9)]) }
        #expect(try review() == stored && stored.releases == 2)
    }

    @Test func `Housekeeping is done while a long scrub runs`() async throws {
        let house = try House(isStepped: false)
        for version in ["1.0", "1.1"] { try house.publish(TestBundle(version: version)) }
        house.policy.withLock {
            $0.collectEvery = .seconds(100)
            // The rest after an archive is longer than the test.
            $0.scrubRate = 1
        }
        house.housekeeper.runWhenDue(lookEvery: .seconds(10))
        house.clock.advance(by: .seconds(10))
        // The scrub's pause, and the next look for gc.
        await house.clock.waits(for: 2)
        #expect(house.housekeeper.state[.scrub].isRunning && house.successes(.gc) == 1)
        for step in 1...10 {
            #expect(house.successes(.gc) == 1, "\(step)")
            house.clock.advance(by: .seconds(10))
            await house.clock.waits(for: 2)
        }
        #expect(house.successes(.gc) == 2)
        #expect(house.housekeeper.state[.scrub].isRunning && house.successes(.scrub) == 0)
        #expect(house.housekeeper.state[.gc].lastSuccess == 1_000_110)
        // A shutdown does not wait for it either.
        #expect(house.housekeeper.stop().contains(.scrub))
        #expect(house.logged("\"action\":\"scrub\",\"result\":\"interrupted\",\"by\":\"schedule\""))
        #expect(house.successes(.scrub) == 0 && house.successes(.gc) == 2)
        #expect(house.clock.waitingCount == 0)
    }

    @Test func `Housekeeping is not put off for ever by a clock that was set back`() throws {
        let house = try House()
        house.housekeeper.runWhenDue()
        house.pass(.seconds(60))
        #expect(house.successes(.gc) == 1 && house.successes(.scrub) == 1)
        house.pass(.seconds(60))
        #expect(house.successes(.gc) == 1 && house.successes(.scrub) == 1)
        house.clock.shiftDate(by: .seconds(-500_000))
        house.pass(.seconds(60))
        #expect(house.successes(.gc) == 2 && house.successes(.scrub) == 2)
        house.housekeeper.stop()
    }

    @Test func `Housekeeping waits once more after the clock has leapt, so that restorable releases stay`() throws {
        let house = try House()
        house.policy.withLock { $0.collectEvery = .seconds(100) }
        house.housekeeper.runWhenDue(lookEvery: .seconds(1))
        house.pass(.seconds(1))
        #expect(house.successes(.gc) == 1)
        house.clock.shiftDate(by: .seconds(10 * 365 * 86_400))
        house.pass(.seconds(1))
        #expect(house.logged("\"clock.leapt\""))
        house.pass(.seconds(99))
        #expect(house.successes(.gc) == 1)
        house.pass(.seconds(1))
        #expect(house.successes(.gc) == 2)
        house.housekeeper.stop()
    }

    @Test func `Housekeeping that the owner has turned off is never due until it is turned on`() throws {
        let house = try House()
        house.policy.withLock { $0.collectEvery = .zero }
        house.housekeeper.runWhenDue(lookEvery: .seconds(600))
        house.pass(.seconds(600))
        #expect(house.successes(.scrub) == 1)
        house.clock.shiftDate(by: .seconds(100 * 86_400))
        house.pass(.seconds(6_000))
        #expect(house.successes(.scrub) == 2)
        #expect(house.successes(.gc) == 0)
        house.policy.withLock { $0.collectEvery = .seconds(1) }
        house.pass(.seconds(600))
        #expect(house.successes(.gc) == 1)
        house.housekeeper.stop()
    }

    @Test func `Housekeeping done before a restart is not due after it`() throws {
        let house = try House()
        _ = try house.housekeeper.collect(isDryRun: false, by: "test")
        house.clock.advance(by: .seconds(50))
        let other = house.restarted()
        other.runWhenDue()
        house.pass(.seconds(600))
        #expect(other.state[.scrub].successes == 1)
        other.stop()
        #expect(other.state[.gc].successes == 0 && other.state[.gc].lastSuccess == 1_000_000)
    }

    @Test func `Housekeeping that fails is reported, and tried again`() throws {
        let house = try House()
        let shard = "\(house.data)/blobs/7f"
        #expect(unsafe rmdir(shard) == 0)
        house.housekeeper.runWhenDue(lookEvery: .seconds(1), restAfterFailure: .seconds(10))
        house.pass(.seconds(1))
        #expect(house.logged("\"housekeeping.failed\""))
        #expect(house.logged("\"task\":\"gc\",\"reason\":"))
        #expect(house.housekeeper.state[.gc].failures == 1)
        house.pass(.seconds(10))
        #expect(house.housekeeper.state[.gc].failures == 1)
        house.pass(.seconds(1))
        #expect(house.housekeeper.state[.gc].failures > 1)
        // The pause continues.
        #expect(house.successes(.scrub) == 1)
        #expect(house.successes(.gc) == 0)
        #expect(unsafe mkdir(shard, 0o700) == 0)
        house.pass(.seconds(11))
        #expect(house.successes(.gc) == 1)
        #expect(house.logged("\"action\":\"gc\",\"result\":\"internal\",\"by\":\"schedule\""))
        house.housekeeper.stop()
    }

    @Test func `Housekeeping ends during a pause`() throws {
        let house = try House()
        #expect(unsafe rmdir("\(house.data)/blobs/7f") == 0)
        house.housekeeper.runWhenDue(lookEvery: .seconds(1), restAfterFailure: .seconds(100_000))
        house.pass(.seconds(1))
        #expect(house.logged("\"housekeeping.failed\""))
        #expect(house.clock.waitingCount == 2)
        house.housekeeper.stop()
        #expect(house.clock.waitingCount == 0)
    }

    @Test func `Housekeeping leaves unreferenced blobs for as long as the owner says`() throws {
        let house = try House()
        // Files are as old as the system says.
        let now = Int64(time(nil))
        house.clock.setDate(to: now + 20_000)
        let stray = "\(house.data)/blobs/ab/ab\(String(repeating: "0", count: 62)).zip"
        try FileWork.write("stray\n", to: stray)
        house.policy.withLock { $0.grace = .seconds(30_000) }
        let young = try house.housekeeper.collect(isDryRun: false, by: "test")
        #expect(young.waiting.count == 1 && young.archives.count == 0)
        house.policy.withLock { $0.grace = .seconds(10_000) }
        let old = try house.housekeeper.collect(isDryRun: false, by: "test")
        #expect(old.waiting.count == 0 && old.archives.count == 1)
        #expect(unsafe access(stray, F_OK) != 0)
    }

    @Test func `Housekeeping that a shutdown ended is reported as interrupted`() throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        let world = World(clock: ManualClock(date: .seconds(1_000_000)))
        let registry = try Registry(opening: "\(scratch.path)/data", options: Registry.Options(in: world))
        let audit = Audit()
        let housekeeper = Housekeeper(registry, audit: audit, in: world)
        #expect(housekeeper.stop() == [])
        #expect(throws: RegistryError.interrupted) {
            _ = try housekeeper.backUp(server: "test", by: "test", begin: { _ in }, into: { _ in })
        }
        var text = MetricsText()
        audit.write(to: &text)
        #expect(text.text.contains("widgetd_writes_total{action=\"backup\",result=\"interrupted\"} 1"), "\(text.text)")
    }
}
