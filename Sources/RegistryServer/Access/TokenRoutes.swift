internal import HTTPServer
internal import HTTPWire
internal import JSONText
internal import Logging
internal import Registry

/// The routes by which tokens are made, listed and revoked.
struct TokenRoutes: Sendable {
    /// Who may come here: bearers of a token with the scope, or whoever reaches a listener of the owner's.
    enum Door: Sendable {
        case tokens
        case owner
    }

    let registry: Registry
    let access: Access
    let work: WorkQueue
    var door = Door.tokens
    let now: @Sendable () -> Int64

    /// `GET /v1/tokens`
    func list(_ request: borrowing Request) throws -> Answer {
        let caller = try admin(request)
        return work.answer { [registry] () throws(Problem) in
            do throws(RegistryError) {
                let tokens = try registry.tokens().filter { caller.governs($0.prefix) }
                return .response(TokenDocument.list(tokens))
            } catch {
                throw ProblemCatalogue.problem(error)
            }
        }
    }

    /// `POST /v1/tokens`
    func create(_ request: borrowing Request) throws -> Answer {
        let caller = try admin(request)
        return SmallBody.receive(work) { [self] body throws(Problem) in
            let token = try TokenRequest.token(body, now: now())
            guard caller.governs(token.prefix) else {
                throw ProblemCatalogue.problem(
                    .forbidden, "The token \(caller.name) makes tokens for \(caller.prefix) and below only.")
            }
            let secret = TokenText.make()
            guard let digest = TokenText.digest(secret.exposedText) else {
                throw ProblemCatalogue.problem(RegistryError.outOfMemory)
            }
            do throws(RegistryError) {
                try registry.createToken(token, digest: digest)
                try access.reload()
            } catch {
                throw ProblemCatalogue.problem(error)
            }
            return .response(TokenDocument.created(token, secret))
        }
    }

    /// `DELETE /v1/tokens/{name}`
    func revoke(_ request: borrowing Request, _ name: String) throws -> Answer {
        let caller = try admin(request)
        return SmallBody.receive(work) { [registry, access] _ throws(Problem) in
            do throws(RegistryError) {
                guard try registry.tokens().contains(where: { $0.name == name && caller.governs($0.prefix) }) else {
                    throw RegistryError.noSuchToken(name)
                }
                try registry.revokeToken(name)
                try access.reload()
            } catch {
                throw ProblemCatalogue.problem(error)
            }
            return .response(Response(.noContent))
        }
    }

    private func admin(_ request: borrowing Request) throws -> Caller {
        switch door {
        case .owner: .owner("owner")
        case .tokens: try access.writer(request, .admin)
        }
    }
}

extension Caller {
    /// Whether tokens with that prefix are this caller's to give and take.
    func governs(_ tokenPrefix: String) -> Bool {
        prefix.isEmpty || !tokenPrefix.isEmpty && covers(tokenPrefix)
    }
}

/// What somebody who makes a token says about it.
enum TokenRequest {
    static func token(_ body: [UInt8], now: Int64) throws(Problem) -> Token {
        let object = try RequestDocument(body, members: ["name", "prefix", "scopes", "expires"])
        let words: [String] = try object.require("scopes")
        var scopes: Set<Token.Scope> = []
        for word in words {
            guard let scope = Token.Scope(rawValue: word) else {
                throw ProblemCatalogue.problem(
                    .malformedRequest,
                    "There is no scope \"\(word.prefix(40))\"; there are \(Token.Scope.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            scopes.insert(scope)
        }
        guard !scopes.isEmpty else {
            throw ProblemCatalogue.problem(.malformedRequest, "A token needs at least one scope.")
        }
        var expires: Int64?
        if let text: String = try object.optional("expires") {
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
            name: try object.require("name"), prefix: try object.optional("prefix") ?? "", scopes: scopes,
            created: now, expires: expires)
    }

    /// The seconds of `12h`, `90d` or `8w`.
    static func lifetime(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
        guard text.utf8.count <= 6, let unit = text.last.flatMap({ units[$0] }),
            text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int64(text.dropLast()), count > 0
        else { return nil }
        return count * unit
    }
}

/// Tokens as documents; a secret is in one of them, once.
enum TokenDocument {
    static func list(_ tokens: [Token]) -> Response {
        var writer = JSONWriter()
        writer.object { writer in
            writer.key("items")
            writer.array { writer in for token in tokens { write(token, nil, to: &writer) } }
        }
        return WrittenDocument.response(.ok, writer.finish())
    }

    static func created(_ token: Token, _ secret: Secret) -> Response {
        var writer = JSONWriter()
        write(token, secret, to: &writer)
        return WrittenDocument.response(.created, writer.finish())
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
