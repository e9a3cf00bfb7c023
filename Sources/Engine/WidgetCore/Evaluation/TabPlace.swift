/// The tab in whose stack a screen lies.
package struct TabPlace: Hashable, Sendable {
    /// The number of the bar of tabs, which is opened as screens are.
    package var bar: Int
    /// The entry point that has the tabs.
    package var entry: String
    /// The place of the tab among those of the entry point.
    package var index: Int
    /// The presentation level of the bar. Screens that are presented over it do not show it.
    package var level: Int
}

extension Screen {
    /// True for a screen at whose bottom a bar of tabs lies.
    package var hasTabs: Bool { tab?.level == level }
}

extension Store {
    /// The screen below another in its stack; `nil` for the first one.
    package func screen(below screen: Screen) -> Screen? {
        guard let place = place(ofScreen: screen.number) else { return nil }
        return screens[..<place].last { $0.tab?.bar != screen.tab?.bar || $0.tab == screen.tab }
    }

    /// The screen that the widget began with, if it is open.
    package var first: Screen? { screens.min { $0.number < $1.number } }

    /// True for a tab that is chosen in its bar.
    func isChosen(_ tab: TabPlace) -> Bool { screens.last { $0.tab?.bar == tab.bar }?.tab == tab }

    /// The place for a screen that is shown from another: above all, or above those of a tab that is not chosen.
    func placeForScreen(in tab: TabPlace?) -> Int {
        guard let tab, !isChosen(tab), let last = screens.lastIndex(where: { $0.tab == tab }) else {
            return screens.endIndex
        }
        return last + 1
    }

    /// Brings the screens of a tab above those of the other tabs of its bar.
    mutating func choose(_ tab: TabPlace) {
        let chosen = screens.filter { $0.tab == tab }
        guard !chosen.isEmpty, !isChosen(tab) else { return }
        screens.removeAll { $0.tab == tab }
        let place = screens.lastIndex { $0.tab?.bar == tab.bar }.map { $0 + 1 } ?? screens.endIndex
        screens.insert(contentsOf: chosen, at: place)
    }

    /// The open screens that another program can show, with their scenes in both. A screen that is gone takes those above
    /// it in its stack with it, which would have nothing to return to. A stack stays with its tab, and goes with it.
    func screens(of old: Program, in new: Program) -> [(screen: Screen, before: Scene, scene: Scene)] {
        var kept: [(Screen, Scene, Scene)] = []
        var places: [TabPlace: TabPlace] = [:]
        var gone: Set<TabPlace> = []
        for var screen in screens {
            let tab = screen.tab
            if let tab {
                // Bars with higher numbers were opened above.
                if gone.contains(where: { $0 == tab || $0.bar < tab.bar }) { continue }
                screen.tab = places[tab] ?? tab.moved(to: new, first: screen.scene)
                places[tab] = screen.tab
            }
            if (tab == nil) == (screen.tab == nil), let scene = new.scenes[screen.scene],
                let before = old.scenes[screen.scene]
            {
                kept.append((screen, before, scene))
            } else if let tab {
                gone.insert(tab)
            } else {
                break
            }
        }
        return kept
    }
}

extension TabPlace {
    /// The place of the same tab in another program; `nil` if no tab of its bar begins with the scene.
    fileprivate func moved(to program: Program, first scene: String) -> TabPlace? {
        let tabs = program.entries[entry]?.tabs ?? []
        let isSame = tabs.indices.contains(index) && tabs[index].scene == scene
        guard let found = isSame ? index : tabs.firstIndex(where: { $0.scene == scene }) else { return nil }
        var place = self
        place.index = found
        return place
    }
}
