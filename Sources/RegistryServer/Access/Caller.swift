package import Registry

/// Who asks, and what that allows.
package struct Caller: Equatable, Sendable {
    /// The token's name, for logs and for `publishedBy`.
    package let name: String
    /// The token's number; `nil` without a token of the catalog.
    package let number: Int64?
    package let scopes: Set<Token.Scope>
    /// The bundles it is about, as a prefix of whole labels; empty for all.
    package let prefix: String

    package init(_ token: Token) {
        name = token.name
        number = token.number
        scopes = token.scopes
        prefix = token.prefix
    }

    private init(name: String, scopes: Set<Token.Scope>, prefix: String) {
        self.name = name
        number = nil
        self.scopes = scopes
        self.prefix = prefix
    }

    /// The owner of the server, with every right.
    package static func owner(_ name: String) -> Caller {
        Caller(name: name, scopes: Set(Token.Scope.allCases), prefix: "")
    }

    /// An administrator may do everything within the prefix.
    package func has(_ scope: Token.Scope) -> Bool {
        scopes.contains(scope) || scopes.contains(.admin)
    }

    package func may(_ scope: Token.Scope, _ bundle: String) -> Bool {
        has(scope) && covers(bundle)
    }

    /// Whether a bundle is one of those this caller's rights are about.
    package func covers(_ bundle: String) -> Bool {
        Token(name: name, prefix: prefix, scopes: scopes, created: 0).covers(bundle)
    }
}
