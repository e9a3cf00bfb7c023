internal import Bytes
internal import Database

/// A row of the table `release`, its columns in the table's order.
struct ReleaseRow {
    var id: Int64
    var bundle: Int64
    var key: String
    var shortVersion: String
    var build: String
    var name: String
    var version: [UInt8]
    var isSnapshot: Bool
    var digest: Digest
    var contentDigest: Digest
    var byteCount: Int
    var published: Int64
    var publishedBy: String
    var minimumOSVersion: String?
    var minimumHostVersion: String?
    var withdrawal: Withdrawal?
    var withdrawnBy: String?
    /// When its last withdrawal was taken back.
    var restored: Int64?
}

extension ReleaseRow {
    init(_ row: Row) throws(DatabaseError) {
        id = try row.integer(0)
        bundle = try row.integer(1)
        key = try row.text(2)
        shortVersion = try row.text(3)
        build = try row.text(4)
        name = try row.text(5)
        version = try row.blob(6)
        isSnapshot = try row.flag(7)
        digest = try row.digest(8)
        contentDigest = try row.digest(9)
        byteCount = try row.count(10)
        published = try row.integer(11)
        publishedBy = try row.text(12)
        minimumOSVersion = try row.optionalText(13)
        minimumHostVersion = try row.optionalText(14)
        if let at = try row.optionalInteger(15) {
            withdrawal = Withdrawal(at: at, reason: try row.text(16))
        }
        withdrawnBy = try row.optionalText(17)
        restored = try row.optionalInteger(18)
    }

    /// Whether it was withdrawn only because there were later snapshots enough.
    var isRetired: Bool { isSnapshot && withdrawal != nil && withdrawnBy == Retention.author }

    func release(of bundle: String, shownBy channels: [ChannelRow]) -> Release {
        Release(
            bundleIdentifier: bundle, key: key, shortVersion: shortVersion, build: build, name: name, digest: digest,
            contentDigest: contentDigest, byteCount: byteCount, published: published, publishedBy: publishedBy,
            channels: channels.filter { $0.state.shows(id) }.map(\.name), withdrawal: withdrawal,
            minimumOSVersion: minimumOSVersion, minimumHostVersion: minimumHostVersion, isSnapshot: isSnapshot)
    }
}

extension Catalog {
    func release(_ id: Int64) throws(RegistryError) -> ReleaseRow {
        guard let row = try first("SELECT * FROM release WHERE id = ?", .integer(id), read: ReleaseRow.init) else {
            throw .damaged("release \(id) is referred to, but not there")
        }
        return row
    }

    func release(_ key: String, ofBundle bundle: Int64) throws(RegistryError) -> ReleaseRow? {
        try first(
            "SELECT * FROM release WHERE bundle = ? AND key = ?", .integer(bundle), .text(key), read: ReleaseRow.init)
    }

    func releases(withDigest digest: Digest, limit: Int) throws(RegistryError) -> [ReleaseRow] {
        try all(
            "SELECT * FROM release WHERE digest = ? ORDER BY id LIMIT ?", .blob(digest.bytes), .integer(limit),
            read: ReleaseRow.init)
    }

    /// The highest that was on the channel and can be shown still.
    func highestRelease(onChannel channel: ChannelRow, besides excluded: Int64) throws(RegistryError) -> Int64? {
        try first(
            """
            SELECT id FROM release
            WHERE bundle = ? AND withdrawn_at IS NULL AND id <> ?
                AND EXISTS (
                    SELECT 1 FROM placement
                    WHERE placement.bundle = release.bundle AND channel = ? AND placement.release = release.id)
            ORDER BY version DESC, id DESC LIMIT 1
            """, .integer(channel.bundle), .integer(excluded), .text(channel.name)
        ) { row throws(DatabaseError) in try row.integer(0) }
    }

