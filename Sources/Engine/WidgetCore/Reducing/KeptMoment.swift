/// The state of a widget after an event, which its author can look at again.
package struct KeptMoment: Sendable {
    /// A later moment has a larger one.
    package let number: Int
    /// The event, in a few words.
    package let event: String
    package let store: Store
    package let environment: Environment
    /// The lines that the event has added to the log.
    package let log: [LogEntry]
    package let requests: RequestLog
}

/// The last moments of a widget. Their states share what has not changed.
package struct MomentLog: Sendable {
    /// Never empty.
    package private(set) var all: [KeptMoment] = []
    private var lastNumber = 0

    /// The most moments, the oldest of which go first.
    private static let limit = 50

    package init(_ store: Store, _ environment: Environment, _ requests: RequestLog) {
        begin("looked at first", store, environment, requests)
    }

    /// Forgets all moments, whose program is another one, and begins with the present.
    package mutating func begin(
        _ event: String, _ store: Store, _ environment: Environment, _ requests: RequestLog
    ) {
        all = []
        add(event, store, environment, [], requests)
    }

    /// Keeps the moment after an event. Time and transfers that change nothing have none.
    ///
    /// - Parameter before: the state in which the event has found the widget.
    package mutating func add(
        _ event: Event, _ before: Store, _ transition: Transition, in program: Program, _ environment: Environment,
        _ requests: RequestLog
    ) {
        if case .progress = event { return }
        guard event.isPersonal || !transition.log.isEmpty else { return }
        add(
            event.summary(before, in: program).shortened(toByteCount: String.excerptByteCount), transition.store,
            environment, transition.log, requests)
    }

    private mutating func add(
        _ event: String, _ store: Store, _ environment: Environment, _ log: [LogEntry], _ requests: RequestLog
    ) {
        if all.count == MomentLog.limit { all.removeFirst() }
        lastNumber += 1
        all.append(
            KeptMoment(
                number: lastNumber, event: event, store: store, environment: environment, log: log, requests: requests))
    }
}

extension Event {
    /// The event in a few words, for its author.
    fileprivate func summary(_ store: Store, in program: Program) -> String {
        func name(_ key: ViewKey) -> String {
            let scene = store.screens.first { $0.number == key.screen }.flatMap { program.scenes[$0.scene] }
            return scene?.node(key.node)?.identifier ?? key.description
        }
        func action(_ number: Int) -> String { store.requests.first { $0.number == number }?.action ?? "\(number)" }
        return switch self {
        case .start: "start"
        case .tap(let key): "tap \(name(key))"
        case .input(let key, _): "input \(name(key))"
        case .submit(let key): "submit \(name(key))"
        case .select(let key): "select \(name(key))"
        case .deleteRow(let key): "delete \(name(key))"
        case .scroll(let key, _): "scroll \(name(key))"
        case .refresh(let key): "refresh \(name(key))"
        case .pick(let key, _): "pick \(name(key))"
        case .back: "back"
        case .link(let address): "link \(address)"
        case .arrive(let entry, _): "arrive at \(entry)"
        case .reveal(let list, _): "reveal in \(list)"
        case .replaced, .continued: "another program"
        case .update: "update"
        case .time: "time"
        case .response(let number, _): "answer of \(action(number))"
        case .progress(let number, _): "progress of \(action(number))"
        case .setting(let name, _): "setting \(name)"
        case .cached: "cache"
        case .abandon: "update given up"
        case .perform: "steps of the program"
        case .signal(let name, let phase, _): "\(name)\(phase.rawValue)"
        }
    }
}
