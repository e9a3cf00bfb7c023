internal import Sockets
internal import Synchronization

/// The handle by which any thread answers a request whose turn is over.
///
/// It names a connection without owning it: when the connection is gone, what is said is dropped.
package struct Responder: Sendable {
    private let loop: ServerLoop
    private let token: UInt64
    /// Tells this request from the next one on the same connection.
    let number: UInt64

    init(loop: ServerLoop, token: UInt64, number: UInt64) {
        self.loop = loop
        self.token = token
        self.number = number
    }

    /// Answers. A second answer to the same request is ignored.
    package func answer(_ answer: Answer) {
        loop.loop.perform { [self] in loop.answer(token, number, with: answer) }
    }

    /// Asks for more of a body after a pause.
    package func resume() {
        loop.loop.perform { [self] in loop.resumeBody(token, number) }
    }

    func write(_ bytes: [UInt8], _ backlog: StreamBacklog) {
        loop.loop.perform { [self] in loop.writeStream(token, number, bytes, backlog) }
    }

    func end() {
        loop.loop.perform { [self] in loop.endStream(token, number) }
    }
}

/// Feeds a streamed answer.
package protocol StreamSource: AnyObject, Sendable {
    /// The head has been sent; the stream may be kept and written to from any thread.
    func begin(_ stream: ResponseStream)
    /// The client is gone, or the server is about to be: nothing more will be sent.
    func stop()
}

/// Bytes accepted for sending and not yet sent.
final class StreamBacklog: Sendable {
    let byteCount = Atomic<Int>(0)
}

/// The writing end of a streamed answer.
package struct ResponseStream: Sendable {
    private let responder: Responder
    private let backlog: StreamBacklog

    init(responder: Responder, backlog: StreamBacklog) {
        self.responder = responder
        self.backlog = backlog
    }

    /// How many bytes wait to be sent. A source whose client cannot keep up sees this grow, and stops.
    package var pendingByteCount: Int { backlog.byteCount.load(ordering: .relaxed) }

    package func write(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        backlog.byteCount.add(bytes.count, ordering: .relaxed)
        responder.write(bytes, backlog)
    }

    package func end() {
        responder.end()
    }
}
