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

extension Task where Failure == Never {
    /// Starts a task of a test with ``OwnThreads``. A plain `Task` does not inherit the threads of its test.
    package static func onOwnThreads(_ body: @escaping @Sendable () async -> Success) -> Task<Success, Never> {
        Task(executorPreference: ThreadExecutor.shared) { await body() }
    }
}

/// Suspends a test for a time. A task that sleeps resumes by way of the threads that all tests share, as late as they.
package func pause(_ duration: Duration) async {
    await ThreadExecutor.pause(duration)
}

/// The time after which a test no longer waits. A busy machine makes a test late, and lateness is not a failure.
private let patience = Duration.seconds(60)

/// True once the condition holds; false after a minute. Blocks the thread, for tests that are not asynchronous.
package func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now + patience
    while ContinuousClock.now < end {
        if try condition() { return true }
        usleep(10_000)
    }
    return try condition()
}

/// Runs jobs in their order, on a few threads that live as long as the process.
///
/// Safe to share: the jobs are touched under the lock alone.
private final class ThreadExecutor: TaskExecutor, @unchecked Sendable {
    static let shared = ThreadExecutor(count: 8)
    /// Ends pauses. The queue gets a thread even while all threads of the tests are busy.
    private static let timer = DispatchQueue(label: "test.pauses")

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

    static func pause(_ duration: Duration) async {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        await withCheckedContinuation { waiter in
            timer.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { waiter.resume() }
        }
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

/// Calls a function on so many new threads at once, with the number of each, and returns when all calls have.
///
/// A queue has one thread for it on a busy machine, on which nothing is a race.
package func together(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let calls = DispatchGroup()
    for number in 0..<count {
        calls.enter()
        Thread.detachNewThread {
            body(number)
            calls.leave()
        }
    }
    calls.wait()
}
