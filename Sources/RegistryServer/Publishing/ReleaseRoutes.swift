internal import Bytes
internal import HTTPServer
internal import Registry
internal import RegistryContract

/// The routes that take a release back, and bring it back.
struct ReleaseRoutes: Sendable {
    let registry: Registry
    let access: Access
    let audit: Audit
    let work: WorkQueue

    /// `DELETE /v1/bundles/{id}/releases/{key}`; the reason stands in the query or in the body.
    func withdraw(_ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey) throws -> Answer {
        var entry = AuditEntry(.withdraw, request, bundle: bundle.text)
        entry.add("release", key.text)
        let caller = try access.writer(request, .withdraw, of: bundle.text, noting: entry, taking: .withdrawing)
        entry.identify(caller)
        let author = entry.author
        let asked = request.parameter(WithdrawOptions.reason.name)
        return SmallBody.receive(work, audit, entry, access.standing(request, .withdraw, of: bundle.text)) {
            [registry] body, write throws(Problem) in
            let reason = try ReleaseRoutes.reason(asked, body)
            write.add("reason", reason)
            return try ReleaseRoutes.answer { () throws(RegistryError) in
                try registry.withdraw(
                    bundle.text, key.text, reason: reason, by: author, rights: caller.channelRights())
            }
        }
    }

    /// `POST /v1/bundles/{id}/releases/{key}/restore`; it shows the release again, so it wants the scope that does.
    func restore(_ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey) throws -> Answer {
        var entry = AuditEntry(.restore, request, bundle: bundle.text)
        entry.add("release", key.text)
        let caller = try access.writer(request, .promote, of: bundle.text, earlier: .withdraw, noting: entry)
        entry.identify(caller)
        let author = entry.author
        let standing = access.standing(request, .promote, of: bundle.text, earlier: .withdraw)
        return SmallBody.receive(work, audit, entry, standing) { [registry] _, _ throws(Problem) in
            try ReleaseRoutes.answer { () throws(RegistryError) in
                try registry.restore(bundle.text, key.text, by: author, rights: caller.channelRights())
            }
        }
    }

    private static func reason(_ asked: String?, _ body: [UInt8]) throws(Problem) -> String {
        var reason = asked ?? ""
        if !body.isEmpty { reason = try RequestDocument.read(body, as: WithdrawDocument.self).reason ?? reason }
        return try rethrowing(try WithdrawOptions.reason.value(of: reason), as: ProblemCatalogue.unreadable)
    }

    private static func answer(_ change: () throws(RegistryError) -> Release) throws(Problem) -> Answer {
        WrittenDocument.answer(
            try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in try change() })
    }
}
