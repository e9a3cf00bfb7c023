import WidgetBytes
import WidgetRegistry

/// The sessions and uploads of people at the pages.
extension MemoryTransaction {
    func sessions() -> [SessionRecord] { Array(tables.sessions.values) }

    func session(_ key: Digest) -> SessionRecord? { tables.sessions[key] }

    func sessions(ofToken number: Int64) -> [SessionRecord] { tables.sessions.values.filter { $0.token == number } }

    func sessionCount() -> Int { tables.sessions.count }

    func removeSessions(begunBy begun: Int64, usedBy used: Int64) {
        tables.sessions = tables.sessions.filter { $0.value.begun > begun && $0.value.used > used }
    }

    func insert(_ session: SessionRecord) { tables.sessions[session.key] = session }

    func removeSession(_ key: Digest) { tables.sessions[key] = nil }

    func setLastUse(ofSession key: Digest, _ time: Int64) {
        guard let used = tables.sessions[key]?.used else { return }
        tables.sessions[key]?.used = max(used, time)
    }

    func uploads() -> [WaitingUpload] { tables.uploads.values.map(\.upload) }

    func upload(_ key: Digest) -> WaitingUpload? { tables.uploads[key]?.upload }

    func report(ofUpload key: Digest) -> [UInt8] { tables.uploads[key]?.report ?? [] }

    func waitingArchives(from first: Digest, through last: Digest) -> [Digest] {
        uploads().filter { $0.outcome == nil }.map(\.digest).filter { digest in
            !digest.bytes.lexicographicallyPrecedes(first.bytes) && !last.bytes.lexicographicallyPrecedes(digest.bytes)
        }
    }

    func insert(_ upload: WaitingUpload, report: [UInt8]) { tables.uploads[upload.key] = (upload, report) }

    func setOutcome(_ place: String, ofUpload key: Digest) { tables.uploads[key]?.upload.outcome = place }

    func removeUpload(_ key: Digest) { tables.uploads[key] = nil }
}
