package import WidgetBytes
package import WidgetRegistry

/// The sessions and uploads of people at the pages.
extension SQLCatalog {
    package func sessions() throws(RegistryError) -> [SessionRecord] {
        try all("SELECT name, token, prefix, begun, used FROM session ORDER BY name", read: SessionRecord.init)
    }

    package func session(_ key: Digest) throws(RegistryError) -> SessionRecord? {
        try first(
            "SELECT name, token, prefix, begun, used FROM session WHERE name = ?", .blob(key.bytes),
            read: SessionRecord.init)
    }

    package func sessions(ofToken number: Int64) throws(RegistryError) -> [SessionRecord] {
        try all(
            "SELECT name, token, prefix, begun, used FROM session WHERE token = ? ORDER BY name", .integer(number),
            read: SessionRecord.init)
    }

    package func sessionCount() throws(RegistryError) -> Int {
        try first("SELECT COUNT(*) FROM session") { row throws(RegistryError) in try row.count(0) } ?? 0
    }

    package func insert(_ session: SessionRecord) throws(RegistryError) {
        try run(
            "INSERT INTO session (name, token, prefix, begun, used) VALUES (?, ?, ?, ?, ?)", .blob(session.key.bytes),
            .integer(session.token), .text(session.share.prefix), .integer(session.begun), .integer(session.used))
    }

    package func removeSession(_ key: Digest) throws(RegistryError) {
        try run("DELETE FROM session WHERE name = ?", .blob(key.bytes))
    }

    package func removeSessions(begunBy begun: Int64, usedBy used: Int64) throws(RegistryError) {
        try run("DELETE FROM session WHERE begun <= ? OR used <= ?", .integer(begun), .integer(used))
    }

    package func setLastUse(ofSession key: Digest, _ time: Int64) throws(RegistryError) {
        try run(
            "UPDATE session SET used = ? WHERE name = ? AND used < ?", .integer(time), .blob(key.bytes), .integer(time))
    }

    package func uploads() throws(RegistryError) -> [WaitingUpload] {
        try all(
            "SELECT name, token, prefix, since, digest, request, outcome FROM upload ORDER BY name",
            read: WaitingUpload.init)
    }

    package func upload(_ key: Digest) throws(RegistryError) -> WaitingUpload? {
        try first(
            "SELECT name, token, prefix, since, digest, request, outcome FROM upload WHERE name = ?", .blob(key.bytes),
            read: WaitingUpload.init)
    }

    package func report(ofUpload key: Digest) throws(RegistryError) -> [UInt8] {
        try first("SELECT report FROM upload WHERE name = ?", .blob(key.bytes)) { row throws(RegistryError) in
            try row.blob(0)
        } ?? []
    }

    package func waitingArchives(from first: Digest, through last: Digest) throws(RegistryError) -> [Digest] {
        try all(
            "SELECT digest FROM upload WHERE digest >= ? AND digest <= ? AND outcome IS NULL", .blob(first.bytes),
            .blob(last.bytes)
        ) { row throws(RegistryError) in try row.digest(0) }
    }

    package func insert(_ upload: WaitingUpload, report: [UInt8]) throws(RegistryError) {
        try run(
            "INSERT INTO upload (name, token, prefix, since, digest, request, report) VALUES (?, ?, ?, ?, ?, ?, ?)",
            .blob(upload.key.bytes), .integer(upload.token), .text(upload.share.prefix), .integer(upload.since),
            .blob(upload.digest.bytes), .text(upload.request), .blob(report))
    }

    package func setOutcome(_ place: String, ofUpload key: Digest) throws(RegistryError) {
        try run("UPDATE upload SET outcome = ? WHERE name = ?", .text(place), .blob(key.bytes))
    }

    package func removeUpload(_ key: Digest) throws(RegistryError) {
        try run("DELETE FROM upload WHERE name = ?", .blob(key.bytes))
    }

    /// Removes all that people have begun, of which backups have nothing.
    package func removeDesk() throws(RegistryError) {
        try run("DELETE FROM session")
        try run("DELETE FROM upload")
    }
}

extension SessionRecord {
    /// From the columns name, token, prefix, begun, used.
    fileprivate init(_ row: any CatalogRow) throws(RegistryError) {
        let token = try row.integer(1)
        self.init(
            key: try row.digest(0), token: token, share: DeskShare(prefix: try row.text(2), token: token),
            begun: try row.integer(3), used: try row.integer(4))
    }
}

extension WaitingUpload {
    /// From the columns name, token, prefix, since, digest, request, outcome.
    fileprivate init(_ row: any CatalogRow) throws(RegistryError) {
        let token = try row.integer(1)
        self.init(
            key: try row.digest(0), token: token, share: DeskShare(prefix: try row.text(2), token: token),
            since: try row.integer(3), digest: try row.digest(4), request: try row.text(5),
            outcome: try row.optionalText(6))
    }
}
