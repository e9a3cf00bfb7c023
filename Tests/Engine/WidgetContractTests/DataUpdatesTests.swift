import Testing
import WidgetBytes
import WidgetContract

/// Goal: each update of a widget's data ends in exactly one way, in time, however its sources behave. Method: events at
/// moments of a clock that only the test moves.
@Suite struct `Updates of a widget's data` {
    /// The digest of some content.
    private static func content(_ byte: UInt8) -> DataUpdateAnswer { .content(Digest(repeating: byte)) }

    private static func updates(every interval: Double? = nil) -> DataUpdates {
        DataUpdates(DataUpdatePolicy(interval: interval))
    }

    private static let offline = DataUpdateFailure.request("the server is down")

    @Test func `C3: A trigger begins an update, and the answer ends it`() {
        var updates = Self.updates()
        #expect(updates.nextMoment == .infinity && updates.status(at: 0).state == .empty)
        #expect(updates.handle(.trigger(.demand), at: 100) == [.begin(update: 1)])
        #expect(updates.running == 1 && updates.status(at: 101).state == .updating)
        #expect(updates.handle(.answered(update: 1, Self.content(1)), at: 103) == [.end(update: 1, .newData)])
        #expect(updates.running == nil && updates.status(at: 103).state == .fresh)
    }

    @Test func `C4: An update is new data when the content's digest has changed`() {
        var updates = Self.updates()
        for (number, byte) in [(1, 7), (2, 8)] as [(Int, UInt8)] {
            #expect(updates.handle(.trigger(.demand), at: Double(number)) == [.begin(update: number)])
            let end = updates.handle(.answered(update: number, Self.content(byte)), at: Double(number))
            #expect(end == [.end(update: number, .newData)])
            #expect(updates.content?.revision == number && updates.content?.digest == Digest(repeating: byte))
        }
        #expect(updates.counts.newData == 2 && updates.counts.updates == 2)
    }

    @Test(arguments: [Self.content(7), .unchanged])
    func `C5: An update without news ends as no data, and its content is young again`(answer: DataUpdateAnswer) {
        let before = AcceptedContent(digest: Digest(repeating: 7), revision: 4, moment: 100)
        var updates = DataUpdates(DataUpdatePolicy(), content: before)
        #expect(updates.status(at: 160).age == 60)
        _ = updates.handle(.trigger(.demand), at: 160)
        #expect(updates.handle(.answered(update: 1, answer), at: 161) == [.end(update: 1, .noData)])
        let status = updates.status(at: 163)
        #expect(status.age == 2 && status.revision == 4 && status.digest == before.digest && status.state == .fresh)
        #expect(updates.counts.noData == 1)
    }

    @Test func `C6: A failed update has a reason, and the content from before is stale`() {
        let before = AcceptedContent(digest: Digest(repeating: 7), revision: 4, moment: 100)
        var updates = DataUpdates(DataUpdatePolicy(), content: before)
        _ = updates.handle(.trigger(.demand), at: 200)
        let end = updates.handle(.answered(update: 1, .failed(Self.offline)), at: 201)
        #expect(end == [.end(update: 1, .failed(Self.offline))])
        let status = updates.status(at: 202)
        #expect(status.state == .stale && status.failure == Self.offline && status.revision == 4 && status.age == 102)
        #expect(updates.content == before && updates.counts.failed == 1)
        // The next one that succeeds makes it fresh.
        _ = updates.handle(.trigger(.demand), at: 203)
        _ = updates.handle(.answered(update: 2, .unchanged), at: 203)
        #expect(updates.status(at: 203).state == .fresh && updates.status(at: 203).failure == nil)
    }

    @Test func `U1: An update whose source never answers fails at its deadline`() {
        var updates = Self.updates()
        _ = updates.handle(.trigger(.demand), at: 50)
        #expect(updates.nextMoment == 60)
        #expect(updates.handle(.time, at: 59.9) == [])
        let end = updates.handle(.time, at: 60)
        #expect(end == [.abandon(update: 1), .end(update: 1, .failed(.timeout(seconds: 10)))])
        // The answer that comes after it changes nothing.
        #expect(updates.handle(.answered(update: 1, Self.content(1)), at: 61) == [])
        #expect(updates.content == nil && updates.counts.late == 1 && updates.counts.timeouts == 1)
        #expect(updates.counts.failed == 1 && updates.counts.updates == 1)
        #expect("\(DataUpdateFailure.timeout(seconds: 10))".hasPrefix("the update did not end within 10 seconds"))
    }

