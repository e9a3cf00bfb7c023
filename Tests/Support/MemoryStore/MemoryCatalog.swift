internal import WidgetBytes
package import WidgetRegistry

/// A catalog in memory, for tests: all of it is copied for a write, and put back when the write succeeds.
package final class MemoryCatalog: ReleaseCatalog {
    private let tables = Guarded(MemoryTables())
    /// Of each registry that the catalog is shared by.
    private let observers: Guarded<[@Sendable ([RegistryChange]) -> Void]> = Guarded([])
    private let tokenObservers: Guarded<[@Sendable () -> Void]> = Guarded([])
    private let runs: Guarded<[HousekeepingTask: Int64]> = Guarded([:])
    /// Held by the writer.
    private let writing = Guarded(false)
    private let auditFailure: Guarded<RegistryError?> = Guarded(nil)

    package init() {}

    package func read<Value>(
        _ body: (any CatalogReader) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        try body(MemoryTransaction(tables.withLock { $0 }, auditFailure: nil))
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any CatalogEditor, inout [RegistryChange]) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        try writing.withLock { _ throws(RegistryError) in
            let transaction = MemoryTransaction(tables.withLock { $0 }, auditFailure: auditFailure.withLock { $0 })
            var changes: [RegistryChange] = []
            let value = try body(transaction, &changes)
            let written = transaction.tables
            let before = tables.withLock { tables in
                defer { tables = written }
                return tables
            }
            if before.hasOtherPeople(than: written) { for observer in tokenObservers.withLock({ $0 }) { observer() } }
            for observer in observers.withLock({ $0 }) { observer(changes) }
            return value
        }
    }

    /// Has records of the audit refused from now on; `nil`: stored.
    package func refuseAudit(with failure: RegistryError?) { auditFailure.withLock { $0 = failure } }

    package func follow(_ observer: @escaping @Sendable ([RegistryChange]) -> Void) {
        observers.withLock { $0.append(observer) }
    }

    package func followTokens(_ observer: @escaping @Sendable () -> Void) {
        tokenObservers.withLock { $0.append(observer) }
    }

    package func complaints() -> [String] { [] }

    package func lastRun(of task: HousekeepingTask) -> Int64? { runs.withLock { $0[task] } }

    package func noteRun(of task: HousekeepingTask, at time: Int64) { runs.withLock { $0[task] = time } }
}

/// Everything that a catalog in memory holds. Numbers are places in the lists, from 1.
struct MemoryTables: Sendable {
    struct KeptToken: Sendable {
        /// `nil`: it was revoked.
        var digest: Digest?
        /// The one before, if it works beside it.
        var earlier: Digest?
        var token: Token
    }

    var bundles: [BundleRecord] = []
    var releases: [ReleaseRecord] = []
    var documents: [Int64: ReleaseDocuments] = [:]
    /// When the documents of releases were removed.
    var ends: [Int64: Int64] = [:]
    var retentionGuard = RetentionGuard()
    /// By bundle.
    var terms: [Int64: [String]] = [:]
    var channels: [ChannelRecord] = []
    /// As they were when they were deleted, each name of a bundle once.
    var deletedChannels: [ChannelRecord] = []
    var steps: [ChannelStep] = []
    var changes: [RegistryChange] = []
    var tokens: [KeptToken] = []
    var hadToken = false
    var audit: [AuditRecord] = []
    var objects: [Int64: ObjectRecord] = [:]
    var sessions: [Digest: SessionRecord] = [:]
    var uploads: [Digest: (upload: WaitingUpload, report: [UInt8])] = [:]
    /// By release.
    var outcomes: [Int64: [OutcomeCount]] = [:]
}

extension MemoryTables {
    /// True if tokens were changed, or sessions have begun or ended.
    func hasOtherPeople(than other: MemoryTables) -> Bool {
        sessions.keys != other.sessions.keys || tokens.map(\.digest) != other.tokens.map(\.digest)
    }
}

/// The tables as one transaction sees them.
final class MemoryTransaction: CatalogEditor {
    var tables: MemoryTables
    private let auditFailure: RegistryError?

