import Testing

@testable import WidgetHTTPServer

/// Goal: what each event does in each phase of a connection. Method: a table of all pairs, without a socket or a clock.
///
/// A cell holds the phase that is entered, `@` where only the deadline is set anew, the marks gained and lost
/// (r may read, h half-closed, e is ending), and after `!` the action. A point is an event that changes nothing.
@Suite struct `The state of a connection` {
    typealias State = ConnectionState

    struct Row: Sendable, CustomStringConvertible {
        let event: State.Event
        /// The state before: r, h and e are marks, f is enough progress for the least rate.
        let before: String
        let cells: [String]

        init(_ event: State.Event, after before: String = "", _ cells: String) {
            self.event = event
            self.before = before
            self.cells = cells.split(separator: " ").map(String.init)
        }

        var description: String { before.isEmpty ? "\(event)" : "\(event) after \(before)" }
    }

    static let table = [
        // Phases:   closed idle head body paused discarding suspended sending lingering
        Row(.becameReadable, ". +r +r +r +r +r +r +r +r"),
        Row(.peerFinished, ". +r+h +r+h +r+h +r+h +r+h +r+h +r+h +r+h"),
        Row(.inputEmptied, after: "r", ". -r -r -r -r -r -r -r -r"),
        Row(.inputEmptied, after: "rh", ". . . . . . . . ."),
        Row(.inputExhausted, after: "r", ". -r -r -r -r -r -r -r -r"),
        Row(.inputExhausted, after: "rh", ". -r -r -r -r -r -r -r -r"),
        Row(
            .inputEnded, after: "r",
            """
            . -r+h!close -r+h!refuseHead:incomplete -r+h!refuseBody:incomplete -r+h!refuseBody:incomplete \
            -r+h!refuseBody:incomplete -r+h -r+h -r+h!close
            """),
        Row(.broken, ". !abandon !abandon !abandon !abandon !abandon !abandon !abandon +r+h"),
        Row(.failed, ". !abandon !abandon !abandon !abandon !abandon !abandon !abandon !abandon"),

        Row(.headBegan, ". head . . . . . . ."),
        Row(.bodyExpected, ". body body . . . . . ."),
        Row(.bodyPaused, ". . . paused . . . . ."),
        Row(.bodyResumed, ". . . . body!continueReading . . . ."),
        Row(.bodyUnwanted, ". discarding discarding . . . . . ."),

        Row(.answerDeferred, ". suspended suspended suspended suspended suspended . . ."),
        Row(.answerArrived, ". . . !respondEarly !respondEarly . !respond . ."),
        Row(.answerQueued, ". sending sending sending sending sending sending @ ."),
        Row(.outputKept, ". sending sending . . . . . ."),
        Row(.streamWritten, ". . . . . . sending . ."),
        Row(.streamDrained, ". . . . . . . suspended ."),
        Row(.outputDrained, ". . . . . . . !finishExchange ."),
        Row(.answerFinished, ". @ idle idle idle idle idle idle ."),
        Row(
            .answerFinished, after: "e",
            ". @ !finishSending !finishSending !finishSending !finishSending !finishSending !finishSending ."),
        Row(.answerFinishedBeforeBody, ". discarding discarding discarding discarding @ discarding discarding ."),
        Row(
            .answerFinishedBeforeBody, after: "e",
            """
            . discarding !finishSending !finishSending !finishSending !finishSending !finishSending \
            !finishSending .
            """),
        Row(
            .lastAnswerFinished,
            """
            . +e!finishSending +e!finishSending +e!finishSending +e!finishSending +e!finishSending \
            +e!finishSending +e!finishSending .
            """),
        Row(.sendingFinished, ". lingering lingering lingering lingering lingering lingering lingering ."),
        Row(
            .sendingFinished, after: "r",
            """
            . lingering!readLater lingering!readLater lingering!readLater lingering!readLater lingering!readLater \
            lingering!readLater lingering!readLater .
            """),
        Row(.sendingFinished, after: "h", ". !close !close !close !close !close !close !close ."),

        Row(
            .deadlineReached,
            ". !close !refuseHead:tooSlow !refuseBody:tooSlow . !refuseBody:tooSlow . !abandon !close"),
        Row(.deadlineReached, after: "f", ". !close !refuseHead:tooSlow @ . @ . @ !close"),
        Row(.drainBegan, ". !close +e +e +e +e +e +e ."),
        Row(.closed, ". closed closed closed closed closed closed closed closed-e"),
    ]

    @Test(arguments: table)
    func `The state of a connection follows its table`(_ row: Row) throws {
        try #require(row.cells.count == State.Phase.allCases.count, "a cell for each phase")
        for (phase, cell) in zip(State.Phase.allCases, row.cells) {
            var state = Self.state(in: phase)
            Self.prepare(&state, row.before)
            let before = state
            let action = state.on(row.event, at: Self.now, Self.bounds)
            #expect(Self.outcome(before, state, action) == cell, "\(row) in \(phase)")
        }
    }

