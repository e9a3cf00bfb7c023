package import WidgetContract
internal import WidgetCore
internal import WidgetRunning
package import WidgetSurroundings

/// The end of a link into a widget.
package struct LinkArrival: Sendable {
    package let result: LinkResult
    /// The name of the screen that the link has led to; `nil` if it leads nowhere.
    package let screen: String?
}

/// The callers that wait for a moment of a widget, each with a number by which it can stop waiting.
package struct WidgetWaits<Value: Sendable> {
    private var waiting: [Int: CheckedContinuation<Value, Never>] = [:]
    private var count = 0

    package init() {}

    package var isEmpty: Bool { waiting.isEmpty }

    /// True if a caller of this number waits.
    package func has(_ number: Int) -> Bool { waiting[number] != nil }

    package mutating func number() -> Int {
        count += 1
        return count
    }

    package mutating func add(_ number: Int, _ continuation: CheckedContinuation<Value, Never>) {
        waiting[number] = continuation
    }

    package mutating func end(_ number: Int, with value: Value) {
        waiting.removeValue(forKey: number)?.resume(returning: value)
    }

    package mutating func end(with value: Value) {
        let ended = waiting.values
        waiting = [:]
        for continuation in ended { continuation.resume(returning: value) }
    }
}

/// A moment that callers wait for.
enum WidgetRest: CaseIterable { case settled, answered }

extension RunningWidget {
    // MARK: - Settling

    /// True if no request, no update, no link, no change of the cache and no timer that fires once within a minute is
    /// under way.
    private var isSettled: Bool { driver.instance.isAtRest && isAnswered }

    /// The same, but timers do not count.
    package var isAnswered: Bool {
        store.requests.isEmpty && driver.waiting.isEmpty && driver.underWay.isEmpty && isIdle && traffic?.task == nil
    }

    private func hasCome(_ rest: WidgetRest) -> Bool {
        switch rest {
        case .settled: isSettled
        case .answered: isAnswered
        }
    }

    /// Returns when the widget has settled.
    ///
    /// - Parameter seconds: the time for it, by the widget's clock.
    /// - Returns: false if it has not settled in time, was stopped, or if the task was cancelled.
    package func settled(within seconds: Double) async -> Bool {
        await wait(for: .settled, within: seconds, on: clock)
    }

    /// Returns when the widget has the answers to all that it has asked, also while timers are running.
    ///
    /// - Parameter seconds: the time for it, by the clock of the caller.
    /// - Returns: false if they have not come in time, or if the widget was stopped.
    package func answered(within seconds: Double, on clock: any Clock) async -> Bool {
        await wait(for: .answered, within: seconds, on: clock)
    }

    private func wait(for rest: WidgetRest, within seconds: Double, on clock: any Clock) async -> Bool {
        guard !isStopped else { return false }
        // Readers of changes wait here too, so this must not cause one.
        guard !hasCome(rest) else { return true }
        let number = rests[rest, default: WidgetWaits()].number()
        let alarm = clock.call(at: clock.moment(after: seconds)) { [weak self] in
            Task { await self?.end(rest, number) }
        }
        defer { alarm.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { rests[rest]?.add(number, $0) }
        } onCancel: {
            Task { await self.end(rest, number) }
        }
    }

    private func end(_ rest: WidgetRest, _ number: Int) { rests[rest]?.end(number, with: false) }

    /// Releases the callers that wait for what has come.
    func noteRest() {
        for rest in WidgetRest.allCases where !(rests[rest]?.isEmpty ?? true) && hasCome(rest) {
            rests[rest]?.end(with: true)
        }
    }

    // MARK: - Links

    /// Follows a link into the widget, and returns when it has ended: when its row is shown, or is not expected any longer.
    package func arrive(at address: String) async -> LinkArrival {
        let result = open(address)
        guard result == .pending else { return arrival(result) }
        let number = arrivals.number()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { arrivals.add(number, $0) }
        } onCancel: {
            Task { await self.endArrival(number) }
        }
    }

    /// The link itself continues.
    private func endArrival(_ number: Int) {
        arrivals.end(number, with: arrival(.notFound(reason: "the task that waited for the link was cancelled")))
    }

    /// Releases the callers that wait for the end of a link.
    func noteEnd(_ result: LinkResult) {
        guard !arrivals.isEmpty, result != .pending else { return }
        arrivals.end(with: arrival(result))
    }

    private func arrival(_ result: LinkResult) -> LinkArrival {
        LinkArrival(result: result, screen: result == .handled ? driver.view().screen : nil)
    }
}
