internal import WidgetBytes
package import WidgetRegistry

/// The questions about what is kept and what is taken up, in SQL.
///
/// `bundle_usage` counts the stored releases of each bundle with the bytes of their archives, in the transactions that
/// change them, so that the sum for a prefix is read from the rows of its bundles alone. The publications of a day are counted
/// bundle by bundle, so that what others publish costs a prefix nothing: `CROSS JOIN` keeps SQLite from beginning with the day.
extension SQLCatalog {
    // MARK: Counting

    /// Counts a release after its documents were stored, or removed. An archive that another stored release of its bundle has is
    /// counted already, or still.
    ///
    /// Programs of before schema 6 do not count. A bundle that has no count, or too small a one, is counted anew in full.
    /// The plus sign has SQLite look for the archive by its digest, and not through all releases of the bundle; the limit has
    /// it look once.
    func count(_ release: Int64, storing isStoring: Bool) throws(RegistryError) {
        let sign = CatalogValue.integer(isStoring ? 1 : -1)
        let counted = try run(
            """
            UPDATE bundle_usage SET release_count = bundle_usage.release_count + CAST(? AS BIGINT),
                byte_count = bundle_usage.byte_count + part.byte_count
            FROM (
                SELECT bundle.identifier AS identifier, CAST(? AS BIGINT) * CASE WHEN EXISTS (
                        SELECT 1 FROM release AS other JOIN release_files ON release_files.release = other.id
                        WHERE other.digest = release.digest AND +other.bundle = release.bundle AND other.id <> release.id)
                    THEN 0 ELSE release.byte_count END AS byte_count
                FROM release JOIN bundle ON bundle.id = release.bundle WHERE release.id = ? LIMIT 1) AS part
            WHERE bundle_usage.identifier = part.identifier
                AND bundle_usage.release_count + CAST(? AS BIGINT) >= 0
                AND bundle_usage.byte_count + part.byte_count >= 0
            """, sign, sign, .integer(release), sign)
        guard counted == 0 else { return }
        let bundle = try first("SELECT bundle FROM release WHERE id = ?", .integer(release)) {
            row throws(RegistryError) in try row.integer(0)
        }
        if let bundle { try recount(bundle) }
    }

    package func miscountedBundles(from first: Int64, through last: Int64) throws(RegistryError) -> [Int64] {
        try all(
            """
            SELECT bundle.id FROM bundle
            LEFT JOIN bundle_usage ON bundle_usage.identifier = bundle.identifier
            LEFT JOIN (
                SELECT archive.bundle AS bundle, SUM(archive.release_count) AS release_count,
                    SUM(archive.byte_count) AS byte_count
                FROM (
                    SELECT bundle, digest, COUNT(*) AS release_count, MAX(byte_count) AS byte_count FROM release
                    WHERE release.bundle BETWEEN ? AND ?
                        AND EXISTS (SELECT 1 FROM release_files WHERE release_files.release = release.id)
                    GROUP BY bundle, digest) AS archive
                GROUP BY archive.bundle) AS stored ON stored.bundle = bundle.id
            WHERE bundle.id BETWEEN ? AND ?
                AND (COALESCE(bundle_usage.release_count, 0) <> COALESCE(stored.release_count, 0)
                    OR COALESCE(bundle_usage.byte_count, 0) <> COALESCE(stored.byte_count, 0))
            ORDER BY bundle.id
            """, .integer(first), .integer(last), .integer(first), .integer(last)
        ) { row throws(RegistryError) in try row.integer(0) }
    }

    package func recount(_ bundle: Int64) throws(RegistryError) {
        try run(
            "DELETE FROM bundle_usage WHERE identifier = (SELECT identifier FROM bundle WHERE id = ?)", .integer(bundle)
        )
        try run(
            """
            INSERT INTO bundle_usage (identifier, bundle, release_count, byte_count)
            SELECT bundle.identifier, bundle.id, CAST(SUM(stored.release_count) AS BIGINT),
                CAST(SUM(stored.byte_count) AS BIGINT)
            FROM bundle JOIN (
                SELECT bundle, digest, COUNT(*) AS release_count, MAX(byte_count) AS byte_count FROM release
                WHERE release.bundle = ?
                    AND EXISTS (SELECT 1 FROM release_files WHERE release_files.release = release.id)
                GROUP BY bundle, digest) AS stored ON stored.bundle = bundle.id
            WHERE bundle.id = ? GROUP BY bundle.id, bundle.identifier
            """, .integer(bundle), .integer(bundle))
    }

