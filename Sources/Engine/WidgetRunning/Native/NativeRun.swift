internal import JSONText
internal import WidgetContract
internal import WidgetCore
internal import WidgetPredicates

/// The code behind a native widget during a run, and what it knows of the widget.
struct NativeRun: Sendable {
    /// The states of an open screen as the code knows them.
    struct KnownScreen: Sendable {
        var states: [String: Value] = [:]
    }

    /// The most turns because of one event: a closure that runs because of a state may change that state again.
    static let roundLimit = 100
    /// The steps that one turn counts as.
    static let turnCost = 10
    /// The failures in a row after which the code is not asked again.
    static let failureLimit = 3

    var program: NativeProgram
    /// Calls for the next turn.
    var calls: [HandlerCall] = []
    /// Calls for the first turn, by which the code looks at answers of stubs.
    private var answers: [NativeCall]
    /// True if the present turn has no other cause than screens that have opened.
    private(set) var isOpening = false
    /// The numbers of the screens at the last turn, the lowest first.
    var screens: [Int] = []
    var known: [Int: KnownScreen] = [:]
    private(set) var turn = 0
    /// The highest number of a screen that the code knows.
    private(set) var highestScreen = 0
    /// The failures since the last answer.
    private(set) var failures = 0
    /// The failure after which the code is not asked again.
    private(set) var end: NativeFailure?

    /// - Parameter read: the program that was read from the documents.
    init(_ program: NativeProgram, _ read: Program) {
        self.program = program
        answers = NativeAnswers.calls(for: read)
    }

    /// The next question; `nil` if nothing has happened that concerns the code.
    ///
    /// - Parameter isAsked: true if the code has asked for it.
    func next(
        _ store: Store, in program: Program, isAsked: Bool = false
    ) -> (turn: NativeTurn, known: [Int: KnownScreen])? {
        var screens: [NativeTurn.Screen] = []
        var known: [Int: KnownScreen] = [:]
        var isNews = isAsked || !calls.isEmpty
        for screen in store.screens {
            let before = self.known[screen.number]
            var now = KnownScreen()
            var changed: [NativeNamedValue] = []
            for (name, initial) in program.scenes[screen.scene]?.states ?? [:] {
                let value = screen.states[name] ?? initial
                now.states[name] = value
                // Values that have not changed have the storage from before: they are not traversed.
                if let last = before?.states[name], last.isIdentical(to: value) { continue }
                changed.append(NativeNamedValue(name, NativeValues.json(value)))
            }
            if before == nil || !changed.isEmpty { isNews = true }
            known[screen.number] = now
            changed.sort { $0.name < $1.name }
            screens.append(
                NativeTurn.Screen(
                    screen.number, scene: screen.scene,
                    content: before == nil ? NativeValues.json(screen.content.data) : nil, changed: changed))
        }
        let numbers = screens.map { $0.number }
        guard isNews || numbers != self.screens else { return nil }
        let calls = self.calls.map { call in
            NativeCall(
                call.handler, screen: call.screen, argument: NativeValues.json(call.argument),
                items: call.items.map { NativeNamedValue($0.name, NativeValues.json($0.value)) })
        }
        return (NativeTurn(turn + 1, screens: screens, calls: answers + calls), known)
    }

    /// Takes note that a turn was asked.
    mutating func asked(_ turn: NativeTurn) {
        self.turn = turn.number
        isOpening = !calls.isEmpty && calls.allSatisfy { $0.isOpening }
        for screen in turn.screens { highestScreen = max(highestScreen, screen.number) }
    }

    /// Takes note of an answer.
    mutating func answered(_ turn: NativeTurn, knowing known: [Int: KnownScreen]) {
        self.known = known
        screens = turn.screens.map { $0.number }
        (calls, answers) = ([], [])
        failures = 0
    }

    /// Takes note that there was no answer. The states are said again with the next turn; calls are lost.
    mutating func failed(_ failure: NativeFailure) {
        (calls, answers) = ([], [])
        failures += 1
        if failure.isFinal || failures >= NativeRun.failureLimit { end = failure }
    }

    /// Begins again with the first turn.
    mutating func forget() {
        (known, screens, calls) = ([:], [], [])
    }
}
