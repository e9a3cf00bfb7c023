/// Measures whether a body comes at the least rate, one window after the other.
struct RateWindow {
    private let least: LeastRate
    private var start: ContinuousClock.Instant
    private var byteCount = 0

    init(_ least: LeastRate, at start: ContinuousClock.Instant) {
        self.least = least
        self.start = start
    }

    mutating func add(_ count: Int) { byteCount += count }

    /// Begins anew; the time in which the server waited for the reader does not count.
    mutating func restart(at now: ContinuousClock.Instant) { self = RateWindow(least, at: now) }

    /// The time until the window ends; zero or less when it ended with too few bytes.
    mutating func timeLeft(at now: ContinuousClock.Instant) -> Duration {
        if now - start >= least.window, byteCount >= least.byteCount(in: least.window) { restart(at: now) }
        return start + least.window - now
    }
}
