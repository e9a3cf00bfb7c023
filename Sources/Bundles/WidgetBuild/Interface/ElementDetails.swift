/// Further attributes and parts of elements that other tables describe: those that Xcode writes less often, or only in
/// later versions.
extension ElementRule {
    private static let adjustsImageSize: [String: AttributeRule] = [
        "adjustsImageSizeForAccessibilityContentSizeCategory": .truth(
            "UIAdjustsImageSizeForAccessibilityContentSizeCategory", default: false)
    ]

    private static let imageLooks: [String: AttributeRule] = [
        "catalog": .handled, "symbolScale": .look, "renderingMode": .look,
    ]

    private static let itemInsets = [
        "imageInsets": "UIImageInsets", "landscapeImageInsets": "UIImageInsetsLandscape",
        "largeContentSizeImageInsets": "",
    ]

    private static let itemOffsets = ["titlePositionAdjustment": "UITitlePositionAdjustment"]

    private static let insetReferences = ["fromContentInset": 0, "fromSafeArea": 1, "fromLayoutMargins": 2]

    private static func details(
        _ attributes: [String: AttributeRule], colors: [String: String] = [:]
    ) -> ElementRule {
        ElementRule(className: "", attributes: attributes, colors: colors)
    }

    static let details: [String: ElementRule] = detailsOfViews.merging(detailsOfScrolling) { $1 }
        .merging(detailsOfControls) { $1 }.merging(detailsOfScreens) { $1 }

    private static let detailsOfViews: [String: ElementRule] = [
        "view": ElementRule(
            className: "",
            attributes: [
                "layoutMarginsFollowReadableWidth": .truth("UIViewLayoutMarginsFollowReadableWidth", default: false),
                "appContext": .editor, "drawsAsynchronously": .editor,
                "largeContentTitle": .translatable("UILargeContentTitle"),
                "largeContentImage": .image("UILargeContentImage"),
                "showsLargeContentViewer": .truth("UIShowsLargeContentViewer", default: false),
                "scalesLargeContentImage": .truth("UIScalesLargeContentImage", default: false),
            ],
            insets: [
                "layoutMargins": "UIViewLayoutMargins", "directionalLayoutMargins": "UIViewLayoutMargins",
            ]),
        "label": ElementRule(
            className: "",
            attributes: [
                "showsExpansionTextWhenTruncated": .truth("UIShowsExpansionTextWhenTruncated", default: false),
                "allowsDefaultTighteningForTruncation": .truth(
                    "UIAllowsDefaultTighteningForTruncation", default: false),
                "enablesMarqueeWhenAncestorFocused": .truth("UIEnablesMarqueeWhenAncestorFocused", default: false),
            ],
            attributedTexts: ["attributedText": "UIAttributedText"]),
        "imageView": details(adjustsImageSize.merging(imageLooks) { $1 }),
        "progressView": details([
            "progressImage": .image("UIProgressProgressImage"), "trackImage": .image("UIProgressTrackImage"),
        ]),
        "navigationBar": details([
            "shadowImage": .image("UIShadowImage"), "backIndicatorImage": .image("UIBackIndicatorImage"),
            "backIndicatorTransitionMask": .image("UIBackIndicatorTransitionMask"),
            "backIndicatorTransitionMaskImage": .image("UIBackIndicatorTransitionMask"),
        ]),
        "tabBar": details(
            [
                "itemPositioning": .choiceExcept(
                    "UITabBarItemPositioning", ["automatic": 0, "fill": 1, "centered": 2], 0),
                "itemWidth": .float("UITabBarItemWidth"), "itemSpacing": .float("UITabBarItemSpacing"),
                "backgroundImage": .image("UIBackgroundImage"), "shadowImage": .image("UIShadowImage"),
                "selectionIndicatorImage": .image("UISelectionIndicatorImage"),
            ],
            colors: [
                "selectedImageTintColor": "UISelectedImageTintColor",
                "unselectedItemTintColor": "UIBarUnselectedImageTintColor",
            ]),
    ]

