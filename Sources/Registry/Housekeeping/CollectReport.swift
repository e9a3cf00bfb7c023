/// What a collection of garbage has removed, or would remove.
package struct CollectReport: Equatable, Sendable {
    /// How many things of one kind, and their bytes.
    package struct Share: Equatable, Sendable {
        package var count = 0
        package var byteCount = 0

        mutating func add(_ byteCount: Int) {
            count += 1
            self.byteCount += byteCount
        }
    }

    package var isDryRun: Bool
    /// Snapshots taken out of sight because a snapshot channel keeps so many only.
    package var retiredSnapshots = 0
    /// Releases whose time to be restored is over: their rows stay.
    package var endedReleases = 0
    /// Archives that no release has any more, or never had.
    package var archives = Share()
    /// Small files beside archives, likewise.
    package var notes = Share()
    /// What nothing refers to, but is too young to be sure of.
    package var waiting = Share()
    /// What lies in quarantine, for people to look at; it is never removed.
    package var quarantined = Share()

    init(isDryRun: Bool) {
        self.isDryRun = isDryRun
    }

    package var removedByteCount: Int { archives.byteCount + notes.byteCount }
}
