internal import WidgetBytes

/// Sums of what prefixes take up, kept for a while for pages and figures that are asked for often.
struct KeptUsage: Sendable {
    fileprivate var quotas = QuotaPolicy()
    fileprivate var retention = RetentionPolicy()
    fileprivate var prefixes: (list: [BundlePrefix], at: Int64)?
    fileprivate var rows: [BundlePrefix: (row: PrefixUsage, at: Int64)] = [:]
    fileprivate var limited: (rows: [LimitedUsage], at: Int64)?

    init() {}

    /// Sums that are older are made anew. A clock that was set back ends them.
    fileprivate static func counts(_ then: Int64, at now: Int64) -> Bool {
        now.subtracting(then).map { (0..<PrefixUsage.freshness).contains($0) } ?? false
    }
}

/// The usage of a prefix with a quota, of what the quota limits.
package struct LimitedUsage: Equatable, Sendable {
    package var rule: QuotaRule
    package var stored: StoredUsage
    package var publications: Int
}

extension PrefixUsage {
    /// The longest time in seconds for which a sum is shown again.
    package static let freshness: Int64 = 60
    /// The most rows of the table on a page; `widgetd usage` has more.
    package static let mostRowsOfPage = 50
}

extension Registry {
    /// True if rules of retention or of quotas are set; otherwise nothing is summed but for the owner's command.
    package var hasPrefixRules: Bool { !options.quotas().rules.isEmpty || !options.retention().active.isEmpty }

    /// The usage of the prefixes of the table that a page shows, some of it up to a minute old. Each is summed once a minute
    /// at most, by one caller, and the others wait for it.
    package func keptUsage(where isWanted: (BundlePrefix) -> Bool) throws(RegistryError) -> [PrefixUsage] {
        let now = options.now
        return try usageBook.withLock { kept throws(RegistryError) in
            begin(&kept)
            if kept.prefixes.map({ KeptUsage.counts($0.at, at: now) }) != true {
                kept.prefixes = (try usagePrefixes(below: nil), now)
                kept.rows = kept.rows.filter { KeptUsage.counts($0.value.at, at: now) }
            }
            var rows: [PrefixUsage] = []
            for prefix in (kept.prefixes?.list ?? []).filter(isWanted).prefix(PrefixUsage.mostRowsOfPage) {
                if let known = kept.rows[prefix], KeptUsage.counts(known.at, at: now) {
                    rows.append(known.row)
                } else {
                    let row = try usage(of: prefix)
                    kept.rows[prefix] = (row, now)
                    rows.append(row)
                }
            }
            return rows
        }
    }

    /// The usage of each prefix with a quota, up to a minute old.
    package func limitedUsage() throws(RegistryError) -> [LimitedUsage] {
        let (now, rules) = (options.now, options.quotas().rules)
        guard !rules.isEmpty else { return [] }
        return try usageBook.withLock { kept throws(RegistryError) in
            begin(&kept)
            if let known = kept.limited, KeptUsage.counts(known.at, at: now) { return known.rows }
            let day = now.subtracting(QuotaPolicy.day) ?? .min
            let rows = try catalog.read { catalog throws(RegistryError) in
                var rows: [LimitedUsage] = []
                for rule in rules {
                    // One past the limit says that it is exceeded.
                    let most = rule.publications?.adding(1) ?? .max
                    let count = try catalog.publicationCount(within: rule.prefix, after: day, limit: most)
                    rows.append(
                        LimitedUsage(rule: rule, stored: try catalog.usage(within: rule.prefix), publications: count))
                }
                return rows
            }
            kept.limited = (rows, now)
            return rows
        }
    }

    /// The prefixes with a quota.
    package var limitedPrefixes: Set<BundlePrefix> { Set(options.quotas().rules.map(\.prefix)) }

    /// Counts anew what programs of an earlier version have stored or removed, some bundles at a time: after an upgrade of
    /// replicas that is all there is.
    package func recountUsage() throws(RegistryError) {
        let numbers = try catalog.read { catalog throws(RegistryError) in try catalog.bundleNumbers() }
        for start in stride(from: 0, to: numbers.count, by: Registry.recounted) {
            let (first, last) = (numbers[start], numbers[min(start + Registry.recounted, numbers.count) - 1])
            let bundles = try catalog.read { catalog throws(RegistryError) in
                try catalog.miscountedBundles(from: first, through: last)
            }
            for bundle in bundles {
                try catalog.write { catalog, _ throws(RegistryError) in try catalog.recount(bundle) }
            }
        }
    }

    private static let recounted = 100

    /// Ends what was kept under other rules.
    private func begin(_ kept: inout KeptUsage) {
        let (quotas, retention) = (options.quotas(), options.retention())
        guard kept.quotas != quotas || kept.retention != retention else { return }
        kept = KeptUsage()
        (kept.quotas, kept.retention) = (quotas, retention)
    }
}
