package import WidgetBytes
internal import WidgetFiles
package import WidgetSurroundings

/// The published releases, and which of them each channel shows, over a catalog and a store of blobs.
///
/// Everything blocks, and may be called from any thread. Reading never waits for a writer. What was written is on
/// the disk when its function returns.
package final class Registry: Sendable {
    package struct Options: Sendable {
        /// Channels whose releases get the content digest in their key, so that versions need not be raised.
        package var snapshotChannels: [String] = ["dev"]
        package var snapshotsKept = 20
        /// The time for which a withdrawn release can be restored.
        package var withdrawnSeconds: Int64 = 30 * 86_400
        /// The time for which records of the audit are kept.
        package var auditSeconds: Int64 = 400 * 86_400
        package var channels: @Sendable () -> ChannelPolicy = { ChannelPolicy() }
        /// Asked anew for each collection and each page, so that a reload shows.
        package var retention: @Sendable () -> RetentionPolicy = { RetentionPolicy() }
        /// Asked anew for each publication.
        package var quotas: @Sendable () -> QuotaPolicy = { QuotaPolicy() }
        /// Called while the catalog is opened.
        package var remark: @Sendable (OpeningRemark) -> Void = { _ in }
        /// Time and chance.
        package var world: World

        package init(in world: World = .machine) { self.world = world }

        /// Seconds since 1970.
        var now: Int64 { world.clock.seconds }

        var chance: any Chance { world.chance }
    }

    let options: Options
    let catalog: any ReleaseCatalog
    let blobs: any BlobStore
    /// `nil` for a storage that has no backups.
    let copier: (any CatalogCopier)?
    private let feed: Feed
    package let figures: StoreFigures
    /// Held while a release of a blob is published, withdrawn or restored, from its first file to the end of its
    /// transaction: files beside the blob and records of the catalog change together.
    let publishing = StripedLock()
    let housekeeping = HousekeepingGate()
    private let partObservers: Guarded<[@Sendable (String?) -> Void]> = Guarded([])
    let usageBook = Guarded(KeptUsage())
    /// When each token's use was noted last.
    let tokenUses: Guarded<[Int64: Int64]> = Guarded([:])

    /// - Parameter figures: those that the storage counts in, too.
    package init(
        catalog: any ReleaseCatalog, blobs: any BlobStore, copier: (any CatalogCopier)? = nil,
        figures: StoreFigures = StoreFigures(), options: Options
    ) throws(RegistryError) {
        self.options = options
        self.catalog = catalog
        self.blobs = blobs
        self.copier = copier
        self.figures = figures
        let feed = Feed(latestTag: try catalog.read { catalog throws(RegistryError) in try catalog.latestTag() })
        self.feed = feed
        catalog.follow { feed.tell($0) }
        try completeIndex()
    }

    /// No release was ever stored, and no token ever made: this is the first start.
    package var isEmpty: Bool {
        get throws(RegistryError) {
            try catalog.read { catalog throws(RegistryError) in try catalog.isUnused() }
        }
    }

    /// The room that the storage has left for uploads.
    package var availableByteCount: Int {
        get throws(RegistryError) { try blobs.availableByteCount }
    }

    /// True when the storage has an archive or a note, even one that the catalog does not know. The search ends at the
    /// first.
    package var hasArchives: Bool {
        get throws(RegistryError) {
            for byte in UInt8.min...UInt8.max where try !blobs.items(beginning: byte).isEmpty { return true }
            return false
        }
    }

    /// The last change's tag, 0 before the first; from memory.
    package var latestTag: Int64 { feed.latestTag }

    /// The same as the catalog has it, which is a moment ahead.
    package var storedTag: Int64 {
        get throws(RegistryError) {
            try catalog.read { catalog throws(RegistryError) in try catalog.latestTag() }
        }
    }

    /// Has `observer` called for each change, in their order, after it was committed and before its writer returns.
    ///
    /// It must be quick, and must not write to the registry.
    package func observe(_ observer: @escaping @Sendable (RegistryChange) -> Void) {
        feed.add(observer)
    }

    /// Has `observer` called with the bundle whose release was given other parts, which is not a change of the feed; with `nil`
    /// when another process has given some to any.
    package func observeParts(_ observer: @escaping @Sendable (String?) -> Void) {
        partObservers.withLock { $0.append(observer) }
    }

    /// Has observers know of parts that were given (``observeParts(_:)``).
    package func tellParts(of bundle: String?) {
        for observer in partObservers.withLock({ $0 }) { observer(bundle) }
    }

    /// Has `observer` called after another process has changed a token. Called once.
    package func observeTokens(_ observer: @escaping @Sendable () -> Void) { catalog.followTokens(observer) }

    /// Has `observer` called with the reason when the catalog cannot be asked any more, and with `nil` when it can be asked
    /// again. Called once.
    package func observeOutages(_ observer: @escaping @Sendable (String?) -> Void) { catalog.followOutages(observer) }

    /// Has `observer` called with each trouble of the store of archives that begins, and with `nil` when it has ended. Called
    /// once.
    package func observeStore(_ observer: @escaping @Sendable (StoreTrouble?) -> Void) { blobs.followTrouble(observer) }

    /// False when answers from memory may be older than an operator allows.
    package var mayGiveCached: Bool { catalog.mayGiveCached }

    /// The time since this process last knew all that was committed.
    package var staleness: Duration { catalog.staleness }

    /// The reason why the catalog cannot be asked; `nil` while it can.
    package var catalogTrouble: String? { catalog.trouble }

    /// The same, when answers from memory do not bridge it.
    package var catalogFailure: String? { catalog.mayGiveCached ? nil : catalog.trouble }

    /// Says to the other processes of this registry with which settings this one serves.
    package func note(settings: String) { catalog.note(settings: settings) }

    /// Says to the other processes of this registry that this one has ended.
    package func leave() { catalog.leave() }

    /// The trouble that the store of archives is in; `nil` without one.
    package var storeTrouble: StoreTrouble? { blobs.trouble }

    /// The same, while another process of this registry has the store without trouble.
    package var storeFailure: StoreTrouble? { blobs.isReachedByOthers ? blobs.trouble : nil }

    /// The state of a store of archives that is not on this machine; `nil` without one.
    package var remoteBlobs: RemoteBlobs? { blobs.remote }

    // MARK: Bundles and releases

    package func bundle(_ id: String) throws(RegistryError) -> BundleSummary {
        try catalog.read { catalog throws(RegistryError) in try catalog.summary(catalog.knownBundle(id)) }
    }

    /// In the order of their identifiers.
    package func bundles(_ query: BundleQuery) throws(RegistryError) -> Page<BundleSummary> {
        try catalog.read { catalog throws(RegistryError) in try query.page(of: catalog) }
    }

    package func channels(_ bundle: String) throws(RegistryError) -> [Channel] {
        try self.bundle(bundle).channels
    }

    package func channel(_ bundle: String, _ name: String) throws(RegistryError) -> Channel {
        try catalog.read { catalog throws(RegistryError) in
            try catalog.namedChannel(name, of: catalog.knownBundle(bundle))
        }
    }

    /// A withdrawn one too.
    package func release(_ bundle: String, _ key: String) throws(RegistryError) -> Release {
        try catalog.read { catalog throws(RegistryError) in try catalog.knownRelease(bundle, key).release }
    }

    /// The report is a JSON object. A withdrawn release has one too; whether to show it is the caller's business.
    package func report(
        _ bundle: String, _ key: String
    ) throws(RegistryError) -> (release: Release, report: [UInt8]) {
        try catalog.read { catalog throws(RegistryError) in
            let (release, record) = try catalog.storedRelease(bundle, key)
            return (release, try catalog.reportDocument(record.id))
        }
    }

    package func files(
        _ bundle: String, _ key: String
    ) throws(RegistryError) -> (release: Release, files: [ReleaseFile]) {
        let (release, document) = try catalog.read { catalog throws(RegistryError) in
            let (release, record) = try catalog.storedRelease(bundle, key)
            return (release, try catalog.filesDocument(record.id))
        }
        return (release, try ReleaseFile.list(document))
    }

    /// Newest first, withdrawn ones too.
    package func releases(
        _ bundle: String, limit: Int, after: String?
    ) throws(RegistryError) -> Page<Release> {
        try catalog.read { catalog throws(RegistryError) in
            let found = try catalog.knownBundle(bundle)
            var last: ReleaseRecord?
            if let after {
                last = try catalog.release(after, ofBundle: found.id)
                guard last != nil else { throw .invalidValue("cursor", reason: "no page of this list ended there") }
            }
            let channels = try catalog.channels(ofBundle: found.id)
            let records = try catalog.releases(ofBundle: found.id, after: last, limit: limit + 1)
            return Page(
                items: records.prefix(limit).map { $0.release(of: found.identifier, shownBy: channels) },
                next: records.count > limit ? records[limit - 1].key : nil)
        }
    }

    /// Resolves a widget identifier: finds the longest bundle identifier that it begins with, and the release on the
    /// channel.
    ///
    /// If that bundle has nothing to show, the lookup fails; a shorter identifier is never tried.
    package func resolve(_ query: ResolveQuery) throws(RegistryError) -> Resolution {
        try catalog.read { catalog throws(RegistryError) in try query.resolution(by: catalog) }
    }

    /// In the order of their tags; `next` is the last one's tag while there are more.
    package func changes(since tag: Int64, limit: Int) throws(RegistryError) -> Page<RegistryChange> {
        try catalog.read { catalog throws(RegistryError) in
            let changes = try catalog.changes(after: tag, limit: limit + 1)
            return Page(
                items: Array(changes.prefix(limit)),
                next: changes.count > limit ? String(changes[limit - 1].tag) : nil)
        }
    }

    // MARK: Archives

    /// The releases whose archive it is.
    package func releaseOfBlob(_ digest: Digest) throws(RegistryError) -> BlobOwner {
        try catalog.read { catalog throws(RegistryError) in
            // More than two have the same archive only when a version was published to many snapshot channels' keys.
            let records = try catalog.releases(withDigest: digest, limit: 100)
            guard let first = records.first else { throw .noSuchBlob(digest) }
            let bundle = try catalog.identifier(ofBundle: first.bundle)
            let channels = try catalog.channels(ofBundle: first.bundle)
            return BlobOwner(
                digest: digest, byteCount: first.release.byteCount, bundleIdentifier: bundle,
                releases: records.map { $0.release(of: bundle, shownBy: channels) })
        }
    }

    /// The bundle of an archive; for one that is not here another takes its place, so that both take as long: of two
    /// look-ups one finds a release and one does not.
    package func bundle(ofBlob digest: Digest) throws(RegistryError) -> (identifier: String, isFound: Bool) {
        try catalog.read { catalog throws(RegistryError) in
            let standIn = try catalog.digests(after: nil, limit: 1).first ?? digest.opposite
            let found = try catalog.releases(withDigest: digest, limit: 1).first
            let other = try catalog.releases(withDigest: found == nil ? standIn : digest.opposite, limit: 1).first
            let identifier = try (found ?? other).map { release throws(RegistryError) in
                try catalog.identifier(ofBundle: release.bundle)
            }
            return (identifier ?? "", found != nil)
        }
    }

    /// Opens an archive whose bytes were compared with their digest since the system last saw its file change.
    ///
    /// One that differs is never returned; publishing the same bundle again heals it.
    package func openBlob(_ digest: Digest) throws(RegistryError) -> Blob {
        let stored = try catalog.read { catalog throws(RegistryError) in try catalog.firstPublication(of: digest) }
        guard let stored else { throw .noSuchBlob(digest) }
        guard let file = try blobs.open(digest) else { throw .damagedBlob(digest) }
        guard file.byteCount == stored.byteCount else {
            throw .damaged("the catalog has a wrong size for \(digest.hex), whose bytes are right; `reindex` mends it")
        }
        return Blob(digest: digest, byteCount: stored.byteCount, modified: stored.published, file: file)
    }

    /// True if clients may be sent to the store for archives.
    package var redirects: Bool { blobs.redirects }

    /// The address at which the store sends an archive to anyone for a while, and when the archive was first published; `nil`
    /// when it is sent from here.
    package func redirect(
        toBlob digest: Digest, as disposition: String
    ) throws(RegistryError) -> (address: String, published: Int64)? {
        let stored = try catalog.read { catalog throws(RegistryError) in try catalog.firstPublication(of: digest) }
        guard let stored, let address = try blobs.redirect(digest, as: disposition) else { return nil }
        return (address, stored.published)
    }
}

