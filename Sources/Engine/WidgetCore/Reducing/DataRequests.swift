internal import WidgetPredicates

/// The origin of a request in a data source or a call: the part of a screen that its answer is for.
struct RequestOrigin: Sendable {
    var frame: StepFrame
    /// The data source that the answer becomes the value of.
    var data: String?
    var then: [Step] = []
    var otherwise: [Step] = []
}

/// The cause of a request of documents.
struct RequestCause: Sendable {
    /// True if a screen has opened, and not an event after that.
    var isOpening: Bool
}

extension PendingRequest {
    /// True if it was sent because a screen has opened. Requests of schemes do not say why.
    var isOfOpening: Bool { cause?.isOpening ?? false }
}

/// Requests of data sources, and calls of actions.
extension Reducer {
    /// Asks a data source's request, unless its condition does not hold.
    mutating func ask(_ id: String, _ asking: StepFrame) {
        let number = asking.screen
        guard let source = scene(number)?.data(id), case .request(var call) = source.kind else { return }
        var frame = StepFrame(screen: number, isOpening: asking.isOpening)
        frame.scopeNode = source.node
        if let condition = source.condition, !value(condition, frame).truth { return }
        call.data = id
        if holdsBack(call, frame) { return }
        let now = environment.now
        // A source that follows other values, which may follow it, has to wait a little between two requests.
        if source.moment == .change, let place = store.place(ofScreen: number),
            let asked = store.screens[place].data[id]?.askedAt, now - asked < DataSource.shortestPause
        {
            return push(
                [.after(name: "source \(id)", seconds: asked + DataSource.shortestPause - now, [.ask(id)])], frame)
        }
        set(number) { $0.data[id, default: DataState()].askedAt = now }
        self.call(call, frame)
    }

    /// Sends the request of a call.
    ///
    /// A data source has one request at a time. The same one again joins the one under way; another one replaces it, so
    /// that answers cannot overtake each other.
    mutating func call(_ call: ServiceCall, _ frame: StepFrame) {
        if holdsBack(call, frame) { return }
        let argument = call.argument.map { value($0, frame).kept } ?? .null
        if let data = call.data {
            let waiting = store.requests.first { $0.screen == frame.screen && $0.origin?.data == data }
            if let waiting {
                if waiting.argument.isIdentical(to: argument) { return join(waiting, call, frame) }
                withdraw(waiting)
            }
        }
        note(.action, "\(call.data.map { "\($0): " } ?? "")\(call.action)")
        self.call(
            call.action, call.service, argument, sender: nil, screen: frame.screen, chained: 0,
            origin: RequestOrigin(frame: frame, data: call.data, then: call.then, otherwise: call.otherwise),
            cause: RequestCause(isOpening: frame.isOpening), place: call.place)
    }

    /// Refuses a call that would change something on a server because a screen has opened: a look at a widget, also
    /// that of a registry, must not place an order.
    private mutating func holdsBack(_ call: ServiceCall, _ frame: StepFrame) -> Bool {
        guard frame.isOpening, let action = program.services[call.service]?.actions[call.action], action.isWriting
        else { return false }
        // The permission is for this request: what follows from it is still because of the opening.
        if let data = call.data, scene(frame.screen)?.data(data)?.isSentOnOpening ?? false { return false }
        if isAskingAgain { return true }
        let origin = RequestOrigin(frame: frame, data: call.data, then: call.then, otherwise: call.otherwise)
        holdBack(action, at: call.place, sender: nil, origin)
        return true
    }

    /// Lets the request under way do what a call asks for as well. Steps run once, those of the first call that has some.
    private mutating func join(_ request: PendingRequest, _ call: ServiceCall, _ frame: StepFrame) {
        guard let place = store.requests.firstIndex(where: { $0.number == request.number }) else { return }
        // Who asks for what is asked already has caused its answer as well.
        if !frame.isOpening { store.requests[place].cause = RequestCause(isOpening: false) }
        guard let origin = request.origin, origin.then.isEmpty, origin.otherwise.isEmpty else { return }
        store.requests[place].origin = RequestOrigin(
            frame: frame, data: origin.data, then: call.then, otherwise: call.otherwise)
    }

    /// Cancels a request, and does not notify what waits for it.
    mutating func withdraw(_ request: PendingRequest) {
        store.requests.removeAll { $0.number == request.number }
        forgetProvisional(of: request)
        store.timers.removeAll { timer in
            switch timer.purpose {
            case .response(request.number, _), .resend(request.number): true
            default: false
            }
        }
        effects.append(.cancel(number: request.number))
    }

    /// Notifies the data source of a request, and runs the steps that follow it.
    mutating func deliver(_ signal: Signal, to origin: RequestOrigin) {
        let number = origin.frame.screen
        if let id = origin.data {
            let now = environment.now
            set(number) { screen in
                screen.data[id, default: DataState()].status.take(signal)
                guard signal.phase == .ready, let answer = signal.answer else { return }
                screen.data[id]?.value = answer
                screen.data[id]?.answeredAt = now
            }
        }
        var frame = origin.frame
        switch signal.phase {
        case .ready:
            frame.argument = signal.answer ?? .null
            push(origin.then, frame)
        case .error:
            frame.argument = signal.error.map { .string($0) } ?? .null
            push(origin.otherwise, frame)
        case .start, .progress, .success: break
        }
    }

    /// The part of an answer that its data source has for a value; `nil` for an answer that cannot be one.
    func part(
        of answer: Value, for request: PendingRequest, _ action: ServiceAction
    ) -> (value: Value?, fault: String) {
        let source = request.origin?.data.flatMap { scene(request.origin?.frame.screen ?? -1)?.data($0) }
        var found = answer
        let path = source?.part ?? action.resultKeyPath
        for key in path {
            let next: Value? =
                switch found {
                case .dictionary(let dictionary): dictionary[key]
                case .array(let elements): Int(key).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
                default: nil
                }
            guard let next else { return (nil, "The answer has nothing at \(path.joined(separator: ".")).") }
            found = next
        }
        guard !found.isLarger(depth: budget.valueDepth, count: budget.valueCount) else {
            return (
                nil, "The answer has more than \(budget.valueCount) values, or is more than \(budget.valueDepth) deep."
            )
        }
        return (found, "")
    }
}

extension Scene {
    /// The data source of that name.
    package func data(_ id: String) -> DataSource? { data.first { $0.id == id } }
}
