import Bytes
import Dispatch
import HTTPServer

/// Answers with the digest of a body.
final class HashingConsumer: BodyConsumer {
    private let collected = Guarded<[UInt8]>([])

    func consume(_ bytes: [UInt8]) -> Answer? {
        collected.withLock { $0 += bytes }
        return nil
    }

    func complete() -> Answer {
        let digest = collected.withLock { Digest.sha256($0)?.hex ?? "" }
        return .response(TestRoutes.bytes(Array(digest.utf8)))
    }

    func abandon() {}
}

/// Takes nothing before it is opened; then counts.
final class GatedConsumer: BodyConsumer {
    private let gate = DispatchSemaphore(value: 0)
    private let state = Guarded((byteCount: 0, isAbandoned: false))
    private let end = DispatchSemaphore(value: 0)

    func open() { gate.signal() }
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// Whether the body was given up, once that is decided.
    func waitUntilAbandoned() -> Bool { end.wait(timeout: .now() + .seconds(20)) == .success }

    func consume(_ bytes: [UInt8]) -> Answer? {
        gate.wait()
        gate.signal()
        state.withLock { $0.byteCount += bytes.count }
        return nil
    }

    func complete() -> Answer { .response(TestRoutes.bytes(Array("\(byteCount)".utf8))) }

    func abandon() { end.signal() }
}

/// Asks for a pause after every stretch of bytes.
final class PausingSink: BodySink {
    private let state = Guarded((responder: Responder?.none, byteCount: 0, isOpen: false))
    let received = Waiting<Int>()
    let abandoned = Waiting<Bool>()

    var byteCount: Int { state.withLock { $0.byteCount } }
    /// Takes everything from now on.
    func open() {
        state.withLock { $0.isOpen = true }
        resume()
    }

    func resume() { state.withLock { $0.responder }?.resume() }
    func answer(_ answer: Answer) { state.withLock { $0.responder }?.answer(answer) }

    func begin(_ responder: Responder) { state.withLock { $0.responder = responder } }

    func write(_ bytes: Span<UInt8>) -> Bool {
        let continues = state.withLock { state in
            state.byteCount += bytes.count
            return state.isOpen
        }
        received.put(bytes.count)
        return continues
    }

    func finish() -> Answer? { .response(TestRoutes.bytes(Array("\(byteCount)".utf8))) }
    func abandon() { abandoned.put(true) }
}

/// A stream that tests write to.
final class TestStream: StreamSource {
    let begun = Waiting<ResponseStream>()
    let stopped = Waiting<Bool>()

    func begin(_ stream: ResponseStream) { begun.put(stream) }
    func stop() { stopped.put(true) }
}

/// A stream of the numbers from 0 to 99 that ends by itself.
final class CountingStream: StreamSource {
    static let text = (0..<100).map { "\($0)\n" }.joined()

    func begin(_ stream: ResponseStream) {
        DispatchQueue.global().async {
            for number in 0..<100 { stream.write(Array("\(number)\n".utf8)) }
            stream.end()
        }
    }

    func stop() {}
}
