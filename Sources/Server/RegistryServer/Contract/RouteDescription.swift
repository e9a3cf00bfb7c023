internal import HTTPWire
internal import JSONText
internal import RegistryContract
internal import WidgetRegistry

/// A route of the contract.
struct RouteDescription: Sendable {
    /// The callers that are allowed.
    enum Access: Sendable {
        case anyone
        /// Every client on an open registry, else bearers of a token that covers the bundle.
        case reader
        /// Bearers of a token with this scope.
        case scope(String)
        /// Bearers of a token with any scope that covers the bundle.
        case bearer

        /// OpenAPI's security requirements, of which one is enough: `nil` for no token, a text for the scope of one.
        var requirements: [String?] {
            switch self {
            case .anyone: []
            case .reader: [nil, "read"]
            case .scope(let scope): [scope]
            case .bearer: Token.Scope.allCases.map(\.rawValue)
            }
        }

        fileprivate var problems: [ProblemCode] {
            switch self {
            case .anyone: []
            case .reader, .bearer: [.unauthorized, .tokenExpired, .rateLimited]
            case .scope: [.unauthorized, .tokenExpired, .forbidden, .rateLimited]
            }
        }
    }

    let method: Method
    /// As the route table has it.
    let template: String
    /// The name of the operation, for generated clients.
    let name: String
    let summary: String
    let access: Access
    var parameters: [ParameterDescription] = []
    var content: Content?
    var outcomes: [RouteOutcome]
    /// The problems of this route, besides those of every route and those of its access.
    var problems: [ProblemCode] = []

    /// As OpenAPI writes it: it does not know that a parameter can be the rest of a path.
    var path: String {
        template.replacing("...}", with: "}")
    }

    /// The names of the variable parts, in their order.
    var pathParameterNames: [String] {
        template.matches(of: /\{(\w+)(?:\.\.\.)?\}/).map { String($0.1) }
    }

    /// All parameters, those of the path first. A route may describe one of its path in its own words.
    var allParameters: [ParameterDescription] {
        let own = parameters.filter { $0.place == .path }.map(\.name)
        return pathParameterNames.filter { !own.contains($0) }.compactMap(ParameterDescription.path) + parameters
    }

    /// A route that reads a document.
    static func reads(
        _ template: String, _ name: String, _ document: any WireDocument.Type, _ summary: String,
        _ parameters: [ParameterDescription] = [],
        access: Access = .reader, headers: [Header] = [], problems: [ProblemCode] = []
    ) -> RouteDescription {
        RouteDescription(
            method: .get, template: template, name: name, summary: summary, access: access,
            parameters: parameters,
            outcomes: [
                RouteOutcome(
                    .ok, summary, [Content(document)],
                    headers: [.entityTag, .cacheControl] + headers),
                .notModified,
            ],
            problems: problems)
    }

    /// A route that reads bytes, in ranges too.
    static func sends(
        _ template: String, _ name: String, _ mediaType: String, _ summary: String,
        _ parameters: [ParameterDescription] = [],
        headers: [Header] = [], redirects: Bool = false, problems: [ProblemCode] = []
    ) -> RouteDescription {
        let bytes = [Content(mediaType, nil)]
        let common: [Header] = [.entityTag, .lastModified, .cacheControl, .digest, .disposition] + headers
        return RouteDescription(
            method: .get, template: template, name: name, summary: summary, access: .reader,
            parameters: parameters + [.range, .ifRange],
            outcomes: [
                RouteOutcome(.ok, summary, bytes, headers: common),
                RouteOutcome(.partialContent, "The parts that Range names.", bytes, headers: common + [.contentRange]),
                .notModified,
            ] + (redirects ? [.atTheStore] : []),
            problems: problems + [.rangeUnsatisfiable])
    }

    /// A route that answers with a page, or what a page is made of.
    static func shows(
        _ template: String, _ name: String, _ summary: String, _ parameters: [ParameterDescription] = [],
        as mediaType: String = "text/html", problems: [ProblemCode] = []
    ) -> RouteDescription {
        RouteDescription(
            method: .get, template: template, name: name, summary: summary, access: .reader, parameters: parameters,
            outcomes: [
                RouteOutcome(
                    .ok, "\(summary).", [Content(mediaType, nil)], headers: [.entityTag, .cacheControl, .policy]),
                .notModified,
            ], problems: problems)
    }

    /// A route that writes.
    static func writes(
        _ method: Method, _ template: String, _ name: String, scope: String, _ summary: String,
        _ parameters: [ParameterDescription] = [], takes content: Content? = nil, answers outcomes: [RouteOutcome],
        problems: [ProblemCode]
    ) -> RouteDescription {
        RouteDescription(
            method: method, template: template, name: name, summary: summary, access: .scope(scope),
            parameters: parameters, content: content, outcomes: outcomes, problems: problems)
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

    /// A document as JSON.
    init(_ document: any WireDocument.Type, as mediaType: String = "application/json", isRequired: Bool = true) {
        self.init(mediaType, schema: document.schema, isRequired: isRequired)
    }
}

/// A successful outcome of a request.
struct RouteOutcome: Sendable {
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