    /// Of a release that is stored.
    func filesDocument(_ release: Int64) throws(RegistryError) -> [UInt8] {
        guard
            let document = try first(
                "SELECT document FROM release_files WHERE release = ?", .integer(release),
                read: { row throws(DatabaseError) in try row.blob(0) })
        else { throw .damaged("the files of release \(release) are not there") }
        return document
    }

    func reportDocument(_ release: Int64) throws(RegistryError) -> [UInt8] {
        guard
            let document = try first(
                "SELECT document FROM release_report WHERE release = ?", .integer(release),
                read: { row throws(DatabaseError) in try row.blob(0) })
        else { throw .damaged("the report of release \(release) is not there") }
        return document
    }

    /// Stores a release, whose own number is not looked at.
    func insert(_ release: ReleaseRow, files: [UInt8], report: [UInt8]) throws(RegistryError) -> Int64 {
        let id = try insertRow(release)
        try insertDocuments(of: id, files: files, report: report)
        try run("UPDATE bundle SET release_count = release_count + 1 WHERE id = ?", .integer(release.bundle))
        return id
    }

    /// Stores a release of which nothing is left but its key.
    func insertEnded(_ release: ReleaseRow) throws(RegistryError) -> Int64 {
        let id = try insertRow(release)
        try run("UPDATE bundle SET release_count = release_count + 1 WHERE id = ?", .integer(release.bundle))
        return id
    }

    private func insertRow(_ release: ReleaseRow) throws(RegistryError) -> Int64 {
        try insert(
            """
            INSERT INTO release (bundle, key, short_version, build, name, version, is_snapshot, digest, content_digest,
                byte_count, published, published_by, minimum_os, minimum_host)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, .integer(release.bundle), .text(release.key), .text(release.shortVersion), .text(release.build),
            .text(release.name), .blob(release.version), .flag(release.isSnapshot), .blob(release.digest.bytes),
            .blob(release.contentDigest.bytes), .integer(release.byteCount), .integer(release.published),
            .text(release.publishedBy), .optional(release.minimumOSVersion), .optional(release.minimumHostVersion))
    }

    func insertDocuments(of release: Int64, files: [UInt8], report: [UInt8]) throws(RegistryError) {
        try run("INSERT INTO release_files VALUES (?, ?)", .integer(release), .blob(files))
        try run("INSERT INTO release_report VALUES (?, ?)", .integer(release), .blob(report))
    }

    /// From then on nothing of the release is stored but its row.
    func removeDocuments(of release: Int64) throws(RegistryError) {
        try run("DELETE FROM release_files WHERE release = ?", .integer(release))
        try run("DELETE FROM release_report WHERE release = ?", .integer(release))
    }

    /// Brings a retired snapshot back as it was published now.
    func revive(_ retired: ReleaseRow, as release: ReleaseRow, files: [UInt8], report: [UInt8])
        throws(RegistryError) -> Int64
    {
        try removeDocuments(of: retired.id)
        try run(
            """
            UPDATE release SET digest = ?, byte_count = ?, published = ?, published_by = ?, withdrawn_at = NULL,
                withdrawn_reason = NULL, withdrawn_by = NULL
            WHERE id = ?
            """, .blob(release.digest.bytes), .integer(release.byteCount), .integer(release.published),
            .text(release.publishedBy), .integer(retired.id))
        try insertDocuments(of: retired.id, files: files, report: report)
        return retired.id
    }

    func setWithdrawal(_ withdrawal: Withdrawal, by author: String, of release: Int64) throws(RegistryError) {
        try run(
            "UPDATE release SET withdrawn_at = ?, withdrawn_reason = ?, withdrawn_by = ? WHERE id = ?",
            .integer(withdrawal.at), .text(withdrawal.reason), .text(author), .integer(release))
    }

    func removeWithdrawal(of release: Int64, at time: Int64) throws(RegistryError) {
        try run(
            """
            UPDATE release SET withdrawn_at = NULL, withdrawn_reason = NULL, withdrawn_by = NULL, restored_at = ?
            WHERE id = ?
            """, .integer(time), .integer(release))
    }
}
