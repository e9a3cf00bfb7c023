internal import WidgetBytes
internal import WidgetNib
internal import XMLText

/// The rule that turns one attribute of a source into a value of the compiled interface.
enum AttributeRule {
    /// Ignored, because only the editor needs it.
    case editor
    /// Left out with a note, because it only changes how the element looks.
    case look
    /// Compiled elsewhere, with code for its meaning.
    case handled
    /// Written unless it has the default value.
    case truth(String, default: Bool)
    /// Written, negated, unless it has the default value.
    case opposite(String, default: Bool)
    case integer(String)
    case float(String)
    case double(String)
    case text(String)
    /// A text for people.
    case translatable(String)
    case choice(String, [String: Int])
    /// A choice that is left out when it has this value.
    case choiceExcept(String, [String: Int], Int)
    case image(String)
    /// The id of another object.
    case reference(String)
}

/// The rules for an element of a source: its class, its attributes and its parts.
struct ElementRule {
    var className: String
    var fallbacks: [String] = []
    /// The element whose rules apply to this one, too.
    var base: String?
    var attributes: [String: AttributeRule] = [:]
    /// Parts by their `key`, with their names in the compiled interface.
    var colors: [String: String] = [:]
    var fonts: [String: String] = [:]
    var texts: [String: String] = [:]
    var attributedTexts: [String: String] = [:]
    var insets: [String: String] = [:]
    var sizes: [String: String] = [:]
    var offsets: [String: String] = [:]
    /// Objects by their `key`.
    var objects: [String: String] = [:]
    /// Elements that hold a list of objects.
    var lists: [String: String] = [:]
    /// Elements that only the editor needs, with all their contents.
    var ignored: Set<String> = []
    /// Elements that are left out with a note, because they only change how the element looks.
    var looks: Set<String> = []
    /// Values written for every such element.
    var constants: [(String, NibContent)] = []
    var isView = false
    var hasTextTraits = false

    /// Returns the rule combined with those on which it is based.
    static func named(_ name: String) -> ElementRule? { complete[name] }

    /// Returns the hints for an element without a rule: the one that was probably meant.
    static func hints(for name: String) -> [String] {
        guard complete[name] == nil else { return [] }
        return NearestName.of(name, in: names).map { ["did you mean \($0)?"] } ?? []
    }

    private static let names = complete.keys.sorted()

    private static let complete: [String: ElementRule] = {
        let tables = [
            views, controls, scrolling, screens, gestures, pickers, frameworkViews, frameworkScreens, containers,
        ]
        let all = tables.reduce(into: [String: ElementRule]()) { $0.merge($1) { $1 } }
        return Dictionary(
            uniqueKeysWithValues: all.map { name, rule in
                var rule = rule
                rule.addDetails(name)
                // The chains are those of the tables, four long at most.
                while let name = rule.base, let other = all[name] {
                    rule.add(other)
                    rule.addDetails(name)
                    rule.base = other.base
                }
                return (name, rule)
            })
    }()

    private mutating func addDetails(_ name: String) {
        if let other = ElementRule.details[name] { add(other) }
        for look in ElementRule.attributeLooks[name] ?? [] where attributes[look] == nil { attributes[look] = .look }
        looks.formUnion(ElementRule.partLooks[name] ?? [])
    }

    /// Adds the entries of another rule that this one lacks.
    private mutating func add(_ other: ElementRule) {
        attributes.merge(other.attributes) { own, _ in own }
        colors.merge(other.colors) { own, _ in own }
        fonts.merge(other.fonts) { own, _ in own }
        texts.merge(other.texts) { own, _ in own }
        attributedTexts.merge(other.attributedTexts) { own, _ in own }
        insets.merge(other.insets) { own, _ in own }
        sizes.merge(other.sizes) { own, _ in own }
        offsets.merge(other.offsets) { own, _ in own }
        objects.merge(other.objects) { own, _ in own }
        lists.merge(other.lists) { own, _ in own }
        ignored.formUnion(other.ignored)
        looks.formUnion(other.looks)
        let own = Set(constants.map(\.0))
        constants = other.constants.filter { !own.contains($0.0) } + constants
        isView = isView || other.isView
        hasTextTraits = hasTextTraits || other.hasTextTraits
    }

