internal import Bytes
internal import Database
internal import RegistryContract

/// An archive that may still be asked for.
struct StoredBlob: Sendable {
    var digest: Digest
    var byteCount: Int
}

/// A small file beside an archive, as the catalog says it should be.
struct StoredNote {
    var name: String
    var bytes: [UInt8]
    /// What was found there, compared with what should be.
    var judge: ([UInt8]) -> Verdict

    enum Verdict {
        case sound
        /// It says nothing.
        case unreadable
        /// It says something else: the note or the catalog is wrong, and nobody here can tell which.
        case different
    }
}

/// A release is stored as long as its documents are: its row stays for ever.
extension Catalog {
    func storedByteCount() throws(RegistryError) -> Int {
        try first(
            """
            SELECT COALESCE(SUM(size), 0) FROM (
                SELECT MAX(byte_count) AS size FROM release
                WHERE EXISTS (SELECT 1 FROM release_files WHERE release = release.id) GROUP BY digest)
            """
        ) { row throws(DatabaseError) in try row.count(0) } ?? 0
    }

    /// In the order of their digests.
    func storedBlobs(after last: Digest?, limit: Int) throws(RegistryError) -> [StoredBlob] {
        try all(
            """
            SELECT digest, MAX(byte_count) FROM release
            WHERE digest > ? AND EXISTS (SELECT 1 FROM release_files WHERE release = release.id)
            GROUP BY digest ORDER BY digest LIMIT ?
            """, .blob(last?.bytes ?? []), .integer(limit)
        ) { row throws(DatabaseError) in StoredBlob(digest: try row.digest(0), byteCount: try row.count(1)) }
    }

    /// Of every release there ever was, in order.
    func digests(after last: Digest?, limit: Int) throws(RegistryError) -> [Digest] {
        try all(
            "SELECT DISTINCT digest FROM release WHERE digest > ? ORDER BY digest LIMIT ?", .blob(last?.bytes ?? []),
            .integer(limit)
        ) { row throws(DatabaseError) in try row.digest(0) }
    }

    func holdsDocuments(_ release: Int64) throws(RegistryError) -> Bool {
        try first("SELECT 1 FROM release_files WHERE release = ?", .integer(release)) { row throws(DatabaseError) in
            try row.flag(0)
        } ?? false
    }

    func holdsDocuments(ofDigest digest: Digest) throws(RegistryError) -> Bool {
        try first(
            """
            SELECT 1 FROM release JOIN release_files ON release_files.release = release.id WHERE digest = ? LIMIT 1
            """, .blob(digest.bytes)
        ) { row throws(DatabaseError) in try row.flag(0) } ?? false
    }

    /// What should lie beside an archive.
    func notes(ofDigest digest: Digest) throws(RegistryError) -> [StoredNote] {
        var notes: [StoredNote] = []
        for row in try releases(withDigest: digest, limit: 100) {
            let release = row.release(of: try identifier(ofBundle: row.bundle), shownBy: [])
            if try holdsDocuments(row.id) {
                let sidecar = try sidecar(of: row, release)
                notes.append(
                    StoredNote(name: StoreNames.sidecar(digest, row.key), bytes: sidecar.bytes) { found in
                        guard let other = Sidecar(parsing: found) else { return .unreadable }
                        return other.release == release.asNoted && other.files == sidecar.files ? .sound : .different
                    })
            }
            if let withdrawal = row.withdrawal {
                let tombstone = Tombstone(release: release, withdrawal: withdrawal, by: row.withdrawnBy ?? "")
                notes.append(
                    StoredNote(name: StoreNames.tombstone(digest, row.key), bytes: tombstone.bytes) { found in
                        guard let other = Tombstone(parsing: found) else { return .unreadable }
                        return other.withdrawal == withdrawal ? .sound : .different
                    })
            }
        }
        return notes
    }

    /// A sidecar as it was written when the release was published; how far it was rolled out may have changed.
    func sidecar(of row: ReleaseRow, _ release: Release) throws(RegistryError) -> Sidecar {
        let place = try first(
            "SELECT channel, rollout FROM placement WHERE bundle = ? AND release = ? ORDER BY id LIMIT 1",
            .integer(row.bundle), .integer(row.id)
        ) { row throws(DatabaseError) in (channel: try row.text(0), rollout: try row.count(1)) }
        return Sidecar(
            release: release, channel: place?.channel ?? "stable", rollout: place?.rollout ?? Rollout.bucketCount,
            files: try filesDocument(row.id), report: try reportDocument(row.id))
    }

    func complaints() throws(RegistryError) -> [String] {
        do throws(DatabaseError) { return try connection.complaints() } catch { throw RegistryError(error) }
    }
}

extension Release {
    /// What a note says of it: nothing of where it is shown, nor of its withdrawal.
    var asNoted: Release {
        var copy = self
        copy.channels = []
        copy.withdrawal = nil
        return copy
    }
}
