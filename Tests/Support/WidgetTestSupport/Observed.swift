internal import Foundation
internal import Glibc

/// A value that threads change and a test waits for without looking again and again: each change wakes the test.
///
/// Safe to share: the state is touched under the lock alone.
package final class Observed<Value: Sendable>: @unchecked Sendable {
    private struct Waiter {
        let number: Int
        let condition: (Value) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private let condition = NSCondition()
    private var state: Value
    private var waiters: [Waiter] = []
    private var count = 0

    package init(_ value: Value) { state = value }

    package var value: Value { locked { state } }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        condition.lock()
        defer { condition.unlock() }
        let result = try body(&state)
        wake()
        return result
    }

    /// Wakes all that wait, after a change, and under the lock.
    private func wake() {
        let content = waiters.filter { $0.condition(state) }
        waiters.removeAll { waiter in content.contains { $0.number == waiter.number } }
        condition.broadcast()
        for waiter in content { waiter.continuation.resume() }
    }

    @discardableResult
    package func change<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result { try withLock(body) }

    /// Blocks until the condition holds.
    ///
    /// - Returns: false if it does not within a minute, so that a test that waits for nothing ends.
    package func reaches(_ isReached: (Value) -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: 60)
        return locked {
            while !isReached(state) { guard condition.wait(until: end) else { return isReached(state) } }
            return true
        }
    }

    /// Blocks until the body takes something from the value, which it may change then.
    ///
    /// - Parameter time: the longest wait; `nil`: any.
    /// - Returns: `nil` if it does not within the time.
    package func takes<Result>(within time: Duration? = .seconds(60), _ body: (inout Value) -> Result?) -> Result? {
        let end = time.map { Date(timeIntervalSinceNow: $0 / .seconds(1)) }
        return locked { () -> Result? in
            while true {
                if let result = body(&state) {
                    wake()
                    return result
                }
                guard let end else {
                    condition.wait()
                    continue
                }
                guard condition.wait(until: end) else { return body(&state) }
            }
        }
    }

    /// Returns when the value fulfils the condition, or when the task is cancelled.
    package func becomes(_ isReached: @escaping @Sendable (Value) -> Bool) async {
        let number = locked {
            count += 1
            return count
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = locked {
                    if isReached(state) || Task.isCancelled { return true }
                    waiters.append(Waiter(number: number, condition: isReached, continuation: continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let waiter = locked { () -> Waiter? in
                guard let index = waiters.firstIndex(where: { $0.number == number }) else { return nil }
                return waiters.remove(at: index)
            }
            waiter?.continuation.resume()
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }
}

/// Blocks until the names in a folder are as the condition says. The kernel reports each change.
///
/// - Returns: false if they are not within a minute.
package func folder(_ path: String, reaches isReached: (Set<String>) -> Bool) -> Bool {
    func names() -> Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []) }
    var watch = inotify_init1(Int32(IN_CLOEXEC))
    // All processes of a user share a hundred watches: one may have to become free first.
    for _ in 0..<3_000 where watch < 0 {
        if isReached(names()) { return true }
        _ = poll(nil, 0, 20)
        watch = inotify_init1(Int32(IN_CLOEXEC))
    }
    guard watch >= 0 else { return isReached(names()) }
    defer { close(watch) }
    let events = UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
    guard unsafe inotify_add_watch(watch, path, events) >= 0 else { return isReached(names()) }
    var room = [UInt8](repeating: 0, count: 65_536)
    while !isReached(names()) {
        var entry = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&entry, 1, 60_000)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return isReached(names()) }
        // The events themselves do not matter: the folder is read again.
        _ = unsafe read(watch, &room, room.count)
    }
    return true
}
