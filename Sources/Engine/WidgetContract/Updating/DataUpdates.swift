/// The updates of one widget's data: events in, decisions out.
///
/// It has no clock, no timer and no chance: its owner says when each event happens, carries out the decisions, and asks
/// again at ``nextMoment``. Equal events give equal decisions.
package struct DataUpdates: Sendable {
    package enum Event: Equatable, Sendable {
        case trigger(DataUpdateTrigger)
        /// The sources of an update have answered.
        case answered(update: Int, DataUpdateAnswer)
        /// Time has passed.
        case time
        /// The widget is closed: nothing happens after it.
        case close
    }

    package enum Decision: Equatable, Sendable {
        /// Ask the widget's sources. Their answer carries the number.
        case begin(update: Int)
        /// The trigger shares the result of the update that is running.
        case join(update: Int)
        /// The trigger is carried out at that moment, with all others until then.
        case postpone(until: Double)
        /// Stop asking: the update is over.
        case abandon(update: Int)
        /// The update is over. Exactly one for each that began.
        case end(update: Int, DataUpdateResult)
        /// The widget is closed, and the trigger has no effect.
        case refuse
    }

    private enum Phase {
        case idle
        case running(update: Int, since: Double)
        case closed
    }

    /// Another one counts from the end of the next update.
    package var policy: DataUpdatePolicy
    package private(set) var counts = DataUpdateCounts()
    /// `nil` until an update has brought content, now or in an earlier run.
    package private(set) var content: AcceptedContent?
    /// The reason why the last update failed; `nil` after one that did not.
    package private(set) var failure: DataUpdateFailure?
    /// The failures in a row.
    package private(set) var failureCount = 0
    private var phase = Phase.idle
    private var lastNumber = 0
    /// The latest moment that an event has named. A clock that is set back does not move the schedule.
    private var now = -Double.infinity
    /// The next update by the schedule, or a postponed one.
    private var due = Double.infinity
    /// Updates that no person asks for do not begin before it.
    private var pauseEnd = -Double.infinity
    private var chance: ChanceSequence

    /// - Parameters:
    ///   - content: the content that an earlier run has kept.
    ///   - seed: of the chance in pauses; equal seeds give equal ones.
    package init(_ policy: DataUpdatePolicy, content: AcceptedContent? = nil, seed: UInt64 = 0) {
        self.policy = policy
        self.content = content
        chance = ChanceSequence(seed: seed)
    }

    /// The moment at which ``Event/time`` is due; infinite if nothing waits for one.
    package var nextMoment: Double {
        switch phase {
        case .idle: max(due, pauseEnd)
        case .running(_, let since): since + policy.deadline
        case .closed: .infinity
        }
    }

    /// The number of the update that is running.
    package var running: Int? {
        if case .running(let update, _) = phase { update } else { nil }
    }

    package mutating func handle(_ event: Event, at moment: Double) -> [Decision] {
        if moment.isFinite { now = max(now, moment) }
        // Deadlines pass first: an answer that comes with the deadline's moment is late.
        let passed = passTime()
        switch event {
        case .time: return passed
        case .trigger(let trigger): return passed + take(trigger)
        case .answered(let update, let answer): return passed + take(answer, of: update)
        case .close: return passed + close()
        }
    }

    // MARK: - Events

    private mutating func passTime() -> [Decision] {
        var decisions: [Decision] = []
        if case .running(let update, let since) = phase, now >= since + policy.deadline {
            counts.timeouts += 1
            decisions.append(.abandon(update: update))
            decisions.append(end(update, .failed(.timeout(seconds: policy.deadline)), retryAfter: nil))
        }
        if case .idle = phase, now >= max(due, pauseEnd), due.isFinite { decisions.append(begin()) }
        return decisions
    }

    private mutating func take(_ trigger: DataUpdateTrigger) -> [Decision] {
        switch phase {
        case .closed: return [.refuse]
        case .running(let update, _):
            counts.joined += 1
            return [.join(update: update)]
        case .idle:
            switch trigger {
            case .demand: return [begin()]
            case .push:
                guard now < pauseEnd else { return [begin()] }
                due = pauseEnd
                return [.postpone(until: pauseEnd)]
            }
        }
    }

    private mutating func take(_ answer: DataUpdateAnswer, of update: Int) -> [Decision] {
        guard running == update else {
            counts.late += 1
            return []
        }
        switch answer {
        case .failed(let failure, let retryAfter): return [end(update, .failed(failure), retryAfter: retryAfter)]
        case .unchanged:
            content?.moment = now
            return [end(update, .noData, retryAfter: nil)]
        case .content(let digest):
            let isNew = content?.digest != digest
            let revision = (content?.revision ?? 0) + (isNew ? 1 : 0)
            content = AcceptedContent(digest: digest, revision: revision, moment: now)
            return [end(update, isNew ? .newData : .noData, retryAfter: nil)]
        }
    }

    private mutating func close() -> [Decision] {
        defer { phase = .closed }
        guard case .running(let update, _) = phase else { return [] }
        return [.abandon(update: update), end(update, .failed(.closed), retryAfter: nil)]
    }

    // MARK: - Beginning and end

    private mutating func begin() -> Decision {
        lastNumber += 1
        phase = .running(update: lastNumber, since: now)
        due = .infinity
        return .begin(update: lastNumber)
    }

    private mutating func end(_ update: Int, _ result: DataUpdateResult, retryAfter: Double?) -> Decision {
        phase = .idle
        switch result {
        case .newData: counts.newData += 1
        case .noData: counts.noData += 1
        case .failed: counts.failed += 1
        }
        if case .failed(let reason) = result {
            failure = reason
            failureCount += 1
            pauseEnd = now + policy.backOff(after: failureCount, chance: chance.next(), asked: retryAfter)
            if policy.interval != nil { due = pauseEnd }
        } else {
            failure = nil
            failureCount = 0
            pauseEnd = now + policy.leastPause
            if let interval = policy.interval { due = now + interval * (1 + policy.jitter * chance.next()) }
        }
        return .end(update: update, result)
    }
}

/// A sequence of numbers from 0 to 1 that looks like chance and follows from its seed (SplitMix64).
struct ChanceSequence: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
        return Double((word ^ word >> 31) >> 11) * 0x1p-53
    }
}
