internal import WidgetNib
internal import XMLText

/// Controllers that contain others, and references to screens of other storyboards.
extension ElementRule {
    static let containers: [String: ElementRule] = [
        "splitViewController": ElementRule(
            className: "UISplitViewController", base: "viewController",
            attributes: [
                "style": .look, "presentsWithGesture": .look, "behavior": .look, "primaryBackgroundStyle": .look,
                "primaryEdge": .look,
                "preferredDisplayMode": .look, "displayModeButtonVisibility": .look,
                "showsSecondaryOnlyButton": .look, "preferredPrimaryColumnWidthFraction": .look,
                "minimumPrimaryColumnWidth": .look, "maximumPrimaryColumnWidth": .look,
                "preferredSupplementaryColumnWidthFraction": .look, "minimumSupplementaryColumnWidth": .look,
                "maximumSupplementaryColumnWidth": .look, "preferredPrimaryColumnWidth": .look,
                "preferredSupplementaryColumnWidth": .look,
            ]),
        "pageViewController": ElementRule(
            className: "UIPageViewController", base: "viewController",
            attributes: [
                "transitionStyle": .choice("UITransitionStyle", ["pageCurl": 0, "scroll": 1]),
                "navigationOrientation": .choice("UINavigationOrientation", ["horizontal": 0, "vertical": 1]),
                "spineLocation": .choice("UISpineLocation", ["none": 0, "min": 1, "mid": 2, "max": 3]),
                "doubleSided": .truth("UIDoubleSided", default: false), "pageSpacing": .look,
            ]),
        "viewControllerPlaceholder": ElementRule(
            className: "UIStoryboardViewControllerPlaceholder",
            attributes: common.merging([
                "storyboardName": .handled, "referencedIdentifier": .handled, "bundleIdentifier": .handled,
                "title": .editor, "storyboardIdentifier": .handled,
            ]) { $1 },
            ignored: [
                "navigationItem", "tabBarItem", "toolbarItems", "nil", "freeformSimulatedSizeMetrics", "size",
                "simulatedStatusBarMetrics", "simulatedTopBarMetrics", "simulatedBottomBarMetrics",
                "simulatedOrientationMetrics", "simulatedScreenMetrics", "extendedEdge",
            ]),
        "window": ElementRule(
            className: "UIWindow", base: "view",
            attributes: [
                "visibleAtLaunch": .handled, "resizesToFullScreen": .truth("UIResizesToFullScreen", default: false),
                "keyWindow": .handled,
            ]),
        "searchDisplayController": ElementRule(className: "UISearchDisplayController", attributes: common),
        "refreshControl": ElementRule(
            className: "UIRefreshControl", base: "control", attributedTexts: ["attributedTitle": "UIAttributedTitle"]),
    ]

    /// Controllers that others are put into.
    static let holders: Set<String> = ["navigationController", "tabBarController", "splitViewController"]

    /// Relationships by which a controller contains another, and their order in it.
    static let relationships = [
        "rootViewController": 0, "viewControllers": 0, "masterViewController": 0, "primaryViewController": 0,
        "supplementaryViewController": 1, "detailViewController": 2, "secondaryViewController": 2,
        "compactViewController": 3,
    ]
}

/// A screen of another storyboard, as a reference to it names it.
struct ScreenReference {
    /// The storyboard; absent for the same one.
    var storyboard: String?
    /// The screen; absent for the storyboard's first one.
    var screen: String?
    var bundle: String?

    init(_ element: XMLElement) {
        storyboard = element["storyboardName"]
        screen = element["referencedIdentifier"]
        bundle = element["bundleIdentifier"]
    }

    /// The members of its entry in the list of references.
    var members: [(key: String, value: String)] {
        [
            ("UIReferencedBundleIdentifier", bundle), ("UIReferencedControllerIdentifier", screen),
            ("UIReferencedStoryboardName", storyboard),
        ].compactMap { key, value in value.map { (key, $0) } }
    }
}

extension InterfaceSource {
    /// Connects a popover with the view or the item that it points to.
    mutating func addAnchors(of segue: XMLElement, id: String) {
        for (name, property) in [
            ("popoverAnchorView", "anchorView"), ("popoverAnchorBarButtonItem", "anchorBarButtonItem"),
        ] {
            if let anchor = segue[name] { connect(id, property, to: anchor, at: segue) }
        }
    }

    /// True for the stand-in of a screen that is in another storyboard.
    static func isReference(_ element: XMLElement) -> Bool { element.name == "viewControllerPlaceholder" }
}

extension NibCompiler {
    /// Elements that a segue can have besides attributes.
    static let segueParts: Set<String> = ["segue", "popoverArrowDirection", "rect", "nil"]

    /// Returns a bit for each direction in which the arrow of a popover may point; any without one.
    func arrows(_ segue: XMLElement) -> Int {
        guard let element = segue.child(named: "popoverArrowDirection") else { return 15 }
        var bits = 0
        for (position, name) in ["up", "down", "left", "right"].enumerated() where element[name] == "YES" {
            bits |= 1 << position
        }
        return bits
    }

    /// Returns the position in a split that a segue fills.
    func splitIndex(_ segue: XMLElement) throws(BuildError) -> Int {
        guard let text = segue["splitViewControllerTargetIndex"] else { return 0 }
        guard let index = Int(text), index >= 0 else {
            throw source.fault("splitViewControllerTargetIndex is \"\(text)\", but has to be a position", segue)
        }
        return index
    }

    /// Writes the view of a controller in a separate interface, which is in the same file.
    mutating func writeOwnView(_ view: XMLElement, of controller: XMLElement, _ number: Int) throws(BuildError) {
        let root = try queue(view)
        draft.set("UIView", .object(root), of: number)
        try addGuides(of: controller, in: root)
    }

    /// Makes the stand-in of a screen of another storyboard, which the loader replaces.
    mutating func writeReference(_ element: XMLElement, _ number: Int) throws(BuildError) {
        guard element["storyboardName"] != nil || element["referencedIdentifier"] != nil else {
            throw source.fault(
                "a reference needs the name of a storyboard or the identifier of a screen", element,
                hints: ["set storyboardName or referencedIdentifier"])
        }
        draft.set("UIStoryboardIdentifier", text: try source.sceneName(element), of: number)
    }
}
