internal import WidgetCore
internal import WidgetNib

/// The screens that an interface shows: one, or one behind each of its tabs.
struct InterfaceScreens {
    struct Screen {
        /// The controllers around the screen and its own, from the outside.
        var path: [NibController]
        /// True if it is the first screen of a stack.
        var isNavigation: Bool
        /// The title and the picture of its tab; `nil` without tabs.
        var tab: (title: String, image: String?)?

        var controller: NibController { path[path.count - 1] }

        /// The identifiers of the screens that it and the controllers around it lead to.
        var destinations: Set<String> {
            Set(path.flatMap { $0.segues }.compactMap { $0.destination }).union(path.compactMap { $0.referenced })
        }
    }

    private(set) var screens: [Screen] = []
    /// The number of tabs beyond those that are shown.
    private(set) var leftOut = 0

    /// The most tabs of a bar.
    static let tabCount = 12

    init(_ outermost: NibController, depth: Int, _ translations: Translations) {
        var path = [outermost]
        while path.count <= depth, let last = path.last, let inner = last.children.first {
            if last.element.baseClassName == "UITabBarController" {
                addTabs(path, last.children, depth, translations)
                return
            }
            path.append(inner)
        }
        screens = [Screen(path: path, isNavigation: path.count > 1)]
    }

    /// The finding about tabs that are left out, if there are any.
    func finding(in nib: String) -> Finding? {
        guard leftOut > 0 else { return nil }
        return Finding(
            .warning, .countBudget, "A bar has more than \(InterfaceScreens.tabCount) tabs",
            at: Place(file: "\(nib).nib"), hint: "the first ones are shown")
    }

    private mutating func addTabs(
        _ path: [NibController], _ children: [NibController], _ depth: Int, _ translations: Translations
    ) {
        leftOut = max(children.count - InterfaceScreens.tabCount, 0)
        for (place, child) in children.prefix(InterfaceScreens.tabCount).enumerated() {
            var own = [child]
            while path.count + own.count <= depth, let inner = own[own.count - 1].children.first { own.append(inner) }
            var tab = TabReader.tab(own, translations)
            if tab.title.isEmpty, tab.image == nil { tab.title = "Tab \(place + 1)" }
            screens.append(Screen(path: path + own, isNavigation: own.count > 1, tab: tab))
        }
    }
}

/// Reads the items of tab bars, which the controllers of their screens have.
private enum TabReader {
    /// - Parameter path: the controllers of a tab, from the outside. The first that has a title names it.
    static func tab(_ path: [NibController], _ translations: Translations) -> (title: String, image: String?) {
        let items = path.compactMap { $0.element.element("UITabBarItem") }
        let titles = path.lazy.compactMap { title(of: $0, translations) }
        return (titles.first { !$0.isEmpty } ?? "", items.lazy.compactMap { $0.imageName("UIImage") }.first)
    }

    private static func title(of controller: NibController, _ translations: Translations) -> String? {
        let item = controller.element.element("UITabBarItem")
        let system = item?.integer("UISystemItem").flatMap {
            systemTitles.indices.contains($0) ? systemTitles[$0] : nil
        }
        return item.flatMap { translations.text("UITitle", of: $0) } ?? system
            ?? translations.text("UITitle", of: controller.element) ?? controller.title
    }

    /// By their numbers.
    private static let systemTitles = [
        "More", "Favorites", "Featured", "Top Rated", "Recents", "Contacts", "History", "Bookmarks", "Search",
        "Downloads", "Most Recent", "Most Viewed",
    ]
}

extension Program.Tab {
    init(_ screen: InterfaceScreens.Screen, scene: String) {
        self.init(
            title: screen.tab?.title ?? "", image: screen.tab?.image, scene: scene, isNavigation: screen.isNavigation)
    }
}

/// A screen whose controller is the stand-in of a screen of another storyboard.
struct StandIn {
    var identifier: String
    var reference: String
    var isNavigation: Bool
    /// The place of its tab; `nil` without tabs.
    var tab: Int?
    var bars: ScreenBars

    /// Gives entries the screens that others stand in for, once all storyboards are read. Tabs without a screen are left out.
    ///
    /// - Returns: the bars around those screens.
    static func resolve(
        _ standIns: [StandIn], in entries: inout [String: Program.Entry]
    ) -> [(bars: ScreenBars, scene: String)] {
        var found: [(bars: ScreenBars, scene: String)] = []
        for standIn in standIns {
            guard let entry = entries[standIn.reference] else { continue }
            let isNavigation = entry.isNavigation || standIn.isNavigation
            if let place = standIn.tab {
                entries[standIn.identifier]?.tabs[place].scene = entry.scene
                entries[standIn.identifier]?.tabs[place].isNavigation = isNavigation
            } else if entry.tabs.isEmpty {
                entries[standIn.identifier] = Program.Entry(scene: entry.scene, isNavigation: isNavigation)
            } else {
                entries[standIn.identifier] = entry
            }
            found.append((standIn.bars, entry.scene))
        }
        for (identifier, entry) in entries where !entry.tabs.isEmpty {
            entries[identifier] = Program.Entry(tabs: entry.tabs.filter { !$0.scene.isEmpty })
        }
        return found
    }
}
