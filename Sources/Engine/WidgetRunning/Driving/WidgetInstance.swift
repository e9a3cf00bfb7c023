internal import WidgetBytes
package import WidgetContract
package import WidgetCore
internal import WidgetPredicates

/// A widget that runs: its program, its state, and the effects that wait for its driver. Time passes only when its
/// caller says so.
package struct WidgetInstance: Sendable {
    package private(set) var program: Program {
        didSet {
            last = nil
            moments?.begin("another program", store, environment, requests)
        }
    }
    package private(set) var store: Store { didSet { last = nil } }
    package private(set) var environment: Environment { didSet { last = nil } }
    package private(set) var diagnostics: [Finding]
    package private(set) var log: [LogEntry] = []
    /// The last requests with their answers.
    package private(set) var requests = RequestLog()
    /// The moments that an author can look at again; `nil` while none are kept.
    package private(set) var moments: MomentLog?
    package var budget: Budget { didSet { last = nil } }
    /// The number of programs that the widget has had.
    package private(set) var revision = 1
    /// The number of programs that were to replace the one before, those that could not be read among them.
    package private(set) var attempt = 1
    /// The refusal of the last event, if it was that of a form. The view shows its fields.
    package private(set) var formRefusal: FormRefusal?
    /// Called after each event that it has taken, including those of timers.
    package var eventTaken: (@Sendable () -> Void)?
    /// The expression whose value says whether an update has brought news; `nil`: the one that the widget declares, or
    /// else the whole view.
    package var watched: TermExpression?
    private var updateRun: DataUpdateRun?
    private var effects = PendingEffects()
    private var cache = EvaluationCache()
    /// The present view, once it was asked for. An event, the time or another program ends it.
    private var last: View?
    /// The elements of ``diagnostics``, to look them up.
    private var known: Set<Finding> = []
    /// The program and the state that the run began with, for ``restart()``.
    private let first: (program: Program, store: Store)
    private var unsent: String?
    /// The code behind a native widget.
    var native: NativeRun?
    package var nativeCode: (any NativeCode)? { native?.program.code }
    /// The reason why the code did nothing.
    var nativeNotice: String?
    /// The mode that the host wants. The widget may not have it.
    private var wantedMode: DisplayMode
    /// The place that the host has named, since it began.
    private var offered: Display?

    private static let logLimit = 5_000
    private static let diagnosticLimit = 500

    /// - Parameters:
    ///   - found: findings from before the start, such as those of its store.
    ///   - native: the widget whose program it is, if its closures are to run. Copies of the instance share the code.
    package init(
        _ program: Program, store: Store? = nil, environment: Environment = Environment(), budget: Budget = Budget(),
        parameters: Value = .null, found: [Finding] = [], native: NativeProgram? = nil
    ) {
        self.program = program
        self.store = store ?? Store(model: program.model)
        self.store.initialSettings = program.settings
        self.store.parameters = parameters
        first = (program, self.store)
        self.environment = environment
        wantedMode = environment.display.mode
        self.environment.display.mode = program.terms.mode(for: wantedMode)
        self.budget = budget
        // A host that has named no place has not asked for a mode.
        var place = Display()
        place.mode = self.environment.display.mode
        diagnostics = program.diagnostics + found + program.faults(of: place, abilities: environment.abilities)
        known = Set(diagnostics)
        self.native = native.map { NativeRun($0, program) }
    }

    // MARK: - Events

    /// - Returns: the reason for a refusal; `nil` if the widget has taken the event.
    @discardableResult
    package mutating func send(_ event: Event) -> String? {
        if case .response(let number, .notModified) = event { updateRun?.noteUnchanged(number) }
        return take(event).refusal
    }

    private mutating func take(_ event: Event) -> Transition {
        var transition = reduce(event)
        formRefusal = transition.formRefusal
        if native != nil { transition.stepCount += takeTurns() }
        eventTaken?()
        return transition
    }

    /// Changes the state because of one event, and keeps what comes of it.
    mutating func reduce(_ event: Event) -> Transition {
        let transition = Reducer.reduce(event, store, in: program, environment, budget: budget)
        updateRun?.follow(from: store, to: transition.store, failures: transition.failures)
        requests.take(transition.requests)
        moments?.add(event, store, transition, in: program, environment, requests)
        store = transition.store
        if let reason = transition.unsent { unsent = reason }
        add(transition.diagnostics)
        log += transition.log
        if log.count > WidgetInstance.logLimit { log.removeFirst(log.count - WidgetInstance.logLimit) }
        for effect in transition.effects {
            if case .handle(let call) = effect { native?.calls.append(call) } else { effects.add(effect) }
        }
        return transition
    }

    /// The effects of all events since the last call: requests and cancellations in their order, then the records and
    /// settings to save and the changes of the cache, then the requests to the app.
    package mutating func takeEffects() -> [Effect] { effects.take() }

    /// Keeps the moments from now on, so that an author can look at them again.
    package mutating func keepMoments() {
        if moments == nil { moments = MomentLog(store, environment, requests) }
    }

    /// The reason why an action has sent no request since the last call, such as a missing authorization.
    package mutating func takeUnsent() -> String? {
        defer { unsent = nil }
        return unsent
    }

    /// Continues with another program, and keeps the state that has a place in it.
    ///
    /// What the open screens asked on load is asked again if the descriptions of services have changed, or if answers
    /// are still to come, because the program before was the one that asked.
    ///
    /// - Parameter native: the widget whose program it is, if its closures are to run.
    package mutating func replace(_ program: Program, native: NativeProgram? = nil) {
        self.native = native.map { NativeRun($0, program) }
        let asksAgain = !store.requests.isEmpty || !program.hasServices(of: self.program)
        store = store.moved(from: self.program, to: program)
        self.program = program
        environment.display.mode = program.terms.mode(for: wantedMode)
        diagnostics = program.diagnostics
        known = Set(diagnostics)
        cache = EvaluationCache()
        revision += 1
        attempt += 1
        effects.add(.persist(store.records.all.map({ $0.id })))
        send(store.screens.isEmpty ? .start : .replaced(asksAgain: asksAgain))
    }

    /// Continues with the same widget, whose code has written other documents.
    mutating func proceed(with program: Program) {
        let own = Set(self.program.diagnostics)
        let found = diagnostics.filter { !own.contains($0) }
        let next = store.continued(from: self.program, to: program)
        store = next.store
        self.program = program
        environment.display.mode = program.terms.mode(for: wantedMode)
        diagnostics = program.diagnostics
        known = Set(diagnostics)
        add(found)
        cache = EvaluationCache()
        for number in next.dropped { effects.add(.cancel(number: number)) }
        _ = reduce(.continued(moved: next.moved))
    }

    /// Gives the code behind the widget a turn, because it has asked for one.
    package mutating func takeNotice() {
        guard native != nil, !store.screens.isEmpty else { return }
        _ = takeTurns(isAsked: true)
        eventTaken?()
    }

    /// The reason why the code behind the widget did nothing, once.
    mutating func takeNativeNotice() -> String? {
        defer { nativeNotice = nil }
        return nativeNotice
    }

    /// Counts programs that could not be read. The present one continues.
    package mutating func refuse(times: Int = 1) { attempt += max(0, times) }

    /// Begins again with the present program, on its first screen, with the records and settings that the run began
    /// with.
    package mutating func restart() {
        let last = store
        store = first.store.begunAgain(from: first.program, to: program, after: last)
        diagnostics = program.diagnostics
        known = Set(diagnostics)
        cache = EvaluationCache()
        unsent = nil
        native?.forget()
        effects.add(.persist(last.records.all.map { $0.id } + store.records.all.map { $0.id }))
        effects.add(.settings)
        send(.start)
    }

    mutating func add(_ new: [Finding]) {
        for diagnostic in new where diagnostics.count < WidgetInstance.diagnosticLimit {
            if known.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
        }
    }

    // MARK: - Updates of its data

    /// Asks again what the open screens ask on load; a widget that has not begun yet begins.
    package mutating func beginUpdate(_ number: Int, within seconds: Double) {
        let before = store
        let transition = take(store.screens.isEmpty ? .start : .update)
        updateRun = DataUpdateRun(
            number, from: before, to: store, failures: transition.failures, until: environment.now + seconds)
    }

    /// The answer to the update that is running, once, when all of its requests have ended.
    ///
    /// - Parameter hasContent: true if an earlier update has brought content, which can be that of now.
    package mutating func takeUpdateAnswer(hasContent: Bool = false) -> (update: Int, answer: DataUpdateAnswer)? {
        guard let run = updateRun, run.isOver else { return nil }
        updateRun = nil
        if let failure = run.failure {
            return (run.number, .failed(.request(failure.reason), retryAfter: failure.retryAfter))
        }
        if let shortage = view().shortage { return (run.number, .failed(.budget(shortage.withoutSeverity))) }
        if run.isUnchanged, hasContent { return (run.number, .unchanged) }
        guard let digest = contentDigest() else {
            return (run.number, .failed(.request("no digest could be computed")))
        }
        return (run.number, .content(digest))
    }

    /// Gives up an update: the requests that it has caused are cancelled, and have failed for the given reason.
    package mutating func abandonUpdate(because reason: String) {
        guard let run = updateRun else { return }
        updateRun = nil
        if !run.unanswered.isEmpty { send(.abandon(requests: run.unanswered, reason: reason)) }
    }

    /// The digest of the watched content.
    private mutating func contentDigest() -> Digest? {
        if let watched = watched ?? program.terms.watch {
            do throws(PredicateError) {
                return try Evaluator(program, budget: budget).value(of: watched, store, environment).digest
            } catch {
                add([
                    Finding(
                        .warning, .expression, "\(error.sentence) in the watched expression",
                        hint: "the whole screen is watched instead")
                ])
            }
        }
        return view().digest
    }

    /// Continues in another place, or with other abilities of the host.
    package mutating func show(in display: Display, abilities: Set<HostAbility>) {
        guard offered != display || environment.abilities != abilities else { return }
        offered = display
        wantedMode = display.mode
        environment.display = display
        environment.display.mode = program.terms.mode(for: display.mode)
        add(program.faults(of: display, abilities: abilities))
        environment.abilities = abilities
        // Rows are cached for one environment.
        cache = EvaluationCache()
        send(.time)
    }

    // MARK: - Time

    /// Lets time pass, with everything that falls due on the way.
    package mutating func advance(to moment: Double) {
        var steps = budget.unrestStepCount
        _ = advance(to: moment, &steps)
    }

    package mutating func advance(by seconds: Double) { advance(to: environment.now + seconds) }

    /// - Returns: false if the steps did not suffice for all that was due; the rest is late.
    private mutating func advance(to moment: Double, _ steps: inout Int) -> Bool {
        defer { environment.now = max(environment.now, moment) }
        while let due = store.nextDeadline, due <= moment {
            guard steps > 0 else {
                add([
                    Finding(
                        .error, .stepBudget,
                        "The widget takes more than \(budget.unrestStepCount) steps by itself, and does not come to rest",
                        hint: "its timers turn too often, or its actions call each other again and again")
                ])
                return false
            }
            environment.now = max(environment.now, due)
            // A turn without any work costs a step too.
            steps -= take(.time).stepCount + 1
        }
        return true
    }

    /// True if nothing is under way that time alone would end.
    package var isAtRest: Bool { store.isSettled(now: environment.now) }

    /// Lets time pass until nothing is under way, for the given seconds at most.
    ///
    /// - Returns: whether it is at rest; it is not while a request waits to be sent.
    package mutating func settle(within seconds: Double = 60) -> Bool {
        var steps = budget.unrestStepCount
        return settle(within: seconds, &steps)
    }

    /// - Parameter steps: the steps that are left for several waits together.
    package mutating func settle(within seconds: Double, _ steps: inout Int) -> Bool {
        let end = environment.now + seconds
        while !isAtRest {
            guard !effects.hasRequests, let due = store.nextDeadline, due <= end, advance(to: due, &steps) else {
                return false
            }
        }
        return true
    }

    // MARK: - The view

    package mutating func view() -> View {
        var view: View
        if let last {
            view = last
            cache.reevaluatedRows = 0
        } else {
            view = Evaluator(program, budget: budget).view(of: store, environment, cache: &cache)
            add(view.diagnostics)
            last = view
            evaluationCount += 1
        }
        view.diagnostics = diagnostics
        return view
    }

    /// The number of views that were evaluated. The same moment is evaluated once, however often it is looked at.
    package private(set) var evaluationCount = 0

    /// The number of rows that the last view evaluated again.
    package var reevaluatedRows: Int { cache.reevaluatedRows }
}

