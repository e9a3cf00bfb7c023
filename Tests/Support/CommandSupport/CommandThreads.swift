internal import Dispatch
internal import Foundation
internal import Glibc
package import Testing
internal import WidgetSurroundings

/// A call of the system that Swift's module of the C library lacks: the thread's folder and mask are then its alone, and
/// those of the threads that it begins.
@_silgen_name("unshare") private func unshare(_ flags: CInt) -> CInt
private let sharedFolder: CInt = 0x200

/// The threads that one command runs on, as it would in a process by itself: with a separate folder for relative
/// paths, and apart from the threads of tests, so that neither keeps the other from working.
///
/// Safe to share: what changes is touched under the lock alone.
final class CommandThreads: TaskExecutor, Threads, @unchecked Sendable {
    private enum Work {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private let condition = NSCondition()
    private var waiting: [Work] = []
    private var idle = 0
    private var count = 0
    private var hasEnded = false

    /// The pieces of work that run at once.
    private let most: Int

    var tasks: any TaskExecutor { self }

    /// - Parameters:
    ///   - folder: where relative paths begin; the test's if `nil`.
    ///   - mask: the permissions that new files lack; the test's if `nil`.
    init(in folder: String?, mask: mode_t?, most: Int = 12) {
        self.most = most
        Thread.detachNewThread { [self] in
            if folder != nil || mask != nil {
                precondition(unshare(sharedFolder) == 0, "the folder is that of other threads, too")
            }
            if let folder { precondition(unsafe chdir(folder) == 0, "the folder \(folder) is not there") }
            if let mask { _ = umask(mask) }
            beginOthers()
        }
    }

    /// The threads are begun here, so that they have this one's folder.
    private func beginOthers() {
        condition.lock()
        while !hasEnded {
            if waiting.count > idle, count < most {
                count += 1
                // It counts as idle until it takes its first work.
                idle += 1
                Thread.detachNewThread { [self] in work() }
            } else {
                condition.wait()
            }
        }
        condition.unlock()
    }

    private func work() {
        while let work = next() {
            switch work {
            case .job(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            case .call(let call): call()
            }
            condition.lock()
            idle += 1
            condition.broadcast()
            condition.unlock()
        }
    }

    /// Blocks until all work is done but that of so many threads, which wait for something.
    ///
    /// - Returns: false if it is not within a minute.
    func rest(but busy: Int) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let end = Date(timeIntervalSinceNow: 60)
        while !waiting.isEmpty || count - idle > busy { guard condition.wait(until: end) else { return false } }
        return true
    }

    /// The next piece of work; `nil` after the end.
    private func next() -> Work? {
        condition.lock()
        defer { condition.unlock() }
        while waiting.isEmpty, !hasEnded { condition.wait() }
        guard !waiting.isEmpty else { return nil }
        idle -= 1
        return waiting.removeFirst()
    }

    private func take(_ work: Work) {
        // A task that is done on another thread by then may have held the last reference.
        let keeper = unsafe Unmanaged.passRetained(self)
        defer { unsafe keeper.release() }
        condition.lock()
        defer { condition.unlock() }
        guard hasEnded else {
            waiting.append(work)
            condition.broadcast()
            return
        }
        // What a command leaves behind ends somewhere else.
        DispatchQueue.global().async { [self] in
            switch work {
            case .job(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
            case .call(let call): call()
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) { take(.job(UnownedJob(job))) }

    func end() {
        condition.lock()
        hasEnded = true
        condition.broadcast()
        condition.unlock()
    }

    func queue(_ name: String, qos: DispatchQoS, isConcurrent: Bool) -> any ThreadQueue {
        Queue(threads: self, isConcurrent: isConcurrent)
    }

    /// A queue whose work the threads do.
    private final class Queue: ThreadQueue, @unchecked Sendable {
        private let threads: CommandThreads
        private let isConcurrent: Bool
        private let lock = NSLock()
        private var waiting: [@Sendable () -> Void] = []
        private var isBusy = false

        init(threads: CommandThreads, isConcurrent: Bool) {
            self.threads = threads
            self.isConcurrent = isConcurrent
        }

        func async(_ work: @escaping @Sendable () -> Void) {
            if isConcurrent { return threads.take(.call(work)) }
            lock.lock()
            waiting.append(work)
            let begins = !isBusy
            isBusy = true
            lock.unlock()
            if begins { threads.take(.call { self.drain() }) }
        }

        private func drain() {
            while let work = next() { work() }
        }

        private func next() -> (@Sendable () -> Void)? {
            lock.lock()
            defer { lock.unlock() }
            isBusy = !waiting.isEmpty
            return waiting.isEmpty ? nil : waiting.removeFirst()
        }
    }
}

/// Separate threads for tests that call commands.
///
/// Such a test blocks its thread until the command has ended. The threads that all tests share stay free for what
/// commands leave to them: a task that they start would else queue behind every test of the run.
package struct CallingThreads: TestTrait, SuiteTrait, TestScoping {
    package let isRecursive = true

    private static let threads = CommandThreads(in: nil, mask: nil, most: 4)

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withTaskExecutorPreference(CallingThreads.threads) { try await function() }
    }
}

extension Trait where Self == CallingThreads {
    package static var callingThreads: CallingThreads { CallingThreads() }
}
