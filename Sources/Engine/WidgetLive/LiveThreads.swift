internal import Dispatch

/// The threads on which viewings do their work. A program's other tasks may wait for a compiler or a file; they hold no
/// page up.
package final class LiveThreads: TaskExecutor {
    package static let shared = LiveThreads()

    private let queue = DispatchQueue(label: "widget.live", attributes: .concurrent)

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
