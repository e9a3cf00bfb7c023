internal import Predicates

extension Reducer {
    /// How often a chain of actions may go on by itself.
    private static let longestChain = 20
    /// How many answers may be waited for.
    private static let mostRequests = 500

    func requestID(_ name: String, _ sender: SenderKey?) -> String {
        let element = sender.flatMap { key in scene(key.screen)?.node(key.node)?.identifier }
        return "\(program.identifier)_\(name)_\(element ?? "0")"
    }

    func isKnown(_ name: String, _ service: String) -> Bool { program.services[service]?.actions[name] != nil }

    mutating func reportUnknown(_ name: String, _ service: String, at place: Place?) {
        guard let description = program.services[service] else {
            report(
                .error, .unknownService, "There is no service \(service) that could do \(name)", at: place,
                hint: "there are \(program.services.keys.sorted().joined(separator: ", "))")
            return
        }
        meter.spend(Meter.work)
        note(.action, "unable to initiate \(name)")
        report(
            .warning, .unknownAction, "\(service) has no action \(name)", at: place ?? description.place,
            hint: "it has \(program.actionNames[service] ?? "none")")
    }

    mutating func call(
        _ name: String, _ service: String, _ argument: Value, sender: SenderKey?, screen: Int?, chained: Int
    ) {
        guard let action = program.services[service]?.actions[name], let description = program.services[service] else {
            reportUnknown(name, service, at: nil)
            return
        }
        let context = ExpressionContext(environment, program.transformers, meter: meter)
        let argument = refreshed(argument)
        var builder = RequestBuilder(action: action, argument: argument, environment: context.predicates)
        if action.needsAuthorization, let authorization = description.authorization {
            guard let token = store.defaults[authorization.setting]?.text, !token.isEmpty else {
                let error = "\(name) needs an authorization, and the setting \(authorization.setting) has none."
                pending.append(.signal(Signal(name: name, phase: .error, sender: sender, error: error)))
                pending.append(.signal(Signal(name: name, phase: .start, sender: sender)))
                return
            }
            let value = authorization.scheme.isEmpty ? token : "\(authorization.scheme) \(token)"
            builder.authorization = Request.Header(name: authorization.header, value: value)
        }
        guard store.requests.count < Reducer.mostRequests else {
            report(.error, .stepBudget, "More than \(Reducer.mostRequests) requests wait; \(name) is not sent")
            let error = "Too many requests wait for their answers."
            pending.append(.signal(Signal(name: name, phase: .error, sender: sender, error: error)))
            return
        }
        let request = builder.request
        let headers = request.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        meter.spend((request.url.utf8.count + request.body.count + headers) / 4)
        let number = store.number()
        var pendingRequest = PendingRequest(
            number: number, id: requestID(name, sender), action: name, service: service, argument: argument,
            sender: sender, screen: screen, chained: chained, request: request)
        note(
            .request,
            "\(name): \(request.method) \(request.url) \(String(decoding: request.body.prefix(1_000), as: UTF8.self))")
        if action.clearPolicy == .before, let result = action.result { clear(result.entity) }
        pendingRequest.provisional = insertProvisional(for: action, argument, screen)
        store.requests.append(pendingRequest)
        if let kept = keptAnswer(to: request, of: action) {
            answer(number, .response(status: 200, body: kept), after: 0)
        } else if description.isScripted {
            answer(number, scripted(action, argument, context.predicates), after: max(0, action.delay))
        } else {
            effects.append(.request(number: number, request))
        }
        pending.append(.signal(Signal(name: name, phase: .start, sender: sender)))
    }

    private mutating func answer(_ number: Int, _ outcome: Outcome, after seconds: Double) {
        store.timers.append(
            PendingTimer(
                number: number, due: environment.now + seconds, screen: nil,
                purpose: .response(request: number, outcome)))
    }

    private func scripted(_ action: ServiceAction, _ argument: Value, _ environment: PredicateEnvironment) -> Outcome {
        // The original's words for a stub that has no answer; bundles show them in their alerts.
        guard let response = action.response else { return .failure("Test response not implemented.") }
        guard case .dictionary = response, !argument.isNull else { return .response(status: 200, body: response) }
        let body = action.answer?.filled(from: argument, environment: environment) ?? response
        return .response(status: 200, body: body)
    }

    // MARK: - Answers

    mutating func progress(_ number: Int, _ fraction: Double) {
        guard let request = store.requests.first(where: { $0.number == number }) else { return }
        pending.append(
            .signal(Signal(name: request.action, phase: .progress, sender: request.sender, progress: fraction)))
    }

    mutating func finish(_ number: Int, _ outcome: Outcome) {
        guard let place = store.requests.firstIndex(where: { $0.number == number }) else { return }
        let request = store.requests.remove(at: place)
        guard let action = program.services[request.service]?.actions[request.action] else { return }
        if case .response(200..<300, let body) = outcome { keepAnswer(body, to: request, of: action) }
        switch outcome {
        case .failure(let message):
            note(.response, "\(request.action): \(message)")
            if standsOffline(request, action) { return }
            fail(request, message)
        case .unreadable(let status, let message):
            note(.response, "\(request.action): \(status)")
            if 200..<300 ~= status, action.result == nil { return ready(request, action, .null, []) }
            fail(request, 200..<300 ~= status ? message : "The server answered with status \(status).")
        case .response(let status, let body):
            note(.response, "\(request.action): \(status) \(body.shown.prefix(200))")
            guard 200..<300 ~= status else {
                let message = body.member(at: action.errorKeyPath)
                let text = message.string ?? message.member("message").string ?? message.text
                return fail(request, text ?? "The server answered with status \(status).")
            }
            read(body, request, action)
        }
    }

