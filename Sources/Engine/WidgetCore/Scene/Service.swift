package import WidgetBytes
package import WidgetPredicates

/// The requests that a widget can send to a server, or the answers that it has built in.
package struct Service: Sendable {
    package var name: String
    package var actions: [String: ServiceAction]
    /// Answers come from the description itself.
    package var isScripted: Bool
    /// The authorization of requests. Requests that need one are not sent without it.
    package var authorization: Authorization?
    /// True if a request for an unknown action fails and statuses are notified.
    package var failsUnknown = false
    /// The digest of the description, by which a changed one is recognised; `nil` for a service without a file.
    package var source: Digest?
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

    /// The handling of a request that reaches no server.
    package enum Offline: String, Sendable {
        /// It fails.
        case fail
        /// It succeeds with the stored records, if there are any of its kind.
        case keep
        /// It is sent again, after delays that grow.
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
    /// True if it only asks, and changes nothing anywhere.
    var isQuestion: Bool { ["GET", "HEAD"].contains(method.uppercased()) && changes.isEmpty }
    /// True if it sends a request that changes something on a server.
    package var isWriting: Bool {
        ["POST", "PUT", "PATCH", "DELETE"].contains(method.uppercased()) && changes.isEmpty && fault == nil
    }
    /// Absolute, or a path that has been put behind the base already.
    package var url: Template
    package var headers: [(name: String, value: String)] = []
    package var parameters: StructuredTemplate
    package var hasParameters = false
    package var parameterPlace = ParameterPlace.body
    package var resultKeyPath: [String] = []
    package var errorKeyPath: [String] = ["error"]
    package var result: Result?
    /// The place of the name of the result's entity.
    package var resultPlace: Place?
    package var clearPolicy = ClearPolicy.none
    package var nextAction: String?
    /// Properties that every stored record gets.
    package var sets: [(name: String, value: Value)] = []
    package var isUpload = false
    /// Names of parts, and where the argument has them.
    package var multipart: [(name: String, keyPath: String)] = []
    /// True if a header says that the body is JSON.
    package var hasJSONHeader: Bool {
        headers.contains { header in
            guard header.name.lowercased() == "content-type" else { return false }
            let type = header.value.lowercased().prefix { $0 != ";" && $0 != " " }
            return type == "application/json" || type.hasPrefix("application/") && type.hasSuffix("+json")
        }
    }
    package var needsAuthorization = false
    /// True if the server recognises a repeated request by a key.
    package var isKeyed = false
    package var offline = Offline.fail
    /// The number of seconds for which an answer is cached.
    package var cacheTime = 0.0
    /// The properties of the provisional record, with places for the argument.
    package var optimistic: [(name: String, value: Template)] = []
    /// The changes of stored records that it makes. An action that has some sends no request.
    package var changes: [RecordChange] = []
    /// The reason why its changes cannot be made. An action with a fault does nothing but fail.
    package var fault: String?
    /// The scripted answer.
    package var response: Value? {
        didSet { answer = response.map(StructuredTemplate.init) }
    }
    /// The scripted answer as a template.
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

/// The place of an action's parameters in its request.
package enum ParameterPlace: String, Sendable, CaseIterable {
    /// The address.
    case query
    /// The body, as a form.
    case body
    /// The body, as JSON.
    case json
}

/// A change of stored records that an action makes without a request.
package struct RecordChange: Sendable {
    package var entity: String
    /// The condition on a record; `nil` for all records of the entity.
    package var condition: CompiledPredicate?
    /// The new values of properties, with places for the argument; `nil` if the records are deleted.
    package var values: [(name: String, value: Expression.Choice)]?

    package init(_ entity: String) {
        self.entity = entity
    }
}

/// A request, ready to be sent.
package struct ServiceRequest: Equatable, Sendable {
    package struct Part: Equatable, Sendable {
        package var name: String
        package var bytes: [UInt8]
        package var contentType: String?
        package var fileName: String?
        /// The quality, from 0 to 1, of the JPEG that a picture is sent as; `nil` for a part that is sent as it is.
        package var compression: Double?

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
    /// True if it carries a key by which the server recognises a repetition. Every repetition has the same key.
    package var isKeyed = false
    /// The quality of the JPEG that a body of one picture is sent as.
    package var compression: Double?

    /// The field that carries such a key.
    package static let keyField = "Idempotency-Key"

    /// True if it may be sent again when its answer was lost: the method is idempotent (RFC 9110 §9.2.2), or the server
    /// recognises the repetition.
    package var isRepeatable: Bool {
        isKeyed || !["POST", "PATCH"].contains(method)
            || headers.contains { $0.name.lowercased() == ServiceRequest.keyField.lowercased() }
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

extension Service {
    /// The first action that changes something on a server: the action of this name, or one that follows it.
    package func writing(from name: String) -> ServiceAction? {
        var seen: Set<String> = []
        var next: String? = name
        while let name = next, seen.insert(name).inserted, let action = actions[name] {
            if action.isWriting { return action }
            next = action.nextAction
        }
        return nil
    }
}

extension DataSource {
    /// True if its request, or an action that follows it, changes something on a server. Such a source is left out when all
    /// are asked again: that must not send an order again.
    package func isWriting(by services: [String: Service]) -> Bool {
        guard case .request(let call) = kind else { return false }
        return services[call.service]?.writing(from: call.action) != nil
    }
}
