internal import Addresses
internal import HTTPWire

/// One request and its answer.
///
/// A value of its own: it lives on the stack while it is answered within a turn, and with its connection's `Activity`
/// from the moment it has to wait. A connection has one at a time as long as HTTP/1.1 is all that is spoken.
struct Exchange {
    /// How far the answer is.
    enum Stage {
        /// It is given in this turn, or is on its way.
        case due
        /// It is known, and held back until an unwanted body has proved to be whole.
        case held(PlannedAnswer)
        /// The responder of this number gives it. A resource is then answered by the request's head.
        case deferred(UInt64, HeldHead?)
        /// The responder of this number feeds it.
        case streaming(UInt64, StreamState)
        /// It has been given, counted and logged.
        case given
    }

    let start: UInt64
    let method: Method
    var route = 0
    let identity: RequestIdentity
    let isHTTP10: Bool
    /// The client the log holds responsible: the peer, or the one a trusted proxy reports.
    var client: IPAddress
    /// The status of the answer; `nil` when the client was gone before.
    var status: Status?
    var sent = 0
    var received: Int
    /// Whether a problem is explained in plain text.
    var prefersText = false
    /// Whether the connection ends with this exchange.
    var endsConnection: Bool
    /// The part of the request's body that has not been read.
    var body: RequestBody?
    var stage: Stage = .due

    init(
        start: UInt64, method: Method, identity: RequestIdentity, isHTTP10: Bool, client: IPAddress, received: Int,
        endsConnection: Bool
    ) {
        self.start = start
        self.method = method
        self.identity = identity
        self.isHTTP10 = isHTTP10
        self.client = client
        self.received = received
        self.endsConnection = endsConnection
    }

    /// Whether the request has been answered and counted.
    var isGiven: Bool {
        if case .given = stage { true } else { false }
    }

    /// The number of the responder that may speak for this exchange; `nil` when none may.
    var responder: UInt64? {
        switch stage {
        case .deferred(let number, _), .streaming(let number, _): number
        case .due, .held, .given: nil
        }
    }

    /// How the exchange ends, for its connection.
    var ending: ConnectionState.Event {
        if endsConnection { return .lastAnswerFinished }
        return body == nil ? .answerFinished : .answerFinishedBeforeBody
    }

    // MARK: Changes

    /// Uses bytes of the body, from `position` on; `nil` when no body is left.
    mutating func readBody(_ input: Span<UInt8>, _ position: inout Int) -> RequestBody.Step? {
        let start = position
        let step = body?.read(input, &position)
        received &+= position &- start
        return step
    }

    /// Reads no more of the body. The sink, if there is one, is the caller's to finish or to abandon.
    mutating func endBody() -> (any BodySink)? {
        let sink = body?.sink
        body = nil
        return sink
    }

    /// Makes a held answer due.
    mutating func release() -> PlannedAnswer? {
        guard case .held(let answer) = stage else { return nil }
        stage = .due
        return answer
    }

    /// Makes the answer of the responder due that the exchange has waited for.
    ///
    /// - Parameter isEarly: whether the body is not whole. The rest of it is then not read.
    /// - Returns: the sink to abandon.
    mutating func resume(isEarly: Bool) -> (any BodySink)? {
        stage = .due
        guard isEarly else { return nil }
        endsConnection = true
        return endBody()
    }

    /// Makes a refusal due, because the body cannot be read to its end.
    ///
    /// - Returns: the sink to abandon.
    mutating func refuseBody() -> (any BodySink)? { resume(isEarly: true) }

    /// Ends a streamed answer.
    mutating func endStream() -> StreamState? {
        guard case .streaming(_, let stream) = stage else { return nil }
        stage = .due
        return stream
    }
}

/// A head that outlives the turn in which it arrived. A class, because every exchange has room for one and few have one.
final class HeldHead: Sendable {
    let head: RequestHead
    /// The bytes the head's positions refer to.
    let bytes: [UInt8]

    init(_ head: RequestHead, _ bytes: [UInt8]) {
        self.head = head
        self.bytes = bytes
    }
}

/// A streamed answer under way.
struct StreamState {
    let source: any StreamSource
    let isChunked: Bool

    /// A piece of the stream, as it is sent.
    func framed(_ bytes: [UInt8]) -> [UInt8] {
        guard isChunked else { return bytes }
        return Array(String(bytes.count, radix: 16).utf8) + [0x0D, 0x0A] + bytes + [0x0D, 0x0A]
    }

    /// The bytes that end the stream.
    var end: [UInt8] { isChunked ? Array("0\r\n\r\n".utf8) : [] }
}
