internal import HTTPWire
internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetRegistry

/// The routes by which hosts report outcomes, and by which publishers read the counts.
struct OutcomeRoutes: Sendable {
    let desk: OutcomeDesk
    let access: Access
    let work: WorkQueue

    /// The route that is logged without its client.
    static let reporting = "/v1/widgets/{widgetIdentifier}/outcomes"

    func add(to routes: inout Routes) {
        routes.on(.post, OutcomeRoutes.reporting, take)
        routes.get("/v1/bundles/{id}/releases/{key}/outcomes", counts)
    }

    /// `POST /v1/widgets/{id}/outcomes`
    ///
    /// Answered before anything is looked up, and the same for every widget: strangers learn nothing by it.
    func take(_ request: borrowing Request, _ widget: WidgetIdentifier) throws -> Answer {
        let prefix: String
        switch desk.accepts {
        case .off: return .refused(.noRoute)
        case .open: prefix = ""
        case .token:
            // The reason of a refusal would tell strangers that outcomes are taken here.
            guard let caller = try? access.caller(request), caller.has(.read) else { return .refused(.noRoute) }
            prefix = caller.prefix
        }
        let client = request.client
        return .readBody(
            BodyReceipt(
                limit: OutcomeReportsDocument.byteLimit,
                explain: { [desk] refusal in
                    guard case .contentTooLarge = refusal else { return .refused(refusal) }
                    desk.leaveUnread()
                    return OutcomeRoutes.taken
                },
                sink: CollectedBody { [desk] body in
                    desk.take(body, of: widget, from: client, prefix: prefix)
                    return OutcomeRoutes.taken
                }))
    }

    private static let taken = Answer.response(
        Response(
            .accepted, fields: FieldBlock(["Cache-Control": "no-store", "Access-Control-Allow-Origin": "*"])))

    /// `GET /v1/bundles/{id}/releases/{key}/outcomes`
    func counts(_ request: borrowing Request, _ bundle: BundleIdentifier, _ key: ReleaseKey) throws -> Answer {
        let caller = try access.spectator(request)
        if !caller.covers(bundle.text), try !access.reader(request).sees(bundle.text) {
            throw ProblemCatalogue.problem(RegistryError.noSuchBundle(bundle.text, spelling: nil))
        }
        try caller.require(bundle: bundle.text)
        try QueryLaw.anything.check(request)
        return work.answer { [desk] () throws(Problem) in
            let outcomes = try rethrowing(as: caller.problem) { () throws(RegistryError) in
                try desk.registry.outcomes(bundle.text, key.text)
            }
            let document = OutcomeCountsDocument(outcomes, accepts: desk.accepts)
            return .resource(Document.resource("application/json", document.bytes, .privately))
        }
    }
}

extension Access {
    /// The bearer of a token with any scope, or the person who has signed in at this registry's pages.
    func spectator(_ request: borrowing Request) throws(Problem) -> Caller {
        if request.value(.authorization) == nil, PageOrigin.admitsSession(request), let person = person(request) {
            return person.caller
        }
        return try caller(request)
    }
}

extension OutcomeCountsDocument {
    init(_ outcomes: ReleaseOutcomes, accepts: OutcomeAcceptance) {
        self.init()
        bundleIdentifier = outcomes.release.bundleIdentifier
        release = outcomes.release.key
        self.accepts = accepts.rawValue
        channels = outcomes.release.channels
        gone = outcomes.release.withdrawal != nil ? "withdrawn" : outcomes.release.expiry != nil ? "expired" : nil
        for count in outcomes.counts {
            let day = String(Timestamp.text(count.day * 86_400).prefix(10))
            if days.last?.day != day || days.last?.channel != count.channel {
                days.append(Day(channel: count.channel, day: day))
            }
            days[days.count - 1].add(count)
        }
    }
}

extension OutcomeCountsDocument.Day {
    fileprivate mutating func add(_ one: OutcomeCount) {
        let count = Int(clamping: one.count)
        switch one.outcome {
        case .installed: installed = installed.adding(count) ?? .max
        case .started: started = started.adding(count) ?? .max
        case .confirmed: confirmed = confirmed.adding(count) ?? .max
        case .notInstalled, .rejected, .wentBack:
            failed = failed.adding(count) ?? .max
            failures.append(
                OutcomeCountsDocument.Failure(
                    outcome: one.outcome.rawValue, reason: one.reason?.rawValue ?? OutcomeReason.other.rawValue,
                    count: count))
        }
    }
}
