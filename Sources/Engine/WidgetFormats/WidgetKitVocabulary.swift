internal import WidgetCore

/// The vocabulary of UIKit and of the framework: their names for the properties of elements, and for further facts
/// that expressions can read.
enum WidgetKitVocabulary {
    static let vocabulary = Vocabulary(keys: keys, valueKey: valueKey, facts: facts)

    static let valueKey = "wx_value"
    /// The provider that all other providers are based on.
    static let standardProvider = "StandardServiceProvider"
    static let scriptedProvider = "StubServiceProvider"
    static let identifier = "\(attachments)identifier"
    static let binding = "\(attachments)addBinding"
    static let fieldName = "wx_fieldName"
    private static let attachments = "wx."

    /// The template of a list, with the rules of the framework.
    static var list: ListTemplate {
        var list = ListTemplate()
        list.rules.standardPrototype = "Cell"
        list.rules.deletionRefusal = "only own records can be deleted here"
        return list
    }

    /// The condition on a row's content for deleting the row.
    static let mayDelete = "content.isMine"

    static let recordFacts: [String: RecordFact] = [
        "objectId": .identity, "objectID": .identity, "entityName": .entityName, "owner": .owner, "isMine": .isOwn,
        "mine": .isOwn,
    ]

    private static let facts: [String: Vocabulary.Fact] = [
        "refreshControl": .element, "isRefreshing": .property(.refreshing), "wx": .attachments(prefix: attachments),
        fieldName: .fieldName, "wx_fieldValue": .fieldValue, "uploadContainer": .mediaContainer,
        "result": .uploadAnswer, "hasMedia": .hasMedia, "isMovie": .hasFilm,
    ]

    private static func same(_ property: PropertyName) -> Vocabulary.Meaning { Vocabulary.Meaning(property) }

    private static func inverse(_ property: PropertyName) -> Vocabulary.Meaning {
        Vocabulary.Meaning(property, isInverse: true)
    }

    private static let keys: [String: Vocabulary.Meaning] = [
        "text": same(.text), "title": same(.text), "attributedText": same(.text), "currentTitle": same(.text),
        "placeholder": same(.placeholder), "hidden": same(.hidden), "isHidden": same(.hidden),
        "wx_visible": inverse(.hidden), "wx_disabled": same(.disabled), "enabled": inverse(.disabled),
        "isEnabled": inverse(.disabled), "userInteractionEnabled": inverse(.disabled),
        "isUserInteractionEnabled": inverse(.disabled), "wx_readOnly": same(.readOnly),
        "editable": inverse(.readOnly), "isEditable": inverse(.readOnly), "wx_imageName": same(.image),
        "image": same(.image), "wx_autoValue": same(.image), "wx_imageUrl": same(.imageURL),
        "isAnimating": same(.active), "animating": same(.active), "on": same(.value), "isOn": same(.value),
        "value": same(.value), "progress": same(.value), "selectedSegmentIndex": same(.value), "date": same(.value),
        "currentPage": same(.value), "numberOfPages": same(.pageCount), "minimumValue": same(.minimum),
        "maximumValue": same(.maximum), "stepValue": same(.step), "constant": same(.constant),
        "animatedConstant": same(.constant), "wx_fieldValue": same(.value),
        "hidesWhenStopped": same(.hidesWhenStopped),
        "refreshControl.\(valueKey)": same(.refreshing), "accessibilityLabel": same(.accessibleName),
        "imageCompression": same(.compression), "unveilAlpha": same(.alpha), "alpha": same(.alpha),
    ]
}

/// A class of the framework, and the properties that it adds to those of its superclasses.
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
