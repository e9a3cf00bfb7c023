internal import Bytes
internal import Dispatch
package import Registry
package import Surroundings

/// Looks at a store of archives again and again: whether it answers, and whether it is still the catalog's.
///
/// A look has a thread for itself, and one that hangs, as on a file system that is gone, is a trouble as well.
package final class StoreWatch: Sendable {
    package struct Pace: Sendable {
        /// The time between two looks.
        package var period = Duration.seconds(3)
        /// The time after which a look hangs.
        package var patience = Duration.seconds(8)
        /// The time for which a start waits for the first look.
        package var start = Duration.seconds(12)

        package init() {}
    }

    private struct State {
        var isProven = false
        var trouble: StoreTrouble? = .silent("it has not answered yet")
        /// Looks in a row that were not answered, or found another store.
        var doubts = 0
        var lookBegan: ContinuousClock.Instant?
        var observer: (@Sendable (StoreTrouble?) -> Void)?
        var shown: StoreTrouble?
    }

    private let proof: StoreProof
    private let catalog: any TiedCatalog
    private let pace: Pace
    private let world: World
    private let ending: StopSignal
    private let opened: @Sendable () throws(RegistryError) -> Void
    private let state = Guarded(State())

    /// - Parameter opened: called each time that the store was proven and had not been before.
    package init(
        _ proof: StoreProof, _ catalog: any TiedCatalog, _ pace: Pace = Pace(), in world: World,
        opened: @escaping @Sendable () throws(RegistryError) -> Void
    ) {
        self.proof = proof
        self.catalog = catalog
        self.pace = pace
        self.world = world
        self.opened = opened
        ending = StopSignal(world.clock)
    }

    /// Begins to look, and waits for the first look.
    ///
    /// - Returns: the reason why the store cannot be used at all; `nil` also where it does not answer, which may end.
    package func begin() -> String? {
        let (first, isOver) = (Guarded<String?>(nil), DispatchSemaphore(value: 0))
        world.threads.queue("widgetd.store").async { [self] in
            let refusal = look(isFirst: true)
            first.withLock { $0 = refusal }
            isOver.signal()
            while !ending.rest(for: isInDoubt ? .zero : pace.period) { _ = look(isFirst: false) }
        }
        let alarm = world.clock.call(after: pace.start) { isOver.signal() }
        isOver.wait()
        alarm.cancel()
        return first.withLock { $0 }
    }

    package func end() { ending.give() }

    package func follow(_ observer: @escaping @Sendable (StoreTrouble?) -> Void) {
        state.withLock { $0.observer = observer }
    }

    /// True while the store is known to be the catalog's.
    package var isProven: Bool { state.withLock { $0.isProven } }

    package var trouble: StoreTrouble? {
        let now = world.clock.now
        return state.withLock { state in
            if let began = state.lookBegan, now - began >= pace.patience {
                return .silent("a look at it has not ended within \(pace.patience.components.seconds) s")
            }
            return state.trouble
        }
    }

    /// One failure is tried again at once: a store that answers most questions is in no trouble.
    private var isInDoubt: Bool { state.withLock { $0.doubts == 1 } }

    /// - Returns: the reason why the store cannot be used at all.
    private func look(isFirst: Bool) -> String? {
        let began = world.clock.now
        let wasProven = state.withLock { state in
            state.lookBegan = began
            return state.isProven
        }
        var refusal: String?
        do throws(StoreProofError) {
            try proof.run(isFirst: isFirst)
            do throws(RegistryError) {
                if !wasProven { try opened() }
                note(nil, isProven: true)
            } catch {
                note(.refused("\(error)"), isProven: false)
                refusal = "\(error)"
            }
        } catch .store(let trouble) {
            note(trouble, isProven: wasProven)
            if case .refused(let reason) = trouble { refusal = reason }
        } catch .another(let reason) {
            note(.refused(reason), isProven: false, isSudden: wasProven)
            refusal = reason
        } catch {
            // The catalog's trouble is its own: what was known of the store stays.
            state.withLock { $0.lookBegan = nil }
        }
        return refusal
    }

    /// - Parameter isSudden: true for a finding that needs a second look.
    private func note(_ trouble: StoreTrouble?, isProven: Bool, isSudden: Bool = false) {
        let news = state.withLock { state -> (trouble: StoreTrouble?, observer: @Sendable (StoreTrouble?) -> Void)? in
            state.lookBegan = nil
            let isSilent = if case .silent? = trouble { true } else { false }
            let needsDoubt = isSudden || isSilent && state.isProven
            if trouble != nil, needsDoubt, state.doubts == 0 {
                state.doubts = 1
                return nil
            }
            state.doubts = trouble == nil ? 0 : 2
            (state.trouble, state.isProven) = (trouble, isProven)
            guard state.shown != trouble, let observer = state.observer else { return nil }
            state.shown = trouble
            return (trouble, observer)
        }
        catalog.note(store: self.trouble?.reason ?? "ok")
        if let news { news.observer(news.trouble) }
    }
}
