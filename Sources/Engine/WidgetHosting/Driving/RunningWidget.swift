package import WidgetContract
package import WidgetCore
package import WidgetRunning
package import WidgetSurroundings

/// A widget that runs in real time: its timers fire, its requests are sent in the background, its changes are saved,
/// and its viewer is notified of each change.
package actor RunningWidget {
    /// The state of a widget at one moment, for its viewer.
    package struct Snapshot: Sendable {
        package var view: View
        /// The number of programs that the widget has had.
        package var revision: Int
        /// The number of programs that it was to have, those that were refused among them.
        package var attempt: Int
        /// The reason why the last change of its program was refused, or its data could not be saved.
        package var warning: String?
        /// The reason why an action sent nothing, or why something is not kept, until ``RunningWidget/forgetNotice()``.
        package var notice: String?
        /// True while the view is that of an earlier moment, because the present one has no data yet or is not whole.
        package var isKept = false
        /// The age and state of its data.
        package var data: DataStatus
        /// The outcome of the last link into the widget.
        package var link: LinkResult?
        /// The place of the screen in the widget; that of none while the view is of an earlier moment.
        package var place = ShownPlace()

        package init(
            view: View, revision: Int, attempt: Int, warning: String? = nil, notice: String? = nil,
            isKept: Bool = false, data: DataStatus, link: LinkResult? = nil
        ) {
            (self.view, self.revision, self.attempt) = (view, revision, attempt)
            (self.warning, self.notice, self.isKept) = (warning, notice, isKept)
            (self.data, self.link) = (data, link)
        }
    }

    package nonisolated let identifier: String
    /// A new stream for one viewer: an element at once, and one for each time that the view may have changed.
    package nonisolated var changes: AsyncStream<Void> { bell.stream() }
    /// The number of viewers that wait for changes.
    package nonisolated var viewerCount: Int { bell.viewerCount }

    var driver: WidgetDriver
    private let network: any WidgetNetwork
    private let bell = ChangeBell()
    private var transfers: [Int: Task<Void, Never>] = [:]
    private var alarm: Alarm?
    let clock: any Clock
    private let time: HostTime
    /// `nil` for a widget whose clock runs by itself. Its owner moves this one by steps.
    private let stepped: ManualClock?
    private var warning: String?
    var notice: String?
    private var recorder: ScriptRecorder?
    /// The reason why its data is not saved; `nil` if it is.
    private var savingWarning: String?
    package private(set) var isStopped = false
    private var updates: DataUpdates
    /// `nil` without a host that keeps cached values.
    var traffic: CacheTraffic?
    private var memory: ViewMemory
    /// True until the first view was made: no request goes out before it.
    private var isMounting = false
    /// True if the host has chosen when its data are updated.
    private let isPolicyGiven: Bool
    /// The link whose row is awaited.
    private var visit: LinkVisit?
    private var link: LinkResult?
    /// Gives the code behind the widget a turn when it asks for one.
    private var notices: (task: Task<Void, Never>, bell: AsyncStream<Void>.Continuation)?
    /// The callers that wait for the end of the next update.
    private var waiters: [CheckedContinuation<DataUpdateResult, Never>] = []
    /// The callers that wait until the widget has settled or has its answers, and those that wait for the end of the present
    /// link.
    var rests: [WidgetRest: WidgetWaits<Bool>] = [:]
    var arrivals = WidgetWaits<LinkArrival>()

    /// The most requests under way at once; the others wait.
    private static let requestLimit = 6
    private static let waitingLimit = 200
    /// Seconds until saving is tried again after it failed.
    private static let savingPause = 5.0
    /// Seconds that a timer takes at least.
    private static let leastPause = 0.01

    /// - Parameters:
    ///   - isRecorded: whether the steps of the user are kept for ``recording``.
    ///   - policy: when its data are updated; `nil`: as the widget declares.
    ///   - content: the content of an earlier run, which the first update is compared with.
    ///   - memory: the view of an earlier run, and the file for that of this one.
    ///   - cache: the host's cache; without one, cached values live as long as the widget.
    ///   - clock: the clock whose date the widget sees, which is the moment of the instance; `nil`: the machine's, from
    ///     the moment of the instance on.
    package init(
        _ instance: WidgetInstance, network: any WidgetNetwork, records: RecordStore? = nil, isRecorded: Bool = false,
        policy: DataUpdatePolicy? = nil, content: AcceptedContent? = nil, memory: ViewMemory = ViewMemory(),
        cache: (any CachePlace)? = nil, clock: (any Clock)? = nil
    ) {
        self.clock = clock ?? SystemClock()
        stepped = clock as? ManualClock
        isPolicyGiven = policy != nil
        updates = DataUpdates(
            policy ?? instance.program.terms.policy, content: content ?? memory.content,
            seed: instance.environment.seed)
        self.memory = memory
        traffic = cache.map { CacheTraffic($0) }
        recorder = isRecorded ? ScriptRecorder() : nil
        time = clock.map { HostTime(of: $0) } ?? HostTime(from: instance.environment.now)
        driver = WidgetDriver(instance, clock: time.time, keeping: records)
        self.network = network
        identifier = instance.program.identifier
    }

    deinit { alarm?.cancel() }

    /// Begins. That is its first update.
    ///
    /// - Parameter show: called with the first view, which is made without asking any server.
    package func start(showing show: @Sendable (Snapshot) -> Void = { _ in }) {
        guard !isStopped else { return }
        isMounting = true
        stepped?.add(self)
        listen()
        recallCache()
        handle(.trigger(.demand))
        show(snapshot())
        isMounting = false
        follow()
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
    ///
    /// - Parameter router: its links; `nil`: those that the widget declares.
    package func open(_ address: String, by router: LinkRouter? = nil) -> LinkResult {
        guard !isStopped else { return .notFound(reason: "the widget has been stopped") }
        switch (router ?? driver.instance.program.terms.router).destination(of: address) {
        case .failure(let error): return .notFound(reason: "\(error)")
        case .success(let destination):
            noteEnd(.notFound(reason: "another link was opened before its row had come"))
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
        noteEnd(result)
    }

    /// True if no update and no link is under way.
    var isIdle: Bool { updates.running == nil && visit == nil }

    func handle(_ event: DataUpdates.Event) {
        for decision in updates.handle(event, at: driver.now) {
            switch decision {
            case .begin(let update):
                driver.beginUpdate(update, within: updates.policy.deadline)
                follow()
            case .abandon:
                // A widget that is closed drops all of its requests.
                if !isStopped {
                    driver.abandonUpdate(because: DataUpdateFailure.noAnswer(within: updates.policy.deadline))
                }
            case .end(_, let result):
                if let content = updates.content, result == .newData || result == .noData {
                    keep(driver.view(), content)
                }
                release(with: result)
            case .refuse: release(with: .failed(.closed))
            case .join: bell.ring()
            case .postpone: continue
            }
        }
    }

    private func release(with result: DataUpdateResult) {
        let released = waiters
        waiters = []
        for waiter in released { waiter.resume(returning: result) }
        bell.ring()
    }

    /// - Returns: the reason for a refusal; `nil` if the widget has taken the event.
    @discardableResult
    ///
    /// - Parameter file: the path of picked media, for the recording.
    package func send(_ event: Event, file: String? = nil) -> String? {
        guard !isStopped else { return "the widget has been stopped" }
        defer { follow() }
        if let refusal = memory.refusal(of: event, now: { driver.view() }) { return refusal }
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
        let (view, isKept) = memory.shown(driver.view())
        var snapshot = Snapshot(
            view: view, revision: driver.instance.revision, attempt: driver.instance.attempt,
            warning: warning ?? savingWarning ?? memory.warning, notice: notice, isKept: isKept,
            data: updates.status(at: driver.now), link: link)
        if !isKept { snapshot.place = driver.instance.place }
        return snapshot
    }

    /// Keeps a view that an update has accepted, for the next time.
    private func keep(_ view: View, _ content: AcceptedContent) {
        memory.keep(view, content, at: driver.now)
    }

    package var log: [LogEntry] { driver.instance.log }

    /// A copy of the widget as it is, which runs by itself if it is sent events.
    package var instance: WidgetInstance { driver.instance }

    /// The program that runs.
    package var program: Program { driver.instance.program }

    /// The place, the language and the abilities of its host.
    package var environment: Environment { driver.instance.environment }

    /// Its state at this moment.
    package var store: Store { driver.instance.store }

    /// The refusal of the last event, if it was that of a form.
    package var formRefusal: FormRefusal? { driver.instance.formRefusal }

    package func takeHostRequests() -> [HostRequest] { driver.takeHostRequests() }

    /// Takes the addresses that it wants to open, and leaves its other wishes to the app.
    package func takeAddresses() -> [HostRequest] { driver.takeAddresses() }

    /// Sends an event of one of several viewers.
    ///
    /// - Returns: the addresses that it wanted to open before, such as those of timers that were due; and those to which the
    ///   event has led, which are that viewer's.
    package func perform(_ event: Event) -> (earlier: [HostRequest], answers: [HostRequest]) {
        driver.advance()
        let earlier = takeAddresses()
        send(event)
        return (earlier, takeAddresses())
    }

    /// Continues with another program, and keeps the state that has a place in it.
    ///
    /// - Parameters:
    ///   - content: the digest of its bundle, with which its views are kept.
    ///   - native: the widget whose program it is, if its closures are to run.
    ///   - cache: the host's cache for this program; `nil`: the one from before.
    package func replace(
        _ program: Program, content: String? = nil, native: NativeProgram? = nil, cache: (any CachePlace)? = nil
    ) {
        warning = nil
        if let cache { use(cache) }
        memory.forget(for: content)
        if !isPolicyGiven { updates.policy = program.terms.policy }
        driver.replace(program, native: native)
        listen()
        recallCache()
        follow()
    }

    /// Counts programs that could not be read, and shows why. The widget continues as it was.
    package func refuse(_ reason: String?, times: Int = 1) {
        driver.refuse(times: times)
        report(warning: reason)
    }

    /// Begins again, with the records and settings that the run began with.
    package func restart() {
        (warning, notice) = (nil, nil)
        memory.forget()
        driver.restart()
        if recorder != nil { recorder = ScriptRecorder() }
        follow()
    }

    /// The steps of the user so far; `nil` if they are not recorded.
    package var recording: ScriptRecorder? { recorder }

    package func forgetNotice() { notice = nil }

    /// Notifies its viewers of a change of what they show.
    package func ring() { bell.ring() }

    /// True if its network fetches the pictures of its screens.
    package nonisolated var fetchesPictures: Bool { network.fetchesPictures }

    /// A picture that it names by an address, fetched by its network.
    package nonisolated func picture(at address: String) async -> FetchedPicture {
        await network.picture(at: address)
    }

    /// Shows a sentence for people, such as why a value may not be kept.
    package func report(notice: String) {
        self.notice = notice
        bell.ring()
    }

    /// Shows why a change was refused; the widget continues as it was. `nil` ends an earlier warning.
    package func report(warning: String?) {
        self.warning = warning
        bell.ring()
    }

    /// Ends all timers and requests, and saves the widget's data.
    package func stop() async {
        guard !isStopped else { return }
        isStopped = true
        stepped?.remove(self)
        driver.advance()
        if !memory.isShowingKept, let content = updates.content { keep(driver.view(), content) }
        handle(.close)
        recorder?.end(driver.instance)
        alarm?.cancel()
        endNotices()
        driver.dropRequests()
        cancelTransfers()
        keepCache()
        save()
        await traffic?.task?.value
        driver.releaseStore()
        for rest in WidgetRest.allCases { rests[rest]?.end(with: false) }
        noteEnd(.notFound(reason: "the widget was stopped before its row had come"))
        bell.end()
    }

    // MARK: - Native code

    /// Lets the code behind the widget ask for turns. Several wishes before a turn are one.
    private func listen() {
        endNotices()
        guard let code = driver.instance.nativeCode else { return }
        let (wishes, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        code.onNotice { bell.yield() }
        let task = Task { [weak self] in
            for await _ in wishes { await self?.takeNotice() }
        }
        notices = (task, bell)
    }

    private func endNotices() {
        notices?.bell.finish()
        notices?.task.cancel()
        notices = nil
    }

    private func takeNotice() {
        guard !isStopped else { return }
        driver.takeNotice()
        follow()
    }

    // MARK: - After an event

    func follow() {
        guard !isMounting else { return }
        if let unsent = driver.takeUnsent() { notice = "nothing was sent: \(unsent)" }
        if let reason = driver.takeNativeNotice() { notice = reason }
        recorder?.observe(driver.instance)
        driver.failRequests(beyond: RunningWidget.waitingLimit)
        cancelTransfers()
        for request in driver.beginRequests(atOnce: RunningWidget.requestLimit) { send(request) }
        if let visit { look(for: visit) }
        if let (update, answer) = driver.takeUpdateAnswer(hasContent: updates.content != nil) {
            handle(.answered(update: update, answer))
        }
        keepCache()
        save()
        setAlarm()
        noteRest()
        bell.ring()
    }

    private func send(_ outgoing: OutgoingRequest) {
        let number = outgoing.number
        transfers[number] = Task { [weak self, network] in
            let outcome = await network.outcome(of: outgoing) { [weak self] fraction in
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
        if let mishap = network.takeNotice() { notice = mishap }
        driver.finish(number, outcome)
        // The data of an answer that comes after a failure are better than those from before.
        if updates.running == nil, driver.underWay.isEmpty, case .response(200..<300, _) = outcome { memory.forget() }
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

    /// Wakes when the next deadline comes.
    private func setAlarm() {
        alarm?.cancel()
        let wait = min(secondsToNextMoment, savingWarning == nil ? .infinity : RunningWidget.savingPause)
        // What is due already was late: the limits of the widget's steps have stopped it.
        let next = stepped == nil ? max(wait, RunningWidget.leastPause) : wait > 0 ? wait : .infinity
        guard next.isFinite else { return }
        let instant = time.instant(of: driver.now + min(next, 86_400))
        // A clock that is moved by steps lets the widget settle at each stop.
        let wakes = stepped == nil
        alarm = clock.call(at: instant) { [weak self] in
            if wakes { Task { await self?.wake() } }
        }
    }

    private var secondsToNextMoment: Double {
        min(driver.secondsToDeadline, updates.nextMoment - driver.now, visit?.secondsLeft(at: driver.now) ?? .infinity)
    }

    private func wake() {
        guard !isStopped else { return }
        driver.advance()
        handle(.time)
        follow()
    }
}

extension RunningWidget: ClockFollower {
    /// The requests that one stop of a clock waits for, so that answers that cause requests have an end.
    private static let answerLimit = 1_000

    /// Comes up to the moment that the clock shows, and waits for the answers that are under way.
    package func settle() async {
        wake()
        for _ in 0..<RunningWidget.answerLimit {
            guard let transfer = transfers.first?.value else { break }
            await transfer.value
        }
        await traffic?.task?.value
    }
}
