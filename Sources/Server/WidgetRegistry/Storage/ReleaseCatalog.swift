package import WidgetBytes
package import WidgetFiles

/// The catalog: which releases there are, and which of them each channel shows.
///
/// A registry asks it in two ways, `read` and `write`; the questions are ``CatalogReader``, the changes ``CatalogEditor``.
/// Every implementation guarantees:
///
/// - *Durable*: a `write` that returned survives a power cut.
/// - *Atomic*: a `write` whose body throws, or that throws itself, has changed nothing that a reader can see, and takes
///   no other `write` with it. One exception: after ``RegistryError/database(_:)`` the changes may be found later.
/// - *Isolated*: the body of a `write` sees everything that was committed before, and no one else writes meanwhile; all
///   that the body of one `read` sees is of one moment, and it waits for no writer.
/// - *Ordered*: tags of changes rise in the order of their commits, without a gap that a reader could miss; the
///   observer is called in that order, before the `write` that made them returns.
/// - *Honest*: "not there" is `nil` or an empty list, ``RegistryError/damaged(_:)`` is "there, but not as written", and
///   ``RegistryError/database(_:)`` and ``RegistryError/unavailable(_:)`` are "could not ask". None of them is used for
///   another.
///
/// `StorageContractTests` proves this of an implementation.
package protocol ReleaseCatalog: Sendable {
    /// Asks in one transaction.
    func read<Value>(_ body: (any CatalogReader) throws(RegistryError) -> Value) throws(RegistryError) -> Value

    /// Changes as the only writer. The body collects what it appended to the feed.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any CatalogEditor, inout [RegistryChange]) throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value

    /// Calls `observer` with every committed change from now on. Called once, before anything is written.
    func follow(_ observer: @escaping @Sendable ([RegistryChange]) -> Void)

    /// The faults of the stored catalog, in words; empty when it is sound.
    func complaints() throws(RegistryError) -> [String]

    /// When work on the whole store was finished last, in seconds since 1970; `nil` when that is not known.
    func lastRun(of task: HousekeepingTask) -> Int64?

    /// Notes it, so that a restart does not begin it anew. A note that is lost does no harm.
    func noteRun(of task: HousekeepingTask, at time: Int64)

    // MARK: Several processes

    /// Calls `observer` when another process has changed a token. Called once, before anything is written.
    func followTokens(_ observer: @escaping @Sendable () -> Void)

    /// Calls `observer` with the reason when the catalog cannot be asked any more, and with `nil` when it can again.
    func followOutages(_ observer: @escaping @Sendable (String?) -> Void)

    /// Reserves work on the whole store for this process.
    ///
    /// - Returns: false while another process does it, or work that excludes it.
    func claim(_ task: HousekeepingTask) throws(RegistryError) -> Bool

    /// Ends a reservation.
    func yield(_ task: HousekeepingTask)

    /// False when answers from memory may be older than an operator allows.
    var mayGiveCached: Bool { get }

    /// The time since this process last knew all that was committed; zero in the only process.
    var staleness: Duration { get }

    /// The reason why the catalog cannot be asked at present; `nil` while it can.
    var trouble: String? { get }

    /// Has other processes see with which settings this one serves.
    func note(settings: String)
    /// Has other processes know that this one has ended.
    func leave()
}

/// A catalog that one process has for itself.
extension ReleaseCatalog {
    package func followTokens(_ observer: @escaping @Sendable () -> Void) {}

    package func followOutages(_ observer: @escaping @Sendable (String?) -> Void) {}

    package func claim(_ task: HousekeepingTask) throws(RegistryError) -> Bool { true }

    package func yield(_ task: HousekeepingTask) {}

    package var mayGiveCached: Bool { true }

    package var staleness: Duration { .zero }

    package var trouble: String? { nil }

    package func note(settings: String) {}

    package func leave() {}
}

