/// The names that every host of the framework understands.
enum FrameworkNames {
    /// What a scheme's `type` may create.
    static let mediators: Set<String> = [
        "BaseContentProvider", "ItemsCollection", "ManagedObjectsProvider", "ManagedObjectsCollection",
        "JSONFileDataProvider", "BaseDisplayController", "ContentDisplayController", "TableDisplayController",
        "TableInfiniteScrollController", "CollectionDisplayController", "CollectionPageScrollController",
        "CollectionCircleScrollController", "ActionController", "ButtonActionController",
        "BarButtonActionController", "OnLoadActionController", "TimerActionController",
        "TableRefreshActionController", "InfiniteScrollActionController", "SearchActionController",
        "StandardMediaPickerController", "ActionStatusController",
    ]

    static let serviceProviders: Set<String> = ["StandardServiceProvider", "StubServiceProvider"]

    /// What an element's `action` may send.
    static let selectors: Set<String> = [
        "performAction", "nextAction:", "dismissAction:", "backAction:", "detachAction:", "nextPage", "expand",
        "collapse", "toggle",
    ]

    /// What a result chain may send to an array.
    static let chainSteps: Set<String> = [
        "wx_first", "wx_last", "wx_count", "wx_itemAt:", "wx_takeFirst:", "wx_takeLast:", "wx_joinedBy:", "wx_map:",
        "valueForKeyPath:", "firstObject", "lastObject", "count",
    ]

    /// Besides those that a service description makes.
    static let transformers: Set<String> = [
        "toString", "strToInt", "toDouble", "ago", "NSNegateBoolean", "NSIsNil", "NSIsNotNil",
    ]

    /// What an object description consists of; anything else is fatal in the framework.
    static let objectKeys: Set<String> = ["type", "alias", "attrs", "evals", "outlets", "***"]
}
