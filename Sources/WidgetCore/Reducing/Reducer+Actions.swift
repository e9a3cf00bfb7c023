internal import Predicates

extension Reducer {
    mutating func perform(_ id: String, _ argument: Expression?, _ frame: StepFrame) {
        guard let action = action(id, frame) else {
            report(.error, .unknownAction, "The screen has no action \(id)")
            return
        }
        var run = frame
        if let form = action.form {
            guard let value = formValue(form, frame) else { return }
            run.argument = value
        } else if let argument {
            run.argument = value(argument, frame)
        } else if let argument = action.argument {
            run.argument = value(argument, frame)
        }
        if let sender = action.sender { run.sender = sender }
        guard action.delay > 0 else {
            pending.append(.run(action: id, run))
            return
        }
        pending.append(.step(.after(name: "delay \(id)", seconds: action.delay, [.run(id)]), run))
    }

    mutating func run(_ id: String, _ frame: StepFrame) {
        guard let action = action(id, frame) else { return }
        var name = action.name
        if let condition = action.condition, !holds(condition, frame, at: action.place) { name = action.otherName }
        guard let name else { return }
        note(.action, "\(id): \(name)")
        // What is of this moment alone is asked for again instead.
        let (given, kept) = (frame.argument, frame.argument.kept)
        set(frame.screen) { $0.arguments[id] = kept.isNull && !given.isNull ? nil : kept }
        switch action.handlers[name] ?? .service {
        case .steps(let steps): push(steps, frame)
        case .native(let target):
            effects.append(.native(target: target, selector: "\(name):sender:", argument: frame.argument.kept))
        case .service:
            guard let service = action.service else {
                report(.error, .unknownService, "\(id) has no service that could do \(name)", at: action.place)
                return
            }
            guard isKnown(name, service) else {
                // Nothing else happens: no status changes, and nobody is told but the log.
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

    /// Looked up where it is found at once, however many a screen has.
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

    private mutating func deliver(_ signal: Signal, to status: Status, _ number: Int) {
        set(number) { $0.statuses[status.id, default: StatusState()].take(signal) }
        if signal.phase == .ready { note(.action, "\(status.id): \(signal.name) succeeded") }
        if signal.phase == .error { note(.action, "\(status.id): \(signal.name) failed, \(signal.error ?? "")") }
        if signal.phase == .error, let error = signal.error, let message = status.errorMessage {
            alert(status.errorTitle ?? "Error", "\(message)\n\n\(error)")
        }
        if signal.phase != .success { push(.status(status.id), screen: number) }
    }

    // MARK: - Forms

    /// The values of a form's fields by their names, or `nil` when one that must be filled in is not.
    mutating func formValue(_ id: NodeID, _ frame: StepFrame) -> Value? {
        guard let scene = scene(frame.screen), let form = scene.node(id)?.form, let scope = scope(frame) else {
            return nil
        }
        let reader = FormReader(form, scope)
        let missing = reader.missing
        // What was not read is not missing.
        if meter.isEmpty {
            report(
                .error, .expressionBudget, "The form has more fields than one event may read",
                at: scene.node(id)?.place, hint: "it is not sent")
            return nil
        }
        set(frame.screen) { $0.missing = Set(missing) }
        guard missing.isEmpty else {
            let names = missing.prefix(20).map {
                Reducer.short(scene.node($0)?.identifier ?? scene.node($0)?.fieldName ?? "#\($0)", 100)
            }
            let shown = names.joined(separator: ", ") + (missing.count > 20 ? " and \(missing.count - 20) more" : "")
            refusal = "the form is not filled in: \(shown)"
            note(.action, "missing \(shown)")
            return nil
        }
        let value = bounded(reader.value, at: scene.node(id)?.place)
        if meter.takeLongText() { reportLongText(at: scene.node(id)?.place) }
        return value
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
