internal import Predicates

extension Reducer {
    mutating func take(_ step: Step, _ frame: StepFrame) {
        switch step {
        case .assign(let target, let expression): assign(value(expression, frame), to: target, frame)
        case .show(let entry, let content): show(entry, content: segueContent(content, frame), from: frame)
        case .dismiss: dismiss(frame.screen)
        case .back: goBack()
        case .perform(let action, let argument): perform(action, argument, frame)
        case .run(let action): pending.append(.run(action: action, frame))
        case .cancel(let action): cancel(action, frame)
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
        case .alert(let title, let message): alert(title, value(message, frame).shown)
        case .delete(let expression): delete(value(expression, frame))
        case .toggleSelection(let list): set(frame.screen) { $0.selection[list] = nil }
        case .open(let expression): effects.append(.open(value(expression, frame).shown))
        case .native(let target, let selector, let argument):
            note(.action, "\(target) \(selector)")
            let argument = argument.map { value($0, frame) } ?? frame.argument
            effects.append(.native(target: target, selector: selector, argument: argument.kept))
        case .trigger(let trigger): push(trigger, screen: frame.screen)
        case .focus(let node): set(frame.screen) { $0.focus = node }
        case .detach(let form): detach(form, frame)
        case .endEditing: endEditing(frame.screen)
        }
    }

    private mutating func assign(_ value: Value, to target: Step.Target, _ frame: StepFrame) {
        let value = value.kept
        switch target {
        case .property(let id, let property):
            var value = value
            if let node = scene(frame.screen)?.node(id), property == program.vocabulary.values[node.kind] {
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
            // All of them are put in order anew.
            meter.spend(Meter.item * store.defaults.count + store.settings.extent.weight)
            effects.append(.settings)
        }
    }

    mutating func alert(_ title: String, _ message: String) {
        guard store.alerts.count < 20 else { return }
        note(.alert, title)
        store.alerts.append(
            Alert(
                number: store.number(), title: Reducer.short(title, 200), message: Reducer.short(message, 4_000),
                button: "OK"))
    }

    private mutating func delete(_ value: Value) {
        guard let id = value.recordID else { return }
        var edit = RecordEdit(store.records)
        // Pages and lists of records are gone over, whatever is changed in them.
        meter.spend(store.records.count / 8)
        if edit.delete(id) {
            store.records = edit.table
            note(.stored, "deleted one record")
        } else {
            report(.error, .deletion, "A relationship of the record denies its deletion")
        }
    }

    private mutating func search(_ source: String, _ text: String, _ filter: CompiledPredicate?, _ frame: StepFrame) {
        set(frame.screen) { screen in
            screen.sources[source, default: SourceState()].search = text
            if let filter { screen.sources[source, default: SourceState()].filter = filter }
        }
    }

    /// Items in memory are dropped; everything else is asked for again.
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
        guard store.timers.count < 200 else {
            report(.error, .stepBudget, "More than 200 timers wait; \(name) is not started")
            return
        }
        let seconds = seconds.isFinite ? min(max(seconds, 0), 1e9) : 0
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
}
