/// The state of one connection: its place in the course of a request, what its client may still do, and its deadline.
///
/// A value without socket, clock, descriptor or buffer. The loop reports each event with the time, and carries out the
/// action the event is answered with. Phases, marks and deadlines change nowhere else. An event that cannot occur in
/// a phase changes nothing.
struct ConnectionState: Equatable {
    enum Phase: UInt8, CaseIterable {
        /// The slot has no connection.
        case closed
        /// Between requests.
        case idle
        /// Part of a head has arrived.
        case head
        /// A wanted body is arriving.
        case body
        /// The sink of a body has asked for a pause, and the client is not read from.
        case paused
        /// An unwanted body is arriving and is discarded.
        case discarding
        /// A responder will give the answer, or the source of a stream has nothing to send.
        case suspended
        /// An answer is on its way and the client's window is full.
        case sending
        /// Everything has been sent. Bytes that still arrive are discarded until the client stops.
        case lingering
    }

    enum Event: CaseIterable {
        // Reported by the channel.

        /// Bytes have arrived.
        case becameReadable
        /// The client will send no more; bytes before its end may still wait to be read.
        case peerFinished
        /// A read has taken all there was.
        case inputEmptied
        /// A read would block.
        case inputExhausted
        /// The end of the client's bytes has been read.
        case inputEnded
        /// Both directions are shut.
        case broken
        /// The channel could not move bytes.
        case failed

        // Found in the request.

        /// A head has begun and is not whole.
        case headBegan
        /// The route wants the body.
        case bodyExpected
        case bodyPaused
        case bodyResumed
        /// The answer is held back until a body that no route wants has been discarded.
        case bodyUnwanted

        // Done for the answer.

        /// A responder will answer.
        case answerDeferred
        /// A responder answers.
        case answerArrived
        /// The whole answer is known, and part of it waits for the client.
        case answerQueued
        /// Answers that are already finished wait for the client.
        case outputKept
        /// A stream has something to send.
        case streamWritten
        /// All that a stream had to send has been sent.
        case streamDrained
        /// All that was queued has been sent.
        case outputDrained
        /// The exchange is over, and another may follow.
        case answerFinished
        /// The answer is given, and part of the request's body has not been read.
        case answerFinishedBeforeBody
        /// The exchange is over, and it is the connection's last.
        case lastAnswerFinished
        /// The sending direction has been ended.
        case sendingFinished

        // Decided by the loop.

        case deadlineReached
        /// The server is about to stop.
        case drainBegan
        case closed
    }

    /// The loop's next step after an event.
    enum Action: Equatable {
        /// Nothing to do; for an answer that arrived: its request is gone.
        case none
        case close
        /// Stop everything under way, count the exchange as aborted, and close.
        case abandon
        case refuseHead(Shortcoming)
        case refuseBody(Shortcoming)
        /// Give the answer that has arrived.
        case respond
        /// Give the answer that has arrived, and the connection ends: the rest of the body is not read.
        case respondEarly
        /// The answer on its way has been sent: finish its exchange.
        case finishExchange
        /// Send what is left, then end the sending direction.
        case finishSending
        case continueReading
        /// Continue reading once other connections have had their turn.
        case readLater
    }

    enum Shortcoming { case tooSlow, incomplete }

    struct Marks: OptionSet {
        let rawValue: UInt8
        /// Readiness was reported that has not been used up by reading.
        static let mayRead = Marks(rawValue: 1)
        /// The client will send no more.
        static let halfClosed = Marks(rawValue: 2)
        /// The connection ends with the present exchange.
        static let isEnding = Marks(rawValue: 4)
    }

    private static let unknown = UInt32.max

    private(set) var phase: Phase = .closed
    private(set) var marks: Marks = []
    /// Bytes moved in the present rate window, or discarded while lingering.
    private(set) var progress: UInt32 = 0
    /// Sent bytes that the client had not acknowledged when this was asked last; `unknown` before.
    private(set) var unacknowledged: UInt32 = ConnectionState.unknown
    /// Acknowledged bytes that pay for windows to come, in which the client may acknowledge nothing.
    private(set) var credit: UInt32 = 0
    /// The tick at which `deadlineReached` is due.
    private(set) var deadline: UInt64 = .max

    /// A connection that does not exist.
    init() {}

    /// A connection just accepted.
    init(acceptedAt now: UInt64, _ bounds: ConnectionBounds) {
        phase = .idle
        deadline = now &+ bounds.idle
    }

    /// True if bytes that arrive can be used now.
    var takesInput: Bool {
        switch phase {
        case .idle, .head, .body, .discarding, .lingering: true
        case .closed, .paused, .suspended, .sending: false
        }
    }

