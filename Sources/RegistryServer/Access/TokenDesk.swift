package import HTTPServer
internal import JSONText
internal import Logging
package import Registry

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
        do throws(RegistryError) {
            return TokenDocument.list(try registry.tokens().filter { caller.governs($0.prefix) })
        } catch {
            throw ProblemCatalogue.problem(error)
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
        do throws(RegistryError) { try token.check() } catch { throw ProblemCatalogue.problem(error) }
        return token
    }

    /// Makes a token as a document asks for it.
    ///
    /// - Returns: the document that shows the secret, the only one that ever does.
    package func create(_ body: [UInt8], by caller: Caller) throws(Problem) -> [UInt8] {
        let token = try TokenDesk.token(body, now: now())
        guard caller.governs(token.prefix) else {
            throw ProblemCatalogue.problem(
                .forbidden, "The token \(caller.name) makes tokens for \(caller.prefix) and below only.")
        }
        let secret = TokenText.make()
        do throws(RegistryError) {
            guard let digest = TokenText.digest(secret.exposedText) else { throw .outOfMemory }
            try registry.createToken(token, digest: digest)
        } catch {
            throw ProblemCatalogue.problem(error)
        }
        return TokenDocument.created(token, secret)
    }

    package func revoke(_ name: String, by caller: Caller) throws(Problem) {
        do throws(RegistryError) {
            guard try registry.tokens().contains(where: { $0.name == name && caller.governs($0.prefix) }) else {
                throw .noSuchToken(name)
            }
            try registry.revokeToken(name)
        } catch {
            throw ProblemCatalogue.problem(error)
        }
    }
}

/// Tokens as documents; a secret is in one of them, once.
enum TokenDocument {
    static func list(_ tokens: [Token]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("items")
            writer.array { writer in for token in tokens { write(token, nil, to: &writer) } }
        }
        return writer.finish()
    }

    static func created(_ token: Token, _ secret: Secret) -> [UInt8] {
        var writer = JSONWriter()
        write(token, secret, to: &writer)
        return writer.finish()
    }

    private static func write(_ token: Token, _ secret: Secret?, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", token.name)
            writer.member("prefix", token.prefix)
            writer.key("scopes")
            writer.array { writer in
                for scope in Token.Scope.allCases where token.scopes.contains(scope) { writer.string(scope.rawValue) }
            }
            writer.member("created", Timestamp.text(token.created))
            if let expires = token.expires { writer.member("expires", Timestamp.text(expires)) }
            if let lastUsed = token.lastUsed { writer.member("lastUsed", Timestamp.text(lastUsed)) }
            if let secret { writer.member("token", secret.exposedText) }
        }
    }
}
