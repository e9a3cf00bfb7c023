internal import WidgetPredicates

/// Requests, their answers, and the provisional records and cached answers that replace missing ones.
extension Reducer {
    func requestID(_ name: String, _ sender: SenderKey?) -> String {
        let element = sender.flatMap { key in scene(key.screen)?.node(key.node)?.identifier }
        return "\(program.identifier)_\(name)_\(element ?? "0")"
    }

    func isKnown(_ name: String, _ service: String) -> Bool { program.services[service]?.actions[name] != nil }

    mutating func reportUnknown(_ name: String, _ service: String, at place: Place?) {
        guard let description = program.services[service] else {
            report(
                .error, .unknownService, "No service \(service) can do \(name)", at: place,
                hint: "there are \(NameList(program.services.keys.sorted()))")
            return
        }
        meter.spend(Meter.work)
        note(.action, "unable to initiate \(name)")
        report(
            .warning, .unknownAction, "\(service) has no action \(name)", at: place ?? description.place,
            hint: "it has \(program.actionNames[service] ?? "none")")
    }

    mutating func call(
        _ name: String, _ service: String, _ argument: Value, sender: SenderKey?, screen: Int?, chained: Int,
        replaces: Bool = false, origin: RequestOrigin? = nil, cause: RequestCause? = nil, place: Place? = nil
    ) {
        guard let action = program.services[service]?.actions[name], let description = program.services[service] else {
            reportUnknown(name, service, at: nil)
            if let origin {
                let error = "The service \(service) has no action \(name)."
                pending.append(.signal(Signal(name: name, phase: .error, error: error, origin: origin)))
            }
            return
        }
        let argument = refreshed(argument)
        // Only questions are asked again: everything else would be done twice.
        if isAskingAgain || replaces, !action.isQuestion { return }
        if let fault = action.fault { return fail(action, fault, sender: sender, origin) }
        if !action.changes.isEmpty {
            return change(action, service, argument, sender: sender, screen: screen, chained: chained, origin)
        }
        let context = ExpressionContext(environment, program.transformers, meter: meter)
        var builder = RequestBuilder(
            action: action, argument: argument, environment: context.predicates, budget: budget,
            isOfDocument: cause != nil)
        if cause != nil, refuses(builder.faults(), of: action, at: place, sender: sender, origin) { return }
        if action.needsAuthorization, let authorization = description.authorization {
            guard let token = store.settings[authorization.setting]?.text, !token.isEmpty else {
                let error = "\(name) needs an authorization, and the setting \(authorization.setting) has none."
                report(.warning, .missingAuthorization, error.excerpt, at: action.place, hint: "nothing is sent")
                note(.request, error)
                unsent = error
                pending.append(
                    .signal(Signal(name: name, phase: .error, sender: sender, error: error, origin: origin)))
                pending.append(.signal(Signal(name: name, phase: .start, sender: sender, origin: origin)))
                return
            }
            let value = authorization.scheme.isEmpty ? token : "\(authorization.scheme) \(token)"
            builder.authorization = ServiceRequest.Header(name: authorization.header, value: value)
        }
        guard store.requests.count < budget.requestCount else {
            report(.error, .stepBudget, "More than \(budget.requestCount) requests wait; \(name) is not sent")
            let error = "Too many requests wait for their answers."
            pending.append(.signal(Signal(name: name, phase: .error, sender: sender, error: error, origin: origin)))
            return
        }
        let request = builder.request()
        if let fault = builder.fault {
            let sentence = "\(name) is not sent: \(fault)"
            return refuse(action, sentence, .badValue, at: place, hint: nil, sender: sender, origin)
        }
        for shortage in builder.shortages {
            report(.error, .byteBudget, "\(name): \(shortage)", at: action.place, hint: "its beginning is sent")
        }
        let headers = request.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        meter.spend((request.url.utf8.count + request.body.count + headers) / 4)
        let number = store.number()
        var pendingRequest = PendingRequest(
            number: number, id: requestID(name, sender), action: name, service: service, argument: argument,
            sender: sender, screen: screen, origin: origin, cause: cause, chained: chained, request: request,
            replaces: isAskingAgain || replaces)
        note(
            .request,
            "\(name): \(request.method) \(request.url) \(String(decoding: request.body.prefix(budget.logTextByteCount), as: UTF8.self))"
        )
        if action.clearPolicy == .before, let result = action.result { clear(result.entity) }
        pendingRequest.provisional = insertProvisional(for: action, argument, screen)
        store.requests.append(pendingRequest)
        note(.begun(NotedRequest(pendingRequest, upTo: budget.logTextByteCount)))
        if action.cacheTime > 0, let kept = store.answers.answer(to: request, at: environment.now) {
            answer(number, .response(status: 200, body: kept), after: 0)
        } else if description.isScripted {
            answer(number, scripted(action, argument, context.predicates), after: max(0, action.delay))
        } else {
            effects.append(.request(number: number, request))
        }
        pending.append(.signal(Signal(name: name, phase: .start, sender: sender, origin: origin)))
    }