    /// True if reading from the channel is due.
    var wantsRead: Bool { marks.contains(.mayRead) && takesInput }

    /// True if kept input can be used when an answer is over.
    var isReady: Bool { phase == .idle || phase == .discarding }

    var isEnding: Bool { marks.contains(.isEnding) }

    // MARK: Amounts

    /// Counts bytes against the least rate. The count stops at its end: past it, any client is fast enough.
    mutating func countMoved(_ count: Int) {
        let (sum, didOverflow) = progress.addingReportingOverflow(UInt32(truncatingIfNeeded: count))
        progress = didOverflow ? .max : sum
    }

    /// Counts bytes discarded while lingering, up to the most a refused client may still send.
    mutating func countDiscarded(_ count: Int, _ bounds: ConnectionBounds) -> Action {
        let (sum, didOverflow) = progress.addingReportingOverflow(UInt32(truncatingIfNeeded: count))
        guard !didOverflow, Int(sum) <= bounds.lingerBytes else { return .close }
        progress = sum
        return .none
    }

    /// True if the client's acknowledgements are to be counted at `now`: once when sending has begun, and before a
    /// deadline that is about reading.
    func wantsUnacknowledged(at now: UInt64) -> Bool {
        switch phase {
        case .sending: unacknowledged == ConnectionState.unknown || deadline <= now
        case .idle: deadline <= now
        case .closed, .head, .body, .paused, .discarding, .suspended, .lingering: false
        }
    }

    /// Counts what the client has acknowledged: what was sent counts as read only then, for the system takes megabytes
    /// at once and is full for as long as a slow client needs to read a third of them.
    mutating func countUnacknowledged(_ count: Int, at now: UInt64, _ bounds: ConnectionBounds) {
        let count = UInt32(clamping: min(count, Int(ConnectionState.unknown) - 1))
        let before = unacknowledged
        unacknowledged = count
        if phase == .idle {
            // The answers before have been sent, and their client still reads them.
            if count > 0, count < before { deadline = now &+ bounds.idle }
            return
        }
        let sent = before == ConnectionState.unknown ? UInt64(progress) : UInt64(progress) + UInt64(before)
        progress = UInt32(clamping: sent < UInt64(count) ? 0 : sent - UInt64(count))
    }

    // MARK: Events

    /// Changes the state by an event at `now`.
    mutating func on(_ event: Event, at now: UInt64, _ bounds: ConnectionBounds) -> Action {
        guard phase != .closed else { return .none }
        switch event {
        case .becameReadable: marks.insert(.mayRead)
        case .peerFinished: marks.formUnion([.mayRead, .halfClosed])
        // The end of the client's bytes waits behind the last of them.
        case .inputEmptied: if !marks.contains(.halfClosed) { marks.remove(.mayRead) }
        case .inputExhausted: marks.remove(.mayRead)
        case .inputEnded: return inputEnded()
        case .broken: return broken()
        case .failed: return .abandon
        case .headBegan: if phase == .idle { enter(.head, until: now &+ bounds.head) }
        case .bodyExpected: if isBetweenExchanges { enterAtRate(.body, now, bounds) }
        case .bodyPaused: if phase == .body { enter(.paused, until: .max) }
        case .bodyResumed: return bodyResumed(now, bounds)
        case .bodyUnwanted: if isBetweenExchanges { enterAtRate(.discarding, now, bounds) }
        case .answerDeferred: if isAnswering, phase != .sending { enter(.suspended, until: .max) }
        case .answerArrived: return answerArrived()
        case .answerQueued: if isAnswering { enterAtRate(.sending, now, bounds) }
        case .outputKept: if isBetweenExchanges { enterAtRate(.sending, now, bounds) }
        case .streamWritten: if phase == .suspended { enterAtRate(.sending, now, bounds) }
        case .streamDrained: if phase == .sending { enter(.suspended, until: .max) }
        case .outputDrained: if phase == .sending { return .finishExchange }
        case .answerFinished, .answerFinishedBeforeBody, .lastAnswerFinished: return exchangeEnded(event, now, bounds)
        case .sendingFinished: return sendingFinished(now, bounds)
        case .deadlineReached: return deadlineReached(now, bounds)
        case .drainBegan: return drainBegan(now, bounds)
        case .closed: self = ConnectionState()
        }
        return .none
    }

    /// True if no request is being waited for or answered, according to the events so far.
    private var isBetweenExchanges: Bool { phase == .idle || phase == .head }

    /// True if an answer can still be given.
    private var isAnswering: Bool { phase != .lingering && phase != .closed }

    private mutating func enter(_ next: Phase, until end: UInt64) {
        phase = next
        deadline = end
    }

