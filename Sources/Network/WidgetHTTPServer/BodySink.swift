package import HTTPWire
internal import WidgetBytes
package import WidgetSurroundings

/// A route's terms for reading the body: how long, of which type, and where it goes.
package struct BodyReceipt: Sendable {
    package var limit: Int
    /// Media types taken, in lower case; an absent Content-Type always is. `nil` takes everything.
    package var mediaTypes: [String]?
    /// A problem that refuses any body: sent after type and length were accepted, before a byte is read.
    package var blockingProblem: Problem?
    /// Answers in place of the server's problem when the engine refuses the body, for clients that are shown pages.
    package var explain: (@Sendable (Refusal) -> Answer)?
    package var sink: any BodySink

    /// - Parameter limit: a body announced longer is refused before a byte of it is read, one that turns out
    ///   longer is cut off there.
    package init(
        limit: Int, mediaTypes: [String]? = nil, blockingProblem: Problem? = nil,
        explain: (@Sendable (Refusal) -> Answer)? = nil, sink: any BodySink
    ) {
        self.limit = limit
        self.mediaTypes = mediaTypes
        self.blockingProblem = blockingProblem
        self.explain = explain
        self.sink = sink
    }

    /// The refusal that follows from the head alone.
    func refusal(_ head: borrowing RequestHead, _ input: Span<UInt8>) -> Refusal? {
        if let mediaTypes {
            let hasType = head.value(.contentType).map { Negotiation.isOne(of: mediaTypes, input, $0) } ?? true
            if !hasType || head.has(.contentEncoding) {
                return .unsupportedMediaType(accepted: mediaTypes.joined(separator: " or "))
            }
        }
        if case .length(let length) = head.framing, length > limit {
            return .contentTooLarge(limit: limit, announced: length)
        }
        return nil
    }
}

/// Takes a request's body as it arrives. Every call comes from the connection's loop, in order.
package protocol BodySink: AnyObject, Sendable {
    /// The body was accepted. The responder may be kept: to resume after a pause, and to answer.
    func begin(_ responder: Responder)
    /// More of the body; the bytes are lent for the call.
    /// - Returns: `false` to be sent nothing more until the responder's `resume`.
    func write(_ bytes: Span<UInt8>) -> Bool
    /// The body is complete.
    /// - Returns: the answer, or `nil` if it follows through the responder.
    func finish() -> Answer?
    /// The body will never be complete: the client is gone, too slow, or sent too much.
    func abandon()
}

/// Collects a small body in memory, up to the receipt's limit.
package final class CollectedBody: BodySink, @unchecked Sendable {
    // Sendable because a connection's loop makes every call.
    private var bytes: [UInt8] = []
    private let action: @Sendable ([UInt8]) -> Answer

    package init(_ action: @escaping @Sendable ([UInt8]) -> Answer) {
        self.action = action
    }

    package func begin(_ responder: Responder) {}

    package func write(_ span: Span<UInt8>) -> Bool {
        for index in span.indices { bytes.append(span[index]) }
        return true
    }

    package func finish() -> Answer? { action(bytes) }
    package func abandon() {}
}

/// The slow taker of a queued body, such as a disk.
package protocol BodyConsumer: Sendable {
    /// - Returns: an answer when the rest of the body is not needed. Nothing more is consumed then, and `complete` and
    ///   `abandon` are not called.
    func consume(_ bytes: [UInt8]) -> Answer?
    func complete() -> Answer
    func abandon()
}

/// Consumes a body on a queue, with a bounded number of bytes waiting. While the queue is behind, the server does
/// not read from the client.
package final class QueuedBody: BodySink {
    /// The number of bytes by which the network may be ahead of the consumer.
    static let window = 256 * 1_024
    /// The cost of a piece besides its bytes. Without it, a body in chunks of one byte would fill the window with
    /// a quarter of a million pieces, each of which takes far more memory than what it carries.
    static let pieceCost = 256

    private struct State {
        var outstanding = 0
        var isPaused = false
        /// The consumer has answered, or the body was given up.
        var isOver = false
        var responder: Responder?
    }

    private let queue: any ThreadQueue
    private let consumer: any BodyConsumer
    private let state = Guarded(State())

    package init(queue: any ThreadQueue, consumer: any BodyConsumer) {
        self.queue = queue
        self.consumer = consumer
    }

    package func begin(_ responder: Responder) {
        state.withLock { $0.responder = responder }
    }

    package func write(_ span: Span<UInt8>) -> Bool {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(span.count)
        for index in span.indices { bytes.append(span[index]) }
        let count = bytes.count + QueuedBody.pieceCost
        let isFull = state.withLock { state in
            state.outstanding += count
            state.isPaused = state.outstanding >= QueuedBody.window
            return state.isPaused
        }
        queue.async { [self, bytes] in
            if !state.withLock({ $0.isOver }), let answer = consumer.consume(bytes) {
                state.withLock { $0.isOver = true }
                state.withLock { $0.responder }?.answer(answer)
            }
            let resumed = state.withLock { state -> Responder? in
                state.outstanding -= count
                guard state.isPaused, state.outstanding < QueuedBody.window / 2 else { return nil }
                state.isPaused = false
                return state.responder
            }
            resumed?.resume()
        }
        return !isFull
    }

    package func finish() -> Answer? {
        queue.async { [self] in
            guard !state.withLock({ $0.isOver }) else { return }
            let responder = state.withLock { $0.responder }
            responder?.answer(consumer.complete())
        }
        return nil
    }

    package func abandon() {
        queue.async { [self] in
            guard !state.withLock({ $0.isOver }) else { return }
            state.withLock { $0.isOver = true }
            consumer.abandon()
        }
    }
}
