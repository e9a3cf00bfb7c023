/// Attributes and parts that only change how an element looks, and that a compiled interface cannot hold or a host does
/// not show. Each is left out with a note.
extension ElementRule {
    static let attributeLooks: [String: [String]] = [
        "view": ["appearanceType", "focusGroupIdentifier", "canBecomeFocused"],
        "label": ["lineBreakStrategy"],
        "imageView": ["preferredSymbolScale", "animationDuration", "animationRepeatCount"],
        "webView": [
            "detectsPhoneNumbers", "keyboardDisplayRequiresUserAction", "mediaPlaybackAllowsAirPlay",
            "allowsPictureInPictureMediaPlayback", "suppressesIncrementalRendering", "allowsLinkPreview",
            "paginationMode", "paginationBreakingMode", "pageLength", "gapBetweenPages",
        ],
        "wkWebView": ["allowsMagnification", "findInteractionEnabled"],
        "navigationBar": ["backgroundImage", "preferredBehavioralStyle"],
        "toolbar": ["backgroundImage", "shadowImage"],
        "tabBar": ["springLoaded"],
        "scrollView": [
            "indexDisplayMode", "decelerationRate", "transfersHorizontalScrollingToParent",
            "transfersVerticalScrollingToParent",
        ],
        "textView": ["borderStyle"],
        "tableView": ["selfSizingInvalidation", "allowsFocus", "allowsFocusDuringEditing"],
        "tableViewCell": ["userInteractionEnabledWhileDragging"],
        "collectionView": [
            "reorderingCadence", "selfSizingInvalidation", "allowsFocus", "allowsFocusDuringEditing",
        ],
        "button": ["pointerInteraction"],
        "switch": ["onImage", "offImage"],
        "slider": ["sliderStyle"],
        "pageControl": ["direction", "preferredCurrentPageIndicatorImage"],
        "viewController": [
            "userInterfaceStyle", "overrideUserInterfaceStyle", "focusGroupIdentifier", "restoresFocusAfterTransition",
            "performsActionsWhilePresentingModally", "editing",
        ],
        "tabBarController": ["mode"],
        "navigationItem": ["preferredSearchBarPlacement", "customizationIdentifier", "subtitle"],
        "barButtonItem": ["selected", "pointerInteraction", "restorationIdentifier"],
    ]

    /// Appearances of bars since iOS 13.
    private static let appearances: Set<String> = [
        "navigationBarAppearance", "tabBarAppearance", "toolbarAppearance", "barButtonItemAppearance",
        "tabBarItemAppearance",
    ]

    static let partLooks: [String: Set<String>] = [
        "view": appearances, "navigationItem": appearances,
        "imageView": ["preferredSymbolConfiguration", "imageArray", "array"],
        "barButtonItem": ["preferredSymbolConfiguration", "textAttributes"],
        "tabBarItem": appearances.union(["preferredSymbolConfiguration", "textAttributes"]),
    ]
}
