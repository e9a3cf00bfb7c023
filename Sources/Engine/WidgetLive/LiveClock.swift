/// The time that viewings are limited by. A server's runs by itself; one of tests is moved.
package protocol LiveClock: Sendable {
    /// Seconds since a moment that stays the same; never fewer than before.
    var now: Double { get }

    /// Returns after so many seconds, or earlier if its task is cancelled.
    func wait(_ seconds: Double) async
}

/// The time of the machine, without the changes that people make to its date.
package struct MachineClock: LiveClock {
    private let start = ContinuousClock.now

    package init() {}

    package var now: Double {
        let (seconds, attoseconds) = start.duration(to: .now).components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    package func wait(_ seconds: Double) async {
        try? await Task.sleep(for: .seconds(min(max(seconds, 0), 86_400)))
    }
}

/// The events that a viewing may still take: so many at once, and as many more as a second brings.
struct EventAllowance {
    private var left: Double
    private var moment: Double
    private let limits: LiveLimits

    init(_ limits: LiveLimits, at moment: Double) {
        left = limits.eventBurst
        self.moment = moment
        self.limits = limits
    }

    /// Takes events. A batch of more than fit at once is taken when all of them are left, and the next one waits longer.
    ///
    /// - Returns: the seconds until so many may be taken; `nil` if they were taken.
    mutating func take(_ count: Int, at now: Double) -> Double? {
        let gained = max(now - moment, 0) * limits.eventsPerSecond
        (left, moment) = (min(left + gained, limits.eventBurst), max(now, moment))
        let wanted = min(Double(count), limits.eventBurst)
        guard left >= wanted else { return (wanted - left) / max(limits.eventsPerSecond, 0.001) }
        left -= Double(count)
        return nil
    }
}