    init(_ tables: MemoryTables, auditFailure: RegistryError?) {
        self.tables = tables
        self.auditFailure = auditFailure
    }

    // MARK: Bundles

    func bundle(_ identifier: String) -> BundleRecord? { tables.bundles.first { $0.identifier == identifier } }

    func bundle(spelledLike identifier: String) -> BundleRecord? {
        let folded = BundleRecord.folded(identifier)
        return tables.bundles.first { BundleRecord.folded($0.identifier) == folded }
    }

    func identifier(ofBundle id: Int64) throws(RegistryError) -> String {
        try tables.bundles[place(id, in: tables.bundles)].identifier
    }

    func longestBundle(beginning text: String, within start: String) -> BundleName? {
        longest { text.utf8.starts(with: $0.utf8) && $0.utf8.starts(with: start.utf8) }
    }

    func longestBundle(beginningLike text: String, within start: String) -> BundleName? {
        let (text, start) = (BundleRecord.folded(text), BundleRecord.folded(start))
        return longest { identifier in
            let folded = BundleRecord.folded(identifier).utf8
            return text.utf8.starts(with: folded) && folded.starts(with: start.utf8)
        }
    }

    private func longest(_ isBeginning: (String) -> Bool) -> BundleName? {
        tables.bundles.filter { isBeginning($0.identifier) }
            .max { $0.identifier.utf8.count < $1.identifier.utf8.count }
            .map { BundleName(id: $0.id, identifier: $0.identifier) }
    }

    func bundles(_ range: BundleRange) -> [(bundle: BundleRecord, hasChannel: Bool)] {
        let found = tables.bundles.sorted { precedes($0.identifier, $1.identifier) }.filter {
            !precedes($0.identifier, range.from) && $0.identifier != range.besides
                && precedes($0.identifier, range.below)
        }
        return found.prefix(range.limit).map { bundle in
            (bundle, range.channel.map { channel(at: $0, bundle.id) != nil } ?? true)
        }
    }

    func bundleNumbers() -> [Int64] { tables.bundles.map(\.id) }

    func insertBundle(_ identifier: String, name: String) -> Int64 {
        let id = Int64(tables.bundles.count + 1)
        tables.bundles.append(
            BundleRecord(id: id, identifier: identifier, name: name, latest: nil, releaseCount: 0))
        return id
    }

    func updateLatest(ofBundle id: Int64) throws(RegistryError) {
        let place = try place(id, in: tables.bundles)
        let latest = tables.releases.filter { $0.bundle == id && !$0.isGone }.max { one, other in
            guard one.release.isSnapshot == other.release.isSnapshot else { return one.release.isSnapshot }
            return isLower(one, other)
        }
        tables.bundles[place].latest = latest?.id
        if let latest { tables.bundles[place].name = latest.release.name }
    }

    func settle() {}

    // MARK: Releases

    func release(_ id: Int64) throws(RegistryError) -> ReleaseRecord {
        try tables.releases[place(id, in: tables.releases)]
    }

    func release(_ key: String, ofBundle bundle: Int64) -> ReleaseRecord? {
        tables.releases.first { $0.bundle == bundle && $0.key == key }
    }

    func releaseKey(_ id: Int64) throws(RegistryError) -> String { try release(id).key }

    func releases(withDigest digest: Digest, limit: Int) -> [ReleaseRecord] {
        Array(tables.releases.filter { $0.digest == digest }.prefix(limit))
    }

    func releases(ofBundle bundle: Int64, after last: ReleaseRecord?, limit: Int) -> [ReleaseRecord] {
        let found = tables.releases.filter { record in
            record.bundle == bundle && last.map { isLower(record, $0) } ?? true
        }
        return Array(found.sorted { isLower($1, $0) }.prefix(limit))
    }

    func firstPublication(of digest: Digest) -> (byteCount: Int, published: Int64)? {
        tables.releases.first { $0.digest == digest }.map { ($0.release.byteCount, $0.release.published) }
    }

    func releaseCount() -> Int { tables.releases.count }

    func filesDocument(_ release: Int64) throws(RegistryError) -> [UInt8] { try documents(release).files }

