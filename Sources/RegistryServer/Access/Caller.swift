package import Registry

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

    /// Whether a bundle is one of those this caller's rights are about.
    package func covers(_ bundle: String) -> Bool {
        Token(name: name, prefix: prefix, scopes: scopes, created: 0).covers(bundle)
    }

    /// The rights over channels, for a change that was `earlier` a matter of another scope than `promote`.
    package func channelRights(earlier: Token.Scope? = nil) -> ChannelRights {
        ChannelRights(canPromote: has(.promote, earlier: earlier), channels: channels)
    }
}
