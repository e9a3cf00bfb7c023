internal import Predicates

extension Reducer {
    /// How many screens may lie over each other.
    private static let deepest = 50

    /// What a screen hands on: the row's item, or its own content.
    mutating func segueContent(_ expression: Expression?, _ frame: StepFrame) -> Value {
        if let expression { return value(expression, frame) }
        if let content = frame.content { return content }
        return store.place(ofScreen: frame.screen).map { store.screens[$0].content } ?? .null
    }

    mutating func show(_ name: String, content: Value, from frame: StepFrame?) {
        guard let entry = program.entries[name], let scene = program.scenes[entry.scene] else {
            report(
                .error, .unknownScreen, "There is no screen \(name)",
                hint: "there are \(program.entries.keys.sorted().prefix(20).joined(separator: ", "))")
            return
        }
        guard store.screens.count < Reducer.deepest else {
            report(.error, .depthBudget, "More than \(Reducer.deepest) screens lie over each other")
            return
        }
        let current = frame.flatMap { store.place(ofScreen: $0.screen) }.map { store.screens[$0] }
        let level = current.map { entry.isNavigation || !$0.hasBar ? $0.level + 1 : $0.level } ?? 0
        var screen = Screen(
            number: store.number(), scene: scene.name, level: level,
            hasBar: entry.isNavigation || (current?.hasBar ?? false) && level == current?.level)
        if scene.takesContent { screen.content = refreshed(content).kept }
        note(.navigation, "show \(scene.identifier ?? scene.name)")
        store.screens.append(screen)
        for status in scene.statuses { set(screen.number) { $0.statuses[status.id] = StatusState() } }
        for source in scene.sources { update(source, screen.number, isForced: false) }
        // Sources have just been asked; what they gave is shown by what loading triggers.
        pending.removeAll { work in
            if case .trigger(.source, screen.number) = work { true } else { false }
        }
        pending.append(.mounted(screen: screen.number))
        push(.appearing, screen: screen.number)
        push(.loaded, screen: screen.number)
    }

    mutating func begin(_ number: Int) {
        guard let scene = scene(number) else { return }
        push(scene.onLoad, StepFrame(screen: number))
    }

    mutating func goBack() {
        guard let last = store.screens.last else { return }
        let below = store.screens.dropLast().last
        if let below, below.level == last.level {
            close { $0.number == last.number }
        } else if below != nil {
            dismiss(last.number)
        } else {
            refusal = "there is no screen to go back to"
        }
    }

    /// Removes a presented screen and all that were shown from it.
    mutating func dismiss(_ number: Int) {
        guard let place = store.place(ofScreen: number) else { return }
        let level = store.screens[place].level
        guard level > 0 else { return }
        close { $0.level >= level }
    }

    private mutating func close(_ isClosing: (Screen) -> Bool) {
        let closing = store.screens.filter(isClosing)
        guard !closing.isEmpty else { return }
        store.screens.removeAll(where: isClosing)
        for screen in closing {
            note(.navigation, "close \(screen.scene)")
            store.timers.removeAll { $0.screen == screen.number }
            for request in store.requests where request.screen == screen.number {
                effects.append(.cancel(number: request.number))
                forgetProvisional(of: request)
            }
            store.requests.removeAll { $0.screen == screen.number }
        }
        pending.removeAll { work in
            switch work {
            case .step(_, let frame), .run(_, let frame): closing.contains { $0.number == frame.screen }
            default: false
            }
        }
        if let visible = store.screens.last { push(.appearing, screen: visible.number) }
    }
}
