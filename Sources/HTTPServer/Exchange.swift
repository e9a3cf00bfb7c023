internal import Addresses
internal import HTTPWire

/// What a connection needs while a request is under way and cannot be answered at once.
final class Exchange {
    /// Bytes that arrived and have not been used: part of a head, or requests behind the present one.
    var input: [UInt8] = []
    /// How much of an unfinished head had arrived when it was last looked at.
    var examined = 0

    var facts: RequestFacts?
    var body: BodyProgress?
    var sink: (any BodySink)?
    var bodyLimit = 0
    /// The sink has asked for a pause.
    var isPaused = false
    /// An answer held back until an unwanted body has proved to be whole.
    var heldAnswer: PlannedAnswer?
    /// The head of a request that is answered later, for what of a resource its answer has to be.
    var head: HeldHead?
    /// Names the request that is under way to those who answer it later; 0 when there is none.
    var sequence: UInt64 = 0

    var pending: [PendingOutput] = []
    var nextPending = 0
    var stream: StreamState?

    var hasPending: Bool { nextPending < pending.count }

    /// How much is left to be sent.
    var pendingByteCount: Int {
        pending[nextPending...].reduce(0) { sum, output in
            switch output {
            case .bytes(_, let range, _), .piece(_, let range, _, _): sum &+ range.count
            case .file(_, _, let count): sum &+ count
            }
        }
    }

    /// Sent entries at the front of the queue that are kept before they are cleared away.
    private static let sentLimit = 64

    func append(_ output: PendingOutput) {
        // A stream whose client is always a little behind never empties the queue.
        if nextPending > Exchange.sentLimit, nextPending &* 2 > pending.count {
            pending.removeFirst(nextPending)
            nextPending = 0
        }
        if nextPending == pending.count, nextPending > 0 {
            pending.removeAll(keepingCapacity: false)
            nextPending = 0
        }
        pending.append(output)
    }
}

/// A stretch of an answer that has not been sent.
enum PendingOutput {
    /// A stretch of bytes in memory, and the resource whose they are.
    case bytes([UInt8], Range<Int>, of: Resource?)
    /// A piece of a stream, which somebody keeps count of.
    case piece([UInt8], Range<Int>, StreamBacklog, weight: Int)
    case file(OpenFile, offset: Int, count: Int)

    /// All of something that nobody else has.
    static func bytes(_ bytes: [UInt8]) -> PendingOutput { .bytes(bytes, 0..<bytes.count, of: nil) }
}

/// A head that outlives the turn in which it arrived.
struct HeldHead {
    let head: RequestHead
    /// The bytes the head's positions refer to.
    let bytes: [UInt8]
}

/// How far a request's body has come.
enum BodyProgress {
    case length(remaining: Int)
    case chunked(ChunkedDecoder, received: Int)
}

/// What is remembered of a request for its log line and its counters.
struct RequestFacts {
    var start: UInt64
    var method: Method
    var route: Int
    var identity: RequestIdentity
    var isHTTP10: Bool
    /// Whom the log holds responsible: the peer, or what a trusted proxy says it stands for.
    var client: IPAddress
    /// What was answered; `nil` when the client was gone before.
    var status: Status?
    var sent = 0
    var received = 0
}

/// A streamed answer under way.
struct StreamState {
    var source: any StreamSource
    var isChunked: Bool
}
