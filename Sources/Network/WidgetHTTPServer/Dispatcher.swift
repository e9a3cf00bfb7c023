internal import HTTPWire
internal import WidgetAddresses
internal import WidgetSurroundings

/// Reads the heads of a loop's requests and asks the routes: everything about a request that happens before its answer
/// is sent. It knows no connection.
///
/// Safe to use: the memory of the head parsed last is made and freed here, reused for every request, and lent to a
/// route as a `Request`, which cannot be kept.
@safe
final class Dispatcher {
    private let shared: ServerShared
    private let headRoom: UnsafeMutablePointer<RequestHead>
    private let scratch: UnsafeMutablePointer<RequestScratch>
    private var identities: RequestIdentityMaker
    /// The path below which clients see the server.
    private var root: [UInt8] = []

    init(_ shared: ServerShared, _ chance: any Chance) {
        self.shared = shared
        identities = RequestIdentityMaker(chance)
        unsafe headRoom = .allocate(capacity: 1)
        unsafe headRoom.initialize(to: RequestHead())
        unsafe scratch = .allocate(capacity: 1)
        unsafe scratch.initialize(to: RequestScratch())
    }

    deinit {
        unsafe headRoom.deinitialize(count: 1)
        unsafe headRoom.deallocate()
        unsafe scratch.deinitialize(count: 1)
        unsafe scratch.deallocate()
    }

    /// The head parsed last, looked at in place.
    var head: RequestHead {
        @inline(__always)
        unsafeAddress { unsafe UnsafePointer(headRoom) }
    }

    /// Takes over what the limits say of the place of the server: behind which proxies it lies, and where clients see it.
    func take(_ limits: ServerLimits) {
        unsafe scratch.pointee.trustedProxies = limits.trustedProxies
        unsafe scratch.pointee.publicAddress = limits.publicAddress
        root = Array((limits.publicAddress?.path ?? "").utf8)
    }

    func nextIdentity() -> RequestIdentity { identities.next() }

    func parse(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: HeadLimits) -> RequestHeadParser.Outcome {
        unsafe RequestHeadParser.parse(bytes.span, into: &headRoom.pointee, limits: limits)
    }

    /// An exchange for the head parsed last.
    func exchange(
        _ bytes: UnsafeBufferPointer<UInt8>, from peer: IPAddress, at now: UInt64, endsConnection: Bool
    ) -> Exchange {
        let input = unsafe bytes.span
        var exchange = Exchange(
            start: now, method: head.method, identity: identity(input), isHTTP10: head.isHTTP10, client: peer,
            received: head.byteCount, endsConnection: endsConnection)
        if unsafe !scratch.pointee.trustedProxies.isEmpty {
            exchange.client = unsafe ClientAddress.of(head, input, peer: peer, trusted: scratch.pointee.trustedProxies)
        }
        return exchange
    }

    private func identity(_ input: Span<UInt8>) -> RequestIdentity {
        guard let given = head.value(.requestID), RequestID.isSane(input, given) else { return identities.next() }
        return .given(Array(input.text(in: given).utf8))
    }

