internal import Dispatch
internal import WidgetBytes

/// Says once and for good that work shall end, and lets a thread rest until then.
package final class StopSignal: Sendable {
    private struct State {
        var isGiven = false
        var resting: [ObjectIdentifier: DispatchSemaphore] = [:]
        var acts: [@Sendable () -> Void] = []
    }

    private let clock: any Clock
    private let state = Guarded(State())

    package init(_ clock: any Clock) { self.clock = clock }

    package var isGiven: Bool { state.withLock { $0.isGiven } }

    /// Ends all rests, also later ones, and performs the acts that wait for it.
    package func give() {
        let (resting, acts) = state.withLock { state in
            state.isGiven = true
            defer { state.acts = [] }
            return (state.resting.values.map { $0 }, state.acts)
        }
        for rest in resting { rest.signal() }
        for act in acts { act() }
    }

    /// Calls the act once the signal is given: on the thread that gives it, or here if it was given before.
    package func onGiven(_ act: @escaping @Sendable () -> Void) {
        let isGiven = state.withLock { state in
            if !state.isGiven { state.acts.append(act) }
            return state.isGiven
        }
        if isGiven { act() }
    }

    /// Blocks the thread for the time, or until the signal is given.
    ///
    /// - Returns: true if it was given.
    @discardableResult
    package func rest(for duration: Duration) -> Bool {
        let rest = DispatchSemaphore(value: 0)
        let isGiven = state.withLock { state in
            if !state.isGiven { state.resting[ObjectIdentifier(rest)] = rest }
            return state.isGiven
        }
        guard !isGiven else { return true }
        let end = clock.moment(after: duration)
        let alarm = clock.call(at: end) { rest.signal() }
        // A clock that a test has moved past the moment meanwhile would never make the call.
        if clock.now < end { rest.wait() }
        alarm.cancel()
        return state.withLock { state in
            state.resting[ObjectIdentifier(rest)] = nil
            return state.isGiven
        }
    }
}

extension Clock {
    /// Blocks the thread for the time.
    package func rest(for duration: Duration) { StopSignal(self).rest(for: duration) }
}
