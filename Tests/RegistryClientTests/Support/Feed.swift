import Bytes
import Transfers

/// A registry's feed that a test writes.
final class Feed: Sendable {
    private let listeners = Guarded([AsyncStream<[UInt8]>.Continuation]())

    /// How many listen, and have ever listened.
    var listenerCount: Int { listeners.withLock { $0.count } }

    func send(_ text: String) {
        for listener in listeners.withLock({ $0 }) { listener.yield(Array(text.utf8)) }
    }

    func send(change sequence: Int, _ bundleIdentifier: String = "com.example.Sample", channel: String = "stable") {
        send(
            "id: \(sequence)\ndata: {\"bundleIdentifier\":\"\(bundleIdentifier)\",\"channel\":\"\(channel)\",\"sequence\":\(sequence)}\n\n"
        )
    }

    /// Ends the streams of those who listen now.
    func end() {
        for listener in listeners.withLock({ $0 }) { listener.finish() }
    }

    func listener(_ url: TransferURL) -> any BodySource {
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        listeners.withLock { $0.append(continuation) }
        return Listener(stream)
    }

    private final class Listener: BodySource {
        private let stream: AsyncStream<[UInt8]>

        init(_ stream: AsyncStream<[UInt8]>) { self.stream = stream }

        func next() async throws(TransferError) -> [UInt8]? {
            for await bytes in stream { return bytes }
            return nil
        }

        func cancel() {}
    }
}
