package import WidgetBytes
internal import WidgetFiles
internal import WidgetSurroundings

/// A look at every stored byte, in progress.
struct Scrubber {
    private let registry: Registry
    private var pace: Pace
    private var report = ScrubReport()

    /// - Parameters:
    ///   - rate: bytes a second at most; `nil`: as fast as the disk.
    ///   - pause: waits for so long.
    init(_ registry: Registry, rate: Int?, pause: @escaping (Duration) -> Void) {
        self.registry = registry
        pace = Pace(rate: rate, registry.options.world.clock, pause: pause)
    }

    mutating func run(_ progress: HousekeepingProgress) throws(RegistryError) -> ScrubReport {
        report.catalog = try catalogComplaints()
        let total = try registry.catalog.read { catalog throws(RegistryError) in try catalog.storedByteCount() }
        var last: Digest?
        while true {
            let page = try registry.catalog.read { catalog throws(RegistryError) in
                try catalog.storedBlobs(after: last, limit: 256)
            }
            guard let end = page.last else { return report }
            for blob in page {
                try progress(report.byteCount, total)
                try scrub(blob)
                report.archives += 1
                report.byteCount += blob.byteCount
                pace.wait(after: report.byteCount)
            }
            last = end.digest
        }
    }

    private func catalogComplaints() throws(RegistryError) -> [String] {
        do throws(RegistryError) {
            return try registry.catalog.complaints()
        } catch .damaged(let words) {
            return [words]
        }
    }

    private mutating func scrub(_ blob: StoredBlob) throws(RegistryError) {
        // No lock is held: an archive that is replaced meanwhile is another file.
        let condition = try readable { () throws(RegistryError) in try registry.blobs.check(blob.digest) }
        switch condition {
        case .intact(let file):
            // Its bytes are right, so the catalog is not.
            if file.byteCount != blob.byteCount {
                report.catalog.append(
                    "\(blob.digest.hex) has \(file.byteCount) bytes, which are right, and \(blob.byteCount) in the catalog"
                )
            }
        case .missing: if try isStored(blob) { report.missing.append(blob.digest) }
        case .damaged(let file):
            registry.blobs.quarantine(blob.digest, file)
            report.damaged.append(blob.digest)
        case nil: report.unreadable.append(blob.digest)
        }
        try checkNotes(blob.digest)
    }

    /// True while the catalog needs the archive: it may have been removed since the list was made.
    private func isStored(_ blob: StoredBlob) throws(RegistryError) -> Bool {
        try registry.catalog.read { catalog throws(RegistryError) in try catalog.holdsDocuments(ofDigest: blob.digest) }
    }

    /// Puts the small files beside an archive right, as the catalog knows them; of those that contradict it, says so.
    ///
    /// Publishers wait only when there seems to be something to mend, and then it is looked at again.
    private mutating func checkNotes(_ digest: Digest) throws(RegistryError) {
        guard try judgeNotes(digest).contains(where: { $0.verdict != .sound }) else { return }
        let found = try registry.publishing.withLock(for: digest) { () throws(RegistryError) in
            var healed = 0
            var complaints: [String] = []
            for (note, verdict) in try judgeNotes(digest) {
                switch verdict {
                case .sound: break
                case .different: complaints.append("\(note.item.name) says something else than the catalog")
                case .unreadable:
                    try registry.blobs.put(note)
                    healed += 1
                }
            }
            return (healed: healed, complaints: complaints)
        }
        report.healed += found.healed
        report.catalog += found.complaints
    }

    private func judgeNotes(
        _ digest: Digest
    ) throws(RegistryError) -> [(note: StoredNote, verdict: ExpectedNote.Verdict)] {
        var verdicts: [(StoredNote, ExpectedNote.Verdict)] = []
        for expected in try registry.catalog.read({ catalog throws(RegistryError) in
            try catalog.notes(ofDigest: digest)
        }) {
            let note = expected.note
            let found = try registry.blobs.note(note.item)
            verdicts.append((note, found.map(expected.judge) ?? .unreadable))
        }
        return verdicts
    }
}

/// Keeps a reader of many bytes from being faster than it may be.
struct Pace {
    let rate: Int?
    let pause: (Duration) -> Void
    private let clock: any Clock
    private let start: ContinuousClock.Instant

    init(rate: Int?, _ clock: any Clock, pause: @escaping (Duration) -> Void) {
        self.rate = rate
        self.clock = clock
        start = clock.now
        self.pause = pause
    }

    mutating func wait(after byteCount: Int) {
        guard let rate, rate > 0 else { return }
        let due = Duration.seconds(Double(byteCount) / Double(rate))
        let ahead = due - (clock.now - start)
        // Shorter waits cost more than they are worth; they add up and are taken together.
        if ahead > .milliseconds(5) { pause(ahead) }
    }
}

/// The outcome of comparing every stored byte with its digest.
package struct ScrubReport: Equatable, Sendable {
    package var archives = 0
    package var byteCount = 0
    /// Archives whose bytes are not those of their digest; they are in quarantine.
    package var damaged: [Digest] = []
    /// Archives that are not there.
    package var missing: [Digest] = []
    /// Archives that the disk did not give: nothing is known of them.
    package var unreadable: [Digest] = []
    /// Small files beside archives that were gone or wrong, and were written anew from the catalog.
    package var healed = 0
    /// The catalog's faults, in words.
    package var catalog: [String] = []

    package init() {}

    package var isSound: Bool { damaged.isEmpty && missing.isEmpty && unreadable.isEmpty && catalog.isEmpty }
}
