internal import Bytes
package import HTTPServer
package import Registry
package import RegistryContract

/// Reads the audit for administrators, each as far as the caller's prefix reaches.
package struct AuditDesk: Sendable {
    private let registry: Registry
    private let now: @Sendable () -> Int64

    package init(_ registry: Registry, now: @escaping @Sendable () -> Int64) {
        self.registry = registry
        self.now = now
    }

    package func page(
        _ wanted: AuditListParameters, for caller: Caller
    ) throws(Problem) -> PageDocument<AuditDocument> {
        var query = AuditQuery(limit: wanted.page.limit)
        query.prefix = caller.prefix
        query.bundle = wanted.bundle
        query.token = wanted.token
        if let since = wanted.since { query.since = try time(since, AuditListParameters.since) }
        if let until = wanted.until { query.until = try time(until, AuditListParameters.until) }
        let page = try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
            if let place = wanted.page.after {
                guard let number = Int64(place) else {
                    throw .invalidValue("cursor", reason: "no page of this list ended there")
                }
                query.before = number
            }
            return try registry.audit(query)
        }
        return PageDocument(page.items.map(AuditDocument.init), next: page.next.map(PageParameters.cursor))
    }

    private func time(_ text: String, _ parameter: QueryParameter<String>) throws(Problem) -> Int64 {
        if let time = Timestamp.seconds(text) { return time }
        if let span = TokenRequest.lifetime(text) { return now() - span }
        throw ProblemCatalogue.unreadable(
            UnreadableParameter(name: "\(parameter.name)", text: text, expectation: parameter.expectation))
    }
}

/// The route by which the audit is read.
struct AuditRoutes: Sendable {
    let desk: AuditDesk
    let access: Access
    let work: WorkQueue
    var door = TokenRoutes.Door.tokens

    func add(to routes: inout Routes) {
        routes.get(RegistryPath.audit, list)
    }

    /// `GET /v1/audit`
    func list(_ request: borrowing Request) throws -> Answer {
        let caller: Caller
        switch door {
        case .owner: caller = .owner("owner")
        case .tokens: caller = try access.administrator(request)
        }
        try QueryLaw.audits.check(request)
        let wanted = try rethrowing(try AuditListParameters(request), as: ProblemCatalogue.unreadable)
        return work.answer { [desk] () throws(Problem) in
            let page = try desk.page(wanted, for: caller)
            // Times as they were asked for: a span means the same to the next part, but for the time between.
            var query: QueryText = []
            AuditListParameters.bundle.add(wanted.bundle, to: &query)
            AuditListParameters.token.add(wanted.token, to: &query)
            AuditListParameters.since.add(wanted.since, to: &query)
            AuditListParameters.until.add(wanted.until, to: &query)
            PageParameters.limit.add(wanted.page.limit, to: &query)
            return .resource(
                Document.page(
                    page.items, next: page.next, Reader { caller.covers($0) }, at: RegistryPath.audit, query))
        }
    }
}