    private mutating func answer(_ number: Int, _ outcome: RequestOutcome, after seconds: Double) {
        store.timers.append(
            PendingTimer(
                number: number, due: environment.now + seconds, screen: nil,
                purpose: .response(request: number, outcome)))
    }

    private func scripted(
        _ action: ServiceAction, _ argument: Value, _ environment: PredicateEnvironment
    ) -> RequestOutcome {
        // The original's words for a stub that has no answer; bundles show them in their alerts.
        guard let response = action.response else { return .failure("Test response not implemented.") }
        guard case .dictionary = response, !argument.isNull else { return .response(status: 200, body: response) }
        let body = action.answer?.filled(from: argument, environment: environment) ?? response
        return .response(status: 200, body: body)
    }

    // MARK: - Answers

    mutating func progress(_ number: Int, _ fraction: Double) {
        guard let request = store.requests.first(where: { $0.number == number }) else { return }
        if !request.isOfOpening { hasPersonalCause = true }
        pending.append(
            .signal(
                Signal(
                    name: request.action, phase: .progress, sender: request.sender, progress: fraction,
                    origin: request.origin)))
    }

    mutating func finish(_ number: Int, _ outcome: RequestOutcome) {
        guard let place = store.requests.firstIndex(where: { $0.number == number }) else { return }
        let request = store.requests.remove(at: place)
        if !request.isOfOpening { hasPersonalCause = true }
        guard let action = program.services[request.service]?.actions[request.action] else { return }
        if let body = outcome.usableBody { keepAnswer(body, to: request, of: action) }
        note(.ended(number, NotedAnswer(outcome, upTo: budget.logTextByteCount)))
        switch outcome {
        case .failure(let message):
            note(.response, "\(request.action): \(message)")
            if continueOffline(request, action) { return }
            fail(request, message)
        case .unanswered(let message):
            note(.response, "\(request.action): \(message)")
            // The server may have handled the request: it is neither repeated nor taken for done.
            if request.request.isRepeatable, continueOffline(request, action) { return }
            fail(request, message)
        case .postponed(let status, let body, let seconds):
            note(.response, "\(request.action): \(status), ask again in \(seconds) s")
            fail(
                request, "\(refusal(status, body, action)) The server asks to wait \(seconds) s.",
                retryAfter: Double(seconds))
        case .unreadable(let status, let message):
            note(.response, "\(request.action): \(status)")
            if 200..<300 ~= status, action.result == nil, request.origin?.data == nil {
                return ready(request, action, .null, [])
            }
            fail(request, 200..<300 ~= status ? message : serverStatus(status))
        case .notModified(let body):
            note(.response, "\(request.action): 304")
            read(body, request, action)
        case .response(let status, let body):
            note(.response, "\(request.action): \(status) \(body.shown.shortened(toByteCount: 200))")
            guard 200..<300 ~= status else {
                return fail(request, refusal(status, body, action))
            }
            read(body, request, action)
        }
    }