    func reportDocument(_ release: Int64) throws(RegistryError) -> [UInt8] { try documents(release).report }

    private func documents(_ release: Int64) throws(RegistryError) -> ReleaseDocuments {
        guard let found = tables.documents[release] else {
            throw .damaged("the documents of release \(release) are not there")
        }
        return found
    }

    func holdsDocuments(_ release: Int64) -> Bool { tables.documents[release] != nil }

    func holdsDocuments(ofDigest digest: Digest) -> Bool {
        tables.releases.contains { $0.digest == digest && holdsDocuments($0.id) }
    }

    func insert(_ release: ReleaseRecord, _ documents: ReleaseDocuments?) throws(RegistryError) -> Int64 {
        let bundle = try place(release.bundle, in: tables.bundles)
        var record = release
        record.id = Int64(tables.releases.count + 1)
        record.release.bundleIdentifier = ""
        record.release.channels = []
        tables.releases.append(record)
        tables.documents[record.id] = documents
        tables.bundles[bundle].releaseCount += 1
        return record.id
    }

    func revive(
        _ retired: Int64, as release: ReleaseRecord, _ documents: ReleaseDocuments
    ) throws(RegistryError) {
        let place = try place(retired, in: tables.releases)
        tables.releases[place].release = release.release
        tables.releases[place].release.withdrawal = nil
        tables.releases[place].release.expiry = nil
        tables.releases[place].withdrawnBy = nil
        tables.documents[retired] = documents
        tables.ends[retired] = nil
    }

    func removeDocuments(of release: Int64, at time: Int64) {
        if tables.documents.removeValue(forKey: release) != nil { tables.ends[release] = time }
    }

    func setWithdrawal(_ withdrawal: Withdrawal, by author: String, of release: Int64) throws(RegistryError) {
        let place = try place(release, in: tables.releases)
        tables.releases[place].release.withdrawal = withdrawal
        tables.releases[place].withdrawnBy = author
    }

    func removeWithdrawal(of release: Int64, at time: Int64) throws(RegistryError) {
        let place = try place(release, in: tables.releases)
        tables.releases[place].release.withdrawal = nil
        tables.releases[place].withdrawnBy = nil
        tables.releases[place].restored = time
    }

    // MARK: Channels

    func channels(ofBundle bundle: Int64) -> [ChannelRecord] {
        tables.channels.filter { $0.bundle == bundle }.sorted { precedes($0.name, $1.name) }
    }

    func channel(_ name: String, ofBundle bundle: Int64) -> ChannelRecord? {
        channel(at: name, bundle).map { tables.channels[$0] }
    }

    private func channel(at name: String, _ bundle: Int64) -> Int? {
        tables.channels.firstIndex { $0.bundle == bundle && $0.name == name }
    }

    func channelCount(ofBundle bundle: Int64) -> Int { tables.channels.count { $0.bundle == bundle } }

    func lastSequence(ofDeletedChannel name: String, ofBundle bundle: Int64) -> Int64 {
        tables.deletedChannels.first { $0.bundle == bundle && $0.name == name }?.sequence ?? 0
    }

    func step(_ id: Int64) throws(RegistryError) -> ChannelStep { try tables.steps[place(id, in: tables.steps)] }

    func lastStep(of release: Int64, onChannel channel: ChannelRecord) -> ChannelStep? {
        tables.steps.last {
            $0.bundle == channel.bundle && $0.channel == channel.name && $0.state.release == release
                && $0.id >= channel.origin
        }
    }

    func firstStep(of release: Int64, inBundle bundle: Int64) -> ChannelStep? {
        tables.steps.first { $0.bundle == bundle && $0.state.release == release }
    }

    func channels(everShowing release: Int64, inBundle bundle: Int64) -> [String] {
        Set(tables.steps.filter { $0.bundle == bundle && $0.state.release == release }.map(\.channel)).sorted()
    }

