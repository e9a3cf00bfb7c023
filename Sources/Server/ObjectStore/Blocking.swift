internal import Dispatch
internal import WidgetBytes
internal import WidgetSurroundings

/// Lets a thread wait for asynchronous work: a registry asks its storage on threads that may block.
///
/// The work has threads beside those of the caller. Otherwise callers that hold every thread of a pool would wait for work
/// that needs one of them.
final class Blocking: TaskExecutor {
    private let queue: any ThreadQueue

    /// Each client has one; tasks compare executors by identity.
    init(_ threads: any Threads = SystemThreads()) {
        queue = threads.queue("widgetd.objects", qos: .unspecified, isConcurrent: true)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value {
        let result = Guarded<Value?>(nil)
        let done = DispatchSemaphore(value: 0)
        Task.detached(executorPreference: self) {
            let value = await work()
            result.withLock { $0 = value }
            done.signal()
        }
        while true {
            done.wait()
            if let value = result.withLock({ $0 }) { return value }
        }
    }
}
