/// Views that scroll, and the cells in them.
extension ElementRule {
    static let accessories = [
        "none": 0, "disclosureIndicator": 1, "detailDisclosureButton": 2, "checkmark": 3, "detailButton": 4,
    ]

    static let scrolling: [String: ElementRule] = [
        "scrollView": ElementRule(
            className: "UIScrollView", base: "view",
            attributes: [
                "alwaysBounceVertical": .truth("UIAlwaysBounceVertical", default: false),
                "alwaysBounceHorizontal": .truth("UIAlwaysBounceHorizontal", default: false),
                "bounces": .truth("UIBounces", default: true), "bouncesZoom": .handled,
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
                    "UIKeyboardDismissMode", ["none": 0, "onDrag": 1, "interactive": 2], 0),
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
            attributes: ["reuseIdentifier": .text("UIReuseIdentifier")]),
        "collectionViewCellContentView": ElementRule(
            className: "UIView", base: "view", attributes: ["collectionViewCell": .editor]),
    ]
}
