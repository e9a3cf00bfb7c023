internal import WidgetBytes

/// The releases that a collection of garbage lets expire by the operator's rules, in progress.
package struct Expiring {
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
        report.waitsUntil = try endOfWait(isConfirmed: isConfirmed)
        guard report.isDryRun || report.waitsUntil == nil else { return }
        var bundles = RuledBundles(policy, in: registry.catalog)
        while let bundle = try bundles.next() {
            if report.isDryRun { try rehearse(bundle) } else { try expire(bundle) }
        }
    }

    /// Notes the releases that would expire now, and those that follow when hosts no longer ask for them.
    private mutating func rehearse(_ bundle: RuledBundle) throws(RegistryError) {
        let going = try Going(bundle, policy, at: time, in: registry.catalog)
        note(going.releases, of: bundle, going)
        let present = Set(going.releases.map(\.id))
        rehearsed.formUnion(present)
        let then = time.adding(RetentionRule.notice) ?? time
        let later = try Going(bundle, policy, at: then, in: registry.catalog)
        for release in later.releases where !present.contains(release.id) {
            report.noteLater(item(release, of: bundle, later))
        }
    }

    // MARK: Changed rules

    /// Rules that were changed, and by which more than a share of all releases would go, wait for a day or for their owner's
    /// word.
    ///
    /// - Returns: the end of the wait; `nil` without one.
    private mutating func endOfWait(isConfirmed: Bool) throws(RegistryError) -> Int64? {
        let (text, time) = (policy.text, time)
        // A command without the server's settings has no rules, and says nothing about those that are applied.
        guard !text.isEmpty else { return nil }
        let known = try registry.retentionGuard()
        var change: RetentionSize?
        if !isConfirmed, text != known.applied {
            let size = try RetentionSize(afterNotice: policy, at: time, in: registry.catalog)
            if size.isLarge(of: report.releases, after: known) { change = size }
        }
        let isLarge = change != nil
        let waits: @Sendable (RetentionGuard) -> RetentionGuard = { present in
            present.waiting(for: text, isLarge: isLarge, at: time)
        }
        let next: RetentionGuard
        if report.isDryRun {
            next = waits(known)
        } else {
            next = try registry.catalog.write { catalog, _ throws(RegistryError) in
                let present = try catalog.retentionGuard()
                let following = waits(present)
                if following != present { try catalog.setRetentionGuard(following) }
                return following
            }
        }
        if next.pending != nil { report.foreseen = change }
        // In a dry run, a wait that no collection has begun has no end yet.
        return report.isDryRun && next != known ? nil : next.ends
    }

    // MARK: Releases

    /// The most releases of one transaction. Publishers of their archives wait for it.
    private static let batch = 32
    /// The looks at a bundle that changes again and again. The last is inside the transaction.
    package static let mostLooks = 4
    /// The most steps of channels that are read inside a transaction, while writers wait. A bundle with more that changes again
    /// and again is left to the next collection.
    package static let mostSteps = 10_000

    private mutating func expire(_ bundle: RuledBundle) throws(RegistryError) {
        for look in 1...Expiring.mostLooks {
            var going = try Going(bundle, policy, at: time, in: registry.catalog)
            going.isFinal = look == Expiring.mostLooks
            if try expireAll(of: &going, bundle) { return }
        }
        report.left += 1
    }

    /// - Returns: false if the bundle was changed meanwhile, and is not decided anew.
    private mutating func expireAll(of going: inout Going, _ bundle: RuledBundle) throws(RegistryError) -> Bool {
        var rest = going.releases[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Expiring.batch))
            rest = rest.dropFirst(Expiring.batch)
            guard let done = try expire(batch, of: bundle, going) else { return false }
            // Both are of one moment: a tag without the history before it would hide a change from the next batch.
            (going.tag, going.history) = (done.tag, done.history)
            note(batch.filter { done.gone.contains($0.id) }, of: bundle, going)
        }
        return true
    }

    /// Lets releases expire, those that nothing keeps when it is their turn. The notes come first, as with a
    /// withdrawal: so a crash leaves a note too many, which the next collection removes.
    ///
    /// - Returns: `nil` if the bundle was changed meanwhile, and is not decided anew.
    private func expire(
        _ batch: [BundleHistory.Candidate], of bundle: RuledBundle, _ going: Going
    ) throws(RegistryError) -> ExpiredBatch? {
        let registry = registry
        let expiry = Expiry(at: time, rule: bundle.rule.description)
        return try registry.publishing.withLocks(for: batch.map(\.digest)) {
            () throws(RegistryError) -> ExpiredBatch? in
            var notes: [Int64: StoredNote] = [:]
            for candidate in batch {
                let record = try registry.catalog.read { catalog throws(RegistryError) in
                    try catalog.release(candidate.id)
                }
                // It has ended otherwise since, or was given another archive.
                guard !record.isGone, record.digest == candidate.digest else { continue }
                let release = record.release(of: bundle.name.identifier, shownBy: [])
                notes[record.id] = Tombstone(release: release.asNoted, end: .expiry(expiry)).note
            }
            do throws(RegistryError) {
                for note in notes.values { try registry.blobs.put(note) }
                let noted = notes.mapValues(\.item)
                let done = try registry.catalog.write {
                    [blobs = registry.blobs] catalog, changes throws(RegistryError) in
                    guard try blobs.holds(Array(noted.values), in: catalog) else {
                        throw .unreachable("the notes of expired releases were collected as they were made")
                    }
                    return try catalog.expire(noted.keys.sorted(), of: bundle, going, expiry, &changes)
                }
                registry.blobs.takeBack(noted.filter { !(done?.gone.contains($0.key) ?? false) }.map(\.value))
                return done
            } catch {
                // If the disk failed, the releases may be found expired after a restart, and their notes must be there.
                if case .database = error { throw error }
                registry.blobs.takeBack(notes.values.map(\.item))
                throw error
            }
        }
    }

    private mutating func note(_ gone: [BundleHistory.Candidate], of bundle: RuledBundle, _ going: Going) {
        for release in gone { report.note(item(release, of: bundle, going)) }
    }

    private func item(
        _ release: BundleHistory.Candidate, of bundle: RuledBundle, _ going: Going
    ) -> ExpiryReport.Item {
        ExpiryReport.Item(
            bundle: bundle.name.identifier, key: release.key, rule: bundle.rule.description,
            byteCount: going.frees.contains(release.id) ? release.byteCount : 0)
    }
}