    /// Enters a phase in which bytes have to move at the least rate.
    private mutating func enterAtRate(_ next: Phase, _ now: UInt64, _ bounds: ConnectionBounds) {
        progress = 0
        unacknowledged = ConnectionState.unknown
        credit = 0
        enter(next, until: now &+ bounds.rateWindow)
    }

    private mutating func inputEnded() -> Action {
        marks.remove(.mayRead)
        marks.insert(.halfClosed)
        switch phase {
        case .head: return .refuseHead(.incomplete)
        case .body, .paused, .discarding: return .refuseBody(.incomplete)
        case .idle, .lingering: return .close
        case .closed, .suspended, .sending: return .none
        }
    }

    private mutating func broken() -> Action {
        // Nothing that is sent would arrive.
        guard phase == .lingering else { return .abandon }
        // Both sides have said everything. Unread bytes are read before the end: closing over them would send a reset,
        // which can destroy the answer.
        marks.formUnion([.mayRead, .halfClosed])
        return .none
    }

    private mutating func bodyResumed(_ now: UInt64, _ bounds: ConnectionBounds) -> Action {
        guard phase == .paused else { return .none }
        enterAtRate(.body, now, bounds)
        return .continueReading
    }

    private func answerArrived() -> Action {
        switch phase {
        case .suspended: .respond
        case .body, .paused: .respondEarly
        case .closed, .idle, .head, .discarding, .sending, .lingering: .none
        }
    }

    private mutating func exchangeEnded(_ event: Event, _ now: UInt64, _ bounds: ConnectionBounds) -> Action {
        guard isAnswering else { return .none }
        if event == .lastAnswerFinished { marks.insert(.isEnding) }
        if marks.contains(.isEnding) { return .finishSending }
        if event == .answerFinished {
            unacknowledged = ConnectionState.unknown
            enter(.idle, until: now &+ bounds.idle)
        } else {
            enterAtRate(.discarding, now, bounds)
        }
        return .none
    }

    private mutating func sendingFinished(_ now: UInt64, _ bounds: ConnectionBounds) -> Action {
        guard phase != .lingering else { return .none }
        guard marks.contains(.mayRead) || !marks.contains(.halfClosed) else { return .close }
        progress = 0
        enter(.lingering, until: now &+ bounds.linger)
        // Bytes that have arrived already are not reported a second time.
        return marks.contains(.mayRead) ? .readLater : .none
    }

    private mutating func deadlineReached(_ now: UInt64, _ bounds: ConnectionBounds) -> Action {
        switch phase {
        // The client cannot send while it is not read from.
        case .closed, .paused, .suspended: deadline = .max
        case .idle, .lingering: return .close
        case .head: return .refuseHead(.tooSlow)
        case .body, .discarding:
            guard Double(progress) >= bounds.leastProgress else { return .refuseBody(.tooSlow) }
            enterAtRate(phase, now, bounds)
        case .sending:
            let paid = Double(progress) + Double(credit) - bounds.leastProgress
            guard paid >= 0 else { return .abandon }
            credit = UInt32(min(paid, bounds.mostCredit))
            progress = 0
            enter(.sending, until: now &+ bounds.rateWindow)
        }
        return .none
    }

    private mutating func drainBegan(_ now: UInt64, _ bounds: ConnectionBounds) -> Action {
        if phase == .idle { return .close }
        marks.insert(.isEnding)
        if phase == .lingering { deadline = min(deadline, now &+ bounds.linger) }
        return .none
    }
}

/// The times, in ticks of the loop's clock, and amounts a connection is held to.
struct ConnectionBounds: Equatable {
    /// Receivers acknowledge in steps, a sixteenth of their buffer at least: at the least rate, a step takes several
    /// windows. So many are paid for in advance by bytes acknowledged before.
    private static let windowsInAdvance = 5.0
    /// The time a client gets to read its answer from a server that is about to stop.
    private static let drainLinger: Duration = .seconds(2)

    var idle: UInt64
    var head: UInt64
    var linger: UInt64
    var rateWindow: UInt64
    /// The least number of bytes that move in a rate window.
    var leastProgress: Double
    /// The most bytes that pay for later windows.
    var mostCredit: Double
    var lingerBytes: Int

    init(_ limits: ServerLimits, isDraining: Bool = false) {
        idle = limits.idleTimeout.nanoseconds
        head = limits.headTimeout.nanoseconds
        linger = (isDraining ? ConnectionBounds.drainLinger : limits.lingerTimeout).nanoseconds
        rateWindow = limits.rateWindow.nanoseconds
        leastProgress = Double(limits.bodyRate) * (Double(rateWindow) / 1_000_000_000)
        mostCredit = min(leastProgress * ConnectionBounds.windowsInAdvance, Double(UInt32.max - 1))
        lingerBytes = limits.lingerBytes
    }
}