    /// Returns the keys that a part of that name can have.
    func keys(of part: XMLElement) -> [String] {
        switch part.name {
        case "color": Array(colors.keys)
        case "fontDescription": Array(fonts.keys)
        case "string": Array(texts.keys)
        case "attributedString": Array(attributedTexts.keys)
        case "inset", "edgeInsets", "directionalEdgeInsets": Array(insets.keys)
        case "size": Array(sizes.keys)
        case "offsetWrapper": Array(offsets.keys)
        default: []
        }
    }
}

/// Views that display content, and the rules for all views.
extension ElementRule {
    /// The attributes of every object.
    static let common: [String: AttributeRule] = [
        "id": .handled, "key": .handled, "customClass": .handled, "customModule": .handled,
        "customModuleProvider": .editor, "userLabel": .editor, "sceneMemberID": .editor, "explicitAutolayout": .editor,
    ]

    static let contentModes = [
        "scaleToFill": 0, "scaleAspectFit": 1, "scaleAspectFill": 2, "redraw": 3, "center": 4, "top": 5, "bottom": 6,
        "left": 7, "right": 8, "topLeft": 9, "topRight": 10, "bottomLeft": 11, "bottomRight": 12,
    ]

    static let textAlignments = ["left": 0, "center": 1, "right": 2, "justified": 3, "natural": 4]

    static let lineBreakModes = [
        "wordWrap": 0, "characterWrap": 1, "clip": 2, "headTruncation": 3, "tailTruncation": 4, "middleTruncation": 5,
    ]

    static let semantics = [
        "unspecified": 0, "playback": 1, "spatial": 2, "forceLeftToRight": 3, "forceRightToLeft": 4,
    ]

