internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetLive

/// The stream of events to one page.
final class PageStream: StreamSource, LiveSink {
    private struct State {
        var stream: ResponseStream?
        var hasEnded = false
        /// The beginning, which comes before the end also where tasks do not keep their order.
        var beginning: Task<Void, Never>?
    }

    private let page: LivePage?
    private let position: String?
    private let state = Guarded(State())

    /// - Parameters:
    ///   - page: `nil` for one that is over or never was, which the stream says before it ends.
    ///   - position: the numbers of what the page shows.
    init(_ page: LivePage?, after position: String?) {
        self.page = page
        self.position = position
    }

    func begin(_ stream: ResponseStream) {
        state.withLock { $0.stream = stream }
        stream.write(LiveEventText.opening)
        guard let page else { return end(isOver: true) }
        let beginning = LiveThreads.begin { [self] in await page.follow(at: position, self) }
        state.withLock { $0.beginning = beginning }
    }

    func stop() {
        let beginning = state.withLock { state in
            state.hasEnded = true
            state.stream = nil
            return state.beginning
        }
        guard let page else { return }
        LiveThreads.begin { [self] in
            await beginning?.value
            await page.unfollow(self)
        }
    }

    var pendingByteCount: Int { state.withLock { $0.stream?.pendingByteCount ?? 0 } }

    func write(at position: String, _ changes: [UInt8]) {
        send(LiveEventText.changes(changes, at: position))
    }

    func beat() { send(LiveEventText.beat) }

    func end(isOver: Bool) {
        if isOver { send(LiveEventText.over) }
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