    /// The server's message about its refusal, or else its status.
    private func refusal(_ status: Int, _ body: Value, _ action: ServiceAction) -> String {
        let message = body.member(at: action.errorKeyPath)
        let text = message.string ?? message.member("message").string ?? message.text
        return text ?? serverStatus(status)
    }

    private func serverStatus(_ status: Int) -> String { words[.serverStatus, ["status": "\(status)"]] }

    private mutating func read(_ body: Value, _ request: PendingRequest, _ action: ServiceAction) {
        var data: Value?
        if request.origin != nil {
            let (part, fault) = part(of: body, for: request, action)
            guard let part else {
                if let id = request.origin?.data {
                    let source = scene(request.origin?.frame.screen ?? -1)?.data(id)
                    report(
                        .warning, .response, "The source \(id.excerpt) has no value. \(fault)",
                        at: source?.place ?? action.place)
                }
                return fail(request, fault)
            }
            data = part
            // Data are the answer itself, so a model need not know its records.
            guard let entity = action.result?.entity, store.records.model.place(of: entity) != nil else {
                return ready(request, action, part, nil)
            }
        }
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
        case (true, .array(let elements)): ready(request, action, data ?? body, elements)
        case (false, .dictionary): ready(request, action, data ?? body, [found])
        default:
            report(
                .error, .response,
                "\(request.action): the response must be \(result.isArray ? "an array" : "an object"), and is "
                    + found.kindName, at: action.place)
            fail(request, nil)
        }
    }

    /// Stores the answer and continues after all statuses were notified.
    private mutating func ready(
        _ request: PendingRequest, _ action: ServiceAction, _ raw: Value, _ elements: [Value]?
    ) {
        if let elements, action.result != nil { pending.append(.store(request, action, elements)) }
        pending.append(
            .signal(
                Signal(
                    name: request.action, phase: .ready, sender: request.sender, answer: raw, origin: request.origin)))
    }

    mutating func fail(_ request: PendingRequest, _ message: String?, retryAfter: Double? = nil) {
        forgetProvisional(of: request)
        let reason = "\(request.action): \(message ?? "the answer is not as it is described")"
        failures.append(RequestFailure(request: request.number, reason: reason, retryAfter: retryAfter))
        pending.append(
            .signal(
                Signal(
                    name: request.action, phase: .error, sender: request.sender, error: message, origin: request.origin)
            ))
    }

    // MARK: - Keeping

    mutating func keep(_ elements: [Value], of action: ServiceAction, _ request: PendingRequest) {
        guard let result = action.result else { return }
        var edit = recordEdit
        if let provisional = request.provisional { _ = edit.delete(provisional) }
        var stored: [RecordID] = []
        do throws(RecordMapper.Failure) {
            // Cleared records may come again in the same answer. That is one change, and they keep their numbers.
            var mapper = RecordMapper(
                edit, transformers: program.transformers, environment: environment, meter: meter,
                nesting: budget.documentDepth)
            stored = try mapper.store(elements, as: result.entity)
            edit = mapper.edit
            if action.clearPolicy == .after { removeAll(of: result.entity, but: Set(stored), from: &edit) }
            removeScripted(of: request, but: Set(stored), from: &edit)
            try set(action.sets, of: stored, &edit)
            try edit.checkWeight()
        } catch {
            report(
                .error, error.isBudget ? .recordBudget : .storing, "\(request.action): \(error.description)",
                at: action.place)
            return fail(request, error.description)
        }
        store.records = edit.table
        keepScripted(stored, of: request, action)
        note(.stored, "\(result.entity): \(stored.count)")
        if let limit = stored.last, action.nextAction != nil {
            var next = request
            // A single object is passed on; several have none that could be meant.
            if !result.isArray {
                next.argument = RecordObject(limit, in: store.records).map { .object($0) } ?? .null
            }
            pending.append(.chain(next, action))
        } else if action.nextAction != nil, result.isArray {
            pending.append(.chain(request, action))
        }
        pending.append(
            .signal(Signal(name: request.action, phase: .success, sender: request.sender, origin: request.origin)))
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
        var edit = recordEdit
        removeAll(of: entity, but: [], from: &edit)
        store.records = edit.table
    }

    private mutating func removeAll(of name: String, but kept: Set<RecordID>, from edit: inout RecordEdit) {
        guard let entity = edit.model.place(of: name) else { return }
        let old = edit.base.ids(of: entity).filter { !kept.contains($0) }
        meter.spend(Meter.record * old.count)
        for _ in edit.delete(old).prefix(1) {
            reportDeletion(edit, "A relationship denies the deletion of one \(name)", .warning)
        }
    }

    // MARK: - Answers of stubs

    /// Removes the records that the same action of a stub answered with before its description was changed, and does
    /// not answer with now. They would not be there if the widget had been started with the present description.
    private mutating func removeScripted(
        of request: PendingRequest, but kept: Set<RecordID>, from edit: inout RecordEdit
    ) {
        guard request.replaces, let old = store.scripted[request.scriptKey] else { return }
        meter.spend(Meter.record * old.count)
        // What another request was answered with as well is still its answer.
        var gone = old.subtracting(kept)
        for others in store.scripted.others(than: request.scriptKey) where !gone.isEmpty {
            meter.spend(Meter.record * others.count)
            gone.subtract(others)
        }
        for _ in edit.delete(gone.sorted()).prefix(1) {
            reportDeletion(
                edit, "A relationship denies the deletion of an earlier answer to \(request.action)", .warning)
        }
    }

    private mutating func keepScripted(_ stored: [RecordID], of request: PendingRequest, _ action: ServiceAction) {
        guard program.services[request.service]?.isScripted ?? false else { return }
        let isComplete = store.scripted.keep(
            stored, as: request.scriptKey, isNew: request.replaces || action.clearPolicy != .none, budget)
        guard !isComplete else { return }
        report(
            .warning, .countBudget,
            "Stubs have answered more than \(budget.scriptedAnswerCount) different requests, or with more than \(budget.scriptedRecordCount) records",
            at: action.place, hint: "records of the earliest answers stay when the stub is changed")
    }

    mutating func callNext(after action: ServiceAction, _ request: PendingRequest) {
        guard let next = action.nextAction else { return }
        guard request.chained < budget.chainLength else {
            report(
                .error, .stepBudget, "\(request.action) has been followed by \(budget.chainLength) actions",
                at: action.place, hint: "an action that calls itself never ends")
            return
        }
        if let cause = request.cause, cause.isOpening,
            let following = program.services[request.service]?.actions[next], following.isWriting
        {
            return holdBack(following, at: nil, sender: request.sender, nil)
        }
        call(
            next, request.service, request.argument, sender: request.sender, screen: request.screen,
            chained: request.chained + 1, replaces: request.replaces, cause: request.cause)
    }

    // MARK: - Provisional records

    /// Makes a provisional record of the request, which is shown until the answer brings the real one.
    mutating func insertProvisional(for action: ServiceAction, _ argument: Value, _ screen: Int?) -> RecordID? {
        guard !action.optimistic.isEmpty, let result = action.result, !result.isArray,
            let entity = store.records.model.place(of: result.entity)
        else { return nil }
        let content = screen.flatMap { store.place(ofScreen: $0) }.map { store.screens[$0].content } ?? .null
        let root = Value.object(SentObject(argument, content: content, environment))
        let predicates = ExpressionContext(environment, program.transformers, meter: meter).predicates
        var edit = recordEdit
        guard !edit.isFull else {
            report(
                .warning, .recordBudget, "\(action.name): no room for a provisional record",
                at: action.place)
            return nil
        }
        let record = edit.insert(entity)
        for (name, template) in action.optimistic {
            let value = template.value(root: root, environment: predicates)
            guard let slot = edit.model.entities[entity].slot(name) else {
                report(.warning, .unknownKey, "\(result.entity) has no \(name)", at: action.place)
                continue
            }
            switch edit.model.entities[entity].properties[slot] {
            case .attribute(let attribute):
                guard let fitting = attribute.kind.fitting(value) else {
                    report(
                        .warning, .badValue, "\(result.entity).\(name) cannot be \(value.kindName)", at: action.place)
                    continue
                }
                edit.set(slot, of: record.id, to: fitting)
            case .relationship: edit.link(slot, of: record.id, to: value.recordID.map { [$0] } ?? [])
            }
        }
        store.records = edit.table
        note(.stored, "\(result.entity): one provisional record")
        return record.id
    }

    mutating func forgetProvisional(of request: PendingRequest) {
        guard let id = request.provisional else { return }
        var edit = recordEdit
        if edit.delete(id) { store.records = edit.table }
    }

    // MARK: - Without a network

    /// Continues a request that reached no server, by a retry or with the stored records.
    ///
    /// - Returns: False if the action has no offline mode, so that the request fails.
    mutating func continueOffline(_ request: PendingRequest, _ action: ServiceAction) -> Bool {
        switch action.offline {
        case .fail: return false
        case .keep:
            guard let entity = action.result.flatMap({ store.records.model.place(of: $0.entity) }),
                !store.records.ids(of: entity).isEmpty
            else { return false }
            note(.response, "\(request.action): what is kept has to do")
            forgetProvisional(of: request)
            pending.append(
                .signal(Signal(name: request.action, phase: .success, sender: request.sender, origin: request.origin)))
            pending.append(
                .signal(Signal(name: request.action, phase: .ready, sender: request.sender, origin: request.origin)))
            return true
        case .retry:
            var again = request
            again.attempts += 1
            store.requests.append(again)
            let wait = min(5 * Double(1 << min(request.attempts, 4)), budget.longestRetryWait)
            note(.request, "\(request.action): again in \(Value.text(wait)) s")
            store.timers.append(
                PendingTimer(
                    number: store.number(), due: environment.now + wait, screen: nil,
                    purpose: .resend(request: request.number)))
            return true
        }
    }

    mutating func resend(_ number: Int) {
        guard let request = store.requests.first(where: { $0.number == number }) else { return }
        note(.request, "\(request.action): \(request.request.method) \(request.request.url) again")
        effects.append(.request(number: number, request.request))
    }

    // MARK: - Cached answers

    private mutating func keepAnswer(_ body: Value, to request: PendingRequest, of action: ServiceAction) {
        guard action.cacheTime > 0 else { return }
        let shortage = store.answers.keep(
            body, to: request.request, at: environment.now, until: environment.now + action.cacheTime, budget)
        switch shortage {
        case .tooHeavy:
            report(
                .warning, .countBudget,
                "\(request.action): the answer is larger than the \(budget.cachedAnswerWeight) values that are kept",
                at: action.place, hint: "it is asked for again each time")
        case .full:
            report(
                .warning, .countBudget,
                "\(request.action): more than \(budget.cachedAnswerCount) answers, or \(budget.cachedAnswerWeight) values, are good for a while",
                at: action.place, hint: "the ones that expire first are asked for again")
        case nil: break
        }
    }
}

/// The source of a provisional record: the request's argument, the content of the screen, and the time.
private final class SentObject: PredicateObject {
    private let argument: Value
    private let content: Value
    private let environment: Environment

    init(_ argument: Value, content: Value, _ environment: Environment) {
        self.argument = argument
        self.content = content
        self.environment = environment
    }

    func value(forKey key: String) -> Value? {
        let own = argument.member(key)
        if !own.isNull { return own }
        switch key {
        case "content": return content
        case "now": return .date(environment.now)
        default: return key == "self" || key == "SELF" ? nil : .null
        }
    }
}
