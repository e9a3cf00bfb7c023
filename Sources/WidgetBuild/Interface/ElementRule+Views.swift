/// Views that show, and what all views have.
extension ElementRule {
    /// What every object may say.
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
                "insetsLayoutMarginsFromSafeArea": .truth("UIViewInsetsLayoutMarginsFromSafeArea", default: true),
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
                "preferredMaxLayoutWidth": .editor, "adjustsLetterSpacingToFitWidth": .editor,
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
            colors: ["progressTintColor": "UIProgressTintColor", "trackTintColor": "UIProgressTrackTintColor"]),
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
                "spacing": .double("UIStackViewSpacing"),
                "baselineRelativeArrangement": .truth("UIStackViewBaselineRelative", default: false),
            ]),
        "containerView": ElementRule(className: "UIView", base: "view"),
        "navigationBar": ElementRule(
            className: "UINavigationBar", base: "view",
            attributes: [
                "barStyle": .choiceExcept("UIBarStyle", barStyles, 0), "translucent": .handled,
                "largeTitles": .truth("UIPrefersLargeTitles", default: false),
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

    static let barStyles = ["default": 0, "black": 1, "blackTranslucent": 2]
}