    private mutating func read(_ body: Value, _ request: PendingRequest, _ action: ServiceAction) {
        guard let result = action.result else { return ready(request, action, body, nil) }
        var found = body
        for key in action.resultKeyPath {
            guard case .dictionary(let dictionary) = found, let member = dictionary[key] else {
                report(
                    .error, .response,
                    "\(request.action): the response has nothing at "
                        + action.resultKeyPath.joined(separator: "."), at: action.place)
                return fail(request, nil)
            }
            found = member
        }
        switch (result.isArray, found) {
        case (true, .array(let elements)): ready(request, action, body, elements)
        case (false, .dictionary): ready(request, action, body, [found])
        default:
            report(
                .error, .response,
                "\(request.action): the response must be \(result.isArray ? "an array" : "an object"), and is "
                    + found.kindName, at: action.place)
            fail(request, nil)
        }
    }

    /// What was asked for is there; keeping it and going on come after everybody was told.
    private mutating func ready(
        _ request: PendingRequest, _ action: ServiceAction, _ raw: Value, _ elements: [Value]?
    ) {
        if let elements, action.result != nil { pending.append(.store(request, action, elements)) }
        pending.append(
            .signal(Signal(name: request.action, phase: .ready, sender: request.sender, answer: raw)))
    }

    private mutating func fail(_ request: PendingRequest, _ message: String?) {
        forgetProvisional(of: request)
        pending.append(
            .signal(Signal(name: request.action, phase: .error, sender: request.sender, error: message)))
    }

    // MARK: - Keeping

    mutating func keep(_ elements: [Value], of action: ServiceAction, _ request: PendingRequest) {
        guard let result = action.result else { return }
        var edit = RecordEdit(store.records, recordLimit: budget.recordCount)
        if let provisional = request.provisional { _ = edit.delete(provisional) }
        var stored: [RecordID] = []
        do throws(RecordMapper.Failure) {
            // What is cleared may come again in the same answer: that is one change, and records keep who they are.
            var mapper = RecordMapper(
                edit, transformers: program.transformers, environment: environment, meter: meter)
            stored = try mapper.store(elements, as: result.entity)
            edit = mapper.edit
            if action.clearPolicy == .after { removeAll(of: result.entity, but: Set(stored), from: &edit) }
            try set(action.sets, of: stored, &edit)
            try edit.checkWeight()
        } catch {
            report(
                .error, error.isBudget ? .recordBudget : .storing, "\(request.action): \(error.description)",
                at: action.place)
            return fail(request, error.description)
        }
        store.records = edit.table
        note(.stored, "\(result.entity): \(stored.count)")
        if let limit = stored.last, action.nextAction != nil {
            var next = request
            // One object is handed on; of several, nobody could say which.
            if !result.isArray {
                next.argument = RecordObject(limit, in: store.records).map { .object($0) } ?? .null
            }
            pending.append(.chain(next, action))
        } else if action.nextAction != nil, result.isArray {
            pending.append(.chain(request, action))
        }
        pending.append(.signal(Signal(name: request.action, phase: .success, sender: request.sender)))
        updateSources()
    }

    private func set(
        _ values: [(name: String, value: Value)], of ids: [RecordID], _ edit: inout RecordEdit
    ) throws(RecordMapper.Failure) {
        for id in ids {
            guard let entity = edit[id].map({ edit.model.entities[$0.entity] }) else { continue }
            for (name, value) in values {
                guard let slot = entity.slot(name), case .attribute(let attribute) = entity.properties[slot],
                    let fitting = attribute.kind.fitting(value)
                else { throw RecordMapper.Failure("\(entity.name) cannot have \(name) set to \(value.shown)") }
                edit.set(slot, of: id, to: fitting)
            }
        }
    }

    private mutating func clear(_ entity: String) {
        var edit = RecordEdit(store.records)
        removeAll(of: entity, but: [], from: &edit)
        store.records = edit.table
    }

    private mutating func removeAll(of name: String, but kept: Set<RecordID>, from edit: inout RecordEdit) {
        guard let entity = edit.model.place(of: name) else { return }
        let old = edit.base.ids(of: entity).filter { !kept.contains($0) }
        meter.spend(Meter.record * old.count)
        for _ in edit.delete(old).prefix(1) {
            report(.warning, .deletion, "A relationship denies the deletion of one \(name)")
        }
    }

    mutating func callNext(after action: ServiceAction, _ request: PendingRequest) {
        guard let next = action.nextAction else { return }
        guard request.chained < Reducer.longestChain else {
            report(
                .error, .stepBudget, "\(request.action) has been followed by \(Reducer.longestChain) actions",
                at: action.place, hint: "an action that calls itself never ends")
            return
        }
        call(
            next, request.service, request.argument, sender: request.sender, screen: request.screen,
            chained: request.chained + 1)
    }
}