    func highestRelease(onChannel channel: ChannelRecord, besides excluded: Int64) -> Int64? {
        tables.releases.filter { record in
            record.bundle == channel.bundle && !record.isGone && record.id != excluded
                && lastStep(of: record.id, onChannel: channel) != nil
        }.max(by: isLower)?.id
    }

    func insertChannel(_ first: ChannelStep) throws(RegistryError) {
        noteLeft(first.channel, ofBundle: first.bundle, at: first.at)
        tables.channels.removeAll { $0.bundle == first.bundle && $0.name == first.channel }
        let head = insert(first)
        tables.channels.append(
            ChannelRecord(
                bundle: first.bundle, name: first.channel, state: first.state, sequence: first.sequence,
                changedAt: first.at, head: head, origin: head))
        tables.deletedChannels.removeAll { $0.bundle == first.bundle && $0.name == first.channel }
    }

    func delete(_ channel: ChannelRecord, sequence: Int64, at time: Int64) throws(RegistryError) {
        noteLeft(channel.name, ofBundle: channel.bundle, at: time)
        guard let place = self.channel(at: channel.name, channel.bundle) else {
            throw .damaged("channel \(channel.name) is not there")
        }
        var deleted = tables.channels.remove(at: place)
        deleted.sequence = sequence
        tables.deletedChannels.append(deleted)
    }

    func insert(_ step: ChannelStep) -> Int64 {
        var step = step
        step.id = Int64(tables.steps.count + 1)
        tables.steps.append(step)
        return step.id
    }

    func updateStep(_ id: Int64, _ state: ChannelState) throws(RegistryError) {
        let place = try place(id, in: tables.steps)
        tables.steps[place].state.base = state.base
        tables.steps[place].state.rollout = state.rollout
        tables.steps[place].state.isMandatory = state.isMandatory
    }

    func update(_ channel: ChannelRecord) throws(RegistryError) {
        noteLeft(channel.name, ofBundle: channel.bundle, at: channel.changedAt)
        guard let place = self.channel(at: channel.name, channel.bundle) else {
            throw .damaged("channel \(channel.name) is not there")
        }
        tables.channels[place] = channel
    }

    // MARK: Changes

    func append(_ change: RegistryChange) -> RegistryChange {
        var change = change
        change.tag = max(change.tag, latestTag() + 1)
        tables.changes.append(change)
        return change
    }

    func changes(after tag: Int64, limit: Int) -> [RegistryChange] {
        Array(tables.changes.filter { $0.tag > tag }.prefix(limit))
    }

    func latestTag() -> Int64 { tables.changes.last?.tag ?? 0 }

    func highestNumber() -> Int64 {
        max(latestTag(), (tables.channels + tables.deletedChannels).map(\.sequence).max() ?? 0)
    }

    func raise(to number: Int64, by author: String, at time: Int64) throws(RegistryError) -> Int {
        var tag = max(number, latestTag())
        var order: [(bundle: String, place: Int)] = []
        for place in tables.deletedChannels.indices { tables.deletedChannels[place].sequence = number }
        for place in tables.channels.indices {
            let channel = tables.channels[place]
            let head = try self.place(channel.head, in: tables.steps)
            if tables.steps[head].sequence == channel.sequence { tables.steps[head].sequence = number }
            tables.channels[place].sequence = number
            order.append((try identifier(ofBundle: channel.bundle), place))
        }
        order.sort { one, other in
            guard one.bundle == other.bundle else { return precedes(one.bundle, other.bundle) }
            return precedes(tables.channels[one.place].name, tables.channels[other.place].name)
        }
        for (bundle, place) in order {
            tag += 1
            let channel = tables.channels[place]
            tables.changes.append(
                RegistryChange(
                    tag: tag, at: time, kind: .promote, bundleIdentifier: bundle,
                    release: try releaseKey(channel.state.release), channel: channel.name, sequence: number, by: author)
            )
        }
        return order.count
    }

    // MARK: Audit

