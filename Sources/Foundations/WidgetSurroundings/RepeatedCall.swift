internal import WidgetBytes

extension Clock {
    /// Calls the action again and again, each time an interval after the last, until the alarm is cancelled.
    package func call(every interval: Duration, _ action: @escaping @Sendable () -> Void) -> Alarm {
        let repetition = RepeatedCall(self, interval, action)
        repetition.begin()
        return Alarm { repetition.end() }
    }
}

private final class RepeatedCall: Sendable {
    private let clock: any Clock
    private let interval: Duration
    private let action: @Sendable () -> Void
    private let state = Guarded<(alarm: Alarm?, isOver: Bool)>((nil, false))

    init(_ clock: any Clock, _ interval: Duration, _ action: @escaping @Sendable () -> Void) {
        (self.clock, self.interval, self.action) = (clock, interval, action)
    }

    func begin() {
        let alarm = clock.call(after: interval) { [self] in
            guard !state.withLock({ $0.isOver }) else { return }
            action()
            begin()
        }
        let isOver = state.withLock { state in
            if !state.isOver { state.alarm = alarm }
            return state.isOver
        }
        if isOver { alarm.cancel() }
    }

    func end() {
        let alarm = state.withLock { state in
            defer { state = (nil, true) }
            return state.alarm
        }
        alarm?.cancel()
    }
}
