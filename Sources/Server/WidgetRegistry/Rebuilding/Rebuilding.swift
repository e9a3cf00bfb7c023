internal import RegistryContract
package import WidgetBundles
package import WidgetBytes
internal import WidgetFiles
internal import WidgetSurroundings

extension CatalogReplacement {
    /// Rebuilds the catalog from the archives and the notes beside them, and replaces the present one. Channels show
    /// the highest release that was published to them. Tokens cannot be recovered.
    ///
    /// Nothing changes before the new catalog is complete. If the replacement is cut short after that, the next start
    /// reports it, and repeating the command finishes it.
    ///
    /// - Parameter policy: the rules for archives without a readable note.
    package func rebuild(
        _ options: Registry.Options, policy: BundlePolicy, progress: HousekeepingProgress
    ) throws(RegistryError) -> RebuildReport {
        var rebuilding = Rebuilding(self, options, policy, try StoreSurvey(self))
        try rebuilding.checkBlobs(progress)
        try rebuilding.recoverNotes()
        rebuilding.recoverWithdrawals()
        return try rebuilding.writeCatalog()
    }
}

/// A catalog that is made anew.
private struct Rebuilding {
    let store: any CatalogReplacement
    var blobs: any BlobStore { store.blobs }
    let options: Registry.Options
    let policy: BundlePolicy
    var survey: StoreSurvey
    var report = RebuildReport()
    /// Blobs that hold what their name says.
    private var intact: Set<Digest> = []

    init(
        _ store: any CatalogReplacement, _ options: Registry.Options, _ policy: BundlePolicy, _ survey: StoreSurvey
    ) {
        self.store = store
        self.options = options
        self.policy = policy
        self.survey = survey
        report.skipped = survey.skipped
    }

    mutating func checkBlobs(_ progress: HousekeepingProgress) throws(RegistryError) {
        let total = survey.byteCount
        var done = 0
        for (digest, byteCount) in survey.blobs.sorted(by: { $0.key.hex < $1.key.hex }) {
            try progress(done, total)
            do throws(RegistryError) {
                switch try blobs.check(digest) {
                case .intact: intact.insert(digest)
                case .missing, .damaged:
                    blobs.quarantine(digest, nil)
                    report.damaged.append(digest)
                }
            } catch .storage(let error) where !error.isOutOfDescriptors {
                // A bad place on the disk costs one archive, not the catalog.
                report.skipped.append("\(StoredItem.blob(digest).name): \(error)")
            }
            done += byteCount
        }
        try progress(total, total)
    }

    // MARK: Archives without a note

    /// Reads what an archive tells of itself, and writes the note that is missing.
    mutating func recoverNotes() throws(RegistryError) {
        for (digest, key) in survey.nameless {
            guard intact.contains(digest) else { continue }
            guard let note = try recover(digest, key) else {
                report.skipped.append(
                    "\(StoredItem.blob(digest).name): has no readable note, and is not what would be accepted now")
                continue
            }
            let release = note.release
            try blobs.put(note.note)
            survey.releases.append(
                StoreSurvey.Found(
                    digest: digest, key: release.key, bundleIdentifier: release.bundleIdentifier,
                    published: release.published, noted: .zero, contentDigest: release.contentDigest))
            report.recovered.append("\(release.bundleIdentifier) \(release.key)")
        }
        survey.releases.sort(by: StoreSurvey.Found.isEarlier)
    }

    private func recover(_ digest: Digest, _ key: String?) throws(RegistryError) -> Sidecar? {
        guard let archive = try blobs.open(digest) else { return nil }
        let target = try blobs.stage()
        guard
            let taken = try? BundleIntake(policy: policy).take(
                archive.descriptor, digest: digest, into: target.file), taken.bundle.digest == digest
        else { return nil }
        let isSnapshot = key.map { Release.parts(of: $0).isSnapshot } ?? false
        let release = Release(
            taken.bundle, key: key ?? taken.bundle.manifest.releaseKey,
            published: archive.status.modification.components.seconds, by: "", isSnapshot: isSnapshot)
        let documents = ReleaseDocuments(taken)
        return Sidecar(
            release: release, channel: isSnapshot ? options.snapshotChannels.first ?? "stable" : "stable",
            rollout: Rollout.bucketCount, files: documents.files, report: documents.report)
    }

