internal import HTTPServer
internal import Registry

/// The routes that take a release back, and bring it back.
struct ReleaseRoutes: Sendable {
    let registry: Registry
    let access: Access
    let audit: Audit
    let work: WorkQueue

    private static let longestReason = 500

    /// `DELETE /v1/bundles/{id}/releases/{key}`; the reason stands in the query or in the body.
    func withdraw(_ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey) throws -> Answer {
        var entry = AuditEntry(.withdraw, request, bundle: bundle.text)
        entry.add("release", key.text)
        let caller = try access.writer(request, .withdraw, of: bundle.text, noting: entry)
        let asked = request.query("reason")
        entry.by = caller.name
        return SmallBody.receive(work, audit, entry, access.standing(request, .withdraw, of: bundle.text)) {
            [registry] body, write throws(Problem) in
            let reason = try ReleaseRoutes.reason(asked, body)
            write.add("reason", reason)
            return try ReleaseRoutes.answer { () throws(RegistryError) in
                try registry.withdraw(bundle.text, key.text, reason: reason, by: caller.name)
            }
        }
    }

    /// `POST /v1/bundles/{id}/releases/{key}/restore`
    func restore(_ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey) throws -> Answer {
        var entry = AuditEntry(.restore, request, bundle: bundle.text)
        entry.add("release", key.text)
        let caller = try access.writer(request, .withdraw, of: bundle.text, noting: entry)
        entry.by = caller.name
        return SmallBody.receive(work, audit, entry, access.standing(request, .withdraw, of: bundle.text)) {
            [registry] _, _ throws(Problem) in
            try ReleaseRoutes.answer { () throws(RegistryError) in
                try registry.restore(bundle.text, key.text, by: caller.name)
            }
        }
    }

    private static func reason(_ asked: String?, _ body: [UInt8]) throws(Problem) -> String {
        var reason = asked ?? ""
        if !body.isEmpty {
            let said: String? = try RequestDocument(body, members: ["reason"]).optional("reason")
            reason = said ?? reason
        }
        guard reason.utf8.count <= longestReason,
            reason.unicodeScalars.allSatisfy(isHarmless)
        else {
            throw ProblemCatalogue.problem(
                .malformedRequest, "A reason is one line of \(longestReason) bytes at most, without control characters."
            )
        }
        return reason
    }

    /// Neither ends a line nor changes how what is around it is shown.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        case .format: scalar.value == 0x200C || scalar.value == 0x200D
        default: true
        }
    }

    private static func answer(_ change: () throws(RegistryError) -> Release) throws(Problem) -> Answer {
        do throws(RegistryError) {
            return WrittenDocument.answer(try change())
        } catch {
            throw ProblemCatalogue.problem(error)
        }
    }
}
