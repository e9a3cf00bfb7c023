internal import HTTPWire

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

    init(_ framing: BodyFraming, limit: Int, sink: (any BodySink)? = nil) {
        rest =
            switch framing {
            case .none: .length(0)
            case .length(let length): .length(length)
            case .chunked: .chunked(ChunkedDecoder(), received: 0)
            }
        self.limit = limit
        self.sink = sink
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
