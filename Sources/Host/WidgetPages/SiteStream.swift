internal import WidgetBytes
internal import WidgetLive

/// The stream of one page, as pieces that a server of the app's own takes one by one.
final class SiteStream: LiveSink {
    private struct State {
        var pieces: [[UInt8]] = []
        var byteCount = 0
        var hasEnded = false
        var waiting: CheckedContinuation<[UInt8]?, Never>?
    }

    /// The server's end. A page forgets its stream when the server no longer has it.
    private final class Reader: Sendable {
        private let stream: SiteStream
        private let page: LivePage
        /// The beginning, which comes before the end.
        private let beginning: Task<Void, Never>

        init(_ stream: SiteStream, _ page: LivePage, after position: String?) {
            self.stream = stream
            self.page = page
            beginning = LiveThreads.begin { await page.follow(at: position, stream) }
        }

        deinit {
            LiveThreads.begin { [stream, page, beginning] in
                await beginning.value
                await page.unfollow(stream)
            }
        }

        func next() async -> [UInt8]? { await stream.next() }
        func cancel() { stream.end(isOver: false) }
    }

    private let state = Guarded(State())

    /// The events of a page.
    ///
    /// - Parameter page: `nil` for one that is over or never was, which the stream says before it ends.
    static func events(of page: LivePage?, after position: String?) -> AsyncStream<[UInt8]> {
        let stream = SiteStream()
        stream.send(LiveEventText.opening)
        guard let page else {
            stream.end(isOver: true)
            return AsyncStream { await stream.next() }
        }
        let reader = Reader(stream, page, after: position)
        return AsyncStream {
            await reader.next()
        } onCancel: {
            reader.cancel()
        }
    }

    /// The next piece; `nil` at the end.
    private func next() async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            let (former, isReady, piece) = state.withLock { state in
                // One reader at a time: a second one takes its place.
                let former = state.waiting
                state.waiting = nil
                if !state.pieces.isEmpty {
                    let piece = state.pieces.removeFirst()
                    state.byteCount -= piece.count
                    return (former, true, piece as [UInt8]?)
                }
                if !state.hasEnded { state.waiting = continuation }
                return (former, state.hasEnded, nil)
            }
            former?.resume(returning: nil)
            if isReady { continuation.resume(returning: piece) }
        }
    }

    private func send(_ bytes: [UInt8]) {
        let waiting = state.withLock { state -> CheckedContinuation<[UInt8]?, Never>? in
            guard !state.hasEnded else { return nil }
            guard let waiting = state.waiting else {
                state.pieces.append(bytes)
                state.byteCount += bytes.count
                return nil
            }
            state.waiting = nil
            return waiting
        }
        waiting?.resume(returning: bytes)
    }

    // MARK: - The page's end

    var pendingByteCount: Int { state.withLock { $0.byteCount } }

    func write(at position: String, _ changes: [UInt8]) {
        send(LiveEventText.changes(changes, at: position))
    }

    func beat() { send(LiveEventText.beat) }

    func end(isOver: Bool) {
        if isOver { send(LiveEventText.over) }
        let waiting = state.withLock { state in
            defer { (state.hasEnded, state.waiting) = (true, nil) }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }
}
