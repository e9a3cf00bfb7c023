internal import WidgetBytes

/// Stops asking a store that fails, so that callers hear of it at once and the store recovers.
///
/// After some failures in a row it rests; then one request at a time tries, and its success ends the trouble. Rests grow.
struct Breaker: Sendable {
    private struct State {
        var failures = 0
        /// Until then nothing is asked; `nil` without trouble.
        var rest: ContinuousClock.Instant?
        /// True while one request tries.
        var isTrying = false
        var length = Breaker.firstRest
    }

    static let mostFailures = 5
    static let firstRest = Duration.seconds(1)
    static let longestRest = Duration.seconds(30)

    private let state = Guarded(State())

    /// True if a request may be made now. The caller then says how it ended.
    func admits(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            guard let rest = state.rest else { return true }
            guard now >= rest, !state.isTrying else { return false }
            state.isTrying = true
            return true
        }
    }

    func succeeded() { state.withLock { $0 = State() } }

    /// - Parameter chance: a number in `0..<1`, so that replicas do not all try at once.
    func failed(at now: ContinuousClock.Instant, chance: Double) {
        state.withLock { state in
            state.failures += 1
            state.isTrying = false
            guard state.failures >= Breaker.mostFailures else { return }
            state.rest = now + state.length * (0.5 + chance / 2)
            state.length = min(state.length * 2, Breaker.longestRest)
        }
    }

    /// The request ended in a way that says nothing of the store.
    func abstained() { state.withLock { $0.isTrying = false } }

    /// True while nothing, or one request alone, is asked.
    var isOpen: Bool { state.withLock { $0.rest != nil } }

    /// True while nothing is asked: the next request would be refused.
    func isResting(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in state.rest.map { now < $0 || state.isTrying } ?? false }
    }
}
