internal import WidgetBytes

/// A clock that skips waits: a sleep moves it to its end and returns at once. For tests of one line of work.
package final class SkippingClock: Clock {
    private let clock: ManualClock
    private let list = Guarded<[Duration]>([])

    /// - Parameter date: the time of day that it shows first, since 1970.
    package init(date: Duration = .seconds(1_529_524_800)) { clock = ManualClock(date: date) }

    package var now: ContinuousClock.Instant { clock.now }

    package var date: (seconds: Int64, nanoseconds: Int) { clock.date }

    /// The time since the clock was made.
    package var passed: Duration { clock.passed }

    /// The sleeps so far.
    package var sleeps: [Duration] { list.withLock { $0 } }

    package func call(at moment: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> Alarm {
        clock.call(at: moment, action)
    }

    package func sleep(until moment: ContinuousClock.Instant) async {
        // Others get their turn, as in a real sleep.
        await Task.yield()
        guard !Task.isCancelled else { return }
        let duration = max(moment - now, .zero)
        list.withLock { $0.append(duration) }
        clock.advance(by: duration)
    }

    /// Moves the clock on, and makes the calls that are due.
    package func advance(by duration: Duration) { clock.advance(by: duration) }
}

extension World {
    /// A world with skipped waits and predictable chance.
    package static func skipping(_ clock: SkippingClock = SkippingClock()) -> World {
        World(clock: clock, chance: FixedChance(0.5))
    }
}
