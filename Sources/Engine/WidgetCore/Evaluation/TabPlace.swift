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
    /// it in its stack with it, which would have nothing to return to.
    func screens(of old: Program, in new: Program) -> [(screen: Screen, before: Scene, scene: Scene)] {
        var kept: [(Screen, Scene, Scene)] = []
        var gone: Set<TabPlace> = []
        for screen in screens {
            // Bars with higher numbers were opened above.
            if let tab = screen.tab, gone.contains(where: { $0 == tab || $0.bar < tab.bar }) { continue }
            let isTabKept = screen.tab.map { new.entries[$0.entry]?.tabs.indices.contains($0.index) ?? false } ?? true
            if isTabKept, let scene = new.scenes[screen.scene], let before = old.scenes[screen.scene] {
                kept.append((screen, before, scene))
            } else if let tab = screen.tab {
                gone.insert(tab)
            } else {
                break
            }
        }
        return kept
    }
}
