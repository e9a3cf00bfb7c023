package enum TransferMethod: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
    case patch = "PATCH"

    /// Whether asking twice does what asking once does (RFC 9110 §9.2.2).
    var isIdempotent: Bool { self != .post && self != .patch }
}

/// One thing to ask of a server.
package struct TransferRequest: Sendable {
    package var method: TransferMethod
    package var url: TransferURL
    /// Fields besides those that follow from the rest. A field that cannot be sent as it is, is refused.
    package var fields: [TransferField]
    package var body: RequestBody?
    /// A bearer token for the origin of `url`; it is not sent to any other.
    package var token: String?
    /// Whether the body waits until the server has said that it wants it.
    package var expectsContinue = false
    /// Whether a compressed answer is welcome; it is delivered expanded.
    package var acceptsCompression = true
    /// Whether the same request may be sent again: after a lost answer, and when a server says that it is busy. A request
    /// that is not repeatable is sent once. Follows from the method unless it is set.
    package var isRepeatable: Bool {
        get { promisedRepeatable ?? method.isIdempotent }
        set { promisedRepeatable = newValue }
    }
    private var promisedRepeatable: Bool?
    package var limits = TransferLimits()
    package var retries = RetryPolicy()
    /// Whether redirects may lead to another origin than that of `url`; see ``TransferURL/isAtHome(_:)``.
    package var followsElsewhere = true
    /// Who has to agree to each address before it is connected to; `nil`: nobody. With a policy, no proxy is used,
    /// because a proxy looks names up itself.
    package var policy: (any TransferPolicy)?
    /// Told how much of the body has been sent, on the transfer thread.
    package var uploadProgress: (@Sendable (TransferProgress) -> Void)?

    package init(
        _ method: TransferMethod = .get, _ url: TransferURL, fields: [TransferField] = [], body: RequestBody? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
    }
}

/// A header field.
package struct TransferField: Equatable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// How far the sending or receiving of a body is.
package struct TransferProgress: Equatable, Sendable {
    package var done: Int
    /// `nil` while nobody knows.
    package var total: Int?

    package init(done: Int, total: Int?) {
        self.done = done
        self.total = total
    }
}
