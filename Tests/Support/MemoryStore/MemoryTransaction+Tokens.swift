import WidgetBytes
import WidgetRegistry

/// Tokens and their secrets.
extension MemoryTransaction {
    func tokens() -> [Token] {
        tables.tokens.filter { $0.digest != nil }.map(\.token).sorted { one, other in
            one.name == other.name ? one.number < other.number : precedes(one.name, other.name)
        }
    }

    func tokensByDigest() -> [Digest: Token] {
        let valid = tables.tokens.filter { $0.digest != nil }
        let present = valid.compactMap { kept in kept.digest.map { ($0, kept.token) } }
        let earlier = valid.compactMap { kept in
            kept.earlier.map { digest in
                var token = kept.token
                token.isFoundByEarlierSecret = true
                return (digest, token)
            }
        }
        return Dictionary(present + earlier) { first, _ in first }
    }

    func tokenNames(after number: Int64) -> [TokenName] {
        tables.tokens.map(\.token.identity).filter { $0.number > number }.sorted { $0.number < $1.number }
    }

    func tokenNames(called name: String) -> [TokenName] { tokenNames(after: .min).filter { $0.name == name } }

    func isUnused() -> Bool { tables.releases.isEmpty && !tables.hadToken }

    func insert(_ token: Token, digest: Digest) -> Int64 {
        var token = token
        token.number = (tables.tokens.map(\.token.number).max() ?? 0) + 1
        tables.tokens.append(MemoryTables.KeptToken(digest: digest, token: token))
        tables.hadToken = true
        return token.number
    }

    func insert(_ name: TokenName, revoked time: Int64) {
        var token = Token(name: name.name, prefix: name.prefix, scopes: [], created: time)
        token.number = name.number
        tables.tokens.append(MemoryTables.KeptToken(digest: nil, token: token))
    }

    func rotateToken(_ number: Int64, from present: Digest, to digest: Digest, keptUntil end: Int64?) -> Bool {
        guard let place = tables.tokens.firstIndex(where: { $0.token.number == number && $0.digest == present }) else {
            return false
        }
        tables.tokens[place].digest = digest
        tables.tokens[place].earlier = end == nil ? nil : present
        tables.tokens[place].token.earlierSecretEnds = end
        return true
    }

    func revokeToken(_ number: Int64, at time: Int64) -> Bool {
        guard let place = tables.tokens.firstIndex(where: { $0.token.number == number && $0.digest != nil }) else {
            return false
        }
        tables.tokens[place].digest = nil
        tables.tokens[place].earlier = nil
        return true
    }

    func setLastUse(ofToken number: Int64, _ time: Int64) {
        for place in tables.tokens.indices where tables.tokens[place].token.number == number {
            tables.tokens[place].token.lastUsed = time
        }
    }
}