    /// A withdrawal whose note is damaged stays one: what was taken back must not be shown again.
    mutating func recoverWithdrawals() {
        for note in survey.damagedTombstones {
            let release = survey.releases.first { $0.digest == note.digest && $0.key == note.key }
            guard let release, let sidecar = try? blobs.sidecar(release.digest, release.key) else {
                report.skipped.append(
                    "\(note.name): speaks of a withdrawal and cannot be read; which bundle it was about is lost")
                continue
            }
            survey.tombstones.append(
                Tombstone(
                    release: sidecar.release,
                    end: .withdrawal(
                        Withdrawal(at: note.at, reason: "The reason was lost: its note was damaged."), by: "")))
            report.skipped.append("\(note.name): cannot be read; the release stays withdrawn, without its reason")
        }
    }

    // MARK: The catalog

    mutating func writeCatalog() throws(RegistryError) -> RebuildReport {
        let draft = try store.makeCatalog()
        var epoch = Epoch(now: options.now)
        epoch.pass(survey.releases.last?.published)
        epoch.pass(store)
        var first = 0
        while first < survey.releases.count {
            let batch = survey.releases[first..<min(first + 256, survey.releases.count)]
            try write(draft) { rebuilding, catalog throws(RegistryError) in
                for found in batch { try rebuilding.insert(found, into: catalog) }
            }
            first += 256
        }
        try write(draft) { rebuilding, catalog throws(RegistryError) in
            // Expiries first: a release that was withdrawn later has a note of each.
            let notes = rebuilding.survey.tombstones
            for note in notes.filter(\.isExpiry) + notes.filter({ !$0.isExpiry }) {
                try rebuilding.insert(note, into: catalog)
            }
            try rebuilding.settleChannels(of: catalog)
            // The histories of channels are lost, which kept some.
            try catalog.setRetentionGuard(.unseen)
            rebuilding.report.channels = try catalog.raise(
                to: epoch.number, by: "reindex", at: rebuilding.options.now)
        }
        report.sequence = epoch.number
        report.auditRecords = try FormerAudit(
            keeping: store.former, in: draft, floor: epoch.number,
            AuditRecord(.reindex, by: "reindex", at: options.now, about: "")
        ).kept
        try draft.install(at: options.now, for: "reindex")
        return report
    }

    private mutating func write(
        _ draft: any CatalogDraft, _ body: (inout Rebuilding, any CatalogEditor) throws(RegistryError) -> Void
    ) throws(RegistryError) {
        var copy = self
        try draft.write { catalog throws(RegistryError) in try body(&copy, catalog) }
        self = copy
    }

    private mutating func insert(_ found: StoreSurvey.Found, into catalog: any CatalogEditor) throws(RegistryError) {
        guard let note = try blobs.sidecar(found.digest, found.key) else {
            report.skipped.append("\(found.bundleIdentifier) \(found.key): its note cannot be read any more")
            return
        }
        guard let bundle = try bundle(of: note.release, in: catalog) else { return }
        let id = try catalog.insert(
            ReleaseRecord(note.release, ofBundle: bundle), ReleaseDocuments(files: note.files, report: note.report))
        try catalog.append(note.release, ofBundle: bundle)
        report.releases += 1
        guard intact.contains(found.digest) else {
            report.lost.append("\(found.bundleIdentifier) \(found.key)")
            return
        }
        try catalog.show(id, on: note.channel, ofBundle: bundle, at: note.release.published, options.chance)
    }

    /// The bundle's row; `nil` when another's identifier differs in case alone.
    private mutating func bundle(of release: Release, in catalog: any CatalogEditor) throws(RegistryError) -> Int64? {
        if let row = try catalog.bundle(spelledLike: release.bundleIdentifier) {
            if row.identifier == release.bundleIdentifier { return row.id }
            report.skipped.append(
                "\(release.bundleIdentifier) \(release.key): differs from \(row.identifier) in case alone")
            return nil
        }
        report.bundles += 1
        return try catalog.insertBundle(release.bundleIdentifier, name: release.name)
    }

