import Bytes
import Files
import Logging
import Processes
import Surroundings

/// Notifies the service manager of a server's moments, and that it lives.
///
/// A manager whose queue is full is tried again a second later, in the same order. One that cannot be reached is named in
/// the log once, and the server does without it.
final class ServiceNotices: Sendable {
    private struct State {
        /// Datagrams that the manager has had no room for.
        var waiting: [[String]] = []
        var hasFailed = false
        /// The line about the state of the server, which a reload covers for a moment.
        var serving: String?
    }

    private let manager: NotifySocket
    private let clock: any Clock
    private let logger: Logger
    private let state = Guarded(State())

    /// The most datagrams that wait; beyond them an old one is dropped.
    private static let mostWaiting = 16
    private static let pause = Duration.seconds(1)

    init(_ manager: NotifySocket, _ clock: any Clock, _ logger: Logger) {
        self.manager = manager
        self.clock = clock
        self.logger = logger
    }

    /// The time between two signs of life, half of what the manager waits for; `nil` if it wants none.
    var signEvery: Duration? { manager.watchdog.map { $0 / 2 } }

    func note(_ moment: ServerMoment) {
        var assignments = moment.assignments(NotifySocket.monotonicMicroseconds)
        state.withLock { state in
            if case .ready = moment { state.serving = assignments.last }
            if moment == .reloaded, let serving = state.serving { assignments.append(serving) }
        }
        send(assignments)
    }

    /// Gives a sign of life.
    func sign() { send(["WATCHDOG=1"]) }

    private func send(_ assignments: [String]) {
        let isFirst = state.withLock { state in
            state.waiting.append(assignments)
            // The first may be on its way.
            if state.waiting.count > ServiceNotices.mostWaiting { state.waiting.remove(at: 1) }
            return state.waiting.count == 1
        }
        // Those that wait already have an alarm.
        if isFirst { sendWaiting() }
    }

    private func sendWaiting() {
        while let next = state.withLock({ $0.waiting.first }) {
            do throws(FileError) {
                try manager.send(next)
            } catch {
                if error.hasNoRoom {
                    _ = clock.call(after: ServiceNotices.pause) { [weak self] in self?.sendWaiting() }
                    return
                }
                report(error)
            }
            state.withLock { state in
                if !state.waiting.isEmpty { state.waiting.removeFirst() }
            }
        }
    }

    private func report(_ error: FileError) {
        let isFirst = state.withLock { state in
            defer { state.hasFailed = true }
            return !state.hasFailed
        }
        guard isFirst else { return }
        logger.log(
            .warning, "notify.failed", "the service manager is not notified",
            [LogField("socket", error.subject), LogField("reason", error.reason)])
    }
}
