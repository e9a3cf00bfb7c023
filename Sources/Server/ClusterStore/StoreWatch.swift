internal import Dispatch
internal import WidgetBytes
package import WidgetRegistry
package import WidgetSurroundings

/// Looks at a store of archives again and again: whether it answers, and whether it is still the catalog's.
///
/// Looks have a thread for themselves. A question that hangs there, as on a file system that is gone, is a trouble as well.
package final class StoreWatch: Sendable {
    package struct Pace: Sendable {
        /// The time between two looks.
        package var period = Duration.seconds(3)
        /// The time after which a question hangs.
        package var patience = Duration.seconds(8)
        /// The time for which a start waits for the first look.
        package var start = Duration.seconds(12)

        package init() {}
    }

    private struct State {
        var isProven = false
        var trouble: StoreTrouble? = .silent(StoreWatch.unasked)
        /// True after a look without an answer, or one that found another store, where one look proves nothing yet.
        var isInDoubt = false
        /// True until a look has written the mark: at the start, and after a write of others was refused.
        var wantsWrite = true
        var observer: (@Sendable (StoreTrouble?) -> Void)?
        var shown: StoreTrouble?
        /// When the trouble began.
        var since: ContinuousClock.Instant?
    }

    static let unasked = "it has not answered yet"

    private let store: TimedStore
    private let proof: StoreProof
    private let pace: Pace
    private let world: World
    private let ending: StopSignal
    private let opened: @Sendable () throws(RegistryError) -> Void
    private let state = Guarded(State())

    /// - Parameter opened: called after each look that has proven the store.
    package init(
        _ store: any MarkedStore, _ catalog: any TiedCatalog, _ pace: Pace = Pace(), in world: World,
        opened: @escaping @Sendable () throws(RegistryError) -> Void
    ) {
        self.store = TimedStore(store, world.clock, pace.patience)
        proof = StoreProof(self.store, catalog, world.chance)
        self.pace = pace
        self.world = world
        self.opened = opened
        ending = StopSignal(world.clock)
        let state = state
        catalog.showStore { state.withLock { $0.trouble }?.reason ?? "ok" }
        self.store.onHang { [weak self] in
            let seconds = pace.patience.components.seconds
            self?.note(.silent("a question to it was not answered within \(seconds) s"), isSure: true)
        }
    }

    /// Begins to look, and waits for the first look.
    ///
    /// - Returns: the reason why the store cannot be used at all; `nil` also where it does not answer, which may end.
    package func begin() -> RegistryError? {
        let (first, isOver) = (Guarded<RegistryError?>(nil), DispatchSemaphore(value: 0))
        world.threads.queue("widgetd.store").async { [self] in
            let refusal = look()
            first.withLock { $0 = refusal }
            isOver.signal()
            while !ending.rest(for: isInDoubt ? .zero : pace.period) { _ = look() }
        }
        let alarm = world.clock.call(after: pace.start) { isOver.signal() }
        isOver.wait()
        alarm.cancel()
        return first.withLock { $0 }
    }

    package func end() { ending.give() }

    /// Calls `observer` with a trouble from before as well: a start may not have reached the store.
    package func follow(_ observer: @escaping @Sendable (StoreTrouble?) -> Void) {
        let trouble = state.withLock { state in
            state.observer = observer
            return state.shown
        }
        if let trouble { observer(trouble) }
    }

    /// True while the store is known to be the catalog's.
    package var isProven: Bool { state.withLock { $0.isProven } }

    package var trouble: StoreTrouble? { state.withLock { $0.trouble } }

    /// The time for which there has been trouble without a break.
    package var troubled: Duration {
        let now = world.clock.now
        return state.withLock { $0.since }.map { now - $0 } ?? .zero
    }

    /// Has the next look write. What was refused may be the fault of one request, and then the look says nothing.
    package func tryWriting() { state.withLock { $0.wantsWrite = true } }

    /// One failure is tried again at once: a store that answers most questions is in no trouble.
    private var isInDoubt: Bool { state.withLock { $0.isInDoubt } }

    /// Looks that write do so until one has, so that a refusal of writes alone lasts as long as it is true.
    ///
    /// - Returns: the reason why the store cannot be used at all.
    private func look() -> RegistryError? {
        let writes = state.withLock { $0.wantsWrite }
        do throws(StoreProofError) {
            try proof.run(isFirst: writes)
        } catch {
            switch error {
            case .store(.silent(let reason)):
                note(.silent(reason), isSure: !isProven)
                return nil
            case .store(.refused(let reason)):
                note(.refused(reason), isSure: true)
                return .storeRefused(reason)
            case .another(let reason):
                note(.refused(reason), isSure: !isProven, isOther: true)
                return .otherStore(reason)
            case .catalog:
                // The catalog's trouble is its own: what was known of the store stays.
                state.withLock { $0.isInDoubt = false }
                return nil
            }
        }
        do throws(RegistryError) { try opened() } catch {
            note(.refused("\(error)"), isSure: true, isOther: true)
            return .storeRefused("\(error)")
        }
        state.withLock { if writes { $0.wantsWrite = false } }
        note(nil, isSure: true)
        return nil
    }

    /// - Parameters:
    ///   - isSure: false for a finding that needs a second look.
    ///   - isOther: true if the store is not the catalog's.
    private func note(_ trouble: StoreTrouble?, isSure: Bool, isOther: Bool = false) {
        let now = world.clock.now
        let observer = state.withLock { state -> (@Sendable (StoreTrouble?) -> Void)? in
            guard isSure || state.isInDoubt else {
                state.isInDoubt = true
                return nil
            }
            state.isInDoubt = false
            state.trouble = trouble
            if trouble == nil { state.since = nil } else if state.since == nil { state.since = now }
            if trouble == nil { state.isProven = true } else if isOther { state.isProven = false }
            guard state.shown != trouble else { return nil }
            state.shown = trouble
            return state.observer
        }
        observer?(trouble)
    }
}

/// A store whose questions are timed: one that hangs is said by another thread.
private final class TimedStore: MarkedStore {
    private let store: any MarkedStore
    private let clock: any Clock
    private let patience: Duration
    private let hangs: Guarded<(@Sendable () -> Void)?> = Guarded(nil)

    init(_ store: any MarkedStore, _ clock: any Clock, _ patience: Duration) {
        self.store = store
        self.clock = clock
        self.patience = patience
    }

    func onHang(_ act: @escaping @Sendable () -> Void) { hangs.withLock { $0 = act } }

    private func timing<Value>(_ body: () throws(StoreTrouble) -> Value) throws(StoreTrouble) -> Value {
        let alarm = clock.call(after: patience) { [hangs] in hangs.withLock { $0 }?() }
        defer { alarm.cancel() }
        return try body()
    }

    func mark() throws(StoreTrouble) -> String? { try timing { () throws(StoreTrouble) in try store.mark() } }

    func setMark(_ text: String) throws(StoreTrouble) {
        try timing { () throws(StoreTrouble) in try store.setMark(text) }
    }

    func holdsWhole(_ blob: StoredBlob) throws(StoreTrouble) -> Bool {
        try timing { () throws(StoreTrouble) in try store.holdsWhole(blob) }
    }
}