    private mutating func insert(_ note: Tombstone, into catalog: any CatalogEditor) throws(RegistryError) {
        guard let bundle = try bundle(of: note.release, in: catalog) else { return }
        let id: Int64
        if let row = try catalog.release(note.release.key, ofBundle: bundle) {
            // The note of an expiry comes before its transaction, which may not have come to an end. As all that is stored
            // is there, the release stays, and can expire again.
            id = row.id
        } else {
            // Its archive is gone for good; its key must not be given again.
            id = try catalog.insert(ReleaseRecord(note.release, ofBundle: bundle), nil)
            report.releases += 1
            if case .expiry(let expiry) = note.end {
                try catalog.setExpiry(expiry, of: id)
                report.expired += 1
            }
        }
        guard case .withdrawal(let withdrawal, let author) = note.end else { return }
        try catalog.setWithdrawal(withdrawal, by: author, of: id)
        report.withdrawn += 1
    }

    /// Lets each channel show the highest of what was published to it.
    private func settleChannels(of catalog: any CatalogEditor) throws(RegistryError) {
        for bundle in try catalog.bundleNumbers() {
            try catalog.refresh(bundle)
            for channel in try catalog.channels(ofBundle: bundle) {
                guard let highest = try catalog.highestRelease(onChannel: channel, besides: 0),
                    highest != channel.state.release
                else { continue }
                _ = try ChannelMoves(catalog: catalog, time: options.now, chance: options.chance).move(
                    channel, named: channel.name, ofBundle: bundle, to: .full(highest, options.chance),
                    kind: .promote)
            }
        }
    }
}

extension Tombstone {
    fileprivate var isExpiry: Bool {
        if case .expiry = end { true } else { false }
    }
}

extension CatalogEditor {
    /// Shows a release on a channel, as publishing it did.
    fileprivate func show(
        _ release: Int64, on name: String, ofBundle bundle: Int64, at time: Int64, _ chance: any Chance
    ) throws(RegistryError) {
        _ = try ChannelMoves(catalog: self, time: time, chance: chance).move(
            channel(name, ofBundle: bundle), named: name, ofBundle: bundle, to: .full(release, chance), kind: .publish)
    }

    /// Tells the feed of a release that was found.
    fileprivate func append(_ release: Release, ofBundle bundle: Int64) throws(RegistryError) {
        _ = try append(
            RegistryChange(
                tag: 0, at: release.published, kind: .publish, bundleIdentifier: release.bundleIdentifier,
                release: release.key, by: release.publishedBy))
    }
}

/// The contents of a rebuilt catalog, and the releases that could not be recovered.
package struct RebuildReport: Equatable, Sendable {
    package var bundles = 0
    package var releases = 0
    package var withdrawn = 0
    /// Releases that a rule of the operator had removed before.
    package var expired = 0
    package var channels = 0
    /// Releases known from their archive alone: who published them, when, and where is lost.
    package var recovered: [String] = []
    /// Archives whose bytes are not those of their digest; they are in quarantine.
    package var damaged: [Digest] = []
    /// Releases whose archive is not there, or not whole. Publishing them again heals them.
    package var lost: [String] = []
    /// Files that say nothing that could be used, each with the reason.
    package var skipped: [String] = []
    /// Records of the audit taken over from the catalog that was replaced; `nil` when it could not be read.
    package var auditRecords: Int?
    /// The present sequence of every channel.
    package var sequence: Int64 = 0

    package init() {}
}

/// The contents of a restored backup.
package struct RestoreReport: Equatable, Sendable {
    package var archives = 0
    package var releases = 0
    package var tokens = 0
    /// When it was made, in seconds since 1970.
    package var created: Int64 = 0
    /// Archives that the backup says were missing already.
    package var missing: [Digest] = []
    /// Archives in the store that the restored catalog does not know.
    package var unknown = 0
    /// Records of the audit since the backup, taken over from the catalog that was replaced; `nil` when there was none
    /// of the same registry that could be read.
    package var auditRecords: Int?
    package var sequence: Int64 = 0

    package init() {}
}
