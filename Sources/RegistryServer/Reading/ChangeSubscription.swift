internal import HTTPServer
internal import Locks
internal import Registry

/// One client of the feed: first what it missed, then what happens.
final class ChangeSubscription: StreamSource {
    private struct State {
        var stream: ResponseStream?
        /// The last change that was written, or left out because the client may not know of it.
        var position: Int64
        var isStopped = false
    }

    private let feed: ChangeFeed
    private let registry: Registry
    private let reader: Reader
    private let state: Guarded<State>

    init(_ feed: ChangeFeed, of registry: Registry, for reader: Reader, since: Int64) {
        self.feed = feed
        self.registry = registry
        self.reader = reader
        state = Guarded(State(position: since))
    }

    var position: Int64 { state.withLock { $0.position } }
    var isStopped: Bool { state.withLock { $0.isStopped } }
    var pendingByteCount: Int { state.withLock { $0.stream?.pendingByteCount ?? 0 } }

    /// Changes that the client does not have yet.
    func missed(limit: Int) throws(RegistryError) -> Page<RegistryChange> {
        try registry.changes(since: position, limit: limit)
    }

    func begin(_ stream: ResponseStream) {
        state.withLock { $0.stream = stream }
        stream.write(Array("retry: \(feed.options.retryMilliseconds)\n\n".utf8))
        feed.catchUp(self)
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        feed.remove(self)
    }

    /// Ends the answer; the client comes back and names what it saw last.
    func end() {
        let stream = state.withLock { state in
            defer { state.isStopped = true }
            return state.isStopped ? nil : state.stream
        }
        stream?.end()
    }

    /// Writes changes that follow each other, unless the client has them already or may not know of them.
    func write(_ changes: [(change: RegistryChange, event: [UInt8])]) {
        state.withLock { state in
            var bytes: [UInt8] = []
            for (change, event) in changes where change.tag > state.position {
                state.position = change.tag
                if reader.sees(change.bundleIdentifier) { bytes += event }
            }
            if !state.isStopped { state.stream?.write(bytes) }
        }
    }

    /// Something that means nothing, so that nobody on the way takes the silence for an end.
    func write(comment: [UInt8]) {
        state.withLock { state in
            if !state.isStopped { state.stream?.write(comment) }
        }
    }
}
