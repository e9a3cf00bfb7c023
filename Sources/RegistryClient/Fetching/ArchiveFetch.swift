internal import Bytes
internal import Files
internal import Transfers
internal import WidgetBundles
internal import Zip

/// Brings one archive here: from the shelf, from the one before it and a few ranges, or as a whole.
struct ArchiveFetch {
    let candidate: ReleaseCandidate
    let url: TransferURL
    private let fetcher: WidgetFetcher
    private let before: InstalledRelease?
    private let progress: WidgetFetcher.Progress

    /// An archive whose digest is proven.
    struct Archive: Sendable {
        let file: SharedFile
        let cost: UpdateCost
        /// `nil` when it is on the shelf already.
        let partial: PartialArchive?
    }

    init(
        _ candidate: ReleaseCandidate, at url: TransferURL, with fetcher: WidgetFetcher,
        borrowingFrom before: InstalledRelease?, progress: @escaping WidgetFetcher.Progress
    ) {
        self.candidate = candidate
        self.url = url
        self.fetcher = fetcher
        self.before = before
        self.progress = progress
    }

    private var cache: WidgetCache { fetcher.cache }

    func archive() async throws(FetchError) -> Archive {
        while true {
            if let file = cache.archive(candidate.digest, byteCount: candidate.byteCount) {
                return Archive(
                    file: SharedFile(file),
                    cost: UpdateCost(fetchedByteCount: 0, reusedByteCount: candidate.byteCount), partial: nil)
            }
            // Another process may bring it meanwhile; what it brought is looked at like anything on the shelf.
            guard let partial = try await cache.partialArchive(candidate.digest, byteCount: candidate.byteCount) else {
                continue
            }
            do throws(FetchError) {
                return try await complete(partial)
            } catch {
                // What broke off on the way is gone on with the next time; what is wrong or does not fit is not.
                if error.isRefusal || error.isOutOfSpace { cache.discard(partial) }
                throw error
            }
        }
    }

    /// Puts an archive whose bundle was found good on the shelf.
    func keep(_ archive: Archive) throws(FetchError) {
        if let partial = archive.partial { try cache.shelve(partial, as: candidate.digest) }
    }

    func discard(_ archive: Archive, because error: FetchError) {
        if let partial = archive.partial, error.isRefusal || error.isOutOfSpace { cache.discard(partial) }
    }

    private func complete(_ partial: PartialArchive) async throws(FetchError) -> Archive {
        let heldByteCount = partial.byteCount
        do throws(FileError) {
            // Met now rather than in the middle.
            try partial.file.descriptor.reserve(byteCount: candidate.byteCount)
        } catch {
            throw FetchError(error)
        }
        let base = borrowed()
        var fetched = 0
        if let base {
            let plan = UpdatePlan(candidate, from: heldByteCount, held: base.files)
            if plan.copies, let count = try await follow(plan, partial, borrowingFrom: base.archive) {
                fetched += count
                if partial.byteCount == candidate.byteCount, try isProven(partial) {
                    return archive(partial, fetched: fetched)
                }
                try begin(partial, anew: true)
            }
        }
        fetched += try await whole(partial)
        if try isProven(partial) { return archive(partial, fetched: fetched) }
        guard heldByteCount > 0, base == nil else { throw try wrong(partial) }
        // What was here of it may have been damaged.
        try begin(partial, anew: true)
        fetched += try await whole(partial)
        guard try isProven(partial) else { throw try wrong(partial) }
        return archive(partial, fetched: fetched)
    }

    private func archive(_ partial: PartialArchive, fetched: Int) -> Archive {
        Archive(
            file: partial.file,
            cost: UpdateCost(
                fetchedByteCount: fetched, reusedByteCount: max(0, candidate.byteCount - fetched)), partial: partial)
    }

    // MARK: - Parts

    /// The archive of the release that is there, and where its files stand in it; `nil` when it is gone or damaged.
    private func borrowed() -> (archive: SharedFile, files: [HeldFile])? {
        guard let before, let archive = cache.archive(before.record.digest, byteCount: before.record.byteCount),
            let directory = try? ZipDirectory(reading: archive, limits: fetcher.options.policy.limits.written)
        else { return nil }
        let files = HeldFile.all(in: directory, folder: before.record.folder, files: before.files)
        return (SharedFile(archive), files)
    }

    /// - Returns: how much was fetched; `nil` when the registry does not serve parts.
    private func follow(
        _ plan: UpdatePlan, _ partial: PartialArchive, borrowingFrom base: SharedFile
    ) async throws(FetchError) -> Int? {
        var fetched = 0
        for step in plan.steps {
            switch step {
            case .copy(let range):
                do throws(FileError) {
                    try partial.copy(range, of: base.descriptor)
                } catch {
                    throw FetchError(error)
                }
            case .fetch(let range):
                try begin(partial, anew: false)
                var download = Download(request(limit: range.count), range: range, entityTag: entityTag)
                let before = partial.byteCount
                download.progress = { [progress, candidate] in progress(before + $0.done, candidate.byteCount) }
                do throws(FetchError) {
                    fetched += try await run(download, into: partial)
                } catch {
                    guard case .transfer(let failure) = error.reason, case .malformedAnswer = failure.reason else {
                        throw error
                    }
                    try begin(partial, anew: true)
                    return nil
                }
            }
        }
        return fetched
    }

    private func whole(_ partial: PartialArchive) async throws(FetchError) -> Int {
        let held = partial.byteCount
        if held == candidate.byteCount { return 0 }
        partial.begin(atZero: true)
        var download = Download(request(limit: candidate.byteCount), entityTag: entityTag)
        download.heldByteCount = held
        download.progress = { [progress, candidate] in progress($0.done, candidate.byteCount) }
        let count = try await run(download, into: partial)
        guard partial.byteCount == candidate.byteCount else {
            throw FetchError(.wrongSize(expected: candidate.byteCount, actual: partial.byteCount))
        }
        return max(0, count - held)
    }

    /// The registry's own tag for an archive, which follows from its digest.
    private var entityTag: String { "\"sha256-\(candidate.digest.hex)\"" }

    private func request(limit: Int) -> TransferRequest {
        var request = fetcher.request(url)
        request.acceptsCompression = false
        request.limits.bodyByteCount = limit
        request.limits.total = fetcher.options.total
        return request
    }

    private func run(_ download: Download, into partial: PartialArchive) async throws(FetchError) -> Int {
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

    // MARK: - Proof

    private func begin(_ partial: PartialArchive, anew: Bool) throws(FetchError) {
        partial.begin(atZero: anew)
        guard anew else { return }
        do throws(FileError) {
            try partial.restart()
        } catch {
            throw FetchError(error)
        }
    }

    private func isProven(_ partial: PartialArchive) throws(FetchError) -> Bool {
        guard let digest = partial.digest() else { throw FetchError(.outOfMemory) }
        return digest == candidate.digest
    }

    private func wrong(_ partial: PartialArchive) throws(FetchError) -> FetchError {
        guard let digest = partial.digest() else { throw FetchError(.outOfMemory) }
        return FetchError(.wrongDigest(expected: candidate.digest, actual: digest))
    }
}