    @Test func `The table of states has a row for each event`() {
        #expect(Set(Self.table.map(\.event)) == Set(State.Event.allCases))
    }

    @Test(arguments: State.Phase.allCases)
    func `A connection takes input in the phases in which the client may speak`(_ phase: State.Phase) {
        var state = Self.state(in: phase)
        let takesInput = [.idle, .head, .body, .discarding, .lingering].contains(phase)
        #expect(state.takesInput == takesInput)
        #expect(!state.wantsRead)
        _ = state.on(.becameReadable, at: Self.now, Self.bounds)
        #expect(state.wantsRead == takesInput)
    }

    // MARK: Amounts

    @Test func `The rate of a connection is measured anew in every window`() {
        var state = Self.state(in: .body)
        state.countMoved(Int(Self.bounds.leastProgress))
        #expect(state.on(.deadlineReached, at: Self.now, Self.bounds) == .none)
        #expect(state.progress == 0)
        state.countMoved(Int(Self.bounds.leastProgress) - 1)
        #expect(state.on(.deadlineReached, at: Self.now, Self.bounds) == .refuseBody(.tooSlow))
    }

    /// Ends a rate window in which the client has acknowledged all but `count` bytes.
    private static func endWindow(_ state: inout State, _ count: Int) -> State.Action {
        state.countUnacknowledged(count, at: state.deadline, bounds)
        return state.on(.deadlineReached, at: state.deadline, bounds)
    }

    @Test func `Bytes that the client acknowledged count, not those the system took (A2)`() {
        let least = Int(Self.bounds.leastProgress)
        var state = Self.state(in: .sending)
        #expect(state.wantsUnacknowledged(at: Self.now))
        state.countUnacknowledged(50 * least, at: Self.now, Self.bounds)
        #expect(!state.wantsUnacknowledged(at: Self.now) && state.wantsUnacknowledged(at: state.deadline))
        // Nothing could be sent, and the client has read.
        #expect(Self.endWindow(&state, 49 * least) == .none)
        #expect(Self.endWindow(&state, 48 * least) == .none)
        // The client has read one byte less than it must, while much more was sent.
        state.countMoved(10 * least)
        #expect(Self.endWindow(&state, 57 * least + 1) == .abandon)
    }

