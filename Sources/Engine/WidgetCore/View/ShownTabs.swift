internal import WidgetPredicates

/// The tabs that a screen shows at its bottom.
extension Evaluation {
    /// The tabs at the bottom of the screen, and the scene whose bar they have. A screen that is pushed from elsewhere too
    /// has no bar itself, and shows that of its tab.
    var shownTabs: (tabs: [Program.Tab], chosen: Int, scene: String)? {
        let screen = scope.screen
        guard let tab = screen.tab, screen.hasTabs, !hidesTabs(tab),
            let tabs = scope.program.entries[tab.entry]?.tabs, tabs.indices.contains(tab.index)
        else { return nil }
        let owner = scene.tabBar == nil ? scope.program.scenes[tabs[tab.index].scene] : scene
        guard let owner, let bar = owner.tabBar, !bar.isHidden else { return nil }
        return (tabs, tab.index, owner.name)
    }

    /// True for a screen that is pushed without the tabs, or on one that is.
    private func hidesTabs(_ tab: TabPlace) -> Bool {
        let place = store.place(ofScreen: scope.screen.number) ?? 0
        return store.screens[...place].contains { screen in
            screen.tab == tab && screen.hasTabs && screen.hasBar
                && scope.program.scenes[screen.scene]?.edges.hidesBottomBar ?? false
        }
    }

    /// The tabs at the bottom of the screen, with the chosen one.
    func tabs() -> ViewNode? {
        guard let (tabs, chosen, _) = shownTabs else { return nil }
        let number = scope.screen.number
        let children = tabs.enumerated().map { place, tab in
            var properties = tab.image.map { [ViewProperty(.image, .string($0))] } ?? []
            properties.append(ViewProperty(.selected, .boolean(place == chosen)))
            properties.append(ViewProperty(.text, .string(tab.title)))
            return ViewNode(
                ViewKey(screen: number, node: ViewKey.tab(place)), .tab, properties: properties, events: [.tap])
        }
        return ViewNode(ViewKey(screen: number, node: ViewKey.tabs), .tabs, children: children)
    }
}
