internal import Database

/// A row of the table `bundle`.
struct BundleRow {
    var id: Int64
    var identifier: String
    var name: String
    var latest: Int64?
    var releaseCount: Int
}

extension BundleRow {
    init(_ row: Row) throws(DatabaseError) {
        id = try row.integer(0)
        identifier = try row.text(1)
        name = try row.text(3)
        latest = try row.optionalInteger(4)
        releaseCount = try row.count(5)
    }

    /// Letters in one case: two identifiers that differ in nothing else are one name to people.
    static func folded(_ identifier: String) -> String {
        String(decoding: identifier.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}

extension Catalog {
    func bundle(_ identifier: String) throws(RegistryError) -> BundleRow? {
        try first("SELECT * FROM bundle WHERE identifier = ?", .text(identifier), read: BundleRow.init)
    }

    /// The bundle of that identifier in whatever case.
    func bundle(spelledLike identifier: String) throws(RegistryError) -> BundleRow? {
        try first(
            "SELECT * FROM bundle WHERE folded = ?", .text(BundleRow.folded(identifier)), read: BundleRow.init)
    }

    /// The bundle, or what to say when there is none, or none the reader may know of.
    func knownBundle(_ identifier: String) throws(RegistryError) -> BundleRow {
        if let row = try bundle(identifier) { return row }
        throw .noSuchBundle(identifier, spelling: try bundle(spelledLike: identifier)?.identifier)
    }

    func insertBundle(_ identifier: String, name: String) throws(RegistryError) -> Int64 {
        try insert(
            "INSERT INTO bundle (identifier, folded, name) VALUES (?, ?, ?)", .text(identifier),
            .text(BundleRow.folded(identifier)), .text(name))
    }

    /// Finds out anew which release is the latest.
    ///
    /// The name stays what it was when nothing is left to take one from.
    func updateLatest(ofBundle id: Int64) throws(RegistryError) {
        try run(
            """
            UPDATE bundle SET latest = (
                SELECT release.id FROM release WHERE release.bundle = bundle.id AND withdrawn_at IS NULL
                ORDER BY is_snapshot, version DESC, release.id DESC LIMIT 1)
            WHERE id = ?
            """, .integer(id))
        try run(
            """
            UPDATE bundle SET name = (SELECT release.name FROM release WHERE release.id = bundle.latest)
            WHERE id = ? AND latest IS NOT NULL
            """, .integer(id))
    }

    func summary(_ bundle: BundleRow) throws(RegistryError) -> BundleSummary {
        var channels: [Channel] = []
        for row in try self.channels(ofBundle: bundle.id) {
            channels.append(try channel(row, of: bundle.identifier))
        }
        return BundleSummary(
            identifier: bundle.identifier, name: bundle.name, latest: try bundle.latest.map(releaseKey),
            releaseCount: bundle.releaseCount, channels: channels)
    }
}

extension Catalog {
    func identifier(ofBundle id: Int64) throws(RegistryError) -> String {
        let identifier = try first("SELECT identifier FROM bundle WHERE id = ?", .integer(id)) {
            row throws(DatabaseError) in try row.text(0)
        }
        guard let identifier else { throw .damaged("bundle \(id) is referred to, but not there") }
        return identifier
    }
}
