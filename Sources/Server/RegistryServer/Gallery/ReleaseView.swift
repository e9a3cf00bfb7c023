internal import JSONText
internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetFindings
internal import WidgetHTTPServer
internal import WidgetRegistry

/// A release with all that its page shows.
struct ReleaseView: Sendable {
    let entry: CatalogueEntry
    let release: Release
    let report: BundleReport?
    let facts: ReleaseFacts?
    let parts: Set<String>
    /// Why the release stays, by the operator's rule for its bundle; `nil` without a rule.
    let standing: RetentionStanding?
    /// The running of widgets on this server's pages.
    let running: PageRunning
    /// The reasons why it does not run, as its review has found them; empty for a release that runs.
    var obstacles: [Finding] { facts?.obstacles ?? [] }

    var bundle: BundleSummary { entry.bundle }

    /// - Throws: also for a release that was withdrawn or has expired.
    init(
        _ registry: Registry, _ bundle: String, _ key: String, for reader: Reader, _ running: PageRunning
    ) throws(Problem) {
        let (release, document) = try ResponseCache.ask(reader) { () throws(RegistryError) in
            try registry.report(bundle, key)
        }
        if let problem = ProblemCatalogue.gone(release) { throw problem }
        try self.init(registry, release, document, for: reader, running)
    }

    private init(
        _ registry: Registry, _ release: Release, _ document: [UInt8], for reader: Reader, _ running: PageRunning
    ) throws(Problem) {
        let bundle = release.bundleIdentifier
        self.release = release
        (entry, parts, standing) = try ResponseCache.ask(reader) { () throws(RegistryError) in
            (
                try registry.entry(bundle), try registry.partNames(of: bundle, release.key),
                try registry.standing(of: bundle, release.key)
            )
        }
        report = ReleaseView.report(document)
        var facts: ReleaseFacts?
        if parts.contains(ReleaseFacts.partName) {
            let part = try ResponseCache.ask(reader) { () throws(RegistryError) in
                try registry.part(ReleaseFacts.partName, of: bundle, release.key)
            }
            facts = part.flatMap(ReleaseFacts.init)
        }
        self.facts = facts
        self.running = running
    }

    /// The report in words that are known here; `nil` for one of a later program.
    static func report(_ document: [UInt8]) -> BundleReport? {
        let limits = JSONLimits(byteCount: 16 << 20, depth: 16, valueCount: 1_000_000)
        guard let json = try? JSONDocument(parsing: document, limits: limits) else { return nil }
        return try? BundleReport(json: json.cursor)
    }

    /// The screens that have stills, the first one first.
    var stills: [(screen: ReleaseFacts.Screen, part: String)] {
        (facts?.screens ?? []).compactMap { screen in
            screen.still.flatMap { parts.contains($0) ? (screen, $0) : nil }
        }
    }

    /// True if there is something to run. A release that was not looked at is tried.
    var hasScreens: Bool {
        if let facts, facts.endOfReview == nil { return !facts.screens.isEmpty }
        return report.map { !ReleaseView.lacksInterface($0) } ?? false
    }

    /// True if its page can run it.
    var runs: Bool { running.isOn && hasScreens && obstacles.isEmpty }

    static func lacksInterface(_ report: BundleReport) -> Bool {
        report.findings.contains { $0.code == .noInterface }
    }

    /// The findings about a release that runs, or has nothing to run, which name what hosts miss.
    var gaps: [Finding] {
        if !obstacles.isEmpty { return [] }
        return (report?.findings ?? []).filter {
            $0.code == .noInterface || $0.code == .badFile
        }
    }

    /// The reason why a page has no still.
    var stillAbsence: String {
        if !obstacles.isEmpty { return "Its screens cannot be shown." }
        if let end = facts?.endOfReview { return "No still could be made of its screens: \(end)." }
        if report.map(ReleaseView.lacksInterface) ?? false || facts?.screens.isEmpty ?? false {
            return "This bundle has no screen to begin with."
        }
        return facts == nil
            ? "Stills are made when a release is published; this one was published without. `widgetd stills` makes them, "
                + "or says why it cannot."
            : "Its first screen could not be drawn."
    }
}
