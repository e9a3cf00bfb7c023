internal import HTTPWire
package import RegistryContract
package import WidgetBytes
internal import WidgetDeflate
internal import WidgetFiles
package import WidgetHTTPServer
package import WidgetLogging
package import WidgetRegistry
package import WidgetSurroundings

/// Makes, lists, rotates and revokes tokens, for callers that are already authorised.
package struct TokenDesk: Sendable {
    private let registry: Registry
    private let clock: any Clock
    /// Seconds since 1970.
    var now: Int64 { clock.seconds }

    package init(_ registry: Registry, clock: any Clock = SystemClock()) {
        self.registry = registry
        self.clock = clock
    }

    /// A document with the tokens that `caller` governs.
    package func list(for caller: Caller) throws(Problem) -> [UInt8] {
        let now = clock.seconds
        return PageDocument(try tokens(for: caller).map { TokenDocument($0, now: now) }).bytes
    }

    /// The tokens that `caller` governs.
    func tokens(for caller: Caller) throws(Problem) -> [Token] {
        try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
            try registry.tokens().filter(caller.governs)
        }
    }

    /// The token that a document asks for. Valid in itself; the registry is not asked whether it can have it.
    package static func token(_ body: [UInt8], now: Int64) throws(Problem) -> Token {
        let token = try TokenRequest.token(body, now: now)
        guard !Author.ownNames.contains(token.name.lowercased()) else {
            throw ProblemCatalogue.problem(
                .malformedRequest,
                "\(token.name) is the server's own word in what it notes of who did what; choose another name.")
        }
        guard token.name.utf8.contains(where: { !(0x30...0x39).contains($0) }) || token.name.isEmpty else {
            throw ProblemCatalogue.problem(
                .malformedRequest,
                "\(token.name.prefix(80)) could be taken for the number of a token; add a letter to the name.")
        }
        try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in try token.check() }
        return token
    }

    /// Makes a token as a document asks for it.
    ///
    /// - Parameter author: `caller` as the audit keeps it.
    /// - Returns: the document that shows the secret, the only one that ever does.
    package func create(
        _ body: [UInt8], by caller: Caller, _ author: Author
    ) throws(Problem) -> TokenDocument {
        let token = try TokenDesk.token(body, now: clock.seconds)
        guard caller.governs(prefix: token.prefix) else {
            throw ProblemCatalogue.problem(
                .forbidden, "The token \(caller.name) makes tokens for \(caller.prefix) and below only.")
        }
        guard caller.governs(channels: token.channels) else {
            throw ProblemCatalogue.problem(
                .forbidden,
                "The token \(caller.name) is limited to channels, and makes tokens for those alone: name some of "
                    + "\(caller.channels.joined(separator: ", ")) in channels.")
        }
        let secret = TokenText.make()
        let stored = try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
            guard let digest = TokenText.digest(secret.exposedText) else { throw .outOfMemory }
            return try registry.createToken(token, digest: digest, by: author)
        }
        return TokenDocument(stored, secret: secret.exposedText, now: clock.seconds)
    }

    /// Gives a token another secret: one that the caller governs, or the caller's own.
    ///
    /// - Parameters:
    ///   - prefix: the token's, if several that the caller governs have the name.
    ///   - keep: the seconds for which the present secret works beside the new one; `nil`: it ends at once.
    ///   - shown: the digest of the secret that the caller has shown. One that was replaced does not rotate its own token,
    ///     so that of two rotations at once the other learns of it.
    /// - Returns: the document that shows the secret, the only one that ever does.
    package func rotate(
        _ name: String, prefix: String?, keep: Int64?, by caller: Caller, shown: Digest? = nil, _ author: Author
    ) throws(Problem) -> TokenDocument {
        let secret = TokenText.make()
        let now = clock.seconds
        let rotated = try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
            guard let digest = TokenText.digest(secret.exposedText) else { throw .outOfMemory }
            let all = try registry.tokensByDigest()
            let found = all.filter { _, token in
                guard !token.isFoundByEarlierSecret, token.name == name, (prefix ?? token.prefix) == token.prefix else {
                    return false
                }
                return token.number == caller.number || caller.has(.admin) && caller.governs(token)
            }
            guard let (present, token) = found.first else { throw .noSuchToken(name) }
            guard found.count == 1 else { throw .ambiguousToken(name, prefixes: found.map(\.value.prefix).sorted()) }
            if token.number == caller.number, let shown, shown != present { throw .rotatedToken(name) }
            return try registry.rotateToken(
                token.identity, from: present, to: digest,
                keptUntil: keep.map { now + min($0, RotateOptions.longestKeep) },
                by: author)
        }
        return TokenDocument(rotated, secret: secret.exposedText, now: now)
    }

    /// The remark when a token was revoked and no other has every right.
    package static let lastRemark = RevocationDocument.last

    /// - Parameter prefix: the token's, if several that the caller governs have the name.
    /// - Returns: the token that was revoked, and whether it was the last of the catalog with every right.
    @discardableResult
    package func revoke(
        _ name: String, prefix: String?, by caller: Caller, _ author: Author
    ) throws(Problem) -> (token: TokenName, wasLast: Bool) {
        try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
            let tokens = try registry.tokens()
            let found = tokens.filter { token in
                token.name == name && caller.governs(token) && (prefix ?? token.prefix) == token.prefix
            }
            guard let token = found.first?.identity else { throw .noSuchToken(name) }
            guard found.count == 1 else { throw .ambiguousToken(name, prefixes: found.map(\.prefix)) }
            try registry.revokeToken(token, by: author)
            let administrators = tokens.filter { token in
                token.scopes.contains(.admin) && token.prefix.isEmpty && (token.expires ?? .max) > clock.seconds
            }
            return (token, administrators.map(\.number) == [token.number])
        }
    }
}

