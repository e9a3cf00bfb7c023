internal import WidgetBytes

// Work on the store as a whole.

extension Registry {
    /// Removes items that nothing refers to and that clients can no longer ask for. Reads and writes continue
    /// meanwhile.
    ///
    /// - Parameters:
    ///   - grace: the age in seconds from which on no request under way can still refer to an unreferenced item; also the
    ///     time for which a snapshot can still be fetched after it was retired.
    ///   - isConfirmed: true if the owner has said that changed rules for what is kept are meant.
    package func collect(
        grace: Int64, isDryRun: Bool, isConfirmed: Bool = false, progress: HousekeepingProgress
    ) throws(RegistryError) -> CollectReport {
        try blobs.requireProof()
        return try housekeeping.run(.gc, in: catalog) { () throws(RegistryError) in
            var collector = Collector(self, grace: grace, isDryRun: isDryRun, isConfirmed: isConfirmed)
            return try collector.run(progress)
        }
    }

    /// Reads every archive that may still be asked for and compares it with its digest, looks at the small files
    /// beside them, and has the catalog checked. Nothing waits for it.
    ///
    /// - Parameters:
    ///   - rate: bytes a second at most; `nil`: as fast as the disk.
    ///   - pause: waits for so long.
    package func scrub(
        rate: Int?, pause: @escaping (Duration) -> Void, progress: HousekeepingProgress
    ) throws(RegistryError) -> ScrubReport {
        try blobs.requireProof()
        return try housekeeping.run(.scrub, in: catalog) { () throws(RegistryError) in
            var scrubber = Scrubber(self, rate: rate, pause: pause)
            return try scrubber.run(progress)
        }
    }

    /// Writes a tar archive of the store as it is at one moment: the catalog, the archives, and the notes beside them.
    /// Reads and writes continue meanwhile; a release that is published later is not in it.
    ///
    /// - Parameters:
    ///   - server: who writes it, for people.
    ///   - reserve: how many bytes a copy of the catalog must leave on the disk.
    ///   - begin: called before the first byte, with the approximate number of bytes to come.
    ///   - sink: takes the next bytes; what it throws ends the backup.
    package func backUp(
        server: String, reserve: Int = 0, begin: (Int) -> Void,
        into sink: @escaping ([UInt8]) throws(RegistryError) -> Void
    ) throws(RegistryError) -> BackupReport {
        try housekeeping.run(.backup, in: catalog) { () throws(RegistryError) in
            try BackingUp(self, server: server).run(reserve: reserve, begin: begin, into: sink)
        }
    }

    /// Does work that makes stills, unless it is under way here or in another process.
    package func makingStills<Value>(
        _ body: () throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        try housekeeping.run(.stills, in: catalog, body)
    }

    /// The time at which a task on the whole store was last finished, if it was noted.
    package func lastRun(of task: HousekeepingTask) -> Int64? { catalog.lastRun(of: task) }

    /// Notes the end of a task, so that a restart does not repeat it. Losing the note does no harm.
    package func noteRun(of task: HousekeepingTask, at time: Int64) { catalog.noteRun(of: task, at: time) }
}

/// Work on the store as a whole. Each kind is done once at a time, and a backup and a collection of garbage never
/// together: a backup must not lose an archive before it reaches it. A scrub of a large store takes a day; backups and
/// collections can run beside it.
package enum HousekeepingTask: String, CaseIterable, Sendable {
    case backup, gc, scrub
    /// Makes stills of releases from before.
    case stills
}

/// Receives the number of bytes done and the number of all bytes. An error that it throws ends the work.
package typealias HousekeepingProgress = (_ done: Int, _ total: Int) throws(RegistryError) -> Void

/// The tasks that run at present.
final class HousekeepingGate: Sendable {
    private let present: Guarded<Set<HousekeepingTask>> = Guarded([])

    /// - Parameter catalog: reserves the task among processes that share it.
    func run<Value: ~Copyable>(
        _ task: HousekeepingTask, in catalog: any ReleaseCatalog, _ body: () throws(RegistryError) -> Value
    ) throws(RegistryError) -> Value {
        let other = present.withLock { present in
            let other = present.first { $0.excludes(task) }
            if other == nil { present.insert(task) }
            return other
        }
        if let other { throw .underWay(other) }
        defer { present.withLock { _ = $0.remove(task) } }
        guard try catalog.claim(task) else { throw .underWay(task) }
        defer { catalog.yield(task) }
        return try body()
    }
}

extension HousekeepingTask {
    /// True for work that must find the archives as they are.
    private var isOfStore: Bool { self == .backup || self == .gc }

    fileprivate func excludes(_ other: HousekeepingTask) -> Bool {
        self == other || isOfStore && other.isOfStore
    }
}

/// The rules for how long withdrawn releases and old snapshots are kept.
package enum Retention {
    /// The author of the withdrawal of surplus snapshots. The key of such a snapshot may be given again: it holds the
    /// content's digest, so that it can only mean the same content.
    package static let author = "retention"
    static let reason = "later snapshots took its place"

    package struct Cutoffs: Sendable {
        /// Releases that were withdrawn before this time cannot be restored any more.
        package var withdrawn: Int64
        /// The same for snapshots that were retired.
        package var retired: Int64

        package init(withdrawn: Int64, retired: Int64) {
            self.withdrawn = withdrawn
            self.retired = retired
        }
    }

    /// The keys of snapshots that no channel shows and of which each snapshot channel has later ones enough.
    ///
    /// Snapshots that were ever on another channel are not among them: a rollback there may lead to them.
    static func surplusSnapshots(
        ofBundle bundle: Int64, channels: [String], keeping count: Int, in catalog: any CatalogReader
    ) throws(RegistryError) -> [String] {
        let all = try catalog.snapshots(ofBundle: bundle)
        let shown = try catalog.channels(ofBundle: bundle).map(\.state)
        var left: [String: Int] = [:]
        var surplus: [String] = []
        // The newest first: each channel it was published to has one place less.
        for snapshot in all {
            let places = Set(try catalog.channels(everShowing: snapshot.id, inBundle: bundle))
            let wanted = places.isEmpty ? [""] : places
            var isKept = !wanted.subtracting(channels + [""]).isEmpty || shown.contains { $0.shows(snapshot.id) }
            for place in wanted where left[place, default: count] > 0 {
                left[place, default: count] -= 1
                isKept = true
            }
            if !isKept { surplus.append(snapshot.key) }
        }
        return surplus
    }
}
