package import WidgetBytes
package import WidgetRegistry

/// The catalog's questions and changes in SQL, on a session that was lent for a transaction.
///
/// The one implementation for every database: the statements keep to the subset that SQLite and PostgreSQL read alike.
/// Columns are named, flags are bound, derived tables have names, and new numbers come from `RETURNING`.
package struct SQLCatalog: CatalogEditor, Sendable {
    package let session: any CatalogSession

    package init(_ session: any CatalogSession) {
        self.session = session
    }

    // MARK: Statements

    @discardableResult
    func run(_ sql: StaticString, _ values: CatalogValue...) throws(RegistryError) -> Int {
        try session.run(sql, values)
    }

    /// Runs an INSERT that ends with `RETURNING` and a number.
    func inserted(_ sql: StaticString, _ values: CatalogValue...) throws(RegistryError) -> Int64 {
        var number: Int64?
        // To the end of the answer: only then is the statement done.
        try session.each(sql, values) { row throws(RegistryError) in
            number = try row.integer(0)
            return true
        }
        guard let number else { throw .damaged("a row was stored and has no number") }
        return number
    }

    /// The first row of the answer; `nil` when the answer is empty.
    func first<Result>(
        _ sql: StaticString, _ values: CatalogValue..., read: (any CatalogRow) throws(RegistryError) -> Result
    ) throws(RegistryError) -> Result? {
        var result: Result?
        try session.each(sql, values) { row throws(RegistryError) in
            result = try read(row)
            return false
        }
        return result
    }

    /// All rows of the answer, which a limit bounds where there can be many.
    func all<Result>(
        _ sql: StaticString, _ values: CatalogValue..., read: (any CatalogRow) throws(RegistryError) -> Result
    ) throws(RegistryError) -> [Result] {
        var results: [Result] = []
        try session.each(sql, values) { row throws(RegistryError) in
            results.append(try read(row))
            return true
        }
        return results
    }

    /// True when the answer has a row.
    func exists(_ sql: StaticString, _ values: CatalogValue...) throws(RegistryError) -> Bool {
        var isThere = false
        try session.each(sql, values) { _ throws(RegistryError) in
            isThere = true
            return false
        }
        return isThere
    }

    // MARK: Bundles

    package func bundle(_ identifier: String) throws(RegistryError) -> BundleRecord? {
        try first(
            "SELECT id, identifier, name, latest, release_count FROM bundle WHERE identifier = ?", .text(identifier),
            read: BundleRecord.init)
    }

    package func bundle(spelledLike identifier: String) throws(RegistryError) -> BundleRecord? {
        try first(
            "SELECT id, identifier, name, latest, release_count FROM bundle WHERE folded = ?",
            .text(BundleRecord.folded(identifier)), read: BundleRecord.init)
    }

    package func identifier(ofBundle id: Int64) throws(RegistryError) -> String {
        let identifier = try first("SELECT identifier FROM bundle WHERE id = ?", .integer(id)) {
            row throws(RegistryError) in try row.text(0)
        }
        guard let identifier else { throw .damaged("bundle \(id) is referred to, but not there") }
        return identifier
    }

    /// The greatest identifier not after the text is the one, or shares with the text all that any identifier does that
    /// the text begins with; so the text is cut to what the two share, and asked about again. Each step is one
    /// look-up in an index, and in practice there are one or two, for any number of bundles.
    package func longestBundle(beginning text: String, within start: String) throws(RegistryError) -> BundleName? {
        try longest(
            "SELECT id, identifier FROM bundle WHERE identifier BETWEEN ? AND ? ORDER BY identifier DESC LIMIT 1",
            text, start
        ) { $0 }
    }

    package func longestBundle(
        beginningLike text: String, within start: String
    ) throws(RegistryError) -> BundleName? {
        try longest(
            "SELECT id, identifier FROM bundle WHERE folded BETWEEN ? AND ? ORDER BY folded DESC LIMIT 1",
            BundleRecord.folded(text), BundleRecord.folded(start), BundleRecord.folded)
    }

    /// - Parameter spelling: the column's text for an identifier.
    private func longest(
        _ sql: StaticString, _ text: String, _ start: String, _ spelling: (String) -> String
    ) throws(RegistryError) -> BundleName? {
        var left = Array(text.utf8)
        while !left.isEmpty, left.starts(with: start.utf8) {
            let found = try first(
                sql, .text(start), .text(String(decoding: left, as: UTF8.self)), read: BundleName.init)
            guard let found else { return nil }
            let shared = SQLCatalog.sharedCount(left, spelling(found.identifier))
            if shared == found.identifier.utf8.count { return found }
            left.removeLast(left.count - shared)
        }
        return nil
    }

    private static func sharedCount(_ left: [UInt8], _ right: String) -> Int {
        var count = 0
        for byte in right.utf8 {
            guard count < left.count, left[count] == byte else { break }
            count += 1
        }
        return count
    }

    package func bundles(
        _ range: BundleRange
    ) throws(RegistryError) -> [(bundle: BundleRecord, hasChannel: Bool)] {
        try all(
            """
            SELECT id, identifier, name, latest, release_count, CAST(? AS TEXT) IS NULL
                OR EXISTS (
                    SELECT 1 FROM channel
                    WHERE channel.bundle = bundle.id AND channel.name = ? AND channel.deleted_at IS NULL)
            FROM bundle WHERE identifier >= ? AND identifier <> ? AND identifier < ? ORDER BY identifier LIMIT ?
            """, .maybe(range.channel), .maybe(range.channel), .text(range.from), .text(range.besides),
            .text(range.below), .count(range.limit)
        ) { row throws(RegistryError) in (try BundleRecord(row), try row.flag(5)) }
    }

    package func bundleNumbers() throws(RegistryError) -> [Int64] {
        try all("SELECT id FROM bundle ORDER BY id") { row throws(RegistryError) in try row.integer(0) }
    }

    package func insertBundle(_ identifier: String, name: String) throws(RegistryError) -> Int64 {
        try inserted(
            "INSERT INTO bundle (identifier, folded, name) VALUES (?, ?, ?) RETURNING id", .text(identifier),
            .text(BundleRecord.folded(identifier)), .text(name))
    }

    package func updateLatest(ofBundle id: Int64) throws(RegistryError) {
        try run(
            """
            UPDATE bundle SET latest = (
                SELECT release.id FROM release
                WHERE release.bundle = bundle.id AND withdrawn_at IS NULL AND expired_at IS NULL
                ORDER BY is_snapshot, version DESC, release.id DESC LIMIT 1)
            WHERE id = ?
            """, .integer(id))
        try run(
            """
            UPDATE bundle SET name = (SELECT release.name FROM release WHERE release.id = bundle.latest)
            WHERE id = ? AND latest IS NOT NULL
            """, .integer(id))
    }

    package func settle() throws(RegistryError) {
        try run("UPDATE bundle SET name = name WHERE id = (SELECT MIN(id) FROM bundle)")
    }

    // MARK: Tokens

    package func tokens() throws(RegistryError) -> [Token] {
        try all(
            """
            SELECT id, name, prefix, scopes, created, expires, last_used, channels, keeps_earlier_rights, earlier_until
            FROM token WHERE revoked_at IS NULL ORDER BY name, id
            """, read: Token.init)
    }

    package func tokensByDigest() throws(RegistryError) -> [Digest: Token] {
        let rows = try all(
            """
            SELECT id, name, prefix, scopes, created, expires, last_used, channels, keeps_earlier_rights, earlier_until,
                digest, earlier_digest
            FROM token WHERE revoked_at IS NULL
            """
        ) { row throws(RegistryError) in (try row.digest(10), try row.optionalDigest(11), try Token(row)) }
        var found = Dictionary(rows.map { ($0.0, $0.2) }) { first, _ in first }
        for case (_, let earlier?, var token) in rows where found[earlier] == nil {
            token.isFoundByEarlierSecret = true
            found[earlier] = token
        }
        return found
    }

    package func tokenNames(after number: Int64) throws(RegistryError) -> [TokenName] {
        try all(
            "SELECT id, name, prefix FROM token WHERE id > ? ORDER BY id", .integer(number), read: TokenName.init)
    }

    package func tokenNames(called name: String) throws(RegistryError) -> [TokenName] {
        try all("SELECT id, name, prefix FROM token WHERE name = ? ORDER BY id", .text(name), read: TokenName.init)
    }

    /// Rows of tokens stay for ever, so the highest number is the last that was given.
    package func insert(_ token: Token, digest: Digest) throws(RegistryError) -> Int64 {
        let scopes = Token.Scope.allCases.filter(token.scopes.contains).map(\.rawValue).joined(separator: " ")
        let number = try inserted(
            """
            INSERT INTO token (id, name, digest, prefix, scopes, created, expires, channels, keeps_earlier_rights)
            VALUES ((SELECT COALESCE(MAX(id), 0) + 1 FROM token), ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
            """, .text(token.name), .blob(digest.bytes), .text(token.prefix), .text(scopes), .integer(token.created),
            .maybe(token.expires), .maybe(token.channels.isEmpty ? nil : token.channels.joined(separator: " ")),
            .flag(token.keepsEarlierRights))
        try run("INSERT INTO milestone (name) VALUES ('token') ON CONFLICT (name) DO NOTHING")
        return number
    }

    package func insert(_ name: TokenName, revoked time: Int64) throws(RegistryError) {
        try run(
            "INSERT INTO token (id, name, prefix, scopes, created, revoked_at) VALUES (?, ?, ?, '', ?, ?)",
            .integer(name.number), .text(name.name), .text(name.prefix), .integer(time), .integer(time))
    }

    package func rotateToken(
        _ number: Int64, from present: Digest, to digest: Digest, keptUntil end: Int64?
    ) throws(RegistryError) -> Bool {
        try run(
            "UPDATE token SET digest = ?, earlier_digest = ?, earlier_until = ? WHERE id = ? AND digest = ?",
            .blob(digest.bytes), end == nil ? .null : .blob(present.bytes), .maybe(end), .integer(number),
            .blob(present.bytes)) > 0
    }

    package func revokeToken(_ number: Int64, at time: Int64) throws(RegistryError) -> Bool {
        try run(
            """
            UPDATE token SET digest = NULL, earlier_digest = NULL, earlier_until = NULL, revoked_at = ?
            WHERE id = ? AND revoked_at IS NULL
            """, .integer(time), .integer(number)) > 0
    }

    package func setLastUse(ofToken number: Int64, _ time: Int64) throws(RegistryError) {
        try run("UPDATE token SET last_used = ? WHERE id = ?", .integer(time), .integer(number))
    }

    package func isUnused() throws(RegistryError) -> Bool {
        if try exists("SELECT id FROM release LIMIT 1") { return false }
        return try !exists("SELECT name FROM milestone WHERE name = 'token'")
    }
}