    @Test func `An answer at the moment of the deadline is late`() {
        var updates = Self.updates()
        _ = updates.handle(.trigger(.demand), at: 0)
        let decisions = updates.handle(.answered(update: 1, Self.content(1)), at: 10)
        #expect(decisions == [.abandon(update: 1), .end(update: 1, .failed(.timeout(seconds: 10)))])
        #expect(updates.counts.late == 1 && updates.content == nil)
    }

    @Test func `A trigger during an update joins it`() {
        var updates = Self.updates()
        _ = updates.handle(.trigger(.demand), at: 0)
        #expect(updates.handle(.trigger(.push), at: 1) == [.join(update: 1)])
        #expect(updates.handle(.trigger(.demand), at: 2) == [.join(update: 1)])
        _ = updates.handle(.answered(update: 1, Self.content(1)), at: 3)
        #expect(updates.counts.joined == 2 && updates.counts.updates == 1)
        #expect(updates.handle(.trigger(.demand), at: 4) == [.begin(update: 2)])
    }

    @Test func `U6: Updates keep an interval, with a part of it by chance`() {
        var updates = Self.updates(every: 600)
        _ = updates.handle(.trigger(.demand), at: 1_000)
        _ = updates.handle(.answered(update: 1, Self.content(1)), at: 1_002)
        #expect(1_602...1_662 ~= updates.nextMoment)
        let due = updates.nextMoment
        #expect(updates.status(at: 1_102).untilNext == due - 1_102 && updates.status(at: 1_102).age == 100)
        #expect(updates.handle(.time, at: due - 0.1) == [])
        #expect(updates.handle(.time, at: due) == [.begin(update: 2)])
        let spread = (0..<40).map { seed in
            var other = DataUpdates(DataUpdatePolicy(interval: 600), seed: UInt64(seed))
            _ = other.handle(.trigger(.demand), at: 0)
            _ = other.handle(.answered(update: 1, .unchanged), at: 0)
            return other.nextMoment
        }
        #expect(Set(spread).count == 40 && spread.allSatisfy { 600...660 ~= $0 })
        #expect((spread.max() ?? 0) - (spread.min() ?? 0) > 30)
    }

    @Test func `Failures in a row make the pauses grow, to a limit, and a success ends that`() {
        var updates = Self.updates(every: 60)
        _ = updates.handle(.trigger(.demand), at: 0)
        var (now, pauses) = (0.0, [Double]())
        for number in 1...14 {
            _ = updates.handle(.answered(update: number, .failed(Self.offline)), at: now)
            #expect(updates.failureCount == number)
            pauses.append(updates.nextMoment - now)
            now = updates.nextMoment
            #expect(updates.handle(.time, at: now) == [.begin(update: number + 1)])
        }
        for (place, pause) in pauses.enumerated() {
            let whole = min(15 * Double(1 << place), 3_600)
            #expect(max(15, whole / 2)...whole ~= pause, "the pause \(place) is \(pause)")
        }
        _ = updates.handle(.answered(update: 15, Self.content(1)), at: now)
        #expect(updates.failureCount == 0 && 60...66 ~= updates.nextMoment - now)
    }

    @Test func `A server that asks to wait is obeyed, within a limit`() {
        for (asked, least, most) in [(500.0, 500.0, 500.0), (1e12, 86_400, 86_400), (-5, 15, 15), (.nan, 15, 15)] {
            var updates = Self.updates(every: 60)
            _ = updates.handle(.trigger(.demand), at: 0)
            _ = updates.handle(.answered(update: 1, .failed(Self.offline, retryAfter: asked)), at: 0)
            #expect(least...most ~= updates.nextMoment, "\(asked)")
        }
    }

