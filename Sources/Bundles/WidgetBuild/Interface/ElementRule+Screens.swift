internal import WidgetNib

/// Controllers, and the items they put into bars.
extension ElementRule {
    static let systemItems: [String: Int] = {
        let names = [
            "done", "cancel", "edit", "save", "add", "flexibleSpace", "fixedSpace", "compose", "reply", "action",
            "organize", "bookmarks", "search", "refresh", "stop", "camera", "trash", "play", "pause", "rewind",
            "fastForward", "undo", "redo", "pageCurl", "close", "writingTools",
        ]
        return Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    }()

    static let tabItems: [String: Int] = {
        let names = [
            "more", "favorites", "featured", "topRated", "recents", "contacts", "history", "bookmarks", "search",
            "downloads", "mostRecent", "mostViewed",
        ]
        return Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    }()

    static let presentations = [
        "none": -1, "automatic": -2, "fullScreen": 0, "pageSheet": 1, "formSheet": 2, "currentContext": 3, "custom": 4,
        "overFullScreen": 5,
        "overCurrentContext": 6, "popover": 7,
    ]

    static let transitions = ["coverVertical": 0, "flipHorizontal": 1, "crossDissolve": 2, "partialCurl": 3]

    static let screens: [String: ElementRule] = [
        "viewController": ElementRule(
            className: "UIViewController",
            attributes: common.merging([
                "storyboardIdentifier": .text("UIStoryboardIdentifier"), "title": .translatable("UITitle"),
                "restorationIdentifier": .text("UIRestorationIdentifier"),
                "useStoryboardIdentifierAsRestorationIdentifier": .handled,
                "automaticallyAdjustsScrollViewInsets": .handled,
                "hidesBottomBarWhenPushed": .truth("UIHidesBottomBarWhenPushed", default: false),
                "definesPresentationContext": .truth("UIDefinesPresentationContext", default: false),
                "providesPresentationContextTransitionStyle": .truth(
                    "UIProvidesPresentationContextTransitionStyle", default: false),
                "modalPresentationStyle": .choice("UIModalPresentationStyle", presentations),
                "modalTransitionStyle": .choice("UIModalTransitionStyle", transitions),
                "extendedLayoutIncludesOpaqueBars": .truth("UIExtendedLayoutIncludesOpaqueBars", default: false),
            ]) { $1 },
            sizes: ["freeformSize": "", "contentSizeForViewInPopover": "UIContentSizeForViewInPopover"],
            objects: [
                "view": "", "navigationItem": "UINavigationItem", "tabBarItem": "UITabBarItem",
            ],
            lists: ["toolbarItems": "UIToolbarItems"],
            ignored: [
                "layoutGuides", "simulatedStatusBarMetrics", "simulatedNavigationBarMetrics",
                "simulatedTopBarMetrics", "simulatedBottomBarMetrics", "simulatedTabBarMetrics",
                "simulatedToolbarMetrics", "simulatedOrientationMetrics", "simulatedScreenMetrics", "nil",
            ]),
        "tableViewController": ElementRule(
            className: "UITableViewController", base: "viewController",
            attributes: [
                "clearsSelectionOnViewWillAppear": .truth("UIClearsSelectionOnViewWillAppear", default: true)
            ]),
        "collectionViewController": ElementRule(
            className: "UICollectionViewController", base: "viewController",
            attributes: [
                "clearsSelectionOnViewWillAppear": .truth("UIClearsSelectionOnViewWillAppear", default: true)
            ]),
        "navigationController": ElementRule(
            className: "UINavigationController", base: "viewController",
            objects: ["navigationBar": "UINavigationBar", "toolbar": "UIToolbar"]),
        "tabBarController": ElementRule(
            className: "UITabBarController", base: "viewController", objects: ["tabBar": "UITabBar"]),
        "navigationItem": ElementRule(
            className: "UINavigationItem",
            attributes: common.merging([
                "title": .translatable("UITitle"), "prompt": .translatable("UIPrompt"),
                "largeTitleDisplayMode": .choice(
                    "UILargeTitleDisplayMode", ["automatic": 0, "always": 1, "never": 2]),
                "hidesBackButton": .truth("UIHidesBackButton", default: false),
                "leftItemsSupplementBackButton": .truth("UILeftItemsSupplementBackButton", default: false),
            ]) { $1 },
            objects: [
                "leftBarButtonItem": "UILeftBarButtonItem", "rightBarButtonItem": "UIRightBarButtonItem",
                "backBarButtonItem": "UIBackBarButtonItem", "titleView": "UITitleView",
            ],
            lists: [
                "leftBarButtonItems": "UILeftBarButtonItems", "rightBarButtonItems": "UIRightBarButtonItems",
            ],
            ignored: ["nil"]),
        "barButtonItem": ElementRule(
            className: "UIBarButtonItem",
            attributes: common.merging([
                "title": .translatable("UITitle"), "style": .handled, "enabled": .handled, "tag": .integer("UITag"),
                "systemItem": .choice("UISystemItem", systemItems), "image": .image("UIImage"),
                "width": .float("UIWidth"),
            ]) { $1 },
            colors: ["tintColor": "UITintColor"], objects: ["customView": "UICustomView"]),
        "tabBarItem": ElementRule(
            className: "UITabBarItem",
            attributes: common.merging([
                "title": .translatable("UITitle"), "image": .image("UIImage"),
                "selectedImage": .image("UISelectedTemplateImage"), "badgeValue": .translatable("UIBadgeValue"),
                "systemItem": .choice("UISystemItem", tabItems), "tag": .integer("UITag"),
            ]) { $1 }),
        "customObject": ElementRule(className: "NSObject", attributes: common),
    ]

    static let controllers: Set<String> = [
        "viewController", "tableViewController", "collectionViewController", "navigationController",
        "tabBarController", "splitViewController", "pageViewController", "glkViewController",
        "avPlayerViewController", "hostingController", "inputViewController", "imagePickerController",
        "viewControllerPlaceholder",
    ]
}
