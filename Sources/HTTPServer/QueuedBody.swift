internal import Bytes
package import Dispatch

/// The slow taker of a queued body, such as a disk.
package protocol BodyConsumer: Sendable {
    /// - Returns: an answer when there is no use in the rest; nothing more is consumed then, and `complete` and
    ///   `abandon` are not called.
    func consume(_ bytes: [UInt8]) -> Answer?
    func complete() -> Answer
    func abandon()
}

/// Hands a body to a queue of its own, a bounded number of bytes ahead of it; while the queue is behind, the
/// client is not read from.
package final class QueuedBody: BodySink {
    /// How far the network may be ahead of the consumer.
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

    private let queue: DispatchQueue
    private let consumer: any BodyConsumer
    private let state = Guarded(State())

    package init(queue: DispatchQueue, consumer: any BodyConsumer) {
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
