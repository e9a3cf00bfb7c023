internal import Bytes
internal import Database

extension Token {
    /// From the columns name, prefix, scopes, created, expires, last_used.
    init(_ row: Row) throws(DatabaseError) {
        var scopes: Set<Scope> = []
        for word in try row.text(2).split(separator: " ") {
            guard let scope = Scope(rawValue: String(word)) else { throw row.unexpected("scopes", 2) }
            scopes.insert(scope)
        }
        self.init(
            name: try row.text(0), prefix: try row.text(1), scopes: scopes, created: try row.integer(3),
            expires: try row.optionalInteger(4))
        lastUsed = try row.optionalInteger(5)
    }
}

extension Catalog {
    func tokens() throws(RegistryError) -> [Token] {
        try all(
            "SELECT name, prefix, scopes, created, expires, last_used FROM token ORDER BY name", read: Token.init)
    }

    func tokensByDigest() throws(RegistryError) -> [Digest: Token] {
        let rows = try all(
            "SELECT name, prefix, scopes, created, expires, last_used, digest FROM token"
        ) { row throws(DatabaseError) in
            (try row.digest(6), try Token(row))
        }
        return Dictionary(rows) { first, _ in first }
    }

    func hasToken(named name: String) throws(RegistryError) -> Bool {
        try first("SELECT 1 FROM token WHERE name = ?", .text(name)) { row throws(DatabaseError) in
            try row.flag(0)
        } ?? false
    }

    func insert(_ token: Token, digest: Digest) throws(RegistryError) {
        let scopes = Token.Scope.allCases.filter(token.scopes.contains).map(\.rawValue).joined(separator: " ")
        try run(
            "INSERT INTO token (name, digest, prefix, scopes, created, expires) VALUES (?, ?, ?, ?, ?, ?)",
            .text(token.name), .blob(digest.bytes), .text(token.prefix), .text(scopes), .integer(token.created),
            .optional(token.expires))
    }

    /// - Returns: whether there was one.
    func removeToken(named name: String) throws(RegistryError) -> Bool {
        try run("DELETE FROM token WHERE name = ?", .text(name)) > 0
    }

    func setLastUse(ofToken name: String, _ time: Int64) throws(RegistryError) {
        try run("UPDATE token SET last_used = ? WHERE name = ?", .integer(time), .text(name))
    }

    /// Whether nothing was ever published and no token ever made, revoked ones included.
    func isUnused() throws(RegistryError) -> Bool {
        let isUsed = try first(
            """
            SELECT EXISTS (SELECT 1 FROM release) OR EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'token')
            """
        ) { row throws(DatabaseError) in try row.flag(0) }
        return isUsed == false
    }
}
