internal import RegistryContract
package import WidgetBytes
package import WidgetRegistry

/// Releases, their documents, and the archives that they keep.
///
/// A row of `release` is read in the table's order, in which new columns come last, by ``ReleaseRecord/init(_:)``, and
/// written by `insertRow` and `revive`: a further stored field is added to these, and to the schema.
extension SQLCatalog {
    package func release(_ id: Int64) throws(RegistryError) -> ReleaseRecord {
        guard let found = try first("SELECT * FROM release WHERE id = ?", .integer(id), read: ReleaseRecord.init) else {
            throw .damaged("release \(id) is referred to, but not there")
        }
        return found
    }

    package func release(_ key: String, ofBundle bundle: Int64) throws(RegistryError) -> ReleaseRecord? {
        try first(
            "SELECT * FROM release WHERE bundle = ? AND key = ?", .integer(bundle), .text(key),
            read: ReleaseRecord.init)
    }

    package func releaseKey(_ id: Int64) throws(RegistryError) -> String {
        let key = try first("SELECT key FROM release WHERE id = ?", .integer(id)) { row throws(RegistryError) in
            try row.text(0)
        }
        guard let key else { throw .damaged("release \(id) is referred to, but not there") }
        return key
    }

    package func releases(withDigest digest: Digest, limit: Int) throws(RegistryError) -> [ReleaseRecord] {
        try all(
            "SELECT * FROM release WHERE digest = ? ORDER BY id LIMIT ?", .blob(digest.bytes), .count(limit),
            read: ReleaseRecord.init)
    }

    package func releases(
        ofBundle bundle: Int64, after last: ReleaseRecord?, limit: Int
    ) throws(RegistryError) -> [ReleaseRecord] {
        guard let last else {
            return try all(
                "SELECT * FROM release WHERE bundle = ? ORDER BY version DESC, id DESC LIMIT ?", .integer(bundle),
                .count(limit), read: ReleaseRecord.init)
        }
        return try all(
            """
            SELECT * FROM release WHERE bundle = ? AND (version, id) < (?, ?)
            ORDER BY version DESC, id DESC LIMIT ?
            """, .integer(bundle), .blob(last.version), .integer(last.id), .count(limit), read: ReleaseRecord.init)
    }

    package func firstPublication(
        of digest: Digest
    ) throws(RegistryError) -> (byteCount: Int, published: Int64)? {
        try first("SELECT byte_count, published FROM release WHERE digest = ? ORDER BY id LIMIT 1", .blob(digest.bytes))
        {
            row throws(RegistryError) in (byteCount: try row.count(0), published: try row.integer(1))
        }
    }

    package func releaseCount() throws(RegistryError) -> Int {
        try first("SELECT COUNT(*) FROM release") { row throws(RegistryError) in try row.count(0) } ?? 0
    }

    // MARK: Changes

    package func insert(
        _ release: ReleaseRecord, _ documents: ReleaseDocuments?
    ) throws(RegistryError) -> Int64 {
        let id = try insertRow(release)
        if let documents {
            try insert(documents, of: id)
            try count(id, storing: true)
        }
        try run("UPDATE bundle SET release_count = release_count + 1 WHERE id = ?", .integer(release.bundle))
        return id
    }

    private func insertRow(_ record: ReleaseRecord) throws(RegistryError) -> Int64 {
        let release = record.release
        return try inserted(
            """
            INSERT INTO release (bundle, key, short_version, build, name, version, is_snapshot, digest, content_digest,
                byte_count, published, published_by, minimum_os, minimum_host, note)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
            """, .integer(record.bundle), .text(release.key), .text(release.shortVersion), .text(release.build),
            .text(release.name), .blob(record.version), .flag(release.isSnapshot), .blob(release.digest.bytes),
            .blob(release.contentDigest.bytes), .count(release.byteCount), .integer(release.published),
            .text(release.publishedBy), .maybe(release.minimumOSVersion), .maybe(release.minimumHostVersion),
            .maybe(release.remarks.note))
    }

    package func revive(
        _ retired: Int64, as record: ReleaseRecord, _ documents: ReleaseDocuments
    ) throws(RegistryError) {
        let release = record.release
        try removeDocuments(of: retired, at: release.published)
        try run(
            """
            UPDATE release SET name = ?, digest = ?, content_digest = ?, byte_count = ?, published = ?, published_by = ?,
                minimum_os = ?, minimum_host = ?, note = ?,
                withdrawn_at = NULL, withdrawn_reason = NULL, withdrawn_by = NULL, withdrawn_directive = NULL,
                expired_at = NULL, expired_rule = NULL, ended_at = NULL
            WHERE id = ?
            """, .text(release.name), .blob(release.digest.bytes), .blob(release.contentDigest.bytes),
            .count(release.byteCount), .integer(release.published), .text(release.publishedBy),
            .maybe(release.minimumOSVersion), .maybe(release.minimumHostVersion), .maybe(release.remarks.note),
            .integer(retired))
        try insert(documents, of: retired)
        try count(retired, storing: true)
    }

