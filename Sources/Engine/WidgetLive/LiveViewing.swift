internal import Bytes
package import Surroundings

/// A page of one person, with its widget in this process or in another one.
package protocol LiveViewing: AnyObject, Sendable {
    /// 32 hexadecimal digits, known to its viewer alone.
    var name: String { get }
    /// The use of it, which the desk reads without waiting.
    var use: ViewingUse { get }

    /// The whole page of now; `nil` if the viewing is over, or if too much waits for it.
    func page() async -> LivePage?

    /// The reason why a page was not given.
    func reasonForNoPage() async -> LiveRefusal

    /// The sheet of a page that was printed; `nil` for one that is long gone.
    func sheet(_ number: Int) async -> String?

    /// A file that its pages refer to and that others have not printed lately.
    func file(_ name: String) async -> [UInt8]?

    /// Takes a batch of events, `[serial, [event…]]`. One that was taken before is not taken again.
    func act(_ body: [UInt8]) async -> LiveOutcome

    /// Takes the form of a page without script: its fields, then its files, then its button.
    func post(_ form: LiveForm) async -> LiveOutcome

    /// Writes changes to a stream from now on. A stream from before ends.
    ///
    /// - Parameter number: the view that the page shows.
    func follow(after number: Int?, _ sink: any LiveSink) async

    /// Writes changes to a stream from now on.
    ///
    /// - Parameter position: the position of the page, as its stream has named it.
    func follow(at position: String?, _ sink: any LiveSink) async

    /// The viewing of one widget on a page with several.
    func part(_ letter: String) async -> (any LiveViewing)?

    /// Forgets a stream that its browser has closed.
    func unfollow(_ sink: any LiveSink) async

    func beat() async

    /// Ends the widget and the stream.
    func end(_ reason: LiveEnding) async
}

extension LiveViewing {
    package func follow(at position: String?, _ sink: any LiveSink) async {
        await follow(after: position.flatMap { Int($0) }, sink)
    }

    package func part(_ letter: String) async -> (any LiveViewing)? { nil }

    package func file(_ name: String) async -> [UInt8]? { nil }

    package func end() async { await end(.left) }
}

/// The use of a viewing.
package final class ViewingUse: Sendable {
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