    @Test func `Bytes acknowledged before pay for five windows, and no more (A2)`() {
        let least = Int(Self.bounds.leastProgress)
        var state = Self.state(in: .sending)
        state.countUnacknowledged(100 * least, at: Self.now, Self.bounds)
        #expect(Self.endWindow(&state, 50 * least) == .none)
        for _ in 0..<5 { #expect(Self.endWindow(&state, 50 * least) == .none) }
        #expect(Self.endWindow(&state, 50 * least) == .abandon)
    }

    @Test func `A connection is not idle while its client still reads the last answer (A2)`() {
        var state = Self.state(in: .idle)
        for count in [300, 200, 100] {
            let end = state.deadline
            #expect(state.wantsUnacknowledged(at: end))
            state.countUnacknowledged(count, at: end, Self.bounds)
            #expect(state.deadline == end + Self.bounds.idle)
        }
        state.countUnacknowledged(100, at: state.deadline, Self.bounds)
        #expect(state.on(.deadlineReached, at: state.deadline, Self.bounds) == .close)
    }

    @Test func `More bytes than the counter of a connection holds count as its maximum`() {
        var state = Self.state(in: .sending)
        for _ in 0..<3 { state.countMoved(Int(UInt32.max) - 1) }
        #expect(state.progress == .max)
    }

    @Test func `A refused client may send exactly the number of bytes to be discarded`() {
        var state = Self.state(in: .lingering)
        #expect(state.countDiscarded(Self.bounds.lingerBytes, Self.bounds) == .none)
        #expect(state.countDiscarded(0, Self.bounds) == .none)
        #expect(state.countDiscarded(1, Self.bounds) == .close)
    }

    @Test func `A connection closes rather than let the count of discarded bytes overflow`() {
        var bounds = Self.bounds
        bounds.lingerBytes = .max
        var state = Self.state(in: .lingering)
        #expect(state.countDiscarded(Int(UInt32.max), bounds) == .none)
        #expect(state.countDiscarded(1, bounds) == .close)
    }

    // MARK: Courses

    @Test func `A kept connection returns to idle with a new deadline after each answer`() {
        var state = State(acceptedAt: 0, Self.bounds)
        for now in [10, 20, 30] as [UInt64] {
            #expect(state.on(.becameReadable, at: now, Self.bounds) == .none)
            #expect(state.on(.inputEmptied, at: now, Self.bounds) == .none)
            #expect(state.on(.answerFinished, at: now, Self.bounds) == .none)
            #expect(state.phase == .idle)
            #expect(state.deadline == now + Self.bounds.idle)
        }
    }

    @Test func `A head has one deadline, however often more of it arrives`() {
        var state = State(acceptedAt: 0, Self.bounds)
        _ = state.on(.headBegan, at: 1, Self.bounds)
        _ = state.on(.headBegan, at: 5, Self.bounds)
        #expect(state.deadline == 1 + Self.bounds.head)
    }

    @Test func `A connection ends after a delayed answer if a drain began meanwhile`() {
        var state = Self.state(in: .suspended)
        _ = state.on(.drainBegan, at: 5, Self.bounds)
        _ = state.on(.answerQueued, at: 6, Self.bounds)
        #expect(state.on(.outputDrained, at: 7, Self.bounds) == .finishExchange)
        #expect(state.on(.answerFinished, at: 8, Self.bounds) == .finishSending)
        #expect(state.on(.sendingFinished, at: 9, Self.bounds) == .none)
        #expect(state.phase == .lingering)
        #expect(state.on(.becameReadable, at: 10, Self.bounds) == .none)
        #expect(state.on(.inputEnded, at: 11, Self.bounds) == .close)
    }

    @Test func `A lingering client gets a short deadline when the server is about to stop`() {
        var state = Self.state(in: .lingering)
        let hurried = ConnectionBounds(ServerLimits(), isDraining: true)
        #expect(hurried.linger < Self.bounds.linger)
        _ = state.on(.drainBegan, at: Self.start + 1, hurried)
        #expect(state.deadline == Self.start + 1 + hurried.linger)
    }

    @Test func `A lingering client keeps the nearer deadline`() {
        var state = Self.state(in: .lingering)
        let hurried = ConnectionBounds(ServerLimits(), isDraining: true)
        let deadline = state.deadline
        _ = state.on(.drainBegan, at: deadline - 1, hurried)
        #expect(state.deadline == deadline)
    }

    // MARK: The method

    private static let start: UInt64 = 1_000
    private static let now: UInt64 = 2_000
    private static let bounds = ConnectionBounds(ServerLimits())

    /// A connection that has come to `phase` at `start`.
    private static func state(in phase: State.Phase) -> State {
        let events: [State.Event]
        switch phase {
        case .closed: events = [.closed]
        case .idle: events = []
        case .head: events = [.headBegan]
        case .body: events = [.bodyExpected]
        case .paused: events = [.bodyExpected, .bodyPaused]
        case .discarding: events = [.bodyUnwanted]
        case .suspended: events = [.answerDeferred]
        case .sending: events = [.answerQueued]
        case .lingering: events = [.lastAnswerFinished, .sendingFinished]
        }
        var state = State(acceptedAt: start, bounds)
        for event in events { _ = state.on(event, at: start, bounds) }
        #expect(state.phase == phase)
        return state
    }

    private static func prepare(_ state: inout State, _ before: String) {
        if before.contains("h") {
            _ = state.on(.peerFinished, at: start, bounds)
            _ = state.on(.inputExhausted, at: start, bounds)
        }
        if before.contains("r") { _ = state.on(.becameReadable, at: start, bounds) }
        if before.contains("e") { _ = state.on(.drainBegan, at: start, bounds) }
        if before.contains("f") { state.countMoved(Int(bounds.leastProgress)) }
    }

    /// The deadline of a phase that is entered at `now`.
    private static func deadline(of phase: State.Phase) -> UInt64 {
        switch phase {
        case .closed, .paused, .suspended: .max
        case .idle: now + bounds.idle
        case .head: now + bounds.head
        case .body, .discarding, .sending: now + bounds.rateWindow
        case .lingering: now + bounds.linger
        }
    }

    private static func outcome(_ before: State, _ after: State, _ action: State.Action) -> String {
        var text = ""
        let hasChanged = before.phase != after.phase
        if hasChanged || before.deadline != after.deadline {
            text += hasChanged ? "\(after.phase)" : "@"
            if after.deadline != deadline(of: after.phase) { text += "?" }
            if [.body, .discarding, .sending, .lingering].contains(after.phase), after.progress != 0 { text += "?" }
        }
        for (letter, mark) in [("r", State.Marks.mayRead), ("h", .halfClosed), ("e", .isEnding)] {
            if after.marks.contains(mark), !before.marks.contains(mark) { text += "+\(letter)" }
            if before.marks.contains(mark), !after.marks.contains(mark) { text += "-\(letter)" }
        }
        return text + name(action) == "" ? "." : text + name(action)
    }

    private static func name(_ action: State.Action) -> String {
        switch action {
        case .none: ""
        case .refuseHead(let shortcoming): "!refuseHead:\(shortcoming)"
        case .refuseBody(let shortcoming): "!refuseBody:\(shortcoming)"
        case .close, .abandon, .respond, .respondEarly, .finishExchange, .finishSending, .continueReading, .readLater:
            "!\(action)"
        }
    }
}
