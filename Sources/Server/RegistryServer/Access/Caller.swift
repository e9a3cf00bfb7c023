internal import RegistryContract
internal import WidgetBytes
package import WidgetHTTPServer
package import WidgetRegistry

/// A request's sender, with the rights of the token that was shown.
package struct Caller: Equatable, Sendable {
    /// The token's name, for logs and for `publishedBy`.
    package let name: String
    /// The token's number; `nil` without a token of the catalog.
    package let number: Int64?
    package let scopes: Set<Token.Scope>
    /// The bundles it is about, as a prefix of whole labels; empty for all.
    package let prefix: String
    /// The channels it moves; empty for all.
    package let channels: [String]
    private let keepsEarlierRights: Bool

    package init(_ token: Token) {
        name = token.name
        number = token.number
        scopes = token.scopes
        prefix = token.prefix
        channels = token.channels
        keepsEarlierRights = token.keepsEarlierRights
    }

    private init(name: String, scopes: Set<Token.Scope>) {
        self.name = name
        number = nil
        self.scopes = scopes
        prefix = ""
        channels = []
        keepsEarlierRights = false
    }

    /// The owner of the server, with every right.
    package static func owner(_ name: String) -> Caller {
        Caller(name: name, scopes: Set(Token.Scope.allCases))
    }

    /// An administrator may do everything within the prefix and the channels.
    ///
    /// - Parameter earlier: the scope that included this one before the two were distinguished, which it still does for
    ///   tokens made then.
    package func has(_ scope: Token.Scope, earlier: Token.Scope? = nil) -> Bool {
        if scopes.contains(scope) || scopes.contains(.admin) { return true }
        guard keepsEarlierRights, let earlier else { return false }
        return scopes.contains(earlier)
    }

    package func may(_ scope: Token.Scope, _ bundle: String) -> Bool {
        has(scope) && covers(bundle)
    }

    /// True if this caller's rights cover the bundle.
    package func covers(_ bundle: String) -> Bool {
        Token(name: name, prefix: prefix, scopes: scopes, created: 0).covers(bundle)
    }

    /// The rights over channels, for a change that was `earlier` a matter of another scope than `promote`.
    package func channelRights(earlier: Token.Scope? = nil) -> ChannelRights {
        ChannelRights(canPromote: has(.promote, earlier: earlier), channels: channels)
    }
}

extension Caller {
    /// Throws the problem that says why not.
    func require(
        _ scope: Token.Scope, earlier: Token.Scope? = nil, of bundle: String?, on channel: String? = nil
    ) throws(Problem) {
        guard has(scope, earlier: earlier) else { throw Access.lacks(scope, self) }
        if let bundle { try require(bundle: bundle) }
        if let channel { try require(channel: channel) }
    }

    /// Throws the problem of a token for other bundles.
    func require(bundle: String) throws(Problem) {
        guard !covers(bundle) else { return }
        throw ProblemCatalogue.problem(
            .forbidden, "The token \(name) is good for \(prefix) and what continues it after a dot, not for \(bundle).")
    }

    /// Throws the problem of a token that is limited to other channels.
    func require(channel: String) throws(Problem) {
        try rethrowing(as: ProblemCatalogue.problem) { () throws(RegistryError) in
            try channelRights().require(channel, of: name)
        }
    }
}

extension Caller {
    /// The problem by which a write is refused. It names no bundle that the caller has no rights to.
    func problem(_ error: RegistryError) -> Problem {
        if case .noSuchBundle(let identifier, let spelling?) = error, !covers(spelling) {
            return ProblemCatalogue.problem(RegistryError.noSuchBundle(identifier, spelling: nil))
        }
        if case .identifierCaseConflict(let existing, let offered) = error, !covers(existing) {
            return ProblemCatalogue.problem(
                .identifierCaseConflict,
                "\(offered) differs from a published identifier in case alone. Publish it under another name.")
        }
        if case .promotionNeeded(.takeover(let shorter?), let author, let bundle, let channel) = error, !covers(shorter)
        {
            return ProblemCatalogue.problem(
                RegistryError.promotionNeeded(.takeover(of: nil), by: author, bundle: bundle, channel: channel))
        }
        return ProblemCatalogue.problem(error)
    }
}

/// Decides which bundles a request may read. Every reading route calls it before it looks anything up.
package protocol ReadAccess: Sendable {
    /// The reader that sends the request; throws the problem that refuses it.
    ///
    /// It is called on an event loop, so it must not block.
    func reader(_ request: borrowing Request) throws(Problem) -> Reader
}

/// A permission to read, and the bundles that it makes visible.
package struct Reader: Sendable {
    /// The bundles this reader sees; `nil` for all of them, as on an open registry.
    private let visibility: (@Sendable (String) -> Bool)?
    /// The whole labels that all identifiers which this reader sees are, or begin with before a dot; empty: any.
    let territory: String

    private init(_ visibility: (@Sendable (String) -> Bool)?, territory: String = "") {
        self.visibility = visibility
        self.territory = territory
    }

    /// The reader of an open registry.
    package static let anyone = Reader(nil)

    /// A reader with restricted sight: no answer made for it may reach another.
    ///
    /// - Parameter territory: the whole labels that the identifiers of all that this reader sees are or begin with.
    package init(within territory: String = "", seeing visibility: @escaping @Sendable (String) -> Bool) {
        self.init(visibility, territory: territory)
    }

    /// A reader that sees nothing, for which no widget is looked up.
    package static let blind = Reader({ _ in false }, territory: " ")

    /// True if answers to this reader are the same for all, and may be cached and shared.
    package var isAnyone: Bool { visibility == nil }

    package func sees(_ bundleIdentifier: String) -> Bool {
        visibility?(bundleIdentifier) ?? true
    }

    /// True if a widget's identifier can lead to anything that this reader sees. Otherwise nothing is looked up, so that
    /// the time of the answer does not reveal hidden bundles. Case is ignored, for help with the spelling.
    func maySee(widget identifier: String) -> Bool {
        territory.isEmpty || identifier.lowercased().utf8.starts(with: territory.lowercased().utf8)
    }

    /// The caching of an answer that is made for this reader.
    func caching(_ caching: Document.Caching) -> Document.Caching { isAnyone ? caching : .privately }
}

/// Reading is open to every client.
package struct OpenReading: ReadAccess {
    package init() {}

    package func reader(_ request: borrowing Request) -> Reader { .anyone }
}
