package import Files

/// Why an exchange came to nothing: what happened, and with whom.
package struct TransferError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Phase: String, Equatable, Sendable {
        case connecting, handshake, stalled, total
    }

    package enum Limit: String, Equatable, Sendable {
        case body, head, fields, expansion, redirects
    }

    package enum Reason: Equatable, Sendable {
        /// A text that is no address on the web, and why.
        case invalidURL(String)
        /// A header field that would not arrive as it was meant.
        case invalidField(String)
        /// The policy, or the rule about schemes, does not allow this address.
        case addressRefused(String)
        case unknownHost
        case noConnection
        /// The connection ended before the answer did.
        case connectionLost
        case timedOut(Phase)
        /// The body came, and more slowly than so many bytes a second.
        case tooSlow(Int)
        case tls
        /// The file to be sent is shorter than it was said to be.
        case bodyTooShort
        /// Something that is no HTTP, or contradicts itself.
        case malformedAnswer(String)
        case limitReached(Limit, Int)
        /// A server sent the request somewhere it must not go.
        case redirectRefused(to: String)
        /// A server sent the request to another origin, and the request is to stay where it is.
        case redirectedElsewhere(to: String)
        /// What the server has is no longer what was begun to be fetched.
        case changedMeanwhile
        /// The answer has no strong entity tag, and what is fetched is recognised by one.
        case untagged
        case file(FileError)
        case cancelled
        /// Anything else that libcurl reports.
        case failed(code: Int)
    }

    package let reason: Reason
    /// The address asked, without its query.
    package let address: String
    /// libcurl's own words, where it has some.
    package let detail: String
    /// Whether the server certainly has not seen the request.
    package private(set) var isBeforeRequest: Bool

    package init(_ reason: Reason, address: String = "", detail: String = "") {
        self.reason = reason
        self.address = address
        self.detail = detail
        isBeforeRequest = reason.isBeforeRequest
    }

    /// The same, after a server has seen the request and sent it on.
    func afterRedirect() -> TransferError {
        var error = self
        error.isBeforeRequest = false
        return error
    }

    package init(_ reason: Reason, _ url: TransferURL, detail: String = "") {
        self.init(reason, address: url.withoutQuery, detail: detail)
    }

    /// Whether the same request may fare better a moment later.
    package var isTransient: Bool {
        switch reason {
        case .noConnection, .connectionLost, .timedOut(.connecting), .timedOut(.stalled), .unknownHost: true
        default: false
        }
    }
}

extension TransferError.Reason {
    fileprivate var isBeforeRequest: Bool {
        switch self {
        case .invalidURL, .invalidField, .addressRefused, .unknownHost, .noConnection, .tls, .timedOut(.connecting),
            .timedOut(.handshake):
            true
        default: false
        }
    }
}
