package import HTTPWire
internal import Synchronization
internal import WidgetBytes
internal import WidgetSockets

/// A route's decision about a request.
package enum Answer: Sendable {
    /// A stored representation: the engine applies conditions, ranges, negotiation and HEAD.
    case resource(Resource)
    /// An answer made for this request.
    case response(Response)
    case problem(Problem)
    /// A refusal of the engine, explained like its others.
    case refused(Refusal)
    /// An unexpected failure. The log gets the reason, the client only the request's identifier.
    case failed(String)
    /// The body is wanted; its sink answers.
    case readBody(BodyReceipt)
    /// The answer follows through the responder, from any thread.
    case later(@Sendable (Responder) -> Void)

    /// The same with a change, also where it comes later.
    func changed(by change: @escaping @Sendable (Answer) -> Answer) -> Answer {
        guard case .later(let begin) = self else { return change(self) }
        return .later { begin($0.changing(change)) }
    }

    /// True for a refusal, which holds without the rest of the request.
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
    /// True for a body with marks (``RootPath``).
    package let lacksRoot: Bool

    /// - Parameter lacksRoot: true for a body in which marks stand for the path below which clients see the server.
    package init(_ status: Status, fields: FieldBlock = FieldBlock(), body: [UInt8] = [], lacksRoot: Bool = false) {
        self.status = status
        self.fields = fields
        self.body = .bytes(body)
        self.lacksRoot = lacksRoot
    }

    package init(_ status: Status, fields: FieldBlock, stream: any StreamSource) {
        self.status = status
        self.fields = fields
        self.body = .stream(stream)
        lacksRoot = false
    }
}

/// The handle by which any thread answers a request whose turn is over.
///
/// It names a connection without owning it: when the connection is gone, its answer is discarded.
package struct Responder: Sendable {
    private let loop: ServerLoop
    private let token: UInt64
    /// Distinguishes this request from the next one on the same connection.
    let number: UInt64
    /// Made of an answer before it is sent.
    private var change: (@Sendable (Answer) -> Answer)?

    init(loop: ServerLoop, token: UInt64, number: UInt64) {
        self.loop = loop
        self.token = token
        self.number = number
    }

    /// Answers. A second answer to the same request is ignored.
    package func answer(_ answer: Answer) {
        guard let change else { return loop.loop.perform { [self] in loop.answer(token, number, with: answer) } }
        var plain = self
        plain.change = nil
        let changed = change(answer)
        // The change may take its time as well.
        if case .later(let begin) = changed { begin(plain) } else { plain.answer(changed) }
    }

    /// The same with a change that comes before those that it makes already.
    func changing(_ change: @escaping @Sendable (Answer) -> Answer) -> Responder {
        var responder = self
        let later = self.change
        responder.change = { answer in later.map { change(answer).changed(by: $0) } ?? change(answer) }
        return responder
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
    private typealias Waiter = (limit: Int, action: @Sendable () -> Void)

    private let count = Atomic<Int>(0)
    private let isAwaited = Atomic<Bool>(false)
    private let waiter = Guarded<Waiter?>(nil)

    var byteCount: Int { count.load(ordering: .relaxed) }

    func add(_ byteCount: Int) { count.add(byteCount, ordering: .relaxed) }

    // Each side writes its word before it reads the other's, in one order for all: one of them sees both.

    func remove(_ byteCount: Int) {
        count.subtract(byteCount, ordering: .sequentiallyConsistent)
        if isAwaited.load(ordering: .sequentiallyConsistent) { notify() }
    }

    func whenBelow(_ limit: Int, _ action: @escaping @Sendable () -> Void) {
        waiter.withLock { $0 = (limit, action) }
        isAwaited.store(true, ordering: .sequentiallyConsistent)
        notify()
    }

    private func notify() {
        let left = count.load(ordering: .sequentiallyConsistent)
        let action = waiter.withLock { waiter -> (@Sendable () -> Void)? in
            guard let present = waiter, left < present.limit else { return nil }
            waiter = nil
            isAwaited.store(false, ordering: .sequentiallyConsistent)
            return present.action
        }
        action?()
    }
}

/// The writing end of a streamed answer.
package struct ResponseStream: Sendable {
    private let responder: Responder
    private let backlog: StreamBacklog

    init(responder: Responder, backlog: StreamBacklog) {
        self.responder = responder
        self.backlog = backlog
    }

    /// The number of bytes that wait to be sent. A source whose client cannot keep up sees this grow, and pauses.
    package var pendingByteCount: Int { backlog.byteCount }

    /// Calls the action once fewer bytes wait, on a thread of the server; at once if they are fewer already, and never if the
    /// client leaves. The action is short, and replaces one that waits. It refers to the stream weakly: the stream keeps it.
    package func whenPendingBytes(areBelow limit: Int, _ action: @escaping @Sendable () -> Void) {
        backlog.whenBelow(limit, action)
    }

    package func write(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        backlog.add(bytes.count)
        responder.write(bytes, backlog)
    }

    package func end() {
        responder.end()
    }
}

/// A file held open for sending, for as long as an answer needs it.
package final class OpenFile: Sendable {
    let descriptor: Int32
    /// The owner, which closes the descriptor; without one, this object does.
    private let owner: (any AnyObject & Sendable)?

    /// Takes the descriptor over.
    package init(owning descriptor: Int32) {
        self.descriptor = descriptor
        owner = nil
    }

    /// Keeps the descriptor's owner, which closes it when it is gone.
    package init(_ descriptor: Int32, of owner: any AnyObject & Sendable) {
        self.descriptor = descriptor
        self.owner = owner
    }

    deinit {
        if owner == nil { Socket.close(descriptor) }
    }
}
