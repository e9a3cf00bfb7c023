internal import HTTPWire
internal import RegistryContract
internal import WidgetAddresses
internal import WidgetBytes
package import WidgetHTTPServer
package import WidgetLogging
package import WidgetRegistry
package import WidgetSurroundings

/// Decides who a request comes from and what that allows (bearer tokens, RFC 6750).
///
/// Tokens are held in memory by their digests, so that a request can be judged before a byte of its body is read,
/// and without touching the disk.
package final class Access: Sendable {
    private let registry: Registry
    private let policy: @Sendable () -> AccessPolicy
    /// Called for every read, so it has to be cheap.
    private let isReadingClosed: @Sendable () -> Bool
    private let clock: any Clock
    private let tokens = Guarded(KnownTokens())
    private let reloading = Guarded(())
    /// Notes when a token was used.
    private let work: WorkQueue
    private let audit: Audit
    /// The browsers that have signed in.
    let sessions: Sessions
    private let failures: RateLimiter
    private let writes: RateLimiter

    package init(
        registry: Registry, in world: World = .machine, closesReads: @escaping @Sendable () -> Bool,
        audit: Audit = Audit(), policy: @escaping @Sendable () -> AccessPolicy
    ) throws(RegistryError) {
        self.audit = audit
        self.isReadingClosed = closesReads
        self.registry = registry
        self.policy = policy
        clock = world.clock
        work = WorkQueue("widgetd.access", width: 1, in: world)
        sessions = Sessions(registry, clock: world.clock)
        failures = RateLimiter(clock: world.clock)
        writes = RateLimiter(clock: world.clock)
        try reload()
    }

    /// Reads tokens and sessions again, after they were changed.
    ///
    /// One at a time: of two that overlap, the one that read first could otherwise write last, and a token just made
    /// would be unknown, or one just revoked would be known again.
    package func reload() throws(RegistryError) {
        try reloading.withLock { _ throws(RegistryError) in
            let all = KnownTokens(byDigest: try registry.tokensByDigest())
            tokens.withLock { $0 = all }
            try sessions.reload()
        }
    }

    /// The tokens of the catalog, in the order of their numbers.
    var knownTokens: [Token] { tokens.withLock { Array($0.byNumber.values) }.sorted { $0.number < $1.number } }

    /// True if reading needs a token.
    package var closesReads: Bool { isReadingClosed() }

    /// True if the settings name a token with every right, beside those of the catalog.
    var hasTokenOfSettings: Bool { policy().adminToken != nil }

    // MARK: Writing

    /// The sender of a request to write about one bundle, one of its channels, or none, at this rate and in these words.
    /// Refusals are noted as well, with what `entry` knows.
    ///
    /// - Parameters:
    ///   - earlier: the scope that allowed it before `scope` did, and still does for tokens made then.
    ///   - query: the parameters that the route has; a route that names none takes none.
    ///   - needsNoScope: true for a caller who may do this without the scope.
    func writer(
        _ request: borrowing Request, _ scope: Token.Scope, of bundle: String? = nil, on channel: String? = nil,
        earlier: Token.Scope? = nil, noting entry: AuditEntry? = nil, taking query: QueryLaw = .nothing,
        unless needsNoScope: @Sendable (Caller) -> Bool = { _ in false }
    ) throws(Problem) -> Caller {
        var entry = entry ?? AuditEntry(Act(scope), request, bundle: bundle)
        do throws(Problem) {
            let caller = try caller(request)
            entry.identify(caller)
            try limitWrites(request.client)
            if !needsNoScope(caller) { try caller.require(scope, earlier: earlier, of: bundle, on: channel) }
            try query.check(request)
            return caller
        } catch {
            if case .expired(let token) = identify(request.value(.authorization) ?? "", policy()) {
                entry.identify(Caller(token))
            }
            audit.record(entry, error)
            throw error
        }
    }

    /// The administrator who wants to read what only administrators may. A refusal is noted.
    func administrator(_ request: borrowing Request) throws(Problem) -> Caller {
        var entry = AuditEntry(.administer, request)
        do throws(Problem) {
            let caller = try caller(request)
            entry.identify(caller)
            guard caller.has(.admin) else { throw Access.lacks(.admin, caller) }
            return caller
        } catch {
            audit.record(entry, error)
            throw error
        }
    }

    /// Asks once more, when a body has arrived, whether its sender may do what was asked for with it: the token may
    /// have been revoked, or have expired, meanwhile.
    func permissionCheck(
        _ request: borrowing Request, _ scope: Token.Scope, of bundle: String? = nil, on channel: String? = nil,
        earlier: Token.Scope? = nil, unless needsNoScope: @escaping @Sendable (Caller) -> Bool = { _ in false }
    ) -> PermissionCheck {
        let credential = Credential(request)
        return { [self] () throws(Problem) in
            let caller = try confirm(credential)
            if !needsNoScope(caller) { try caller.require(scope, earlier: earlier, of: bundle, on: channel) }
        }
    }

    private func limitWrites(_ client: IPAddress) throws(Problem) {
        let policy = policy()
        guard policy.isRateLimited, let wait = writes.count(client, perMinute: policy.writesPerMinute) else {
            return
        }
        throw Access.tooMany("More than \(policy.writesPerMinute) writes a minute come from this address.", wait)
    }

    // MARK: Authentication

    /// The token's bearer; throws a problem for a missing or invalid token.
    func caller(_ request: borrowing Request) throws(Problem) -> Caller {
        guard let text = request.value(.authorization) else {
            throw Access.challenge(
                .unauthorized, "Send a token: Authorization: Bearer wdg_…", parameters: "")
        }
        try requireCurrent()
        let policy = policy()
        let client = request.client
        switch identify(text, policy) {
        case .caller(let caller):
            note(caller)
            return caller
        case .expired(let token):
            try limitFailures(client, policy)
            throw Access.expired(token)
        case .unknown:
            try limitFailures(client, policy)
            throw Access.unknown(text)
        }
    }

    /// The time for which tokens are believed that another process may have revoked.
    private static let believedFor = Duration.seconds(60)

    private func requireCurrent() throws(Problem) {
        guard registry.staleness > Access.believedFor else { return }
        throw ProblemCatalogue.problem(
            .unavailable(CatalogFailure(registry.catalogTrouble ?? "tokens cannot be compared with the catalog")))
    }

    /// Only failures count: a failing client must not lock out the others behind its address.
    private func limitFailures(_ client: IPAddress, _ policy: AccessPolicy) throws(Problem) {
        guard policy.isRateLimited, let wait = failures.count(client, perMinute: policy.failuresPerMinute) else {
            return
        }
        throw Access.tooMany("Too many failed authentications come from this address.", wait)
    }

    /// Notes that a token was used; once a minute this reaches the disk.
    private func note(_ caller: Caller) {
        guard let number = caller.number, registry.isTokenUseDue(number) else { return }
        work.run { [registry] in
            // The note is only for people: a disk that cannot take it is reported elsewhere.
            try? registry.touchToken(number)
        }
    }

    /// The same bearer once more, after work that took its time: the token may have been revoked meanwhile.
    func confirm(_ credential: Credential) throws(Problem) -> Caller {
        try requireCurrent()
        switch identify(credential.text, policy()) {
        case .caller(let caller): return caller
        case .expired(let token): throw Access.expired(token)
        case .unknown: throw Access.unknown(credential.text)
        }
    }

    // MARK: Sessions

    /// Begins a session for a browser that has shown a token; throws a problem for a token that is not valid. Blocks.
    ///
    /// - Returns: the name of the session, and the person.
    func beginSession(_ text: String, _ client: IPAddress) throws(Problem) -> (name: String, caller: Caller) {
        let policy = policy()
        // What is copied from a terminal or a mail often has a blank or the end of a line with it.
        let words = text.split(whereSeparator: \.isWhitespace)
        guard let digest = TokenText.digest(words.count == 1 ? String(words[0]) : text) else {
            throw ProblemCatalogue.problem(RegistryError.outOfMemory)
        }
        switch identify(digest, policy) {
        case .caller(let caller):
            // Counted when the token is known, as other writes are: guesses keep no one from writing.
            try limitWrites(client)
            let name = try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
                try sessions.begin(
                    of: caller.number ?? Person.settings, prefix: caller.prefix,
                    setting: caller.number == nil ? digest : nil)
            }
            note(caller)
            return (name, caller)
        case .expired(let token):
            try limitFailures(client, policy)
            throw Access.expired(token)
        case .unknown:
            try limitFailures(client, policy)
            throw ProblemCatalogue.problem(.unauthorized, Access.unknownToken)
        }
    }

    /// Ends a session, on all servers of the registry. Blocks.
    func endSession(_ name: String) throws(Problem) {
        try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
            try sessions.end(name, setting: settingsToken(policy()))
        }
    }

    /// Runs what waits for the catalog, beside the requests.
    func perform(_ body: @escaping @Sendable () -> Void) { work.run(body) }

    /// The person behind a request, if the browser has signed in and the token is still valid.
    func person(_ request: borrowing Request) -> Person? {
        SessionCookie.session(request).flatMap { person(inSession: $0, from: request.client) }
    }

    /// - Parameter asks: false to leave the catalog alone, so that an unknown name does not hold an event loop up.
    func person(inSession name: String, from client: IPAddress, asks: Bool = true) -> Person? {
        guard registry.staleness <= Access.believedFor else { return nil }
        let session = sessions.find(name, setting: settingsToken(policy()), from: client, asks: asks) { key in
            // A use that is not noted ends a session early at worst.
            work.run { [registry] in try? registry.touchSession(key) }
        }
        return session.flatMap { person($0.token) }
    }

    /// The reason why a browser that names a session is not signed in; `nil` if it names none.
    func sessionEnd(_ request: borrowing Request) -> SessionEnd? {
        guard let name = SessionCookie.session(request) else { return nil }
        return sessions.ending(name, setting: settingsToken(policy()), from: request.client)
    }

    /// The same person once more, after work that took its time.
    ///
    /// - Parameter token: its number.
    func person(_ token: Int64) -> Person? {
        guard case .caller(let caller) = identify(number: token, policy()) else { return nil }
        note(caller)
        return Person(caller: caller, token: token)
    }

    private func settingsToken(_ policy: AccessPolicy) -> Digest? {
        policy.adminToken.flatMap { TokenText.digest($0.exposedText) }
    }

    /// The person who asks for a change by a page, at this rate; throws the problem that refuses it, which is noted.
    func person(
        changing request: borrowing Request, _ scope: Token.Scope, of bundle: String? = nil, on channel: String? = nil,
        earlier: Token.Scope? = nil, noting entry: AuditEntry
    ) throws(Problem) -> Person {
        var entry = entry
        do throws(Problem) {
            try PageOrigin.check(request)
            try requireCurrent()
            guard let person = person(request) else {
                throw ProblemCatalogue.problem(
                    .unauthorized, "Sign in first; the session is over, or its token is not valid.")
            }
            entry.identify(person.caller)
            try limitWrites(request.client)
            try person.caller.require(scope, earlier: earlier, of: bundle, on: channel)
            return person
        } catch {
            audit.record(entry, error)
            throw error
        }
    }

    fileprivate enum Identity {
        case caller(Caller)
        case expired(Token)
        case unknown
    }

    private func identify(_ authorization: String, _ policy: AccessPolicy) -> Identity {
        guard let text = Credential.bearer(authorization), let digest = TokenText.digest(text) else { return .unknown }
        return identify(digest, policy)
    }

    private func identify(_ digest: Digest, _ policy: AccessPolicy) -> Identity {
        if settingsToken(policy) == digest { return .caller(.owner("admin")) }
        return identity(tokens.withLock { $0.byDigest[digest] })
    }

    private func identify(number: Int64, _ policy: AccessPolicy) -> Identity {
        if number == Person.settings { return policy.adminToken == nil ? .unknown : .caller(.owner("admin")) }
        return identity(tokens.withLock { $0.byNumber[number] })
    }

    private func identity(_ token: Token?) -> Identity {
        guard let token else { return .unknown }
        return token.isOver(at: clock.seconds) ? .expired(token) : .caller(Caller(token))
    }

    // MARK: Problems

    private static func challenge(_ code: ProblemCode, _ detail: String, parameters: String) -> Problem {
        var problem = ProblemCatalogue.problem(code, detail)
        problem.fields.add("WWW-Authenticate", "Bearer realm=\"widgetd\"\(parameters)")
        return problem
    }

    private static func expired(_ token: Token) -> Problem {
        challenge(
            .tokenExpired,
            token.isFoundByEarlierSecret
                ? "The token \(token.name) was rotated, and this secret has ended; use the new one."
                : "The token \(token.name) expired; make a new one with widgetd token create.",
            parameters: ", error=\"invalid_token\", error_description=\"expired\"")
    }

    /// - Parameter authorization: what was sent, of which no secret is repeated.
    private static func unknown(_ authorization: String) -> Problem {
        challenge(
            .unauthorized, Credential.mistake(authorization) ?? unknown(place: "; it came in the field Authorization"),
            parameters: ", error=\"invalid_token\"")
    }

    private static let unknownToken = unknown(place: "")

    /// - Parameter place: the place of the token, in words that commands leave out.
    private static func unknown(place: String) -> String {
        "The token is not known here: it was revoked or rotated, is of another registry, or was cut short\(place). Compare it "
            + "with what you were given; a new one is made by this registry's owner with widgetd token create."
    }

    private static func tooMany(_ detail: String, _ wait: Int) -> Problem {
        var problem = ProblemCatalogue.problem(.rateLimited, "\(detail) Try again in \(wait) s.")
        problem.fields.add("Retry-After", wait)
        return problem
    }

    static func lacks(_ scope: Token.Scope, _ caller: Caller) -> Problem {
        ProblemCatalogue.problem(
            .forbidden,
            "The token \(caller.name) does not have the scope \(scope.rawValue), which \(scope.purpose); use one that has."
        )
    }
}

