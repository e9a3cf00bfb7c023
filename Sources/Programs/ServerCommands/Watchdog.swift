import WidgetBytes
import WidgetSurroundings

/// Gives signs of life as long as a server answers.
///
/// A sign follows an answer and never a timer alone: it says that the parts that were asked work. While an answer is
/// missing, no further question is asked.
final class Watchdog: Sendable {
    typealias Question = @Sendable (_ answered: @escaping @Sendable () -> Void) -> Void

    private struct State {
        var isAsking = false
        var isStopped = false
        var alarm: Alarm?
    }

    private let interval: Duration
    private let clock: any Clock
    private let ask: Question
    private let sign: @Sendable () -> Void
    private let state = Guarded(State())

    init(every interval: Duration, _ clock: any Clock, sign: @escaping @Sendable () -> Void, ask: @escaping Question) {
        self.interval = interval
        self.clock = clock
        self.sign = sign
        self.ask = ask
    }

    /// Asks now, and after each interval.
    func start() {
        let asks = state.withLock { state in
            guard !state.isStopped else { return false }
            state.alarm = clock.call(after: interval) { [weak self] in self?.start() }
            defer { state.isAsking = true }
            return !state.isAsking
        }
        guard asks else { return }
        ask { [weak self] in self?.answered() }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.alarm?.cancel()
            state.alarm = nil
        }
    }

    private func answered() {
        let isWanted = state.withLock { state in
            state.isAsking = false
            return !state.isStopped
        }
        if isWanted { sign() }
    }
}
