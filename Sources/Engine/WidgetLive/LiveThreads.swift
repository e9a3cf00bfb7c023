internal import Dispatch

/// The threads on which viewings do their work.
///
/// Other tasks of a program may wait for a compiler, a file or a peer. The pool of a machine with two processors has two
/// threads, which two of those tasks fill; pages that wait for the same threads would stop with them.
package final class LiveThreads: TaskExecutor {
    package static let shared = LiveThreads()

    private let queue = DispatchQueue(label: "widget.live", attributes: .concurrent)

    /// There is one; tasks compare executors by identity.
    private init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Begins a task on these threads.
    @discardableResult
    package static func begin(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: shared) { await body() }
    }
}