    package func setWithdrawal(
        _ withdrawal: Withdrawal, by author: String, of release: Int64
    ) throws(RegistryError) {
        try run(
            """
            UPDATE release SET withdrawn_at = ?, withdrawn_reason = ?, withdrawn_by = ?, withdrawn_directive = ?
            WHERE id = ?
            """, .integer(withdrawal.at), .text(withdrawal.reason), .text(author),
            .maybe(withdrawal.directive.written), .integer(release))
    }

    package func removeWithdrawal(of release: Int64, at time: Int64) throws(RegistryError) {
        try run(
            """
            UPDATE release SET withdrawn_at = NULL, withdrawn_reason = NULL, withdrawn_by = NULL,
                withdrawn_directive = NULL, restored_at = ?
            WHERE id = ?
            """, .integer(time), .integer(release))
    }

    package func forbiddenReleases(
        ofBundle bundle: Int64, limit: Int
    ) throws(RegistryError) -> [WithdrawnRelease] {
        try all(
            """
            SELECT key, content_digest, withdrawn_at, withdrawn_reason, withdrawn_directive FROM release
            WHERE bundle = ? AND withdrawn_directive IS NOT NULL ORDER BY withdrawn_at DESC, id DESC LIMIT ?
            """, .integer(bundle), .count(limit)
        ) { row throws(RegistryError) in
            let directive = WithdrawalDirective(rawValue: try row.text(4)) ?? .keep
            return WithdrawnRelease(
                try row.text(0), try row.digest(1),
                Withdrawal(at: try row.integer(2), reason: try row.text(3), directive: directive))
        }
    }

    // MARK: Documents

    package func filesDocument(_ release: Int64) throws(RegistryError) -> [UInt8] {
        let document = try first("SELECT document FROM release_files WHERE release = ?", .integer(release)) {
            row throws(RegistryError) in try row.blob(0)
        }
        guard let document else { throw .damaged("the files of release \(release) are not there") }
        return document
    }

    package func reportDocument(_ release: Int64) throws(RegistryError) -> [UInt8] {
        let document = try first("SELECT document FROM release_report WHERE release = ?", .integer(release)) {
            row throws(RegistryError) in try row.blob(0)
        }
        guard let document else { throw .damaged("the report of release \(release) is not there") }
        return document
    }

    package func holdsDocuments(_ release: Int64) throws(RegistryError) -> Bool {
        try exists("SELECT release FROM release_files WHERE release = ?", .integer(release))
    }

    package func holdsDocuments(ofDigest digest: Digest) throws(RegistryError) -> Bool {
        try exists(
            """
            SELECT release.id FROM release JOIN release_files ON release_files.release = release.id
            WHERE digest = ? LIMIT 1
            """, .blob(digest.bytes))
    }

    private func insert(_ documents: ReleaseDocuments, of release: Int64) throws(RegistryError) {
        try run(
            "INSERT INTO release_files (release, document) VALUES (?, ?)", .integer(release), .blob(documents.files))
        try run(
            "INSERT INTO release_report (release, document) VALUES (?, ?)", .integer(release), .blob(documents.report))
        for part in documents.parts { try insert(part, of: release) }
    }

    package func removeDocuments(of release: Int64, at time: Int64) throws(RegistryError) {
        guard try run("DELETE FROM release_files WHERE release = ?", .integer(release)) > 0 else { return }
        try run("UPDATE release SET ended_at = ? WHERE id = ?", .integer(time), .integer(release))
        try count(release, storing: false)
        try run("DELETE FROM release_report WHERE release = ?", .integer(release))
        try removeParts(of: release)
    }

    // MARK: Archives

    package func storedByteCount() throws(RegistryError) -> Int {
        try first(
            """
            SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM (
                SELECT MAX(byte_count) AS size FROM release
                WHERE EXISTS (SELECT 1 FROM release_files WHERE release = release.id) GROUP BY digest) AS sizes
            """
        ) { row throws(RegistryError) in try row.count(0) } ?? 0
    }