/// A remark for the operator about a catalog that is being opened.
package enum OpeningRemark: Equatable, Sendable {
    /// Tables are to be changed, and a transaction of another program holds them. Made at the first attempt that fails, and then
    /// each minute.
    case waiting(seconds: Int, reason: String)
    /// Indexes that could not be made. The next opening makes them; until then questions take longer.
    case unfinished(indexes: [String], reason: String)
}

/// Copies a catalog into the file that a backup holds.
package protocol CatalogCopier: Sendable {
    /// A copy of the catalog at one moment; readers and writers continue.
    ///
    /// - Parameter reserve: how many bytes the copy must leave on this machine's disk.
    func copy(leaving reserve: Int) throws(RegistryError) -> any CatalogCopy
}

/// A catalog as it was at one moment, gone with its owner.
package protocol CatalogCopy: AnyObject {
    var reader: any CatalogReader { get }
    /// The file that goes into the backup.
    var file: StoredFile { get }
}

/// The questions that a registry asks its catalog, within a transaction.
///
/// Numbers in them came from the same catalog; a number that leads nowhere is ``RegistryError/damaged(_:)``. Lists that
/// can be long have a limit. Identifiers, keys and digests are in the order of their bytes.
package protocol CatalogReader: RetentionReader {
    /// The rows about objects; see ``ObjectRows``.
    var objects: (any ObjectRows)? { get }

    // MARK: Bundles

    func bundle(_ identifier: String) throws(RegistryError) -> BundleRecord?
    /// The bundle of that identifier in any case.
    func bundle(spelledLike identifier: String) throws(RegistryError) -> BundleRecord?
    func identifier(ofBundle id: Int64) throws(RegistryError) -> String
    /// The bundle with the longest identifier that the text begins with, of those that begin with `start`. Other bundles
    /// do not change the time that it takes.
    func longestBundle(beginning text: String, within start: String) throws(RegistryError) -> BundleName?
    /// The same for letters in any case.
    func longestBundle(beginningLike text: String, within start: String) throws(RegistryError) -> BundleName?
    /// Part of the bundles, and whether each has the channel asked for, or none was asked for.
    func bundles(_ range: BundleRange) throws(RegistryError) -> [(bundle: BundleRecord, hasChannel: Bool)]
    /// Every bundle's number, in order.
    func bundleNumbers() throws(RegistryError) -> [Int64]

    // MARK: Search

    /// The bundles that have a term in the range, by the first of these and then by identifier, from behind a place in that
    /// order. Other terms do not change the time that it takes.
    func bundles(withTermIn range: TermRange, after place: TermPlace?, limit: Int) throws(RegistryError)
        -> [(bundle: BundleRecord, term: String)]
    /// The number of terms in the range, of all bundles; counted no further than the limit.
    func termCount(in range: TermRange, upTo limit: Int) throws(RegistryError) -> Int
    /// In the order of their bytes.
    func terms(ofBundle bundle: Int64) throws(RegistryError) -> [String]
    /// Bundles that were never given terms, by number.
    func unindexedBundles(limit: Int) throws(RegistryError) -> [Int64]

    // MARK: Releases

    func release(_ id: Int64) throws(RegistryError) -> ReleaseRecord
    func release(_ key: String, ofBundle bundle: Int64) throws(RegistryError) -> ReleaseRecord?
    func releaseKey(_ id: Int64) throws(RegistryError) -> String
    /// In the order they were published.
    func releases(withDigest digest: Digest, limit: Int) throws(RegistryError) -> [ReleaseRecord]
    /// Highest version first, and of one version the one stored last.
    func releases(ofBundle bundle: Int64, after last: ReleaseRecord?, limit: Int) throws(RegistryError)
        -> [ReleaseRecord]
    /// The first release of an archive: its size, and when it was published.
    func firstPublication(of digest: Digest) throws(RegistryError) -> (byteCount: Int, published: Int64)?
    func releaseCount() throws(RegistryError) -> Int
    /// Of a release that is stored.
    func filesDocument(_ release: Int64) throws(RegistryError) -> [UInt8]
    func reportDocument(_ release: Int64) throws(RegistryError) -> [UInt8]
    func holdsDocuments(_ release: Int64) throws(RegistryError) -> Bool
    func holdsDocuments(ofDigest digest: Digest) throws(RegistryError) -> Bool
    /// Of a release that may have none, or be withdrawn; `nil` if it has no part of the name.
    func part(_ name: String, ofRelease release: Int64) throws(RegistryError) -> ReleasePart?
    /// In the order of their bytes.
    func partNames(ofRelease release: Int64) throws(RegistryError) -> [String]
    /// Releases with documents that are neither withdrawn nor expired and lack a part, the latest first.
    ///
    /// - Parameters:
    ///   - areShown: those that channels show; false: the others.
    ///   - last: the number that theirs are below.
    func releases(
        withoutPart name: String, areShown: Bool, before last: Int64, limit: Int
    ) throws(RegistryError) -> [ReleaseName]

    // MARK: Channels

    /// In the order of their names. A channel that was deleted is not among them, nor found by its name.
    /// The withdrawn releases of a bundle that hosts may not keep, the newest withdrawal first.
    func forbiddenReleases(ofBundle bundle: Int64, limit: Int) throws(RegistryError) -> [WithdrawnRelease]
    func channels(ofBundle bundle: Int64) throws(RegistryError) -> [ChannelRecord]
    func channel(_ name: String, ofBundle bundle: Int64) throws(RegistryError) -> ChannelRecord?
    func channelCount(ofBundle bundle: Int64) throws(RegistryError) -> Int
    /// The sequence with which a channel of that name was deleted; 0 when none was.
    func lastSequence(ofDeletedChannel name: String, ofBundle bundle: Int64) throws(RegistryError) -> Int64
    func step(_ id: Int64) throws(RegistryError) -> ChannelStep
    /// The last time that a release was put on a channel since it was made.
    func lastStep(of release: Int64, onChannel channel: ChannelRecord) throws(RegistryError) -> ChannelStep?
    /// The first time that a release was put on any channel of its bundle.
    func firstStep(of release: Int64, inBundle bundle: Int64) throws(RegistryError) -> ChannelStep?
    /// The names of the channels that a release was ever put on, deleted ones too.
    func channels(everShowing release: Int64, inBundle bundle: Int64) throws(RegistryError) -> [String]
    /// The highest that was on the channel since it was made, and is neither withdrawn nor expired.
    func highestRelease(onChannel channel: ChannelRecord, besides excluded: Int64) throws(RegistryError) -> Int64?

    // MARK: Changes

    func changes(after tag: Int64, limit: Int) throws(RegistryError) -> [RegistryChange]
    /// The latest first.
    func latestChanges(limit: Int) throws(RegistryError) -> [RegistryChange]
    /// 0 before the first.
    func latestTag() throws(RegistryError) -> Int64
    /// The highest tag or sequence there is, those of deleted channels included.
    func highestNumber() throws(RegistryError) -> Int64

    // MARK: Tokens

    /// In the order of their names.
    func tokens() throws(RegistryError) -> [Token]
    /// By the SHA-256 of every secret there is: of each token, and of the one before its last rotation if that was kept.
    func tokensByDigest() throws(RegistryError) -> [Digest: Token]
    /// Of all tokens that ever were with numbers past this one, in their order.
    func tokenNames(after number: Int64) throws(RegistryError) -> [TokenName]
    /// Of all tokens that ever had the name.
    func tokenNames(called name: String) throws(RegistryError) -> [TokenName]
    /// True when nothing was ever published and no token was ever made, revoked ones included.
    func isUnused() throws(RegistryError) -> Bool

    // MARK: What people have begun

    func sessions() throws(RegistryError) -> [SessionRecord]
    func session(_ key: Digest) throws(RegistryError) -> SessionRecord?
    func sessions(ofToken number: Int64) throws(RegistryError) -> [SessionRecord]
    func sessionCount() throws(RegistryError) -> Int
    func uploads() throws(RegistryError) -> [WaitingUpload]
    func upload(_ key: Digest) throws(RegistryError) -> WaitingUpload?
    /// The page about an upload; empty without one.
    func report(ofUpload key: Digest) throws(RegistryError) -> [UInt8]
    /// The digests of the archives that wait for a word, of those from one through another.
    func waitingArchives(from first: Digest, through last: Digest) throws(RegistryError) -> [Digest]

    // MARK: Outcomes

    /// The counts of a release since a day: the newest day first, then by channel, outcome and reason. Words of a
    /// later version are left out.
    func outcomes(ofRelease release: Int64, since day: Int64) throws(RegistryError) -> [OutcomeCount]

    // MARK: Audit

    /// Newest first.
    func auditRecords(_ query: AuditQuery) throws(RegistryError) -> [AuditRecord]
    /// In the order of their numbers.
    func auditRecords(after number: Int64, limit: Int) throws(RegistryError) -> [AuditRecord]

    // MARK: Keeping

    /// The bytes of all archives that may still be asked for.
    func storedByteCount() throws(RegistryError) -> Int
    /// In the order of their digests.
    func storedBlobs(after last: Digest?, limit: Int) throws(RegistryError) -> [StoredBlob]
    /// Of every release there ever was, in order.
    func digests(after last: Digest?, limit: Int) throws(RegistryError) -> [Digest]
    /// Every release of the archives with these digests.
    func shares(from first: Digest, through last: Digest) throws(RegistryError) -> [StoredShare]
    /// Withdrawn releases whose time is over and that still have documents, by number.
    func endedReleases(_ cutoffs: Retention.Cutoffs, after last: Int64, limit: Int) throws(RegistryError) -> [Int64]
    /// In the order of their numbers.
    func bundles(withMoreSnapshotsThan count: Int) throws(RegistryError) -> [BundleName]
    /// The snapshots of a bundle that are neither withdrawn nor expired, the newest first.
    func snapshots(ofBundle bundle: Int64) throws(RegistryError) -> [(id: Int64, key: String)]
}

