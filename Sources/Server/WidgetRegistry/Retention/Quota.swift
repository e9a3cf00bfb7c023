internal import WidgetBytes

/// The operator's limits for the bundles of a prefix together.
package struct QuotaRule: Equatable, Sendable, CustomStringConvertible {
    package var prefix: BundlePrefix
    /// `nil`: no limit, as with the others.
    package var bytes: Int?
    package var releases: Int?
    /// Within any 24 hours.
    package var publications: Int?

    package init(_ prefix: BundlePrefix, bytes: Int? = nil, releases: Int? = nil, publications: Int? = nil) {
        self.prefix = prefix
        self.bytes = bytes
        self.releases = releases
        self.publications = publications
    }

    package subscript(_ measure: QuotaMeasure) -> Int? {
        switch measure {
        case .bytes: bytes
        case .releases: releases
        case .publications: publications
        }
    }

    /// As operators write it.
    package var description: String {
        ([prefix.description]
            + QuotaMeasure.allCases.compactMap { measure in
                self[measure].map { "\(measure.rawValue)=\(measure == .bytes ? QuotaRule.size($0) : String($0))" }
            }).joined(separator: " ")
    }

    /// Bytes in the largest unit that leaves no rest.
    package static func size(_ bytes: Int) -> String {
        for (unit, shift) in [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)]
        where bytes > 0 && bytes & ((1 << shift) - 1) == 0 {
            return "\(bytes >> shift)\(unit)"
        }
        return String(bytes)
    }
}

/// Something that a quota limits.
package enum QuotaMeasure: String, CaseIterable, Sendable { case bytes, releases, publications }

/// The operator's limits. Without a rule, a prefix takes what the disk has.
package struct QuotaPolicy: Equatable, Sendable {
    /// Each for another prefix. A bundle counts for every prefix that covers it.
    package var rules: [QuotaRule]

    package init(_ rules: [QuotaRule] = []) { self.rules = rules }

    /// The seconds in which publications are counted.
    package static let day: Int64 = 86_400
    /// The share of a limit in percent from which publishers get a note.
    package static let nearPercent = 80

    /// The rules that a bundle counts for, that of the longest prefix first.
    package func covering(_ bundle: String) -> [QuotaRule] {
        rules.filter { $0.prefix.covers(bundle) }.sorted { $0.prefix.text.utf8.count > $1.prefix.text.utf8.count }
    }
}

/// A quota that a publication would exceed.
package struct QuotaBreach: Equatable, Sendable {
    package var prefix: BundlePrefix
    package var measure: QuotaMeasure
    package var limit: Int
    package var used: Int
    /// The amount that the publication would add.
    package var added: Int
    /// When the publications of a day leave room for one: seconds since 1970.
    package var next: Int64?
    /// The bundles of the prefix that take up most, of those that the publisher may see.
    package var bundles: [BundleUsage] = []
    /// Of the releases of these that were published first: those that no channel shows and that are not withdrawn.
    package var unshown = StoredUsage()
    /// Likewise those that are withdrawn and can still be restored.
    package var withdrawn = StoredUsage()

    package init(_ rule: QuotaRule, _ measure: QuotaMeasure, limit: Int, used: Int, added: Int) {
        prefix = rule.prefix
        self.measure = measure
        self.limit = limit
        self.used = used
        self.added = added
    }

    /// The most bundles that a refusal names, and the most of which it reads the releases.
    static let mostBundles = 10
    static let mostRead = 3
    static let mostReleases = 500
}

/// The decision about quotas: it refuses a publication, or gives notes about limits that are near.
struct QuotaCheck {
    let catalog: any CatalogReader
    let time: Int64
    /// True for a bundle that the publisher may see.
    let sees: @Sendable (String) -> Bool

