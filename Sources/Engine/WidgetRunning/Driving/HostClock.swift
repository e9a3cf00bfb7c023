internal import Bytes

/// A clock that only its host moves, and the widgets that run by it: any number of them, in real tasks, whose timers,
/// updates and answers come in the order of the clock.
package final class HostClock: Sendable {
    private struct Follower {
        weak var widget: RunningWidget?
    }

    private struct State {
        var moment: Double
        var followers: [Follower] = []
    }

    /// The stops of one step. A widget that wants more is not waited for on the way: its timers still turn in order, and
    /// the answers of its servers come at the end.
    private static let stopLimit = 10_000
    /// The requests of one widget that one stop waits for, so that answers that cause requests have an end.
    static let answerLimit = 1_000

    private let state: Guarded<State>

    /// - Parameter moment: in seconds since 2001, as the clocks of widgets count.
    package init(at moment: Double) {
        state = Guarded(State(moment: moment))
    }

    package var moment: Double { state.withLock { $0.moment } }

    func add(_ widget: RunningWidget) {
        state.withLock { state in
            state.followers.removeAll { $0.widget == nil }
            state.followers.append(Follower(widget: widget))
        }
    }

    func remove(_ widget: RunningWidget) {
        state.withLock { state in state.followers.removeAll { $0.widget == nil || $0.widget === widget } }
    }

    /// Moves the clock on, and stops at each moment for which a widget waits; returns when no answer is under way.
    ///
    /// - Parameter seconds: zero and less only wait for answers.
    package func advance(by seconds: Double) async {
        let target = moment + max(0, seconds)
        await wake()
        for _ in 0..<HostClock.stopLimit {
            let now = moment
            var next = target
            for widget in followers { next = min(next, await widget.nextMoment(after: now)) }
            guard next < target else { break }
            await move(to: next)
        }
        await move(to: target)
    }

    private var followers: [RunningWidget] { state.withLock { state in state.followers.compactMap(\.widget) } }

    /// Clocks do not go back, however many callers move one.
    private func move(to moment: Double) async {
        let isNew = state.withLock { state in
            defer { state.moment = max(state.moment, moment) }
            return moment > state.moment
        }
        if isNew { await wake() }
    }

    private func wake() async {
        for widget in followers { await widget.catchUp() }
    }
}