/// The questions, and the changes that a registry makes.
package protocol CatalogEditor: CatalogReader, RetentionEditor {
    // MARK: What people have begun

    func insert(_ session: SessionRecord) throws(RegistryError)
    func removeSession(_ key: Digest) throws(RegistryError)
    /// Removes those that began, or were last used, by then.
    func removeSessions(begunBy begun: Int64, usedBy used: Int64) throws(RegistryError)
    func setLastUse(ofSession key: Digest, _ time: Int64) throws(RegistryError)
    func insert(_ upload: WaitingUpload, report: [UInt8]) throws(RegistryError)
    /// From then on its archive is not kept for it.
    func setOutcome(_ place: String, ofUpload key: Digest) throws(RegistryError)
    func removeUpload(_ key: Digest) throws(RegistryError)

    // MARK: Bundles and releases

    /// - Returns: the new bundle's number.
    func insertBundle(_ identifier: String, name: String) throws(RegistryError) -> Int64
    /// Finds out anew which release is the latest: the highest that is neither withdrawn nor expired, a snapshot only if
    /// there is nothing else. The name follows it, and stays when nothing is left.
    func updateLatest(ofBundle id: Int64) throws(RegistryError)
    /// Replaces the terms under which a bundle is found, each given once.
    func setTerms(_ terms: [String], of bundle: Int64) throws(RegistryError)
    /// Stores a release, whose own number is not looked at; without documents nothing of it is left but its key.
    ///
    /// - Returns: its number, higher than any before.
    func insert(_ release: ReleaseRecord, _ documents: ReleaseDocuments?) throws(RegistryError) -> Int64
    /// Brings a retired or expired snapshot back as it was published now, or gives a release the archive that a mirror's origin has.
    func revive(_ retired: Int64, as release: ReleaseRecord, _ documents: ReleaseDocuments) throws(RegistryError)
    /// From then on nothing of the release is stored but its record.
    func removeDocuments(of release: Int64, at time: Int64) throws(RegistryError)
    func removeParts(of release: Int64) throws(RegistryError)
    /// Stores a part, in place of one of its name.
    func put(_ part: ReleasePart, of release: Int64) throws(RegistryError)
    func setWithdrawal(_ withdrawal: Withdrawal, by author: String, of release: Int64) throws(RegistryError)
    func removeWithdrawal(of release: Int64, at time: Int64) throws(RegistryError)

    // MARK: Channels

    /// Stores a channel that was not there, or was deleted, with its first step.
    func insertChannel(_ first: ChannelStep) throws(RegistryError)
    /// Deletes a channel. Its steps and this sequence stay, so that one of the same name continues past it.
    func delete(_ channel: ChannelRecord, sequence: Int64, at time: Int64) throws(RegistryError)
    /// Stores a step of a channel's history, which becomes its present by ``update(_:)``.
    ///
    /// - Returns: its number, higher than any before.
    func insert(_ step: ChannelStep) throws(RegistryError) -> Int64
    /// Replaces what a step shows, of the same release, to more or fewer.
    func updateStep(_ id: Int64, _ state: ChannelState) throws(RegistryError)
    func update(_ channel: ChannelRecord) throws(RegistryError)

    // MARK: Changes

    /// Adds a line to the feed, and gives it its tag: the one that it has, or if that is not past all there are, the next.
    func append(_ change: RegistryChange) throws(RegistryError) -> RegistryChange
    /// Gives every channel this sequence, deleted ones too, and tells the feed of each that is there, with tags past the
    /// number and past all there are.
    ///
    /// - Returns: how many channels there are.
    func raise(to number: Int64, by author: String, at time: Int64) throws(RegistryError) -> Int

    // MARK: Tokens

    /// Stores a token, whose own number is not looked at.
    ///
    /// - Returns: its number, higher than any before.
    func insert(_ token: Token, digest: Digest) throws(RegistryError) -> Int64
    /// Stores the name of a token that was revoked; tokens that are stored later have higher numbers.
    func insert(_ name: TokenName, revoked time: Int64) throws(RegistryError)
    /// Gives a token another secret, if it still has the one that is to be replaced.
    ///
    /// - Parameter end: the end of the present secret; `nil`: at once. The one before it ends in any case.
    /// - Returns: whether it had that secret.
    func rotateToken(
        _ number: Int64, from present: Digest, to digest: Digest, keptUntil end: Int64?
    ) throws(RegistryError) -> Bool
    /// Leaves nothing of a token but its name and number.
    ///
    /// - Returns: whether there was one.
    func revokeToken(_ number: Int64, at time: Int64) throws(RegistryError) -> Bool
    func setLastUse(ofToken number: Int64, _ time: Int64) throws(RegistryError)

    // MARK: Outcomes

    /// Adds to what hosts have reported of a release.
    func add(_ counts: [OutcomeCount], toRelease release: Int64) throws(RegistryError)
    /// Removes the counts of before a day.
    func removeOutcomes(before day: Int64) throws(RegistryError)

    // MARK: Audit

    /// Stores a record of the act that this transaction carries out.
    ///
    /// - Returns: its number: its own unless that is 0, else one higher than any before.
    func insert(_ record: AuditRecord) throws(RegistryError) -> Int64
    /// Removes records of before a time, the oldest first, and never the newest: its number must not come again.
    ///
    /// - Returns: how many were removed.
    func removeAuditRecords(before time: Int64, limit: Int) throws(RegistryError) -> Int

    /// Writes something that changes nothing, so that a commit that failed before cannot come back after a restart.
    func settle() throws(RegistryError)
}
