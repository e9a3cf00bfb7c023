internal import Foundation
internal import Glibc
package import Testing

/// Separate threads for tests that take many turns.
///
/// The tests of a run share as many threads as there are processors. A test that waits for a server a hundred times queues
/// behind all others each time, those that compress or wait for a process among them, and a busy machine makes it late
/// although nothing is wrong with it. With this trait it queues only behind tests with the trait.
package struct OwnThreads: TestTrait, SuiteTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withTaskExecutorPreference(ThreadExecutor.shared) { try await function() }
    }
}

extension Trait where Self == OwnThreads {
    package static var ownThreads: OwnThreads { OwnThreads() }
}

/// Runs jobs in their order, on a few threads that live as long as the process.
///
/// Safe to share: the jobs are touched under the lock alone.
private final class ThreadExecutor: TaskExecutor, @unchecked Sendable {
    static let shared = ThreadExecutor(count: 8)

    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []

    private init(count: Int) {
        for _ in 0..<count { Thread.detachNewThread { self.run() } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.lock()
        jobs.append(job)
        condition.signal()
        condition.unlock()
    }

    private func run() -> Never {
        while true {
            condition.lock()
            while jobs.isEmpty { condition.wait() }
            let job = jobs.removeFirst()
            condition.unlock()
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// The processor time of the calling thread, independent of the machine's other work.
package enum ProcessorTime {
    package static func spent(_ body: () -> Void) -> Duration {
        let before = now()
        body()
        return now() - before
    }

    private static func now() -> Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// A file system in memory, gone with its owner.
package final class SmallDisk {
    package let path: String

    package static let isPossible: Bool = {
        let line = "d=$(mktemp -d) && mount -t tmpfs -o size=64k none $d 2>&1 && umount $d && rmdir $d"
        return Shell.run(line).status == 0
    }()

    package init(kilobytes: Int) throws {
        path = Shell.run("mktemp -d").output.filter { !$0.isNewline }
        try #require(Shell.run("mount -t tmpfs -o size=\(kilobytes)k none '\(path)'").status == 0)
    }

    deinit {
        _ = Shell.run("umount -l '\(path)'; rmdir '\(path)'")
    }
}

/// Random numbers that come again: a failing test prints its seed, and the seed pasted back shows the failure.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
