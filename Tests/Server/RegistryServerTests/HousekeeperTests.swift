import Bytes
import Dispatch
import Files
import Glibc
import HTTPServer
import LocalStore
import Logging
import Registry
import TestSupport
import Testing

@testable import RegistryServer

/// A registry, its housekeeper, and a clock and a policy that the test moves.
private final class House: Sendable {
    let registry: Registry
    let housekeeper: Housekeeper
    let clock = Guarded<Int64>(1_000_000)
    let policy = Guarded(Housekeeper.Policy())
    let log = Guarded<[UInt8]>([])
    /// The number of times each thread has asked for the policy, which it does to see what is due.
    private let questions: Guarded<[pthread_t: Int]> = Guarded([:])
    private let scratch: ScratchDirectory

    var data: String { "\(scratch.path)/data" }

    init() throws {
        scratch = try ScratchDirectory(in: TemporaryPlace.path)
        let (clock, policy, log, questions) = (clock, policy, log, questions)
        let now: @Sendable () -> Int64 = { clock.withLock { $0 } }
        let logger = Logger(
            level: .warning,
            sink: { bytes in
                log.withLock { $0 += bytes }
                return bytes.count
            })
        registry = try Registry(opening: "\(scratch.path)/data", options: Registry.Options(now: now))
        housekeeper = Housekeeper(registry, audit: Audit(logger), logger: logger, now: now) {
            questions.withLock { $0[pthread_self(), default: 0] += 1 }
            return policy.withLock { $0 }
        }
    }

    /// Another that keeps the same house, as after a restart.
    func restarted(at time: Int64) -> Housekeeper {
        Housekeeper(registry, now: { time }) { [policy, questions] in
            questions.withLock { $0[pthread_self(), default: 0] += 1 }
            return policy.withLock { $0 }
        }
    }

    func publish(_ bundle: TestBundle) throws {
        let staged = try registry.stage()
        let taken = try bundle.take(into: staged.file)
        _ = try registry.publish(taken, archive: staged, PublishRequest(by: "tester"))
    }

    /// Lets it do what is due for as long as `body` takes; `body` may look only at what has come to be.
    func whileRunning(_ body: () throws -> Void) throws {
        let ended = DispatchSemaphore(value: 0)
        begin { [housekeeper] in
            housekeeper.runWhenDue(lookEvery: .milliseconds(1), restAfterFailure: .milliseconds(1))
            ended.signal()
        }
        defer {
            housekeeper.stop()
            #expect(ended.wait(timeout: .now() + .seconds(60)) == .success)
        }
        try body()
    }

    func successes(_ task: HousekeepingTask) -> UInt64 { housekeeper.state[task].successes }

    /// Waits until it has looked several times, for either task, after what was changed before.
    func looksAgain() -> Bool {
        let before = questions.withLock { $0 }
        return becomes { questions.withLock { $0 }.count { $0.value > before[$0.key, default: 0] + 6 } > 1 }
    }

    func becomes(_ condition: () -> Bool) -> Bool { eventually(condition) }

    func logged(_ text: String) -> Bool {
        becomes { String(decoding: log.withLock { $0 }, as: UTF8.self).contains(text) }
    }
}

/// Runs what blocks where no other test waits for it.
private func begin(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "test.housekeeper").async(execute: body)
}

@Suite struct `Housekeeping` {
    @Test func `Housekeeping is as due after a dry run as before`() throws {
        let scratch = try ScratchDirectory(in: TemporaryPlace.path)
        let registry = try Registry(opening: "\(scratch.path)/data", options: Registry.Options { 1_000_000 })
        let housekeeper = Housekeeper(registry, now: { 1_000_000 })
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
        try house.whileRunning {
            // What was never done is due.
            #expect(house.becomes { house.successes(.gc) == 1 && house.successes(.scrub) == 1 })
            house.clock.withLock { $0 += 99 }
            #expect(house.looksAgain())
            #expect(house.successes(.gc) == 1 && house.successes(.scrub) == 1)
            house.clock.withLock { $0 += 1 }
            #expect(house.becomes { house.successes(.gc) == 2 })
            #expect(house.looksAgain())
            #expect(house.successes(.gc) == 2 && house.successes(.scrub) == 1)
            house.clock.withLock { $0 += 900 }
            #expect(house.becomes { house.successes(.gc) == 3 && house.successes(.scrub) == 2 })
            #expect(house.housekeeper.state[.scrub].lastSuccess == 1_001_000)
        }
        #expect(house.logged("\"action\":\"gc\",\"result\":\"done\",\"by\":\"schedule\""))
        #expect(house.logged("\"action\":\"scrub\",\"result\":\"done\",\"by\":\"schedule\""))
    }

    @Test func `Housekeeping is done while a long scrub runs`() throws {
        let house = try House()
        for version in ["1.0", "1.1"] { try house.publish(TestBundle(version: version)) }
        house.policy.withLock {
            $0.collectEvery = .seconds(100)
            // The rest after an archive is longer than any test.
            $0.scrubRate = 1
        }
        try house.whileRunning {
            #expect(house.becomes { house.housekeeper.state[.scrub].isRunning && house.successes(.gc) == 1 })
            house.clock.withLock { $0 += 100 }
            #expect(house.becomes { house.successes(.gc) == 2 })
            #expect(house.housekeeper.state[.scrub].isRunning && house.successes(.scrub) == 0)
            #expect(house.housekeeper.state[.gc].lastSuccess == 1_000_100)
            // A shutdown does not wait for it either.
            #expect(house.housekeeper.stop().contains(.scrub))
        }
        #expect(house.successes(.scrub) == 0 && house.successes(.gc) == 2)
        #expect(house.logged("\"action\":\"scrub\",\"result\":\"interrupted\",\"by\":\"schedule\""))
    }