/// Effects that the caller has not taken yet, merged so that their number is limited however long the caller waits.
struct PendingEffects: Sendable {
    /// The most requests to the app that are remembered; the oldest are discarded first.
    static let hostRequestLimit = 200

    /// Requests, and cancellations of earlier ones, in their order.
    private var exchanges: [Effect] = []
    private var changed: Set<RecordID> = []
    private var hasSettings = false
    /// The last change of each key of the cache.
    private var cacheChanges: [CacheChange] = []
    private var hostRequests: [Effect] = []

    var hasRequests: Bool {
        exchanges.contains { if case .request = $0 { true } else { false } }
    }

    mutating func add(_ effect: Effect) {
        switch effect {
        case .request: exchanges.append(effect)
        case .cancel(let number):
            exchanges.removeAll { if case .request(number, _) = $0 { true } else { false } }
            exchanges.append(effect)
        case .persist(let ids): changed.formUnion(ids)
        case .settings: hasSettings = true
        case .cache(let change):
            cacheChanges.removeAll { $0.key == change.key }
            cacheChanges.append(change)
        case .open, .native, .handle:
            if hostRequests.count == PendingEffects.hostRequestLimit { hostRequests.removeFirst() }
            hostRequests.append(effect)
        }
    }

    /// All of them, once.
    mutating func take() -> [Effect] {
        var effects = exchanges
        exchanges = []
        if !changed.isEmpty { effects.append(.persist(Array(changed))) }
        changed = []
        if hasSettings { effects.append(.settings) }
        hasSettings = false
        effects += cacheChanges.map { .cache($0) }
        cacheChanges = []
        effects += hostRequests
        hostRequests = []
        return effects
    }
}
