internal import WidgetBytes
internal import WidgetRegistry

/// The questions about what is kept and what is taken up, as the SQL of other catalogs counts and selects it.
extension MemoryTransaction {
    // MARK: Keeping

    private func kept(_ bundle: Int64) -> [BundleHistory.Candidate] {
        tables.releases.filter { $0.bundle == bundle && !$0.isGone }
            .map { record in
                BundleHistory.Candidate(
                    id: record.id, key: record.key, digest: record.digest, byteCount: record.release.byteCount,
                    isSnapshot: record.release.isSnapshot, published: record.release.published,
                    shownUntil: record.shownUntil, restored: record.restored)
            }
            .sorted { $0.place < $1.place }
    }

    func keptReleases(
        ofBundle bundle: Int64, after place: PublicationPlace, limit: Int
    ) -> [BundleHistory.Candidate] {
        Array(kept(bundle).filter { $0.place > place }.prefix(limit))
    }

    func keptPlace(ofBundle bundle: Int64, areSnapshots: Bool, fromLast place: Int) -> PublicationPlace? {
        kept(bundle).filter { $0.isSnapshot == areSnapshots }.dropLast(max(0, place - 1)).last?.place
    }

    func steps(ofChannel channel: ChannelRecord, before id: Int64, limit: Int) -> [ChannelStep] {
        let steps = tables.steps.filter {
            $0.bundle == channel.bundle && $0.channel == channel.name && $0.id >= channel.origin && $0.id < id
        }
        return Array(steps.reversed().prefix(limit))
    }

    func retentionGuard() -> RetentionGuard { tables.retentionGuard }

    func setRetentionGuard(_ present: RetentionGuard) { tables.retentionGuard = present }

    func setExpiry(_ expiry: Expiry, of release: Int64) throws(RegistryError) {
        _ = try self.release(release)
        tables.releases[Int(release) - 1].release.expiry = expiry
    }

    func noteLeft(_ channel: String, ofBundle bundle: Int64, at time: Int64) {
        let known = tables.channels + tables.deletedChannels
        guard let present = known.first(where: { $0.bundle == bundle && $0.name == channel }) else { return }
        for id in [present.state.release, present.state.base].compactMap(\.self) {
            let place = Int(id) - 1
            guard tables.releases.indices.contains(place) else { continue }
            tables.releases[place].shownUntil = max(tables.releases[place].shownUntil ?? time, time)
        }
    }

    // MARK: Usage

    private func stored(_ prefix: BundlePrefix) -> [ReleaseRecord] {
        tables.releases.filter { holdsDocuments($0.id) && isCovered($0, prefix) }
    }

    private func isCovered(_ record: ReleaseRecord, _ prefix: BundlePrefix) -> Bool {
        tables.bundles.first { $0.id == record.bundle }.map { prefix.covers($0.identifier) } ?? false
    }

    private struct Archive: Hashable {
        var bundle: Int64
        var digest: Digest
    }

    private func usage(of records: [ReleaseRecord]) -> StoredUsage {
        var sizes: [Archive: Int] = [:]
        for record in records {
            sizes[Archive(bundle: record.bundle, digest: record.digest)] = record.release.byteCount
        }
        return StoredUsage(releases: records.count, bytes: sizes.values.reduce(0, +))
    }

    func usage(within prefix: BundlePrefix) -> StoredUsage { usage(of: stored(prefix)) }

    func largestBundles(within prefix: BundlePrefix, by measure: QuotaMeasure, limit: Int) -> [BundleUsage] {
        func size(_ usage: StoredUsage) -> Int { measure == .releases ? usage.releases : usage.bytes }
        let all = tables.bundles.compactMap { bundle -> BundleUsage? in
            let records = stored(prefix).filter { $0.bundle == bundle.id }
            guard !records.isEmpty else { return nil }
            return BundleUsage(BundleName(id: bundle.id, identifier: bundle.identifier), usage(of: records))
        }
        return Array(
            all.sorted { one, other in
                size(one.usage) == size(other.usage)
                    ? precedes(one.bundle.identifier, other.bundle.identifier) : size(one.usage) > size(other.usage)
            }.prefix(limit))
    }

    private func publications(_ prefix: BundlePrefix, _ time: Int64) -> [Int64] {
        tables.releases.filter { $0.release.published > time && isCovered($0, prefix) }.map(\.release.published)
            .sorted()
    }

    func publicationCount(within prefix: BundlePrefix, after time: Int64, limit: Int) -> Int {
        min(limit, publications(prefix, time).count)
    }

    func publication(within prefix: BundlePrefix, after time: Int64, fromLast place: Int) -> Int64? {
        let all = publications(prefix, time)
        return all.dropLast(max(0, place - 1)).last
    }

    func movement(within prefix: BundlePrefix, since time: Int64) -> (added: StoredUsage, freed: StoredUsage) {
        let added = stored(prefix).filter { $0.release.published > time }
        let freed = tables.releases.filter { record in
            isCovered(record, prefix) && record.release.published <= time
                && tables.ends[record.id].map { $0 > time } ?? false
        }
        func bytes(_ records: [ReleaseRecord], _ isCounted: (ReleaseRecord, ReleaseRecord) -> Bool) -> Int {
            records.filter { record in
                !tables.releases.contains { other in
                    other.bundle == record.bundle && other.digest == record.digest && isCounted(record, other)
                }
            }.reduce(0) { $0 + $1.release.byteCount }
        }
        return (
            StoredUsage(
                releases: added.count, bytes: bytes(added) { $1.id < $0.id && self.holdsDocuments($1.id) }),
            StoredUsage(
                releases: freed.count,
                bytes: bytes(freed) { record, other in
                    if other.id != record.id, self.holdsDocuments(other.id) { return true }
                    return other.id < record.id && self.tables.ends[other.id].map { $0 > time } ?? false
                })
        )
    }

    func storedReleases(ofBundle bundle: Int64, limit: Int) -> [ReleaseRecord] {
        let found = tables.releases.filter { $0.bundle == bundle && holdsDocuments($0.id) }
        return Array(found.sorted { ($0.release.published, $0.id) < ($1.release.published, $1.id) }.prefix(limit))
    }

    /// Nothing is counted here, so nothing can be counted wrongly.
    func miscountedBundles(from first: Int64, through last: Int64) -> [Int64] { [] }

    func recount(_ bundle: Int64) {}
}
