package import Dispatch

/// The threads on which a part of the program does its work.
package protocol Threads: Sendable {
    /// The executor of the tasks that a part starts.
    var tasks: any TaskExecutor { get }

    /// A queue of work.
    ///
    /// - Parameters:
    ///   - name: as debuggers show it.
    ///   - isConcurrent: whether pieces of work may run side by side; else they run one after the other, in their order.
    func queue(_ name: String, qos: DispatchQoS, isConcurrent: Bool) -> any ThreadQueue
}

extension Threads {
    package func queue(_ name: String, qos: DispatchQoS = .utility) -> any ThreadQueue {
        queue(name, qos: qos, isConcurrent: false)
    }
}

/// A queue of work that threads take from.
package protocol ThreadQueue: Sendable {
    func async(_ work: @escaping @Sendable () -> Void)
}

/// The threads of Dispatch and of Swift's runtime.
package struct SystemThreads: Threads {
    package init() {}

    package var tasks: any TaskExecutor { globalConcurrentExecutor }

    package func queue(_ name: String, qos: DispatchQoS, isConcurrent: Bool) -> any ThreadQueue {
        DispatchQueue(label: name, qos: qos, attributes: isConcurrent ? .concurrent : [])
    }
}

extension DispatchQueue: ThreadQueue {
    package func async(_ work: @escaping @Sendable () -> Void) { async(group: nil, execute: work) }
}

extension Threads {
    /// An executor for tasks that wait for disks, which the threads of all tasks must not. It does one piece after the other.
    package func executor(_ name: String, qos: DispatchQoS = .utility) -> any TaskExecutor {
        QueueExecutor(queue(name, qos: qos))
    }
}

private final class QueueExecutor: TaskExecutor {
    private let queue: any ThreadQueue

    init(_ queue: any ThreadQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