    static let views: [String: ElementRule] = [
        "view": ElementRule(
            className: "UIView",
            attributes: common.merging([
                "restorationIdentifier": .text("UIRestorationIdentifier"),
                "contentMode": .choiceExcept("UIContentMode", contentModes, 0),
                "semanticContentAttribute": .choice("UIViewSemanticContentAttribute", semantics),
                "hidden": .truth("UIHidden", default: false), "alpha": .double("UIAlpha"),
                "opaque": .handled, "clipsSubviews": .truth("UIClipsToBounds", default: false),
                "clearsContextBeforeDrawing": .truth("UIClearsContextBeforeDrawing", default: true),
                "multipleTouchEnabled": .truth("UIMultipleTouchEnabled", default: false),
                "userInteractionEnabled": .opposite("UIUserInteractionDisabled", default: true),
                "autoresizesSubviews": .handled, "tag": .integer("UITag"),
                "translatesAutoresizingMaskIntoConstraints": .opposite(
                    "UIViewDoesNotTranslateAutoresizingMaskIntoConstraints", default: true),
                "horizontalHuggingPriority": .handled, "verticalHuggingPriority": .handled,
                "horizontalCompressionResistancePriority": .handled,
                "verticalCompressionResistancePriority": .handled,
                "preservesSuperviewLayoutMargins": .truth("UIViewPreservesSuperviewMargins", default: false),
                "insetsLayoutMarginsFromSafeArea": .choiceExcept(
                    "UIViewInsetsLayoutMarginsFromSafeArea", ["NO": 0, "YES": 1], 1),
                "fixedFrame": .editor, "misplaced": .editor, "ambiguous": .editor, "verifyAmbiguity": .editor,
                "placeholderIntrinsicWidth": .editor, "placeholderIntrinsicHeight": .editor,
            ]) { $1 },
            colors: ["backgroundColor": "UIBackgroundColor", "tintColor": "UITintColor"],
            lists: ["subviews": "UISubviews", "gestureRecognizers": "gestureRecognizers"],
            ignored: ["freeformSimulatedSizeMetrics", "simulatedStatusBarMetrics", "simulatedScreenMetrics"],
            isView: true),
        "label": ElementRule(
            className: "UILabel", base: "view",
            attributes: [
                "text": .translatable("UIText"), "textAlignment": .choice("UITextAlignment", textAlignments),
                "lineBreakMode": .choiceExcept("UILineBreakMode", lineBreakModes, 4),
                "numberOfLines": .integer("UINumberOfLines"),
                "baselineAdjustment": .choiceExcept(
                    "UIBaselineAdjustment", ["alignBaselines": 0, "alignCenters": 1, "none": 2], 0),
                "adjustsFontSizeToFit": .truth("UIAdjustsFontSizeToFit", default: false),
                "minimumFontSize": .float("UIMinimumFontSize"), "minimumScaleFactor": .float("UIMinimumScaleFactor"),
                "enabled": .opposite("UIDisabled", default: true),
                "highlighted": .truth("UIHighlighted", default: false),
                "preferredMaxLayoutWidth": .float("UIPreferredMaxLayoutWidth"),
                "adjustsLetterSpacingToFitWidth": .truth("UIAdjustsLetterSpacingToFit", default: false),
                "adjustsFontForContentSizeCategory": .truth("UIAdjustsFontForContentSizeCategory", default: false),
            ],
            colors: [
                "textColor": "UITextColor", "highlightedColor": "UIHighlightedColor", "shadowColor": "UIShadowColor",
            ],
            fonts: ["fontDescription": "UIFont"], texts: ["text": "UIText"], sizes: ["shadowOffset": "UIShadowOffset"]),
        "imageView": ElementRule(
            className: "UIImageView", base: "view",
            attributes: [
                "image": .image("UIImage"), "highlightedImage": .image("UIHighlightedImage"),
                "highlighted": .truth("UIHighlighted", default: false),
            ]),
        "activityIndicatorView": ElementRule(
            className: "UIActivityIndicatorView", base: "view",
            attributes: [
                "hidesWhenStopped": .handled, "animating": .truth("UIAnimating", default: false),
                "style": .choice(
                    "UIActivityIndicatorViewStyle",
                    ["whiteLarge": 0, "white": 1, "gray": 2, "medium": 100, "large": 101]),
            ],
            colors: ["color": "UIActivityIndicatorViewColor"]),
        "progressView": ElementRule(
            className: "UIProgressView", base: "view",
            attributes: [
                "progress": .float("UIProgress"),
                "progressViewStyle": .choiceExcept("UIProgressViewStyle", ["default": 0, "bar": 1], 0),
            ],
            colors: ["progressTintColor": "UIProgressProgressTintColor", "trackTintColor": "UIProgressTrackTintColor"]),
        "stackView": ElementRule(
            className: "UIStackView", base: "view",
            attributes: [
                "axis": .choiceExcept("UIStackViewAxis", ["horizontal": 0, "vertical": 1], 0),
                "distribution": .choiceExcept(
                    "UIStackViewDistribution",
                    [
                        "fill": 0, "fillEqually": 1, "fillProportionally": 2, "equalSpacing": 3, "equalCentering": 4,
                    ], 0),
                "alignment": .choiceExcept(
                    "UIStackViewAlignment",
                    [
                        "fill": 0, "leading": 1, "top": 1, "firstBaseline": 2, "center": 3, "trailing": 4, "bottom": 4,
                        "lastBaseline": 5,
                    ], 0),
                "spacing": .double("UIStackViewSpacing"), "spacingType": .handled,
                "baselineRelativeArrangement": .truth("UIStackViewBaselineRelative", default: false),
            ]),
        "webView": ElementRule(
            className: "UIWebView", base: "view",
            attributes: [
                "scalesPageToFit": .truth("UIScalesPageToFit", default: false),
                "allowsInlineMediaPlayback": .truth("UIAllowsInlineMediaPlayback", default: false),
                "mediaPlaybackRequiresUserAction": .truth("UIMediaPlaybackRequiresUserAction", default: true),
            ]),
        "wkWebView": ElementRule(
            className: "WKWebView", base: "view",
            attributes: [
                "allowsBackForwardNavigationGestures": .truth("allowsBackForwardNavigationGestures", default: false),
                "allowsLinkPreview": .truth("allowsLinkPreview", default: true),
                "customUserAgent": .text("customUserAgent"),
            ]),
        "containerView": ElementRule(className: "UIView", base: "view"),
        "navigationBar": ElementRule(
            className: "UINavigationBar", base: "view",
            attributes: [
                "barStyle": .choiceExcept("UIBarStyle", navigationBarStyles, 0), "translucent": .handled,
                "largeTitles": .truth("UIBarPrefersLargeTitles", default: false),
            ],
            colors: ["barTintColor": "UIBarTintColor"], lists: ["items": "UIItems"]),
        "toolbar": ElementRule(
            className: "UIToolbar", base: "view",
            attributes: ["barStyle": .choiceExcept("UIBarStyle", barStyles, 0), "translucent": .handled],
            colors: ["barTintColor": "UIBarTintColor"], lists: ["items": "UIItems"]),
        "tabBar": ElementRule(
            className: "UITabBar", base: "view",
            attributes: ["barStyle": .choiceExcept("UIBarStyle", barStyles, 0), "translucent": .handled],
            colors: ["barTintColor": "UIBarTintColor"], lists: ["items": "UIItems"]),
    ]

