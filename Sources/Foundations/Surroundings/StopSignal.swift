internal import Bytes
internal import Dispatch

/// Says once and for good that work shall end, and lets a thread rest until then.
package final class StopSignal: Sendable {
    private struct State {
        var isGiven = false
        var resting: [ObjectIdentifier: DispatchSemaphore] = [:]
    }

    private let clock: any Clock
    private let state = Guarded(State())

    package init(_ clock: any Clock) { self.clock = clock }

    package var isGiven: Bool { state.withLock { $0.isGiven } }

    /// Ends all rests, those that begin later too.
    package func give() {
        let resting = state.withLock { state in
            state.isGiven = true
            return state.resting.values.map { $0 }
        }
        for rest in resting { rest.signal() }
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
