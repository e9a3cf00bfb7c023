package import WidgetContract
package import WidgetCore

/// A widget that runs in real time: its timers fire, its requests are sent in the background, its changes are saved,
/// and its viewer is notified of each change.
package actor RunningWidget {
    /// The state of a widget at one moment, for its viewer.
    package struct Snapshot: Sendable {
        package var view: View
        package var revision: Int
        /// The reason why the last change of its program was refused, or its data could not be saved.
        package var warning: String?
        /// The reason why an action sent nothing, until ``RunningWidget/forgetNotice()``.
        package var notice: String?
        /// The age and state of its data.
        package var data: DataStatus
        /// The outcome of the last link into the widget.
        package var link: LinkResult?
    }

    package nonisolated let identifier: String
    /// One element for each time that the view may have changed. Elements wait for one reader.
    package nonisolated let changes: AsyncStream<Void>

    private var driver: WidgetDriver
    private let network: any WidgetNetwork
    private let bell: AsyncStream<Void>.Continuation
    private var transfers: [Int: Task<Void, Never>] = [:]
    private var alarm: Task<Void, Never>?
    private var warning: String?
    private var notice: String?
    private var recorder: ScriptRecorder?
    /// The reason why its data is not saved; `nil` if it is.
    private var savingWarning: String?
    private var isStopped = false
    private var updates: DataUpdates
    /// The link whose row is awaited.
    private var visit: LinkVisit?
    private var link: LinkResult?
    /// The callers that wait for the end of the next update.
    private var waiters: [CheckedContinuation<DataUpdateResult, Never>] = []

    /// The most requests under way at once; the others wait.
    private static let requestLimit = 6
    private static let waitingLimit = 200
    /// Seconds until saving is tried again after it failed.
    private static let savingPause = 5.0

    /// - Parameters:
    ///   - isRecorded: whether the steps of the user are kept for ``recording``.
    ///   - policy: when its data are updated.
    ///   - content: the content of an earlier run, which the first update is compared with.
    package init(
        _ instance: WidgetInstance, network: any WidgetNetwork, records: RecordStore? = nil, isRecorded: Bool = false,
        policy: DataUpdatePolicy = DataUpdatePolicy(), content: AcceptedContent? = nil
    ) {
        updates = DataUpdates(policy, content: content, seed: instance.environment.seed)
        recorder = isRecorded ? ScriptRecorder() : nil
        driver = WidgetDriver(instance, clock: .wall(from: instance.environment.now), keeping: records)
        self.network = network
        identifier = instance.program.identifier
        (changes, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Begins. That is its first update.
    package func start() {
        guard !isStopped else { return }
        handle(.trigger(.demand))
    }

    // MARK: - Updates of its data

    /// Asks for newer data. A call during an update shares its result.
    package func update(_ trigger: DataUpdateTrigger = .demand) async -> DataUpdateResult {
        guard !isStopped else { return .failed(.closed) }
        // The end of an earlier update is not the result of this call.
        driver.advance()
        handle(.time)
        follow()
        return await withCheckedContinuation { continuation in
            waiters.append(continuation)
            handle(.trigger(trigger))
        }
    }

    /// The content of the last update, for a host that keeps it until the widget is loaded again.
    package var content: AcceptedContent? { updates.content }

    /// Continues in another place, or with other abilities of the host.
    package func show(in display: Display, abilities: Set<HostAbility>) {
        guard !isStopped else { return }
        driver.show(in: display, abilities: abilities)
        follow()
    }

    // MARK: - Links from elsewhere

    /// Follows a link into the widget. While the outcome is pending, the row is shown as soon as it is loaded, and
    /// ``Snapshot/link`` says how it ended.
    package func open(_ address: String, by router: LinkRouter) -> LinkResult {
        guard !isStopped else { return .notFound(reason: "the widget has been stopped") }
        switch router.destination(of: address) {
        case .failure(let error): return .notFound(reason: "\(error)")
        case .success(let destination):
            let (result, visit) = driver.follow(destination)
            (self.visit, link) = (result == .pending ? visit : nil, result)
            follow()
            return link ?? result
        }
    }

    /// Looks whether the row of a link has come.
    private func look(for visit: LinkVisit) {
        let result = driver.result(of: visit)
        link = result
        if result != .pending { self.visit = nil }
    }

    private func handle(_ event: DataUpdates.Event) {
        for decision in updates.handle(event, at: driver.now) {
            switch decision {
            case .begin(let update):
                driver.beginUpdate(update, within: updates.policy.deadline)
                follow()
            case .abandon: driver.abandonUpdate()
            case .end(_, let result): release(with: result)
            case .refuse: release(with: .failed(.closed))
            case .join, .postpone: continue
            }
        }
    }

    private func release(with result: DataUpdateResult) {
        let released = waiters
        waiters = []
        for waiter in released { waiter.resume(returning: result) }
        bell.yield()
    }

    /// - Returns: the reason for a refusal; `nil` if the widget has taken the event.
    @discardableResult
    ///
    /// - Parameter file: the path of picked media, for the recording.
    package func send(_ event: Event, file: String? = nil) -> String? {
        guard !isStopped else { return "the widget has been stopped" }
        defer { follow() }
        guard recorder != nil else { return driver.send(event) }
        driver.advance()
        let (view, before) = (driver.view(), driver.instance)
        let refusal = driver.send(event)
        let isForms = driver.instance.formRefusal != nil
        if refusal == nil || isForms {
            recorder?.take(event, in: view, of: before, isRefused: isForms, file: file)
        }
        return refusal
    }

    package func snapshot() -> Snapshot {
        Snapshot(
            view: driver.view(), revision: driver.instance.revision, warning: warning ?? savingWarning,
            notice: notice, data: updates.status(at: driver.now), link: link)
    }

    package var log: [LogEntry] { driver.instance.log }

    /// The refusal of the last event, if it was that of a form.
    package var formRefusal: FormRefusal? { driver.instance.formRefusal }

    package func takeHostRequests() -> [HostRequest] { driver.takeHostRequests() }

    /// Continues with another program, and keeps the state that has a place in it.
    package func replace(_ program: Program) {
        warning = nil
        driver.replace(program)
        follow()
    }

    /// Begins again, with the records and settings that the run began with.
    package func restart() {
        (warning, notice) = (nil, nil)
        driver.restart()
        if recorder != nil { recorder = ScriptRecorder() }
        follow()
    }

    /// The steps of the user so far; `nil` if they are not recorded.
    package var recording: ScriptRecorder? { recorder }

    package func forgetNotice() { notice = nil }

    /// Shows why a change was refused; the widget continues as it was. `nil` ends an earlier warning.
    package func report(warning: String?) {
        self.warning = warning
        bell.yield()
    }

    /// Ends all timers and requests, and saves the widget's data.
    package func stop() {
        isStopped = true
        driver.advance()
        handle(.close)
        recorder?.end(driver.instance)
        alarm?.cancel()
        driver.dropRequests()
        cancelTransfers()
        save()
        driver.releaseStore()
        bell.finish()
    }

    // MARK: - After an event

    private func follow() {
        if let unsent = driver.takeUnsent() { notice = "nothing was sent: \(unsent)" }
        recorder?.observe(driver.instance)
        driver.failRequests(beyond: RunningWidget.waitingLimit)
        cancelTransfers()
        for request in driver.beginRequests(atOnce: RunningWidget.requestLimit) { send(request) }
        if let visit { look(for: visit) }
        if let (update, answer) = driver.takeUpdateAnswer() { handle(.answered(update: update, answer)) }
        save()
        setAlarm()
        bell.yield()
    }

    private func send(_ outgoing: OutgoingRequest) {
        let number = outgoing.number
        transfers[number] = Task { [weak self, network] in
            let outcome = await network.outcome(of: outgoing.request) { [weak self] fraction in
                Task { await self?.progress(of: number, fraction) }
            }
            guard !Task.isCancelled else { return }
            await self?.finish(number, outcome)
        }
    }

    /// Ends the transfers of requests that the driver has given up.
    private func cancelTransfers() {
        for (number, transfer) in transfers where !driver.underWay.contains(number) {
            transfer.cancel()
            transfers[number] = nil
        }
    }

    private func progress(of number: Int, _ fraction: Double) {
        guard driver.underWay.contains(number) else { return }
        driver.progress(of: number, fraction)
        follow()
    }

    private func finish(_ number: Int, _ outcome: RequestOutcome) {
        guard transfers.removeValue(forKey: number) != nil else { return }
        driver.finish(number, outcome)
        follow()
    }

    private func save() {
        do throws(WidgetError) {
            try driver.save()
            savingWarning = nil
        } catch {
            savingWarning = "\(error)"
        }
    }

    /// Wakes when the next deadline comes; no timer of a widget fires faster than this allows.
    private func setAlarm() {
        alarm?.cancel()
        let pause = savingWarning == nil ? .infinity : RunningWidget.savingPause
        let next = min(
            driver.secondsToDeadline, updates.nextMoment - driver.now, visit?.secondsLeft(at: driver.now) ?? .infinity)
        let wait = min(max(next, 0.01), pause)
        guard wait.isFinite else { return }
        alarm = Task { [weak self] in
            try? await Task.sleep(for: .seconds(min(wait, 86_400)))
            guard !Task.isCancelled else { return }
            await self?.wake()
        }
    }

    private func wake() {
        guard !isStopped else { return }
        driver.advance()
        handle(.time)
        follow()
    }
}
