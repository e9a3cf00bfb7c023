internal import Glibc

/// A descriptor that a thread waits for, until it can be read or written or is closed on the other side.
package struct AwaitedDescriptor: Sendable {
    /// The moment when a wait ends.
    package enum Readiness: Sendable {
        case readable, writable, either

        fileprivate var events: Int16 {
            switch self {
            case .readable: Int16(POLLIN)
            case .writable: Int16(POLLOUT)
            case .either: Int16(POLLIN | POLLOUT)
            }
        }
    }

    private let number: Int32

    package init(_ number: Int32) { self.number = number }

    /// Waits in the kernel. A signal may end a wait of some length early, and its caller looks again.
    ///
    /// - Parameter duration: the longest wait; `nil` for one without an end.
    /// - Returns: true if the other side has closed, or no descriptor has the number.
    @discardableResult
    package func wait(for readiness: Readiness, upTo duration: Duration? = nil) -> Bool {
        // A part of a millisecond is waited for too, so that nothing looks again without having waited.
        let milliseconds = duration.map { Int32(clamping: Int((max(.zero, $0) / .milliseconds(1)).rounded(.up))) }
        var awaited = pollfd(fd: number, events: readiness.events, revents: 0)
        // Safe: the call reads and writes one pollfd, which lives here until it has returned.
        var found: Int32
        repeat { found = unsafe poll(&awaited, 1, milliseconds ?? -1) } while found < 0 && milliseconds == nil
        return found > 0 && Int32(awaited.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0
    }
}