/// Throws if the caller has lost the right to the request meanwhile.
typealias PermissionCheck = @Sendable () throws(Problem) -> Void

extension Access: ReadAccess {
    /// On an open registry the reader of everything; else the bearer of a token with the scope, within the token's prefix.
    package func reader(_ request: borrowing Request) throws(Problem) -> Reader {
        guard closesReads else { return .anyone }
        let caller: Caller
        let present: @Sendable () -> Identity
        if request.value(.authorization) == nil, PageOrigin.admitsSession(request), let person = person(request) {
            caller = person.caller
            present = { [self] in identify(number: person.token, policy()) }
        } else {
            caller = try self.caller(request)
            let digest = Credential.bearer(request.value(.authorization) ?? "").flatMap(TokenText.digest)
            present = { [self] in digest.map { identify($0, policy()) } ?? .unknown }
        }
        guard caller.has(.read) else { return .blind }
        // Asked again each time: a stream of events may outlive its token.
        return Reader(within: caller.prefix) { bundle in
            guard case .caller(let caller) = present() else { return false }
            return caller.may(.read, bundle)
        }
    }
}

extension Token.Scope {
    /// The acts that it allows, as a sentence that begins with the scope.
    fileprivate var purpose: String {
        switch self {
        case .read: "reads where reading is closed"
        case .publish: "publishes"
        case .promote: "moves and deletes channels and restores what was withdrawn"
        case .withdraw: "takes releases back"
        case .admin: "makes, lists, rotates and revokes tokens"
        }
    }
}

