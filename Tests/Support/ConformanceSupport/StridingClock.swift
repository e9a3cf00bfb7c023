package import WidgetSurroundings

/// A clock that shows a second more each time that it is read, so that no test waits for work to be late.
package final class StridingClock: Clock {
    private let clock = ManualClock()

    package init() {}

    package var now: ContinuousClock.Instant {
        clock.advance(by: .seconds(1))
        return clock.now
    }

    package var date: (seconds: Int64, nanoseconds: Int) { clock.date }

    package func call(at moment: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> Alarm {
        clock.call(at: moment, action)
    }

    package func sleep(until moment: ContinuousClock.Instant) async { await clock.sleep(until: moment) }
}
