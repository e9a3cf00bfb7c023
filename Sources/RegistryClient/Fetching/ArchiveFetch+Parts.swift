internal import Bytes
internal import Files
internal import RegistryContract
internal import Transfers
internal import WidgetBundles
internal import Zip

extension ArchiveFetch {
    /// The archive of the release that is there, and the files in it by their digests.
    private struct Held: ~Copyable {
        let digest: Digest
        let archive: FileDescriptor
        let entries: [Digest: ZipEntry]
    }

    /// Puts the archive together from what is here and what has changed; `nil` when it is cheaper, or all that helps,
    /// to bring the whole.
    func assembled() async throws(FetchError) -> Archive? {
        guard let held = held() else { return nil }
        let plan = UpdatePlan(candidate, held: Set(held.entries.keys))
        let rest = candidate.byteCount - cache.partialByteCount(candidate.digest.hex)
        guard plan.isCheaper(than: rest) else { return nil }
        // Who goes on with it must have the same files, or what has been fetched means something else.
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
                var download = part(range)
                download.heldByteCount = have
                let (progress, total, before) = (progress, plan.byteCount, start)
                download.progress = { progress(before + $0.done, total) }
                _ = try await run(download, into: parts)
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
        let source: FileDescriptor
        do throws(FileError) {
            source = try FileDescriptor.unnamed(inDirectory: cache.partial.path)
        } catch {
            throw FetchError(error)
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
        let file: SharedFile
        do throws(FileError) {
            file = SharedFile(try staged.file.duplicate())
        } catch {
            throw FetchError(error)
        }
        return Archive(
            file: file, digest: written.digest, byteCount: written.byteCount,
            cost: UpdateCost(
                fetchedByteCount: fetched, reusedByteCount: max(0, candidate.byteCount - fetched)),
            origin: .assembled(staged, parts: parts))
    }
}
