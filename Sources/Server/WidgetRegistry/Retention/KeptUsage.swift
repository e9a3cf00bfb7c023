internal import WidgetBytes

/// Sums of what prefixes take up, kept for a while for pages and figures that are asked for often.
struct KeptUsage: Sendable {
    fileprivate var quotas = QuotaPolicy()
    fileprivate var retention = RetentionPolicy()
    /// Rises with each change of the rules.
    fileprivate var edition = 0
    fileprivate var prefixes = Sum<[BundlePrefix]>()
    fileprivate var rows: [BundlePrefix: Sum<PrefixUsage>] = [:]
    fileprivate var limited = Sum<[LimitedUsage]>()

    init() {}

    fileprivate subscript(row prefix: BundlePrefix) -> Sum<PrefixUsage> {
        get { rows[prefix] ?? Sum() }
        set { rows[prefix] = newValue }
    }

    /// A sum with its age, or the failure of its last attempt.
    fileprivate struct Sum<Value: Sendable>: Sendable {
        var known: (value: Value, at: Int64)?
        var failure: (error: RegistryError, at: Int64)?
        /// True while a caller makes it anew.
        var isUnderWay = false

        /// The value to show; `nil` if it has to be made.
        func shown(at now: Int64) throws(RegistryError) -> Value? {
            if let known, isUnderWay || KeptUsage.counts(known.at, at: now, for: PrefixUsage.freshness) {
                return known.value
            }
            if let failure, KeptUsage.counts(failure.at, at: now, for: PrefixUsage.pause) { throw failure.error }
            return nil
        }
    }

    /// A clock that was set back ends what is kept.
    private static func counts(_ then: Int64, at now: Int64, for seconds: Int64) -> Bool {
        now.subtracting(then).map { (0..<seconds).contains($0) } ?? false
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
    /// The seconds after a failure in which no caller tries again.
    package static let pause: Int64 = 5
    /// The most rows of the table on a page; `widgetd usage` has more.
    package static let mostRowsOfPage = 50
}

extension Registry {
    /// True if rules of retention or of quotas are set; otherwise nothing is summed but for the owner's command.
    package var hasPrefixRules: Bool { !options.quotas().rules.isEmpty || !options.retention().active.isEmpty }

    /// The usage of the prefixes of the table that a page shows, some of it up to a minute old. While a caller makes a sum anew,
    /// the others get the one from before.
    package func keptUsage(where isWanted: (BundlePrefix) -> Bool) throws(RegistryError) -> [PrefixUsage] {
        let prefixes = try kept(\.prefixes) { () throws(RegistryError) in
            let found = try usagePrefixes(below: nil)
            let names = Set(found)
            usageBook.withLock { kept in kept.rows = kept.rows.filter { names.contains($0.key) } }
            return found
        }
        var rows: [PrefixUsage] = []
        for prefix in prefixes.filter(isWanted).prefix(PrefixUsage.mostRowsOfPage) {
            rows.append(try kept(\.[row: prefix]) { () throws(RegistryError) in try usage(of: prefix) })
        }
        return rows
    }

    /// The usage of each prefix with a quota, up to a minute old.
    package func limitedUsage() throws(RegistryError) -> [LimitedUsage] {
        let (now, rules) = (options.now, options.quotas().rules)
        guard !rules.isEmpty else { return [] }
        let day = now.subtracting(QuotaPolicy.day) ?? .min
        return try kept(\.limited) { () throws(RegistryError) in
            try catalog.read { catalog throws(RegistryError) in
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
        }
    }

    /// Returns a sum that is kept, or makes it without a lock.
    private func kept<Value: Sendable>(
        _ place: WritableKeyPath<KeptUsage, KeptUsage.Sum<Value>>, sum: () throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        let now = options.now
        let (shown, edition) = try usageBook.withLock { kept throws(RegistryError) -> (Value?, Int) in
            begin(&kept)
            let shown = try kept[keyPath: place].shown(at: now)
            if shown == nil { kept[keyPath: place].isUnderWay = true }
            return (shown, kept.edition)
        }
        if let shown { return shown }
        let outcome = Result { () throws(RegistryError) in try sum() }
        usageBook.withLock { kept in
            // Under other rules the sum is another one.
            guard kept.edition == edition else { return }
            kept[keyPath: place].isUnderWay = false
            switch outcome {
            case .success(let value):
                kept[keyPath: place].known = (value, now)
                kept[keyPath: place].failure = nil
            case .failure(let error): kept[keyPath: place].failure = (error, now)
            }
        }
        return try outcome.get()
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
        let edition = kept.edition + 1
        kept = KeptUsage()
        (kept.quotas, kept.retention, kept.edition) = (quotas, retention, edition)
    }
}
