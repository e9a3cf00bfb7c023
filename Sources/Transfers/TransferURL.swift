/// An absolute address on the web: `http` or `https`, a host, no user name. It has one spelling, made by the parser
/// that also connects, so what was judged is what is asked.
package struct TransferURL: Hashable, Sendable, CustomStringConvertible {
    package enum Scheme: String, Sendable {
        case http, https
    }

    package let scheme: Scheme
    /// In lower case; an IPv6 address keeps its brackets.
    package let host: String
    package let port: UInt16
    /// Percent-encoded, with its slash.
    package let path: String
    /// Percent-encoded, without its question mark.
    package let query: String?
    /// The whole of it.
    package let description: String

    init(scheme: Scheme, host: String, port: UInt16, path: String, query: String?, description: String) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.query = query
        self.description = description
    }

    /// Whether credentials meant for one may be sent to the other.
    package func hasSameOrigin(as other: TransferURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// Whether a redirect from here to the other stays with the same server: the same origin, or the same host by https
    /// where both ports are those of their schemes.
    func isAtHome(_ other: TransferURL) -> Bool {
        hasSameOrigin(as: other)
            || host == other.host && (scheme, port) == (.http, 80) && (other.scheme, other.port) == (.https, 443)
    }
}
