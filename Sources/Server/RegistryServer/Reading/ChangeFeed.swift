internal import RegistryContract
internal import WidgetBytes
internal import WidgetHTTPServer
internal import WidgetRegistry
internal import WidgetSurroundings

/// The timing and limits of event streams.
package struct EventStreamOptions: Sendable {
    /// A comment is sent this often, so that proxies and clients do not give up.
    package var heartbeat = Duration.seconds(15)
    /// The bytes that may wait for one client before its stream is ended, so that it reconnects.
    package var backlogByteCount = 256 << 10
    /// The time for which a client waits before it reconnects.
    package var retryMilliseconds = 3_000

    package init() {}
}

/// Sends changes to the clients that listen.
///
/// A change is written once for all listeners. A client that is behind is brought up from the catalog, page by page
/// and no faster than the client reads; only then does a subscription hear of changes as they happen.
final class ChangeFeed: Sendable {
    private struct State {
        /// The subscriptions that have every change up to `latest`.
        var live: [ObjectIdentifier: ChangeSubscription] = [:]
        var latest: Int64 = 0
        var beats = false
    }

    let options: EventStreamOptions
    private let work: WorkQueue
    private let state = Guarded(State())
    /// Hands out changes one after the other, so that no writer waits for it.
    private let queue: any ThreadQueue
    private let clock: any Clock

    private static let pageLimit = 500
    private static let heartbeat = Array(":\n\n".utf8)
    /// The pause after a page of which the client gets nothing. Such pages cost the client nothing, so nothing else would
    /// keep one stream from taking all turns of the queue.
    static let scanPause = Duration.milliseconds(10)

    init(work: WorkQueue, in world: World, options: EventStreamOptions) {
        self.work = work
        queue = world.threads.queue("widgetd.feed")
        clock = world.clock
        self.options = options
    }

    /// Sends a change to the subscriptions. Changes come in their order.
    func publish(_ change: RegistryChange) {
        queue.async { [self] in
            let listeners = state.withLock { state in
                state.latest = max(state.latest, change.tag)
                return Array(state.live.values)
            }
            guard !listeners.isEmpty else { return }
            let event = ChangeDocument(change).event
            for listener in listeners { write(to: listener) { $0.write(change, event) } }
        }
    }

    func remove(_ subscription: ChangeSubscription) {
        state.withLock { _ = $0.live.removeValue(forKey: ObjectIdentifier(subscription)) }
    }

    /// Reads the changes that a subscription has missed, and lets it listen when none is left.
    func catchUp(_ subscription: ChangeSubscription) {
        work.run { [self] in
            guard !subscription.isStopped else { return }
            guard subscription.pendingByteCount < options.backlogByteCount / 2 else {
                return subscription.whenPendingBytes(areBelow: options.backlogByteCount / 2) { [self] in catchUp($0) }
            }
            let page: Page<RegistryChange>
            do throws(RegistryError) {
                page = try subscription.missed(limit: ChangeFeed.pageLimit)
            } catch {
                // The answer has begun, so all that is left is to end it; the client comes back.
                subscription.end()
                return
            }
            let isSilent = !subscription.write(page.items)
            guard page.next != nil || !join(subscription) else { return }
            guard isSilent, page.next != nil else { return catchUp(subscription) }
            _ = clock.call(after: ChangeFeed.scanPause) { [self] in catchUp(subscription) }
        }
    }

    /// - Returns: true if the subscription listens now; false after a change in between.
    private func join(_ subscription: ChangeSubscription) -> Bool {
        let position = subscription.position
        let (joined, begins) = state.withLock { state in
            guard state.latest <= position else { return (false, false) }
            state.live[ObjectIdentifier(subscription)] = subscription
            defer { state.beats = true }
            return (true, !state.beats)
        }
        // Stopped while it joined, it would stay for ever.
        if joined, subscription.isStopped { remove(subscription) }
        if begins { beat() }
        return joined
    }

    /// Sends heartbeats while subscriptions listen.
    private func beat() {
        _ = clock.call(after: options.heartbeat) { [self] in
            queue.async { [self] in
                let listeners = state.withLock { state in
                    state.beats = !state.live.isEmpty
                    return Array(state.live.values)
                }
                for listener in listeners { write(to: listener) { $0.write(heartbeat: ChangeFeed.heartbeat) } }
                if !listeners.isEmpty { beat() }
            }
        }
    }

