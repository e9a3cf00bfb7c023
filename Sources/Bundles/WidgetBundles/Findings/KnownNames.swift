internal import WidgetNib

/// The identifiers of objects in the bundle's interfaces, to which schemes can refer.
struct InterfaceNames: Sendable {
    private static let countLimit = 20_000
    /// The limit on cells nested in cells; every nested interface is smaller than the one around it.
    private static let deepestPrototype = 4
    /// The limit on bytes read from nested interfaces; tables can share them many times.
    private var remaining = 16 << 20

    private var identifiers: Set<String> = []
    /// False if some names are unknown: without interfaces, with too many, or with unreadable ones. Names are judged
    /// only when it is true.
    private(set) var isComplete = false
    private var isBroken = false

    func contains(_ name: String) -> Bool { identifiers.contains(name) }

    mutating func add(_ bytes: [UInt8]) {
        guard !isBroken else { return }
        do throws(NibError) {
            try add(try NibDocument(parsing: bytes).graph)
            isComplete = true
        } catch {
            isBroken = true
        }
        if identifiers.count > Self.countLimit { isBroken = true }
        if isBroken { (identifiers, isComplete) = ([], false) }
    }

    private mutating func add(_ graph: NibGraph) throws(NibError) {
        var pending = [(graph: graph, depth: 0)]
        while let (graph, depth) = pending.popLast() {
            let interface = NibInterface(graph)
            for attribute in interface.attributes where attribute.keyPath == "wx.identifier" {
                if case .text(let text) = attribute.value { identifiers.insert(text) }
            }
            guard depth < Self.deepestPrototype else { continue }
            var seen: Set<Int> = []
            for object in interface.objects where seen.insert(object.index).inserted {
                for prototype in try NibPrototype.prototypes(of: object, &remaining) {
                    pending.append((prototype.document.graph, depth + 1))
                }
            }
        }
    }
}

/// The names that every host of the framework understands.
enum FrameworkNames {
    /// The types that a scheme may create.
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

    /// The selectors that an element's `action` may send.
    static let selectors: Set<String> = [
        "performAction", "nextAction:", "dismissAction:", "backAction:", "detachAction:", "nextPage", "expand",
        "collapse", "toggle",
    ]

    /// The messages that a result chain may send to an array.
    static let chainSteps: Set<String> = [
        "wx_first", "wx_last", "wx_count", "wx_itemAt:", "wx_takeFirst:", "wx_takeLast:", "wx_joinedBy:", "wx_map:",
        "valueForKeyPath:", "firstObject", "lastObject", "count",
    ]

    /// The transformers that exist besides those of service descriptions.
    static let transformers: Set<String> = [
        "toString", "strToInt", "toDouble", "ago", "NSNegateBoolean", "NegateBoolean",
        "NSNegateBooleanTransformerName", "NSIsNil", "IsNil", "NSIsNilTransformerName", "NSIsNotNil", "IsNotNil",
        "NSIsNotNilTransformerName",
    ]

    /// The keys of an object description; the framework stops at any other.
    static let objectKeys: Set<String> = ["type", "alias", "attrs", "evals", "outlets", "***"]
}
