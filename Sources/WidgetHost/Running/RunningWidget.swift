package import WidgetCore

/// A widget that runs by the clock on the wall: its timers turn, its requests are sent, what it keeps is kept, and
/// whoever shows it is told when to look again.
package actor RunningWidget {
    /// What a look at a widget shows.
    package struct Look: Sendable {
        package var view: View
        package var revision: Int
        /// Why the last change could not be taken over, or what it knows could not be kept.
        package var trouble: String?
    }

    package nonisolated let identifier: String
    /// One for each time that there may be something else to see. They wait for one reader.
    package nonisolated let changes: AsyncStream<Void>

    private var instance: WidgetInstance
    private let network: any WidgetNetwork
    /// Given up when the widget is stopped, so that another may have it.
    private var keeper: RecordStore?
    private let beginning: Double
    private let started = ContinuousClock.now
    private let bell: AsyncStream<Void>.Continuation
    private var requests: [Int: Task<Void, Never>] = [:]
    private var waiting: [(number: Int, request: Request)] = []
    private var alarm: Task<Void, Never>?
    private var trouble: String?
    /// Why what it knows is not kept, as long as that is so.
    private var keepingTrouble: String?
    private var isStopped = false

    /// How many requests are under way at once; the others wait.
    private static let mostRequests = 6
    private static let mostWaiting = 200
    /// Seconds until what could not be kept is tried again.
    private static let keepingPause = 5.0

    package init(_ instance: WidgetInstance, network: any WidgetNetwork, keeper: RecordStore? = nil) {
        self.instance = instance
        self.network = network
        self.keeper = keeper
        identifier = instance.program.identifier
        beginning = instance.environment.now
        (changes, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func start() { send(.start) }

    /// - Returns: why nothing happened, when that is so.
    @discardableResult
    package func send(_ event: Event) -> String? {
        guard !isStopped else { return "the widget has been stopped" }
        instance.advance(to: now)
        let refusal = instance.send(event)
        follow()
        return refusal
    }

    package func look() -> Look {
        Look(view: instance.view(), revision: instance.revision, trouble: trouble ?? keepingTrouble)
    }

    package var log: [LogEntry] { instance.log }

    package func takeWishes() -> [WidgetInstance.Wish] { instance.takeWishes() }

    /// Goes on with another program, and keeps what still has a place in it.
    package func replace(_ program: Program) {
        trouble = nil
        instance.advance(to: now)
        // What was asked before is answered to nobody.
        for request in requests.values { request.cancel() }
        requests = [:]
        waiting = []
        instance.replace(program)
        follow()
    }

    /// What kept a change from being taken over: the widget runs on as it was.
    package func report(trouble: String?) {
        self.trouble = trouble
        bell.yield()
    }

    /// Ends everything; what it knew is kept.
    package func stop() {
        isStopped = true
        alarm?.cancel()
        for request in requests.values { request.cancel() }
        requests = [:]
        waiting = []
        keep()
        keeper = nil
        bell.finish()
    }

    // MARK: - What follows from an event

    private var now: Double {
        let (seconds, attoseconds) = started.duration(to: .now).components
        return beginning + Double(seconds) + Double(attoseconds) * 1e-18
    }

    private func follow() {
        for number in instance.takeCancelled() {
            requests.removeValue(forKey: number)?.cancel()
            waiting.removeAll { $0.number == number }
        }
        waiting += instance.takeOutgoing()
        while waiting.count > RunningWidget.mostWaiting {
            let (number, _) = waiting.removeFirst()
            instance.send(.response(request: number, .failure("More requests wait than may.")))
        }
        sendRequests()
        keep()
        setAlarm()
        bell.yield()
    }

    private func sendRequests() {
        while requests.count < RunningWidget.mostRequests, !waiting.isEmpty {
            let (number, request) = waiting.removeFirst()
            requests[number] = Task { [weak self, network] in
                let outcome = await network.outcome(of: request) { [weak self] fraction in
                    Task { await self?.progress(number, fraction) }
                }
                guard !Task.isCancelled else { return }
                await self?.finish(number, outcome)
            }
        }
    }

    private func progress(_ number: Int, _ fraction: Double) {
        guard requests[number] != nil else { return }
        send(.progress(request: number, fraction))
    }

    private func finish(_ number: Int, _ outcome: Outcome) {
        guard requests.removeValue(forKey: number) != nil else { return }
        send(.response(request: number, outcome))
    }

    private func keep() {
        guard let keeper else { return }
        do throws(HostError) {
            try instance.save(to: keeper)
            keepingTrouble = nil
        } catch {
            keepingTrouble = "\(error)"
        }
    }

    /// Wakes when the next thing falls due; a timer of somebody's never turns faster than it may.
    private func setAlarm() {
        alarm?.cancel()
        let pause = keepingTrouble == nil ? .infinity : RunningWidget.keepingPause
        let wait = min(max((instance.store.nextDeadline ?? .infinity) - now, 0.01), pause)
        guard wait.isFinite else { return }
        alarm = Task { [weak self] in
            try? await Task.sleep(for: .seconds(min(wait, 86_400)))
            guard !Task.isCancelled else { return }
            await self?.turn()
        }
    }

    private func turn() {
        guard !isStopped else { return }
        instance.advance(to: now)
        follow()
    }
}
