internal import WidgetHost
internal import WidgetTransfers

/// A request of a widget that its grant allows, before it goes to a server. ``WidgetConfiguration/request`` gets each.
public struct WidgetRequest: Sendable {
    /// A header field.
    public struct Field: Sendable, CustomStringConvertible, CustomReflectable {
        /// Its name, in any case.
        public let name: String
        /// Its value.
        public let value: String
        /// True if no answer may bring the value to the bundle.
        public let isSecret: Bool

        /// Makes a field for ``RequestDecision/send(adding:)``.
        ///
        /// - Parameters:
        ///   - name: its name.
        ///   - value: its value, in one line.
        ///   - isSecret: true for a token, a cookie and the like. Answers that repeat a secret of 8 bytes or more are kept from
        ///     the widget; set it to false for values that answers have rightly, such as the name of an account.
        public init(_ name: String, _ value: String, isSecret: Bool = true) {
            self.name = name
            self.value = value
            self.isSecret = isSecret
        }

        /// The field for logs, without a secret value.
        public var description: String { isSecret ? "\(name): …" : "\(name): \(value)" }
        /// The same for debuggers and dumps.
        public var customMirror: Mirror { Mirror(self, children: ["field": description]) }
    }

    /// The identifier of the widget.
    public let widget: String
    /// Such as `GET`.
    public let method: String
    /// The whole address, in the spelling that is asked for.
    public let url: String
    /// The scheme, the server in lower case, and the port if it is not the usual one: `https://api.example.com`.
    public let origin: String
    /// The path of the address, with its escapes.
    public let path: String
    /// The query of the address without its question mark; `nil` without one.
    public let query: String?
    /// The fields that the bundle sets.
    public let fields: [Field]
    /// The body; empty without one.
    public let body: [UInt8]
    /// True if it may be sent again when its answer was lost.
    public let isRepeatable: Bool

    init(_ request: GrantedRequest, of widget: String) {
        self.widget = widget
        method = request.method
        url = request.url.description
        origin = request.url.origin
        (path, query) = (request.url.path, request.url.query)
        fields = request.fields.map { Field($0.name, $0.value) }
        (body, isRepeatable) = (request.body, request.isRepeatable)
    }
}

/// The decision of an app about a request of a widget.
public struct RequestDecision: Sendable, CustomStringConvertible, CustomReflectable {
    let verdict: RequestVerdict

    /// The decision for logs, without the values of fields and without an answer's body.
    public var description: String {
        switch verdict {
        case .send(let added) where added.isEmpty: "send"
        case .send(let added): "send with \(added.map(\.field.name).joined(separator: ", "))"
        case .answer(let status, let body, _): "answer \(status) with \(body.count) bytes"
        case .refuse(let reason): "refuse: \(reason)"
        case .unanswered(let reason): "unanswered: \(reason)"
        }
    }
    /// The same for debuggers and dumps.
    public var customMirror: Mirror { Mirror(self, children: ["decision": description]) }

    /// Sends it as the bundle has made it.
    public static let send = RequestDecision(verdict: .send(adding: []))

    /// Sends it with fields of the app, which take the place of the bundle's fields of their names.
    ///
    /// The bundle does not get to know them: they are in no view, message, record or cache of it, and are not sent to another
    /// origin that a server redirects the request to. The answer is not kept to be asked for on condition.
    ///
    /// - Parameter fields: such as `Authorization` or `Cookie`. Those that follow from the connection, such as `Host`,
    ///   `Content-Length` and `Accept-Encoding`, fail the request.
    public static func send(adding fields: [WidgetRequest.Field]) -> RequestDecision {
        RequestDecision(
            verdict: .send(
                adding: fields.map { AddedField(TransferField($0.name, $0.value), isSecret: $0.isSecret) }))
    }

    /// The app has carried the request out: by its own transport, proxy or trust, or from its own data.
    ///
    /// The grant was compared with the address of the request alone: redirects and private addresses are the app's then.
    ///
    /// - Parameters:
    ///   - status: the status of the answer.
    ///   - body: JSON of 8 MiB at most; anything else is an answer that the widget cannot read.
    ///   - retryAfter: the seconds after which a server with the status 429 or 503 wants to be asked again.
    public static func answer(status: Int = 200, body: [UInt8], retryAfter: Int? = nil) -> RequestDecision {
        RequestDecision(verdict: .answer(status: status, body: body, retryAfter: retryAfter))
    }

    /// The request is not sent.
    ///
    /// - Parameter reason: a sentence that the widget may show to people.
    public static func refuse(_ reason: String) -> RequestDecision { RequestDecision(verdict: .refuse(reason)) }

    /// The app has sent the request by itself, and no answer came: the server may have carried it out. It is asked again only
    /// if it is repeatable.
    ///
    /// - Parameter reason: a sentence that the widget may show to people.
    public static func unanswered(_ reason: String) -> RequestDecision {
        RequestDecision(verdict: .unanswered(reason))
    }
}