extension Caller {
    /// True if the caller may make and revoke a token: one that reaches no further than the caller's.
    func governs(_ token: Token) -> Bool {
        governs(prefix: token.prefix) && governs(channels: token.channels)
    }

    func governs(prefix tokenPrefix: String) -> Bool {
        prefix.isEmpty || !tokenPrefix.isEmpty && covers(tokenPrefix)
    }

    func governs(channels tokenChannels: [String]) -> Bool {
        channels.isEmpty || !tokenChannels.isEmpty && tokenChannels.allSatisfy(channels.contains)
    }
}

/// Reads the document of a request to make a token.
enum TokenRequest {
    static func token(_ body: [UInt8], now: Int64) throws(Problem) -> Token {
        let wanted: TokenRequestDocument = try RequestDocument.read(body)
        var scopes: Set<Token.Scope> = []
        for word in wanted.scopes {
            guard let scope = Token.Scope(rawValue: word) else {
                throw ProblemCatalogue.problem(
                    .malformedRequest,
                    "Unknown scope \"\(word.prefix(40))\"; there are \(Token.Scope.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            scopes.insert(scope)
        }
        guard !scopes.isEmpty else {
            throw ProblemCatalogue.problem(.malformedRequest, "A token needs at least one scope.")
        }
        if let channels = wanted.channels, channels.isEmpty {
            throw ProblemCatalogue.problem(
                .malformedRequest, "channels is empty; name the channels of the token, or leave it out for all.")
        }
        var expires: Int64?
        if let text = wanted.expires {
            guard let time = Timestamp.seconds(text) ?? TimeSpan.seconds(text).map({ now + $0 }) else {
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
            name: wanted.name, prefix: wanted.prefix ?? "", scopes: scopes, channels: wanted.channels ?? [],
            created: now, expires: expires)
    }
}

/// The routes by which tokens are made, listed, rotated and revoked.
struct TokenRoutes: Sendable {
    /// The callers admitted: bearers of a token with the scope, or every caller of a listener of the owner's.
    enum Door: Sendable {
        case tokens
        case owner
    }

    let desk: TokenDesk
    let access: Access
    let audit: Audit
    let work: WorkQueue
    /// Called after a secret was made worthless.
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
        return SmallBody.receive(work, audit, entry, permissionCheck(request)) { [self] body, write throws(Problem) in
            // What cannot be read is refused below, and the entry says no more than that.
            if let wanted = try? TokenRequest.token(body, now: 0) {
                write.add("token", wanted.name)
                write.add("scopes", wanted.scopes.map(\.rawValue).sorted().joined(separator: " "))
                write.add("prefix", wanted.prefix)
                if !wanted.channels.isEmpty { write.add("channels", wanted.channels.joined(separator: " ")) }
            }
            let document = try desk.create(body, by: caller, entry.author)
            if let expires = document.expires { write.add("expires", expires) }
            write.add(LogField("tokenNumber", document.number))
            try reload()
            return .response(WrittenDocument.response(.created, document.bytes))
        }
    }

    /// `POST /v1/tokens/{name}/rotate`; any token may rotate itself.
    func rotate(_ request: borrowing Request, _ name: String) throws -> Answer {
        var entry = AuditEntry(.rotateToken, request)
        entry.add("token", name)
        let wanted = request.parameter(RotateOptions.prefix.name)
        let isOwn: @Sendable (Caller) -> Bool = { caller in
            caller.number != nil && caller.name == name && (wanted ?? caller.prefix) == caller.prefix
        }
        let caller = try admin(request, taking: .rotating, noting: entry, unless: isOwn)
        entry.identify(caller)
        let prefix = try request.query(RotateOptions.prefix)
        let keep = try request.query(RotateOptions.keep)
        let shown = Credential.bearer(Credential(request).text).flatMap(TokenText.digest)
        let author = entry.author
        return SmallBody.receive(work, audit, entry, permissionCheck(request, unless: isOwn)) {
            [self] _, write throws(Problem) in
            let document = try desk.rotate(name, prefix: prefix, keep: keep, by: caller, shown: shown, author)
            write.add(LogField("tokenNumber", document.number))
            if let end = document.earlierSecretEnds { write.add("earlierSecretEnds", end) }
            try reload()
            revoked()
            return .response(WrittenDocument.response(.ok, document.bytes))
        }
    }

    /// `DELETE /v1/tokens/{name}`
    func revoke(_ request: borrowing Request, _ name: String) throws -> Answer {
        let caller = try admin(request, taking: .revoking)
        var entry = AuditEntry(.revokeToken, request, by: caller)
        entry.add("token", name)
        let prefix = try request.query(RevokeOptions.prefix)
        let author = entry.author
        return SmallBody.receive(work, audit, entry, permissionCheck(request)) { [self] _, write throws(Problem) in
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

    private func permissionCheck(
        _ request: borrowing Request, unless needsNoScope: @escaping @Sendable (Caller) -> Bool = { _ in false }
    ) -> PermissionCheck {
        switch door {
        case .owner: { () throws(Problem) in }
        case .tokens: access.permissionCheck(request, .admin, unless: needsNoScope)
        }
    }

    private func admin(
        _ request: borrowing Request, taking query: QueryLaw = .nothing, noting entry: AuditEntry? = nil,
        unless needsNoScope: @Sendable (Caller) -> Bool = { _ in false }
    ) throws -> Caller {
        switch door {
        case .owner:
            try query.check(request)
            return .owner("owner")
        case .tokens:
            return try access.writer(request, .admin, noting: entry, taking: query, unless: needsNoScope)
        }
    }
}

/// The text form of a token: `wdg_`, 256 random bits, and a checksum by which scanners for leaked secrets know it.
package enum TokenText {
    package static let prefix = "wdg_"
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let secretLength = 43
    private static let checksumLength = 6

    /// A new random token.
    package static func make() -> Secret {
        var words = (0..<4).map { _ in RandomBytes.word() }
        var text = Array(prefix.utf8)
        text += digits(&words, count: secretLength)
        return Secret(String(decoding: text + checksum(text), as: UTF8.self))
    }

    /// True if a text is a token as ``make()`` writes them, down to its checksum.
    ///
    /// Never a reason to refuse: an operator's own secret is not.
    package static func isWellFormed(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == prefix.utf8.count + secretLength + checksumLength, text.hasPrefix(prefix) else {
            return false
        }
        return checksum(Array(bytes.dropLast(checksumLength))).elementsEqual(bytes.suffix(checksumLength))
    }

    /// The digest of a token, which is all that is stored.
    package static func digest(_ text: String) -> Digest? {
        Digest.sha256(Array(text.utf8))
    }

    private static func checksum(_ text: [UInt8]) -> [UInt8] {
        var words = [UInt64(Checksum.of(text))]
        return digits(&words, count: checksumLength)
    }

    /// The number that `words` are, in base 62, lowest digit first.
    private static func digits(_ words: inout [UInt64], count: Int) -> [UInt8] {
        (0..<count).map { _ in
            var remainder: UInt64 = 0
            for index in words.indices {
                let (quotient, rest) = UInt64(62).dividingFullWidth((remainder, words[index]))
                words[index] = quotient
                remainder = rest
            }
            return alphabet[Int(remainder)]
        }
    }
}