    func auditRecords(_ query: AuditQuery) -> [AuditRecord] {
        let scope = Token(name: "", prefix: query.prefix, scopes: [], created: 0)
        let found = tables.audit.reversed().filter { record in
            record.number < query.before && record.at >= query.since && record.at < query.until
                && scope.covers(record.subject)
                && query.bundle.map { record.subject == $0 && record.token == nil } ?? true
                && query.token.map { word in
                    Int64(word).map { [record.author.token, record.token?.number].contains($0) }
                        ?? [record.author.name, record.token?.name].contains(word)
                } ?? true
        }
        return Array(found.prefix(query.limit))
    }

    func auditRecords(after number: Int64, limit: Int) -> [AuditRecord] {
        Array(tables.audit.filter { $0.number > number }.prefix(limit))
    }

    func insert(_ record: AuditRecord) throws(RegistryError) -> Int64 {
        if let auditFailure { throw auditFailure }
        var record = record
        if record.number == 0 { record.number = (tables.audit.last?.number ?? 0) + 1 }
        tables.audit.append(record)
        return record.number
    }

    func removeAuditRecords(before time: Int64, limit: Int) -> Int {
        let ended = Set(tables.audit.dropLast().filter { $0.at < time }.prefix(limit).map(\.number))
        tables.audit.removeAll { ended.contains($0.number) }
        return ended.count
    }

    // MARK: Keeping

    func storedByteCount() -> Int { storedBlobs(after: nil, limit: .max).reduce(0) { $0 + $1.byteCount } }

    func storedBlobs(after last: Digest?, limit: Int) -> [StoredBlob] {
        var sizes: [Digest: Int] = [:]
        for record in tables.releases where holdsDocuments(record.id) {
            sizes[record.digest] = max(sizes[record.digest] ?? 0, record.release.byteCount)
        }
        let all = sizes.map { StoredBlob(digest: $0.key, byteCount: $0.value) }.sorted { $0.digest.hex < $1.digest.hex }
        return Array(all.filter { blob in last.map { $0.hex < blob.digest.hex } ?? true }.prefix(limit))
    }

    func digests(after last: Digest?, limit: Int) -> [Digest] {
        let all = Set(tables.releases.map(\.digest)).sorted { $0.hex < $1.hex }
        return Array(all.filter { digest in last.map { $0.hex < digest.hex } ?? true }.prefix(limit))
    }

    func shares(from first: Digest, through last: Digest) -> [StoredShare] {
        tables.releases.filter { $0.digest.hex >= first.hex && $0.digest.hex <= last.hex }.map { record in
            StoredShare(
                release: record.id, digest: record.digest, key: record.key, isStored: holdsDocuments(record.id),
                isWithdrawn: record.withdrawal != nil, isExpired: record.expiry != nil)
        }
    }

    func endedReleases(_ cutoffs: Retention.Cutoffs, after last: Int64, limit: Int) -> [Int64] {
        let ended = tables.releases.filter { record in
            guard record.id > last, holdsDocuments(record.id), let withdrawal = record.withdrawal else { return false }
            return withdrawal.at < (record.withdrawnBy == Retention.author ? cutoffs.retired : cutoffs.withdrawn)
        }
        return Array(ended.map(\.id).prefix(limit))
    }

    func bundles(withMoreSnapshotsThan count: Int) -> [BundleName] {
        tables.bundles.filter { snapshots(ofBundle: $0.id).count > count }
            .map { BundleName(id: $0.id, identifier: $0.identifier) }
    }

    func snapshots(ofBundle bundle: Int64) -> [(id: Int64, key: String)] {
        tables.releases.filter { $0.bundle == bundle && $0.release.isSnapshot && !$0.isGone }
            .reversed().map { ($0.id, $0.key) }
    }

    // MARK: Order

    private func place<Record>(_ id: Int64, in list: [Record]) throws(RegistryError) -> Int {
        guard id >= 1, id <= list.count else { throw .damaged("\(id) is referred to, but not there") }
        return Int(id) - 1
    }

    private func isLower(_ one: ReleaseRecord, _ other: ReleaseRecord) -> Bool {
        one.version == other.version
            ? one.id < other.id : one.version.lexicographicallyPrecedes(other.version)
    }

    func precedes(_ one: String, _ other: String) -> Bool { one.utf8.lexicographicallyPrecedes(other.utf8) }
}
