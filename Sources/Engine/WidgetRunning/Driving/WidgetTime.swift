internal import Bytes
package import Surroundings

/// The time that a widget sees, in seconds since 2001.
package enum WidgetTime: Sendable {
    /// Moves only when the widget's driver lets time pass, as scripts and tests need it.
    case script
    /// Runs by a clock: at the instant `since` it showed `beginning`.
    case running(by: any Clock, beginning: Double, since: ContinuousClock.Instant)

    /// Begins at a moment, and runs by a clock.
    package static func running(from beginning: Double, by clock: any Clock = SystemClock()) -> WidgetTime {
        .running(by: clock, beginning: beginning, since: clock.now)
    }

    /// The date of a clock.
    package static func date(of clock: any Clock) -> WidgetTime {
        .running(from: moment(of: clock), by: clock)
    }

    /// The moment that a clock shows.
    package static func moment(of clock: any Clock) -> Double {
        let (seconds, nanoseconds) = clock.date
        return Double(seconds) + Double(nanoseconds) / 1e9 - CivilDate.secondsTo2001
    }

    /// The moment to bring a widget up to; `nil` if only its driver moves it.
    var now: Double? {
        guard case .running(let clock, let beginning, let since) = self else { return nil }
        return beginning + clock.now.seconds(since: since)
    }

    /// The first instant at which it shows a moment of the next days; `nil` if no clock moves it.
    func instant(of moment: Double) -> ContinuousClock.Instant? {
        guard case .running(_, let beginning, let since) = self else { return nil }
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
