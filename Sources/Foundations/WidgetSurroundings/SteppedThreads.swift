package import Dispatch
internal import WidgetBytes

/// Threads in name only: all work waits in one line, and the owner's thread does it, a piece at a time. With a
/// ``ManualClock``, the same beginning leads to the same steps.
package final class SteppedThreads: Threads, TaskExecutor {
    private enum Piece {
        case work(@Sendable () -> Void)
        case job(UnownedJob)
    }

    private let line = Guarded<[Piece]>([])

    package init() {}

    package var tasks: any TaskExecutor { self }

    package func queue(_ name: String, qos: DispatchQoS, isConcurrent: Bool) -> any ThreadQueue { Queue(threads: self) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        line.withLock { $0.append(.job(job)) }
    }

    private struct Queue: ThreadQueue {
        let threads: SteppedThreads

        func async(_ work: @escaping @Sendable () -> Void) { threads.line.withLock { $0.append(.work(work)) } }
    }

    /// Does the next piece of work.
    ///
    /// - Returns: false if none was left.
    package func step() -> Bool {
        let next: Piece? = line.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        switch next {
        case nil: return false
        case .work(let work): work()
        case .job(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
        return true
    }

    /// Does all work that is there, and that comes of it.
    package func run() { while step() {} }
}
