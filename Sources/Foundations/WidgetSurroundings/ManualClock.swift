internal import WidgetBytes

/// A clock that only its owner moves: for tests, and for apps that test their widgets.
///
/// Alarms are called by the mover in the order of their moments; at one moment, in the order of setting.
package final class ManualClock: Clock {
    private struct Follower {
        weak var follower: (any ClockFollower)?
    }

    private struct Call {
        let moment: ContinuousClock.Instant
        let number: Int
        let action: @Sendable () -> Void
    }

    private struct Observer {
        let number: Int
        let isReached: @Sendable ([ContinuousClock.Instant]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var passed = Duration.zero
        var calls: [Call] = []
        var number = 0
        /// Moves of the time of day by people.
        var shift = Duration.zero
        var observers: [Observer] = []
    }

    private let start: ContinuousClock.Instant
    private let firstDate: Duration
    private let state = Guarded(State())
    private let followers = Guarded([Follower]())

    /// - Parameter date: the time of day that it shows first, since 1970.
    package init(date: Duration = .seconds(1_529_524_800), start: ContinuousClock.Instant = .now) {
        firstDate = date
        self.start = start
    }

    package var now: ContinuousClock.Instant { start + passed }

    /// The time since the clock was made.
    package var passed: Duration { state.withLock { $0.passed } }

    package var date: (seconds: Int64, nanoseconds: Int) {
        let (seconds, attoseconds) = (firstDate + state.withLock { $0.passed + $0.shift }).components
        return attoseconds < 0
            ? (seconds - 1, Int((attoseconds + 1_000_000_000_000_000_000) / 1_000_000_000))
            : (seconds, Int(attoseconds / 1_000_000_000))
    }

    /// The calls that wait for their moment.
    package var waitingCount: Int { state.withLock { $0.calls.count } }

    /// The moment of the next call.
    package var next: ContinuousClock.Instant? { state.withLock { $0.calls.map { $0.moment }.min() } }

    /// Sets the time of day forward or back, as people do; time that never goes back is as before.
    package func shiftDate(by duration: Duration) { state.withLock { $0.shift += duration } }

    /// Sets the time of day, in seconds since 1970.
    package func setDate(to seconds: Int64) {
        state.withLock { $0.shift = .seconds(seconds) - firstDate - $0.passed }
    }

    // MARK: Waiting

    /// An overdue call is made by the next move.
    package func call(at moment: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void) -> Alarm {
        let number = state.withLock { state in
            state.number += 1
            state.calls.append(Call(moment: moment, number: state.number, action: action))
            return state.number
        }
        report()
        return Alarm { [weak self] in self?.remove(number) }
    }

    package func sleep(until moment: ContinuousClock.Instant) async {
        guard moment > now else { return }
        let waiter = Guarded<(continuation: CheckedContinuation<Void, Never>?, isOver: Bool)>((nil, false))
        let end: @Sendable () -> Void = {
            let continuation = waiter.withLock { waiter in
                defer { waiter = (nil, true) }
                return waiter.continuation
            }
            continuation?.resume()
        }
        let alarm = call(at: moment, end)
        // Another thread may have moved the clock past the moment before the call was set.
        if now >= moment { end() }
        defer { alarm.cancel() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = waiter.withLock { waiter in
                    if !waiter.isOver { waiter.continuation = continuation }
                    return waiter.isOver
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            alarm.cancel()
            end()
        }
    }

    private func remove(_ number: Int) {
        state.withLock { state in state.calls.removeAll { $0.number == number } }
        report()
    }

    // MARK: Moving

    /// Moves the clock on, and makes each call at its moment; calls that these set within the step are made too.
    package func advance(by duration: Duration) {
        let target = passed + max(duration, .zero)
        while let call = takeCall(until: target) { make(call) }
    }

    /// Moves the clock to its next call, and makes it.
    ///
    /// - Returns: false if no call waits.
    package func advanceToNext() -> Bool {
        guard let call = takeCall(until: nil) else { return false }
        make(call)
        return true
    }

    /// A call that sets another in its place leaves as many as there were.
    private func make(_ call: Call) {
        call.action()
        report()
    }

    /// - Returns: nil when no call is left until then. The clock shows that moment then: between the last look for calls and
    ///   the move, no other thread can set one that would be passed over.
    private func takeCall(until target: Duration?) -> Call? {
        state.withLock { state in
            let index = state.calls.indices.min {
                (state.calls[$0].moment, state.calls[$0].number) < (state.calls[$1].moment, state.calls[$1].number)
            }
            guard let index, target.map({ state.calls[index].moment <= start + $0 }) ?? true else {
                if let target { state.passed = max(state.passed, target) }
                return nil
            }
            let call = state.calls.remove(at: index)
            state.passed = max(state.passed, call.moment - start)
            return call
        }
    }

    // MARK: Being observed

    /// Returns when so many calls wait, as a test expects of the program, so that the next step of the clock meets them;
    /// or when the task is cancelled.
    package func waits(for count: Int) async { await waits { $0.count >= count } }

    /// Returns when no more calls wait, as when a program has ended and taken its own with it; or when the task is cancelled.
    package func waits(forAtMost count: Int) async { await waits { $0.count <= count } }

    /// Returns when the moments of the calls that wait fulfil the condition; or when the task is cancelled.
    ///
    /// - Parameter isReached: asked whenever a call is set, made or taken back, and under the clock's lock.
    package func waits(until isReached: @escaping @Sendable ([ContinuousClock.Instant]) -> Bool) async {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    let isThere = isReached(state.calls.map { $0.moment }) || Task.isCancelled
                    if !isThere {
                        state.observers.append(
                            Observer(number: number, isReached: isReached, continuation: continuation))
                    }
                    return isThere
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            let observer = state.withLock { state in
                let index = state.observers.firstIndex { $0.number == number }
                return index.map { state.observers.remove(at: $0).continuation }
            }
            observer?.resume()
        }
    }

    /// Moves to the next call whenever so many wait, until the body has ended.
    package func moving<Value: Sendable>(
        whenever count: Int = 1, during body: () async throws -> Value
    ) async rethrows -> Value {
        // A child task has the threads of its caller, and ends with this scope.
        async let _ = move(whenever: count)
        return try await body()
    }

    private func move(whenever count: Int) async {
        while true {
            await waits(for: count)
            guard !Task.isCancelled else { return }
            _ = advanceToNext()
            // A call that is set again at once leaves a thread to others.
            await Task.yield()
        }
    }

    private func report() {
        let content = state.withLock { state in
            guard !state.observers.isEmpty else { return [Observer]() }
            let moments = state.calls.map { $0.moment }
            let content = state.observers.filter { $0.isReached(moments) }
            state.observers.removeAll { observer in content.contains { $0.number == observer.number } }
            return content
        }
        for observer in content { observer.continuation.resume() }
    }
}

/// Takes part in the steps of a clock: the clock moves on when its work of a moment is done.
package protocol ClockFollower: AnyObject, Sendable {
    /// Performs due calls, and returns when all have ended.
    func settle() async
}

extension ManualClock {
    /// The stops of one step. A follower that wants more is not waited for on the way.
    private static let stopLimit = 10_000

    package func add(_ follower: any ClockFollower) {
        followers.withLock { followers in
            followers.removeAll { $0.follower == nil }
            followers.append(Follower(follower: follower))
        }
    }

    package func remove(_ follower: any ClockFollower) {
        followers.withLock { followers in followers.removeAll { $0.follower == nil || $0.follower === follower } }
    }

    /// Moves the clock on, stops at each moment that has calls, and lets its followers settle at each stop.
    package func step(by duration: Duration) async {
        let target = passed + max(duration, .zero)
        await settle()
        for _ in 0..<ManualClock.stopLimit {
            guard let next = untilNext, passed + next < target else { break }
            advance(by: next)
            await settle()
        }
        guard passed < target else { return }
        advance(by: target - passed)
        await settle()
    }

    /// The time until the next call.
    private var untilNext: Duration? { next.map { $0 - now } }

    private func settle() async {
        for follower in followers.withLock({ $0.compactMap { $0.follower } }) { await follower.settle() }
    }
}