/// The credentials of a request, kept while its body arrives.
struct Credential: Sendable {
    /// The value of its Authorization field.
    let text: String

    init(_ request: borrowing Request) {
        text = request.value(.authorization) ?? ""
    }

    /// The token in `Bearer TOKEN`; the scheme in any case.
    static func bearer(_ authorization: String) -> String? {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        let token = parts[1].drop { $0 == " " }
        return token.isEmpty || token.contains(" ") ? nil : String(token)
    }

    /// The fault of a field without a bearer token; `nil` if it has one.
    ///
    /// Of the field it repeats the scheme alone, and only where that cannot be the token.
    static func mistake(_ authorization: String) -> String? {
        if let token = bearer(authorization) {
            guard let first = token.utf8.first, [0x22, 0x27].contains(first) else { return nil }
            return "The token in the field Authorization has quotation marks around it; send it without them."
        }
        let remedy = "send Authorization: Bearer wdg_… (with curl: -H \"Authorization: Bearer $TOKEN\")."
        let parts = authorization.split(separator: " ", omittingEmptySubsequences: true)
        guard let scheme = parts.first else { return "The field Authorization is empty; \(remedy)" }
        if scheme.lowercased() == "bearer" {
            return parts.count == 1
                ? "The field Authorization has the scheme Bearer and no token, perhaps of an empty variable; \(remedy)"
                : "The field Authorization has more than one word after Bearer; \(remedy)"
        }
        guard parts.count > 1, scheme.utf8.count <= 16, scheme.utf8.allSatisfy(\.isLetterOrDigit) else {
            return "The field Authorization has no scheme before the token; \(remedy)"
        }
        let origin = scheme.lowercased() == "basic" ? ", as curl -u and addresses with a user write it" : ""
        return "The field Authorization has the scheme \(scheme)\(origin); \(remedy)"
    }
}

/// The operator's settings of access; read anew for every request, so that a reload shows.
package struct AccessPolicy: Equatable, Sendable {
    /// A token with every right that is not in the catalog.
    package var adminToken: Secret?
    package var isRateLimited = true
    package var writesPerMinute = 600
    package var failuresPerMinute = 60

    package init() {}
}

/// A person who has signed in, with the rights that the token has now.
struct Person: Sendable {
    let caller: Caller
    /// The number of the token.
    let token: Int64

    /// In the place of a number, that of the token of the settings.
    static let settings: Int64 = 0
}

/// The tokens of the catalog.
private struct KnownTokens: Sendable {
    var byDigest: [Digest: Token] = [:]
    var byNumber: [Int64: Token] = [:]

    init() {}

    init(byDigest: [Digest: Token]) {
        self.byDigest = byDigest
        // A session is of the token, and ends with no secret of it.
        let present = byDigest.values.filter { !$0.isFoundByEarlierSecret }
        byNumber = Dictionary(present.map { ($0.number, $0) }) { first, _ in first }
    }
}
