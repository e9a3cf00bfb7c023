internal import Bytes
package import Registry

/// The audit.
extension SQLCatalog {
    /// Numbers are in the order of commits, since no other writer runs meanwhile.
    package func insert(_ record: AuditRecord) throws(RegistryError) -> Int64 {
        let (author, from, to) = (record.author, record.from, record.to)
        return try inserted(
            """
            INSERT INTO audit (number, at, act, author, author_token, client, request, agent, subject, release, channel,
                from_release, from_rollout, from_mandatory, to_release, to_rollout, to_mandatory, is_forced, digest,
                content_digest, token, token_name, remark)
            VALUES (COALESCE(?, (SELECT COALESCE(MAX(number), 0) + 1 FROM audit)), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number
            """, record.number == 0 ? .null : .integer(record.number), .integer(record.at), .text(record.act.rawValue),
            .text(author.name), .maybe(author.token), .text(author.client), .text(author.request), .text(author.agent),
            .text(record.subject), .maybe(record.release), .maybe(record.channel), .maybe(from?.release),
            from.map { .count($0.rollout) } ?? .null, from.map { .flag($0.isMandatory) } ?? .null, .maybe(to?.release),
            to.map { .count($0.rollout) } ?? .null, to.map { .flag($0.isMandatory) } ?? .null, .flag(record.isForced),
            record.digest.map { .blob($0.bytes) } ?? .null, record.contentDigest.map { .blob($0.bytes) } ?? .null,
            .maybe(record.token?.number), .maybe(record.token?.name), .maybe(record.remark))
    }

    package func auditRecords(_ query: AuditQuery) throws(RegistryError) -> [AuditRecord] {
        // Past the dot that continues a prefix comes the slash.
        let (bundle, token) = (CatalogValue.maybe(query.bundle), CatalogValue.maybe(query.token))
        let number = CatalogValue.maybe(query.token.flatMap { Int64($0) })
        return try all(
            """
            SELECT * FROM audit
            WHERE number < ? AND at >= ? AND at < ?
                AND (? = '' OR subject = ? OR (subject >= ? AND subject < ?))
                AND (CAST(? AS TEXT) IS NULL OR (subject = ? AND token IS NULL))
                AND (CAST(? AS TEXT) IS NULL OR author = ? OR token_name = ? OR author_token = ? OR token = ?)
            ORDER BY number DESC LIMIT ?
            """, .integer(query.before), .integer(query.since), .integer(query.until), .text(query.prefix),
            .text(query.prefix), .text("\(query.prefix)."), .text("\(query.prefix)/"), bundle, bundle, token, token,
            token, number, number, .count(query.limit), read: AuditRecord.init)
    }

    package func auditRecords(after number: Int64, limit: Int) throws(RegistryError) -> [AuditRecord] {
        try all(
            "SELECT * FROM audit WHERE number > ? ORDER BY number LIMIT ?", .integer(number), .count(limit),
            read: AuditRecord.init)
    }

    package func removeAuditRecords(before time: Int64, limit: Int) throws(RegistryError) -> Int {
        try run(
            """
            DELETE FROM audit WHERE number IN (
                SELECT number FROM audit WHERE at < ? AND number < (SELECT MAX(number) FROM audit)
                ORDER BY number LIMIT ?)
            """, .integer(time), .count(limit))
    }
}

extension AuditRecord {
    /// From all columns of `audit`.
    fileprivate init(_ row: any CatalogRow) throws(RegistryError) {
        guard let act = Act(rawValue: try row.text(2)) else { throw row.unexpected("an act", 2) }
        self.init(
            act,
            by: Author(
                try row.text(3), token: try row.optionalInteger(4), client: try row.text(5), request: try row.text(6),
                agent: try row.text(7)),
            at: try row.integer(1), about: try row.text(8))
        number = try row.integer(0)
        release = try row.optionalText(9)
        channel = try row.optionalText(10)
        from = try Shown(row, at: 11)
        to = try Shown(row, at: 14)
        isForced = try row.flag(17)
        digest = try row.optionalDigest(18)
        contentDigest = try row.optionalDigest(19)
        if let number = try row.optionalInteger(20) {
            token = TokenName(number: number, name: try row.text(21), prefix: subject)
        }
        remark = try row.optionalText(22)
    }
}

extension AuditRecord.Shown {
    /// From three columns in a row, of which the first may be null.
    fileprivate init?(_ row: any CatalogRow, at column: Int) throws(RegistryError) {
        guard let release = try row.optionalText(column) else { return nil }
        self.init(release: release, rollout: try row.count(column + 1), isMandatory: try row.flag(column + 2))
    }
}

extension CatalogRow {
    fileprivate func optionalDigest(_ column: Int) throws(RegistryError) -> Digest? {
        if isNull(column) { return nil }
        return try digest(column)
    }
}
