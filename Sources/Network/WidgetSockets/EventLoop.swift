internal import CWidgetLinux
internal import Synchronization
package import WidgetAddresses
internal import WidgetBytes
package import WidgetSurroundings

/// The owner of a loop's connections. Every call comes from the loop's own thread.
package protocol EventLoopClient: AnyObject {
    /// The client owns the channel from here on.
    func accepted(_ channel: ByteChannel, from peer: IPAddress, listener: Int)
    func ready(_ token: UInt64, _ readiness: Readiness)
    /// The system has no descriptor left for another connection; accepting resumes a moment later.
    func acceptPaused()
    /// All events of one wait have been delivered.
    func settled()
    /// Called about every `EventLoop.tickMilliseconds` while `wantsTicks`.
    func tick()
    var wantsTicks: Bool { get }
    /// True while there is work that does not wait for an event.
    var isEager: Bool { get }
}

/// One thread that waits for sockets and reports their events to its client.
///
/// Confined to its thread, but for `perform` and `stop`, which only put something into a locked box and
/// ring a bell; that is what makes the `@unchecked Sendable` true.
package final class EventLoop: @unchecked Sendable {
    package static let tickMilliseconds: UInt64 = 250
    /// The pause of accepting after the system had no descriptor left.
    static let shortagePauseMilliseconds: UInt64 = 100
    /// The most connections accepted before other events get their turn.
    private static let acceptTurn = 64
    private static let listenerMark: UInt64 = 1 << 63

    private struct Entry {
        let listener: Listener
        var isPaused: Bool
    }

    private struct Inbox {
        var work: [@Sendable () -> Void] = []
        /// The loop has ended, and the box is not emptied again.
        var isClosed = false
    }

    private let poller: Poller
    private let inbox = Guarded(Inbox())
    private let isStopping = Atomic<Bool>(false)
    private var listeners: [Entry?] = []
    private var acceptResumesAt: UInt64 = 0
    private var nextTick: UInt64 = 0

    /// The time of the turn. Atomic only because that spares the checks of exclusive access a variable would cost.
    private let time: Atomic<UInt64>
    /// A clock other than the machine's. Its alarms wake the poller, which itself waits by the machine's clock.
    private let otherClock: OtherClock?
    /// Wakes the poller at the next moment of a loop that is stepped, so that its clock stops there.
    private var steppedAlarm: Alarm?

    private struct OtherClock {
        let clock: any Clock
        let start: ContinuousClock.Instant

        /// A second, and not zero, as moments a little earlier are moments too.
        private static let first: UInt64 = 1_000_000_000

        func nanoseconds() -> UInt64 {
            let (seconds, attoseconds) = start.duration(to: clock.now).components
            return OtherClock.first &+ UInt64(max(0, seconds)) &* 1_000_000_000
                &+ UInt64(max(0, attoseconds) / 1_000_000_000)
        }

        func moment(_ nanoseconds: UInt64) -> ContinuousClock.Instant {
            start + .nanoseconds(Int64(clamping: nanoseconds) - Int64(OtherClock.first))
        }
    }

    package init(_ clock: any Clock = SystemClock()) throws(SystemError) {
        _ = EventLoop.ignoresBrokenPipes
        otherClock = clock is SystemClock ? nil : OtherClock(clock: clock, start: clock.now)
        time = Atomic(otherClock?.nanoseconds() ?? linux_monotonic_nanoseconds())
        poller = try Poller()
    }

    /// Nanoseconds of the monotonic clock, read once per turn.
    package var now: UInt64 { time.load(ordering: .relaxed) }

    /// Sending a file raises SIGPIPE when the client is gone, and unlike sending bytes it takes no flag against that.
    private static let ignoresBrokenPipes: Bool = linux_ignore_broken_pipes() == 0

    // MARK: From any thread

    /// Runs `work` on the loop, soon; drops it when the loop has ended.
    package func perform(_ work: @escaping @Sendable () -> Void) {
        let mustWake = inbox.withLock { inbox in
            guard !inbox.isClosed else { return false }
            inbox.work.append(work)
            return inbox.work.count == 1
        }
        if mustWake { poller.wake() }
    }

    /// Makes `run` return after its present turn.
    package func stop() {
        isStopping.store(true, ordering: .releasing)
        poller.wake()
    }

    // MARK: From the loop

    /// Starts accepting; every connection is reported with `number`.
    package func listen(_ listener: Listener, number: Int) -> Bool {
        while listeners.count <= number { listeners.append(nil) }
        listeners[number] = Entry(listener: listener, isPaused: false)
        return poller.addListener(listener.descriptor, token: EventLoop.listenerMark | UInt64(number))
    }

    /// Stops accepting on every listener for good.
    package func stopListening() {
        for case let entry? in listeners {
            poller.remove(entry.listener.descriptor)
            entry.listener.stop()
        }
        listeners.removeAll()
        acceptResumesAt = 0
    }

    /// Reports every readiness of a channel from now on, under `token`.
    package func watch(_ channel: ByteChannel, token: UInt64) -> Bool {
        poller.addConnection(channel.descriptor, token: token)
    }

    package func refreshClock() {
        time.store(otherClock?.nanoseconds() ?? linux_monotonic_nanoseconds(), ordering: .relaxed)
    }

    /// Delivers events until `stop`.
    package func run(_ client: any EventLoopClient, name: String) {
        // The name is copied by the kernel.
        _ = unsafe name.withCString { unsafe linux_name_thread($0) }
        // Requests are not to wait for work on other threads, or in other processes, to end its turn.
        linux_take_short_turns()
        while !isStopping.load(ordering: .acquiring) { turn(client, wait(client)) }
        closeInbox()
    }

    /// Delivers the events that are there, on the caller's thread, which no other uses for this loop: a loop that is stepped
    /// has no thread, and its owner's clock says when something else is due.
    ///
    /// - Returns: false if there was none, and none will be before the next one from outside, or before the clock moves.
    package func step(_ client: any EventLoopClient) -> Bool {
        steppedAlarm?.cancel()
        let count = poller.wait(milliseconds: 0)
        refreshClock()
        turn(client, count)
        if isStopping.load(ordering: .acquiring) { closeInbox() }
        let end = nextMoment(client)
        steppedAlarm = otherClock.flatMap { setAlarm(at: end, of: $0) }
        return count > 0 || end <= now
    }

    private func turn(_ client: any EventLoopClient, _ count: Int) {
        var isRung = false
        for index in 0..<count {
            let (token, readiness) = poller.event(index)
            if token & EventLoop.listenerMark == 0 {
                client.ready(token, readiness)
            } else if token == Poller.bellToken {
                // Silenced before the box is emptied: work added in between rings again.
                poller.silenceBell()
                isRung = true
            } else {
                accept(Int(token & ~EventLoop.listenerMark), client)
            }
        }
        if isRung { runInbox() }
        client.settled()
        if client.wantsTicks, now >= nextTick {
            nextTick = now &+ EventLoop.tickMilliseconds &* 1_000_000
            client.tick()
        }
        if acceptResumesAt != 0, now >= acceptResumesAt { resumeAccepting() }
    }

    /// Waits for events, at most until the loop has something to do without them.
    private func wait(_ client: any EventLoopClient) -> Int {
        let end = nextMoment(client)
        let alarm = otherClock.flatMap { setAlarm(at: end, of: $0) }
        let count = poller.wait(milliseconds: timeout(until: end))
        alarm?.cancel()
        refreshClock()
        return count
    }

    /// Zero if there is work already, the highest number if there will be none.
    private func nextMoment(_ client: any EventLoopClient) -> UInt64 {
        if client.isEager { return 0 }
        var end = UInt64.max
        if client.wantsTicks { end = nextTick }
        if acceptResumesAt != 0 { end = min(end, acceptResumesAt) }
        return end
    }

    private func timeout(until end: UInt64) -> Int32 {
        if end <= now { return 0 }
        guard end != UInt64.max, otherClock == nil else { return -1 }
        return Int32(min(1_000, (end &- now) / 1_000_000 &+ 1))
    }

    private func setAlarm(at end: UInt64, of other: OtherClock) -> Alarm? {
        guard end > now, end != UInt64.max else { return nil }
        let alarm = other.clock.call(at: other.moment(end)) { [poller] in poller.wake() }
        // A clock that was moved before the alarm was set may already be past it.
        refreshClock()
        return alarm
    }

    private func runInbox() {
        for item in takeWork() { item() }
    }

    /// Does the work that has been asked for until then, and takes no more: work left in the box would keep alive
    /// the objects it was for.
    private func closeInbox() {
        runInbox()
        inbox.withLock { $0.isClosed = true }
        runInbox()
    }

    private func takeWork() -> [@Sendable () -> Void] {
        inbox.withLock { inbox in
            let work = inbox.work
            inbox.work.removeAll()
            return work
        }
    }

    private func accept(_ number: Int, _ client: any EventLoopClient) {
        for _ in 0..<EventLoop.acceptTurn {
            // A client may stop all listening while it takes a connection.
            guard number < listeners.count, let entry = listeners[number] else { return }
            var bytes = InlineArray<16, UInt8>(repeating: 0)
            var port: UInt16 = 0
            // Sixteen bytes are written.
            let socket = unsafe withUnsafeMutableBytes(of: &bytes) {
                unsafe linux_accept(entry.listener.descriptor, $0.baseAddress, &port)
            }
            if socket >= 0 {
                client.accepted(.plain(socket), from: IPAddress(bytes), listener: number)
                continue
            }
            let code = linux_errno()
            if Interruption.isShortage(code) {
                pauseAccepting(number)
                client.acceptPaused()
                return
            }
            if Interruption.wouldBlock(code) { return }
            // Everything else concerns one connection that was gone before it was accepted.
        }
    }

    /// Out of descriptors: the connection stays in the queue, and asking again at once would only spin.
    private func pauseAccepting(_ number: Int) {
        guard let entry = listeners[number] else { return }
        poller.remove(entry.listener.descriptor)
        listeners[number]?.isPaused = true
        acceptResumesAt = now &+ EventLoop.shortagePauseMilliseconds &* 1_000_000
    }

    private func resumeAccepting() {
        acceptResumesAt = 0
        for (number, entry) in listeners.enumerated() {
            guard let entry, entry.isPaused else { continue }
            listeners[number]?.isPaused = false
            _ = poller.addListener(entry.listener.descriptor, token: EventLoop.listenerMark | UInt64(number))
        }
    }
}
