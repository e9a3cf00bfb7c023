internal import WidgetBytes
package import WidgetRegistry

/// The search index, and the parts that are kept beside releases.
extension SQLCatalog {
    // MARK: Terms

    /// One descent in the index for each page. A bundle that has several terms in the range is found by its first one.
    package func bundles(
        withTermIn range: TermRange, after place: TermPlace?, limit: Int
    ) throws(RegistryError) -> [(bundle: BundleRecord, term: String)] {
        try all(
            """
            SELECT bundle.id, bundle.identifier, bundle.name, bundle.latest, bundle.release_count, bundle_term.term
            FROM bundle_term JOIN bundle ON bundle.id = bundle_term.bundle
            WHERE (bundle_term.term, bundle_term.identifier) > (?, ?) AND bundle_term.term < ?
                AND NOT EXISTS (
                    SELECT 1 FROM bundle_term AS earlier
                    WHERE earlier.bundle = bundle_term.bundle AND earlier.term >= ?
                        AND earlier.term < bundle_term.term)
            ORDER BY bundle_term.term, bundle_term.identifier LIMIT ?
            """, .text(place?.term ?? range.from), .text(place?.identifier ?? ""), .text(range.below),
            .text(range.from), .count(limit)
        ) { row throws(RegistryError) in (try BundleRecord(row), try row.text(5)) }
    }

    package func termCount(in range: TermRange, upTo limit: Int) throws(RegistryError) -> Int {
        try first(
            """
            SELECT COUNT(*) FROM (SELECT term FROM bundle_term WHERE term >= ? AND term < ? LIMIT ?) AS counted
            """, .text(range.from), .text(range.below), .count(limit)
        ) { row throws(RegistryError) in try row.count(0) } ?? 0
    }

    package func terms(ofBundle bundle: Int64) throws(RegistryError) -> [String] {
        try all("SELECT term FROM bundle_term WHERE bundle = ? ORDER BY term", .integer(bundle)) {
            row throws(RegistryError) in try row.text(0)
        }
    }

    package func unindexedBundles(limit: Int) throws(RegistryError) -> [Int64] {
        try all("SELECT id FROM bundle WHERE term_count IS NULL ORDER BY id LIMIT ?", .count(limit)) {
            row throws(RegistryError) in try row.integer(0)
        }
    }

    package func setTerms(_ terms: [String], of bundle: Int64) throws(RegistryError) {
        let (present, wanted) = (Set(try self.terms(ofBundle: bundle)), Set(terms))
        for term in present.subtracting(wanted).sorted() {
            try run("DELETE FROM bundle_term WHERE bundle = ? AND term = ?", .integer(bundle), .text(term))
        }
        for term in wanted.subtracting(present).sorted() {
            try run(
                """
                INSERT INTO bundle_term (term, identifier, bundle)
                SELECT CAST(? AS TEXT), identifier, id FROM bundle WHERE id = ?
                """, .text(term), .integer(bundle))
        }
        try run("UPDATE bundle SET term_count = ? WHERE id = ?", .count(wanted.count), .integer(bundle))
    }

    // MARK: Parts

    package func part(_ name: String, ofRelease release: Int64) throws(RegistryError) -> ReleasePart? {
        try first(
            "SELECT name, media_type, content FROM release_part WHERE release = ? AND name = ?", .integer(release),
            .text(name)
        ) { row throws(RegistryError) in
            ReleasePart(name: try row.text(0), mediaType: try row.text(1), content: try row.blob(2))
        }
    }

    package func partNames(ofRelease release: Int64) throws(RegistryError) -> [String] {
        try all("SELECT name FROM release_part WHERE release = ? ORDER BY name", .integer(release)) {
            row throws(RegistryError) in try row.text(0)
        }
    }

    package func releases(
        withoutPart name: String, areShown: Bool, before last: Int64, limit: Int
    ) throws(RegistryError) -> [ReleaseName] {
        try all(
            """
            SELECT release.id, bundle.identifier, release.key
            FROM release JOIN bundle ON bundle.id = release.bundle
            WHERE release.id < ? AND release.withdrawn_at IS NULL AND release.expired_at IS NULL
                AND EXISTS (SELECT 1 FROM release_files WHERE release_files.release = release.id)
                AND NOT EXISTS (
                    SELECT 1 FROM release_part WHERE release_part.release = release.id AND release_part.name = ?)
                AND CAST(? AS BIGINT) = CASE WHEN EXISTS (
                    SELECT 1 FROM channel
                    WHERE channel.bundle = release.bundle AND channel.deleted_at IS NULL
                        AND (channel.release = release.id OR channel.base = release.id)) THEN 1 ELSE 0 END
            ORDER BY release.id DESC LIMIT ?
            """, .integer(last), .text(name), .integer(areShown ? 1 : 0), .count(limit)
        ) { row throws(RegistryError) in
            ReleaseName(number: try row.integer(0), bundle: try row.text(1), key: try row.text(2))
        }
    }

    package func removeParts(of release: Int64) throws(RegistryError) {
        try run("DELETE FROM release_part WHERE release = ?", .integer(release))
    }

    package func put(_ part: ReleasePart, of release: Int64) throws(RegistryError) {
        try run("DELETE FROM release_part WHERE release = ? AND name = ?", .integer(release), .text(part.name))
        try insert(part, of: release)
    }

    func insert(_ part: ReleasePart, of release: Int64) throws(RegistryError) {
        try run(
            "INSERT INTO release_part (release, name, media_type, content) VALUES (?, ?, ?, ?)", .integer(release),
            .text(part.name), .text(part.mediaType), .blob(part.content))
    }

    // MARK: Changes

    package func latestChanges(limit: Int) throws(RegistryError) -> [RegistryChange] {
        try all("SELECT * FROM change ORDER BY tag DESC LIMIT ?", .count(limit), read: RegistryChange.init)
    }
}
