internal import WidgetBytes
package import WidgetHTTPServer

/// The progress of a mirror, for `/readyz` and `/metrics`.
package final class MirrorFigures: Sendable {
    struct State: Sendable {
        var copiedArchives: UInt64 = 0
        var copiedByteCount: UInt64 = 0
        var failures: UInt64 = 0
        /// The tag of the origin's last change that was seen.
        var tag = 0
        /// When the copy was last known to be as its origin, or when it began; by a clock that never goes back.
        var current: ContinuousClock.Instant
        var isCompared = false
        /// The reason why the origin cannot be followed; `nil` while it can.
        var failure: String?
        var behindCount = 0
    }

    private let state: Guarded<State>
    private let origin: String
    private let now: @Sendable () -> ContinuousClock.Instant

    init(origin: String, now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.origin = origin
        self.now = now
        state = Guarded(State(current: now()))
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    var value: State { state.withLock { $0 } }

    /// Notes that everything which the origin had a moment ago is here, but for the bundles that wait.
    func follow(to tag: Int, behind: Int) {
        state.withLock { state in
            state.tag = tag
            state.isCompared = true
            state.failure = nil
            state.behindCount = behind
            if behind == 0 { state.current = now() }
        }
    }

    private func behind(_ state: State) -> Int64 { max(0, (now() - state.current).components.seconds) }

    /// The state in words; `nil` while the copy follows its origin. Anyone may read it, so it names no bundle.
    package var trouble: String? {
        let state = value
        let since = "the copy is \(behind(state)) s behind \(origin)"
        if let failure = state.failure { return "\(since): \(failure)" }
        guard state.isCompared else { return "what \(origin) has is being looked through" }
        return state.behindCount == 0
            ? nil : "\(since): \(state.behindCount) bundles cannot be brought up to date; the log names them"
    }

    package func write(to text: inout MetricsText) {
        let state = value
        text.gauge(
            "widgetd_mirror_behind_seconds", "Time since the copy was known to be as its origin.",
            UInt64(behind(state)))
        text.gauge(
            "widgetd_mirror_bundles_behind", "Bundles that could not be brought up to date, and are tried again.",
            UInt64(max(0, state.behindCount)))
        text.gauge(
            "widgetd_mirror_origin_tag", "The tag of the origin's last change that was seen.", UInt64(max(0, state.tag))
        )
        text.counter("widgetd_mirror_archives_total", "Archives that were copied.", state.copiedArchives)
        text.counter("widgetd_mirror_bytes_total", "Their bytes.", state.copiedByteCount)
        text.counter(
            "widgetd_mirror_failures_total", "Attempts to follow the origin, or a bundle of it, that failed.",
            state.failures)
    }
}
