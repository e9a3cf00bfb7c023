package import HTTPServer
internal import Logging
package import Registry
internal import RegistryContract

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
            return PageDocument(
                try registry.tokens().filter { caller.governs($0.prefix) }.map { TokenDocument($0) }
            ).bytes
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
        return TokenDocument(token, secret: secret.exposedText).bytes
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
