internal import WidgetBytes

/// Time, as a part of the program sees it: the machine's, or a test's.
package protocol Clock: Sendable {
    /// Time that never goes back.
    var now: ContinuousClock.Instant { get }

    /// The time of day: seconds since 1970, and the nanoseconds that have passed of the current second. People can set it.
    var date: (seconds: Int64, nanoseconds: Int) { get }

    /// Calls the action at a moment, or soon if it has passed, on a thread of the clock. The action is short.
    func call(at moment: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> Alarm

    /// Returns at the moment, or at once when the task is cancelled.
    func sleep(until moment: ContinuousClock.Instant) async
}

extension Clock {
    /// Seconds since 1970.
    package var seconds: Int64 { date.seconds }

    /// A moment from now. A duration that no calendar has counts as a hundred years.
    package func moment(after duration: Duration) -> ContinuousClock.Instant {
        now + min(duration, .seconds(longestWait))
    }

    package func call(after duration: Duration, _ action: @escaping @Sendable () -> Void) -> Alarm {
        call(at: moment(after: duration), action)
    }

    package func sleep(for duration: Duration) async {
        guard duration > .zero else { return }
        await sleep(until: moment(after: duration))
    }
}

/// Seconds of a hundred years; an instant of the standard library traps on much longer spans.
private let longestWait = 100 * 366 * 86_400.0

/// A call that a clock will make.
package final class Alarm: Sendable {
    private let cancellation: Guarded<(@Sendable () -> Void)?>

    package init(cancel: @escaping @Sendable () -> Void) { cancellation = Guarded(cancel) }

    /// Cancels the call, without waiting for one that has begun.
    package func cancel() {
        let cancel = cancellation.withLock { cancel in
            defer { cancel = nil }
            return cancel
        }
        cancel?()
    }
}

/// Settings and limits count in seconds.
extension ContinuousClock.Instant {
    package func seconds(since earlier: Self) -> Double { (self - earlier) / .seconds(1) }
}

extension Duration {
    /// The duration nearest to a number of seconds, which may be infinite.
    package init(nearest seconds: Double) {
        self = seconds.isNaN ? .zero : .seconds(min(max(seconds, -longestWait), longestWait))
    }
}

extension Clock {
    package func moment(after seconds: Double) -> ContinuousClock.Instant { moment(after: Duration(nearest: seconds)) }

    package func sleep(for seconds: Double) async { await sleep(for: Duration(nearest: seconds)) }
}
