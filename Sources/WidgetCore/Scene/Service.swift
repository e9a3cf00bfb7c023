/// What a widget can ask a server, or what answers it brings along.
package struct Service: Sendable {
    package var name: String
    package var actions: [String: ServiceAction]
    /// Answers come from the description itself.
    package var isScripted: Bool
    package var place: Place?

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
    /// The answer that was written beforehand.
    package var response: Value?
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
    }

    package var method: String
    package var url: String
    package var headers: [Header]
    package var body: [UInt8]
    package var parts: [Part]

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
    }
}
