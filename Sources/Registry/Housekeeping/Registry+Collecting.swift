internal import Bytes
internal import Files

extension Registry {
    /// Removes what nothing refers to and nobody can ask for any more, while everything else goes on.
    ///
    /// First releases come to their end, in the catalog alone; then files go that no release has. So a crash in
    /// between leaves a file too many, and never one too few. Folders are listed, and files deleted, without a lock;
    /// the lock of one archive is held while its name is moved out of the way.
    ///
    /// - Parameter grace: how many seconds old a file must be, for nobody to be about to refer to it; and how long a
    ///   snapshot can still be fetched after it was retired.
    package func collect(
        grace: Int64, isDryRun: Bool, progress: HousekeepingProgress
    ) throws(RegistryError) -> CollectReport {
        try housekeeping.run(.gc) { () throws(RegistryError) in
            var report = CollectReport(isDryRun: isDryRun)
            if !isDryRun { try settleCatalog() }
            let ended = try endReleases(grace: grace, &report)
            try retireSnapshots(&report)
            let cutoff = options.now().subtracting(grace) ?? .min
            for (index, shard) in StoreNames.shards.enumerated() {
                try progress(index, StoreNames.shards.count)
                try collect(shard, cutoff: cutoff, besides: ended, &report)
            }
            report.quarantined = try storing { () throws(FileError) in try quarantineShare() }
            return report
        }
    }

    /// Commits something once, so that a commit that has failed before cannot come back after a restart: only then
    /// is a file that the catalog does not know one that it never will.
    private func settleCatalog() throws(RegistryError) {
        try writer.write { catalog, _ throws(RegistryError) in
            _ = try catalog.run("UPDATE bundle SET name = name WHERE id = (SELECT MIN(id) FROM bundle)")
        }
    }

    private func quarantineShare() throws(FileError) -> CollectReport.Share {
        var share = CollectReport.Share()
        for item in try store.quarantine.items(limit: .max) ?? [] { share.add(item.status.byteCount) }
        return share
    }

    // MARK: Releases

    /// - Returns: the releases that ended, or would have.
    private func endReleases(grace: Int64, _ report: inout CollectReport) throws(RegistryError) -> Set<Int64> {
        let now = options.now()
        let window = options.withdrawnSeconds
        let cutoffs = Retention.Cutoffs(
            withdrawn: now.subtracting(window) ?? .min, retired: now.subtracting(grace) ?? .min)
        var ended: Set<Int64> = []
        var last: Int64 = 0
        while true {
            let after = last
            let page = try readers.read { catalog throws(RegistryError) in
                try catalog.endedReleases(cutoffs, after: after, limit: 64)
            }
            guard let end = page.last else { break }
            last = end
            if !report.isDryRun {
                try writer.write { catalog, _ throws(RegistryError) in
                    // Decided again: one of them may have been restored meanwhile.
                    for id in try catalog.endedReleases(cutoffs, after: after, limit: 64) {
                        try catalog.removeDocuments(of: id)
                    }
                }
            }
            ended.formUnion(page)
        }
        report.endedReleases = ended.count
        return report.isDryRun ? ended : []
    }

    private func retireSnapshots(_ report: inout CollectReport) throws(RegistryError) {
        let (channels, kept) = (options.snapshotChannels, options.snapshotsKept)
        let bundles = try readers.read { catalog throws(RegistryError) in
            try catalog.bundles(withMoreSnapshotsThan: kept)
        }
        for bundle in bundles {
            let surplus = try readers.read { catalog throws(RegistryError) in
                try catalog.surplusSnapshots(ofBundle: bundle.id, channels: channels, keeping: kept)
            }
            for key in surplus {
                if report.isDryRun {
                    report.retiredSnapshots += 1
                } else if try retire(bundle.identifier, key) {
                    report.retiredSnapshots += 1
                }
            }
        }
    }

    // MARK: Files

    private func collect(
        _ shard: String, cutoff: Int64, besides ended: Set<Int64>, _ report: inout CollectReport
    ) throws(RegistryError) {
        let items = try storing { () throws(FileError) in
            try store.blobs.openDirectory(shard).items(limit: .max) ?? []
        }
        guard !items.isEmpty else { return }
        let known = try readers.read { catalog throws(RegistryError) in
            try catalog.knownFiles(ofShard: shard, besides: ended)
        }
        for item in items where item.status.kind == .file {
            guard let kind = StoreNames.kind(of: item.name), !known.contains(item.name, kind) else { continue }
            guard item.status.change < .seconds(cutoff) else {
                report.waiting.add(item.status.byteCount)
                continue
            }
            if !report.isDryRun, try !remove(item, kind, from: shard) { continue }
            switch kind {
            case .blob: report.archives.add(item.status.byteCount)
            case .sidecar, .tombstone: report.notes.add(item.status.byteCount)
            }
        }
    }

    /// Removes a file, if it is still what it was and still nobody's.
    private func remove(
        _ item: Directory.Item, _ kind: StoreNames.Kind, from shard: String
    ) throws(RegistryError) -> Bool {
        let aside = try publishing.withLock(for: kind.digest) { () throws(RegistryError) -> String? in
            let known = try readers.read { catalog throws(RegistryError) in
                try catalog.knownFiles(ofDigest: kind.digest)
            }
            guard !known.contains(item.name, kind) else { return nil }
            return try store.moveAside(item, in: shard)
        }
        guard let aside else { return false }
        try storing { () throws(FileError) in try store.staging.removeFile(aside) }
        return true
    }
}
