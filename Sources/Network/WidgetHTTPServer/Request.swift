package import HTTPWire
package import WidgetAddresses

/// A loop's notes about the present request; one value serves all requests in turn.
struct RequestScratch {
    /// The path with its escapes undone, where it had any.
    var decodedPath: [UInt8] = []
    var trustedProxies: [AddressRange] = []
    var publicAddress: PublicAddress?
}

/// A request as a route sees it: a view of the bytes it arrived in, valid for the call and no longer.
///
/// Safe to use: it cannot be copied and is only ever lent, so a route cannot keep it past the call, and what
/// it points to does not move or change while the call lasts.
@safe
package struct Request: ~Copyable {
    private let input: UnsafeBufferPointer<UInt8>
    private let head: UnsafePointer<RequestHead>
    private let scratch: UnsafePointer<RequestScratch>
    let parameters: PathParameters
    /// The bytes of the path that come before the part that routes know.
    private let rootCount: Int
    package let peer: IPAddress
    let identity: RequestIdentity

    init(
        input: UnsafeBufferPointer<UInt8>, head: UnsafePointer<RequestHead>,
        scratch: UnsafePointer<RequestScratch>, parameters: PathParameters, rootCount: Int, peer: IPAddress,
        identity: RequestIdentity
    ) {
        unsafe self.input = input
        unsafe self.head = head
        unsafe self.scratch = scratch
        self.parameters = parameters
        self.rootCount = rootCount
        self.peer = peer
        self.identity = identity
    }

    package var method: Method { unsafe head.pointee.method }
    package var id: String { identity.text }

    /// The value of a header field, where there is exactly one line of it or the first is enough.
    package func value(_ field: KnownField) -> String? {
        guard let range = unsafe head.pointee.value(field) else { return nil }
        return withInput { $0.text(in: range) }
    }

    /// The value of a header field that is a list: its lines joined to one (RFC 9110 §5.3).
    package func list(_ field: KnownField) -> String? {
        var lines: [String] = []
        for index in unsafe head.pointee.candidates(field) where unsafe head.pointee.fields[index].known == field {
            let range = unsafe head.pointee.fields[index].value
            lines.append(withInput { $0.text(in: range) })
        }
        return lines.isEmpty ? nil : lines.joined(separator: ", ")
    }

    /// True if the Accept field names a media type, rather than admitting it among others.
    package func accepts(naming mediaType: String) -> Bool {
        guard let range = unsafe head.pointee.value(.accept) else { return false }
        return withInput { Negotiation.names($0, range, mediaType: mediaType) }
    }

    /// True if the client asks for text for a person, rather than for a document.
    package var prefersText: Bool {
        guard let range = unsafe head.pointee.value(.accept) else { return false }
        return withInput { Negotiation.prefersText($0, range) }
    }

    /// True if the client takes answers that are compressed with gzip.
    package var admitsGzip: Bool {
        guard let range = unsafe head.pointee.value(.acceptEncoding) else { return false }
        return withInput { Negotiation.admitsGzip($0, range) }
    }

    /// True if the target has a query, even an empty one.
    package var hasQuery: Bool { unsafe head.pointee.query != nil }

    /// The query as it was sent; `nil` if the target has none.
    package var queryText: String? {
        guard let query = unsafe head.pointee.query else { return nil }
        return withInput { $0.text(in: query) }
    }

    /// The decoded value of a query parameter.
    package func query(_ name: StaticString) -> String? {
        guard let query = unsafe head.pointee.query else { return nil }
        return withInput { Query.value(name, $0, query) }
    }

    /// The decoded values of a parameter that may be given more than once.
    package func queries(_ name: StaticString) -> [String] {
        guard let query = unsafe head.pointee.query else { return [] }
        return withInput { Query.values(name, $0, query) }
    }

    /// The query as it was sent; empty without one.
    package var queryBytes: [UInt8] {
        guard let query = unsafe head.pointee.query else { return [] }
        return withInput { input in query.map { input[$0] } }
    }

    /// The decoded value of a query parameter in which a plus sign is a blank, as forms write it.
    package func words(_ name: StaticString) -> String? {
        guard let query = unsafe head.pointee.query else { return nil }
        return withInput { Query.value(name, $0, query, isWords: true) }
    }

    /// True if every name of the query is one of `names` and none occurs twice.
    package func queryHoldsOnly(_ names: [[UInt8]]) -> Bool {
        guard let query = unsafe head.pointee.query else { return true }
        return withInput { Query.holdsOnly(names, $0, query) }
    }

    /// The names in the query as they are written, in their order.
    package var queryNames: [String] {
        guard let query = unsafe head.pointee.query else { return [] }
        return withInput { Query.names($0, query) }
    }

    /// The path as routes know it, percent-decoded.
    package var path: String {
        if unsafe head.pointee.pathIsEncoded {
            let path = unsafe String(decoding: scratch.pointee.decodedPath.dropFirst(rootCount), as: UTF8.self)
            return path.isEmpty ? "/" : path
        }
        let path = withInput { unsafe $0.text(in: head.pointee.path.dropFirst(rootCount)) }
        return path.isEmpty ? "/" : path
    }

    /// The address at which clients reach the server, if it is known.
    package var publicAddress: PublicAddress? { unsafe scratch.pointee.publicAddress }

    /// The path below which clients see the server; empty at the top of its host.
    package var root: String { publicAddress?.path ?? "" }

    /// True for an origin, as browsers name it, that is this server's: its public one, or that of the host it was asked for.
    package func isOwn(origin: String) -> Bool {
        let origin = origin.lowercased()
        if let publicAddress, publicAddress.origin == origin { return true }
        guard let host = value(.host)?.lowercased(), !host.isEmpty else { return false }
        return origin == "http://\(host)" || origin == "https://\(host)"
    }

    /// The announced number of body bytes; `nil` for a body of unknown length.
    package var contentLength: Int? {
        switch unsafe head.pointee.framing {
        case .none: 0
        case .length(let length): length
        case .chunked: nil
        }
    }

    /// The address to hold responsible: the peer, or the one that trusted proxies forward for.
    package var client: IPAddress {
        withInput { input in
            unsafe ClientAddress.of(head.pointee, input, peer: peer, trusted: scratch.pointee.trustedProxies)
        }
    }

    /// True if the client is connected over TLS, as the trusted proxy in front of this server says.
    package var isSecure: Bool {
        let isProxy = unsafe scratch.pointee.trustedProxies.contains { $0.contains(peer) }
        guard isProxy, let schemes = list(.xForwardedProto) else { return false }
        // The proxy that speaks to this server adds the last one.
        return schemes.split(separator: ",").last.map { $0.split(separator: " ") }?.first?.lowercased() == "https"
    }

    /// A path parameter's decoded bytes, lent to `body`.
    func withParameter<Result, Failure: Error>(
        _ index: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let range = parameters[index]
        if unsafe head.pointee.pathIsEncoded {
            return try unsafe body(scratch.pointee.decodedPath.span.extracting(range))
        }
        return try unsafe body(input.span.extracting(range))
    }

    func withInput<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        body(unsafe input.span)
    }
}

/// Whom a request comes from, seen through proxies.
enum ClientAddress {
    /// Reported addresses count only if the peer itself is a trusted proxy.
    static func of(_ head: RequestHead, _ input: Span<UInt8>, peer: IPAddress, trusted: [AddressRange]) -> IPAddress {
        guard trusted.contains(where: { $0.contains(peer) }) else { return peer }
        return resolve(peer: peer, reported: ForwardedAddresses.list(head, input), trusted: trusted)
    }

    /// The rightmost reported address that is not itself a trusted proxy; an unreadable one ends the search.
    static func resolve(peer: IPAddress, reported: [String], trusted: [AddressRange]) -> IPAddress {
        var client = peer
        for text in reported.reversed() {
            guard let address = IPAddress(text) else { return client }
            client = address
            guard trusted.contains(where: { $0.contains(address) }) else { return client }
        }
        return client
    }
}

extension IPAddress {
    /// The name in logs. A client of a socket of the file system has no address.
    package var loggedName: String { isUnspecified ? "unix" : description }
}
