/// A run whose documents are written anew while it lasts, as native widgets do.
extension Store {
    /// A store that continues with other documents.
    package struct Continuation: Sendable {
        package var store: Store
        /// The numbers of the screens whose elements are others now.
        package var moved: [Int]
        /// The numbers of requests that nothing waits for any longer.
        package var dropped: [Int]
    }

    /// This store with the program's other documents. A screen with the elements from before keeps all that it has; of
    /// the others, elements of the same name keep their values. Timers, requests and results that lead to closures
    /// alone stay with every screen.
    package func continued(from old: Program, to new: Program) -> Continuation {
        var store = self
        var moved: Set<Int> = []
        store.screens = []
        for (screen, before, scene) in screens(of: old, in: new) {
            if scene.hasElements(of: before) {
                store.screens.append(screen.continued(from: before, to: scene))
            } else {
                moved.insert(screen.number)
                var other = self.moved(screen, from: before, to: scene)
                other.opener = screen.opener
                if let focus = screen.focus, let name = before.node(focus)?.identifier,
                    case .node(let id) = scene.names[name]
                {
                    other.focus = id
                }
                store.screens.append(other)
            }
        }
        let open = Set(store.screens.map { $0.number })
        for place in store.screens.indices {
            guard let opener = store.screens[place].opener, moved.contains(opener.frame.screen) else { continue }
            store.screens[place].opener =
                opener.result.callClosuresAlone
                ? ScreenOpener(frame: opener.frame.withoutElements, result: opener.result) : nil
        }
        store.requests = requests.compactMap { request in
            guard let screen = request.screen else { return request }
            guard open.contains(screen) else { return nil }
            return moved.contains(screen) ? request.withoutElements : request
        }
        let kept = Set(store.requests.map { $0.number })
        store.timers = timers.compactMap { timer in
            switch timer.purpose {
            case .response(let request, _), .resend(let request): return kept.contains(request) ? timer : nil
            case .steps(let steps, let frame, let name, let every):
                guard open.contains(frame.screen) else { return nil }
                guard moved.contains(frame.screen) else { return timer }
                guard steps.callClosuresAlone else { return nil }
                var timer = timer
                timer.purpose = .steps(steps, frame.withoutElements, name: name, every: every)
                return timer
            }
        }
        return Continuation(
            store: store, moved: moved.sorted(), dropped: requests.map { $0.number }.filter { !kept.contains($0) })
    }
}

extension Screen {
    /// The same screen with a scene of the same elements.
    fileprivate func continued(from before: Scene, to scene: Scene) -> Screen {
        var screen = self
        screen.states = states.filter { scene.states[$0.key] != nil }
        screen.stateExtents = stateExtents.filter { scene.states[$0.key] != nil }
        if scene.observations.count != before.observations.count { screen.observed = [:] }
        for source in before.data where data[source.id] != nil {
            guard let now = scene.data.first(where: { $0.id == source.id }), now.asksTheSame(as: source) else {
                screen.data[source.id] = nil
                continue
            }
        }
        return screen
    }
}

extension Scene {
    /// True if both have the same elements at the same places, so that a number of a node means the same in both.
    fileprivate func hasElements(of other: Scene) -> Bool {
        nodes.count == other.nodes.count && root == other.root
            && zip(nodes, other.nodes).allSatisfy { own, other in
                own.kind == other.kind && own.identifier == other.identifier && own.parent == other.parent
                    && own.children == other.children && own.prototype == other.prototype && own.state == other.state
                    && own.repetition?.template == other.repetition?.template
                    && own.repetition?.empty == other.repetition?.empty
            }
    }
}

extension [Step] {
    /// True if the steps do nothing but call closures, which know no elements.
    fileprivate var callClosuresAlone: Bool {
        allSatisfy { if case .handle(_, nil) = $0 { true } else { false } }
    }
}

extension StepFrame {
    /// The same frame without the element and the items that it began at.
    fileprivate var withoutElements: StepFrame {
        var frame = StepFrame(screen: screen, isOpening: isOpening)
        frame.argument = argument
        return frame
    }
}

extension PendingRequest {
    /// The request without elements, if it is one of closures; else `nil`.
    fileprivate var withoutElements: PendingRequest? {
        guard let origin, origin.data == nil, origin.then.callClosuresAlone, origin.otherwise.callClosuresAlone else {
            return nil
        }
        var request = self
        request.origin?.frame = origin.frame.withoutElements
        return request
    }
}
