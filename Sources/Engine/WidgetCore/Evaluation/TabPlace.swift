/// A tab of an open bar, in whose stack screens lie.
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
    /// The innermost tab in whose stack the screen lies; `nil` for a screen without tabs around it.
    package var tab: TabPlace? { tabs.last }

    /// True for a screen at whose bottom a bar of tabs lies.
    package var hasTabs: Bool { tab?.level == level }

    /// True for a screen behind any tab of a bar.
    func lies(inBar bar: Int) -> Bool { tabs.contains { $0.bar == bar } }

    /// True for a screen that lies behind another tab of one of these bars.
    func isBeside(_ others: some Sequence<TabPlace>) -> Bool {
        others.contains { other in tabs.contains { $0.bar == other.bar && $0 != other } }
    }
}

extension Store {
    /// The screen below another in its stack; `nil` for the first one.
    package func screen(below screen: Screen) -> Screen? {
        guard let place = place(ofScreen: screen.number) else { return nil }
        return screens[..<place].last { !$0.isBeside(screen.tabs) }
    }

    /// The times that a reader can go back from the screen in front.
    package var backCount: Int {
        var count = 0
        var next = screens.last
        while let screen = next, count < Store.backLimit {
            next = self.screen(below: screen)
            if next != nil { count += 1 }
        }
        return count
    }

    /// More steps back are not counted.
    private static let backLimit = 100

    /// The screen that the widget began with, if it is open.
    package var first: Screen? { screens.min { $0.number < $1.number } }

    /// True for a tab that is chosen in its bar.
    func isChosen(_ tab: TabPlace) -> Bool {
        screens.last { $0.lies(inBar: tab.bar) }?.tabs.contains(tab) ?? false
    }

    /// The place in front of which nothing lies that is shown with a screen: at the end, or the last one behind the
    /// screen's tab, if that is not chosen.
    func front(of screen: Screen?) -> Int? {
        guard let hidden = screen?.tabs.last(where: { !isChosen($0) }) else { return screens.indices.last }
        return screens.lastIndex { $0.tabs.contains(hidden) }
    }

    /// Brings the screens of a tab, and what was shown from them, above those of the other tabs of its bar.
    mutating func choose(_ tab: TabPlace) {
        let chosen = screens.filter { $0.tabs.contains(tab) }
        guard !chosen.isEmpty, !isChosen(tab) else { return }
        screens.removeAll { $0.tabs.contains(tab) }
        let place = screens.lastIndex { $0.lies(inBar: tab.bar) }.map { $0 + 1 } ?? screens.endIndex
        screens.insert(contentsOf: chosen, at: place)
    }

    /// The open screens that another program can show, with their scenes in both. A screen that is gone takes those above
    /// it in its stack with it, which would have nothing to return to. A stack stays with its tab, and goes with it.
    func screens(of old: Program, in new: Program) -> [(screen: Screen, before: Scene, scene: Scene)] {
        var kept: [(screen: Screen, before: Scene, scene: Scene)] = []
        var gone: Set<Int> = []
        var moves = TabMoves(old, new)
        for screen in screens {
            let below = self.screen(below: screen).map { $0.number }
            guard !(below.map(gone.contains) ?? false), let tabs = moves.places(of: screen),
                let scene = new.scenes[screen.scene], let before = old.scenes[screen.scene]
            else {
                gone.insert(screen.number)
                continue
            }
            var screen = screen
            screen.tabs = tabs
            // A screen that begins a stack has a bar if the new program says so.
            let isFirst = self.screen(below: screen)?.level != screen.level
            let hasBar = new.beginsStack(with: screen.scene)
            if isFirst, hasBar != old.beginsStack(with: screen.scene) { screen.hasBar = hasBar }
            kept.append((screen, before, scene))
        }
        return kept
    }
}

extension Program {
    /// True if a screen has a stack, and so a bar, where nothing is below it.
    fileprivate func beginsStack(with scene: String) -> Bool {
        entries.values.contains { entry in
            entry.scene == scene && entry.isNavigation
                || entry.tabs.contains { $0.scene == scene && $0.isNavigation }
        }
    }
}

/// The places that tabs of a program have in another one.
private struct TabMoves {
    private let old: Program
    private let new: Program
    /// The entry points of bars, by their numbers.
    private var entries: [Int: String] = [:]
    private var places: [TabPlace: TabPlace] = [:]

    init(_ old: Program, _ new: Program) {
        (self.old, self.new) = (old, new)
    }

    /// The tabs around a screen; `nil` if one of them is gone. Screens are asked about in their order.
    mutating func places(of screen: Screen) -> [TabPlace]? {
        var tabs: [TabPlace] = []
        for tab in screen.tabs {
            // The lowest screen of a tab is the one that it begins with.
            if places[tab] == nil { places[tab] = moved(tab, first: screen.scene) }
            guard let place = places[tab] else { return nil }
            tabs.append(place)
        }
        return tabs
    }

    /// Tabs of one bar that begin with the same scene keep their order.
    private mutating func moved(_ tab: TabPlace, first scene: String) -> TabPlace? {
        let known = entries[tab.bar] ?? entry(of: tab, first: scene)
        guard let known, let before = old.entries[tab.entry]?.tabs, before.indices.contains(tab.index),
            let now = new.entries[known]?.tabs
        else { return nil }
        entries[tab.bar] = known
        let turn = before[..<tab.index].count { $0.scene == scene }
        let same = now.indices.filter { now[$0].scene == scene }
        guard same.indices.contains(turn) else { return nil }
        var place = tab
        (place.entry, place.index) = (known, same[turn])
        return place
    }

    /// The entry point with the tabs of a bar, which may have another name now.
    private func entry(of tab: TabPlace, first scene: String) -> String? {
        if !(new.entries[tab.entry]?.tabs.isEmpty ?? true) { return tab.entry }
        return new.entries.filter { $0.value.tabs.contains { $0.scene == scene } }.map { $0.key }.min()
    }
}
