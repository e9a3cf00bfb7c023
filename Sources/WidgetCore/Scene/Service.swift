/// What a widget can ask a server, or what answers it brings along.
package struct Service: Sendable {
    package var name: String
    package var actions: [String: ServiceAction]
    /// Answers come from the description itself.
    package var isScripted: Bool
    /// How requests say who asks; those that need to say it are not sent without.
    package var authorization: Authorization?
    /// Whether asking for what the service does not have is a failure that statuses hear of.
    package var failsUnknown = false
    package var place: Place?

    /// A setting of the widget that goes into a field of the request.
    package struct Authorization: Equatable, Sendable {
        package var setting: String
        package var header: String
        package var scheme: String

        package init(setting: String, header: String, scheme: String) {
            self.setting = setting
            self.header = header
            self.scheme = scheme
        }
    }

    package init(_ name: String, actions: [String: ServiceAction] = [:], isScripted: Bool = false, place: Place? = nil)
    {
        self.name = name
        self.actions = actions
        self.isScripted = isScripted
        self.place = place
    }
}

package struct ServiceAction: Sendable {
    package enum ClearPolicy: String, Sendable { case none, before, after }

    /// What becomes of a request when no server can be reached.
    package enum Offline: String, Sendable {
        /// It fails.
        case fail
        /// It is as good as answered, if there are records of its kind.
        case keep
        /// It is sent again, after a while that grows.
        case retry
    }

    package struct Result: Equatable, Sendable {
        package var entity: String
        package var isArray: Bool

        package init(entity: String, isArray: Bool) {
            self.entity = entity
            self.isArray = isArray
        }
    }

    package var name: String
    package var method = "GET"
    /// Absolute, or a path that has been put behind the base already.
    package var url: Template
    package var headers: [(name: String, value: String)] = []
    package var parameters: StructuredTemplate
    package var hasParameters = false
    package var resultKeyPath: [String] = []
    package var errorKeyPath: [String] = ["error"]
    package var result: Result?
    package var clearPolicy = ClearPolicy.none
    package var nextAction: String?
    /// Properties that every stored record gets.
    package var sets: [(name: String, value: Value)] = []
    package var isUpload = false
    /// Names of parts, and where the argument has them.
    package var multipart: [(name: String, keyPath: String)] = []
    package var needsAuthorization = false
    /// Whether the server recognises a repeated request by a key.
    package var isKeyed = false
    package var offline = Offline.fail
    /// For how many seconds an answer is good for the same request.
    package var cacheTime = 0.0
    /// Properties of the record that is shown until the answer is there, with places for what is sent.
    package var optimistic: [(name: String, value: Template)] = []
    /// The answer that was written beforehand.
    package var response: Value? {
        didSet { answer = response.map(StructuredTemplate.init) }
    }
    /// The same, ready to be filled in.
    private(set) var answer: StructuredTemplate?
    package var delay = 0.0
    package var place: Place?

    package init(_ name: String, url: Template, parameters: StructuredTemplate, place: Place? = nil) {
        self.name = name
        self.url = url
        self.parameters = parameters
        self.place = place
    }
}

/// A request, ready to be sent.
package struct Request: Equatable, Sendable {
    package struct Part: Equatable, Sendable {
        package var name: String
        package var bytes: [UInt8]
        package var contentType: String?
        package var fileName: String?

        package init(name: String, bytes: [UInt8], contentType: String? = nil, fileName: String? = nil) {
            self.name = name
            self.bytes = bytes
            self.contentType = contentType
            self.fileName = fileName
        }
    }

    package var method: String
    package var url: String
    package var headers: [Header]
    package var body: [UInt8]
    package var parts: [Part]
    /// Whether a key goes with it, the same each time it is sent, by which the server recognises a repetition.
    package var isKeyed = false

    /// The field that carries such a key.
    package static let keyField = "Idempotency-Key"

    /// Whether it may be sent again when its answer was lost: asking twice does what asking once does (RFC 9110 §9.2.2),
    /// or the server recognises the second time.
    package var isRepeatable: Bool {
        isKeyed || !["POST", "PATCH"].contains(method)
            || headers.contains { $0.name.lowercased() == Request.keyField.lowercased() }
    }

    package init(method: String, url: String, headers: [Header], body: [UInt8], parts: [Part]) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.parts = parts
    }

    package struct Header: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}
