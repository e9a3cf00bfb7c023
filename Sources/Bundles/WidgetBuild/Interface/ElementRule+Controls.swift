internal import WidgetNib

/// Views that take input.
extension ElementRule {
    static let borderStyles = ["none": 0, "line": 1, "bezel": 2, "roundedRect": 3]
    static let switches = ["default": 0, "no": 1, "yes": 2]

    static let textTraits: [String: AttributeRule] = [
        "key": .handled,
        "autocapitalizationType": .choice(
            "UIAutocapitalizationType", ["none": 0, "words": 1, "sentences": 2, "allCharacters": 3]),
        "autocorrectionType": .choice("UIAutocorrectionType", switches),
        "spellCheckingType": .choice("UISpellCheckingType", switches),
        "keyboardType": .choice(
            "UIKeyboardType",
            [
                "default": 0, "alphabet": 1, "ASCIICapable": 1, "numbersAndPunctuation": 2, "URL": 3, "numberPad": 4,
                "phonePad": 5, "namePhonePad": 6, "emailAddress": 7, "decimalPad": 8, "twitter": 9, "webSearch": 10,
                "ASCIICapableNumberPad": 11, "asciiCapableNumberPad": 11,
            ]),
        "keyboardAppearance": .choice("UIKeyboardAppearance", ["default": 0, "dark": 1, "alert": 1, "light": 2]),
        "returnKeyType": .choice(
            "UIReturnKeyType",
            [
                "default": 0, "go": 1, "google": 2, "join": 3, "next": 4, "route": 5, "search": 6, "send": 7,
                "yahoo": 8,
                "done": 9, "emergencyCall": 10, "continue": 11,
            ]),
        "enablesReturnKeyAutomatically": .truth("UIEnablesReturnKeyAutomatically", default: false),
        "secureTextEntry": .truth("UISecureTextEntry", default: false),
        "smartInsertDeleteType": .choice("UITextSmartInsertDeleteType", switches),
        "smartDashesType": .choice("UITextSmartDashesType", switches),
        "smartQuotesType": .choice("UITextSmartQuotesType", switches), "textContentType": .text("UITextContentType"),
        "inlinePredictionType": .choice("UITextInlinePredictionType", switches),
    ]

    static let controls: [String: ElementRule] = [
        "control": ElementRule(
            className: "UIControl", base: "view",
            attributes: [
                "enabled": .opposite("UIDisabled", default: true), "selected": .truth("UISelected", default: false),
                "highlighted": .truth("UIHighlighted", default: false),
                "contentHorizontalAlignment": .choiceExcept(
                    "UIContentHorizontalAlignment",
                    ["center": 0, "left": 1, "right": 2, "fill": 3, "leading": 4, "trailing": 5], 0),
                "contentVerticalAlignment": .choiceExcept(
                    "UIContentVerticalAlignment", ["center": 0, "top": 1, "bottom": 2, "fill": 3], 0),
            ]),
        "button": ElementRule(
            className: "UIButton", base: "control",
            attributes: [
                "buttonType": .choice(
                    "UIButtonType",
                    [
                        "custom": 0, "system": 1, "roundedRect": 1, "detailDisclosure": 2, "infoLight": 3,
                        "infoDark": 4,
                        "contactAdd": 5, "plain": 6, "close": 7,
                    ]),
                "lineBreakMode": .choice("UILineBreakMode", lineBreakModes),
                "reversesTitleShadowWhenHighlighted": .truth(
                    "UIReversesTitleShadowWhenHighlighted", default: false),
                "showsTouchWhenHighlighted": .truth("UIShowsTouchWhenHighlighted", default: false),
                "adjustsImageWhenHighlighted": .handled, "adjustsImageWhenDisabled": .handled,
            ],
            fonts: ["fontDescription": "UIFont"],
            insets: [
                "contentEdgeInsets": "UIContentEdgeInsets", "titleEdgeInsets": "UITitleEdgeInsets",
                "imageEdgeInsets": "UIImageEdgeInsets",
            ],
            sizes: ["titleShadowOffset": "UITitleShadowOffset"]),
        "textField": ElementRule(
            className: "UITextField", base: "control",
            attributes: [
                "text": .translatable("UIText"), "placeholder": .translatable("UIPlaceholder"),
                "textAlignment": .choice("UITextAlignment", textAlignments),
                "borderStyle": .choiceExcept("UIBorderStyle", borderStyles, 0),
                "clearButtonMode": .choiceExcept(
                    "UIClearButtonMode", ["never": 0, "whileEditing": 1, "unlessEditing": 2, "always": 3], 0),
                "clearsOnBeginEditing": .truth("UIClearsOnBeginEditing", default: false),
                "adjustsFontSizeToFit": .truth("UIAdjustsFontSizeToFit", default: false),
                "minimumFontSize": .float("UIMinimumFontSize"),
            ],
            colors: ["textColor": "UITextColor"], fonts: ["fontDescription": "UIFont"], hasTextTraits: true),
        "searchBar": ElementRule(
            className: "UISearchBar", base: "view",
            attributes: [
                "text": .translatable("UIText"), "placeholder": .translatable("UIPlaceholder"),
                "prompt": .translatable("UIPrompt"),
                "barStyle": .choiceExcept("UIBarStyle", barStyles, 0), "translucent": .handled,
                "searchBarStyle": .choiceExcept("UISearchBarStyle", ["default": 0, "prominent": 1, "minimal": 2], 0),
                "showsCancelButton": .truth("UIShowsCancelButton", default: false),
                "showsBookmarkButton": .truth("UIShowsBookmarkButton", default: false),
            ],
            colors: ["barTintColor": "UIBarTintColor"], hasTextTraits: true),
        "switch": ElementRule(
            className: "UISwitch", base: "control", attributes: ["on": .truth("UISwitchOn", default: false)],
            colors: ["onTintColor": "UISwitchOnTintColor", "thumbTintColor": "UISwitchThumbTintColor"]),
        "slider": ElementRule(
            className: "UISlider", base: "control",
            attributes: [
                "value": .float("UIValue"), "minValue": .float("UIMinValue"), "maxValue": .float("UIMaxValue"),
                "continuous": .truth("UIContinuous", default: true),
            ],
            colors: [
                "minimumTrackTintColor": "UIMinimumTintColor", "maximumTrackTintColor": "UIMaximumTintColor",
            ]),
        "stepper": ElementRule(
            className: "UIStepper", base: "control",
            attributes: [
                "value": .double("UIStepperValue"), "minimumValue": .double("UIStepperMinimumValue"),
                "maximumValue": .double("UIStepperMaximumValue"), "stepValue": .double("UIStepperStepValue"),
            ]),
        "pageControl": ElementRule(
            className: "UIPageControl", base: "control",
            attributes: [
                "numberOfPages": .integer("UINumberOfPages"), "currentPage": .integer("UICurrentPage"),
                "hidesForSinglePage": .truth("UIHideForSinglePage", default: false),
            ],
            colors: [
                "pageIndicatorTintColor": "UIPageIndicatorTintColor",
                "currentPageIndicatorTintColor": "UICurrentPageIndicatorTintColor",
            ]),
        "segmentedControl": ElementRule(
            className: "UISegmentedControl", base: "control",
            attributes: [
                "selectedSegmentIndex": .integer("UISelectedSegmentIndex"), "segmentControlStyle": .editor,
                "momentary": .truth("UIMomentary", default: false),
            ]),
    ]
}