    private static let detailsOfScrolling: [String: ElementRule] = [
        "scrollView": ElementRule(
            className: "",
            attributes: [
                "automaticallyAdjustsScrollIndicatorInsets": .truth(
                    "UIScrollViewAutomaticallyAdjustsScrollIndicatorInsets", default: true),
                "scrollsToTop": .truth("UIScrollsToTop", default: true),
                "contentAlignmentPoint": .editor,
            ],
            sizes: ["contentSize": "UIContentSize"], objects: ["refreshControl": "UIRefreshControl"]),
        "textView": ElementRule(
            className: "",
            attributes: [
                "allowsEditingTextAttributes": .truth("UIAllowsEditingTextAttributes", default: false),
                "findInteractionEnabled": .truth("UIFindInteractionEnabled", default: false),
                "clearsOnInsertion": .truth("UIClearsOnInsertion", default: false),
            ],
            attributedTexts: ["attributedText": "UIAttributedText"]),
        "tableView": ElementRule(
            className: "",
            attributes: [
                "sectionIndexMinimumDisplayRowCount": .integer("UISectionIndexMinimumDisplayRowCount"),
                "sectionHeaderTopPadding": .float("UISectionHeaderTopPadding"),
                "fillerRowHeight": .float("UIFillerRowHeight"),
                "allowsMultipleSelectionDuringEditing": .truth(
                    "UIAllowsMultipleSelectionDuringEditing", default: false),
                "separatorInsetReference": .choice(
                    "UISeparatorInsetReference", ["fromCellEdges": 0, "fromAutomaticInsets": 1]),
                "cellLayoutMarginsFollowReadableWidth": .truth(
                    "UICellLayoutMarginsFollowReadableWidth", default: false),
                "dragInteractionEnabled": .truth("UIDragInteractionEnabled", default: true),
                "prefetchingEnabled": .truth("UITableViewPrefetchingEnabled", default: true),
                "remembersLastFocusedIndexPath": .truth("UIRemembersLastFocusedIndexPath", default: false),
                "selectionFollowsFocus": .truth("UISelectionFollowsFocus", default: false),
            ],
            colors: [
                "sectionIndexColor": "UISectionIndexColor",
                "sectionIndexTrackingBackgroundColor": "UISectionIndexTrackingBackgroundColor",
            ],
            objects: ["backgroundView": "UIBackgroundView"]),
        "tableViewCell": ElementRule(
            className: "",
            attributes: ["focusStyle": .choiceExcept("UIFocusStyle", ["default": 0, "custom": 1], 0)],
            objects: [
                "backgroundView": "UIBackgroundView", "selectedBackgroundView": "UISelectedBackgroundView",
                "multipleSelectionBackgroundView": "UIMultipleSelectionBackgroundView",
                "accessoryView": "UIAccessoryView", "editingAccessoryView": "UIEditingAccessoryView",
            ]),
        "collectionView": ElementRule(
            className: "",
            attributes: [
                "dragInteractionEnabled": .truth("UIDragInteractionEnabled", default: true),
                "springLoaded": .truth("UISpringLoaded", default: false),
                "allowsSelectionDuringEditing": .truth("UIAllowsSelectionDuringEditing", default: false),
                "allowsMultipleSelectionDuringEditing": .truth(
                    "UIAllowsMultipleSelectionDuringEditing", default: false),
                "remembersLastFocusedIndexPath": .truth("UIRemembersLastFocusedIndexPath", default: false),
                "selectionFollowsFocus": .truth("UISelectionFollowsFocus", default: false),
            ],
            objects: ["backgroundView": "UIBackgroundView"]),
        "collectionViewFlowLayout": details([
            "sectionHeadersPinToVisibleBounds": .truth("UISectionHeadersPinToVisibleBounds", default: false),
            "sectionFootersPinToVisibleBounds": .truth("UISectionFootersPinToVisibleBounds", default: false),
            "sectionInsetReference": .choice("UISectionInsetReference", insetReferences),
        ]),
        "collectionViewCell": ElementRule(
            className: "",
            objects: [
                "backgroundView": "UIBackgroundView", "selectedBackgroundView": "UISelectedBackgroundView",
            ]),
    ]

