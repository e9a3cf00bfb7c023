internal import JSONText
internal import WidgetBytes
package import WidgetFiles
internal import WidgetLogging
package import WidgetRegistry
internal import WidgetSurroundings

/// Looks at releases that are stored, and makes their stills.
package protocol StillMaking: Sendable {
    /// The end of the sentence why none can be made here; `nil` if they can.
    var obstacle: String? { get }
    /// The operator's choice, which a reload may change.
    var plan: StillPlan { get }

    /// - Parameters:
    ///   - archive: that of the release.
    ///   - lacksInterface: true if its report says that it has no screen to begin with.
    /// - Returns: the parts of the release, without that of ``StillPlan/mark``.
    func parts(
        of release: Release, in archive: borrowing FileDescriptor, lacksInterface: Bool
    ) -> [ReleasePart]
}

/// The outcome of making stills of releases from before.
package struct StillsReport: Equatable, Sendable {
    /// A release whose look ended early.
    package struct Failure: Equatable, Sendable {
        package let bundle: String
        package let release: String
        /// The end of a sentence.
        package let reason: String
        /// True if it is not looked at again for these settings.
        package let isLast: Bool
    }

    /// The end of the sentence why none can be made; `nil` if they can.
    package var obstacle: String?
    /// The releases that have been looked at to the end.
    package var made = 0
    package var failures: [Failure] = []
    /// The number of failures, which are not all listed.
    package var failed = 0
    /// True if there may be more releases without stills.
    package var isPart = false

    private static let mostFailures = 100

    init(obstacle: String? = nil) { self.obstacle = obstacle }

    mutating func add(_ failure: Failure) {
        failed += 1
        if failures.count < StillsReport.mostFailures { failures.append(failure) }
    }

    /// As a JSON object.
    package var document: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("made", made)
            writer.member("failed", failed)
            writer.key("failures")
            writer.array { writer in
                for failure in failures {
                    writer.object { writer in
                        writer.member("bundleIdentifier", failure.bundle)
                        writer.member("release", failure.release)
                        writer.member("reason", failure.reason)
                        writer.member("last", failure.isLast)
                    }
                }
            }
            writer.member("more", isPart)
            if let obstacle { writer.member("obstacle", obstacle) }
        }
        return writer.finish()
    }
}

extension Housekeeper {
    /// The looks at a release that may end early before it is left alone.
    static let mostAttempts = 3
    /// The releases that the schedule takes at once, and that the owner does.
    static let scheduledReleases = 100
    private static let releases = 100_000

    /// Makes the stills of releases that have none of the present settings: those on channels first, and the latest first.
    ///
    /// - Parameters:
    ///   - prefix: the whole labels that their bundles are, or begin with before a dot; empty: all bundles.
    ///   - limit: the most releases; `nil`: as many as one run may have.
    ///   - share: the part of the time that is spent on them; the rest is for others.
    package func makeStills(
        ofBundles prefix: String = "", limit: Int? = nil, share: Double = 1, by author: String,
        _ watcher: @escaping Watcher = { _, _ in }
    ) throws(RegistryError) -> StillsReport {
        if let obstacle { return StillsReport(obstacle: obstacle) }
        guard let maker = stills else { return StillsReport() }
        let plan = maker.plan
        let report = try run(
            .stills, by: author,
            watcher,
            { progress throws(RegistryError) in
                try registry.makingStills { () throws(RegistryError) in
                    let limit = limit ?? Housekeeper.releases
                    var found = try registry.releases(withoutPart: plan.mark, ofBundles: prefix, limit: limit + 1)
                    var report = StillsReport()
                    report.isPart = found.count > limit
                    found.removeLast(max(0, found.count - limit))
                    for (place, name) in found.enumerated() {
                        try progress(place, found.count)
                        let begun = world.clock.now
                        let failure = try make(name, maker, plan)
                        if let failure { report.add(failure) } else { report.made += 1 }
                        // The operator's next settings are the next run's.
                        if share < 1, place + 1 < found.count { rest(for: (world.clock.now - begun) * (1 / share - 1)) }
                    }
                    try progress(found.count, found.count)
                    return report
                }
            },
            document: { $0.document },
            words: { "\($0.made) releases looked at, \($0.failed) looks ended early" })
        state.count(report)
        if report.made > 0 {
            logger?.log(
                .info, "stills.made", "releases from before have stills now",
                [LogField("releases", report.made), LogField("failed", report.failed), LogField("by", author)])
        }
        return report
    }

