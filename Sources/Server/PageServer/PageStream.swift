internal import Bytes
internal import HTTPServer
internal import WidgetLive

/// The stream of events to the page of one viewing.
final class PageStream: StreamSource, LiveSink {
    private struct State {
        var stream: ResponseStream?
        var hasEnded = false
        /// The beginning, which comes before the end also where tasks do not keep their order.
        var beginning: Task<Void, Never>?
    }

    private let viewing: (any LiveViewing)?
    private let position: String?
    private let state = Guarded(State())

    /// - Parameters:
    ///   - viewing: `nil` for one that is over or never was, which the stream says before it ends.
    ///   - position: the view that the page shows, or those of its widgets.
    init(_ viewing: (any LiveViewing)?, after position: String?) {
        self.viewing = viewing
        self.position = position
    }

    /// Proxies that collect an answer's first bytes pass on what follows them.
    private static let opening = Array(":\(String(repeating: " ", count: 2_048))\n\n".utf8)

    func begin(_ stream: ResponseStream) {
        state.withLock { $0.stream = stream }
        stream.write(PageStream.opening)
        guard let viewing else { return end(isOver: true) }
        let beginning = LiveThreads.begin { [self] in await viewing.follow(at: position, self) }
        state.withLock { $0.beginning = beginning }
    }

    func stop() {
        let beginning = state.withLock { state in
            state.hasEnded = true
            state.stream = nil
            return state.beginning
        }
        guard let viewing else { return }
        LiveThreads.begin { [self] in
            await beginning?.value
            await viewing.unfollow(self)
        }
    }

    var pendingByteCount: Int { state.withLock { $0.stream?.pendingByteCount ?? 0 } }

    func write(_ number: Int, _ operations: [UInt8]) { write(at: "\(number)", operations) }

    func write(at position: String, _ changes: [UInt8]) {
        send(Array("id: \(position)\ndata: ".utf8) + changes + [0x0A, 0x0A])
    }

    func beat() { send(Array("event: b\ndata:\n\n".utf8)) }

    func end(isOver: Bool) {
        if isOver { send(Array("event: o\ndata:\n\n".utf8)) }
        let stream = state.withLock { state in
            defer { state.hasEnded = true }
            return state.hasEnded ? nil : state.stream
        }
        stream?.end()
    }

    private func send(_ bytes: [UInt8]) {
        state.withLock { state in
            if !state.hasEnded { state.stream?.write(bytes) }
        }
    }
}
