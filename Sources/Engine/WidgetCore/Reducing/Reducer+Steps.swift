internal import WidgetPredicates

/// Steps and their effects: actions, their signals and forms, screens, timers.
extension Reducer {
    mutating func take(_ step: Step, _ frame: StepFrame) {
        switch step {
        case .assign(let target, let expression):
            assign(value(expression, frame), to: target, frame, at: expression.place)
        case .show(let entry, let content): show(entry, content: segueContent(content, frame), from: frame)
        case .showForResult(let entry, let content, let result):
            show(
                entry, content: segueContent(content, frame), from: frame,
                ScreenOpener(frame: frame, result: result))
        case .leave(let result, let isDismissal):
            leave(with: value(result, frame), isDismissal: isDismissal, frame)
        case .within(let node, let argument, let steps):
            var around = frame
            around.scopeNode = node
            if let argument { around.argument = value(argument, frame).kept }
            push(steps, around)
        case .edit(let edit): self.edit(edit, frame)
        case .focusOn(let name): focus(on: name, frame)
        case .reveal(let list, let keyPath, let expression):
            reveal(value(expression, frame), at: keyPath, of: list, frame)
        case .dismiss: dismiss(frame.screen)
        case .back: goBack(from: frame.screen)
        case .submit(let form): submit(form: form, frame)
        case .perform(let action, let argument): perform(action, argument, frame)
        case .performNow(let action): pending.append(.action(action, frame))
        case .cancel(let action): cancel(action, frame)
        case .ask(let source): ask(source, frame)
        case .call(let call): self.call(call, frame)
        case .search(let source, let text, let filter): search(source, value(text, frame).shown, filter, frame)
        case .fetch(let source):
            if let source = scene(frame.screen)?.source(source) { update(source, frame.screen, isForced: true) }
        case .reset(let source): reset(source, frame)
        case .after(let name, let seconds, let steps): schedule(name, seconds, steps, frame, every: nil)
        case .every(let name, let seconds, let steps):
            var interval = seconds
            if interval < budget.shortestInterval {
                interval = budget.shortestInterval
                report(
                    .warning, .timerTooFast, "\(name) turns every \(Value.text(seconds)) s",
                    hint: "the shortest interval is \(Value.text(interval)) s")
            }
            schedule(name, interval, steps, frame, every: interval)
        case .drop(let name): removeTimer(name, frame)
        case .searching(let action, let text):
            let text = value(text, frame).shown
            set(frame.screen) { $0.searching[action] = text }
        case .when(let predicate, let then, let otherwise):
            push(holds(predicate, frame) ? then : otherwise, frame)
        case .branch(let condition, let then, let otherwise):
            push(value(condition, frame).truth ? then : otherwise, frame)
        case .choose(let question): ask(question, frame)
        case .alert(let title, let message): alert(title, value(message, frame).shown)
        case .delete(let expression): delete(value(expression, frame))
        case .toggleSelection(let list): set(frame.screen) { $0.selection[list] = nil }
        case .open(let expression): open(value(expression, frame).shown)
        case .openLink(let pattern, let parts): open(pattern, value(parts, frame))
        case .cache(let step): change(step, frame)
        case .native(let call, let argument):
            note(.action, call.summary)
            let argument = argument.map { value($0, frame) } ?? frame.argument
            effects.append(.native(call, argument: argument.kept))
        case .handle(let handler, let argument): call(handler, argument, frame)
        case .trigger(let trigger): push(trigger, screen: frame.screen)
        case .focus(let node): set(frame.screen) { $0.focus = node }
        case .detach(let form): detach(form, frame)
        case .endEditing: endEditing(frame.screen)
        }
    }

    private mutating func assign(_ value: Value, to target: Step.Target, _ frame: StepFrame, at origin: Place?) {
        let value = value.kept
        switch target {
        case .property(let id, let property):
            var value = value
            if let node = scene(frame.screen)?.node(id), property == node.kind.row.value.property {
                guard let fitting = fitting(value, to: id, node, frame) else { return }
                value = fitting
            }
            let item = scene(frame.screen)?.node(id)?.prototype == nil ? nil : frame.item
            set(frame.screen) { [value] in $0.slots[SlotKey(id, property, item: item)] = value }
        case .content:
            set(frame.screen) { $0.content = value }
            push(.contentChanged, screen: frame.screen)
        case .title: set(frame.screen) { $0.title = value }
        case .dismissal: if value.truth { dismiss(frame.screen) }
        case .master(let source):
            set(frame.screen) { $0.sources[source, default: SourceState()].master = value }
        case .selection(let list): set(frame.screen) { $0.selection[list] = value.elements ?? [] }
        case .setting(let name):
            store.defaults[name] = value
            // All settings are sorted again.
            meter.spend(Meter.item * store.settings.keys.count + store.settings.extent.weight)
            effects.append(.settings)
        case .state(let path): setState(path, value, frame, at: origin)
        }
    }