    package func usage(within prefix: BundlePrefix) throws(RegistryError) -> StoredUsage {
        let (only, from, below) = prefix.range
        let usage = try first(
            """
            SELECT CAST(COALESCE(SUM(release_count), 0) AS BIGINT), CAST(COALESCE(SUM(byte_count), 0) AS BIGINT)
            FROM bundle_usage WHERE identifier = ? OR (identifier >= ? AND identifier < ?)
            """, .text(only), .text(from), .text(below), read: StoredUsage.init)
        return usage ?? StoredUsage()
    }

    package func largestBundles(
        within prefix: BundlePrefix, by measure: QuotaMeasure, limit: Int
    ) throws(RegistryError) -> [BundleUsage] {
        let (only, from, below) = prefix.range
        return try all(
            """
            SELECT release_count, byte_count, bundle, identifier FROM bundle_usage
            WHERE (identifier = ? OR (identifier >= ? AND identifier < ?)) AND release_count > 0
            ORDER BY CASE WHEN ? THEN release_count ELSE byte_count END DESC, identifier LIMIT ?
            """, .text(only), .text(from), .text(below), .flag(measure == .releases), .count(limit)
        ) { row throws(RegistryError) in
            BundleUsage(
                BundleName(id: try row.integer(2), identifier: try row.text(3)), try StoredUsage(row))
        }
    }

    package func publicationCount(
        within prefix: BundlePrefix, after time: Int64, limit: Int
    ) throws(RegistryError) -> Int {
        guard prefix != .all else {
            return try first(
                "SELECT COUNT(*) FROM (SELECT id FROM release WHERE published > ? LIMIT ?) AS published",
                .integer(time), .count(limit)
            ) { row throws(RegistryError) in try row.count(0) } ?? 0
        }
        let (only, from, below) = prefix.range
        return try first(
            """
            SELECT COUNT(*) FROM (
                SELECT release.id FROM bundle CROSS JOIN release
                WHERE (bundle.identifier = ? OR (bundle.identifier >= ? AND bundle.identifier < ?))
                    AND release.bundle = bundle.id AND release.published > ?
                LIMIT ?) AS published
            """, .text(only), .text(from), .text(below), .integer(time), .count(limit)
        ) { row throws(RegistryError) in try row.count(0) } ?? 0
    }

    package func publication(
        within prefix: BundlePrefix, after time: Int64, fromLast place: Int
    ) throws(RegistryError) -> Int64? {
        let count = CatalogValue.count(max(0, place - 1))
        guard prefix != .all else {
            return try first(
                "SELECT published FROM release WHERE published > ? ORDER BY published DESC LIMIT 1 OFFSET ?",
                .integer(time), count
            ) { row throws(RegistryError) in try row.integer(0) }
        }
        let (only, from, below) = prefix.range
        return try first(
            """
            SELECT release.published FROM bundle CROSS JOIN release
            WHERE (bundle.identifier = ? OR (bundle.identifier >= ? AND bundle.identifier < ?))
                AND release.bundle = bundle.id AND release.published > ?
            ORDER BY release.published DESC LIMIT 1 OFFSET ?
            """, .text(only), .text(from), .text(below), .integer(time), count
        ) { row throws(RegistryError) in try row.integer(0) }
    }

