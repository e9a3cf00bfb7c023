internal import WidgetBytes

/// The releases that a collection of garbage lets expire by the operator's rules, in progress.
struct Expiring {
    private let registry: Registry
    private let policy: RetentionPolicy
    private let time: Int64
    private(set) var report: ExpiryReport
    /// The releases that would have expired, in a dry run.
    private(set) var rehearsed: Set<Int64> = []

    init(_ registry: Registry, isDryRun: Bool) {
        self.registry = registry
        policy = registry.options.retention()
        time = registry.options.now
        report = ExpiryReport(isDryRun: isDryRun)
    }

    /// - Parameter isConfirmed: true if the owner has said that changed rules are meant.
    mutating func run(isConfirmed: Bool) throws(RegistryError) {
        report.releases = try registry.catalog.read { catalog throws(RegistryError) in
            try catalog.usage(within: .all).releases
        }
        let plan = try RetentionPlan(policy, at: time, in: registry.catalog)
        report.waitsUntil = try endOfWait(isConfirmed: isConfirmed)
        if report.isDryRun {
            for bundle in plan.bundles {
                let going = try registry.catalog.read { catalog throws(RegistryError) in
                    try RetentionPlan.going(bundle.name, bundle.rule, policy, at: time, in: catalog)
                }
                note(going.going, of: bundle, frees: going.frees)
                rehearsed.formUnion(going.going.map(\.id))
            }
        } else if report.waitsUntil == nil {
            for bundle in plan.bundles { try expire(bundle) }
        }
    }

    // MARK: Changed rules

    /// Rules that were changed, and by which more than a share of all releases would go, wait for a day or for their owner's
    /// word.
    ///
    /// - Returns: the end of the wait; `nil` without one.
    private func endOfWait(isConfirmed: Bool) throws(RegistryError) -> Int64? {
        let (text, time, isDryRun) = (policy.text, time, report.isDryRun)
        let known = try registry.retentionGuard()
        var isLarge = false
        if !isConfirmed, text != known.applied {
            let change = try RetentionPlan(afterNotice: policy, at: time, in: registry.catalog)
            isLarge = change.isLarge(of: report.releases, after: known)
        }
        let waits: @Sendable (RetentionGuard) -> RetentionGuard = { [isLarge] present in
            present.waiting(for: text, isLarge: isLarge, at: time)
        }
        if isDryRun { return waits(known).ends }
        return try registry.catalog.write { catalog, _ throws(RegistryError) in
            let present = try catalog.retentionGuard()
            let next = waits(present)
            if next != present { try catalog.setRetentionGuard(next) }
            return next.ends
        }
    }

    // MARK: Releases

    /// The most releases of one transaction. Publishers of their archives wait for it.
    private static let batch = 32

