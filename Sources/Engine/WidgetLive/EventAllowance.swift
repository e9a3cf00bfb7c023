internal import WidgetSurroundings

/// The events that a viewing may still take: so many at once, and as many more as a second brings.
struct EventAllowance {
    private var left: Double
    private var moment: ContinuousClock.Instant
    private let limits: LiveLimits

    init(_ limits: LiveLimits, at moment: ContinuousClock.Instant) {
        left = limits.eventBurst
        self.moment = moment
        self.limits = limits
    }

    /// Takes events. A batch of more than fit at once is taken when all of them are left, and the next one waits longer.
    ///
    /// - Returns: the seconds until so many may be taken; `nil` if they were taken.
    mutating func take(_ count: Int, at now: ContinuousClock.Instant) -> Double? {
        let gained = max(now.seconds(since: moment), 0) * limits.eventsPerSecond
        (left, moment) = (min(left + gained, limits.eventBurst), max(now, moment))
        let wanted = min(Double(count), limits.eventBurst)
        guard left >= wanted else { return (wanted - left) / max(limits.eventsPerSecond, 0.001) }
        left -= Double(count)
        return nil
    }
}