extension BundleRecord {
    /// From the columns id, identifier, name, latest, release_count.
    init(_ row: any CatalogRow) throws(RegistryError) {
        self.init(
            id: try row.integer(0), identifier: try row.text(1), name: try row.text(2),
            latest: try row.optionalInteger(3), releaseCount: try row.count(4))
    }
}

extension BundleName {
    /// From the columns id, identifier.
    init(_ row: any CatalogRow) throws(RegistryError) {
        self.init(id: try row.integer(0), identifier: try row.text(1))
    }
}

extension Token {
    /// From the columns id, name, prefix, scopes, created, expires, last_used, channels, keeps_earlier_rights, earlier_until.
    init(_ row: any CatalogRow) throws(RegistryError) {
        var scopes: Set<Scope> = []
        for word in try row.text(3).split(separator: " ") {
            guard let scope = Scope(rawValue: String(word)) else { throw row.unexpected("scopes", 3) }
            scopes.insert(scope)
        }
        let channels = try row.optionalText(7)?.split(separator: " ").map(String.init)
        // A list that is there and names nothing must not be read as all.
        guard channels?.isEmpty != true else { throw row.unexpected("channels", 7) }
        self.init(
            name: try row.text(1), prefix: try row.text(2), scopes: scopes, channels: channels ?? [],
            created: try row.integer(4), expires: try row.optionalInteger(5), keepsEarlierRights: try row.flag(8))
        number = try row.integer(0)
        lastUsed = try row.optionalInteger(6)
        earlierSecretEnds = try row.optionalInteger(9)
    }
}

