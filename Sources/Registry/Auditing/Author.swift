/// The one in whose name something is changed, as the audit keeps it.
///
/// A literal is one of the server's own words, such as `owner` or `retention`, for changes without a token.
package struct Author: Equatable, Sendable, ExpressibleByStringInterpolation {
    /// The token's name, which `publishedBy` and the feed show.
    package let name: String
    /// The token's number; `nil` without a token of the catalog.
    package let token: Int64?
    /// The client's address as the log has it; empty for changes made on this machine.
    package let client: String
    /// The request's identifier, which the log has as well.
    package let request: String
    /// The client's description of itself, already cut short and fit to be shown.
    package let agent: String

    package init(_ name: String, token: Int64? = nil, client: String = "", request: String = "", agent: String = "") {
        self.name = name
        self.token = token
        self.client = client
        self.request = request
        self.agent = agent
    }

    package init(stringLiteral name: String) {
        self.init(name)
    }
}
