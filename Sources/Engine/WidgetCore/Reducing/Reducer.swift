internal import WidgetPredicates

/// Computes a widget's next state from an event. It is pure: clock, randomness and network come in as arguments.
package struct Reducer: Sendable {
    let program: Program
    let budget: Budget
    var store: Store
    var environment: Environment
    /// The words of the system for the reader.
    var words: SystemWords { SystemWords(environment.locale) }
    var effects: [Effect] = []
    var diagnostics: FindingList
    var log: [LogEntry] = []
    var refusal: String?
    var formRefusal: FormRefusal?
    var unsent: String?
    /// True while the event is a change of the program after which the services are asked again.
    var isAskingAgain = false
    /// True while the event is an update: actions on load that are not a service's are left out, so that no screen is
    /// shown again.
    var isUpdating = false
    /// True while elements of screens that are closed run their last steps.
    var isDeparting = false
    var failures: [RequestFailure] = []
    private var requestNotes: [RequestNote] = []
    /// True if a person has caused what happens now, by an act, or by one from which a timer or an answer follows. Otherwise it
    /// follows from the opening of a screen, and so do the changes of values and the elements that come of it.
    var hasPersonalCause = false
    var stepCount = 0
    let meter: Meter
    /// A stack of pending work: the next item is the last.
    var pending: [Work] = []

    enum Work: Sendable {
        case step(Step, StepFrame)
        /// An action, without any delay.
        case action(String, StepFrame)
        case trigger(Trigger, screen: Int)
        case signal(Signal)
        case store(PendingRequest, ServiceAction, [Value])
        case chain(PendingRequest, ServiceAction)
        case mounted(screen: Int)
    }

    struct Signal: Sendable {
        var name: String
        var phase: SignalPhase
        var sender: SenderKey?
        var error: String?
        var progress: Double?
        /// The answer as it came, if there is one.
        var answer: Value?
        /// The data source or call whose request it is about.
        var origin: RequestOrigin?
    }

    private init(_ program: Program, _ store: Store, _ environment: Environment, _ budget: Budget) {
        self.program = program
        self.store = store
        self.environment = environment
        self.budget = budget
        diagnostics = FindingList(upTo: budget.diagnosticCount)
        meter = Meter(budget)
    }

    package static func reduce(
        _ event: Event, _ store: Store, in program: Program, _ environment: Environment, budget: Budget = Budget()
    ) -> Transition {
        var reducer = Reducer(program, store, environment, budget)
        let before = store.records
        reducer.hasPersonalCause = event.isPersonal
        reducer.accept(event)
        reducer.finish()
        // Provisional records do not outlive the widget.
        let provisional = Set(reducer.store.requests.compactMap { $0.provisional })
        let changes = reducer.store.records.changes(since: before).filter { !provisional.contains($0) }
        if !changes.isEmpty { reducer.effects.append(.persist(changes)) }
        return Transition(
            store: reducer.store, effects: reducer.effects, diagnostics: reducer.diagnostics.all, log: reducer.log,
            refusal: reducer.refusal, formRefusal: reducer.formRefusal, unsent: reducer.unsent,
            stepCount: reducer.stepCount, failures: reducer.failures, requests: reducer.requestNotes)
    }

    /// Does all pending work, including the work that it adds, until nothing changes.
    private mutating func finish() {
        while work() {
            updateSources()
            if pending.isEmpty { observe() }
            if pending.isEmpty { mount() }
            if pending.isEmpty { return }
        }
    }

    /// Does the pending work.
    ///
    /// - Returns: false if a limit has ended it.
    mutating func work() -> Bool {
        while let work = pending.popLast() {
            stepCount += 1
            meter.spend(Meter.work)
            if let limit = exhausted {
                pending.removeAll()
                report(.error, limit.code, limit.message, hint: "what was left is not done")
                return false
            }
            carryOut(work)
        }
        return true
    }

    /// The budget that is used up, if any.
    private var exhausted: (code: Finding.Code, message: String)? {
        if stepCount > budget.stepCount {
            return (.stepBudget, "One event leads to more than \(budget.stepCount) steps: something calls itself")
        }
        if meter.isEmpty { return (.expressionBudget, "One event takes more evaluation than it may") }
        return stepCount % 64 == 0 && budget.isTimeOver()
            ? (.timeBudget, "One event takes longer than it may") : nil
    }

    private mutating func carryOut(_ work: Work) {
        switch work {
        case .step(let step, let frame): take(step, frame)
        case .action(let id, let frame): performNow(id, frame)
        case .trigger(let trigger, let screen): react(to: trigger, screen)
        case .signal(let signal): deliver(signal)
        case .store(let request, let action, let elements): keep(elements, of: action, request)
        case .chain(let request, let action): callNext(after: action, request)
        case .mounted(let screen): begin(screen)
        }
    }

    // MARK: - Work

    /// Adds steps in their order, before the work that is pending already.
    mutating func push(_ steps: [Step], _ frame: StepFrame) {
        meter.spend(Meter.field * steps.count)
        if meter.isEmpty { return }
        for step in steps.reversed() { pending.append(.step(step, frame)) }
    }

    mutating func push(_ trigger: Trigger, screen: Int) {
        pending.append(.trigger(trigger, screen: screen))
    }

    private mutating func react(to trigger: Trigger, _ number: Int) {
        guard let scene = scene(number) else { return }
        meter.spend(scene.reactions.count)
        if trigger == .appearing {
            for list in scene.deselected { set(number) { $0.touched[list] = nil } }
        }
        for reaction in scene.reactions.reversed() where reaction.triggers.contains(trigger) {
            push(
                reaction.steps,
                StepFrame(screen: number, isOpening: !hasPersonalCause || [.loaded, .appearing].contains(trigger)))
        }
    }

    /// Updates the answers of the sources on all screens.
    mutating func updateSources() {
        for screen in store.screens {
            guard let scene = program.scenes[screen.scene] else { continue }
            for source in scene.sources where !meter.isEmpty { update(source, screen.number, isForced: false) }
        }
    }

    /// Evaluates the observations of the visible screen. Screens under it are observed again when they appear.
    private mutating func observe() {
        guard let screen = store.screens.last, let scene = program.scenes[screen.scene] else { return }
        var changes: [(steps: [Step], frame: StepFrame)] = []
        for (place, observation) in scene.observations.enumerated() {
            var frame = StepFrame(screen: screen.number)
            frame.scopeNode = observation.node
            let value = value(observation.expression, frame).kept
            let last = screen.observed[place]
            if let last, last.isIdentical(to: value) { continue }
            set(screen.number) { $0.observed[place] = value }
            if last == nil, observation.skipsFirst { continue }
            frame.isOpening = last == nil || !hasPersonalCause
            if observation.name != nil {
                frame.argument = value
                changes.append((observation.steps, frame))
                continue
            }
            if let target = observation.target { push([.assign(target, .literal(value))], frame) }
            if value.truth || observation.isOfChanges { push(observation.steps, frame) }
        }
        // Those of authors run in the order in which they are written; the last steps that are pushed run first.
        for change in changes.reversed() { push(change.steps, change.frame) }
    }

    mutating func update(_ source: Source, _ number: Int, isForced: Bool) {
        meter.spend(Meter.work)
        guard let place = store.place(ofScreen: number) else { return }
        do throws(PredicateError) {
            guard let (updated, isDifferent) = try answer(of: source, number, isForced: isForced) else { return }
            store.screens[place].sources[source.id] = updated
            guard isDifferent else { return }
            note(.source, "\(source.id): \(updated.items.count)")
            push(.source(source.id), screen: number)
        } catch {
            var broken = store.screens[place].sources[source.id] ?? SourceState(source)
            broken.isFetched = true
            broken.table = store.records
            store.screens[place].sources[source.id] = broken
            report(
                .error, Finding.Code(error), "\(source.id): \(error.sentence)", at: source.place, hint: error.hint)
        }
    }

    /// A separate function, so that no scope retains the screen when the answer is stored: that would copy all of it.
    private func answer(
        of source: Source, _ number: Int, isForced: Bool
    ) throws(PredicateError) -> (SourceState, isDifferent: Bool)? {
        guard let scope = scope(StepFrame(screen: number)) else { return nil }
        let state = scope.screen.sources[source.id] ?? SourceState(source)
        return try SourceAnswer(source: source, screen: scope).updated(state, isForced: isForced)
    }

    // MARK: - Reading

    func scene(_ number: Int) -> Scene? {
        store.place(ofScreen: number).flatMap { program.scenes[store.screens[$0].scene] }
    }

    /// The scope of expressions in a frame: the screen, or a row of it.
    func scope(_ frame: StepFrame) -> ScreenScope? {
        guard let place = store.place(ofScreen: frame.screen) else { return nil }
        var extras: [String: Value] = ["argument": refreshed(frame.argument)]
        if case .string = frame.argument { extras["input"] = frame.argument }
        if let content = frame.content { extras["content"] = refreshed(content) }
        return ScreenScope(program, store, screen: place, environment, extras: extras, meter: meter)
    }

    /// A stored value, with the current versions of its records. Traversing a collection costs the number of its parts.
    func refreshed(_ value: Value) -> Value {
        if value.elements != nil {
            guard let weight = value.weight(upTo: meter.left) else {
                meter.spend(.max)
                return .null
            }
            meter.spend(weight)
        }
        return value.moved(to: store.records)
    }

    mutating func value(_ expression: Expression, _ frame: StepFrame) -> Value {
        if let literal = expression.literal { return bounded(literal, at: expression.place) }
        guard let scope = scope(frame) else { return .null }
        var subject = Value.object(scope)
        if let prototype = frame.prototype, let content = frame.content {
            subject = .object(
                ItemScope(
                    scope, content: refreshed(content), key: frame.item, prototype: prototype, log: nil))
        }
        do throws(PredicateError) {
            if let node = frame.scopeNode, let inner = try scope.scope(of: node, item: frame.item) {
                subject = .object(inner)
            }
            let value = bounded(try expression.value(subject, scope.context), at: expression.place)
            if meter.takeLongText() { reportLongText(at: expression.place) }
            return value
        } catch {
            report(
                .warning, Finding.Code(error), "\(error.sentence) in `\(expression.source)`", at: expression.place,
                hint: error.hint)
            return .null
        }
    }

    /// A stored value within the limits. Stored values are used again, and could grow with every event without them.
    mutating func bounded(_ value: Value, at place: Place?) -> Value {
        if case .string(let text) = value, text.utf8.count > budget.textByteCount {
            reportLongText(at: place)
            return .string(text.shortened(toByteCount: budget.textByteCount))
        }
        guard !value.isLarger(depth: budget.valueDepth, count: budget.valueCount) else {
            report(
                .error, .depthBudget,
                "A value has values more than \(budget.valueDepth) deep in each other, or more than \(budget.valueCount)",
                at: place, hint: "it has itself in it")
            return .null
        }
        return value
    }

    mutating func reportLongText(at place: Place?) {
        report(.error, .byteBudget, "A text is longer than \(budget.textByteCount) bytes", at: place)
    }

    mutating func holds(_ predicate: CompiledPredicate, _ frame: StepFrame, at place: Place? = nil) -> Bool {
        guard let scope = scope(frame) else { return false }
        do throws(PredicateError) {
            return try predicate.holds(for: .object(scope), environment: scope.context.predicates)
        } catch {
            report(.warning, Finding.Code(error), error.sentence, at: place, hint: error.hint)
            return false
        }
    }

    mutating func report(
        _ severity: Finding.Severity, _ code: Finding.Code, _ message: String, at place: Place? = nil,
        hint: String? = nil
    ) {
        diagnostics.add(Finding(severity, code, message, at: place, hint: hint))
    }

    /// An edit of the records, within the limits of the store.
    var recordEdit: RecordEdit {
        RecordEdit(
            store.records, recordLimit: budget.recordCount, weightLimit: budget.recordWeight,
            lookLimit: budget.lookCount)
    }

    /// Reports a deletion that was denied, or that stopped at the limit of visited records.
    mutating func reportDeletion(_ edit: RecordEdit, _ message: String, _ severity: Finding.Severity) {
        if edit.hasLookedEnough {
            report(
                .error, .recordBudget, "A deletion visits more than \(budget.lookCount) records that cannot be deleted",
                hint: "what is left stays")
        } else {
            report(severity, .deletion, message)
        }
    }

    /// Notes the beginning or the end of a request. Their number is limited as that of lines is.
    mutating func note(_ request: RequestNote) {
        if requestNotes.count < budget.logCount { requestNotes.append(request) }
    }

    mutating func note(_ kind: LogEntry.Kind, _ text: String) {
        if log.count < budget.logCount {
            log.append(LogEntry(kind: kind, text: text.shortened(toByteCount: budget.logTextByteCount)))
        } else if log.count == budget.logCount {
            // Only the log says so: the widget itself works as usual.
            log.append(
                LogEntry(kind: .event, text: "more than \(budget.logCount) lines of one event; the others are left out")
            )
        }
    }
}