    @Test func `Housekeeping is not put off for ever by a clock that was set back`() throws {
        let house = try House()
        try house.whileRunning {
            #expect(house.becomes { house.successes(.gc) == 1 && house.successes(.scrub) == 1 })
            house.clock.withLock { $0 -= 500_000 }
            #expect(house.becomes { house.successes(.gc) == 2 && house.successes(.scrub) == 2 })
        }
    }

    @Test func `Housekeeping waits once more after the clock has leapt, so that restorable releases stay`() throws {
        let house = try House()
        house.policy.withLock { $0.collectEvery = .seconds(100) }
        try house.whileRunning {
            #expect(house.becomes { house.successes(.gc) == 1 })
            house.clock.withLock { $0 += 10 * 365 * 86_400 }
            #expect(house.logged("\"clock.leapt\""))
            #expect(house.looksAgain())
            #expect(house.successes(.gc) == 1)
            house.clock.withLock { $0 += 100 }
            #expect(house.becomes { house.successes(.gc) == 2 })
        }
    }

    @Test func `Housekeeping that the owner has turned off is never due until it is turned on`() throws {
        let house = try House()
        house.policy.withLock { $0.collectEvery = .zero }
        try house.whileRunning {
            #expect(house.becomes { house.successes(.scrub) == 1 })
            house.clock.withLock { $0 += 100 * 86_400 }
            #expect(house.becomes { house.successes(.scrub) == 2 })
            #expect(house.looksAgain())
            #expect(house.successes(.gc) == 0)
            house.policy.withLock { $0.collectEvery = .seconds(1) }
            #expect(house.becomes { house.successes(.gc) == 1 })
        }
    }

    @Test func `Housekeeping done before a restart is not due after it`() throws {
        let house = try House()
        _ = try house.housekeeper.collect(isDryRun: false, by: "test")
        let other = house.restarted(at: 1_000_050)
        let ended = DispatchSemaphore(value: 0)
        begin {
            other.runWhenDue(lookEvery: .milliseconds(1))
            ended.signal()
        }
        #expect(house.becomes { other.state[.scrub].successes == 1 })
        #expect(house.looksAgain())
        other.stop()
        #expect(ended.wait(timeout: .now() + .seconds(60)) == .success)
        #expect(other.state[.gc].successes == 0 && other.state[.gc].lastSuccess == 1_000_000)
    }

    @Test func `Housekeeping that fails is reported, and tried again`() throws {
        let house = try House()
        let shard = "\(house.data)/blobs/7f"
        #expect(unsafe rmdir(shard) == 0)
        try house.whileRunning {
            #expect(house.logged("\"housekeeping.failed\""))
            #expect(house.logged("\"task\":\"gc\",\"reason\":"))
            #expect(house.becomes { house.housekeeper.state[.gc].failures > 1 })
            // The pause continues.
            #expect(house.becomes { house.successes(.scrub) == 1 })
            #expect(house.successes(.gc) == 0)
            #expect(unsafe mkdir(shard, 0o700) == 0)
            #expect(house.becomes { house.successes(.gc) == 1 })
        }
        #expect(house.logged("\"action\":\"gc\",\"result\":\"internal\",\"by\":\"schedule\""))
    }

    @Test func `Housekeeping ends during a pause`() throws {
        let house = try House()
        #expect(unsafe rmdir("\(house.data)/blobs/7f") == 0)
        let ended = DispatchSemaphore(value: 0)
        begin { [housekeeper = house.housekeeper] in
            housekeeper.runWhenDue(lookEvery: .milliseconds(1), restAfterFailure: .seconds(100_000))
            ended.signal()
        }
        #expect(house.logged("\"housekeeping.failed\""))
        house.housekeeper.stop()
        #expect(ended.wait(timeout: .now() + .seconds(60)) == .success)
    }

    @Test func `Housekeeping leaves unreferenced blobs for as long as the owner says`() throws {
        let house = try House()
        // Files are as old as the system says.
        let now = Int64(time(nil))
        house.clock.withLock { $0 = now + 20_000 }
        let stray = "\(house.data)/blobs/ab/ab\(String(repeating: "0", count: 62)).zip"
        #expect(Shell.run("echo stray > '\(stray)'").status == 0)
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
        let registry = try Registry(opening: "\(scratch.path)/data", options: Registry.Options { 1_000_000 })
        let audit = Audit()
        let housekeeper = Housekeeper(registry, audit: audit, now: { 1_000_000 })
        #expect(housekeeper.stop() == [])
        #expect(throws: RegistryError.interrupted) {
            _ = try housekeeper.backUp(server: "test", by: "test", begin: { _ in }, into: { _ in })
        }
        var text = MetricsText()
        audit.write(to: &text)
        #expect(text.text.contains("widgetd_writes_total{action=\"backup\",result=\"interrupted\"} 1"), "\(text.text)")
    }
}
