package import WidgetCore

/// A widget that runs: its program, where it is, and what waits to be sent. Time goes by only when somebody says so.
package struct WidgetInstance: Sendable {
    package private(set) var program: Program
    package private(set) var store: Store
    package private(set) var environment: Environment
    package private(set) var diagnostics: [Diagnostic]
    package private(set) var log: [LogEntry] = []
    /// Requests that whoever has a network is to send, by their numbers.
    package private(set) var outgoing: [(number: Int, request: Request)] = []
    package private(set) var cancelled: [Int] = []
    /// Records that are to be kept, or forgotten where there are none any more.
    package private(set) var unsaved: Set<RecordID> = []
    package private(set) var hasUnsavedSettings = false
    package private(set) var wishes: [Wish] = []
    package var budget: Budget
    /// Counts the programs it has had.
    package private(set) var revision = 1
    /// Told after each event that it has taken, those that time brings among them.
    package var eventTaken: (@Sendable () -> Void)?
    private var cache = EvaluationCache()
    /// What ``diagnostics`` has, to look in.
    private var known: Set<Diagnostic> = []

    /// What only the host can do.
    package enum Wish: Sendable {
        case open(String)
        case native(HostCall, argument: Value)
    }

    private static let logLimit = 5_000
    private static let diagnosticLimit = 500
    private static let wishLimit = 200

    /// - Parameter found: what was found wrong before it began.
    package init(
        _ program: Program, store: Store? = nil, environment: Environment = Environment(), budget: Budget = Budget(),
        found: [Diagnostic] = []
    ) {
        self.program = program
        self.store = store ?? Store(model: program.model)
        self.environment = environment
        self.budget = budget
        diagnostics = program.diagnostics + found
        known = Set(diagnostics)
    }

    /// - Returns: why nothing happened, when that is so.
    @discardableResult
    package mutating func send(_ event: Event) -> String? {
        take(event).refusal
    }

    private mutating func take(_ event: Event) -> Transition {
        let transition = Reducer.reduce(event, store, in: program, environment, budget: budget)
        store = transition.store
        add(transition.diagnostics)
        log += transition.log
        if log.count > WidgetInstance.logLimit { log.removeFirst(log.count - WidgetInstance.logLimit) }
        for effect in transition.effects {
            switch effect {
            case .request(let number, let request): outgoing.append((number, request))
            case .cancel(let number):
                outgoing.removeAll { $0.number == number }
                cancelled.append(number)
            case .persist(let ids): unsaved.formUnion(ids)
            case .settings: hasUnsavedSettings = true
            case .open(let url): wish(.open(url))
            case .native(let call, let argument): wish(.native(call, argument: argument))
            }
        }
        eventTaken?()
        return transition
    }

    /// A host that does not listen is not told everything that it has missed.
    private mutating func wish(_ wish: Wish) {
        if wishes.count == WidgetInstance.wishLimit { wishes.removeFirst() }
        wishes.append(wish)
    }

    private mutating func add(_ new: [Diagnostic]) {
        for diagnostic in new where diagnostics.count < WidgetInstance.diagnosticLimit {
            if known.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
        }
    }

    /// Lets time go by, with everything that falls due on the way.
    package mutating func advance(to moment: Double) {
        var steps = budget.unrestStepCount
        _ = advance(to: moment, &steps)
    }

    /// - Returns: whether everything was done that fell due. What was not, is late.
    private mutating func advance(to moment: Double, _ steps: inout Int) -> Bool {
        defer { environment.now = max(environment.now, moment) }
        while let due = store.nextDeadline, due <= moment {
            guard steps > 0 else {
                add([
                    Diagnostic(
                        .error, .stepBudget,
                        "The widget takes more than \(budget.unrestStepCount) steps by itself, and does not come to rest",
                        hint: "its timers turn too often, or its actions call each other again and again")
                ])
                return false
            }
            environment.now = max(environment.now, due)
            // A turn that finds nothing to do costs something too.
            steps -= take(.time).stepCount + 1
        }
        return true
    }

    package mutating func advance(by seconds: Double) { advance(to: environment.now + seconds) }

    /// Lets time go by until nothing is under way, or so many seconds at most.
    ///
    /// - Returns: whether it is at rest; it is not while a request waits for an answer from outside.
    package mutating func settle(within seconds: Double = 60) -> Bool {
        var steps = budget.unrestStepCount
        return settle(within: seconds, &steps)
    }

    /// - Parameter steps: what is left for several waits together.
    package mutating func settle(within seconds: Double, _ steps: inout Int) -> Bool {
        let end = environment.now + seconds
        while !store.isAtRest(now: environment.now) {
            guard outgoing.isEmpty, let due = store.nextDeadline, due <= end, advance(to: due, &steps) else {
                return false
            }
        }
        return true
    }

    package mutating func view() -> View {
        var view = Evaluator(program, budget: budget).view(of: store, environment, cache: &cache)
        add(view.diagnostics)
        view.diagnostics = diagnostics
        return view
    }

    /// How many rows the last view had to be asked for again.
    package var reevaluatedRows: Int { cache.reevaluatedRows }

    // MARK: - What the host has done

    package mutating func takeOutgoing() -> [(number: Int, request: Request)] {
        defer { outgoing = [] }
        return outgoing
    }

    package mutating func takeCancelled() -> [Int] {
        defer { cancelled = [] }
        return cancelled
    }

    /// For whoever keeps them, and the settings with them.
    package mutating func takeUnsaved() -> Set<RecordID> {
        defer {
            unsaved = []
            hasUnsavedSettings = false
        }
        return unsaved
    }

    /// Keeps what has changed since it was last kept; where that fails, it is still to be kept.
    package mutating func save(to keeper: RecordStore) throws(HostError) {
        try keeper.save(unsaved, of: store, settings: hasUnsavedSettings)
        _ = takeUnsaved()
    }

    package mutating func takeWishes() -> [Wish] {
        defer { wishes = [] }
        return wishes
    }

    /// Goes on with another program, and keeps what still has a place in it.
    package mutating func replace(_ program: Program) {
        store = store.moved(from: self.program, to: program)
        self.program = program
        diagnostics = program.diagnostics
        known = Set(diagnostics)
        cache = EvaluationCache()
        revision += 1
        unsaved.formUnion(store.records.all.map(\.id))
        // Sources are asked anew by whatever comes next, and nothing is as harmless as the time.
        send(store.screens.isEmpty ? .start : .time)
    }
}
