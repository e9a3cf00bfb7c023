internal import Bytes
package import HTTPServer
internal import Logging
package import Registry
package import RegistryContract

/// Makes, lists and revokes tokens, for whoever has been let in.
package struct TokenDesk: Sendable {
    private let registry: Registry
    private let now: @Sendable () -> Int64

    package init(_ registry: Registry, now: @escaping @Sendable () -> Int64) {
        self.registry = registry
        self.now = now
    }

    /// Who acts without a token of the catalog, or with the first one.
    private static let ownNames = ["admin", "owner", "seed"]

    /// A document with the tokens that are `caller`'s business.
    package func list(for caller: Caller) throws(Problem) -> [UInt8] {
        try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
            PageDocument(
                try registry.tokens().filter(caller.governs).map { TokenDocument($0) }
            ).bytes
        }
    }

    /// The token that a document asks for, if there can be such a one, whatever the registry has.
    package static func token(_ body: [UInt8], now: Int64) throws(Problem) -> Token {
        let token = try TokenRequest.token(body, now: now)
        guard !ownNames.contains(token.name.lowercased()) else {
            throw ProblemCatalogue.problem(
                .malformedRequest,
                "\(token.name) is the server's own word in what it notes of who did what; choose another name.")
        }
        try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in try token.check() }
        return token
    }

    /// Makes a token as a document asks for it.
    ///
    /// - Parameter author: `caller` as the audit keeps it.
    /// - Returns: the document that shows the secret, the only one that ever does.
    package func create(
        _ body: [UInt8], by caller: Caller, _ author: Author
    ) throws(Problem) -> TokenDocument {
        let token = try TokenDesk.token(body, now: now())
        guard caller.governs(prefix: token.prefix) else {
            throw ProblemCatalogue.problem(
                .forbidden, "The token \(caller.name) makes tokens for \(caller.prefix) and below only.")
        }
        guard caller.governs(channels: token.channels) else {
            throw ProblemCatalogue.problem(
                .forbidden,
                "The token \(caller.name) is limited to channels, and makes tokens for those alone: name some of "
                    + "\(caller.channels.joined(separator: ", ")) in channels.")
        }
        let secret = TokenText.make()
        let stored = try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
            guard let digest = TokenText.digest(secret.exposedText) else { throw .outOfMemory }
            return try registry.createToken(token, digest: digest, by: author)
        }
        return TokenDocument(stored, secret: secret.exposedText)
    }

    /// What to say when a token was revoked and no other has every right.
    package static let lastRemark = RevocationDocument.last

    /// - Parameter prefix: the token's, where several that are the caller's business have the name.
    /// - Returns: the token that was revoked, and whether it was the last of the catalog with every right.
    @discardableResult
    package func revoke(
        _ name: String, prefix: String?, by caller: Caller, _ author: Author
    ) throws(Problem) -> (token: TokenName, wasLast: Bool) {
        try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
            let tokens = try registry.tokens()
            let found = tokens.filter { token in
                token.name == name && caller.governs(token) && (prefix ?? token.prefix) == token.prefix
            }
            guard let token = found.first?.identity else { throw .noSuchToken(name) }
            guard found.count == 1 else { throw .ambiguousToken(name, prefixes: found.map(\.prefix)) }
            try registry.revokeToken(token, by: author)
            let administrators = tokens.filter { token in
                token.scopes.contains(.admin) && token.prefix.isEmpty && (token.expires ?? .max) > now()
            }
            return (token, administrators.map(\.number) == [token.number])
        }
    }
}

extension Caller {
    /// Whether a token is this caller's to give and take: one that reaches no further than the caller's.
    func governs(_ token: Token) -> Bool {
        governs(prefix: token.prefix) && governs(channels: token.channels)
    }

    func governs(prefix tokenPrefix: String) -> Bool {
        prefix.isEmpty || !tokenPrefix.isEmpty && covers(tokenPrefix)
    }

    func governs(channels tokenChannels: [String]) -> Bool {
        channels.isEmpty || !tokenChannels.isEmpty && tokenChannels.allSatisfy(channels.contains)
    }
}

/// What somebody who makes a token says about it.
enum TokenRequest {
    static func token(_ body: [UInt8], now: Int64) throws(Problem) -> Token {
        let wanted: TokenRequestDocument = try RequestDocument.read(body)
        var scopes: Set<Token.Scope> = []
        for word in wanted.scopes {
            guard let scope = Token.Scope(rawValue: word) else {
                throw ProblemCatalogue.problem(
                    .malformedRequest,
                    "There is no scope \"\(word.prefix(40))\"; there are \(Token.Scope.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            scopes.insert(scope)
        }
        guard !scopes.isEmpty else {
            throw ProblemCatalogue.problem(.malformedRequest, "A token needs at least one scope.")
        }
        if let channels = wanted.channels, channels.isEmpty {
            throw ProblemCatalogue.problem(
                .malformedRequest, "channels is empty; name the channels of the token, or leave it out for all.")
        }
        var expires: Int64?
        if let text = wanted.expires {
            guard let time = Timestamp.seconds(text) ?? lifetime(text).map({ now + $0 }) else {
                throw ProblemCatalogue.problem(
                    .malformedRequest,
                    "expires is a time such as 2027-01-31T00:00:00Z or a span such as 90d, not \"\(text.prefix(40))\".")
            }
            guard time > now else {
                throw ProblemCatalogue.problem(.malformedRequest, "expires is in the past.")
            }
            expires = time
        }
        return Token(
            name: wanted.name, prefix: wanted.prefix ?? "", scopes: scopes, channels: wanted.channels ?? [],
            created: now, expires: expires)
    }

    /// The seconds of `12h`, `90d` or `8w`.
    static func lifetime(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
        guard text.utf8.count <= 6, let unit = text.last.flatMap({ units[$0] }),
            text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(text.dropLast()),
            count > 0
        else { return nil }
        return count * unit
    }
}
