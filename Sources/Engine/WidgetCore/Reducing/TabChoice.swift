internal import Predicates

/// Bars of tabs, each of which has a stack of screens.
extension Reducer {
    /// Shows the stack of a tab, as it was left. Another touch of the chosen tab closes all but its first screen.
    mutating func choose(tab index: Int, on number: Int) {
        guard let screen = store.screens.last, screen.number == number, let tab = screen.tab, screen.hasTabs,
            program.entries[tab.entry]?.tabs.indices.contains(index) ?? false
        else {
            refusal = "the element is not on the screen"
            return
        }
        guard store.alerts.isEmpty else {
            refusal = "an alert is in front of the screen: \"\(store.alerts[0].title)\""
            return
        }
        var wanted = tab
        wanted.index = index
        choose(wanted)
    }

    private mutating func choose(_ tab: TabPlace) {
        guard let first = store.screens.first(where: { $0.tab == tab }) else { return openFirst(of: tab) }
        guard !store.isChosen(tab) else {
            close { $0.tab == tab && $0.number != first.number }
            return
        }
        store.choose(tab)
        if let visible = store.screens.last {
            note(.navigation, "tab \(visible.scene)")
            push(.appearing, screen: visible.number)
        }
    }

    /// Opens the first screen of a tab, with the content that its bar was opened with.
    private mutating func openFirst(of tab: TabPlace) {
        guard let shown = program.entries[tab.entry]?.tabs[tab.index] else { return }
        let content = store.screens.first { $0.number == tab.bar }?.content ?? .null
        let place = store.screens.lastIndex { $0.tab?.bar == tab.bar }.map { $0 + 1 }
        let screen = Screen(
            number: store.number(), scene: shown.scene, level: tab.level, hasBar: shown.isNavigation, tab: tab)
        open(screen, content: content, at: place)
    }

    /// Brings an open screen, or the tab that begins with a scene, to the front.
    ///
    /// - Parameter isWanted: true for the screen.
    /// - Returns: false if neither is open.
    mutating func bringForward(_ isWanted: (Screen) -> Bool, scene: String, content: Value) -> Bool {
        if let open = store.screens.last(where: isWanted) {
            if let tab = open.tab { reveal(tab) }
            guard let place = store.place(ofScreen: open.number) else { return false }
            let above = Set(store.screens[(place + 1)...].map(\.number))
            close { above.contains($0.number) }
            return true
        }
        guard content.isNull, let tab = store.screens.last?.tab,
            let index = program.entries[tab.entry]?.tabs.firstIndex(where: { $0.scene == scene })
        else { return false }
        var wanted = tab
        wanted.index = index
        reveal(wanted)
        if !store.screens.contains(where: { $0.tab == wanted }) { openFirst(of: wanted) }
        return true
    }

    /// Chooses a tab of a bar, from which all that lies above it is closed.
    private mutating func reveal(_ tab: TabPlace) {
        close { $0.tab.map { $0.bar > tab.bar } ?? false }
        guard !store.isChosen(tab) else { return }
        close { $0.tab?.bar == tab.bar && $0.level > tab.level }
        store.choose(tab)
    }
}