    package func movement(
        within prefix: BundlePrefix, since time: Int64
    ) throws(RegistryError) -> (added: StoredUsage, freed: StoredUsage) {
        let (only, from, below) = prefix.range
        let place = [CatalogValue.text(only), .text(from), .text(below)]
        let added = try first(
            """
            SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN EXISTS (
                    SELECT 1 FROM release AS other JOIN release_files ON release_files.release = other.id
                    WHERE other.digest = release.digest AND other.bundle = release.bundle AND other.id < release.id)
                THEN 0 ELSE release.byte_count END), 0) AS BIGINT)
            FROM bundle JOIN release ON release.bundle = bundle.id
            WHERE (bundle.identifier = ? OR (bundle.identifier >= ? AND bundle.identifier < ?))
                AND release.published > ?
                AND EXISTS (SELECT 1 FROM release_files WHERE release_files.release = release.id)
            """, place[0], place[1], place[2], .integer(time), read: StoredUsage.init)
        let freed = try first(
            """
            SELECT COUNT(*), CAST(COALESCE(SUM(CASE WHEN EXISTS (
                    SELECT 1 FROM release AS other JOIN release_files ON release_files.release = other.id
                    WHERE other.digest = release.digest AND other.bundle = release.bundle AND other.id <> release.id)
                OR EXISTS (
                    SELECT 1 FROM release AS other
                    WHERE other.digest = release.digest AND other.bundle = release.bundle AND other.id < release.id
                        AND other.ended_at > ?)
                THEN 0 ELSE release.byte_count END), 0) AS BIGINT)
            FROM bundle JOIN release ON release.bundle = bundle.id
            WHERE (bundle.identifier = ? OR (bundle.identifier >= ? AND bundle.identifier < ?))
                AND release.ended_at > ? AND release.published <= ?
            """, .integer(time), place[0], place[1], place[2], .integer(time), .integer(time), read: StoredUsage.init)
        return (added ?? StoredUsage(), freed ?? StoredUsage())
    }

    package func storedReleases(ofBundle bundle: Int64, limit: Int) throws(RegistryError) -> [ReleaseRecord] {
        try all(
            """
            SELECT * FROM release
            WHERE bundle = ? AND EXISTS (SELECT 1 FROM release_files WHERE release_files.release = release.id)
            ORDER BY published, id LIMIT ?
            """, .integer(bundle), .count(limit), read: ReleaseRecord.init)
    }

    // MARK: Keeping

    package func keptReleases(
        ofBundle bundle: Int64, after place: PublicationPlace, limit: Int
    ) throws(RegistryError) -> [BundleHistory.Candidate] {
        try all(
            """
            SELECT id, key, digest, byte_count, is_snapshot, published, shown_until, restored_at FROM release
            WHERE bundle = ? AND withdrawn_at IS NULL AND expired_at IS NULL
                AND (is_snapshot, published, id) > (?, ?, ?)
            ORDER BY is_snapshot, published, id LIMIT ?
            """, .integer(bundle), .flag(place.isSnapshot), .integer(place.published), .integer(place.id),
            .count(limit)
        ) { row throws(RegistryError) in
            BundleHistory.Candidate(
                id: try row.integer(0), key: try row.text(1), digest: try row.digest(2), byteCount: try row.count(3),
                isSnapshot: try row.flag(4), published: try row.integer(5), shownUntil: try row.optionalInteger(6),
                restored: try row.optionalInteger(7))
        }
    }

    package func keptPlace(
        ofBundle bundle: Int64, areSnapshots: Bool, fromLast place: Int
    ) throws(RegistryError) -> PublicationPlace? {
        try first(
            """
            SELECT published, id FROM release
            WHERE bundle = ? AND is_snapshot = ? AND withdrawn_at IS NULL AND expired_at IS NULL
            ORDER BY published DESC, id DESC LIMIT 1 OFFSET ?
            """, .integer(bundle), .flag(areSnapshots), .count(max(0, place - 1))
        ) { row throws(RegistryError) in
            PublicationPlace(areSnapshots, try row.integer(0), try row.integer(1))
        }
    }

    package func setExpiry(_ expiry: Expiry, of release: Int64) throws(RegistryError) {
        try run(
            "UPDATE release SET expired_at = ?, expired_rule = ? WHERE id = ?", .integer(expiry.at),
            .text(expiry.rule), .integer(release))
    }

    package func retentionGuard() throws(RegistryError) -> RetentionGuard {
        let found = try first("SELECT applied, pending, since FROM retention_guard WHERE id = 1") {
            row throws(RegistryError) in
            RetentionGuard(
                applied: try row.text(0), pending: try row.optionalText(1), since: try row.integer(2))
        }
        return found ?? RetentionGuard()
    }

    package func setRetentionGuard(_ present: RetentionGuard) throws(RegistryError) {
        try run(
            """
            INSERT INTO retention_guard (id, applied, pending, since) VALUES (1, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET applied = excluded.applied, pending = excluded.pending,
                since = excluded.since
            """, .text(present.applied), .maybe(present.pending), .integer(present.since))
    }
}

extension StoredUsage {
    /// From two columns, of the releases and the bytes.
    fileprivate init(_ row: any CatalogRow) throws(RegistryError) {
        self.init(releases: try row.count(0), bytes: try row.count(1))
    }
}
