internal import Foundation
package import Testing

/// Threads of their own for tests that take many turns.
///
/// The tests of a run share as many threads as there are processors. A test that waits for a server a hundred times queues
/// behind all others each time, those that compress or wait for a process among them, and a busy machine makes it late
/// although nothing is wrong with it. With this trait it queues behind its like alone.
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
