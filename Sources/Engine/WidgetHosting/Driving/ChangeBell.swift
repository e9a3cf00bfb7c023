internal import WidgetBytes
internal import WidgetRunning

/// Notifies viewers that what they show may have changed. Each viewer has a stream of its notifications.
package final class ChangeBell: Sendable {
    private struct State {
        var viewers: [Int: AsyncStream<Void>.Continuation] = [:]
        var count = 0
        var hasEnded = false
    }

    private let state = Guarded(State())

    package init() {}

    /// A viewer of a widget that its host has dropped has no more to wait for.
    deinit { end() }

    /// The number of streams that are read.
    package var viewerCount: Int { state.withLock { $0.viewers.count } }

    /// A stream for one viewer, with an element at once. Notifications that a viewer has not read yet are one.
    package func stream() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let number: Int? = state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.count += 1
            state.viewers[state.count] = continuation
            return state.count
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number) }
        return stream
    }

    package func ring() {
        for viewer in state.withLock({ Array($0.viewers.values) }) { viewer.yield() }
    }

    /// Ends all streams.
    package func end() {
        let viewers = state.withLock { state in
            defer { (state.viewers, state.hasEnded) = ([:], true) }
            return Array(state.viewers.values)
        }
        for viewer in viewers { viewer.finish() }
    }

    private func remove(_ number: Int) { state.withLock { _ = $0.viewers.removeValue(forKey: number) } }
}
