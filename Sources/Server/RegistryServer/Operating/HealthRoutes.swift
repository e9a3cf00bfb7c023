internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetRegistry
internal import WidgetSurroundings

/// The routes of liveness, readiness and metrics.
struct HealthRoutes: Sendable {
    let readiness: ReadinessChecks
    let metrics: @Sendable () -> String
    private let work: WorkQueue

    init(readiness: ReadinessChecks, work: WorkQueue, metrics: @escaping @Sendable () -> String) {
        self.readiness = readiness
        self.work = work
        self.metrics = metrics
    }

    private static let never = FieldBlock(["Content-Type": "application/json", "Cache-Control": "no-store"])

    func live(_ request: borrowing Request) -> Answer {
        .response(Response(.ok, fields: HealthRoutes.never, body: HealthDocument().bytes))
    }

    func ready(_ request: borrowing Request) -> Answer {
        .later { [readiness] responder in
            readiness.run { responder.answer(HealthRoutes.answer($0)) }
        }
    }

    private static func answer(_ outcomes: [ReadinessChecks.Outcome]) -> Answer {
        let failures = outcomes.filter { $0.failure != nil }
        guard failures.isEmpty else {
            let code: ProblemCode = failures.first?.name == "accepting" ? .draining : .notReady
            let names = failures.map(\.name).joined(separator: ", ")
            var problem = ProblemCatalogue.problem(
                code, "Not passing: \(names).",
                [Problem.Member("errors", failures.map { .init(code: $0.name, detail: $0.failure ?? "") })])
            problem.fields.add("Retry-After", 1)
            return .problem(problem)
        }
        let document = ReadinessDocument(checks: outcomes.map { ($0.name, $0.trouble ?? "ok") })
        return .response(Response(.ok, fields: never, body: document.bytes))
    }

    func metricsText(_ request: borrowing Request) -> Answer { metricsAnswer() }

    func metricsAnswer() -> Answer {
        let fields = FieldBlock([
            "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store",
        ])
        return work.answer { [metrics] in .response(Response(.ok, fields: fields, body: Array(metrics().utf8))) }
    }
}

/// The document by which a registry introduces itself, made anew when its clock has moved on.
final class WellKnown: Sendable {
    private struct Edition {
        var second: Int64 = -1
        var resource: Resource?
    }

    private let description: @Sendable () -> RegistryDescription
    private let edition = Guarded(Edition())
    private let clock: any Clock

    init(_ clock: any Clock, _ description: @escaping @Sendable () -> RegistryDescription) {
        self.clock = clock
        self.description = description
    }

    func answer(_ request: borrowing Request) -> Answer {
        let second = clock.seconds
        let resource = edition.withLock { edition in
            if let resource = edition.resource, edition.second == second { return resource }
            let resource = write(second)
            edition = Edition(second: second, resource: resource)
            return resource
        }
        return .resource(resource)
    }

    private func write(_ second: Int64) -> Resource {
        let description = description()
        var document = WellKnownDocument()
        document.versions = ["v1"]
        document.server = description.server
        document.time = Timestamp.text(second)
        document.limits = NamedValues(description.limits.map { ($0.name, $0.value) })
        document.policy.keptFiles = description.keptFiles
        document.policy.isStrict = description.isStrict
        document.policy.snapshotChannels = description.snapshotChannels
        document.policy.protectedChannels = description.protectedChannels
        document.reads = description.reads
        document.publicURL = description.publicURL
        return Document.resource("application/json", document.bytes, .briefly)
    }
}

/// A registry's public description of itself at `/.well-known/widget-registry`.
package struct RegistryDescription: Sendable {
    package var server: String
    /// Names and values, in the order they are to be listed.
    package var limits: [(name: String, value: Int)]
    /// Patterns of the files a bundle may keep.
    package var keptFiles: [String]
    /// True if publishing is strict by default.
    package var isStrict: Bool
    package var snapshotChannels: [String]
    package var protectedChannels: [String]
    package var reads: String
    /// The address at which clients reach it, if it was set.
    package var publicURL: String?

    package init(
        server: String, limits: [(name: String, value: Int)], keptFiles: [String], isStrict: Bool = false,
        snapshotChannels: [String], protectedChannels: [String] = [], reads: String,
        publicURL: String? = nil
    ) {
        self.server = server
        self.limits = limits
        self.keptFiles = keptFiles
        self.isStrict = isStrict
        self.snapshotChannels = snapshotChannels
        self.protectedChannels = protectedChannels
        self.reads = reads
        self.publicURL = publicURL
    }
}

/// The registry's counters, in the text form Prometheus reads.
struct RegistryMetrics: Sendable {
    let registry: Registry
    let access: Access
    let audit: Audit
    let housekeeping: HousekeepingState
    let reading: Reading
    let outcomes: OutcomeDesk

    func write(to text: inout MetricsText) {
        audit.write(to: &text)
        outcomes.write(to: &text)
        writeLookups(&text)
        writeStore(&text)
        text.gauge(
            "widgetd_latest_change_tag", "The tag of the feed's last change.", UInt64(max(0, registry.latestTag)))
        text.gauge(
            "widgetd_damaged_archives",
            "Archives that reads have found damaged or gone, until they are whole again or their bundle changes.",
            UInt64(reading.answers.archives.damagedCount))
        text.gauge(
            "widgetd_store_trouble", "1 while the store of archives refuses, hangs or is another catalog's.",
            UInt64(registry.storeTrouble == nil ? 0 : 1))
        if let remote = registry.remoteBlobs { RegistryMetrics.write(remote, &text) }
        writeTokens(&text)
        writeUsage(&text)
        housekeeping.write(to: &text)
    }