    static let atTheStore = RouteOutcome(
        .temporaryRedirect, "The same bytes are at another address for some minutes, if the operator has chosen so.",
        headers: [.cacheControl, Header(name: "Location", about: "Where the bytes are, without a token.")])
    static let notModified = RouteOutcome(.notModified, "What the client has is still right.", headers: [.entityTag])
}

/// A header field of an answer.
struct Header: Sendable {
    let name: String
    let about: String

    static let entityTag = Header(name: "ETag", about: "Strong: the same for the same bytes.")
    static let cacheControl = Header(name: "Cache-Control", about: "Who may keep the answer, and how long.")
    static let lastModified = Header(name: "Last-Modified", about: "When it was published.")
    static let digest = Header(name: "Repr-Digest", about: "sha-256 of the whole (RFC 9530).")
    static let disposition = Header(name: "Content-Disposition", about: "The name to keep it under.")
    static let contentLocation = Header(name: "Content-Location", about: "Where the same bytes are for ever.")
    static let contentRange = Header(name: "Content-Range", about: "Which part it is, when it is one.")
    static let link = Header(name: "Link", about: "rel=\"next\" leads to the part that follows.")
    static let location = Header(name: "Location", about: "The release that was made.")
    static let ancestors = Header(
        name: "Content-Security-Policy", about: "What it may do, and the pages that may hold it in a frame.")
    static let policy = Header(name: "Content-Security-Policy", about: "Shown, it can do nothing.")
}

// MARK: As JSON

extension RouteDescription {
    func write(to writer: inout JSONWriter) {
        writer.member("operationId", name)
        writer.member("summary", summary)
        writeAccess(to: &writer)
        if !allParameters.isEmpty {
            writer.key("parameters")
            writer.array { writer in for parameter in allParameters { parameter.write(to: &writer) } }
        }
        if let content {
            writer.key("requestBody")
            writer.object { writer in
                writer.member("required", content.isRequired)
                RouteDescription.write([content], to: &writer)
            }
        }
        writer.key("responses")
        writer.object { writer in
            for outcome in outcomes { outcome.write(to: &writer) }
            writeProblems(to: &writer)
        }
    }

    private func writeAccess(to writer: inout JSONWriter) {
        if case .scope(let scope) = access { writer.member("x-scope", scope) }
        writer.key("security")
        writer.array { writer in
            for scope in access.requirements {
                writer.object { writer in
                    guard let scope else { return }
                    writer.key("bearer")
                    writer.array { $0.string(scope) }
                }
            }
        }
    }

    /// Problems by their status, then one entry for all that can happen anywhere. Among those, a malformed target has a
    /// status that other mistakes share, so every route names it.
    private func writeProblems(to writer: inout JSONWriter) {
        let own = problems + access.problems
        let all = own.contains(.malformedRequest) ? own : [.malformedRequest] + own
        let byStatus = Dictionary(grouping: all, by: \.status)
        for (status, codes) in byStatus.sorted(by: { $0.key < $1.key }) {
            writer.key(String(status))
            writer.object { writer in
                writer.member("description", codes.map(\.title).joined(separator: "; "))
                writer.key("x-problems")
                writer.array { writer in for code in codes { writer.string(code.rawValue) } }
                RouteDescription.write(RouteDescription.problem, to: &writer)
            }
        }
        writer.key("default")
        writer.object { $0.member("$ref", "#/components/responses/Problem") }
    }

    /// The content of a problem; text only if a client asks for that alone.
    static let problem = [
        Content(ProblemDocument.self, as: "application/problem+json"), Content("text/plain", nil),
    ]

    static func write(_ contents: [Content], to writer: inout JSONWriter) {
        writer.key("content")
        writer.object { writer in
            for content in contents {
                for mediaType in content.mediaTypes {
                    writer.key(mediaType)
                    writer.object { writer in
                        guard let schema = content.schema else { return }
                        writer.key("schema")
                        schema.write(to: &writer)
                    }
                }
            }
        }
    }
}

extension RouteOutcome {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.key(String(status.rawValue))
        writer.object { writer in
            writer.member("description", about)
            if !headers.isEmpty {
                writer.key("headers")
                writer.object { writer in
                    for header in headers {
                        writer.key(header.name)
                        writer.object { writer in
                            writer.member("description", header.about)
                            writer.key("schema")
                            String.schema.write(to: &writer)
                        }
                    }
                }
            }
            if !contents.isEmpty { RouteDescription.write(contents, to: &writer) }
        }
    }
}
