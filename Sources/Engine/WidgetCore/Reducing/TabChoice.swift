internal import WidgetPredicates

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
        guard let first = store.screens.first(where: { $0.tabs.contains(tab) }) else { return openFirst(of: tab) }
        guard !store.isChosen(tab) else {
            close { $0.tabs.contains(tab) && $0.number != first.number }
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
        guard let shown = program.entries[tab.entry]?.tabs[tab.index],
            let place = store.screens.lastIndex(where: { $0.lies(inBar: tab.bar) })
        else { return }
        let content = store.screens.first { $0.number == tab.bar }?.content ?? .null
        let around = store.screens[place].tabs.prefix { $0.bar != tab.bar }
        let screen = Screen(
            number: store.number(), scene: shown.scene, level: tab.level, hasBar: shown.isNavigation,
            tabs: around + [tab])
        open(screen, content: content, above: place)
    }

    /// Brings an open screen, or the tab that begins with a scene, to the front.
    ///
    /// - Parameter isWanted: true for the screen.
    /// - Returns: false if neither is open.
    mutating func bringForward(_ isWanted: (Screen) -> Bool, scene: String, content: Value) -> Bool {
        if let open = store.screens.last(where: isWanted) {
            for tab in open.tabs where !store.isChosen(tab) { reveal(tab) }
            guard let place = store.place(ofScreen: open.number) else { return false }
            let above = Set(store.screens[(place + 1)...].map { $0.number })
            close { above.contains($0.number) }
            return true
        }
        guard content.isNull, let wanted = tab(beginningWith: scene) else { return false }
        reveal(wanted)
        if !store.screens.contains(where: { $0.tabs.contains(wanted) }) { openFirst(of: wanted) }
        return true
    }

    /// The tab that begins with a scene, of the innermost bar around the screen in front that has one.
    private func tab(beginningWith scene: String) -> TabPlace? {
        for tab in (store.screens.last?.tabs ?? []).reversed() {
            guard let index = program.entries[tab.entry]?.tabs.firstIndex(where: { $0.scene == scene }) else {
                continue
            }
            var wanted = tab
            wanted.index = index
            return wanted
        }
        return nil
    }

    /// Chooses a tab of a bar, from which all that lies above it is closed.
    private mutating func reveal(_ tab: TabPlace) {
        let hidden = store.screens.last { $0.lies(inBar: tab.bar) }?.tabs.first { $0.bar == tab.bar }
        close { screen in screen.level > tab.level && hidden.map(screen.tabs.contains) ?? false }
        store.choose(tab)
    }
}