    mutating func alert(_ title: String, _ message: String) {
        guard store.alerts.count < budget.alertCount else {
            report(
                .error, .countBudget, "More than \(budget.alertCount) alerts wait to be read",
                hint: "\"\(title.excerpt)\" is not shown")
            return
        }
        note(.alert, title)
        if title.utf8.count > budget.alertTitleByteCount || message.utf8.count > budget.alertMessageByteCount {
            report(
                .warning, .byteBudget,
                "An alert has more than \(budget.alertTitleByteCount) bytes of title or \(budget.alertMessageByteCount) of message",
                hint: "their beginnings are shown")
        }
        store.alerts.append(
            Alert(
                number: store.number(), title: title.shortened(toByteCount: budget.alertTitleByteCount),
                message: message.shortened(toByteCount: budget.alertMessageByteCount), button: words[.ok]))
    }

    private mutating func delete(_ value: Value) {
        guard let id = value.recordID else { return }
        var edit = recordEdit
        // Every deletion copies the pages and lists of the table, at a cost by the number of records.
        meter.spend(store.records.count / 8)
        if edit.delete(id) {
            store.records = edit.table
            note(.stored, "deleted one record")
        } else {
            reportDeletion(edit, "A relationship of the record denies its deletion", .error)
        }
    }

    private mutating func search(_ source: String, _ text: String, _ filter: CompiledPredicate?, _ frame: StepFrame) {
        set(frame.screen) { screen in
            screen.sources[source, default: SourceState()].search = text
            if let filter { screen.sources[source, default: SourceState()].filter = filter }
        }
    }

    /// Drops items in memory, and refreshes everything else.
    private mutating func reset(_ id: String, _ frame: StepFrame) {
        guard let source = scene(frame.screen)?.source(id) else { return }
        set(frame.screen) { $0.sources[id, default: SourceState(source)].isReset = true }
        update(source, frame.screen, isForced: true)
    }

    // MARK: - Timers

    private mutating func schedule(
        _ name: String, _ seconds: Double, _ steps: [Step], _ frame: StepFrame, every: Double?
    ) {
        removeTimer(name, frame)
        guard store.timers.count < budget.timerCount else {
            report(.error, .stepBudget, "More than \(budget.timerCount) timers wait; \(name) is not started")
            return
        }
        if seconds > budget.longestDelay {
            report(
                .warning, .badValue, "\(name) waits \(Value.text(seconds)) s",
                hint: "the longest wait is \(Value.text(budget.longestDelay)) s")
        }
        let seconds = seconds.isFinite ? min(max(seconds, 0), budget.longestDelay) : 0
        store.timers.append(
            PendingTimer(
                number: store.number(), due: environment.now + seconds, screen: frame.screen,
                purpose: .steps(steps, frame, name: name, every: every)))
    }

    private mutating func removeTimer(_ name: String, _ frame: StepFrame) {
        store.timers.removeAll { timer in
            if case .steps(_, _, name, _) = timer.purpose { timer.screen == frame.screen } else { false }
        }
    }

    // MARK: - Actions

    /// Performs an action, now or after its delay. Its argument is the content of its form, the given argument, or its
    /// own.
    mutating func perform(_ id: String, _ argument: Expression?, _ frame: StepFrame) {
        guard let action = action(id, frame) else {
            report(.error, .unknownAction, "The screen has no action \(id)")
            return
        }
        var now = frame
        if let form = action.form {
            guard let value = formValue(form, frame) else { return }
            now.argument = value
        } else if let argument {
            now.argument = value(argument, frame)
        } else if let argument = action.argument {
            now.argument = value(argument, frame)
        }
        if let sender = action.sender { now.sender = sender }
        guard action.delay > 0 else {
            pending.append(.action(id, now))
            return
        }
        pending.append(.step(.after(name: "delay \(id)", seconds: action.delay, [.performNow(id)]), now))
    }

