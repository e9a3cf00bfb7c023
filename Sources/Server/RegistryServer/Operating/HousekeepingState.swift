internal import JSONText
internal import WidgetBytes
internal import WidgetHTTPServer
package import WidgetRegistry

/// The progress of each piece of work on the whole store, and its results since the start.
final class HousekeepingState: Sendable {
    struct Figures: Sendable {
        var isRunning = false
        var done = 0
        var total = 0
        var successes: UInt64 = 0
        var failures: UInt64 = 0
        /// Seconds since 1970.
        var lastSuccess: Int64?
        /// A finished JSON object.
        var lastReport: [UInt8]?
    }

    private struct State {
        var figures: [HousekeepingTask: Figures] = [:]
        var removedBytes = 0
        var removedArchives = 0
        var removedAuditRecords = 0
        var expiredReleases = 0
        var scrubbedBytes = 0
        var madeStills = 0
        /// Of the last scrub: damaged, missing, unreadable, catalog.
        var findings: [String: Int] = [:]
    }

    private let state = Guarded(State())

    subscript(task: HousekeepingTask) -> Figures { state.withLock { $0.figures[task] ?? Figures() } }

    func begin(_ task: HousekeepingTask) {
        change(task) {
            $0.isRunning = true
            ($0.done, $0.total) = (0, 0)
        }
    }

    func progress(_ task: HousekeepingTask, _ done: Int, _ total: Int) {
        change(task) { ($0.done, $0.total) = (done, total) }
    }

    enum Outcome {
        case done, failed
        /// Ended by a request of the owner or by the server's end.
        case interrupted
        /// A dry run: nothing was done, so the work is as due as before.
        case rehearsed
        /// A backup without something that should be in it.
        case incomplete
    }

    func end(_ task: HousekeepingTask, _ outcome: Outcome, report: [UInt8]? = nil, at time: Int64) {
        change(task) { figures in
            figures.isRunning = false
            figures.lastReport = report
            switch outcome {
            case .failed, .incomplete: figures.failures += 1
            case .rehearsed, .interrupted: break
            case .done:
                figures.successes += 1
                figures.lastSuccess = time
            }
        }
    }

    /// Takes in the note of an earlier process.
    func remember(_ task: HousekeepingTask, at time: Int64?) {
        change(task) { $0.lastSuccess = time }
    }

    func count(_ report: CollectReport) {
        guard !report.isDryRun else { return }
        state.withLock {
            $0.removedBytes += report.removedByteCount
            $0.removedArchives += report.archives.count
            $0.removedAuditRecords += report.auditRecords
            $0.expiredReleases += report.expired.amount.count
        }
    }

    func count(_ report: ScrubReport) {
        state.withLock {
            $0.scrubbedBytes += report.byteCount
            $0.findings = [
                "damaged": report.damaged.count, "missing": report.missing.count,
                "unreadable": report.unreadable.count, "catalog": report.catalog.count,
            ]
        }
    }

    func count(_ report: StillsReport) { state.withLock { $0.madeStills += report.made } }

    private func change(_ task: HousekeepingTask, _ body: (inout Figures) -> Void) {
        state.withLock { body(&$0.figures[task, default: Figures()]) }
    }

    // MARK: Shown

    func write(to text: inout MetricsText) {
        let state = state.withLock { $0 }
        let tasks = HousekeepingTask.allCases.map { ($0, state.figures[$0] ?? Figures()) }
        func write(_ name: String, _ kind: String, _ help: String, _ value: (Figures) -> String) {
            text.declare(name, kind, help)
            for (task, figures) in tasks { text.sample(name, [("task", task.rawValue)], value(figures)) }
        }
        write("widgetd_housekeeping_running", "gauge", "Whether the work is under way.") { $0.isRunning ? "1" : "0" }
        write("widgetd_housekeeping_progress_ratio", "gauge", "How much of the work under way is done.") {
            $0.isRunning && $0.total > 0 ? "\(min(1, Double($0.done) / Double($0.total)))" : "0"
        }
        write("widgetd_housekeeping_runs_total", "counter", "Work that was finished.") { String($0.successes) }
        write("widgetd_housekeeping_failures_total", "counter", "Work that was not finished.") { String($0.failures) }
        write(
            "widgetd_housekeeping_last_success_timestamp_seconds", "gauge",
            "When the work was finished last; 0 when it never was."
        ) { String($0.lastSuccess ?? 0) }
        text.counter("widgetd_gc_removed_bytes_total", "Bytes that gc has removed.", UInt64(state.removedBytes))
        text.counter(
            "widgetd_gc_removed_archives_total", "Archives that gc has removed.", UInt64(state.removedArchives))
        text.counter(
            "widgetd_gc_removed_audit_records_total", "Records of the audit that gc has removed.",
            UInt64(state.removedAuditRecords))
        text.counter(
            "widgetd_gc_expired_releases_total", "Releases that gc has let expire by rules of retention.",
            UInt64(state.expiredReleases))
        text.counter("widgetd_scrub_read_bytes_total", "Bytes that scrub has compared.", UInt64(state.scrubbedBytes))
        text.counter(
            "widgetd_stills_releases_total", "Releases from before that were looked at for stills.",
            UInt64(state.madeStills))
        text.declare("widgetd_scrub_findings", "gauge", "What the last scrub of this process has found, by kind.")
        for kind in ["damaged", "missing", "unreadable", "catalog"] {
            text.sample("widgetd_scrub_findings", [("kind", kind)], String(state.findings[kind] ?? 0))
        }
    }

