internal import HTTPWire
internal import WidgetAddresses

/// One request and its answer.
///
/// It lives on the stack while it is answered within a turn, and in its connection's `Activity` from the moment it has
/// to wait. With HTTP/1.1, a connection has one at a time.
struct Exchange {
    /// The progress of the answer.
    enum Stage {
        /// Given in this turn, or being sent.
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
    /// True if a problem is explained in plain text.
    var prefersText = false
    /// True if the connection ends with this exchange.
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

    /// True if the request has been answered and counted.
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

    /// The event with which the exchange ends, for its connection.
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

/// The body of a request that is being read: how much of it is left, and where it goes.
struct RequestBody {
    enum Step: Equatable {
        /// Bytes of the body, as positions in the input.
        case piece(Range<Int>, isLast: Bool)
        case needsMore
        /// The body is over.
        case end
        case tooLarge
        case malformed(Malformation)
    }

    private enum Rest {
        case length(Int)
        case chunked(ChunkedDecoder, received: Int)
    }

    private var rest: Rest
    /// The most bytes of a body that does not announce its length.
    let limit: Int
    /// The taker of the bytes; without one, they are discarded.
    let sink: (any BodySink)?
    /// Answers in place of the server's problem when the body is refused.
    let explain: (@Sendable (Refusal) -> Answer)?

    init(
        _ framing: BodyFraming, limit: Int, sink: (any BodySink)? = nil, explain: (@Sendable (Refusal) -> Answer)? = nil
    ) {
        rest =
            switch framing {
            case .none: .length(0)
            case .length(let length): .length(length)
            case .chunked: .chunked(ChunkedDecoder(), received: 0)
            }
        self.limit = limit
        self.sink = sink
        self.explain = explain
    }

    /// Uses input from `position` on.
    mutating func read(_ input: Span<UInt8>, _ position: inout Int) -> Step {
        switch rest {
        case .length(let remaining):
            let count = min(remaining, input.count &- position)
            let range = position..<(position &+ count)
            position &+= count
            rest = .length(remaining &- count)
            return .piece(range, isLast: count == remaining)
        case .chunked(var decoder, let received):
            let step = decoder.next(input, &position)
            var sum = received
            if case .data(let range) = step { sum &+= range.count }
            rest = .chunked(decoder, received: sum)
            switch step {
            case .data(let range): return sum <= limit ? .piece(range, isLast: false) : .tooLarge
            case .needsMore: return .needsMore
            case .end: return .end
            case .refused(let malformation): return .malformed(malformation)
            }
        }
    }
}

/// The handling of a body that no route wants.
enum UnwantedBody {
    case none
    /// The client may be about to send all of it; the answer says that it need not, and the connection ends.
    case unread
    /// The answer does not wait for it.
    case discardedAfterAnswer
    /// A request that turns out to be malformed or cut off must not be answered as if it were fine.
    case discardedBeforeAnswer

    /// - Parameters:
    ///   - isRefusal: whether the answer is the same for a well-formed and a malformed body.
    ///   - canWait: whether the answer can wait for the body.
    init(_ framing: BodyFraming, expectsContinue: Bool, isRefusal: Bool, canWait: Bool, limit: Int) {
        switch framing {
        case .none: self = .none
        case .length(let length) where !expectsContinue && length <= limit:
            self = isRefusal ? .discardedAfterAnswer : .discardedBeforeAnswer
        case .chunked where !expectsContinue && canWait: self = .discardedBeforeAnswer
        case .length, .chunked: self = .unread
        }
    }
}
