internal import Bytes

/// Who wants to know of changes, and the last one's tag.
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

    /// Called by the writer alone, so that nobody hears of a later change first.
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