    @Test func `A notification waits for the end of a pause, and a person does not`() {
        var updates = Self.updates()
        _ = updates.handle(.trigger(.push), at: 0)
        _ = updates.handle(.answered(update: 1, .failed(Self.offline)), at: 0)
        guard case .postpone(let end)? = updates.handle(.trigger(.push), at: 1).first else {
            Issue.record("it must be postponed")
            return
        }
        #expect(7.5...15 ~= end && updates.nextMoment == end)
        #expect(updates.handle(.trigger(.push), at: 2) == [.postpone(until: end)])
        var impatient = updates
        #expect(impatient.handle(.trigger(.demand), at: 3) == [.begin(update: 2)])
        #expect(updates.handle(.time, at: end) == [.begin(update: 2)])
        _ = updates.handle(.answered(update: 2, .unchanged), at: end)
        #expect(updates.handle(.trigger(.push), at: end + 0.5) == [.postpone(until: end + 1)])
    }

    @Test func `A widget without an interval is updated by nothing but triggers`() {
        var updates = Self.updates()
        _ = updates.handle(.trigger(.demand), at: 0)
        _ = updates.handle(.answered(update: 1, .failed(Self.offline)), at: 0)
        #expect(updates.nextMoment == .infinity && updates.handle(.time, at: 1e9) == [])
    }

    @Test func `A clock that is set back or jumps ahead causes one update at most`() {
        var updates = Self.updates(every: 60)
        _ = updates.handle(.trigger(.demand), at: 1_000_000)
        _ = updates.handle(.answered(update: 1, Self.content(1)), at: 10)
        #expect(updates.nextMoment >= 1_000_060)
        #expect(updates.handle(.time, at: -5) == [] && updates.status(at: 10).age == 0)
        #expect(updates.handle(.time, at: 9e9) == [.begin(update: 2)])
        #expect(updates.handle(.time, at: .nan) == [])
    }

    @Test func `A closed widget ends its update, and begins no other`() {
        var updates = Self.updates(every: 60)
        _ = updates.handle(.trigger(.demand), at: 0)
        let end = updates.handle(.close, at: 1)
        #expect(end == [.abandon(update: 1), .end(update: 1, .failed(.closed))])
        #expect(updates.handle(.trigger(.demand), at: 2) == [.refuse])
        #expect(updates.handle(.close, at: 3) == [] && updates.nextMoment == .infinity)
        #expect(updates.handle(.time, at: 1e9) == [])
    }

    @Test(arguments: [-1.0, 0, .nan, .infinity, 1e300])
    func `A policy from outside is moved into its limits`(number: Double) {
        let policy = DataUpdatePolicy(interval: number, deadline: number)
        #expect(policy.interval.map { DataUpdatePolicy.intervals.contains($0) } ?? !number.isFinite)
        #expect(DataUpdatePolicy.deadlines.contains(policy.deadline))
    }

    /// Ten thousand events of each seed, in any order and at any moment.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `Each update that begins ends once, before the next begins and within its deadline`(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        var updates = DataUpdates(DataUpdatePolicy(interval: seed.isMultiple(of: 2) ? 30 : nil), seed: seed)
        var (now, open, ended, begun) = (0.0, nil as (Int, Double)?, 0, 0)
        for _ in 0..<10_000 {
            now += Double(random.below(400)) / 100
            let event: DataUpdates.Event =
                switch random.below(6) {
                case 0: .trigger(.demand)
                case 1: .trigger(.push)
                case 2: .answered(update: max(1, begun - Int(random.below(2))), Self.content(UInt8(random.below(3))))
                case 3: .answered(update: begun, .failed(Self.offline, retryAfter: Double(random.below(100))))
                default: .time
                }
            for decision in updates.handle(event, at: now) {
                switch decision {
                case .begin(let number):
                    #expect(open == nil && number == begun + 1)
                    (open, begun) = ((number, now), number)
                case .end(let number, let result):
                    #expect(open?.0 == number)
                    if let since = open?.1, now - since >= 10 {
                        #expect(result == .failed(.timeout(seconds: 10)), "after \(now - since) s")
                    }
                    (open, ended) = (nil, ended + 1)
                case .join(let number), .abandon(let number): #expect(open?.0 == number)
                case .postpone(let moment): #expect(open == nil && moment > now)
                case .refuse: Issue.record("the widget is not closed")
                }
            }
            // Its owner would wake at once, again and again.
            #expect(updates.nextMoment > now)
        }
        #expect(begun > 100 && ended == begun - (open == nil ? 0 : 1) && updates.counts.updates == ended)
    }
}

/// Numbers that follow from a seed, so that a failure can be repeated.
struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 2 &+ 1 }

    mutating func below(_ limit: UInt64) -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) % limit
    }
}