    private static let detailsOfControls: [String: ElementRule] = [
        "control": details([
            "showsMenuAsPrimaryAction": .truth("UIControlShowsMenuAsPrimaryAction", default: false),
            "springLoaded": .truth("UISpringLoaded", default: false), "toolTip": .translatable("UIToolTip"),
        ]),
        "button": details(
            adjustsImageSize.merging([
                "changesSelectionAsPrimaryAction": .truth("UIButtonChangesSelectionAsPrimaryAction", default: false),
                "role": .choiceExcept(
                    "UIButtonRole", ["normal": 0, "primary": 1, "cancel": 2, "destructive": 3], 0),
                "preferredBehavioralStyle": .look,
            ]) { $1 }),
        "textField": ElementRule(
            className: "",
            attributes: [
                "background": .image("UITextFieldBackground"),
                "disabledBackground": .image("UITextFieldDisabledBackground"),
                "allowsEditingTextAttributes": .truth("UIAllowsEditingTextAttributes", default: false),
                "clearsOnInsertion": .truth("UIClearsOnInsertion", default: false),
                "adjustsFontForContentSizeCategory": .truth("UIAdjustsFontForContentSizeCategory", default: false),
            ],
            texts: ["text": "UIText", "placeholder": "UIPlaceholder"],
            attributedTexts: [
                "attributedText": "UIAttributedText", "attributedPlaceholder": "UIAttributedPlaceholder",
            ]),
        "searchBar": ElementRule(
            className: "",
            attributes: [
                "showsScopeBar": .truth("UIShowsScopeBar", default: false),
                "showsSearchResultsButton": .truth("UIShowSearchResultsButton", default: false),
                "backgroundImage": .image("UIBackgroundImage"),
                "scopeBarBackgroundImage": .image("UIScopeBarBackgroundImage"),
            ],
            texts: ["text": "UIText", "placeholder": "UIPlaceholder", "prompt": "UIPrompt"],
            offsets: [
                "searchTextPositionAdjustment": "UISearchTextPositionAdjustment",
                "searchFieldBackgroundPositionAdjustment": "UISearchFieldBackgroundPositionAdjustment",
            ]),
        "switch": details([
            "title": .translatable("UISwitchTitle"),
            "preferredStyle": .choiceExcept(
                "UISwitchPreferredStyle", ["automatic": 0, "checkbox": 1, "sliding": 2], 0),
        ]),
        "slider": details(
            [
                "minimumValueImage": .image("UIMinimumValueImage"), "maximumValueImage": .image("UIMaximumValueImage"),
                "preferredBehavioralStyle": .look,
            ], colors: ["thumbTintColor": "UIThumbTintColor"]),
        "stepper": details([
            "wraps": .truth("UIStepperWraps", default: false),
            "autorepeat": .truth("UIStepperAutorepeat", default: true),
            "continuous": .truth("UIStepperContinuous", default: true),
        ]),
        "pageControl": details([
            "defersCurrentPageDisplay": .truth("UIDefersCurrentPageDisplay", default: false),
            "allowsContinuousInteraction": .truth("UIAllowsContinuousInteraction", default: true),
            "backgroundStyle": .choiceExcept(
                "UIPageControlBackgroundStyle", ["automatic": 0, "prominent": 1, "minimal": 2], 0),
            "preferredIndicatorImage": .image("UIPreferredIndicatorImage"),
        ]),
        "segmentedControl": details(
            [
                "apportionsSegmentWidthsByContent": .truth("UIApportionsSegmentWidthsByContent", default: false)
            ], colors: ["selectedSegmentTintColor": "UISelectedSegmentTintColor"]),
    ]