    /// Runs the handler of an action with the argument of the frame.
    mutating func performNow(_ id: String, _ frame: StepFrame) {
        guard let action = action(id, frame) else { return }
        var name = action.name
        if let condition = action.condition, !holds(condition, frame, at: action.place) { name = action.otherName }
        guard let name else { return }
        if isUpdating {
            guard case .service = action.handlers[name] ?? .service else { return }
        }
        note(.action, "\(id): \(name)")
        // Objects of this moment are not stored; they are read again instead.
        let (given, kept) = (frame.argument, frame.argument.kept)
        set(frame.screen) { $0.arguments[id] = kept.isNull && !given.isNull ? nil : kept }
        switch action.handlers[name] ?? .service {
        case .steps(let steps): push(steps, frame)
        case .native(let call): effects.append(.native(call, argument: frame.argument.kept))
        case .service:
            guard let service = action.service else {
                report(.error, .unknownService, "\(id) has no service that could do \(name)", at: action.place)
                return
            }
            guard isKnown(name, service) else {
                // Nothing else happens: no status changes, and only the log has it.
                reportUnknown(name, service, at: action.place)
                guard program.services[service]?.failsUnknown ?? false else { return }
                set(frame.screen) { $0.actions[id] = StatusState() }
                let sender = (frame.uploader ?? action.sender).map { SenderKey(screen: frame.screen, node: $0) }
                let error = "\(service) has no action \(name)."
                pending.append(.signal(Signal(name: name, phase: .error, sender: sender, error: error)))
                return
            }
            set(frame.screen) { $0.actions[id] = StatusState() }
            let sender = (frame.uploader ?? action.sender).map { SenderKey(screen: frame.screen, node: $0) }
            call(name, service, frame.argument, sender: sender, screen: frame.screen, chained: 0)
        }
    }

    /// An action by its id, from a table: a screen may have very many.
    private func action(_ id: String, _ frame: StepFrame) -> Action? {
        scene(frame.screen).flatMap { program.plans[$0.name]?.actions[id] }
    }

    mutating func cancel(_ id: String, _ frame: StepFrame) {
        guard let action = action(id, frame), let name = action.name else { return }
        let sender = action.sender.map { SenderKey(screen: frame.screen, node: $0) }
        let key = requestID(name, sender)
        guard let request = store.requests.last(where: { $0.id == key }) else { return }
        store.requests.removeAll { $0.number == request.number }
        forgetProvisional(of: request)
        store.timers.removeAll { timer in
            if case .response(request.number, _) = timer.purpose { true } else { false }
        }
        effects.append(.cancel(number: request.number))
        pending.append(.signal(Signal(name: request.action, phase: .error, sender: sender)))
    }

    // MARK: - Signals

    mutating func deliver(_ signal: Signal) {
        note(.signal, signal.name + signal.phase.rawValue)
        if let origin = signal.origin { deliver(signal, to: origin) }
        for screen in store.screens.reversed() {
            guard let scene = program.scenes[screen.scene] else { continue }
            meter.spend(scene.statuses.count + scene.actions.count)
            push(.signal(signal.name + signal.phase.rawValue), screen: screen.number)
            if let sender = signal.sender, sender.screen == screen.number {
                deliver(signal, toForm: sender.node, screen.number)
            }
            for status in scene.statuses.reversed() where status.actionName == signal.name {
                let sender = status.sender.map { SenderKey(screen: screen.number, node: $0) }
                guard sender == nil || sender == signal.sender else { continue }
                deliver(signal, to: status, screen.number)
            }
            for action in scene.actions.reversed() where screen.actions[action.id] != nil {
                guard action.name == signal.name || action.otherName == signal.name else { continue }
                let sender = action.sender.map { SenderKey(screen: screen.number, node: $0) }
                guard sender == nil || sender == signal.sender else { continue }
                set(screen.number) { $0.actions[action.id]?.take(signal) }
                if signal.phase != .success { push(.status(action.id), screen: screen.number) }
            }
        }
    }

