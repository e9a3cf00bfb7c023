import JSONText
import RegistryClient
import RegistryContract
import WidgetBytes
import WidgetConsole
import WidgetSurroundings
import WidgetTransfers

/// `widget wait`: waits until hosts have confirmed a release, or too many have reported failures.
enum WaitCommand {
    static let command = Command(
        "wait", "wait until hosts have confirmed a release, or have failed",
        example: "widget wait com.acme.Clock 1.4.0~312 --channel stable --confirmed 200",
        options: [
            Option("channel", value: "CHANNEL", help: "the channel that hosts follow; stable if not given"),
            Option("confirmed", value: "N", help: "how many have to confirm it, from now on"),
            Option(
                "failed-at-most", value: "PCT", help: "the share of N that may fail, in percent; 1% if not given"),
            Option("for", value: "SPAN", help: "how long to wait, such as 30m or 2h; 2h if not given"),
        ] + RegistryOptions.options,
        positionals: [RemoteCommand.identifier, RemoteCommand.release])

    static func run(_ invocation: Invocation) async -> ExitCode {
        await RemoteCommand.run(invocation) { (options) throws(CommandFailure) in
            let goal = try ReleaseGoal(invocation)
            let (id, key) = (invocation.arguments[0], invocation.arguments[1])
            let longest = try time(invocation)
            let registry = RemoteRegistry(
                options.address, token: options.token, client: TransferClient(in: invocation.world),
                followsElsewhere: options.followsElsewhere)
            let bar = Guarded(ProgressBar("confirmed", counting: .parts, on: invocation.terminal, in: invocation.world))
            let wait = ReleaseWait(goal: goal, longest: longest, clock: invocation.world.clock)
            let (verdict, count, passed) = try await wait.run { () async throws(CommandFailure) in
                try await ask(id, key, registry)
            } begins: { count in
                guard !count.isShown else { return }
                invocation.terminal.warn(
                    QuotedText.plain("\(goal.channel) does not show \(key) now, so few hosts will report it there"))
            } shows: { count in
                bar.withLock { $0.show(count.confirmed, of: goal.confirmed) }
            }
            bar.withLock { $0 = ProgressBar("confirmed", counting: .parts, on: invocation.terminal) }
            return WaitCommand.end(verdict, count, of: (id, key), after: passed, options.output)
        }
    }

    private static func ask(
        _ identifier: String, _ key: String, _ registry: RemoteRegistry
    ) async throws(CommandFailure) -> OutcomeCountsDocument {
        let counts = try await RemoteCommand.asking { () async throws(FetchError) in
            try await registry.outcomes(identifier, key).value
        }
        guard counts.accepts != OutcomeAcceptance.off.rawValue else {
            throw .failed(
                "the registry counts nothing that hosts report",
                hints: ["its owner sets outcomes.accept to open or token"])
        }
        if let gone = counts.gone {
            throw .failed(
                QuotedText.plain("\(key) is \(gone), so no host gets it any more"),
                hints: ["`widget show \(identifier)` lists the releases that are left"])
        }
        return counts
    }

    private static func time(_ invocation: Invocation) throws(CommandFailure) -> Duration {
        let text = invocation.value("for") ?? "2h"
        guard let seconds = TimeSpan.seconds(text) else {
            throw .misuse("--for is \(text)", hints: ["it takes a whole number of m, h, d or w, such as 90m or 2h"])
        }
        return .seconds(seconds)
    }

    private static func end(
        _ verdict: ReleaseCount.Verdict, _ count: ReleaseCount, of release: (bundle: String, key: String),
        after time: Duration, _ output: CommandOutput
    ) -> ExitCode {
        let printed = output.print(
            { writer in
                writer.object { writer in
                    writer.member("verdict", verdict.rawValue)
                    writer.member("bundleIdentifier", release.bundle)
                    writer.member("release", release.key)
                    writer.member("channel", count.goal.channel)
                    writer.member("confirmed", count.confirmed)
                    writer.member("wanted", count.goal.confirmed)
                    writer.member("failed", count.failed)
                    writer.member("mostFailed", count.goal.mostFailed)
                    writer.member("shown", count.isShown)
                    writer.member("seconds", Int(time.components.seconds))
                    writer.key("failures")
                    writer.array { writer in for failure in count.failures { failure.write(to: &writer) } }
                }
            }, text(verdict, count, release.key))
        return printed == .clean ? verdict.code : printed
    }

    private static func text(_ verdict: ReleaseCount.Verdict, _ count: ReleaseCount, _ key: String) -> String {
        let goal = count.goal
        let facts =
            "\(count.confirmed) of \(goal.confirmed) confirmed it, \(count.failed) failed and \(goal.mostFailed) may"
            + (count.isShown || verdict != .undecided ? "" : "; \(goal.channel) does not show it")
        var text = QuotedText.plain("\(key) on \(goal.channel) \(verdict.sentence): \(facts)") + "\n"
        for failure in count.failures {
            text += QuotedText.plain("  \(failure.count) \(failure.outcome): \(failure.reason)") + "\n"
        }
        return text
    }
}

/// A wait for a release: questions to a registry until they decide, or the time is over.
struct ReleaseWait {
    let goal: ReleaseGoal
    let longest: Duration
    let clock: any Clock

    /// The time between two questions.
    static let pause = Duration.seconds(10)

