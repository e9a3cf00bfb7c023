internal import WidgetBytes

// What is kept, what is taken up, and by which rules.

extension Registry {
    /// The reasons why a release stays, by the rule for its bundle; `nil` without a rule, and for a release that is gone.
    package func standing(of bundle: String, _ key: String) throws(RegistryError) -> RetentionStanding? {
        let policy = options.retention()
        guard let rule = policy.rule(for: bundle) else { return nil }
        let time = options.now
        return try catalog.read { catalog throws(RegistryError) in
            let (_, record) = try catalog.knownRelease(bundle, key)
            guard !record.isGone else { return nil }
            let history = try BundleHistory(ofBundle: record.bundle, rule, rollbacks: policy.rollbacks, in: catalog)
            return RetentionStanding(
                rule: rule, stays: rule.stays(record.candidate, in: history, at: time),
                waitsUntil: try catalog.retentionGuard().ends)
        }
    }

    /// The rules that are applied, and those that wait.
    package func retentionGuard() throws(RegistryError) -> RetentionGuard {
        try catalog.read { catalog throws(RegistryError) in try catalog.retentionGuard() }
    }

    /// The outcome that the present rules would have, if they are others than those that were applied last. If more than a
    /// share of all releases would go, their wait begins.
    package func reviewRetention() throws(RegistryError) -> RetentionReview? {
        let (policy, time) = (options.retention(), options.now)
        let text = policy.text
        let present = try retentionGuard()
        guard text != present.applied else {
            if present.pending != nil { try setGuard(RetentionGuard(applied: text)) }
            return nil
        }
        if text.isEmpty, present.isUnseen { return nil }
        let plan = try RetentionSize(afterNotice: policy, at: time, in: catalog)
        let all = try catalog.read { catalog throws(RegistryError) in try catalog.usage(within: .all).releases }
        var review = RetentionReview(text: text, count: plan.count, byteCount: plan.byteCount, all: all)
        let next = present.waiting(for: text, isLarge: plan.isLarge(of: all, after: present), at: time)
        // The collection applies them; until then they count as changed. It says nothing about rules where none are set.
        if next.pending != nil || text.isEmpty {
            try setGuard(next)
            review.waitsUntil = next.ends
        }
        return review
    }

    private func setGuard(_ next: RetentionGuard) throws(RegistryError) {
        try catalog.write { catalog, _ throws(RegistryError) in try catalog.setRetentionGuard(next) }
    }
}

/// The outcome that changed rules would have.
package struct RetentionReview: Equatable, Sendable {
    /// The rules; empty if all releases stay.
    package var text: String
    /// The releases that would expire, and the bytes of their archives.
    package var count: Int
    package var byteCount: Int
    /// The number of stored releases.
    package var all: Int
    /// The end of the wait, if they have to: seconds since 1970.
    package var waitsUntil: Int64?

    package init(text: String, count: Int, byteCount: Int, all: Int) {
        self.text = text
        self.count = count
        self.byteCount = byteCount
        self.all = all
    }
}

// MARK: Usage

/// The usage of a prefix.
package struct PrefixUsage: Equatable, Sendable {
    package var prefix: BundlePrefix
    package var stored: StoredUsage
    /// Within the last 24 hours.
    package var publications: Int
    /// Since 30 days ago: what came and is stored, and what was stored then and is gone.
    package var added: StoredUsage
    package var freed: StoredUsage
    package var quota: QuotaRule?
    /// The rule of this prefix, or of the next one around it that has one.
    package var retention: RetentionRule?

    /// The time of the growth, in seconds.
    package static let period: Int64 = 30 * 86_400
    /// The most rows of a table.
    package static let mostRows = 500
}

extension Registry {
    /// The usage of a prefix.
    package func usage(of prefix: BundlePrefix) throws(RegistryError) -> PrefixUsage {
        let (time, quotas, retention) = (options.now, options.quotas(), options.retention())
        return try catalog.read { catalog throws(RegistryError) in
            let moved = try catalog.movement(within: prefix, since: time.subtracting(PrefixUsage.period) ?? .min)
            return PrefixUsage(
                prefix: prefix, stored: try catalog.usage(within: prefix),
                publications: try catalog.publicationCount(
                    within: prefix, after: time.subtracting(QuotaPolicy.day) ?? .min, limit: .max),
                added: moved.added, freed: moved.freed, quota: quotas.rules.first { $0.prefix == prefix },
                retention: retention.rule(over: prefix))
        }
    }

    /// The prefixes of a table of what is taken up: those of settings and tokens, or the next labels below one.
    ///
    /// - Parameter prefix: the one whose parts are asked for; `nil`: the registry.
    package func usagePrefixes(below prefix: BundlePrefix?) throws(RegistryError) -> [BundlePrefix] {
        let start = prefix ?? .all
        var found: Set<BundlePrefix> = []
        if prefix == nil {
            found.formUnion(options.quotas().rules.map(\.prefix))
            found.formUnion(options.retention().rules.map(\.prefix))
            let tokens = try catalog.read { catalog throws(RegistryError) in try catalog.tokens() }
            found.formUnion(tokens.compactMap { $0.prefix.isEmpty ? nil : BundlePrefix($0.prefix) })
        }
        if found.subtracting([.all]).isEmpty {
            // Identifiers begin with the names of a country or kind and an owner.
            let labels = start.text.isEmpty ? 2 : start.text.utf8.split(separator: UInt8(ascii: ".")).count + 1
            found.formUnion(try parts(of: start, labels: labels))
        }
        found.remove(start)
        return [start] + found.sorted { $0.text < $1.text }.prefix(PrefixUsage.mostRows - 1)
    }

    private func parts(of start: BundlePrefix, labels: Int) throws(RegistryError) -> Set<BundlePrefix> {
        try catalog.read { catalog throws(RegistryError) in
            var found: Set<BundlePrefix> = []
            let range = start.range
            var last = range.from
            while found.count < PrefixUsage.mostRows {
                let next = try catalog.bundles(
                    BundleRange(from: last, besides: last, below: range.below, channel: nil, limit: 1))
                guard let identifier = next.first?.bundle.identifier else { break }
                last = identifier
                let part = identifier.split(separator: ".").prefix(labels).joined(separator: ".")
                guard let prefix = BundlePrefix(part) else { continue }
                found.insert(prefix)
                // Past all others below it. Beside a bundle that is called like its prefix, others may come first.
                if identifier != prefix.text { last = prefix.range.below }
            }
            return found
        }
    }
}