    private mutating func expire(_ bundle: RetentionPlan.Bundle) throws(RegistryError) {
        let found = try registry.catalog.read { catalog throws(RegistryError) in
            try RetentionPlan.going(bundle.name, bundle.rule, policy, at: time, in: catalog)
        }
        var rest = found.going[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Expiring.batch))
            rest = rest.dropFirst(Expiring.batch)
            let gone = Set(try expire(batch, of: bundle))
            note(batch.filter { gone.contains($0.id) }, of: bundle, frees: found.frees)
        }
    }

    /// Lets releases expire, those that nothing keeps when it is their turn. The notes come first, as with a
    /// withdrawal: so a crash leaves a note too many, which the next collection removes.
    ///
    /// - Returns: those that have expired.
    private func expire(
        _ batch: [BundleHistory.Candidate], of bundle: RetentionPlan.Bundle
    ) throws(RegistryError) -> [Int64] {
        let (registry, policy, time) = (registry, policy, time)
        let expiry = Expiry(at: time, rule: bundle.rule.description)
        return try registry.publishing.withLocks(for: batch.map(\.digest)) { () throws(RegistryError) in
            var notes: [Int64: StoredNote] = [:]
            for candidate in batch {
                let record = try registry.catalog.read { catalog throws(RegistryError) in
                    try catalog.release(candidate.id)
                }
                // It has ended otherwise since, or was given another archive.
                guard !record.isGone, record.digest == candidate.digest else { continue }
                let release = record.release(of: bundle.name.identifier, shownBy: [])
                notes[record.id] = Tombstone(release: release.asNoted, expiry: expiry).note
            }
            do throws(RegistryError) {
                for note in notes.values { try registry.blobs.put(note) }
                let noted = notes.mapValues(\.item)
                let gone = try registry.catalog.write {
                    [blobs = registry.blobs] catalog, changes throws(RegistryError) in
                    guard try blobs.holds(Array(noted.values), in: catalog) else {
                        throw .unreachable("the notes of expired releases were collected as they were made")
                    }
                    return try catalog.expire(noted.keys.sorted(), of: bundle, policy, expiry, &changes)
                }
                registry.blobs.takeBack(noted.filter { !gone.contains($0.key) }.map(\.value))
                return gone
            } catch {
                // If the disk failed, the releases may be found expired after a restart, and their notes must be there.
                if case .database = error { throw error }
                registry.blobs.takeBack(notes.values.map(\.item))
                throw error
            }
        }
    }

    private mutating func note(
        _ gone: [BundleHistory.Candidate], of bundle: RetentionPlan.Bundle, frees: Set<Int64>
    ) {
        for release in gone {
            let bytes = frees.contains(release.id) ? release.byteCount : 0
            report.note(bundle.name.identifier, release.key, bundle.rule.description, bytes)
        }
    }
}

extension CatalogEditor {
    /// Lets those of the releases expire that nothing keeps now.
    fileprivate func expire(
        _ releases: [Int64], of bundle: RetentionPlan.Bundle, _ policy: RetentionPolicy, _ expiry: Expiry,
        _ changes: inout [RegistryChange]
    ) throws(RegistryError) -> [Int64] {
        // Decided again: other callers have written since.
        let going = try RetentionPlan.going(bundle.name, bundle.rule, policy, at: expiry.at, in: self).going
        let gone = releases.filter { id in going.contains { $0.id == id } }
        for id in gone {
            let record = try release(id)
            try setExpiry(expiry, of: id)
            try removeDocuments(of: id, at: expiry.at)
            changes.append(
                try append(
                    RegistryChange(
                        tag: 0, at: expiry.at, kind: .expire, bundleIdentifier: bundle.name.identifier,
                        release: record.key, by: Retention.author)))
            var act = AuditRecord(
                .expire, by: Author(Retention.author), at: expiry.at, on: record, of: bundle.name.identifier)
            act.remark = expiry.rule
            _ = try insert(act)
        }
        if !gone.isEmpty { try refresh(bundle.name.id) }
        return gone
    }
}

extension RetentionGuard {
    /// The state after rules were seen.
    ///
    /// - Parameter isLarge: true if they are to wait where they were changed.
    func waiting(for text: String, isLarge: Bool, at time: Int64) -> RetentionGuard {
        if text == applied { return RetentionGuard(applied: applied) }
        guard isLarge else { return RetentionGuard(applied: text) }
        guard pending == text, let passed = time.subtracting(since), passed >= 0 else {
            return RetentionGuard(applied: applied, pending: text, since: time)
        }
        return passed < RetentionGuard.wait ? self : RetentionGuard(applied: text)
    }
}

/// The bundles of which releases would expire at one time.
struct RetentionPlan {
    struct Bundle: Sendable {
        var name: BundleName
        var rule: RetentionRule
        var count: Int
    }

    private(set) var bundles: [Bundle] = []
    var count: Int { bundles.reduce(0) { $0 + $1.count } }

    /// The bytes of the archives that no other release of their bundle has.
    private(set) var byteCount = 0

    private static let pageLength = 200