/// The end of a transaction in which releases have expired.
private struct ExpiredBatch {
    var gone: Set<Int64>
    /// The last tag of the feed, and the bundle's history as of it.
    var tag: Int64
    var history: BundleHistory
}

extension CatalogEditor {
    /// Lets those of the releases expire that nothing keeps now. The bundle's history was read before, outside the
    /// transaction, and counts while the feed tells of no other change of the bundle: so the work is that of these releases.
    /// After a change, the last look reads the history again in here.
    ///
    /// - Returns: `nil` if the bundle was changed since its history was read, and this is not the last look, or the history is
    ///   too long.
    fileprivate func expire(
        _ releases: [Int64], of bundle: RuledBundle, _ going: Going, _ expiry: Expiry,
        _ changes: inout [RegistryChange]
    ) throws(RegistryError) -> ExpiredBatch? {
        var history = going.history
        let lines = try self.changes(after: going.tag, limit: Going.mostChanges)
        if lines.count == Going.mostChanges || lines.contains(where: { $0.bundleIdentifier == bundle.name.identifier })
        {
            guard going.isFinal else { return nil }
            history = try BundleHistory(
                ofBundle: bundle.name.id, bundle.rule, rollbacks: going.rollbacks, mostSteps: Expiring.mostSteps,
                in: self
            )
            guard history.isWhole else { return nil }
        }
        var gone: Set<Int64> = []
        for id in releases {
            let record = try release(id)
            guard !record.isGone,
                bundle.rule.stays(record.candidate, in: history, at: expiry.at).isEmpty
            else { continue }
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
            gone.insert(id)
        }
        if !gone.isEmpty { try refresh(bundle.name.id) }
        return ExpiredBatch(gone: gone, tag: try latestTag(), history: history)
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
    /// Bundles with long histories that changed again and again, and were left to the next collection.
    package var left = 0
    /// The releases that changed rules would remove once hosts no longer ask for them; `nil` if the rules need not wait.
    package var foreseen: RetentionSize?
    /// The end of the wait of such rules; `nil` if nothing waits, or if the wait has not begun. Seconds since 1970.
    package var waitsUntil: Int64?
    /// In a dry run: the releases that follow within a day, when hosts no longer ask for them.
    package var later = ItemShare()
    /// The first of them.
    package var laterItems: [Item] = []

    /// The most items that a report lists.
    package static let mostItems = 2_000

    init(isDryRun: Bool) { self.isDryRun = isDryRun }

    fileprivate mutating func noteLater(_ item: Item) {
        later.add(item.byteCount)
        if laterItems.count < ExpiryReport.mostItems { laterItems.append(item) }
    }

    fileprivate mutating func note(_ item: Item) {
        amount.add(item.byteCount)
        if let place = rules.firstIndex(where: { $0.rule == item.rule }) {
            rules[place].amount.add(item.byteCount)
        } else {
            var share = ItemShare()
            share.add(item.byteCount)
            rules.append(Share(rule: item.rule, amount: share))
        }
        if items.count < ExpiryReport.mostItems { items.append(item) }
    }
}
