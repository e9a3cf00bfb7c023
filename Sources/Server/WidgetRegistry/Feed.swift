internal import WidgetBytes

/// One line of the feed: something that can be seen has changed.
package struct RegistryChange: Equatable, Sendable {
    package enum Kind: String, Equatable, Sendable {
        case publish, promote, rollback, withdraw, restore
        /// A channel was deleted, which showed the release.
        case delete
        /// A rule of the operator has removed what was stored of the release.
        case expire
    }

    /// Rises by one with each change.
    package var tag: Int64
    /// Seconds since 1970.
    package var at: Int64
    package var kind: Kind
    package var bundleIdentifier: String
    package var release: String
    /// The channel that moved, and its new sequence, if one did.
    package var channel: String?
    package var sequence: Int64?
    package var by: String
    /// For observers only; it is not stored.
    package var isNewBundle = false

    package init(
        tag: Int64, at: Int64, kind: Kind, bundleIdentifier: String, release: String, channel: String? = nil,
        sequence: Int64? = nil, by: String
    ) {
        self.tag = tag
        self.at = at
        self.kind = kind
        self.bundleIdentifier = bundleIdentifier
        self.release = release
        self.channel = channel
        self.sequence = sequence
        self.by = by
    }
}

/// The observers of changes, and the tag of the last change.
final class Feed: Sendable {
    private struct State {
        var latestTag: Int64
        var observers: [@Sendable (RegistryChange) -> Void] = []
    }

    private let state: Guarded<State>

    init(latestTag: Int64) {
        state = Guarded(State(latestTag: latestTag))
    }

    var latestTag: Int64 { state.withLock { $0.latestTag } }

    func add(_ observer: @escaping @Sendable (RegistryChange) -> Void) {
        state.withLock { $0.observers.append(observer) }
    }

    /// Called by the writer alone, so that every follower gets changes in order.
    func tell(_ changes: [RegistryChange]) {
        guard let last = changes.last else { return }
        let observers = state.withLock { state in
            state.latestTag = last.tag
            return state.observers
        }
        for change in changes {
            for observer in observers { observer(change) }
        }
    }
}