    private mutating func deliver(_ signal: Signal, to status: ActionStatus, _ number: Int) {
        set(number) { $0.statuses[status.id, default: StatusState()].take(signal) }
        if signal.phase == .ready { note(.action, "\(status.id): \(signal.name) succeeded") }
        if signal.phase == .error { note(.action, "\(status.id): \(signal.name) failed, \(signal.error ?? "")") }
        if signal.phase == .error, let error = signal.error, let message = status.errorMessage {
            alert(status.errorTitle ?? words[.error], "\(message)\n\n\(error)")
        }
        if signal.phase != .success { push(.status(status.id), screen: number) }
    }

    // MARK: - Forms

    /// Runs the steps of a form with the values of its fields, if they follow their rules.
    mutating func submit(form id: NodeID, _ frame: StepFrame) {
        guard let form = scene(frame.screen)?.node(id)?.form else { return }
        var around = frame
        around.scopeNode = id
        if let busy = form.busy, value(busy, around).truth {
            refusal = "the form is being sent"
            return
        }
        guard let value = formValue(id, around) else { return }
        around.argument = value.kept
        push(form.submit, around)
    }

    /// The values of a form's fields by their names, or `nil` if a mandatory one is empty or one breaks a rule.
    mutating func formValue(_ id: NodeID, _ frame: StepFrame) -> Value? {
        guard let scene = scene(frame.screen), let form = scene.node(id)?.form, let scope = scope(frame) else {
            return nil
        }
        let reader = FormInput(form, scope)
        let faults = reader.faults
        // Fields that were not read do not count as faulty.
        if meter.isEmpty {
            report(
                .error, .expressionBudget, "The form has more fields than one event may read",
                at: scene.node(id)?.place, hint: "it is not sent")
            return nil
        }
        set(frame.screen) { screen in
            screen.refused = screen.refused.filter { $0.value.form != id }
            for fault in faults { screen.refused[fault.node] = RefusedField(form: id, isMandatory: fault.isMandatory) }
        }
        guard faults.isEmpty else {
            refuse(faults, scene, frame)
            return nil
        }
        let value = bounded(reader.value, at: scene.node(id)?.place)
        if meter.takeLongText() { reportLongText(at: scene.node(id)?.place) }
        return value
    }

    /// Refuses a form because of its fields, and focuses the first of them that takes input.
    private mutating func refuse(_ faults: [FieldFault], _ scene: Scene, _ frame: StepFrame) {
        for fault in faults {
            guard let error = fault.error else { continue }
            report(
                .warning, Finding.Code(error), "A rule cannot be checked: \(error.sentence)", at: fault.place,
                hint: error.hint)
        }
        let names = faults.prefix(NameList.shownCount + 1).map { fault in
            let node = scene.node(fault.node)
            return "\((node?.identifier ?? node?.fieldName ?? "#\(fault.node)").excerpt) (\(fault.message))"
        }
        let shown = NameList(names + Array(repeating: "", count: faults.count - names.count)).counted
        let sentence = "the form was not sent: \(shown)"
        refusal = sentence
        formRefusal = FormRefusal(
            fields: faults.map { fault in
                FormRefusal.Field(key: ViewKey(screen: frame.screen, node: fault.node), message: fault.message)
            }, sentence: sentence)
        if let first = faults.first(where: { scene.node($0.node)?.kind.row.isControl ?? false }) {
            set(frame.screen) { $0.focus = first.node }
        }
        note(.action, "refused \(shown)")
    }

    // MARK: - Screens

    /// The content that a screen passes on: the row's item, or its own content.
    mutating func segueContent(_ expression: Expression?, _ frame: StepFrame) -> Value {
        if let expression { return value(expression, frame) }
        if let content = frame.content { return content }
        return store.place(ofScreen: frame.screen).map { store.screens[$0].content } ?? .null
    }

    mutating func show(
        _ name: String, content: Value, from frame: StepFrame?, _ opener: ScreenOpener? = nil, isArrival: Bool = false
    ) {
        guard let entry = program.entries[name] else { return reportUnknown(screen: name) }
        let current = frame.flatMap { store.place(ofScreen: $0.screen) }.map { store.screens[$0] }
        let isPresented = entry.isNavigation && !isArrival || !entry.tabs.isEmpty || !(current?.hasBar ?? false)
        let level = current.map { isPresented ? $0.level + 1 : $0.level } ?? 0
        var screen = Screen(
            number: store.number(), scene: entry.scene, level: level,
            hasBar: entry.isNavigation || current != nil && !isPresented, tabs: current?.tabs ?? [])
        if !entry.tabs.isEmpty {
            screen.tabs.append(TabPlace(bar: screen.number, entry: name, index: entry.chosen, level: level))
        }
        screen.opener = opener
        open(screen, content: content, above: store.front(of: current))
    }