    /// - Returns: `nil` for a release that was looked at to the end, or is gone since.
    private func make(
        _ name: ReleaseName, _ maker: any StillMaking, _ plan: StillPlan
    ) throws(RegistryError) -> StillsReport.Failure? {
        let reason: String
        do throws(RegistryError) {
            let (release, report) = try registry.report(name.bundle, name.key)
            guard !release.isGone else { return nil }
            let blob = try registry.openBlob(release.digest)
            let lacksInterface = ReleaseView.report(report).map(ReleaseView.lacksInterface) ?? false
            let parts = maker.parts(of: release, in: blob.file.descriptor, lacksInterface: lacksInterface)
            let facts = parts.first { $0.name == ReleaseFacts.partName }.flatMap { ReleaseFacts($0) }
            if let end = facts.map(\.endOfReview) ?? "it sent nothing that could be read" {
                reason = end
            } else if facts?.lacksTime == true {
                try keepMost(of: parts, name)
                reason = "the time was over before all its stills were drawn"
            } else {
                try registry.replaceParts(of: name.bundle, name.key, with: parts + [plan.markPart])
                return nil
            }
        } catch {
            switch error {
            case .damagedBlob, .noSuchBlob: reason = "its archive cannot be read"
            case .noSuchBundle, .noSuchRelease, .withdrawn, .expired: return nil
            default: throw error
            }
        }
        return try note(reason, of: name, plan)
    }

    /// Replaces the parts of a release by those of a look without enough time, unless it has more stills.
    private func keepMost(of parts: [ReleasePart], _ name: ReleaseName) throws(RegistryError) {
        func count(_ names: some Sequence<String>) -> Int { names.count { $0.hasSuffix(".html") } }
        guard try count(parts.map(\.name)) > count(registry.partNames(of: name.bundle, name.key)) else { return }
        let attempts = try registry.part(StillPlan.attemptsName, of: name.bundle, name.key)
        try registry.replaceParts(of: name.bundle, name.key, with: parts + (attempts.map { [$0] } ?? []))
    }

    /// Counts a look that has ended early. What the release has stays with it.
    private func note(
        _ reason: String, of name: ReleaseName, _ plan: StillPlan
    ) throws(RegistryError) -> StillsReport.Failure {
        let earlier = try registry.part(StillPlan.attemptsName, of: name.bundle, name.key)
        let count = plan.attempts(in: earlier) + 1
        let isLast = count >= Housekeeper.mostAttempts
        var parts = [plan.attempts(count)]
        if isLast { parts.append(plan.markPart) }
        if try !registry.partNames(of: name.bundle, name.key).contains(ReleaseFacts.partName) {
            var facts = ReleaseFacts()
            facts.endOfReview = reason
            parts.append(facts.part)
        }
        try registry.putParts(parts, of: name.bundle, name.key)
        logger?.log(
            .warning, "stills.failed",
            isLast ? "the look at it is not repeated for these settings" : "it is looked at again later",
            [LogField("bundle", name.bundle), LogField("release", name.key), LogField("reason", reason)])
        return StillsReport.Failure(bundle: name.bundle, release: name.key, reason: reason, isLast: isLast)
    }

    // MARK: When it is due

    /// The end of the sentence why no stills are made; `nil` if they can be.
    private var obstacle: String? {
        guard let stills else { return "this program looks at no bundles" }
        return stills.obstacle
    }

    /// Makes some, and says so once where none can be made.
    func makeSomeStills() throws {
        if let obstacle {
            let isNews = hasSaidObstacle.withLock { said in
                let isNews = !said
                said = true
                return isNews
            }
            if isNews {
                logger?.log(
                    .notice, "stills.off", "releases from before get no stills", [LogField("reason", obstacle)])
            }
            return
        }
        let report = try makeStills(limit: Housekeeper.scheduledReleases, share: 0.25, by: "schedule")
        hasMoreStills.withLock { $0 = report.isPart }
    }

    /// Notes that another process has made some since: what is cached here may lack them.
    func noticeStills() {
        guard let last = registry.lastRun(of: .stills), last != state[.stills].lastSuccess else { return }
        state.remember(.stills, at: last)
        registry.tellParts(of: nil)
    }
}
