internal import Foundation
internal import Glibc

/// A value that threads change and a test waits for: each change wakes the test.
///
/// Safe to share: the value is touched under the lock alone.
package final class Observed<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return try body(&value)
    }

    /// Blocks until the condition holds.
    ///
    /// - Returns: false if it does not within a minute, so that a test that waits for nothing ends.
    package func reaches(_ isReached: (Value) -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: 60)
        condition.lock()
        defer { condition.unlock() }
        while !isReached(value) { guard condition.wait(until: end) else { return isReached(value) } }
        return true
    }
}

/// Blocks until the names in a folder are as the condition says. The kernel reports each change.
///
/// - Returns: false if they are not within a minute.
package func folder(_ path: String, reaches isReached: (Set<String>) -> Bool) -> Bool {
    func names() -> Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []) }
    let watch = inotify_init1(Int32(IN_CLOEXEC))
    guard watch >= 0 else { return isReached(names()) }
    defer { close(watch) }
    let events = UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_FROM) | UInt32(IN_MOVED_TO)
    guard inotify_add_watch(watch, path, events) >= 0 else { return isReached(names()) }
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