    package func storedBlobs(after last: Digest?, limit: Int) throws(RegistryError) -> [StoredBlob] {
        try all(
            """
            SELECT digest, MAX(byte_count) FROM release
            WHERE digest > ? AND EXISTS (SELECT 1 FROM release_files WHERE release = release.id)
            GROUP BY digest ORDER BY digest LIMIT ?
            """, .blob(last?.bytes ?? []), .count(limit)
        ) { row throws(RegistryError) in StoredBlob(digest: try row.digest(0), byteCount: try row.count(1)) }
    }

    package func digests(after last: Digest?, limit: Int) throws(RegistryError) -> [Digest] {
        try all(
            "SELECT DISTINCT digest FROM release WHERE digest > ? ORDER BY digest LIMIT ?", .blob(last?.bytes ?? []),
            .count(limit)
        ) { row throws(RegistryError) in try row.digest(0) }
    }

    package func shares(from first: Digest, through last: Digest) throws(RegistryError) -> [StoredShare] {
        try all(
            """
            SELECT id, digest, key, EXISTS (SELECT 1 FROM release_files WHERE release = release.id),
                withdrawn_at IS NOT NULL, expired_at IS NOT NULL
            FROM release WHERE digest >= ? AND digest <= ?
            """, .blob(first.bytes), .blob(last.bytes)
        ) { row throws(RegistryError) in
            StoredShare(
                release: try row.integer(0), digest: try row.digest(1), key: try row.text(2),
                isStored: try row.flag(3), isWithdrawn: try row.flag(4), isExpired: try row.flag(5))
        }
    }

    // MARK: Retention

    package func endedReleases(
        _ cutoffs: Retention.Cutoffs, after last: Int64, limit: Int
    ) throws(RegistryError) -> [Int64] {
        try all(
            """
            SELECT id FROM release
            WHERE id > ?
                AND ((withdrawn_by = ? AND withdrawn_at < ?)
                    OR ((withdrawn_by IS NULL OR withdrawn_by <> ?) AND withdrawn_at < ?))
                AND EXISTS (SELECT 1 FROM release_files WHERE release = release.id)
            ORDER BY id LIMIT ?
            """, .integer(last), .text(Retention.author), .integer(cutoffs.retired), .text(Retention.author),
            .integer(cutoffs.withdrawn), .count(limit)
        ) { row throws(RegistryError) in try row.integer(0) }
    }

    package func bundles(withMoreSnapshotsThan count: Int) throws(RegistryError) -> [BundleName] {
        try all(
            """
            SELECT id, identifier FROM bundle
            WHERE (SELECT COUNT(*) FROM release
                WHERE bundle = bundle.id AND is_snapshot = ? AND withdrawn_at IS NULL AND expired_at IS NULL) > ?
            ORDER BY id
            """, .flag(true), .count(count), read: BundleName.init)
    }

    package func snapshots(ofBundle bundle: Int64) throws(RegistryError) -> [(id: Int64, key: String)] {
        try all(
            """
            SELECT id, key FROM release
            WHERE bundle = ? AND is_snapshot = ? AND withdrawn_at IS NULL AND expired_at IS NULL ORDER BY id DESC
            """, .integer(bundle), .flag(true)
        ) { row throws(RegistryError) in (id: try row.integer(0), key: try row.text(1)) }
    }
}

extension ReleaseRecord {
    /// From all columns of `release`.
    init(_ row: any CatalogRow) throws(RegistryError) {
        var release = Release(
            bundleIdentifier: "", key: try row.text(2), shortVersion: try row.text(3), build: try row.text(4),
            name: try row.text(5), digest: try row.digest(8), contentDigest: try row.digest(9),
            byteCount: try row.count(10), published: try row.integer(11), publishedBy: try row.text(12),
            minimumOSVersion: try row.optionalText(13), minimumHostVersion: try row.optionalText(14),
            isSnapshot: try row.flag(7))
        release.remarks.note = try row.optionalText(19)
        if let at = try row.optionalInteger(15) {
            let directive = try row.optionalText(20).flatMap(WithdrawalDirective.init(rawValue:)) ?? .keep
            release.withdrawal = Withdrawal(at: at, reason: try row.text(16), directive: directive)
        }
        if let at = try row.optionalInteger(22) { release.expiry = Expiry(at: at, rule: try row.text(23)) }
        self.init(
            id: try row.integer(0), bundle: try row.integer(1), release: release, version: try row.blob(6),
            withdrawnBy: try row.optionalText(17), restored: try row.optionalInteger(18),
            shownUntil: try row.optionalInteger(21))
    }
}
