internal import RegistryContract
internal import WidgetBundles
internal import WidgetBytes
internal import WidgetFiles
internal import WidgetSurroundings
internal import WidgetTransfers
internal import WidgetZip

/// Fetches one archive: from the shelf, by assembling it from the previous one and the changed parts, or as a whole.
struct ArchiveFetch {
    let candidate: ReleaseCandidate
    let url: TransferURL
    let fetcher: WidgetFetcher
    let before: InstalledRelease?
    let progress: WidgetFetcher.Progress
    /// The deadline for all requests for this archive.
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
        end = fetcher.options.total.map { fetcher.client.world.clock.moment(after: $0) }
    }

    /// An archive that was verified against the announcement, by its digest or by those of all its files.
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

    /// The number of times that another process may win the race to fetch the same archive.
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
            // Another process may fetch it meanwhile; its archive is verified like any on the shelf.
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

    /// Discards an archive whose bundle was refused, unless the error has another cause.
    func discard(_ archive: consuming Archive, because error: FetchError) {
        guard error.isRefusal || error.isOutOfSpace else { return }
        switch consume archive.origin {
        case .shelf: break
        case .whole(let partial): cache.discard(partial)
        case .assembled(_, let parts): cache.discard(parts)
        }
    }

    // MARK: - The whole

    /// - Returns: `nil` when another process has fetched it meanwhile.
    private func whole() async throws(FetchError) -> Archive? {
        let wanted = try await cache.partialArchive(
            candidate.digest.hex, of: candidate.digest, byteCount: candidate.byteCount)
        guard let partial = wanted else { return nil }
        let held = partial.byteCount
        do throws(FetchError) {
            try partial.reserve(candidate.byteCount)
            var fetched = try await bring(partial)
            if try proof(partial) != candidate.digest, held > 0 {
                // The partial archive may have been damaged.
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
            // An interrupted download is continued the next time; a refused one, or one that does not fit, is not.
            if error.isRefusal || error.isOutOfSpace { cache.discard(partial) }
            throw error
        }
    }

    private func bring(_ partial: PartialArchive) async throws(FetchError) -> Int {
        let held = partial.byteCount
        if held == candidate.byteCount { return 0 }
        let count = try await transfer.whole(candidate.byteCount, into: partial) { [progress, candidate] in
            progress($0.done, candidate.byteCount)
        }
        return max(0, count - held)
    }

    private var transfer: ArchiveTransfer {
        ArchiveTransfer(client: fetcher.client, url: url, digest: candidate.digest) { [fetcher, url, end] in
            var request = fetcher.request(url)
            request.limits.leastRate = fetcher.options.leastRate
            request.limits.total = end.map { max(.milliseconds(1), $0 - fetcher.client.world.clock.now) }
            return request
        }
    }

    private func proof(_ partial: PartialArchive) throws(FetchError) -> Digest {
        guard let digest = partial.digest() else { throw FetchError(.outOfMemory) }
        return digest
    }
}

extension ArchiveFetch {
    /// The archive of the release that is there, and the files in it by their digests.
    private struct Held: ~Copyable {
        let digest: Digest
        let archive: FileDescriptor
        let entries: [Digest: ZipEntry]
    }

    /// Assembles the archive from the files that are here and the changed parts; `nil` when fetching the whole is
    /// cheaper, or the only way.
    func assembled() async throws(FetchError) -> Archive? {
        guard let held = held() else { return nil }
        let plan = UpdatePlan(candidate, held: Set(held.entries.keys))
        let rest = candidate.byteCount - cache.partialByteCount(candidate.digest.hex)
        guard plan.isCheaper(than: rest) else { return nil }
        // A process that continues it must have the same files, or the fetched bytes have another meaning.
        let name = "\(candidate.digest.hex).\(held.digest.hex.prefix(32))"
        guard let parts = try await cache.partialArchive(name, of: candidate.digest, byteCount: plan.byteCount) else {
            return nil
        }
        do throws(FetchError) {
            let fetched = try await bring(plan, parts)
            return try assemble(plan, parts, held, fetched: fetched)
        } catch {
            if error.isTransient { throw error }
            // A registry that serves no parts, serves wrong ones or was wrong about them: the whole has the last word.
            cache.discard(parts)
            if error.isOutOfSpace { throw error }
            return nil
        }
    }

    private func held() -> Held? {
        guard let before, let archive = cache.archive(before.record.keptDigest, byteCount: before.record.keptByteCount),
            let directory = try? ZipDirectory(reading: archive, limits: fetcher.options.policy.limits.written)
        else { return nil }
        let folder = before.record.folder
        let digests = Dictionary(before.files.map { ("\(folder)/\($0.path)", $0.digest) }) { first, _ in first }
        var entries: [Digest: ZipEntry] = [:]
        for entry in directory.entries where !entry.isDirectory {
            if let digest = digests[entry.name.text] { entries[digest] = entry }
        }
        return Held(digest: before.record.keptDigest, archive: archive, entries: entries)
    }

    /// Fetches one range after the other into one file, from where it ends.
    private func bring(_ plan: UpdatePlan, _ parts: PartialArchive) async throws(FetchError) -> Int {
        let already = parts.byteCount
        var start = 0
        for range in plan.ranges {
            let have = min(max(0, parts.byteCount - start), range.count)
            if have < range.count {
                parts.begin(at: start)
                var download = transfer.part(range)
                download.heldByteCount = have
                let (progress, total, before) = (progress, plan.byteCount, start)
                download.progress = { progress(before + $0.done, total) }
                _ = try await transfer.bring(download, into: parts)
            }
            start += range.count
            guard parts.byteCount >= start else {
                throw FetchError(.wrongSize(expected: start, actual: parts.byteCount))
            }
        }
        return max(0, parts.byteCount - already)
    }

    private func assemble(
        _ plan: UpdatePlan, _ parts: PartialArchive, _ held: borrowing Held, fetched: Int
    ) throws(FetchError) -> Archive {
        let source = try rethrowing(as: FetchError.init) { () throws(FileError) in
            try FileDescriptor.unnamed(inDirectory: cache.partial.path)
        }
        var assembly = BundleAssembly(candidate, in: source, limits: fetcher.options.policy.limits.written)
        for file in plan.reused {
            guard let entry = held.entries[file.digest] else { throw FetchError(.notKept) }
            try assembly.add(file, method: entry.method, dataRange: entry.dataRange, of: held.archive)
        }
        for (file, offset) in plan.fetched {
            try assembly.add(
                file, method: file.zipMethod, dataRange: offset..<(offset + file.dataRange.count),
                of: parts.file.descriptor)
        }
        let staged = try cache.stagedArchive()
        let written = try assembly.write(to: staged.file)
        let file = try rethrowing(as: FetchError.init) { () throws(FileError) in SharedFile(try staged.file.duplicate())
        }
        return Archive(
            file: file, digest: written.digest, byteCount: written.byteCount,
            cost: UpdateCost(
                fetchedByteCount: fetched, reusedByteCount: max(0, candidate.byteCount - fetched)),
            origin: .assembled(staged, parts: parts))
    }
}