    /// Asks until the outcomes that arrive after the first question decide.
    func run(
        asking ask: () async throws(CommandFailure) -> OutcomeCountsDocument,
        begins: (ReleaseCount) -> Void = { _ in }, shows: (ReleaseCount) -> Void
    ) async throws(CommandFailure) -> (ReleaseCount.Verdict, ReleaseCount, passed: Duration) {
        let (start, end) = (clock.now, clock.moment(after: longest))
        var count = ReleaseCount(goal, since: try await ask())
        begins(count)
        while true {
            // The last question comes when the time is over.
            await clock.sleep(until: min(end, clock.now + ReleaseWait.pause))
            let isLast = clock.now >= end || Task.isCancelled
            do throws(CommandFailure) {
                count.take(try await ask())
            } catch {
                // A registry that is away for a while does not end a wait of hours.
                guard case .registry(let failure, _) = error, failure.isTransient, !isLast else { throw error }
                continue
            }
            shows(count)
            if let verdict = count.verdict ?? (isLast ? .undecided : nil) { return (verdict, count, clock.now - start) }
        }
    }
}

/// The numbers that decide about a release.
struct ReleaseGoal: Equatable {
    var channel: String
    var confirmed: Int
    /// More failures than this are too many.
    var mostFailed: Int

    private static let mostConfirmed = 1_000_000_000

    /// - Parameter share: the part of `confirmed` that may fail, in basis points.
    init(channel: String, confirmed: Int, failedAtMost share: Int) {
        self.channel = channel
        self.confirmed = confirmed
        mostFailed = confirmed * share / Rollout.bucketCount
    }

    init(_ invocation: Invocation) throws(CommandFailure) {
        guard let text = invocation.value("confirmed") else {
            throw .misuse("how many hosts?", hints: ["`--confirmed 200` says so"])
        }
        guard let number = WholeNumber.read(text, 1...ReleaseGoal.mostConfirmed) else {
            throw .misuse("--confirmed is \(text)", hints: ["it takes a number from 1 on"])
        }
        let share = invocation.value("failed-at-most") ?? "1%"
        let digits = share.hasSuffix("%") ? String(share.dropLast()) : share
        guard let points = RemoteCommand.basisPoints(digits) else {
            throw .misuse("--failed-at-most is \(share)", hints: ["it takes percent from 0 to 100, such as 1% or 0.5%"])
        }
        let channel = invocation.value("channel") ?? ChannelName.standard
        guard ChannelName.isName(channel) else {
            throw .misuse("--channel is \(channel)", hints: ["the name of a channel: \(ChannelName.law)"])
        }
        self.init(channel: channel, confirmed: number, failedAtMost: points)
    }
}

/// The outcomes of a release on one channel since a moment.
struct ReleaseCount {
    /// The end of a wait.
    enum Verdict: String {
        case confirmed, failed, undecided

        var code: ExitCode {
            switch self {
            case .confirmed: .clean
            case .failed: .tooManyFailures
            case .undecided: .undecided
            }
        }

        var sentence: String {
            switch self {
            case .confirmed: "works"
            case .failed: "fails too often"
            case .undecided: "is undecided"
            }
        }
    }

    let goal: ReleaseGoal
    private let before: [String: OutcomeCountsDocument.Day]
    private(set) var confirmed = 0
    private(set) var failed = 0
    private(set) var failures: [OutcomeCountsDocument.Failure] = []
    /// True if the channel shows the release, fully or partly.
    private(set) var isShown: Bool

    /// - Parameter counts: those of the moment from which outcomes count.
    init(_ goal: ReleaseGoal, since counts: OutcomeCountsDocument) {
        self.goal = goal
        before = Dictionary(
            counts.days.filter { $0.channel == goal.channel }.map { ($0.day, $0) },
            uniquingKeysWith: { first, _ in first })
        isShown = counts.channels.contains(goal.channel)
    }

    /// Takes later counts. Each day is compared with itself, because days that are over for long go.
    mutating func take(_ counts: OutcomeCountsDocument) {
        (confirmed, failed, failures) = (0, 0, [])
        isShown = counts.channels.contains(goal.channel)
        for day in counts.days where day.channel == goal.channel {
            let earlier = before[day.day]
            confirmed = confirmed.adding(max(0, day.confirmed.subtracting(earlier?.confirmed ?? 0) ?? 0)) ?? .max
            failed = failed.adding(max(0, day.failed.subtracting(earlier?.failed ?? 0) ?? 0)) ?? .max
            for failure in day.failures { take(failure, earlier) }
        }
    }

    private mutating func take(_ failure: OutcomeCountsDocument.Failure, _ earlier: OutcomeCountsDocument.Day?) {
        func isSame(_ other: OutcomeCountsDocument.Failure) -> Bool {
            other.outcome == failure.outcome && other.reason == failure.reason
        }
        let added = failure.count.subtracting(earlier?.failures.first(where: isSame)?.count ?? 0) ?? 0
        guard added > 0 else { return }
        if let place = failures.firstIndex(where: isSame) {
            failures[place].count = failures[place].count.adding(added) ?? .max
        } else {
            failures.append(
                OutcomeCountsDocument.Failure(outcome: failure.outcome, reason: failure.reason, count: added))
        }
    }

    /// Failures decide first: hosts that have confirmed it do not help those on which it fails.
    var verdict: Verdict? {
        if failed > goal.mostFailed { return .failed }
        return confirmed >= goal.confirmed ? .confirmed : nil
    }
}
