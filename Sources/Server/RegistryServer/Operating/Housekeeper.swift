internal import WidgetBytes
internal import WidgetHTTPServer
package import WidgetLogging
package import WidgetRegistry
package import WidgetSurroundings

/// Does the work on the whole store while the server serves: when it is due, or when its owner asks.
package final class Housekeeper: Sendable {
    /// The operator's settings; read anew each time, so that a reload shows.
    package struct Policy: Equatable, Sendable {
        /// The least age of an unreferenced blob that is removed.
        package var grace = Duration.seconds(3_600)
        /// Bytes a second that scrub reads at most.
        package var scrubRate = 16 << 20
        /// The intervals of the scheduled work; zero turns it off.
        package var collectEvery = Duration.seconds(86_400)
        package var scrubEvery = Duration.seconds(7 * 86_400)
        /// The interval between looks for releases without stills. It is not for an operator to choose: a look that finds none
        /// is a question to the catalog.
        package var stillsEvery = Duration.seconds(3_600)
        /// Bytes that a copy of the catalog leaves on the disk.
        package var diskReserve = 0

        package init() {}
    }

    /// Called with the progress of the work, possibly often. An error that it throws ends the work.
    package typealias Watcher = (_ done: Int, _ total: Int) throws(RegistryError) -> Void

    let registry: Registry
    private let audit: Audit
    let logger: Logger?
    private let policy: @Sendable () -> Policy
    let world: World
    /// Makes stills of releases from before; `nil` for a registry that shows no pages.
    let stills: (any StillMaking)?
    /// True once the log says why no stills are made.
    let hasSaidObstacle = Guarded(false)
    /// True if the last run has left releases without stills.
    let hasMoreStills = Guarded(false)
    let state = HousekeepingState()
    /// Given when the server is about to end, so that no pause outlasts it.
    private let ending: StopSignal
    private let alarms: Guarded<[HousekeepingTask: Alarm]> = Guarded([:])

    package init(
        _ registry: Registry, audit: Audit = Audit(), logger: Logger? = nil, in world: World = .machine,
        stills: (any StillMaking)? = nil, policy: @escaping @Sendable () -> Policy = { Policy() }
    ) {
        self.registry = registry
        self.audit = audit
        self.logger = logger
        self.world = world
        self.stills = stills
        ending = StopSignal(world.clock)
        self.policy = policy
        for task in HousekeepingTask.allCases { state.remember(task, at: registry.lastRun(of: task)) }
    }

    /// Ends the work under way; the rest of it is done the next time.
    ///
    /// - Returns: the work that was under way.
    @discardableResult
    package func stop() -> [HousekeepingTask] {
        // Looked at first: work that learns of the end may be over at once.
        let underWay = HousekeepingTask.allCases.filter { state[$0].isRunning }
        ending.give()
        for alarm in alarms.withLock({ $0.values.map(\.self) }) { alarm.cancel() }
        return underWay
    }

    // MARK: When it is due

    /// Has what is due done, over and over, until ``stop()``. Returns at once.
    ///
    /// A scrub of a large store takes a day, which gc does not wait for: each has its own queue.
    ///
    /// - Parameters:
    ///   - interval: the longest time between two looks; shorter where the work is due more often.
    ///   - rest: the pause after work that failed.
    package func runWhenDue(
        lookEvery interval: Duration = .seconds(60), restAfterFailure rest: Duration = .seconds(600)
    ) {
        lookLater(
            Schedule(
                task: .scrub, queue: world.threads.queue("widgetd.scrub"), interval: interval, restAfterFailure: rest,
                every: { $0.scrubEvery }, work: { [self] in _ = try scrub(rate: nil, by: "schedule") }))
        lookLater(
            Schedule(
                task: .gc, queue: world.threads.queue("widgetd.housekeeper"), interval: interval,
                restAfterFailure: rest,
                every: { $0.collectEvery }, work: { [self] in _ = try collect(isDryRun: false, by: "schedule") }))
        guard stills != nil else { return }
        lookLater(
            Schedule(
                task: .stills, queue: world.threads.queue("widgetd.stills"),
                interval: interval, restAfterFailure: rest, every: { $0.stillsEvery },
                work: { [self] in try makeSomeStills() }))
    }

    private struct Schedule: Sendable {
        let task: HousekeepingTask
        let queue: any ThreadQueue
        /// The longest time between two looks.
        let interval: Duration
        let restAfterFailure: Duration
        let every: @Sendable (Policy) -> Duration
        let work: @Sendable () throws -> Void
    }

    private func lookLater(_ schedule: Schedule, after pause: Duration = .zero) {
        let every = schedule.every(policy())
        let step = every > .zero ? min(schedule.interval, max(every, .seconds(1))) : schedule.interval
        let alarm = world.clock.call(after: pause + step) { [self] in
            schedule.queue.async { [self] in look(schedule) }
        }
        alarms.withLock { $0[schedule.task] = alarm }
        // Stopped meanwhile, its alarm would stay.
        if ending.isGiven { alarm.cancel() }
    }

    private func look(_ schedule: Schedule) {
        guard !ending.isGiven else { return }
        var pause = Duration.zero
        if schedule.task == .stills { noticeStills() }
        if isDue(schedule.task, every: schedule.every(policy())), !attempt(schedule) {
            pause = schedule.restAfterFailure
        }
        lookLater(schedule, after: pause)
    }

    /// A clock that was set back must not put it off for ever. One that leapt ahead must not remove at once what could
    /// still be restored, so after a leap everything waits for another interval, in which the operator can correct the clock.
    private func isDue(_ task: HousekeepingTask, every interval: Duration) -> Bool {
        guard interval > .zero else { return false }
        guard let last = state[task].lastSuccess else { return true }
        if task == .stills, hasMoreStills.withLock({ $0 }) { return true }
        let seconds = max(1, interval.components.seconds)
        let now = world.clock.seconds
        guard let passed = now.subtracting(last), passed >= 0 else { return true }
        if task == .gc, passed / 2 >= seconds, passed - seconds >= Housekeeper.leap {
            logger?.log(
                .warning, "clock.leapt", "nothing was collected for long, or the clock is wrong; gc waits once more",
                [LogField("seconds", Int(clamping: passed))])
            registry.noteRun(of: task, at: now)
            state.remember(task, at: now)
            return false
        }
        return passed >= seconds
    }

    /// A month.
    private static let leap: Int64 = 30 * 86_400

    private func attempt(_ schedule: Schedule) -> Bool {
        do {
            try schedule.work()
            return true
        } catch RegistryError.underWay(.stills) {
            // Another replica makes them, or the owner does.
            return false
        } catch {
            logger?.log(
                .warning, "housekeeping.failed", "it is tried again when it is due",
                [LogField("task", schedule.task.rawValue), LogField("reason", "\(error)")])
            return false
        }
    }

    /// A pace asks for longer waits when a number in the catalog is wrong; a day is as good as for ever.
    func rest(for duration: Duration) { ending.rest(for: min(duration, .seconds(86_400))) }

    // MARK: The work

    /// - Parameter isConfirmed: true if the owner has said that changed rules for what is kept are meant.
    package func collect(
        isDryRun: Bool, isConfirmed: Bool = false, by author: String, _ watcher: @escaping Watcher = { _, _ in }
    ) throws(RegistryError) -> CollectReport {
        let grace = policy().grace.components.seconds
        let report = try run(.gc, by: author, isRehearsal: isDryRun, watcher) {
            progress throws(RegistryError) in
            try registry.collect(
                grace: grace, isDryRun: isDryRun, isConfirmed: isConfirmed, progress: progress)
        } document: {
            HousekeepingDocument.bytes($0)
        } words: {
            "\($0.archives.count) archives, \($0.notes.count) notes and \($0.auditRecords) audit records removed, "
                + "\($0.endedReleases) releases ended, \($0.expired.amount.count) expired, "
                + "\($0.retiredSnapshots) snapshots retired"
        }
        state.count(report)
        say(leftOutOf: report.expired)
        return report
    }

    package func scrub(
        rate: Int?, by author: String, _ watcher: @escaping Watcher = { _, _ in }
    ) throws(RegistryError) -> ScrubReport {
        let rate = rate ?? policy().scrubRate
        let report = try run(.scrub, by: author, watcher) { progress throws(RegistryError) in
            try registry.scrub(rate: rate, pause: { self.rest(for: $0) }, progress: progress)
        } document: {
            document($0)
        } words: {
            "\($0.archives) archives read, \($0.damaged.count) damaged, \($0.missing.count) missing, "
                + "\($0.unreadable.count) unreadable"
        }
        state.count(report)
        if !report.isSound {
            logger?.log(
                .error, "scrub.found",
                "stored bytes are not what was stored; publish the bundles again, or restore a backup",
                [LogField("report", json: document(report).dropLast())])
        }
        return report
    }

    package func backUp(
        server: String, by author: String, begin: (Int) -> Void,
        into sink: @escaping ([UInt8]) throws(RegistryError) -> Void
    ) throws(RegistryError) -> BackupReport {
        let size = Guarded(0)
        let written = Guarded(0)
        return try run(.backup, by: author, { _, _ in }) { progress throws(RegistryError) in
            try registry.backUp(
                server: server, reserve: policy().diskReserve,
                begin: { total in
                    size.withLock { $0 = total }
                    begin(total)
                }
            ) { [self] bytes throws(RegistryError) in
                try refuseWhenStopped()
                try sink(bytes)
                let done = written.withLock { written in
                    written += bytes.count
                    return written
                }
                state.progress(.backup, done, size.withLock { $0 })
            }
        } document: {
            document($0)
        } words: {
            "\($0.archives) archives, \($0.byteCount) bytes, \($0.missing.count) missing"
        } isWhole: {
            $0.missing.isEmpty
        }
    }

    // MARK: Reports

    package func document(_ report: ScrubReport) -> [UInt8] {
        HousekeepingDocument.bytes(
            report, affected: releases(ofArchives: report.damaged + report.missing + report.unreadable))
    }

    package func document(_ report: BackupReport) -> [UInt8] {
        HousekeepingDocument.bytes(report, affected: releases(ofArchives: report.missing))
    }

    /// The release in words for people, to whom a digest says nothing; facts that the catalog lacks are left out.
    private func releases(ofArchives digests: [Digest]) -> [AffectedRelease] {
        digests.flatMap { digest -> [AffectedRelease] in
            guard let owner = try? registry.releaseOfBlob(digest) else { return [] }
            return owner.releases.map {
                AffectedRelease(digest: digest, bundleIdentifier: owner.bundleIdentifier, key: $0.key)
            }
        }
    }

    func run<Report>(
        _ task: HousekeepingTask, by author: String, isRehearsal: Bool = false, _ watcher: @escaping Watcher,
        _ work: (HousekeepingProgress) throws(RegistryError) -> Report, document: (Report) -> [UInt8],
        words: (Report) -> String, isWhole: (Report) -> Bool = { _ in true }
    ) throws(RegistryError) -> Report {
        var entry = Act(task).map { AuditEntry($0, by: Author(author)) }
        if isRehearsal { entry?.add(LogField("dryRun", true)) }
        let isMine = !state[task].isRunning
        if isMine { state.begin(task) }
        do throws(RegistryError) {
            let report = try work { done, total throws(RegistryError) in
                try refuseWhenStopped()
                state.progress(task, done, total)
                try watcher(done, total)
            }
            let bytes = document(report)
            let outcome: HousekeepingState.Outcome = isRehearsal ? .rehearsed : isWhole(report) ? .done : .incomplete
            if outcome == .done { registry.noteRun(of: task, at: world.clock.seconds) }
            state.end(task, outcome, report: bytes, at: world.clock.seconds)
            guard var noted = entry else { return report }
            noted.add(LogField("report", json: bytes.dropLast()))
            if !isRehearsal { note(noted, words(report)) }
            // A dry run does not count as done.
            audit.record(noted, isRehearsal ? "dry-run" : outcome == .incomplete ? "incomplete" : "done")
            return report
        } catch {
            // Work that another call has begun is ended by that call.
            let isInterrupted = error == .interrupted
            if isMine { state.end(task, isInterrupted ? .interrupted : .failed, at: world.clock.seconds) }
            if let entry { audit.record(entry, isInterrupted ? "interrupted" : ProblemCatalogue.problem(error).code) }
            throw error
        }
    }

    /// Puts work that is done into the audit. A catalog that cannot take the record does not undo the work.
    private func note(_ entry: AuditEntry, _ words: String) {
        do throws(RegistryError) {
            try registry.note(entry.action, by: entry.author, words)
        } catch {
            logger?.log(
                .warning, "audit.failed", "the work is done, and the audit has no record of it",
                [LogField("task", entry.action.rawValue), LogField("reason", "\(error)")])
        }
    }

    private func refuseWhenStopped() throws(RegistryError) {
        if ending.isGiven { throw .interrupted }
    }
}

extension Act {
    /// - Returns: `nil` for work that changes nothing which was published.
    init?(_ task: HousekeepingTask) {
        switch task {
        case .backup: self = .backup
        case .gc: self = .gc
        case .scrub: self = .scrub
        case .stills: return nil
        }
    }
}