    init(_ policy: RetentionPolicy, at time: Int64, in catalog: any ReleaseCatalog) throws(RegistryError) {
        guard !policy.active.isEmpty else { return }
        var last = ""
        while true {
            let from = last
            let page = try catalog.read { catalog throws(RegistryError) in
                try catalog.bundles(
                    BundleRange(from: from, besides: from, below: "~", channel: nil, limit: RetentionPlan.pageLength))
            }
            guard let end = page.last else { return }
            last = end.bundle.identifier
            for (bundle, _) in page {
                guard let rule = policy.rule(for: bundle.identifier) else { continue }
                let found = try catalog.read { catalog throws(RegistryError) in
                    try RetentionPlan.going(bundle.reference, rule, policy, at: time, in: catalog)
                }
                guard !found.going.isEmpty else { continue }
                bundles.append(Bundle(name: bundle.reference, rule: rule, count: found.going.count))
                for release in found.going where found.frees.contains(release.id) { byteCount += release.byteCount }
            }
        }
    }

    /// The releases that would expire once the day is over within which hosts may still ask for them. The size of a change is
    /// judged by them: just after an upgrade, or a busy day, that day keeps almost all.
    init(
        afterNotice policy: RetentionPolicy, at time: Int64, in catalog: any ReleaseCatalog
    ) throws(RegistryError) {
        try self.init(policy, at: time.adding(RetentionRule.notice) ?? time, in: catalog)
    }

    /// True if more than a share of all releases would go, or any of a catalog that was restored or made anew.
    func isLarge(of all: Int, after present: RetentionGuard) -> Bool {
        count > (present.isUnseen ? 0 : all / RetentionGuard.share)
    }

    /// The releases of a bundle that nothing keeps, and those of them by whose end an archive is free.
    static func going(
        _ bundle: BundleName, _ rule: RetentionRule, _ policy: RetentionPolicy, at time: Int64,
        in catalog: any CatalogReader
    ) throws(RegistryError) -> (going: [BundleHistory.Candidate], frees: Set<Int64>) {
        let history = try BundleHistory(ofBundle: bundle.id, rollbacks: policy.rollbacks, in: catalog)
        let stays = rule.stays(of: history, rollbacks: policy.rollbacks, at: time)
        var kept = Set(history.releases.filter { stays[$0.id]?.isEmpty == false }.map(\.digest))
        let going = history.releases.filter { stays[$0.id]?.isEmpty == true }
        var frees: Set<Int64> = []
        for release in going where kept.insert(release.digest).inserted { frees.insert(release.id) }
        // The oldest first, as they came.
        return (going.reversed(), frees)
    }
}

/// The releases that a collection of garbage has let expire, or would.
package struct ExpiryReport: Equatable, Sendable {
    package struct Item: Equatable, Sendable {
        package var bundle: String
        package var key: String
        package var rule: String
        /// Of its archive, if no other release of its bundle has it.
        package var byteCount: Int
    }

    /// The releases that went by one rule.
    package struct Share: Equatable, Sendable {
        package var rule: String
        package var amount: ItemShare
    }

    package var isDryRun: Bool
    /// The number of stored releases before.
    package var releases = 0
    package var amount = ItemShare()
    /// In the order in which they were applied first.
    package var rules: [Share] = []
    /// The first of those that went.
    package var items: [Item] = []
    /// The end of the wait of rules that were changed, by which more than a share of all releases would go; `nil` if nothing
    /// waits. Seconds since 1970.
    package var waitsUntil: Int64?

    /// The most items that a report lists.
    package static let mostItems = 2_000

    init(isDryRun: Bool) { self.isDryRun = isDryRun }

    fileprivate mutating func note(_ bundle: String, _ key: String, _ rule: String, _ byteCount: Int) {
        amount.add(byteCount)
        if let place = rules.firstIndex(where: { $0.rule == rule }) {
            rules[place].amount.add(byteCount)
        } else {
            var share = ItemShare()
            share.add(byteCount)
            rules.append(Share(rule: rule, amount: share))
        }
        guard items.count < ExpiryReport.mostItems else { return }
        items.append(Item(bundle: bundle, key: key, rule: rule, byteCount: byteCount))
    }
}