    private func writeLookups(_ text: inout MetricsText) {
        text.declare(
            "widgetd_cache_lookups_total", "counter",
            "Reads by whether their answer was cached: documents, resolved widgets among them, and open archives.")
        for (name, lookups) in [("documents", reading.answers.lookups), ("archives", reading.answers.archives.lookups)]
        {
            text.sample("widgetd_cache_lookups_total", [("cache", name), ("outcome", "hit")], String(lookups.hits))
            text.sample("widgetd_cache_lookups_total", [("cache", name), ("outcome", "miss")], String(lookups.misses))
        }
    }

    private func writeStore(_ text: inout MetricsText) {
        let name = "widgetd_store_duration_seconds"
        text.declare(name, "histogram", "What the store waited for: placing archives, committing, comparing digests.")
        for step in StoreFigures.Step.allCases {
            let figures = registry.figures[step]
            let label = ("step", step.rawValue)
            for (bound, count) in zip(StoreFigures.bounds, figures.counts) {
                text.sample(name + "_bucket", [label, ("le", RegistryMetrics.seconds(bound))], String(count))
            }
            let total = figures.counts.last ?? 0
            text.sample(name + "_bucket", [label, ("le", "+Inf")], String(total))
            text.sample(name + "_sum", [label], RegistryMetrics.seconds(figures.sum))
            text.sample(name + "_count", [label], String(total))
        }
        text.declare("widgetd_store_failures_total", "counter", "Steps of the store that failed.")
        for step in StoreFigures.Step.allCases {
            text.sample(
                "widgetd_store_failures_total", [("step", step.rawValue)], String(registry.figures[step].failures))
        }
    }

    /// A store of archives that is elsewhere, and the copies here.
    private static func write(_ remote: RemoteBlobs, _ text: inout MetricsText) {
        text.declare(
            "widgetd_blob_requests_total", "counter",
            "Attempts at the store of archives by operation, and by whether it did it, said no, or was in trouble.")
        for (attempt, count) in remote.attempts.sorted(by: {
            ($0.key.operation, $0.key.outcome.rawValue) < ($1.key.operation, $1.key.outcome.rawValue)
        }) {
            text.sample(
                "widgetd_blob_requests_total",
                [("operation", attempt.operation), ("outcome", attempt.outcome.rawValue)], String(count))
        }
        text.gauge(
            "widgetd_blob_store_resting", "1 while the store of archives is left alone after failures.",
            UInt64(remote.trouble == nil ? 0 : 1))
        text.declare(
            "widgetd_blob_copy_lookups_total", "counter", "Archives opened, by whether a copy was on this machine.")
        text.sample("widgetd_blob_copy_lookups_total", [("outcome", "hit")], String(remote.hits))
        text.sample("widgetd_blob_copy_lookups_total", [("outcome", "miss")], String(remote.misses))
        text.gauge("widgetd_blob_copies", "Copies of archives on this machine.", UInt64(remote.copies.count))
        text.gauge("widgetd_blob_copies_bytes", "Their bytes.", UInt64(remote.copies.byteCount))
        text.gauge("widgetd_blob_copies_limit_bytes", "The most they may be.", UInt64(remote.copyByteLimit))
    }

    /// Only tokens that end: their names are few, and chosen by the owner.
    private func writeTokens(_ text: inout MetricsText) {
        let name = "widgetd_token_expiry_timestamp_seconds"
        text.declare(name, "gauge", "When each token that expires does so.")
        for token in access.knownTokens {
            guard let expires = token.expires else { continue }
            text.sample(name, [("token", token.name), ("number", String(token.number))], String(expires))
        }
    }

    /// Only prefixes with quotas: they are few, and chosen by the owner. A catalog that cannot be asked gives none.
    private func writeUsage(_ text: inout MetricsText) {
        let waiting = "widgetd_retention_waiting"
        text.declare(waiting, "gauge", "1 while changed rules of retention wait for a day, or for widgetd gc --yes.")
        // Without rules nothing is asked.
        var waits: Bool? = false
        if registry.hasPrefixRules { waits = try? registry.retentionGuard().pending != nil }
        if let waits { text.sample(waiting, [], waits ? "1" : "0") }
        let rows = (try? registry.limitedUsage()) ?? []
        let used = "widgetd_prefix_used"
        text.declare(used, "gauge", "What a prefix with a quota takes up: bytes, releases, publications within a day.")
        for row in rows {
            let amounts = [
                (QuotaMeasure.bytes, row.stored.bytes), (.releases, row.stored.releases),
                (.publications, row.publications),
            ]
            for (measure, amount) in amounts {
                text.sample(
                    used, [("prefix", row.rule.prefix.description), ("measure", measure.rawValue)], String(amount))
            }
        }
        let limit = "widgetd_prefix_limit"
        text.declare(limit, "gauge", "The quota of a prefix, of what it limits.")
        for rule in rows.map(\.rule) {
            for measure in QuotaMeasure.allCases {
                guard let bound = rule[measure] else { continue }
                text.sample(
                    limit, [("prefix", rule.prefix.description), ("measure", measure.rawValue)], String(bound))
            }
        }
    }

    private static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return MetricsText.seconds(
            UInt64(max(0, seconds)) &* 1_000_000_000 &+ UInt64(max(0, attoseconds / 1_000_000_000)))
    }
}
