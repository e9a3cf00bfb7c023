internal import Foundation
internal import Glibc

/// A call of the system that Swift's module of the C library lacks: the thread's folder and mask are then its alone.
@_silgen_name("unshare") private func unshare(_ flags: CInt) -> CInt
private let sharedFolder: CInt = 0x200

/// A thread that one command runs on, as it would in a process by itself: with a folder of its own for relative paths,
/// and with tasks that stay on it, so that a command that works for long keeps no thread from other tests.
///
/// Safe to share: the jobs are touched under the lock alone.
final class CommandThread: TaskExecutor, @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var hasEnded = false

    /// Runs a body and what it awaits; another thread gets the result.
    ///
    /// - Parameters:
    ///   - folder: where relative paths begin; the test's if `nil`.
    ///   - mask: the permissions that new files lack; the test's if `nil`.
    static func run<Value: Sendable>(
        in folder: String?, mask: mode_t?, _ body: @escaping @Sendable () async -> Value,
        then take: @escaping @Sendable (Value) -> Void
    ) {
        let thread = CommandThread()
        Thread.detachNewThread {
            if folder != nil || mask != nil {
                precondition(unshare(sharedFolder) == 0, "the folder is that of other threads, too")
            }
            if let folder { precondition(unsafe chdir(folder) == 0, "the folder \(folder) is not there") }
            if let mask { _ = umask(mask) }
            Task(executorPreference: thread) {
                let value = await body()
                thread.end()
                take(value)
            }
            while let job = thread.next() { unsafe job.runSynchronously(on: thread.asUnownedTaskExecutor()) }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.lock()
        defer { condition.unlock() }
        guard hasEnded else {
            jobs.append(job)
            condition.signal()
            return
        }
        // What a command leaves behind ends somewhere else.
        DispatchQueue.global().async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    private func end() {
        condition.lock()
        hasEnded = true
        condition.signal()
        condition.unlock()
    }

    /// The next job; `nil` after the end.
    private func next() -> UnownedJob? {
        condition.lock()
        defer { condition.unlock() }
        while jobs.isEmpty, !hasEnded { condition.wait() }
        return jobs.isEmpty ? nil : jobs.removeFirst()
    }
}
