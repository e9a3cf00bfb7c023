internal import HTTPWire
package import RegistryContract
internal import WidgetAddresses
internal import WidgetBundles
internal import WidgetBytes
package import WidgetHTTPServer
package import WidgetLogging
package import WidgetRegistry
package import WidgetSurroundings

/// Notes every write, refused ones as well, with a line of the log each, independent of the log of requests, and a
/// count. Accepted acts are in the catalog too, as `AuditRecord`s.
package final class Audit: Sendable {
    private struct Counts {
        var writes: [Write: UInt64] = [:]
        var stripped: [StripRule: UInt64] = [:]
    }

    private struct Write: Hashable {
        var action: String
        var result: String
    }

    private let logger: Logger?
    private let isLogged: @Sendable () -> Bool
    private let counts = Guarded(Counts())

    /// - Parameters:
    ///   - logger: where lines go; without one, writes are only counted.
    ///   - isLogged: whether lines are wanted; the log's level is about other things.
    package init(_ logger: Logger? = nil, isLogged: @escaping @Sendable () -> Bool = { true }) {
        self.logger = logger
        self.isLogged = isLogged
    }

    package func record(_ entry: AuditEntry, _ result: String) {
        counts.withLock { $0.writes[Write(action: entry.action.rawValue, result: result), default: 0] += 1 }
        guard let logger, isLogged() else { return }
        let author = entry.author
        var fields = [
            LogField("action", entry.action.rawValue), LogField("result", result), LogField("by", author.name),
        ]
        if let token = author.token { fields.append(LogField("byToken", Int(token))) }
        fields += entry.details
        if !author.request.isEmpty { fields.append(LogField("request", author.request)) }
        if !author.client.isEmpty { fields.append(LogField("client", author.client)) }
        if !author.agent.isEmpty { fields.append(LogField("agent", author.agent)) }
        logger.record(.notice, "audit", "", fields)
    }

    func record(_ entry: AuditEntry, _ problem: Problem) {
        record(entry, problem.code)
    }

    /// Counts what was left out of a bundle that was published.
    func countStripped(_ report: BundleReport) {
        counts.withLock { counts in
            for file in report.stripped { counts.stripped[file.rule, default: 0] += 1 }
        }
    }

    func write(to text: inout MetricsText) {
        let counts = counts.withLock { $0 }
        text.declare("widgetd_writes_total", "counter", "Writes asked for, by what and to which end.")
        for (write, count) in counts.writes.sorted(by: {
            ($0.key.action, $0.key.result) < ($1.key.action, $1.key.result)
        }) {
            text.sample(
                "widgetd_writes_total", [("action", write.action), ("result", write.result)], String(count))
        }
        text.declare(
            "widgetd_stripped_files_total", "counter", "Files left out of bundles that were published, by rule.")
        for rule in StripRule.allCases {
            text.sample("widgetd_stripped_files_total", [("rule", rule.rawValue)], String(counts.stripped[rule] ?? 0))
        }
    }
}

/// A write under way, noted once: with its outcome, or as abandoned when the last reference is released.
final class PendingWrite: Sendable {
    private let audit: Audit
    private let entry: Guarded<AuditEntry?>

    init(_ audit: Audit, _ entry: AuditEntry) {
        self.audit = audit
        self.entry = Guarded(entry)
    }

    deinit {
        // The engine refused the body, or the client went away.
        record("not-received")
    }

    func add(_ name: String, _ value: String) {
        entry.withLock { $0?.add(name, value) }
    }

    func add(_ field: LogField) {
        entry.withLock { $0?.add(field) }
    }

    /// The author of the write, which turns out to be this act.
    func author(for act: Act) -> Author {
        entry.withLock { entry in
            entry?.action = act
            return entry?.author ?? Author("-")
        }
    }

    func record(_ result: String) {
        guard let entry = entry.withLock({ $0.take() }) else { return }
        audit.record(entry, result)
    }
}

/// The known facts of one write.
package struct AuditEntry: Sendable {
    /// The most characters of a user agent.
    private static let agentLimit = 200

    var action: Act
    private(set) var author: Author
    /// True if the author is known.
    private var isIdentified: Bool
    var details: [LogField] = []

    package init(_ action: Act, by author: Author) {
        self.action = action
        self.author = author
        isIdentified = true
    }

    init(_ action: Act, _ request: borrowing Request, by caller: Caller? = nil, bundle: String? = nil) {
        self.action = action
        author = Author(
            "-", client: request.client.loggedName, request: request.id,
            agent: ShownText.plain(request.value(.userAgent) ?? "", limit: AuditEntry.agentLimit))
        isIdentified = false
        if let caller { identify(caller) }
        if let bundle { add("bundle", bundle) }
    }

    /// Names the one who acts, unless that is known already.
    mutating func identify(_ caller: Caller) {
        guard !isIdentified else { return }
        isIdentified = true
        author = Author(
            Author.name(ofToken: caller.name, number: caller.number), token: caller.number, client: author.client,
            request: author.request, agent: author.agent)
    }

    package mutating func add(_ name: String, _ value: String) {
        add(LogField(name, value))
    }

    package mutating func add(_ field: LogField) {
        details.append(field)
    }
}

extension Act {
    init(_ scope: Token.Scope) {
        switch scope {
        case .publish: self = .publish
        case .promote: self = .promote
        case .withdraw: self = .withdraw
        case .admin, .read: self = .administer
        }
    }
}

/// Reads the audit for administrators, within the caller's prefix.
package struct AuditDesk: Sendable {
    private let registry: Registry
    private let clock: any Clock

    package init(_ registry: Registry, clock: any Clock = SystemClock()) {
        self.registry = registry
        self.clock = clock
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
        if let span = TimeSpan.seconds(text) { return clock.seconds - span }
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
        let root = request.root
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
                    page.items, next: page.next, Reader { caller.covers($0) }, at: root + RegistryPath.audit, query))
        }
    }
}
