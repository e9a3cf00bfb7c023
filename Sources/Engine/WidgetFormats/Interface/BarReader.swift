internal import WidgetCore
internal import WidgetNib

/// Reads bars: those of a stack and of tabs, and those among the views of a screen.
extension LookReader {
    mutating func bar(_ element: NibElement) -> BarGeometry {
        var bar = BarGeometry()
        bar.isDark = (element.integer("UIBarStyle") ?? 0) > 0
        let translucence = element.integer("UIBarTranslucence") ?? element.integer("UISearchBarTranslucence")
        bar.isTranslucent = translucence != 2
        bar.background = colors.paint("UIBarTintColor", of: element)
        bar.tint = colors.paint("UITintColor", of: element)
        bar.titleColor = titleColor("UITitleTextAttributes", of: element)
        bar.prefersLargeTitle = element.boolean("UIBarPrefersLargeTitles") == true
        bar.isMinimal = element.integer("UISearchBarStyle") == 2
        return bar
    }

    private static let titleAttributes = 16

    private mutating func titleColor(_ key: String, of element: NibElement) -> Paint? {
        for (name, value) in element.pairs(key, upTo: Self.titleAttributes)
        where ["NSColor", "NSForegroundColor", "UITextAttributeTextColor"].contains(name.text) {
            return colors.paint(value)
        }
        return nil
    }
}

/// The bars around a screen, which the controllers around its own have.
struct ScreenBars {
    var navigation: BarGeometry?
    var tabs: BarGeometry?
    var toolbar: BarGeometry?

    /// True for the bars of a screen that another one is pushed on.
    var isPushed = false

    /// - Parameter path: the controllers around a screen, from the outside.
    init(_ path: [NibController], _ looks: inout LookReader) {
        for controller in path {
            let element = controller.element
            switch element.baseClassName {
            case "UINavigationController":
                var bar = element.element("UINavigationBar").map { looks.bar($0) } ?? BarGeometry()
                bar.isHidden = element.boolean("UINavigationBarHidden") == true
                navigation = bar
                if element.boolean("UIToolbarShown") == true {
                    toolbar = element.element("UIToolbar").map { looks.bar($0) } ?? BarGeometry()
                }
            case "UITabBarController":
                tabs = element.element("UITabBar").map { looks.bar($0) } ?? BarGeometry()
            default: break
            }
        }
    }

    /// The bars of a screen, for those that are pushed on it.
    init(of scene: Scene) {
        (navigation, tabs, toolbar) = (scene.navigationBar, scene.tabBar, scene.toolbar)
        isPushed = true
    }

    private static let neverLarge = 2

    /// True for the part of the navigation bar that chooses never to have a large title.
    static func hasSmallTitle(_ item: NibElement?) -> Bool {
        item?.integer("UILargeTitleDisplayMode") == neverLarge
    }
}

extension ScreenEdges {
    private static let (top, bottom) = (1, 4)

    init(_ controller: NibElement) {
        self.init()
        if let edges = controller.integer("UIEdgesForExtendedLayout") {
            extendsUnderTopBar = edges & Self.top != 0
            extendsUnderBottomBar = edges & Self.bottom != 0
        }
        extendsUnderOpaqueBars = controller.boolean("UIExtendedLayoutIncludesOpaqueBars") == true
        adjustsScrollInsets =
            controller.integer("UIKeyAutomaticallyAdjustsScrollViewInsets") != 0
            && controller.boolean("UIKeyAutomaticallyAdjustsScrollViewInsets") != false
        hidesBottomBar = controller.boolean("UIHidesBottomBarWhenPushed") == true
    }
}
