internal import CWidgetLinux
internal import Glibc

/// The operations a descriptor is ready for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let readable = Readiness(rawValue: 1)
    package static let writable = Readiness(rawValue: 2)
    /// The peer will send no more.
    package static let halfClosed = Readiness(rawValue: 4)
    /// The connection is gone.
    package static let broken = Readiness(rawValue: 8)
}

/// Waits for descriptors. This is the seam for another system's mechanism:
/// make, add edge-triggered, add level-triggered, remove, wait, wake.
///
/// Safe to use: the event buffer is made, owned and freed here; the descriptors are its own.
@safe
final class Poller: @unchecked Sendable {
    // Sendable because `wake` touches only a descriptor, and everything else is called by one loop.
    private let queue: Int32
    private let bell: Int32
    private let events: UnsafeMutableBufferPointer<linux_event>

    /// The token of the poller's own bell.
    static let bellToken = UInt64.max

    init() throws(SystemError) {
        queue = linux_epoll_create()
        bell = linux_eventfd()
        unsafe events = .allocate(capacity: Int(LINUX_EVENTS_PER_WAIT))
        guard queue >= 0, bell >= 0 else { throw SystemError("epoll_create", subject: "event loop") }
        guard linux_epoll_add(queue, bell, LINUX_EPOLLIN, Poller.bellToken) == 0 else {
            throw SystemError("epoll_ctl", subject: "event loop")
        }
    }

    deinit {
        close(queue)
        close(bell)
        unsafe events.deallocate()
    }

    /// Watches a connection for every event, edge-triggered; called once for each connection.
    func addConnection(_ descriptor: Int32, token: UInt64) -> Bool {
        let interest = LINUX_EPOLLIN | LINUX_EPOLLOUT | LINUX_EPOLLRDHUP | LINUX_EPOLLET
        return linux_epoll_add(queue, descriptor, interest, token) == 0
    }

    /// Watches a listener for as long as there is something to accept.
    func addListener(_ descriptor: Int32, token: UInt64) -> Bool {
        linux_epoll_add(queue, descriptor, LINUX_EPOLLIN, token) == 0
    }

    func remove(_ descriptor: Int32) {
        _ = linux_epoll_remove(queue, descriptor)
    }

    /// Waits for events; a negative time-out waits for ever. Returns how many there are.
    func wait(milliseconds: Int32) -> Int {
        let count = unsafe linux_epoll_wait(queue, events.baseAddress, Int32(events.count), milliseconds)
        return max(0, Int(count))
    }

    /// The event at `index` of the last wait.
    @inline(__always)
    func event(_ index: Int) -> (token: UInt64, readiness: Readiness) {
        // The index is below the count the last wait returned, which is within the buffer.
        let event = unsafe events[index]
        let flags = event.flags
        var readiness: Readiness = []
        if flags & LINUX_EPOLLIN != 0 { readiness.insert(.readable) }
        if flags & LINUX_EPOLLOUT != 0 { readiness.insert(.writable) }
        if flags & LINUX_EPOLLRDHUP != 0 { readiness.insert(.halfClosed) }
        if flags & (LINUX_EPOLLHUP | LINUX_EPOLLERR) != 0 { readiness.insert(.broken) }
        return (event.token, readiness)
    }

    /// Ends a wait, from any thread.
    func wake() {
        var one: UInt64 = 1
        // A wake-up that an interruption swallows would leave an answer waiting until something else happens.
        while unsafe write(bell, &one, 8) < 0, Interruption.isTransient(linux_errno()) {}
    }

    func silenceBell() {
        var count: UInt64 = 0
        _ = unsafe read(bell, &count, 8)
    }
}