    private static let detailsOfScreens: [String: ElementRule] = [
        "viewController": ElementRule(
            className: "",
            attributes: [
                "wantsFullScreenLayout": .truth("UIWantsFullScreenLayout", default: false),
                "modalInPresentation": .truth("UIModalInPresentation", default: false),
                "autoresizesArchivedViewToFullSize": .truth("UIAutoresizesArchivedViewToFullSize", default: true),
                "interfaceStyle": .choiceExcept(
                    "UIOverrideUserInterfaceStyle", ["unspecified": 0, "light": 1, "dark": 2], 0),
                "viewRespectsSystemMinimumLayoutMargins": .truth(
                    "UIViewControllerViewRespectsSystemMinimumLayoutMargins", default: true),
                "nibName": .handled, "prefersStatusBarHidden": .editor,
            ],
            texts: ["title": "UITitle"], sizes: ["preferredContentSize": "UIPreferredContentSize"]),
        "tableViewController": ElementRule(
            className: "", objects: ["refreshControl": "UIRefreshControl"]),
        "collectionViewController": ElementRule(
            className: "", objects: ["refreshControl": "UIRefreshControl"]),
        "navigationController": ElementRule(
            className: "",
            attributes: [
                "toolbarHidden": .opposite("UIToolbarShown", default: true),
                "navigationBarHidden": .truth("UINavigationBarHidden", default: false),
                "hidesBarsOnSwipe": .truth("UINavigationControllerCondensesBarsOnSwipe", default: false),
                "hidesBarsWhenKeyboardAppears": .truth(
                    "UINavigationControllerCondensesBarsWhenKeyboardAppears", default: false),
                "hidesBarsWhenVerticallyCompact": .truth(
                    "UINavigationControllerHidesBarsWhenVerticallyCompact", default: false),
                "hidesBarsOnTap": .truth("UINavigationControllerHidesBarsOnTap", default: false),
            ],
            // In a separate interface, a stack has its screens in it.
            lists: ["viewControllers": "UIViewControllers"]),
        "tabBarController": ElementRule(
            className: "", attributes: ["selectedIndex": .handled], lists: ["viewControllers": "UIViewControllers"],
            ignored: ["moreNavigationController"]),
        "navigationItem": ElementRule(
            className: "",
            attributes: [
                "backButtonTitle": .translatable("UIBackButtonTitle"),
                "backButtonDisplayMode": .choiceExcept(
                    "UIBackButtonDisplayMode", ["default": 0, "generic": 1, "minimal": 2], 0),
                "style": .choiceExcept("UINavigationItemStyle", ["navigator": 0, "browser": 1, "editor": 2], 0),
                "searchBarPlacement": .look, "hidesSearchBarWhenScrolling": .look,
            ],
            texts: ["title": "UITitle", "prompt": "UIPrompt"]),
        "barButtonItem": ElementRule(
            className: "",
            attributes: imageLooks.merging([
                "landscapeImage": .image("UILandscapeImagePhone"),
                "largeContentSizeImage": .image("_UIBarItemLargeContentSizeImageCodingKey"),
                "selectedImage": .image("UISelectedImage"), "springLoaded": .truth("UISpringLoaded", default: false),
                "hidden": .truth("UIHidden", default: false), "toolTip": .translatable("UIToolTip"),
                "changesSelectionAsPrimaryAction": .truth("UIChangesSelectionAsPrimaryAction", default: false),
            ]) { $1 }, texts: ["title": "UITitle"], insets: itemInsets, offsets: itemOffsets),
        "tabBarItem": ElementRule(
            className: "",
            attributes: imageLooks.merging([
                "enabled": .truth("UIEnabled", default: true), "landscapeImage": .image("UIImageLandscape"),
                "largeContentSizeImage": .image("_UIBarItemLargeContentSizeImageCodingKey"),
                "springLoaded": .truth("UISpringLoaded", default: false),
            ]) { $1 }, colors: ["badgeColor": "UIBadgeColor"],
            texts: ["title": "UITitle", "badgeValue": "UIBadgeValue"], insets: itemInsets, offsets: itemOffsets),
    ]
}
