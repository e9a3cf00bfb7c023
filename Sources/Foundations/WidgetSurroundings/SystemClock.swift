internal import Dispatch
internal import WidgetBytes

/// The machine's clock.
package struct SystemClock: Clock {
    /// Alarms only hand their work on, so one queue is enough for all.
    private static let queue = DispatchQueue(label: "clock", qos: .userInitiated)

    package init() {}

    package var now: ContinuousClock.Instant { .now }

    package var date: (seconds: Int64, nanoseconds: Int) { WallClock.now() }

    package func call(at moment: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> Alarm {
        let timer = OneTimer(SystemClock.queue)
        timer.start(in: max(moment - now, .zero), action)
        return Alarm { timer.cancel() }
    }

    package func sleep(until moment: ContinuousClock.Instant) async {
        // A cancelled task learns of it from its next step.
        try? await Task.sleep(until: moment, clock: .continuous)
    }
}

/// A timer that fires once, and no delayed block: a block that is cancelled stays in memory until its time.
///
/// Dispatch lets any thread cancel a source, which makes the `@unchecked Sendable` true.
private final class OneTimer: @unchecked Sendable {
    private let source: any DispatchSourceTimer

    init(_ queue: DispatchQueue) { source = DispatchSource.makeTimerSource(queue: queue) }

    func start(in duration: Duration, _ action: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = duration.components
        source.setEventHandler {
            // It keeps itself until then.
            self.cancel()
            action()
        }
        source.schedule(deadline: .now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000)))
        source.activate()
    }

    func cancel() { source.cancel() }
}
