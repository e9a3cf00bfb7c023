// Work on the store as a whole.

extension Registry {
    /// Removes what nothing refers to and nobody can ask for any more, while everything else goes on.
    ///
    /// - Parameter grace: how many seconds old an item must be, for nobody to be about to refer to it; and how long a
    ///   snapshot can still be fetched after it was retired.
    package func collect(
        grace: Int64, isDryRun: Bool, progress: HousekeepingProgress
    ) throws(RegistryError) -> CollectReport {
        try housekeeping.run(.gc) { () throws(RegistryError) in
            var collector = Collector(self, grace: grace, isDryRun: isDryRun)
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
        try housekeeping.run(.scrub) { () throws(RegistryError) in
            var scrubber = Scrubber(self, rate: rate, pause: pause)
            return try scrubber.run(progress)
        }
    }

    /// Hands over a tar archive of everything there is at one moment: the catalog, the archives, and what lies beside
    /// them. Everybody goes on meanwhile; what is published later is not in it.
    ///
    /// - Parameters:
    ///   - server: who writes it, for people.
    ///   - reserve: how many bytes a copy of the catalog must leave on the disk.
    ///   - begin: is told about how many bytes will come, before the first.
    ///   - sink: takes the next bytes; what it throws ends the backup.
    package func backUp(
        server: String, reserve: Int = 0, begin: (Int) -> Void,
        into sink: @escaping ([UInt8]) throws(RegistryError) -> Void
    ) throws(RegistryError) -> BackupReport {
        try housekeeping.run(.backup) { () throws(RegistryError) in
            try BackingUp(self, server: server).run(reserve: reserve, begin: begin, into: sink)
        }
    }

    /// When work on the whole store was finished last, as far as that was noted.
    package func lastRun(of task: HousekeepingTask) -> Int64? { catalog.lastRun(of: task) }

    /// Notes it, so that a restart does not begin it anew. Not to know it is no harm.
    package func noteRun(of task: HousekeepingTask, at time: Int64) { catalog.noteRun(of: task, at: time) }
}
