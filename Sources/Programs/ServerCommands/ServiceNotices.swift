import WidgetBytes
import WidgetFiles
import WidgetLogging
import WidgetProcesses
import WidgetSurroundings

/// Notifies the service manager of a server's moments, and that it lives.
///
/// A manager whose queue is full is tried again a second later, in the same order. One that cannot be reached is named in
/// the log once, and the server does without it.
final class ServiceNotices: Sendable {
    private struct State {
        /// Datagrams that the manager has had no room for.
        var waiting: [[String]] = []
        /// True while a thread sends them, or an alarm will.
        var isSending = false
        var hasFailed = false
        /// The status of a server that serves, which follows that of a reload.
        var serving: String?
    }

    private let manager: NotifySocket
    private let clock: any Clock
    private let logger: Logger
    private let state = Guarded(State())

    /// The most datagrams that wait; beyond them an old one is dropped.
    private static let mostWaiting = 16
    private static let pause = Duration.seconds(1)
    private static let life = ["WATCHDOG=1"]

    init(_ manager: NotifySocket, _ clock: any Clock, _ logger: Logger) {
        self.manager = manager
        self.clock = clock
        self.logger = logger
    }

    /// The time between two signs of life, half of what the manager waits for; `nil` if it wants none.
    var signEvery: Duration? { manager.watchdog.map { $0 / 2 } }

    func note(_ moment: ServerMoment) {
        let status = state.withLock { state in
            if case .ready = moment { state.serving = moment.status }
            return moment.status ?? state.serving
        }
        send(moment.assignments(NotifySocket.monotonicMicroseconds) + (status.map { ["STATUS=\($0)"] } ?? []))
    }

    /// Gives a sign of life. One that waits is enough.
    func sign() { send(ServiceNotices.life) }

    private func send(_ assignments: [String]) {
        let sends = state.withLock { state in
            if assignments != ServiceNotices.life || !state.waiting.contains(assignments) {
                state.waiting.append(assignments)
            }
            // The first may be on its way.
            if state.waiting.count > ServiceNotices.mostWaiting { state.waiting.remove(at: 1) }
            defer { state.isSending = true }
            return !state.isSending
        }
        if sends { sendWaiting() }
    }

    private func sendWaiting() {
        while let next = state.withLock({ state in
            state.isSending = !state.waiting.isEmpty
            return state.waiting.first
        }) {
            do throws(FileError) {
                try manager.send(next)
            } catch {
                if error.hasNoRoom {
                    _ = clock.call(after: ServiceNotices.pause) { [weak self] in self?.sendWaiting() }
                    return
                }
                report(error)
            }
            state.withLock { _ = $0.waiting.removeFirst() }
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