    static let barStyles = ["default": 0, "black": 1, "blackOpaque": 1, "blackTranslucent": 2]
    /// In Xcode's own files, the black of a stack's bar is the translucent one.
    static let navigationBarStyles = barStyles.merging(["black": 2]) { $1 }

    // MARK: - Views that scroll, and the cells in them

    static let accessories = [
        "none": 0, "disclosureIndicator": 1, "detailDisclosureButton": 2, "checkmark": 3, "detailButton": 4,
    ]

    static let scrolling: [String: ElementRule] = [
        "scrollView": ElementRule(
            className: "UIScrollView", base: "view",
            attributes: [
                "alwaysBounceVertical": .truth("UIAlwaysBounceVertical", default: false),
                "alwaysBounceHorizontal": .truth("UIAlwaysBounceHorizontal", default: false),
                "bounces": .truth("UIBounceEnabled", default: true), "bouncesZoom": .handled,
                "scrollEnabled": .opposite("UIScrollDisabled", default: true),
                "pagingEnabled": .truth("UIPagingEnabled", default: false),
                "directionalLockEnabled": .truth("UIDirectionalLockEnabled", default: false),
                "showsHorizontalScrollIndicator": .truth("UIShowsHorizontalScrollIndicator", default: true),
                "showsVerticalScrollIndicator": .truth("UIShowsVerticalScrollIndicator", default: true),
                "delaysContentTouches": .truth("UIDelaysContentTouches", default: true),
                "canCancelContentTouches": .truth("UICanCancelContentTouches", default: true),
                "minimumZoomScale": .float("UIMinimumZoomScale"), "maximumZoomScale": .float("UIMaximumZoomScale"),
                "indicatorStyle": .choiceExcept("UIIndicatorStyle", ["default": 0, "black": 1, "white": 2], 0),
                "keyboardDismissMode": .choiceExcept(
                    "UIKeyboardDismissMode",
                    [
                        "none": 0, "onDrag": 1, "interactive": 2, "onDragWithAccessory": 3,
                        "interactiveWithAccessory": 4,
                    ], 0),
                "contentInsetAdjustmentBehavior": .choice(
                    "UIScrollViewContentInsetAdjustmentBehavior",
                    ["automatic": 0, "scrollableAxes": 1, "never": 2, "always": 3]),
            ],
            insets: ["contentInset": "UIContentInset", "scrollIndicatorInsets": "UIScrollIndicatorInsets"]),
        "textView": ElementRule(
            className: "UITextView", base: "scrollView",
            attributes: [
                "text": .translatable("UIText"), "textAlignment": .choice("UITextAlignment", textAlignments),
                "editable": .truth("UIEditable", default: true), "selectable": .truth("UISelectable", default: true),
                "adjustsFontForContentSizeCategory": .truth("UIAdjustsFontForContentSizeCategory", default: false),
            ],
            colors: ["textColor": "UITextColor"], fonts: ["fontDescription": "UIFont"], texts: ["text": "UIText"],
            hasTextTraits: true),
        "tableView": ElementRule(
            className: "UITableView", base: "scrollView",
            attributes: [
                "dataMode": .handled, "contentViewInsetsToSafeArea": .handled,
                "style": .choiceExcept("UIStyle", ["plain": 0, "grouped": 1, "insetGrouped": 2], 0),
                "separatorStyle": .choice(
                    "UISeparatorStyleIOS9AndLater", ["none": 0, "default": 1, "singleLine": 1, "singleLineEtched": 2]),
                "rowHeight": .float("UIRowHeight"), "sectionHeaderHeight": .float("UISectionHeaderHeight"),
                "sectionFooterHeight": .float("UISectionFooterHeight"),
                "estimatedRowHeight": .float("UIEstimatedRowHeight"),
                "estimatedSectionHeaderHeight": .float("UIEstimatedSectionHeaderHeight"),
                "estimatedSectionFooterHeight": .float("UIEstimatedSectionFooterHeight"),
                "allowsSelection": .truth("UIAllowsSelection", default: true),
                "allowsMultipleSelection": .truth("UIAllowsMultipleSelection", default: false),
                "allowsSelectionDuringEditing": .truth("UIAllowsSelectionDuringEditing", default: false),
                "springLoaded": .truth("UISpringLoaded", default: false),
            ],
            colors: [
                "separatorColor": "UISeparatorColor", "sectionIndexBackgroundColor": "UISectionIndexBackgroundColor",
            ],
            insets: ["separatorInset": "UISeparatorInset"],
            objects: ["tableHeaderView": "UITableHeaderView", "tableFooterView": "UITableFooterView"]),
        "tableViewCell": ElementRule(
            className: "UITableViewCell", base: "view",
            attributes: [
                "reuseIdentifier": .text("UIReuseIdentifier"), "rowHeight": .editor,
                "style": .choiceExcept(
                    "UITableViewCellStyle",
                    [
                        "IBUITableViewCellStyleDefault": 0, "IBUITableViewCellStyleValue1": 1,
                        "IBUITableViewCellStyleValue2": 2, "IBUITableViewCellStyleSubtitle": 3,
                    ], 0),
                "selectionStyle": .choiceExcept(
                    "UISelectionStyle", ["none": 0, "blue": 1, "gray": 2, "default": 3], 3),
                "accessoryType": .choiceExcept("UIAccessoryType", accessories, 0),
                "editingAccessoryType": .choiceExcept("UIEditingAccessoryType", accessories, 0),
                "indentationWidth": .float("UIIndentationWidth"), "indentationLevel": .integer("UIIndentationLevel"),
                "hidesAccessoryWhenEditing": .truth("UIHidesAccessoryWhenEditing", default: true),
                "shouldIndentWhileEditing": .truth("UIShouldIndentWhileEditing", default: true),
                "showsReorderControl": .truth("UIShowsReorderControl", default: false),
                "textLabel": .reference("UITextLabel"), "detailTextLabel": .reference("UIDetailTextLabel"),
                "imageView": .reference("UIImageView"),
            ],
            insets: ["separatorInset": "UISeparatorInset"]),
        "tableViewCellContentView": ElementRule(
            className: "UITableViewCellContentView", fallbacks: ["UIView"], base: "view",
            attributes: ["tableViewCell": .editor]),
        "collectionView": ElementRule(
            className: "UICollectionView", base: "scrollView",
            attributes: [
                "dataMode": .handled, "prefetchingEnabled": .truth("UICollectionViewPrefetchingEnabled", default: true),
                "allowsMultipleSelection": .truth("UIAllowsMultipleSelection", default: false),
                "allowsSelection": .truth("UIAllowsSelection", default: true),
            ],
            objects: ["collectionViewLayout": "UICollectionLayout"]),
        "collectionViewLayout": ElementRule(className: "UICollectionViewLayout", attributes: common),
        "collectionViewFlowLayout": ElementRule(
            className: "UICollectionViewFlowLayout",
            attributes: common.merging([
                "minimumLineSpacing": .double("UILineSpacing"),
                "minimumInteritemSpacing": .double("UIInteritemSpacing"),
                "scrollDirection": .choiceExcept("UIScrollDirection", ["vertical": 0, "horizontal": 1], 0),
                "automaticEstimatedItemSize": .editor,
            ]) { $1 },
            insets: ["sectionInset": "UISectionInset"],
            sizes: [
                "itemSize": "UIItemSize", "headerReferenceSize": "UIHeaderReferenceSize",
                "footerReferenceSize": "UIFooterReferenceSize", "estimatedItemSize": "UIEstimatedItemSize",
            ]),
        "collectionViewCell": ElementRule(
            className: "UICollectionViewCell", base: "view",
            attributes: ["reuseIdentifier": .text("UIReuseIdentifier")], sizes: ["customSize": ""]),
        "collectionReusableView": ElementRule(
            className: "UICollectionReusableView", base: "view",
            attributes: ["reuseIdentifier": .text("UIReuseIdentifier")], sizes: ["customSize": ""]),
        "collectionViewCellContentView": ElementRule(
            className: "UIView", base: "view", attributes: ["collectionViewCell": .editor]),
    ]
}