    /// The last result of each piece of work, as one JSON object.
    var document: [UInt8] {
        let all = state.withLock { $0.figures }
        var writer = JSONWriter()
        writer.object { writer in
            for task in HousekeepingTask.allCases {
                guard let figures = all[task] else { continue }
                writer.key(task.rawValue)
                writer.object { writer in
                    writer.member("running", figures.isRunning)
                    writer.member("runs", figures.successes)
                    writer.member("failures", figures.failures)
                    if let time = figures.lastSuccess { writer.member("lastSuccess", Timestamp.text(time)) }
                    if let report = figures.lastReport {
                        writer.key("report")
                        writer.finished(report)
                    }
                }
            }
        }
        return writer.finish()
    }
}

/// A release whose archive is not what it should be.
struct AffectedRelease: Sendable {
    var digest: Digest
    var bundleIdentifier: String
    var key: String
}

/// The results of work on the whole store, as JSON objects.
package enum HousekeepingDocument {
    static func bytes(_ report: ScrubReport, affected: [AffectedRelease]) -> [UInt8] {
        object { writer in
            writer.member("archives", report.archives)
            writer.member("bytes", report.byteCount)
            list("damaged", report.damaged.map(\.hex), &writer)
            list("missing", report.missing.map(\.hex), &writer)
            list("unreadable", report.unreadable.map(\.hex), &writer)
            writer.member("healed", report.healed)
            list("catalog", report.catalog, &writer)
            write(affected, &writer)
            writer.member("sound", report.isSound)
        }
    }

    package static func bytes(_ report: CollectReport) -> [UInt8] {
        object { writer in
            writer.member("dryRun", report.isDryRun)
            writer.member("retiredSnapshots", report.retiredSnapshots)
            writer.member("endedReleases", report.endedReleases)
            writer.key("expired")
            write(report.expired, &writer)
            writer.member("auditRecords", report.auditRecords)
            for (name, share) in [
                ("archives", report.archives), ("notes", report.notes), ("waiting", report.waiting),
                ("quarantined", report.quarantined),
            ] {
                writer.key(name)
                writer.object { writer in
                    writer.member("count", share.count)
                    writer.member("bytes", share.byteCount)
                }
            }
        }
    }

    private static func write(_ report: ExpiryReport, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("count", report.amount.count)
            writer.member("bytes", report.amount.byteCount)
            writer.member("of", report.releases)
            writer.key("rules")
            writer.array { writer in
                for share in report.rules {
                    writer.object { writer in
                        writer.member("rule", share.rule)
                        writer.member("count", share.amount.count)
                        writer.member("bytes", share.amount.byteCount)
                    }
                }
            }
            writer.key("releases")
            write(report.items, &writer)
            if report.later.count > 0 {
                writer.key("later")
                writer.object { writer in
                    writer.member("count", report.later.count)
                    writer.member("bytes", report.later.byteCount)
                    writer.key("releases")
                    write(report.laterItems, &writer)
                }
            }
            if report.left > 0 { writer.member("left", report.left) }
            if let size = report.foreseen {
                writer.key("foreseen")
                writer.object { writer in
                    writer.member("count", size.count)
                    writer.member("bytes", size.byteCount)
                }
            }
            if let end = report.waitsUntil { writer.member("waitsUntil", Timestamp.text(end)) }
        }
    }

    private static func write(_ items: [ExpiryReport.Item], _ writer: inout JSONWriter) {
        writer.array { writer in
            for item in items {
                writer.object { writer in
                    writer.member("bundleIdentifier", item.bundle)
                    writer.member("release", item.key)
                    writer.member("rule", item.rule)
                    writer.member("bytes", item.byteCount)
                }
            }
        }
    }

    static func bytes(_ report: BackupReport, affected: [AffectedRelease]) -> [UInt8] {
        object { writer in
            writer.member("archives", report.archives)
            writer.member("bytes", report.byteCount)
            list("missing", report.missing.map(\.hex), &writer)
            write(affected, &writer)
        }
    }

    package static func bytes(_ report: RebuildReport) -> [UInt8] {
        object { writer in
            writer.member("bundles", report.bundles)
            writer.member("releases", report.releases)
            writer.member("withdrawn", report.withdrawn)
            if report.expired > 0 { writer.member("expired", report.expired) }
            writer.member("channels", report.channels)
            list("recovered", report.recovered, &writer)
            list("damaged", report.damaged.map(\.hex), &writer)
            list("lost", report.lost, &writer)
            list("skipped", report.skipped, &writer)
            if let count = report.auditRecords { writer.member("auditRecords", count) }
            writer.member("sequence", report.sequence)
        }
    }

    package static func bytes(_ report: RestoreReport) -> [UInt8] {
        object { writer in
            writer.member("created", Timestamp.text(report.created))
            writer.member("archives", report.archives)
            writer.member("releases", report.releases)
            writer.member("tokens", report.tokens)
            list("missing", report.missing.map(\.hex), &writer)
            writer.member("unknown", report.unknown)
            if let count = report.auditRecords { writer.member("auditRecords", count) }
            writer.member("sequence", report.sequence)
        }
    }

    private static func write(_ affected: [AffectedRelease], _ writer: inout JSONWriter) {
        writer.key("affected")
        writer.array { writer in
            for release in affected {
                writer.object { writer in
                    writer.member("sha256", release.digest.hex)
                    writer.member("bundleIdentifier", release.bundleIdentifier)
                    writer.member("release", release.key)
                }
            }
        }
    }

    private static func object(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { members(&$0) }
        return writer.finish()
    }

    private static func list(_ name: String, _ texts: [String], _ writer: inout JSONWriter) {
        writer.key(name)
        writer.array { writer in for text in texts { writer.string(text) } }
    }
}
