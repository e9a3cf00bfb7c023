internal import CWidgetCurl
package import WidgetFiles

/// The reason for which an exchange failed, and the address it was with.
package struct TransferError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Phase: String, Equatable, Sendable {
        case connecting, handshake, stalled, total
    }

    package enum Limit: String, Equatable, Sendable {
        case body, head, fields, expansion, redirects
    }

    package enum Reason: Equatable, Sendable {
        /// A text that is not an address on the web, and why.
        case invalidURL(String)
        /// A header field that cannot be sent unchanged.
        case invalidField(String)
        /// The policy, or the rule about schemes, does not allow this address.
        case addressRefused(String)
        /// A host has granted other addresses.
        case notGranted
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
        /// An answer that is not HTTP, or contradicts itself.
        case malformedAnswer(String)
        case limitReached(Limit, Int)
        /// A server sent the request somewhere it must not go.
        case redirectRefused(to: String)
        /// A server sent the request to another origin, and the request is to stay where it is.
        case redirectedElsewhere(to: String)
        /// The server's representation changed after the download began.
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
    /// libcurl's own message, if it has one.
    package let detail: String
    /// True if the server certainly has not seen the request.
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

    /// True if the same request may succeed a moment later.
    package var isTransient: Bool {
        switch reason {
        case .noConnection, .connectionLost, .timedOut(.connecting), .timedOut(.stalled), .unknownHost: true
        default: false
        }
    }

    package var description: String {
        let subject = address.isEmpty ? "" : " (\(address))"
        return "\(reason)\(detail.isEmpty ? "" : ": \(detail)")\(subject)"
    }
}

extension TransferError.Reason {
    fileprivate var isBeforeRequest: Bool {
        switch self {
        case .invalidURL, .invalidField, .addressRefused, .notGranted, .unknownHost, .noConnection, .tls,
            .timedOut(.connecting),
            .timedOut(.handshake):
            true
        default: false
        }
    }
}

extension TransferError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidURL(let why): "not an address on the web: \(why)"
        case .invalidField(let name): "the header field \(name) cannot be sent"
        case .notGranted: "this address was not granted; `--grant` names those that may be asked"
        case .addressRefused(let target): "connecting to \(target) is not allowed"
        case .unknownHost: "no host has that name"
        case .noConnection: "no server answers there"
        case .connectionLost: "the connection was lost before the answer was complete"
        case .timedOut(.connecting): "no connection stood in time"
        case .timedOut(.handshake): "a connection stood, and the other side did not begin to encrypt in time"
        case .timedOut(.stalled): "nothing moved for too long"
        case .tooSlow(let rate): "the answer came more slowly than \(rate) bytes a second"
        case .timedOut(.total): "it took longer than allowed"
        case .tls: "the server could not prove that it is the one asked for, or encryption failed"
        case .bodyTooShort: "the file to be sent ends too early"
        case .malformedAnswer(let what): "the answer is not proper HTTP: \(what)"
        case .limitReached(.body, let limit): "the answer is larger than \(limit) bytes"
        case .limitReached(.head, let limit): "the answer's header fields are larger than \(limit) bytes"
        case .limitReached(.fields, let limit): "the answer has more than \(limit) header fields"
        case .limitReached(.expansion, let limit): "the answer expands to more than \(limit) times its size"
        case .limitReached(.redirects, let limit): "the request was sent elsewhere more than \(limit) times"
        case .redirectRefused(let target): "the server sends the request to \(target), where it must not go"
        case .redirectedElsewhere(let target): "the server sends the request on to \(target), which is another origin"
        case .changedMeanwhile: "what the server has changed while it was fetched"
        case .untagged: "the answer has no strong entity tag, by which what is fetched would be recognised"
        case .file(let error): "\(error)"
        case .cancelled: "it was cancelled"
        case .failed(let code): "libcurl reports error \(code)"
        }
    }
}

/// The meaning of libcurl's numbers.
enum CurlOutcome {
    static func reason(
        _ code: CURLcode, refusedAddress: String?, isConnected: Bool, isHandshaking: Bool, isOverTime: Bool
    ) -> TransferError.Reason {
        if let refusedAddress, code == CURLE_COULDNT_CONNECT || code == CURLE_ABORTED_BY_CALLBACK {
            return .addressRefused(refusedAddress)
        }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return .unknownHost
        case CURLE_COULDNT_CONNECT: return .noConnection
        case CURLE_OPERATION_TIMEDOUT:
            return .timedOut(isConnected || isOverTime ? .total : isHandshaking ? .handshake : .connecting)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR: return .connectionLost
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            return .tls
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            return .malformedAnswer("libcurl cannot read it")
        default: return .failed(code: Int(code.rawValue))
        }
    }
}
