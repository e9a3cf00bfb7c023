internal import Bytes
internal import HTTPServer
internal import HTTPWire
internal import Logging
internal import Registry
internal import RegistryContract

/// The routes by which tokens are made, listed and revoked.
struct TokenRoutes: Sendable {
    /// Who may come here: bearers of a token with the scope, or whoever reaches a listener of the owner's.
    enum Door: Sendable {
        case tokens
        case owner
    }

    let desk: TokenDesk
    let access: Access
    let audit: Audit
    let work: WorkQueue
    /// Told when a token was revoked, after it was.
    let revoked: @Sendable () -> Void
    var door = Door.tokens

    /// `GET /v1/tokens`
    func list(_ request: borrowing Request) throws -> Answer {
        let caller = try admin(request, taking: .anything)
        return work.answer { [desk] () throws(Problem) in
            .response(WrittenDocument.response(.ok, try desk.list(for: caller)))
        }
    }

    /// `POST /v1/tokens`
    func create(_ request: borrowing Request) throws -> Answer {
        let caller = try admin(request)
        let entry = AuditEntry(.createToken, request, by: caller)
        return SmallBody.receive(work, audit, entry, standing(request)) { [self] body, write throws(Problem) in
            // What cannot be read is refused below, and the entry says no more than that.
            if let wanted = try? TokenRequest.token(body, now: 0) {
                write.add("token", wanted.name)
                write.add("scopes", wanted.scopes.map(\.rawValue).sorted().joined(separator: " "))
                write.add("prefix", wanted.prefix)
                if !wanted.channels.isEmpty { write.add("channels", wanted.channels.joined(separator: " ")) }
            }
            let document = try desk.create(body, by: caller, entry.author)
            write.add(LogField("tokenNumber", document.number))
            try reload()
            return .response(WrittenDocument.response(.created, document.bytes))
        }
    }

    /// `DELETE /v1/tokens/{name}`
    func revoke(_ request: borrowing Request, _ name: String) throws -> Answer {
        let caller = try admin(request, taking: .revoking)
        var entry = AuditEntry(.revokeToken, request, by: caller)
        entry.add("token", name)
        let prefix = try request.query(RevokeOptions.prefix)
        let author = entry.author
        return SmallBody.receive(work, audit, entry, standing(request)) { [self] _, write throws(Problem) in
            let (token, isLast) = try desk.revoke(name, prefix: prefix, by: caller, author)
            let wasLast = isLast && !access.hasTokenOfSettings
            write.add(LogField("tokenNumber", Int(token.number)))
            try reload()
            revoked()
            guard wasLast else { return .response(Response(.noContent)) }
            return .response(
                WrittenDocument.response(.ok, RevocationDocument(name, remark: RevocationDocument.last).bytes))
        }
    }

    private func reload() throws(Problem) {
        try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in try access.reload() }
    }

    private func standing(_ request: borrowing Request) -> Standing {
        switch door {
        case .owner: { () throws(Problem) in }
        case .tokens: access.standing(request, .admin)
        }
    }

    private func admin(_ request: borrowing Request, taking query: QueryLaw = .nothing) throws -> Caller {
        switch door {
        case .owner:
            try query.check(request)
            return .owner("owner")
        case .tokens: return try access.writer(request, .admin, taking: query)
        }
    }
}