    private mutating func reportUnknown(screen name: String) {
        report(
            .error, .unknownScreen, "Unknown screen \(name)",
            hint: "there are \(NameList(program.entries.keys.sorted()))")
    }

    /// Opens a screen.
    ///
    /// - Parameter place: of the screen below it, among those that are open.
    mutating func open(_ opened: Screen, content: Value, above place: Int?) {
        guard let scene = program.scenes[opened.scene] else { return reportUnknown(screen: opened.scene) }
        guard store.screens.count < budget.screenCount else {
            report(.error, .depthBudget, "More than \(budget.screenCount) screens lie over each other")
            return
        }
        var screen = opened
        if scene.takesContent { screen.content = refreshed(content).kept }
        for (name, setting) in scene.persisted where scene.states[name] != nil {
            guard let value = store.defaults[setting], !value.isNull else { continue }
            screen.states[name] = value
            screen.stateExtents[name] = ValueExtent(of: value)
        }
        note(.navigation, "show \(scene.identifier ?? scene.name)")
        store.screens.insert(screen, at: place.map { $0 + 1 } ?? 0)
        for status in scene.statuses { set(screen.number) { $0.statuses[status.id] = StatusState() } }
        for source in scene.sources { update(source, screen.number, isForced: false) }
        // Sources have just been refreshed; loading triggers the display of their answers.
        pending.removeAll { work in
            if case .trigger(.source, screen.number) = work { true } else { false }
        }
        pending.append(.mounted(screen: screen.number))
        push(.appearing, screen: screen.number)
        push(.loaded, screen: screen.number)
    }

    mutating func begin(_ number: Int) {
        guard let scene = scene(number) else { return }
        let data = scene.data.filter { $0.isAutomatic && $0.moment == .load }
        push(scene.onLoad + data.map { .ask($0.id) }, StepFrame(screen: number, isOpening: true))
    }

    /// Goes back from the screen in front of the place that a screen has: of a hidden tab, from the last one behind it.
    mutating func goBack(from number: Int) {
        guard let place = store.place(ofScreen: number), let front = store.front(of: store.screens[place]) else {
            return
        }
        let last = store.screens[front]
        let below = store.screen(below: last)
        if let below, below.level == last.level {
            close { $0.number == last.number }
        } else if below != nil {
            dismiss(last.number)
        } else {
            refusal = "no screen to go back to"
        }
    }

    /// Removes a presented screen and all that were shown from it.
    mutating func dismiss(_ number: Int) {
        guard let place = store.place(ofScreen: number) else { return }
        let (screen, level) = (store.screens[place], store.screens[place].level)
        guard level > 0 else { return }
        // The other tabs are closed with their bar, and not with a screen over it.
        let around = screen.hasTabs ? screen.tabs.dropLast() : screen.tabs[...]
        close { $0.level >= level && !$0.isBeside(around) }
    }

    mutating func close(_ isClosing: (Screen) -> Bool) {
        let closing = store.screens.filter(isClosing)
        guard !closing.isEmpty else { return }
        let front = store.screens.last?.number
        depart(closing)
        store.screens.removeAll(where: isClosing)
        for screen in closing {
            note(.navigation, "close \(screen.scene)")
            store.timers.removeAll { $0.screen == screen.number }
            for request in store.requests where request.screen == screen.number {
                effects.append(.cancel(number: request.number))
                forgetProvisional(of: request)
            }
            store.requests.removeAll { $0.screen == screen.number }
        }
        pending.removeAll { work in
            switch work {
            case .step(_, let frame), .action(_, let frame): closing.contains { $0.number == frame.screen }
            default: false
            }
        }
        if let visible = store.screens.last, visible.number != front { push(.appearing, screen: visible.number) }
    }
}

extension StatusState {
    mutating func take(_ signal: Reducer.Signal) {
        switch signal.phase {
        case .start: (isInProgress, isSuccess, isFailure, error, progress) = (true, false, false, nil, nil)
        case .progress: progress = signal.progress
        case .ready: (isInProgress, isSuccess, isFailure) = (false, true, false)
        case .success: break
        case .error: (isInProgress, isSuccess, isFailure, error) = (false, false, true, signal.error)
        }
    }
}
