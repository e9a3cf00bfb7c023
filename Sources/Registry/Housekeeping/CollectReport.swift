/// What a collection of garbage has removed, or would remove.
package struct CollectReport: Equatable, Sendable {
    package var isDryRun: Bool
    /// Snapshots taken out of sight because a snapshot channel keeps so many only.
    package var retiredSnapshots = 0
    /// Releases whose time to be restored is over: their rows stay.
    package var endedReleases = 0
    /// Archives that no release has any more, or never had.
    package var archives = ItemShare()
    /// Small files beside archives, likewise.
    package var notes = ItemShare()
    /// Records of the audit whose time is over.
    package var auditRecords = 0
    /// What nothing refers to, but is too young to be sure of.
    package var waiting = ItemShare()
    /// What lies in quarantine, for people to look at; it is never removed.
    package var quarantined = ItemShare()

    init(isDryRun: Bool) {
        self.isDryRun = isDryRun
    }

    package var removedByteCount: Int { archives.byteCount + notes.byteCount }
}