    /// The answer of the route, or of the engine where no route matches.
    func answer(
        _ bytes: UnsafeBufferPointer<UInt8>, listener: Int, peer: IPAddress, _ exchange: inout Exchange
    ) -> Answer {
        let application = shared.applications[listener]
        switch head.targetForm {
        case .asterisk: return .response(Dispatcher.options(application.allMethods))
        case .authority: return .refused(.methodNotAllowed(allowed: application.allMethods))
        case .origin, .absolute: break
        }
        if let query = head.query, unsafe !Query.isWellFormed(bytes.span, query) {
            let isWhole = unsafe PercentDecoding.hasWholeEscapes(bytes.span, query)
            return .refused(.malformed(isWhole ? .encodedQuery : .percentEncoding))
        }
        let match: RouteTable.Match
        let rootCount: Int
        if head.pathIsEncoded {
            do {
                let decoded = try unsafe PercentDecoding.path(bytes.span, head.path)
                unsafe scratch.pointee.decodedPath = decoded
            } catch {
                return .refused(.malformed(error))
            }
            rootCount = unsafe RootPath.count(of: root, in: scratch.pointee.decodedPath.span)
            match = unsafe application.match(
                head.method, scratch.pointee.decodedPath.span.extracting(droppingFirst: rootCount))
        } else {
            let path = unsafe bytes.span.extracting(head.path)
            rootCount = RootPath.count(of: root, in: path)
            match = application.match(head.method, path.extracting(droppingFirst: rootCount))
        }
        var parameters = PathParameters()
        if case .route(_, let found) = match {
            parameters = found.shifted(by: (head.pathIsEncoded ? 0 : head.path.lowerBound) &+ rootCount)
        }
        let request = unsafe Request(
            input: bytes, head: UnsafePointer(headRoom), scratch: UnsafePointer(scratch), parameters: parameters,
            rootCount: rootCount, peer: peer, identity: exchange.identity)
        switch match {
        case .none: return refused(.noRoute, request, application)
        case .wrongMethod(let allowed):
            return head.method == .options
                ? .response(Dispatcher.options(allowed))
                : refused(.methodNotAllowed(allowed: allowed), request, application)
        case .route(let index, _):
            exchange.route = shared.firstRoutes[listener] &+ index
            return application.routes[index].action(request)
        }
    }

    /// The refusal of an address, or a page that says the same. What brings a body is refused before it is read.
    private func refused(_ refusal: Refusal, _ request: borrowing Request, _ application: RouteTable) -> Answer {
        guard [.get, .head].contains(head.method), let page = application.refusalPage else { return .refused(refusal) }
        return page(request, shared.problem(refusal)) ?? .refused(refusal)
    }

    private static func options(_ allowed: String) -> Response {
        Response(
            .noContent,
            fields: FieldBlock([
                "Allow": allowed, "Access-Control-Allow-Methods": allowed, "Access-Control-Allow-Origin": "*",
                "Access-Control-Allow-Headers": "*, Authorization", "Access-Control-Max-Age": "86400",
            ]))
    }

    /// True if the client of the head parsed last wants problems in plain text.
    func prefersText(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let accept = head.value(.accept) else { return false }
        return unsafe Negotiation.prefersText(bytes.span, accept)
    }

    /// Adds to an answer everything of the head that giving it takes.
    func planned(_ answer: Answer, _ bytes: UnsafeBufferPointer<UInt8>) -> PlannedAnswer {
        switch answer {
        case .resource(let resource): unsafe .resource(resource, for: head, bytes.span)
        case .later(let start):
            .later(start, HeldHead(head, unsafe Array(bytes.prefix(head.byteCount))))
        case .response, .problem, .refused, .failed, .readBody: .plain(answer)
        }
    }
}

/// An answer that can be given without the request's head.
enum PlannedAnswer {
    case plain(Answer)
    case resource(Resource, ResourcePlan)
    case later(@Sendable (Responder) -> Void, HeldHead)

    /// False for a resource that is sent as requested. Every other answer may be a problem.
    var mayBeProblem: Bool {
        if case .resource(_, let plan) = self {
            if case .refused = plan { true } else { false }
        } else {
            true
        }
    }

    /// An answer from a responder, which is subject to the head of its request as if it had been given at once.
    init(_ answer: Answer, held: HeldHead?) {
        switch answer {
        case .resource(let resource):
            guard let held else {
                self = .plain(answer)
                return
            }
            let bytes = held.bytes
            self = .resource(resource, for: held.head, bytes.span)
        // Deferred once more, to another responder.
        case .later(let start): self = held.map { .later(start, $0) } ?? .plain(answer)
        case .response, .problem, .refused, .failed, .readBody: self = .plain(answer)
        }
    }

    /// A resource, in the coding and the parts the head asks for.
    static func resource(
        _ resource: Resource, for head: borrowing RequestHead, _ input: Span<UInt8>
    ) -> PlannedAnswer {
        var chosen = resource
        if let accepted = head.value(.acceptEncoding) {
            if let brotli = resource.brotli, Negotiation.admitsBrotli(input, accepted) {
                chosen = brotli
            } else if let gzipped = resource.gzipped, Negotiation.admitsGzip(input, accepted) {
                chosen = gzipped
            }
        }
        return .resource(chosen, ResourcePlan.make(chosen, head, input))
    }
}