/// The durations of the store's slow steps, and the number of their failures.
package final class StoreFigures: Sendable {
    package enum Step: String, CaseIterable, Sendable {
        /// Bringing an archive and its note to their places, on the disk for good.
        case place
        /// A transaction of the catalog, with all who shared it.
        case commit
        /// Comparing an archive with its digest.
        case verify
    }

    package struct Figures: Equatable, Sendable {
        /// The number of steps that took no longer than each of ``bounds``; the last is the number of all steps.
        package var counts = [UInt64](repeating: 0, count: StoreFigures.bounds.count + 1)
        package var sum = Duration.zero
        package var failures: UInt64 = 0
    }

    package static let bounds: [Duration] = [
        .milliseconds(1), .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(100),
        .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(5), .seconds(30),
    ]

    private let all: Guarded<[Step: Figures]> = Guarded([:])
    private let clock: any Clock

    package init(clock: any Clock = SystemClock()) { self.clock = clock }

    package subscript(_ step: Step) -> Figures { all.withLock { $0[step] ?? Figures() } }

    package func time<Value, Failure: Error>(_ step: Step, _ body: () throws(Failure) -> Value) throws(Failure) -> Value
    {
        let start = clock.now
        let value: Value
        do throws(Failure) {
            value = try body()
        } catch {
            all.withLock { $0[step, default: Figures()].failures += 1 }
            throw error
        }
        let duration = clock.now - start
        all.withLock { all in
            var figures = all[step] ?? Figures()
            figures.counts[figures.counts.count - 1] += 1
            for (index, bound) in StoreFigures.bounds.enumerated() where duration <= bound {
                figures.counts[index] += 1
            }
            figures.sum += duration
            all[step] = figures
        }
        return value
    }
}
