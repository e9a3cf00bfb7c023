internal import WidgetBytes
package import WidgetRunning
package import WidgetSurroundings

/// The time of a widget that runs by a clock, in seconds since 2001: at the instant `since` it showed `beginning`.
package struct HostTime: Sendable {
    private let clock: any Clock
    private let beginning: Double
    private let since: ContinuousClock.Instant

    /// Begins at a moment, and runs by a clock.
    package init(from beginning: Double, by clock: any Clock = SystemClock()) {
        self.clock = clock
        self.beginning = beginning
        since = clock.now
    }

    /// The date of a clock.
    package init(of clock: any Clock) { self.init(from: HostTime.moment(of: clock), by: clock) }

    /// The moment that a clock shows.
    package static func moment(of clock: any Clock) -> Double {
        let (seconds, nanoseconds) = clock.date
        return Double(seconds) + Double(nanoseconds) / 1e9 - CivilDate.secondsTo2001
    }

    /// The moment to bring a widget up to.
    package var now: Double { beginning + clock.now.seconds(since: since) }

    /// The same for a driver.
    package var time: WidgetTime { .running { now } }

    /// The first instant at which it shows a moment of the next days.
    func instant(of moment: Double) -> ContinuousClock.Instant {
        var instant = since + Duration(nearest: moment - beginning)
        // Sums of large numbers are rounded.
        var step = Duration.nanoseconds(1)
        while beginning + instant.seconds(since: since) < moment, step < .seconds(1) {
            instant += step
            step += step
        }
        return instant
    }
}