    /// - Parameter added: what the publication would add to what is stored.
    /// - Returns: a sentence for each limit that is near.
    func notes(
        about bundle: String, _ quotas: QuotaPolicy, adding added: StoredUsage
    ) throws(RegistryError) -> [String] {
        var notes: [String] = []
        for rule in quotas.covering(bundle) {
            let usage = try catalog.usage(within: rule.prefix)
            for measure in QuotaMeasure.allCases {
                guard let limit = rule[measure] else { continue }
                let (used, more) = try amount(measure, rule, usage, added, limit)
                guard let sum = used.adding(more), sum <= limit else {
                    throw .quotaExceeded(try breach(rule, measure, limit: limit, used: used, added: more))
                }
                let (nears, isFar) = limit.multipliedReportingOverflow(by: QuotaPolicy.nearPercent)
                let share = isFar ? limit / 100 * QuotaPolicy.nearPercent : nears / 100 + (nears % 100).signum()
                if more > 0, sum >= share { notes.append(QuotaCheck.note(rule, measure, sum, limit)) }
            }
        }
        return notes
    }

    private func amount(
        _ measure: QuotaMeasure, _ rule: QuotaRule, _ usage: StoredUsage, _ added: StoredUsage, _ limit: Int
    ) throws(RegistryError) -> (used: Int, added: Int) {
        switch measure {
        case .bytes: return (usage.bytes, added.bytes)
        case .releases: return (usage.releases, added.releases)
        case .publications:
            let count = try catalog.publicationCount(
                within: rule.prefix, after: time.subtracting(QuotaPolicy.day) ?? .min, limit: limit)
            return (count, 1)
        }
    }

    private static func note(_ rule: QuotaRule, _ measure: QuotaMeasure, _ sum: Int, _ limit: Int) -> String {
        let of = rule.prefix.text.isEmpty ? "the registry" : rule.prefix.text
        let percent = limit == 0 ? 100 : Int(Double(sum) / Double(limit) * 100)
        return switch measure {
        case .bytes:
            "\(of) takes up \(sum) of the \(limit) bytes that its quota allows (\(percent) %); withdraw what no host needs, "
                + "or ask the operator"
        case .releases:
            "\(of) has \(sum) of the \(limit) releases that its quota allows (\(percent) %); withdraw what no host needs, or "
                + "ask the operator"
        case .publications:
            "\(of) has \(sum) of the \(limit) publications that its quota allows within a day (\(percent) %)"
        }
    }

    private func breach(
        _ rule: QuotaRule, _ measure: QuotaMeasure, limit: Int, used: Int, added: Int
    ) throws(RegistryError) -> QuotaBreach {
        var breach = QuotaBreach(rule, measure, limit: limit, used: used, added: added)
        if measure == .publications {
            let begin = time.subtracting(QuotaPolicy.day) ?? .min
            // Counting ended at the limit, so this is the one whose end leaves room; it is late if there were more.
            let last = try catalog.publication(within: rule.prefix, after: begin, fromLast: limit)
            breach.next = last?.adding(QuotaPolicy.day)
            return breach
        }
        let largest = try catalog.largestBundles(
            within: rule.prefix, by: measure, limit: QuotaBreach.mostReleases)
        breach.bundles = Array(largest.filter { sees($0.bundle.identifier) }.prefix(QuotaBreach.mostBundles))
        for bundle in breach.bundles.prefix(QuotaBreach.mostRead) {
            let shown = try catalog.channels(ofBundle: bundle.bundle.id).flatMap(\.state.all)
            for release in try catalog.storedReleases(ofBundle: bundle.bundle.id, limit: QuotaBreach.mostReleases) {
                if release.isGone {
                    breach.withdrawn.add(release)
                } else if !shown.contains(release.id) {
                    breach.unshown.add(release)
                }
            }
        }
        return breach
    }
}

extension StoredUsage {
    fileprivate mutating func add(_ record: ReleaseRecord) {
        releases += 1
        bytes = bytes.adding(record.release.byteCount) ?? .max
    }
}
