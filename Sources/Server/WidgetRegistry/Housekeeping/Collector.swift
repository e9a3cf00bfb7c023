internal import WidgetBytes

/// A collection of garbage in progress.
struct Collector {
    private let registry: Registry
    /// The age in seconds from which on no request under way can still refer to an unreferenced item.
    private let grace: Int64
    /// True if the owner has said that changed rules are meant.
    private let isConfirmed: Bool
    private var report: CollectReport

    init(_ registry: Registry, grace: Int64, isDryRun: Bool, isConfirmed: Bool) {
        self.registry = registry
        self.grace = grace
        self.isConfirmed = isConfirmed
        report = CollectReport(isDryRun: isDryRun)
    }

    /// First releases come to their end, in the catalog alone; then items go that no release has. So a crash in between
    /// leaves an item too many, and never one too few. Items are listed, and their bytes freed, without a lock; the lock
    /// of one archive is held while an item is taken out of its place.
    mutating func run(_ progress: HousekeepingProgress) throws(RegistryError) -> CollectReport {
        if !report.isDryRun {
            // Only then is an item that the catalog does not know one that it never will.
            try registry.catalog.write { catalog, _ throws(RegistryError) in try catalog.settle() }
            try registry.blobs.sweep()
            try registry.removeEndedDesk()
            try registry.removeEndedOutcomes()
        }
        var ended = try endReleases()
        // In a dry run as well: its words are about what is stored, and a wrong count is mended by no other part of it.
        try registry.recountUsage()
        var expiring = Expiring(registry, isDryRun: report.isDryRun)
        try expiring.run(isConfirmed: isConfirmed)
        report.expired = expiring.report
        ended.formUnion(expiring.rehearsed)
        try retireSnapshots()
        try removeAuditRecords()
        let cutoff = registry.options.now.subtracting(grace) ?? .min
        let parts = Int(UInt8.max) + 1
        for byte in 0...UInt8.max {
            try progress(Int(byte), parts)
            try collect(beginning: byte, cutoff: cutoff, besides: ended)
        }
        report.quarantined = try registry.blobs.quarantined()
        return report
    }

    // MARK: Releases

    /// - Returns: the releases that would have ended.
    private mutating func endReleases() throws(RegistryError) -> Set<Int64> {
        let now = registry.options.now
        let window = registry.options.withdrawnSeconds
        let cutoffs = Retention.Cutoffs(
            withdrawn: now.subtracting(window) ?? .min, retired: now.subtracting(grace) ?? .min)
        var ended: Set<Int64> = []
        var last: Int64 = 0
        while true {
            let after = last
            let page = try registry.catalog.read { catalog throws(RegistryError) in
                try catalog.endedReleases(cutoffs, after: after, limit: 64)
            }
            guard let end = page.last else { break }
            last = end
            if !report.isDryRun {
                try registry.catalog.write { catalog, _ throws(RegistryError) in
                    // Decided again: one of them may have been restored meanwhile.
                    for id in try catalog.endedReleases(cutoffs, after: after, limit: 64) {
                        try catalog.removeDocuments(of: id, at: now)
                    }
                }
            }
            ended.formUnion(page)
        }
        report.endedReleases = ended.count
        return report.isDryRun ? ended : []
    }

    private mutating func retireSnapshots() throws(RegistryError) {
        let (channels, kept) = (registry.options.snapshotChannels, registry.options.snapshotsKept)
        let bundles = try registry.catalog.read { catalog throws(RegistryError) in
            try catalog.bundles(withMoreSnapshotsThan: kept)
        }
        for bundle in bundles {
            let surplus = try registry.catalog.read { catalog throws(RegistryError) in
                try Retention.surplusSnapshots(ofBundle: bundle.id, channels: channels, keeping: kept, in: catalog)
            }
            for key in surplus {
                if !report.isDryRun, try !retire(bundle.identifier, key) { continue }
                report.retiredSnapshots += 1
            }
        }
    }

    /// Takes a snapshot out of sight, unless a channel shows it by now.
    ///
    /// - Returns: whether it did.
    private func retire(_ bundle: String, _ key: String) throws(RegistryError) -> Bool {
        do throws(RegistryError) {
            _ = try registry.withdraw(bundle, key, reason: Retention.reason, by: Author(Retention.author)) {
                catalog, record throws(RegistryError) in
                let states = try catalog.channels(ofBundle: record.bundle).map(\.state)
                if states.contains(where: { $0.shows(record.id) }) { throw .interrupted }
            }
            return true
        } catch .interrupted {
            return false
        }
    }

    /// In steps, so that writers wait for few of them.
    private mutating func removeAuditRecords() throws(RegistryError) {
        guard !report.isDryRun else { return }
        let cutoff = registry.options.now.subtracting(registry.options.auditSeconds) ?? .min
        while true {
            let count = try registry.catalog.write { catalog, _ throws(RegistryError) in
                try catalog.removeAuditRecords(before: cutoff, limit: 500)
            }
            report.auditRecords += count
            if count == 0 { return }
        }
    }