    private func write(to listener: ChangeSubscription, _ body: (ChangeSubscription) -> Void) {
        guard listener.pendingByteCount < options.backlogByteCount else {
            remove(listener)
            listener.end()
            return
        }
        body(listener)
    }
}

/// One client of the feed: first what it missed, then what happens.
final class ChangeSubscription: StreamSource {
    private struct State {
        var stream: ResponseStream?
        /// The last change that was written, or left out because it is hidden from the client.
        var position: Int64
        /// The last change that the client can name when it comes back.
        var namedPosition: Int64
        var isStopped = false

        /// An identifier without data, if the client does not know the position. It brings no event, and a client that comes
        /// back continues from it, instead of having everything read again that was left out.
        mutating func place() -> [UInt8] {
            guard position > namedPosition else { return [] }
            namedPosition = position
            return Array("id: \(position)\n\n".utf8)
        }
    }

    private let feed: ChangeFeed
    private let registry: Registry
    private let reader: Reader
    private let filter: ChangeFilter
    /// True for a client that does not know where it begins.
    private let tellsPlace: Bool
    private let state: Guarded<State>

    init(
        _ feed: ChangeFeed, of registry: Registry, for reader: Reader, _ filter: ChangeFilter, since: Int64,
        tellsPlace: Bool
    ) {
        self.feed = feed
        self.registry = registry
        self.reader = reader
        self.filter = filter
        self.tellsPlace = tellsPlace
        state = Guarded(State(position: since, namedPosition: since))
    }

    var position: Int64 { state.withLock { $0.position } }
    var isStopped: Bool { state.withLock { $0.isStopped } }
    var pendingByteCount: Int { state.withLock { $0.stream?.pendingByteCount ?? 0 } }

    /// Calls the action once the client has read more.
    func whenPendingBytes(areBelow limit: Int, _ action: @escaping @Sendable (ChangeSubscription) -> Void) {
        let stream = state.withLock { $0.stream }
        stream?.whenPendingBytes(areBelow: limit) { [weak self] in if let self { action(self) } }
    }

    /// Changes that the client does not have yet.
    func missed(limit: Int) throws(RegistryError) -> Page<RegistryChange> {
        try registry.changes(since: position, limit: limit)
    }

    func begin(_ stream: ResponseStream) {
        // An identifier without data brings no event, and a client that comes back continues from it.
        let place = tellsPlace ? "id: \(position)\n" : ""
        state.withLock { $0.stream = stream }
        stream.write(Array("retry: \(feed.options.retryMilliseconds)\n\(place)\n".utf8))
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

    private func shows(_ change: RegistryChange) -> Bool {
        filter.includes(change.bundleIdentifier) && reader.sees(change.bundleIdentifier)
    }

    /// Writes changes that follow each other, except those that the client has already or that are hidden from it, and the
    /// place behind them.
    ///
    /// - Returns: false if all of them were left out.
    func write(_ changes: [RegistryChange]) -> Bool {
        // Most changes of a narrowed feed are left out, before their bytes are made.
        let shown = changes.filter(shows)
        let events = shown.map { ChangeDocument($0).event }
        state.withLock { state in
            var bytes: [UInt8] = []
            for (change, event) in zip(shown, events) where change.tag > state.position {
                bytes += event
                state.namedPosition = change.tag
            }
            state.position = max(state.position, changes.last?.tag ?? 0)
            bytes += state.place()
            if !state.isStopped, !bytes.isEmpty { state.stream?.write(bytes) }
        }
        return !shown.isEmpty
    }

    /// Writes a change that follows the others.
    func write(_ change: RegistryChange, _ event: [UInt8]) {
        let isShown = shows(change)
        state.withLock { state in
            guard change.tag > state.position else { return }
            state.position = change.tag
            guard isShown else { return }
            state.namedPosition = change.tag
            if !state.isStopped { state.stream?.write(event) }
        }
    }

    /// Writes a comment, so that proxies do not take the silence for an end, and the place that has been reached.
    func write(heartbeat: [UInt8]) {
        state.withLock { state in
            let bytes = heartbeat + state.place()
            if !state.isStopped { state.stream?.write(bytes) }
        }
    }
}
