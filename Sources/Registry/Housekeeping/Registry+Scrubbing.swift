internal import Bytes
internal import Database
internal import Files

extension Registry {
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
            var report = ScrubReport()
            report.catalog = try catalogComplaints()
            let total = try readers.read { catalog throws(RegistryError) in try catalog.storedByteCount() }
            var pace = Pace(rate: rate, pause: pause)
            var last: Digest?
            while true {
                let page = try readers.read { catalog throws(RegistryError) in
                    try catalog.storedBlobs(after: last, limit: 256)
                }
                guard let end = page.last else { return report }
                for blob in page {
                    try progress(report.byteCount, total)
                    try scrub(blob, &report)
                    report.archives += 1
                    report.byteCount += blob.byteCount
                    pace.wait(after: report.byteCount)
                }
                last = end.digest
            }
        }
    }

    private func catalogComplaints() throws(RegistryError) -> [String] {
        do throws(RegistryError) {
            return try readers.read { catalog throws(RegistryError) in try catalog.complaints() }
        } catch .damaged(let words) {
            return [words]
        }
    }

    private func scrub(_ blob: StoredBlob, _ report: inout ScrubReport) throws(RegistryError) {
        switch try condition(of: blob) {
        case .intact: break
        case .missing: if try isStored(blob) { report.missing.append(blob.digest) }
        case .unreadable: report.unreadable.append(blob.digest)
        case .otherSize(let found):
            report.catalog.append(
                "\(blob.digest.hex) has \(found) bytes, which are right, and \(blob.byteCount) in the catalog")
        case .damaged(let status):
            blobLock(blob.digest) { store.quarantine(blob.digest, status) }
            report.damaged.append(blob.digest)
        }
        try checkNotes(blob.digest, &report)
    }

    private enum Condition {
        case intact, missing, unreadable
        /// Its bytes are right, so the catalog is not.
        case otherSize(Int)
        case damaged(FileStatus)
    }

    /// Looks without holding a lock: an archive that is replaced meanwhile is another file.
    private func condition(of blob: StoredBlob) throws(RegistryError) -> Condition {
        do throws(RegistryError) {
            guard let found = try store.open(blob.digest) else { return .missing }
            guard try store.holds(found, blob.digest) else { return .damaged(found.status) }
            verified.insert(blob.digest, found.status)
            return found.status.byteCount == blob.byteCount ? .intact : .otherSize(found.status.byteCount)
        } catch .storage(let error) where !error.isOutOfDescriptors {
            return .unreadable
        }
    }

    /// Whether it is still wanted: it may have been removed since the list was made.
    private func isStored(_ blob: StoredBlob) throws(RegistryError) -> Bool {
        try readers.read { catalog throws(RegistryError) in try catalog.holdsDocuments(ofDigest: blob.digest) }
    }

    private func blobLock(_ digest: Digest, _ body: () -> Void) {
        store.blobLock.withLock(for: digest) { body() }
    }

    /// Puts the small files beside an archive right, as the catalog knows them; of those that contradict it, says so.
    ///
    /// Publishers wait only when there seems to be something to mend, and then it is looked at again.
    private func checkNotes(_ digest: Digest, _ report: inout ScrubReport) throws(RegistryError) {
        let verdicts = try judgeNotes(digest)
        guard verdicts.contains(where: { $0.verdict != .sound }) else { return }
        try publishing.withLock(for: digest) { () throws(RegistryError) in
            for (note, verdict) in try judgeNotes(digest) {
                switch verdict {
                case .sound: break
                case .different: report.catalog.append("\(note.name) says something else than the catalog")
                case .unreadable:
                    try store.placeBeside(digest, note.bytes, named: note.name)
                    report.healed += 1
                }
            }
        }
    }

    private func judgeNotes(
        _ digest: Digest
    ) throws(RegistryError) -> [(note: StoredNote, verdict: StoredNote.Verdict)] {
        var verdicts: [(StoredNote, StoredNote.Verdict)] = []
        for note in try readers.read({ catalog throws(RegistryError) in try catalog.notes(ofDigest: digest) }) {
            let found = try store.noteBytes(beside: digest, named: note.name)
            verdicts.append((note, found.map(note.judge) ?? .unreadable))
        }
        return verdicts
    }
}

/// Keeps a reader of many bytes from being faster than it may be.
struct Pace {
    let rate: Int?
    let pause: (Duration) -> Void
    private let start = ContinuousClock.now

    init(rate: Int?, pause: @escaping (Duration) -> Void) {
        self.rate = rate
        self.pause = pause
    }

    mutating func wait(after byteCount: Int) {
        guard let rate, rate > 0 else { return }
        let due = Duration.seconds(Double(byteCount) / Double(rate))
        let ahead = due - (ContinuousClock.now - start)
        // Shorter waits cost more than they are worth; they add up and are taken together.
        if ahead > .milliseconds(5) { pause(ahead) }
    }
}
