internal import HTTPServer
internal import Registry

/// What the registry counts, in the text form Prometheus reads.
struct RegistryMetrics: Sendable {
    let registry: Registry
    let access: Access
    let audit: Audit
    let housekeeping: HousekeepingState
    let reading: Reading

    func write(to text: inout MetricsText) {
        audit.write(to: &text)
        writeLookups(&text)
        writeStore(&text)
        text.gauge(
            "widgetd_latest_change_tag", "The tag of the feed's last change.", UInt64(max(0, registry.latestTag)))
        text.gauge(
            "widgetd_damaged_archives",
            "Archives that reads have found damaged or gone, until they are whole again or their bundle changes.",
            UInt64(reading.answers.archives.damagedCount))
        writeTokens(&text)
        housekeeping.write(to: &text)
    }

    private func writeLookups(_ text: inout MetricsText) {
        text.declare(
            "widgetd_cache_lookups_total", "counter",
            "Reads by whether their answer was at hand: documents, resolved widgets among them, and open archives.")
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

    /// Only tokens that end: their names are few, and chosen by the owner.
    private func writeTokens(_ text: inout MetricsText) {
        let name = "widgetd_token_expiry_timestamp_seconds"
        text.declare(name, "gauge", "When each token that expires does so.")
        for token in access.knownTokens {
            guard let expires = token.expires else { continue }
            text.sample(name, [("token", token.name), ("number", String(token.number))], String(expires))
        }
    }

    private static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return MetricsText.seconds(
            UInt64(max(0, seconds)) &* 1_000_000_000 &+ UInt64(max(0, attoseconds / 1_000_000_000)))
    }
}
