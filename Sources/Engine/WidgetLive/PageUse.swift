internal import WidgetBytes
package import WidgetSurroundings

/// The use of a page, which the desk reads without waiting.
package final class PageUse: Sendable {
    private struct State {
        /// The last event, page or end of a stream.
        var moment: ContinuousClock.Instant
        var hasStream = false
        /// The last write to a stream.
        var lastBeat: ContinuousClock.Instant?
    }

    private let limits: LiveLimits
    private let clock: any Clock
    private let state: Guarded<State>

    package init(_ limits: LiveLimits, _ clock: any Clock) {
        self.limits = limits
        self.clock = clock
        state = Guarded(State(moment: clock.now))
    }

    /// Seconds without a stream and an event; none while there is a stream.
    func unusedSeconds(at now: ContinuousClock.Instant) -> Double {
        state.withLock { $0.hasStream ? 0 : now.seconds(since: $0.moment) }
    }

    func idleness(at now: ContinuousClock.Instant) -> LiveEnding? {
        state.withLock { state in
            let limit = state.hasStream ? limits.idleWithStream : limits.idleWithoutStream
            return now.seconds(since: state.moment) >= limit ? .idle(seconds: limit) : nil
        }
    }

    func needsBeat(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            state.hasStream && state.lastBeat.map { now.seconds(since: $0) >= limits.beat } ?? false
        }
    }

    /// Notes that something was written to the stream.
    package func setBeat() {
        let now = clock.now
        state.withLock { $0.lastBeat = now }
    }

    package func touch(hasStream: Bool? = nil) {
        let now = clock.now
        state.withLock { state in
            state.moment = now
            if let hasStream { state.hasStream = hasStream }
        }
    }
}
