package import RegistryContract
internal import WidgetAddresses
internal import WidgetBytes
package import WidgetHTTPServer
package import WidgetLogging
package import WidgetRegistry
package import WidgetSurroundings

/// The operator's rules for outcomes that hosts send; read anew for every request, so that a reload shows.
package struct OutcomePolicy: Equatable, Sendable {
    package var accepts = OutcomeAcceptance.off
    /// The most outcomes that are counted in a minute: of one address, of one release, and of all. Each replica counts for
    /// itself.
    package var perAddress = 600
    package var perRelease = 60_000
    package var inAll = 300_000

    package init() {}
}

/// Takes outcomes of hosts, and adds them to the counts once a second.
///
/// A request waits for nothing: its outcomes are in memory when it is answered, and those of the last second are lost if the
/// process is killed. Nothing is added twice: what a catalog has perhaps stored is not sent to it again, so that counts stay
/// lower bounds.
package final class OutcomeDesk: Sendable {
    /// The end of an outcome, for the metrics.
    enum Fate: String, CaseIterable {
        case counted
        /// Not in the words of this version.
        case unread
        /// About a release that is not here, or was never on that channel.
        case unknown
        case overAddress = "over-address"
        case overRelease = "over-release"
        case overAll = "over-all"
        /// The catalog could not take it.
        case lost
    }

    private struct State {
        var waiting = WaitingOutcomes()
        /// The rest that the catalog could not take yet.
        var left = OutcomeTally()
        var fates: [Fate: Int64] = [:]
        var all = MinuteAllowance()
        /// Of places that were not found before.
        var strangers = MinuteAllowance()
        var releases: [Int64: MinuteAllowance] = [:]
        var alarm: Alarm?
        var isFailing = false

        mutating func note(_ fate: Fate, _ count: Int64) {
            if count > 0 { fates[fate, default: 0] += count }
        }

        /// Has an outcome wait, within the allowance of all, of which those of places that were not found before get half.
        mutating func take(_ one: SentOutcome, from address: IPAddress, _ limit: Int, _ now: ContinuousClock.Instant) {
            switch waiting.admission(of: one, from: address) {
            case .admitted: break
            case .overAddress: return note(.overAddress, 1)
            case .full: return note(.overAll, 1)
            }
            // What finds no room takes nothing from the others.
            guard waiting.knows(one) || strangers.take(1, of: max(1, limit / 2), now) == 1,
                all.take(1, of: limit, now) == 1
            else { return note(.overAll, 1) }
            waiting.add(one, from: address)
        }
    }

    /// Rows that wait for the catalog, and releases whose allowance is remembered.
    private static let mostWaiting = 20_000
    /// Places that are looked up in a round, each with three questions at most.
    private static let mostStrangers = OutcomePlaces.mostQuestions / 3
    /// The rounds in which all that waits is looked up, and some more, and the time that they have at the end.
    private static let mostRounds = 100
    private static let mostTime = Duration.seconds(1)
    private static let pause = Duration.seconds(1)
    private static let pauseAfterFailure = Duration.seconds(5)

    let registry: Registry
    private let policy: @Sendable () -> OutcomePolicy
    private let clock: any Clock
    private let queue: any ThreadQueue
    private let logger: Logger?
    private let addresses: RateLimiter
    private let state = Guarded(State())
    /// Held while outcomes are added, so that the end waits for them.
    private let adding = Guarded(OutcomePlaces())

    package init(
        _ registry: Registry, logger: Logger? = nil, in world: World = .machine,
        policy: @escaping @Sendable () -> OutcomePolicy = { OutcomePolicy() }
    ) {
        self.registry = registry
        self.policy = policy
        self.logger = logger
        clock = world.clock
        queue = world.threads.queue("widgetd.outcomes")
        addresses = RateLimiter(clock: world.clock)
    }

    var accepts: OutcomeAcceptance { policy().accepts }

    // MARK: Taking

    /// Takes the outcomes of a body. It does not block.
    ///
    /// - Parameter prefix: the bundles of the sender's token; empty for all.
    func take(_ body: [UInt8], of widget: WidgetIdentifier, from client: IPAddress, prefix: String) {
        let (reports, unread) = OutcomeReportsDocument.read(body)
        let policy = policy()
        let isOver =
            !reports.isEmpty && addresses.count(client, perMinute: policy.perAddress, acts: reports.count) != nil
        let day = registry.today
        let now = clock.now
        state.withLock { state in
            state.note(.unread, Int64(unread))
            guard !isOver else { return state.note(.overAddress, Int64(reports.count)) }
            for report in reports {
                guard let one = SentOutcome(report, of: widget, on: day, prefix: prefix) else { continue }
                state.take(one, from: client.client, policy.inAll, now)
            }
            if !state.waiting.isEmpty { schedule(&state, after: OutcomeDesk.pause) }
        }
    }

    /// Counts a body that was too long to be read.
    func leaveUnread() { state.withLock { $0.note(.unread, 1) } }

    private func schedule(_ state: inout State, after pause: Duration) {
        guard state.alarm == nil else { return }
        state.alarm = clock.call(after: pause) { [weak self] in
            guard let self else { return }
            queue.async { self.add() }
        }
    }

    // MARK: Adding

    /// Adds all that has been taken, and returns when that is done. Blocks. A flood of what is not here ends with its bounds, by
    /// rounds and by time; what is left then is lost.
    package func finish() {
        let end = clock.now + OutcomeDesk.mostTime
        for _ in 0..<OutcomeDesk.mostRounds {
            state.withLock { state in
                state.alarm?.cancel()
                state.alarm = nil
            }
            add()
            if state.withLock({ $0.waiting.isEmpty || $0.isFailing }) || clock.now >= end { break }
        }
    }

    /// Adds all that has been taken, and logs what is lost.
    package func end() {
        finish()
        let left = state.withLock { state in
            let left = state.waiting.clear() + state.left.total
            state.left = OutcomeTally()
            state.note(.lost, left)
            return left
        }
        guard left > 0 else { return }
        logger?.log(
            .warning, "outcomes.lost", "the process ends before all that hosts reported is looked up and counted",
            [LogField("outcomes", String(left))])
    }

    private func add() {
        adding.withLock { places in
            let (known, strangers, left) = state.withLock { state in
                state.alarm = nil
                defer { state.left = OutcomeTally() }
                return (
                    state.waiting.takeKnown(), state.waiting.takeStrangers(OutcomeDesk.mostStrangers), state.left
                )
            }
            add(known, strangers, left, &places)
            state.withLock { state in
                if !state.waiting.isEmpty { schedule(&state, after: OutcomeDesk.pause) }
            }
        }
    }

    private func add(
        _ known: [SentOutcome: Int64], _ strangers: [SentOutcome: (count: Int64, address: IPAddress)],
        _ left: OutcomeTally, _ places: inout OutcomePlaces
    ) {
        var tally = left
        do throws(RegistryError) {
            let limit = policy().perRelease
            let first = try registry.tally(known, knowing: &places)
            let second = try registry.tally(strangers.mapValues(\.count), knowing: &places)
            state.withLock { state in
                state.note(.unknown, first.unknown + second.unknown)
                // Known is what was looked up since the last change, so that it asks for nothing.
                if first.isAfterChange || second.isAfterChange { state.waiting.forget() }
                state.waiting.remember(second.here)
                let rest = strangers.filter { second.rest[$0.key] != nil }
                state.note(.lost, state.waiting.putBack(first.rest, rest))
            }
            var found = first.tally
            found.add(second.tally)
            found.keep { release, count in admit(release, count, limit) }
            tally.add(found)
        } catch {
            // Nothing was counted, so all of it is looked up again.
            return putBack(known, strangers, left, error)
        }
        do throws(RegistryError) {
            try registry.add(tally)
            let total = tally.total
            state.withLock { state in
                state.note(.counted, total)
                state.isFailing = false
            }
        } catch {
            if OutcomeDesk.mayBeStored(error) {
                let total = tally.total
                state.withLock { $0.note(.lost, total) }
                return report(error)
            }
            putBack([:], [:], tally, error)
        }
    }

    /// True for a failure after which changes may be found later (``ReleaseCatalog``).
    private static func mayBeStored(_ error: RegistryError) -> Bool {
        if case .database = error { true } else { false }
    }

    /// The part of a number that is within the allowance of a release.
    private func admit(_ release: Int64, _ count: Int64, _ limit: Int) -> Int64 {
        let now = clock.now
        return state.withLock { state in
            if state.releases.count > OutcomeDesk.mostWaiting {
                state.releases = state.releases.filter { !$0.value.isUnused(of: limit, now) }
            }
            let part = state.releases[release, default: MinuteAllowance()].take(count, of: limit, now)
            state.note(.overRelease, count - part)
            return part
        }
    }

    private func putBack(
        _ known: [SentOutcome: Int64], _ strangers: [SentOutcome: (count: Int64, address: IPAddress)],
        _ tally: OutcomeTally, _ error: RegistryError
    ) {
        let total = tally.total
        state.withLock { state in
            state.note(.lost, state.waiting.putBack(known, strangers))
            if tally.rowCount > OutcomeDesk.mostWaiting {
                state.note(.lost, total)
            } else {
                state.left.add(tally)
            }
            schedule(&state, after: OutcomeDesk.pauseAfterFailure)
        }
        report(error)
    }

    /// Logs the first failure in a row.
    private func report(_ error: RegistryError) {
        let isFirst = state.withLock { state in
            defer { state.isFailing = true }
            return !state.isFailing
        }
        guard isFirst else { return }
        logger?.log(
            .warning, "outcomes.not-counted", "what hosts report waits in memory, or is lost",
            [LogField("reason", "\(error)")])
    }

    // MARK: Shown

    package func write(to text: inout MetricsText) {
        let (fates, waiting) = state.withLock { state in
            (state.fates, state.waiting.total + state.left.total)
        }
        text.declare(
            "widgetd_outcomes_total", "counter", "Outcomes that hosts have sent, by what became of them.")
        for fate in Fate.allCases {
            text.sample("widgetd_outcomes_total", [("fate", fate.rawValue)], String(fates[fate] ?? 0))
        }
        text.gauge(
            "widgetd_outcomes_waiting", "Outcomes that are in memory alone, to be counted within a second.",
            UInt64(max(0, waiting)))
    }
}

/// An allowance for a minute, which refills evenly.
struct MinuteAllowance: Sendable {
    private var used = 0.0
    private var at: ContinuousClock.Instant?

    /// Takes as much of a number as there is left.
    mutating func take(_ count: Int64, of limit: Int, _ now: ContinuousClock.Instant) -> Int64 {
        refill(limit, now)
        let part = min(count, max(0, Int64(Double(limit) - used)))
        used += Double(part)
        return part
    }

    /// True if all of it is left.
    func isUnused(of limit: Int, _ now: ContinuousClock.Instant) -> Bool {
        var later = self
        later.refill(limit, now)
        return later.used == 0
    }

    private mutating func refill(_ limit: Int, _ now: ContinuousClock.Instant) {
        // An allowance that was lowered is not exceeded for longer than a minute.
        if let at { used = max(0, min(used, Double(limit)) - at.duration(to: now) / .seconds(60) * Double(limit)) }
        at = now
    }
}
