package import Dispatch

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
