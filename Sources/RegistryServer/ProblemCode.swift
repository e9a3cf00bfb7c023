package import HTTPWire

/// Every kind of failure a client can be told of. A code is stable: it may be added, never reused.
package enum ProblemCode: String, CaseIterable, Sendable {
    case malformedRequest = "malformed-request"
    case headerTooLarge = "header-too-large"
    case uriTooLong = "uri-too-long"
    case timeout
    case unsupportedTransferCoding = "unsupported-transfer-coding"
    case unsupportedVersion = "unsupported-version"
    case unsupportedExpectation = "unsupported-expectation"
    case unsupportedMediaType = "unsupported-media-type"
    case tooLarge = "too-large"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case notAcceptable = "not-acceptable"
    case preconditionFailed = "precondition-failed"
    case rangeUnsatisfiable = "range-unsatisfiable"
    case overloaded
    case draining
    case notReady = "not-ready"
    case `internal`

    package var status: Status {
        switch self {
        case .malformedRequest: .badRequest
        case .headerTooLarge: .requestHeaderFieldsTooLarge
        case .uriTooLong: .uriTooLong
        case .timeout: .requestTimeout
        case .unsupportedTransferCoding: .notImplemented
        case .unsupportedVersion: .httpVersionNotSupported
        case .unsupportedExpectation: .expectationFailed
        case .unsupportedMediaType: .unsupportedMediaType
        case .tooLarge: .contentTooLarge
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .notAcceptable: .notAcceptable
        case .preconditionFailed: .preconditionFailed
        case .rangeUnsatisfiable: .rangeNotSatisfiable
        case .overloaded, .draining, .notReady: .serviceUnavailable
        case .internal: .internalServerError
        }
    }

    package var title: String {
        switch self {
        case .malformedRequest: "The request is malformed"
        case .headerTooLarge: "The request's header is too large"
        case .uriTooLong: "The request line is too long"
        case .timeout: "The request took too long to arrive"
        case .unsupportedTransferCoding: "The transfer coding is not supported"
        case .unsupportedVersion: "The HTTP version is not supported"
        case .unsupportedExpectation: "The expectation cannot be met"
        case .unsupportedMediaType: "The content's type is not supported"
        case .tooLarge: "The content is too large"
        case .notFound: "There is nothing here"
        case .methodNotAllowed: "The method is not allowed here"
        case .notAcceptable: "Nothing here is of an acceptable type"
        case .preconditionFailed: "A precondition failed"
        case .rangeUnsatisfiable: "The range lies outside the content"
        case .overloaded: "The server has no room for another connection"
        case .draining: "The server is shutting down"
        case .notReady: "The server is not ready"
        case .internal: "Something went wrong on the server"
        }
    }

    /// What the problem means and what to do about it, for the page that explains it.
    package var explanation: String {
        switch self {
        case .malformedRequest:
            "The bytes received are not an HTTP/1.1 request with exactly one meaning. The detail names the rule that "
                + "was broken. Nothing behind the broken request was read, and the connection was closed. Check what "
                + "builds the request, and any proxy on the way."
        case .headerTooLarge:
            "A header field, all of them together, or their number is over the server's limit, which the detail "
                + "names. Large cookies and long tokens are the usual causes. The limits are listed at "
                + "/.well-known/widget-registry."
        case .uriTooLong:
            "The request line is over the server's limit. Move what makes it long into a body, or shorten it."
        case .timeout:
            "The head of a request, or its body, arrived more slowly than the server waits for. Try again on a better "
                + "connection; nothing of the request was used."
        case .unsupportedTransferCoding:
            "Of the transfer codings only chunked is understood. Send the body plainly or in chunks."
        case .unsupportedVersion:
            "This server speaks HTTP/1.1 and HTTP/1.0. Put a proxy in front of it for other versions."
        case .unsupportedExpectation:
            "Of the expectations only 100-continue is understood. Leave the Expect field out."
        case .unsupportedMediaType:
            "The content is of a type, or in a coding, that this route does not take. The detail says what it takes."
        case .tooLarge:
            "The content is larger than this route takes. The detail names the limit, and so does "
                + "/.well-known/widget-registry. What had been sent was not used."
        case .notFound:
            "No route leads to this path. Paths are case-sensitive and take no trailing slash."
        case .methodNotAllowed:
            "The path is right, the method is not. The Allow field of the answer lists the methods that are."
        case .notAcceptable:
            "The Accept field rules out the only type there is, which the detail names. Leave the field out, or add "
                + "that type or */* to it."
        case .preconditionFailed:
            "A condition of the request, such as If-Match, does not hold for what is there now. Fetch it again, and "
                + "repeat the request with the new entity tag if it still makes sense."
        case .rangeUnsatisfiable:
            "The range starts behind the end of the content. The Content-Range field of the answer tells its size."
        case .overloaded:
            "As many connections are open as the server allows, in all or from this address. Close some, or try again "
                + "after the seconds that Retry-After names."
        case .draining:
            "The server has been told to stop and takes no new work. Another one is probably taking over: try again "
                + "after the seconds that Retry-After names."
        case .notReady:
            "One of the checks that the answer lists does not pass. Operators: the same checks are in the log."
        case .internal:
            "The server failed in a way it should not have. The log has the details under the identifier that the "
                + "answer's instance member repeats. Report it together with that identifier."
        }
    }
}
