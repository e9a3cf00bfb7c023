package import RegistryContract
internal import WidgetBytes

/// The number of devices that have reported the same of a release on one channel and day.
package struct OutcomeCount: Equatable, Sendable {
    package var channel: String
    /// Days since 1970 in UTC, as the registry's clock has them.
    package var day: Int64
    package var outcome: DeviceOutcome
    /// `nil` for an outcome that is not a failure.
    package var reason: OutcomeReason?
    package var count: Int64

    package init(_ outcome: DeviceOutcome, _ reason: OutcomeReason?, on channel: String, _ day: Int64, count: Int64) {
        self.channel = channel
        self.day = day
        self.outcome = outcome
        self.reason = reason
        self.count = count
    }
}

/// A release, and what hosts have reported of it.
package struct ReleaseOutcomes: Sendable {
    package var release: Release
    package var counts: [OutcomeCount]
}

/// An outcome as it was sent about a widget, which the catalog has not been asked about.
package struct SentOutcome: Hashable, Sendable {
    package var widget: WidgetIdentifier
    package var release: String
    package var channel: String
    package var outcome: DeviceOutcome
    package var reason: OutcomeReason?
    package var day: Int64
    /// The bundles of the sender's token, as a prefix of whole labels; empty for all.
    package var prefix: String

    /// - Returns: `nil` for an outcome that is not understood.
    package init?(_ report: OutcomeReport, of widget: WidgetIdentifier, on day: Int64, prefix: String) {
        guard let (outcome, reason) = report.understood else { return nil }
        self.widget = widget
        release = report.release
        channel = report.channel
        self.outcome = outcome
        self.reason = reason
        self.day = day
        self.prefix = prefix
    }
}

/// Outcomes that are to be added to the counts of releases, by the releases' numbers.
package struct OutcomeTally: Sendable {
    private struct Key: Hashable {
        var release: Int64
        var channel: String
        var day: Int64
        var outcome: DeviceOutcome
        var reason: OutcomeReason?
    }

    private var counts: [Key: Int64] = [:]

    package init() {}

    package var isEmpty: Bool { counts.isEmpty }

    /// The number of rows that it has.
    package var rowCount: Int { counts.count }

    /// The outcomes of all rows.
    package var total: Int64 { counts.values.reduce(0) { $0.addingReportingOverflow($1).partialValue } }

    package mutating func add(_ sent: SentOutcome, ofRelease release: Int64, _ count: Int64) {
        let key = Key(
            release: release, channel: sent.channel, day: sent.day, outcome: sent.outcome, reason: sent.reason)
        counts[key] = counts[key, default: 0].adding(count) ?? .max
    }

    /// Keeps a part of each row.
    package mutating func keep(_ part: (_ release: Int64, _ count: Int64) -> Int64) {
        for (key, count) in counts {
            let kept = part(key.release, count)
            counts[key] = kept > 0 ? kept : nil
        }
    }

    package mutating func add(_ other: OutcomeTally) {
        counts.merge(other.counts) { $0.adding($1) ?? .max }
    }

    /// In an order that two replicas share, so that neither waits for the other's rows.
    var rows: [(release: Int64, counts: [OutcomeCount])] {
        var byRelease: [Int64: [OutcomeCount]] = [:]
        for (key, count) in counts {
            byRelease[key.release, default: []].append(
                OutcomeCount(key.outcome, key.reason, on: key.channel, key.day, count: count))
        }
        return byRelease.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted(by: OutcomeTally.precedes)) }
    }

    private static func precedes(_ one: OutcomeCount, _ other: OutcomeCount) -> Bool {
        (one.day, one.channel, one.outcome.rawValue, one.reason?.rawValue ?? "")
            < (other.day, other.channel, other.outcome.rawValue, other.reason?.rawValue ?? "")
    }
}

extension Registry {
    /// The days for which counts are kept, today included.
    package static let outcomeDays: Int64 = 90

    /// Days since 1970 in UTC.
    package var today: Int64 { options.now / 86_400 }

    /// The counts of a release within the days that are kept, of a withdrawn one too.
    package func outcomes(_ bundle: String, _ key: String) throws(RegistryError) -> ReleaseOutcomes {
        let first = today - Registry.outcomeDays + 1
        return try catalog.read { catalog throws(RegistryError) in
            let (release, record) = try catalog.knownRelease(bundle, key)
            return ReleaseOutcomes(
                release: release, counts: try catalog.outcomes(ofRelease: record.id, since: first))
        }
    }

    /// Finds the releases that outcomes are about. Those of releases that were never on the channel are left out, so that
    /// requests cannot make more rows than there were steps of channels.
    ///
    /// - Parameters:
    ///   - sent: outcomes, each with its number.
    ///   - places: those known from earlier calls.
    package func tally(
        _ sent: [SentOutcome: Int64], knowing places: inout OutcomePlaces
    ) throws(RegistryError) -> FoundOutcomes {
        guard !sent.isEmpty else { return FoundOutcomes() }
        return try catalog.read { catalog throws(RegistryError) in
            var found = FoundOutcomes()
            found.isAfterChange = try places.begin(catalog)
            for (one, count) in sent {
                switch try places.find(one, in: catalog) {
                case .later: found.rest[one] = count
                case .nowhere: found.unknown += count
                case .release(let release):
                    found.here.append(one)
                    found.tally.add(one, ofRelease: release, count)
                }
            }
            return found
        }
    }

    /// Adds a tally to the counts, all of it or nothing.
    package func add(_ tally: OutcomeTally) throws(RegistryError) {
        let rows = tally.rows
        guard !rows.isEmpty else { return }
        try catalog.write { catalog, _ throws(RegistryError) in
            for (release, counts) in rows { try catalog.add(counts, toRelease: release) }
        }
    }

    /// Removes the counts of days that are over.
    func removeEndedOutcomes() throws(RegistryError) {
        let first = today - Registry.outcomeDays + 1
        try catalog.write { catalog, _ throws(RegistryError) in try catalog.removeOutcomes(before: first) }
    }
}

/// Outcomes by the releases that they are about.
package struct FoundOutcomes: Sendable {
    package var tally = OutcomeTally()
    /// Those whose releases are here.
    package var here: [SentOutcome] = []
    /// True if the registry has changed since the call before.
    package var isAfterChange = false
    /// The number of outcomes that are about nothing which is here.
    package var unknown: Int64 = 0
    /// Those that the catalog was not asked about, because it was asked enough.
    package var rest: [SentOutcome: Int64] = [:]

    init() {}
}
