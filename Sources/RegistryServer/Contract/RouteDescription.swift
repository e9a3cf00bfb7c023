internal import HTTPServer
internal import HTTPWire

/// What can be asked at one route: the contract's description of it.
struct RouteDescription: Sendable {
    /// Who may ask.
    enum Access: Sendable {
        case anyone
        /// Everybody where reading is public, else bearers of a token that sees the bundle.
        case reader
        /// Bearers of a token with this scope.
        case scope(String)
    }

    let method: Method
    /// As the route table has it.
    let template: String
    /// What generated clients call it.
    let name: String
    let summary: String
    let access: Access
    var parameters: [Parameter] = []
    var content: Content?
    var outcomes: [Outcome]
    /// What can go wrong here, besides what can go wrong anywhere.
    var problems: [ProblemCode] = []

    /// As OpenAPI writes it: it does not know that a parameter can be the rest of a path.
    var path: String {
        template.replacing("...}", with: "}")
    }

    /// The names of the variable parts, in their order.
    var pathParameterNames: [String] {
        template.matches(of: /\{(\w+)(?:\.\.\.)?\}/).map { String($0.1) }
    }

    /// Reading a document.
    static func reads(
        _ template: String, _ name: String, _ shape: Shape.Name, _ summary: String, _ parameters: [Parameter] = [],
        access: Access = .reader, headers: [Header] = [], problems: [ProblemCode] = []
    ) -> RouteDescription {
        RouteDescription(
            method: .get, template: template, name: name, summary: summary, access: access,
            parameters: parameters,
            outcomes: [
                Outcome(
                    .ok, summary, [Content("application/json", .shape(shape))],
                    headers: [.entityTag, .cacheControl] + headers),
                .notModified,
            ],
            problems: problems)
    }

    /// Reading bytes that can be read in parts.
    static func sends(
        _ template: String, _ name: String, _ mediaType: String, _ summary: String, _ parameters: [Parameter] = [],
        headers: [Header] = [], problems: [ProblemCode] = []
    ) -> RouteDescription {
        let bytes = [Content(mediaType, nil)]
        let common: [Header] = [.entityTag, .lastModified, .cacheControl, .digest, .disposition] + headers
        return RouteDescription(
            method: .get, template: template, name: name, summary: summary, access: .reader,
            parameters: parameters + [.range, .ifRange],
            outcomes: [
                Outcome(.ok, summary, bytes, headers: common),
                Outcome(.partialContent, "The parts that Range names.", bytes, headers: common + [.contentRange]),
                .notModified,
            ],
            problems: problems + [.rangeUnsatisfiable])
    }

    /// Changing something.
    static func writes(
        _ method: Method, _ template: String, _ name: String, scope: String, _ summary: String,
        _ parameters: [Parameter] = [], takes content: Content? = nil, answers outcomes: [Outcome],
        problems: [ProblemCode]
    ) -> RouteDescription {
        RouteDescription(
            method: method, template: template, name: name, summary: summary, access: .scope(scope),
            parameters: parameters, content: content, outcomes: outcomes,
            problems: problems + [.unauthorized, .tokenExpired, .forbidden, .rateLimited])
    }
}

/// Content of a request or an answer.
struct Content: Sendable {
    let mediaTypes: [String]
    /// `nil`: bytes.
    let schema: Schema?
    var isRequired = true

    init(_ mediaTypes: String..., schema: Schema?, isRequired: Bool = true) {
        self.mediaTypes = mediaTypes
        self.schema = schema
        self.isRequired = isRequired
    }

    init(_ mediaType: String, _ schema: Schema?) {
        self.init(mediaType, schema: schema)
    }
}

/// A good end of a request.
struct Outcome: Sendable {
    let status: Status
    let about: String
    let contents: [Content]
    let headers: [Header]

    init(_ status: Status, _ about: String, _ contents: [Content] = [], headers: [Header] = []) {
        self.status = status
        self.about = about
        self.contents = contents
        self.headers = headers
    }

    static let notModified = Outcome(.notModified, "What the client has is still right.", headers: [.entityTag])
}
