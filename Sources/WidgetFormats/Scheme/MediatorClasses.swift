/// What the framework's classes can have: a class has what those before it have.
struct MediatorClass: Sendable {
    var parent: String?
    var attributes: Set<String>
    var outlets: Set<String>

    /// By their names, as schemes and interfaces write them.
    static let all: [String: MediatorClass] = [
        "CustomIBObject": MediatorClass(parent: nil, attributes: ["wx.identifier", "alias"], outlets: []),
        "BaseContentProvider": MediatorClass(
            parent: "CustomIBObject",
            attributes: [
                "sortByFields", "sortAscending", "predicateFormat", "filterFormat", "searchString", "masterKeyPath",
                "resultChain", "resultChainArgs", "resultChainTxt", "resultChainArgsTxt", "items",
            ], outlets: ["masterObject"]),
        "ItemsCollection": MediatorClass(parent: "BaseContentProvider", attributes: [], outlets: []),
        "ManagedObjectsProvider": MediatorClass(
            parent: "BaseContentProvider", attributes: ["entityName", "groupByField", "cacheName", "fetchLimit"],
            outlets: []),
        "ManagedObjectsCollection": MediatorClass(parent: "ManagedObjectsProvider", attributes: [], outlets: []),
        "JSONFileDataProvider": MediatorClass(parent: "BaseContentProvider", attributes: ["fileName"], outlets: []),
        "BaseDisplayController": MediatorClass(
            parent: "CustomIBObject", attributes: ["renderOn"],
            outlets: ["mainContentProvider", "searchController", "elements"]),
        "ContentDisplayController": MediatorClass(parent: "BaseDisplayController", attributes: [], outlets: []),
        "TableDisplayController": MediatorClass(
            parent: "BaseDisplayController",
            attributes: [
                "cellIdentifier", "searchCellIdentifier", "sectionHeaderIdentifier", "sectionFooterIdentifier",
                "cellNibNames", "performSegueForCells", "animateReload", "maxHeight",
                "systemAutomaticDimensionEnabled", "allowDeletion", "collectSelectedObjects",
                "defaultSelectionBehavior", "deletesOnSuccess",
            ], outlets: ["tableView", "emptyDataView", "contentHeightConstraint", "deleteController"]),
        "TableInfiniteScrollController": MediatorClass(
            parent: "TableDisplayController", attributes: ["scrollUpThreshhold", "scrollDownThreshhold"], outlets: []),
        "CollectionDisplayController": MediatorClass(
            parent: "BaseDisplayController",
            attributes: [
                "cellIdentifier", "searchCellIdentifier", "cellNibNames", "performSegueForCells",
                "collectSelectedObjects", "centerContent", "cellWidthHint", "cellHeightHint",
            ], outlets: ["collectionView", "emptyDataView"]),
        "CollectionPageScrollController": MediatorClass(
            parent: "CollectionDisplayController", attributes: ["pagingEnabled"], outlets: ["pageControl"]),
        "CollectionCircleScrollController": MediatorClass(
            parent: "CollectionDisplayController", attributes: ["circleScrollFactor"], outlets: []),
        "ActionController": MediatorClass(
            parent: "CustomIBObject",
            attributes: [
                "actionName", "elseActionName", "predicateFormat", "actionDelay", "serviceProviderClassName",
            ], outlets: ["target", "sender", "cancelButton", "form", "serviceProvider"]),
        "ButtonActionController": MediatorClass(parent: "ActionController", attributes: [], outlets: []),
        "BarButtonActionController": MediatorClass(parent: "ActionController", attributes: [], outlets: []),
        "OnLoadActionController": MediatorClass(parent: "ActionController", attributes: [], outlets: []),
        "TimerActionController": MediatorClass(parent: "ActionController", attributes: ["interval"], outlets: []),
        "TableRefreshActionController": MediatorClass(parent: "ActionController", attributes: [], outlets: []),
        "InfiniteScrollActionController": MediatorClass(
            parent: "ActionController", attributes: ["trackScrollDown"], outlets: []),
        "SearchActionController": MediatorClass(
            parent: "ActionController",
            attributes: [
                "filterFormat", "minimumTextLength", "filterThrottleInterval", "actionThrottleInterval",
                "dynamicSearch", "searchOnReturn",
            ], outlets: ["contentProvider"]),
        "StandardMediaPickerController": MediatorClass(
            parent: "ActionController",
            attributes: ["showOptions", "imagesOnly", "cameraTitle", "libraryTitle", "cancelTitle"],
            outlets: ["forms"]),
        "ActionStatusController": MediatorClass(
            parent: "CustomIBObject", attributes: ["actionName", "errorTitle", "errorMessage"],
            outlets: ["elements", "owner"]),
    ]

    static func lineage(of name: String) -> [String] {
        var names: [String] = []
        var next: String? = name
        while let name = next, names.count < 8, let known = all[name] {
            names.append(name)
            next = known.parent
        }
        return names
    }

    static func knows(_ key: String, in name: String) -> Bool {
        lineage(of: name).contains { all[$0]?.attributes.contains(key) ?? false }
    }

    static func knows(outlet: String, in name: String) -> Bool {
        lineage(of: name).contains { all[$0]?.outlets.contains(outlet) ?? false }
    }
}