    // MARK: Items

    private mutating func collect(
        beginning byte: UInt8, cutoff: Int64, besides ended: Set<Int64>
    ) throws(RegistryError) {
        let items = try registry.blobs.items(beginning: byte)
        guard !items.isEmpty else { return }
        let known = try registry.catalog.read { catalog throws(RegistryError) in
            try KnownItems(beginning: byte, besides: ended, in: catalog)
        }
        for listed in items where !known.contains(listed.item) {
            guard listed.changed < .seconds(cutoff) else {
                report.waiting.add(listed.byteCount)
                continue
            }
            if !report.isDryRun, try !remove(listed) { continue }
            switch listed.item {
            case .blob: report.archives.add(listed.byteCount)
            case .sidecar, .tombstone, .expiry: report.notes.add(listed.byteCount)
            }
        }
    }

    /// Removes an item, if it is unchanged and nothing refers to it.
    private func remove(_ listed: ListedItem) throws(RegistryError) -> Bool {
        let digest = listed.item.digest
        let detached = try registry.publishing.withLock(for: digest) { () throws(RegistryError) -> DetachedItem? in
            let known = try registry.catalog.read { catalog throws(RegistryError) in
                try KnownItems(ofDigest: digest, in: catalog)
            }
            return known.contains(listed.item) ? nil : try registry.blobs.detach(listed)
        }
        guard let detached else { return false }
        try registry.blobs.discard(detached)
        return true
    }
}

/// Which items of one part of the store belong to a release.
struct KnownItems: Sendable {
    private var known: Set<StoredItem> = []
    /// The notes of the ends that releases of the catalog could have had. Such a note of a release that has not ended like that
    /// is left from a withdrawal or an expiry that failed. One of a release that the catalog does not know keeps the key from
    /// being given again.
    private var possibleEnds: Set<StoredItem> = []

    /// - Parameter ended: releases to take for gone.
    init(beginning byte: UInt8, besides ended: Set<Int64>, in catalog: any CatalogReader) throws(RegistryError) {
        let rest = Digest.byteCount - 1
        guard let first = Digest(bytes: ([byte] + [UInt8](repeating: 0, count: rest)).span),
            let last = Digest(bytes: ([byte] + [UInt8](repeating: 0xFF, count: rest)).span)
        else { return }
        try add(from: first, through: last, besides: ended, in: catalog)
    }

    init(ofDigest digest: Digest, in catalog: any CatalogReader) throws(RegistryError) {
        try add(from: digest, through: digest, besides: [], in: catalog)
    }

    private mutating func add(
        from first: Digest, through last: Digest, besides ended: Set<Int64>, in catalog: any CatalogReader
    ) throws(RegistryError) {
        for share in try catalog.shares(from: first, through: last) {
            let tombstone = StoredItem.tombstone(share.digest, key: share.key)
            let expiry = StoredItem.expiry(share.digest, key: share.key)
            if share.isStored, !ended.contains(share.release) {
                known.insert(.blob(share.digest))
                known.insert(.sidecar(share.digest, key: share.key))
            }
            if share.isWithdrawn { known.insert(tombstone) }
            if share.isExpired { known.insert(expiry) }
            possibleEnds.formUnion([tombstone, expiry])
        }
        for digest in try catalog.waitingArchives(from: first, through: last) { known.insert(.blob(digest)) }
    }

    func contains(_ item: StoredItem) -> Bool {
        switch item {
        case .tombstone, .expiry: known.contains(item) || !possibleEnds.contains(item)
        case .blob, .sidecar: known.contains(item)
        }
    }
}

/// The items that a collection of garbage has removed, or would remove.
package struct CollectReport: Equatable, Sendable {
    package var isDryRun: Bool
    /// Releases that have expired by the operator's rules.
    package var expired: ExpiryReport
    /// Snapshots withdrawn because a snapshot channel keeps a limited number.
    package var retiredSnapshots = 0
    /// Releases whose time to be restored is over: their rows stay.
    package var endedReleases = 0
    /// Archives that no release has any more, or never had.
    package var archives = ItemShare()
    /// Small files beside archives, likewise.
    package var notes = ItemShare()
    /// Records of the audit whose time is over.
    package var auditRecords = 0
    /// Unreferenced items that are too young to be removed safely.
    package var waiting = ItemShare()
    /// Items in quarantine, for operators to inspect; they are never removed.
    package var quarantined = ItemShare()

    init(isDryRun: Bool) {
        self.isDryRun = isDryRun
        expired = ExpiryReport(isDryRun: isDryRun)
    }

    package var removedByteCount: Int { archives.byteCount + notes.byteCount }
}
