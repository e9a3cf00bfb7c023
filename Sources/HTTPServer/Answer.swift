package import HTTPWire

/// A route's decision about a request.
package enum Answer: Sendable {
    /// A stored representation: the engine applies conditions, ranges, negotiation and HEAD.
    case resource(Resource)
    /// An answer made for this request.
    case response(Response)
    case problem(Problem)
    /// A refusal of the engine's own kind, explained as all of them are.
    case refused(Refusal)
    /// Something that should not happen did. The log gets the reason, the client only the request's identifier.
    case failed(String)
    /// The body is wanted; its sink answers.
    case readBody(BodyReceipt)
    /// The answer follows through the responder, from any thread.
    case later(@Sendable (Responder) -> Void)
}

extension Answer {
    /// Whether it is a refusal, which holds without the rest of the request.
    var isRefusal: Bool {
        switch self {
        case .problem, .refused, .failed: true
        case .resource, .response, .readBody, .later: false
        }
    }

    /// Drops the answer: stops a streaming source, so that it does not wait for a reader.
    func abandon() {
        if case .response(let response) = self, case .stream(let source) = response.body { source.stop() }
    }
}

/// An answer made for one request.
package struct Response: Sendable {
    package enum Body: Sendable {
        case bytes([UInt8])
        /// Sent piece by piece for as long as the source likes.
        case stream(any StreamSource)
    }

    package var status: Status
    package var fields: FieldBlock
    package var body: Body

    package init(_ status: Status, fields: FieldBlock = FieldBlock(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = .bytes(body)
    }

    package init(_ status: Status, fields: FieldBlock, stream: any StreamSource) {
        self.status = status
        self.fields = fields
        self.body = .stream(stream)
    }
}
