internal import Database

extension RegistryChange {
    init(_ row: Row) throws(DatabaseError) {
        guard let kind = Kind(rawValue: try row.text(2)) else { throw row.unexpected("a kind", 2) }
        self.init(
            tag: try row.integer(0), at: try row.integer(1), kind: kind, bundleIdentifier: try row.text(3),
            release: try row.text(4), channel: try row.optionalText(5), sequence: try row.optionalInteger(6),
            by: try row.text(7))
    }
}

extension Catalog {
    /// Adds a line to the feed and gives it its tag.
    func append(_ change: RegistryChange) throws(RegistryError) -> RegistryChange {
        var change = change
        change.tag = try insert(
            """
            INSERT INTO change (at, kind, bundle, release, channel, sequence, author) VALUES (?, ?, ?, ?, ?, ?, ?)
            """, .integer(change.at), .text(change.kind.rawValue), .text(change.bundleIdentifier),
            .text(change.release), .optional(change.channel), .optional(change.sequence), .text(change.by))
        return change
    }

    func changes(after tag: Int64, limit: Int) throws(RegistryError) -> [RegistryChange] {
        try all(
            "SELECT * FROM change WHERE tag > ? ORDER BY tag LIMIT ?", .integer(tag), .integer(limit),
            read: RegistryChange.init)
    }

    func latestTag() throws(RegistryError) -> Int64 {
        try first("SELECT tag FROM change ORDER BY tag DESC LIMIT 1") { row throws(DatabaseError) in
            try row.integer(0)
        } ?? 0
    }
}
