/// Why a message, or what it asks for, is refused by the protocol engine itself.
///
/// Each case is one sentence for the client. Routes have refusals that belong to them.
package enum Refusal: Error, Equatable, Sendable {
    /// The bytes are not an HTTP/1.1 message, or not one with a single meaning.
    case malformed(Malformation)
    case requestLineTooLong(limit: Int)
    case fieldTooLong(limit: Int)
    case headTooLong(limit: Int)
    case tooManyFields(limit: Int)
    case unsupportedVersion
    case unsupportedTransferCoding
    case unsupportedExpectation
    case unsupportedMediaType(accepted: String)
    /// - Parameter announced: how much it is, when the request says so.
    case contentTooLarge(limit: Int, announced: Int? = nil)
    case contentTooSlow
    case headTooSlow
    case rangeUnsatisfiable(size: Int)
    case preconditionFailed
    case notAcceptable(available: String)
    case noRoute
    case methodNotAllowed(allowed: String)
    case tooManyConnections
    case draining
    case internalFailure

    package var status: Status {
        switch self {
        case .malformed: .badRequest
        case .requestLineTooLong: .uriTooLong
        case .fieldTooLong, .headTooLong, .tooManyFields: .requestHeaderFieldsTooLarge
        case .unsupportedVersion: .httpVersionNotSupported
        case .unsupportedTransferCoding: .notImplemented
        case .unsupportedExpectation: .expectationFailed
        case .unsupportedMediaType: .unsupportedMediaType
        case .contentTooLarge: .contentTooLarge
        case .contentTooSlow, .headTooSlow: .requestTimeout
        case .rangeUnsatisfiable: .rangeNotSatisfiable
        case .preconditionFailed: .preconditionFailed
        case .notAcceptable: .notAcceptable
        case .noRoute: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .tooManyConnections, .draining: .serviceUnavailable
        case .internalFailure: .internalServerError
        }
    }
}

/// The exact fault of a message.
package enum Malformation: String, Error, Equatable, Sendable, CaseIterable {
    // Lines
    case bareCarriageReturn =
        "A carriage return is not followed by a line feed. A value from a file with Windows lines has one at its end."
    case bareLineFeed = "A line ends with a line feed alone; lines end with CR LF."
    case incomplete = "The client stopped sending before the message was complete."

    // Request line
    case method = "The request does not start with a method, which is one plain word."
    case requestLine = "The request line is not a method, one space, a target, one space and a version."
    case version = "The version is not written in the form HTTP/1.1."
    case target = "The request target holds a character that must be percent-encoded."
    case targetForm = "The request target is neither a path from the root nor an http URL, or the method needs another."
    case targetAuthority = "The request target's authority is not a host with an optional port."
    case percentEncoding = "The request target holds a percent sign without two hexadecimal digits."
    case encodedPath = "The path encodes a separator, a control character or bytes that are not UTF-8."
    case encodedQuery = "The query holds an escape of a control character or of bytes that are not UTF-8."
    case dotSegment = "The path holds a segment that is . or .., which clients resolve before they send."

    // Fields
    case fieldName =
        "A header field's name is empty, holds a character that is not a token, or is not followed by a colon."
    case fieldValue = "A header field's value holds a control character."
    case foldedLine = "A header line starts with white space; folded lines are not supported."
    case missingHost = "There is no Host field, which HTTP/1.1 requires."
    case repeatedField = "A header field that may occur only once occurs twice."
    case host = "The Host field is not a host with an optional port."

    // Framing
    case contentLength = "Content-Length is not one decimal number within bounds."
    case lengthAndCoding = "Content-Length and Transfer-Encoding occur together; only one of them may."
    case codingInOldVersion = "An HTTP/1.0 message has Transfer-Encoding, which that version does not know."
    case transferCoding = "Transfer-Encoding is not a list of plain words that ends in chunked, once."
    case chunkSize = "A chunk's size is not a hexadecimal number within bounds."
    case chunkExtension = "A chunk's extension is malformed or too long."
    case chunkEnd = "A chunk's data is not followed by CR LF."
    case trailer = "A trailer field is malformed, or the trailer fields are too many or too long."
}

/// The status codes this server sends.
package enum Status: Int, Sendable, CaseIterable {
    case ok = 200
    case created = 201
    case accepted = 202
    case noContent = 204
    case partialContent = 206
    case seeOther = 303
    case notModified = 304
    case temporaryRedirect = 307
    case permanentRedirect = 308
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case notAcceptable = 406
    case requestTimeout = 408
    case conflict = 409
    case gone = 410
    case preconditionFailed = 412
    case contentTooLarge = 413
    case uriTooLong = 414
    case unsupportedMediaType = 415
    case rangeNotSatisfiable = 416
    case expectationFailed = 417
    case misdirectedRequest = 421
    case unprocessableContent = 422
    case preconditionRequired = 428
    case tooManyRequests = 429
    case requestHeaderFieldsTooLarge = 431
    case internalServerError = 500
    case notImplemented = 501
    case serviceUnavailable = 503
    case httpVersionNotSupported = 505
    case insufficientStorage = 507

    package var reason: String {
        switch self {
        case .ok: "OK"
        case .created: "Created"
        case .accepted: "Accepted"
        case .noContent: "No Content"
        case .partialContent: "Partial Content"
        case .seeOther: "See Other"
        case .notModified: "Not Modified"
        case .temporaryRedirect: "Temporary Redirect"
        case .permanentRedirect: "Permanent Redirect"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .notAcceptable: "Not Acceptable"
        case .requestTimeout: "Request Timeout"
        case .conflict: "Conflict"
        case .gone: "Gone"
        case .preconditionFailed: "Precondition Failed"
        case .contentTooLarge: "Content Too Large"
        case .uriTooLong: "URI Too Long"
        case .unsupportedMediaType: "Unsupported Media Type"
        case .rangeNotSatisfiable: "Range Not Satisfiable"
        case .expectationFailed: "Expectation Failed"
        case .misdirectedRequest: "Misdirected Request"
        case .unprocessableContent: "Unprocessable Content"
        case .preconditionRequired: "Precondition Required"
        case .tooManyRequests: "Too Many Requests"
        case .requestHeaderFieldsTooLarge: "Request Header Fields Too Large"
        case .internalServerError: "Internal Server Error"
        case .notImplemented: "Not Implemented"
        case .serviceUnavailable: "Service Unavailable"
        case .httpVersionNotSupported: "HTTP Version Not Supported"
        case .insufficientStorage: "Insufficient Storage"
        }
    }

    /// True if an answer with this status carries no content (RFC 9110 §6.4.1).
    package var isBodiless: Bool {
        self == .noContent || self == .notModified
    }
}
