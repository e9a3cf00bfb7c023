internal import Bytes
internal import Files
internal import Registry
internal import Surroundings
internal import WidgetBundles

/// A bundle that a page has sent, checked and not published yet.
final class PendingUpload: Sendable {
    let taken: BundleIntake.Taken
    let parts: [ReleasePart]
    let request: PublishRequest
    /// The outcome that publishing it would have.
    let publication: Publication
    private let archive: Guarded<Stage>

    /// The archive; `nil` once it is being published.
    private struct Stage: ~Copyable {
        var file: StagedFile?
    }

    init(
        _ taken: BundleIntake.Taken, _ archive: consuming StagedFile, _ parts: [ReleasePart], _ request: PublishRequest,
        _ publication: Publication
    ) {
        self.taken = taken
        self.parts = parts
        self.request = request
        self.publication = publication
        self.archive = Guarded(Stage(file: archive))
    }

    /// Hands the archive over, once.
    func takeArchive() -> StagedFile? {
        var taken: StagedFile?
        archive.withLock { taken = $0.file.take() }
        return taken
    }
}

/// The checked bundles that wait for a person's word, each under a name that is hard to guess and for one token.
///
/// They take room on the disk, so they are few and short-lived; a restart discards them.
final class PendingUploads: Sendable {
    static let most = 8
    static let mostOfToken = 2
    static let lifetime = Duration.seconds(15 * 60)

    private struct Entry {
        let token: Digest
        let since: ContinuousClock.Instant
        let upload: PendingUpload
    }

    private let entries: Guarded<[String: Entry]> = Guarded([:])
    private let clock: any Clock

    init(clock: any Clock) { self.clock = clock }

    /// - Returns: the name of the upload.
    func add(_ upload: PendingUpload, of token: Digest) -> String {
        let name = String(RandomBytes.word(), radix: 36) + String(RandomBytes.word(), radix: 36)
        let now = clock.now
        entries.withLock { entries in
            PendingUploads.discardOld(&entries, now)
            let own = entries.filter { $0.value.token == token }
            if own.count >= PendingUploads.mostOfToken { PendingUploads.dropOldest(of: own, from: &entries) }
            if entries.count >= PendingUploads.most { PendingUploads.dropOldest(of: entries, from: &entries) }
            entries[name] = Entry(token: token, since: now, upload: upload)
        }
        return name
    }

    func find(_ name: String, of token: Digest) -> PendingUpload? {
        let now = clock.now
        return entries.withLock { entries in
            PendingUploads.discardOld(&entries, now)
            return entries[name].flatMap { $0.token == token ? $0.upload : nil }
        }
    }

    func remove(_ name: String, of token: Digest) -> PendingUpload? {
        guard let upload = find(name, of: token) else { return nil }
        entries.withLock { $0[name] = nil }
        return upload
    }

    private static func discardOld(_ entries: inout [String: Entry], _ now: ContinuousClock.Instant) {
        entries = entries.filter { now - $0.value.since < lifetime }
    }

    private static func dropOldest(of some: [String: Entry], from entries: inout [String: Entry]) {
        guard let oldest = some.min(by: { $0.value.since < $1.value.since }) else { return }
        entries[oldest.key] = nil
    }
}
