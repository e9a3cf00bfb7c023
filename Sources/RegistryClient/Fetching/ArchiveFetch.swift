internal import Bytes
internal import Files
internal import RegistryContract
internal import Transfers
internal import WidgetBundles
internal import Zip

/// Brings one archive here: from the shelf, put together from the one before it and what has changed, or as a whole.
struct ArchiveFetch {
    let candidate: ReleaseCandidate
    let url: TransferURL
    let fetcher: WidgetFetcher
    let before: InstalledRelease?
    let progress: WidgetFetcher.Progress
    /// For everything that is asked for this archive, in however many parts.
    private let end: ContinuousClock.Instant?

    init(
        candidate: ReleaseCandidate, url: TransferURL, fetcher: WidgetFetcher, before: InstalledRelease?,
        progress: @escaping WidgetFetcher.Progress
    ) {
        self.candidate = candidate
        self.url = url
        self.fetcher = fetcher
        self.before = before
        self.progress = progress
        end = fetcher.options.total.map { .now + $0 }
    }

    /// An archive that holds what was announced, by its own digest or by those of all its files.
    struct Archive: ~Copyable {
        let file: SharedFile
        let digest: Digest
        let byteCount: Int
        let cost: UpdateCost
        let origin: Origin
    }

    enum Origin: ~Copyable {
        case shelf
        case whole(PartialArchive)
        case assembled(StagedFile, parts: PartialArchive)
    }

    var cache: WidgetCache { fetcher.cache }

    /// Whoever else brings the same may be first this often.
    private static let mostRounds = 8

    func archive() async throws(FetchError) -> Archive {
        for _ in 0..<ArchiveFetch.mostRounds {
            if let file = cache.archive(candidate.digest, byteCount: candidate.byteCount) {
                let cost = UpdateCost(fetchedByteCount: 0, reusedByteCount: candidate.byteCount)
                return Archive(
                    file: SharedFile(file), digest: candidate.digest, byteCount: candidate.byteCount, cost: cost,
                    origin: .shelf)
            }
            if let assembled = try await assembled() { return assembled }
            // Another process may bring it meanwhile; what it brought is looked at like anything on the shelf.
            if let whole = try await whole() { return whole }
        }
        throw FetchError(.busy)
    }

    /// Puts an archive whose bundle was found good on the shelf.
    func keep(_ archive: consuming Archive) throws(FetchError) {
        let digest = archive.digest
        switch consume archive.origin {
        case .shelf: break
        case .whole(let partial): try cache.shelve(partial, as: digest)
        case .assembled(let staged, let parts):
            try cache.shelve(staged, as: digest)
            cache.discard(parts)
        }
    }

    /// Lets go of one whose bundle was not, unless what is wrong is something else.
    func discard(_ archive: consuming Archive, because error: FetchError) {
        guard error.isRefusal || error.isOutOfSpace else { return }
        switch consume archive.origin {
        case .shelf: break
        case .whole(let partial): cache.discard(partial)
        case .assembled(_, let parts): cache.discard(parts)
        }
    }

    // MARK: - The whole

    /// - Returns: `nil` when somebody else has brought it meanwhile.
    private func whole() async throws(FetchError) -> Archive? {
        let wanted = try await cache.partialArchive(
            candidate.digest.hex, of: candidate.digest, byteCount: candidate.byteCount)
        guard let partial = wanted else { return nil }
        let held = partial.byteCount
        do throws(FetchError) {
            try partial.reserve(candidate.byteCount)
            var fetched = try await bring(partial)
            if try proof(partial) != candidate.digest, held > 0 {
                // What was here of it may have been damaged.
                try partial.clear()
                fetched += try await bring(partial)
            }
            let digest = try proof(partial)
            guard digest == candidate.digest else {
                throw FetchError(.wrongDigest(expected: candidate.digest, actual: digest))
            }
            let cost = UpdateCost(
                fetchedByteCount: fetched, reusedByteCount: max(0, candidate.byteCount - fetched))
            return Archive(
                file: partial.file, digest: digest, byteCount: candidate.byteCount, cost: cost,
                origin: .whole(partial))
        } catch {
            // What broke off on the way is gone on with the next time; what is wrong or does not fit is not.
            if error.isRefusal || error.isOutOfSpace { cache.discard(partial) }
            throw error
        }
    }

    private func bring(_ partial: PartialArchive) async throws(FetchError) -> Int {
        let held = partial.byteCount
        if held == candidate.byteCount { return 0 }
        partial.begin(at: 0)
        var download = Download(request(limit: candidate.byteCount), entityTag: entityTag)
        download.heldByteCount = held
        download.progress = { [progress, candidate] in progress($0.done, candidate.byteCount) }
        let count = try await run(download, into: partial)
        guard partial.byteCount == candidate.byteCount else {
            throw FetchError(.wrongSize(expected: candidate.byteCount, actual: partial.byteCount))
        }
        return max(0, count - held)
    }

    // MARK: - Requests

    /// The registry's own tag for an archive, which follows from its digest.
    private var entityTag: String { "\"sha256-\(candidate.digest.hex)\"" }

    private func request(limit: Int) -> TransferRequest {
        var request = fetcher.request(url)
        request.acceptsCompression = false
        request.limits.bodyByteCount = limit
        request.limits.total = end.map { max(.milliseconds(1), $0 - .now) }
        return request
    }

    /// A part of the archive, without the bytes of it that are here.
    func part(_ range: Range<Int>) -> Download {
        Download(request(limit: range.count), range: range, entityTag: entityTag)
    }

    func run(_ download: Download, into partial: PartialArchive) async throws(FetchError) -> Int {
        let outcome: Download.Outcome
        do throws(TransferError) {
            outcome = try await fetcher.client.download(download, into: partial)
        } catch {
            throw FetchError(error)
        }
        switch outcome {
        case .complete(_, let byteCount): return byteCount
        case .other(let answer): throw await FetchError(answer)
        }
    }

    private func proof(_ partial: PartialArchive) throws(FetchError) -> Digest {
        guard let digest = partial.digest() else { throw FetchError(.outOfMemory) }
        return digest
    }
}