extension TokenName {
    /// From the columns id, name, prefix.
    init(_ row: any CatalogRow) throws(RegistryError) {
        self.init(number: try row.integer(0), name: try row.text(1), prefix: try row.text(2))
    }
}

extension CatalogRow {
    func digest(_ column: Int) throws(RegistryError) -> Digest {
        let bytes = try blob(column)
        guard let digest = Digest(bytes: bytes.span) else { throw unexpected("a digest", column) }
        return digest
    }
}

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
        // Digits are a number: names of digits alone are not given any more.
        let wanted = query.token.flatMap { Int64($0) }
        let (name, number) = (CatalogValue.maybe(wanted == nil ? query.token : nil), CatalogValue.maybe(wanted))
        return try all(
            """
            SELECT * FROM audit
            WHERE number < ? AND at >= ? AND at < ?
                AND (? = '' OR subject = ? OR (subject >= ? AND subject < ?))
                AND (CAST(? AS TEXT) IS NULL OR (subject = ? AND token IS NULL))
                AND (CAST(? AS TEXT) IS NULL OR author = ? OR token_name = ? OR author_token = ? OR token = ?)
            ORDER BY number DESC LIMIT ?
            """, .integer(query.before), .integer(query.since), .integer(query.until), .text(query.prefix),
            .text(query.prefix), .text("\(query.prefix)."), .text("\(query.prefix)/"), bundle, bundle, token, name,
            name, number, number, .count(query.limit), read: AuditRecord.init)
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
