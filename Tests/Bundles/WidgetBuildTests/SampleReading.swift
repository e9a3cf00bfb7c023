import WidgetNib
import XMLText

/// The way to find an attribute of a source in a compiled interface, independent of the compiler's tables.
enum SampleReading {
    case text(String)
    /// Absent means this value.
    case flag(String, absent: Bool)
    case opposite(String, absent: Bool)
    case integer(String)
    case number(String)
    case choice(String, [String], absent: Int)
    case image(String)
    /// One of two numbers spelled in a text.
    case priority(String, Int)
    /// The number that means no.
    case no(String, Int)

    private static let modes = [
        "scaleToFill", "scaleAspectFit", "scaleAspectFill", "redraw", "center", "top", "bottom", "left", "right",
    ]
    private static let alignments = ["left", "center", "right", "justified", "natural"]

    /// By attribute, or by element and attribute where elements differ.
    static let all: [String: SampleReading] = [
        "contentMode": .choice("UIContentMode", modes, absent: 0), "hidden": .flag("UIHidden", absent: false),
        "opaque": .flag("UIOpaque", absent: false), "clipsSubviews": .flag("UIClipsToBounds", absent: false),
        "multipleTouchEnabled": .flag("UIMultipleTouchEnabled", absent: false),
        "userInteractionEnabled": .opposite("UIUserInteractionDisabled", absent: true),
        "translatesAutoresizingMaskIntoConstraints": .opposite(
            "UIViewDoesNotTranslateAutoresizingMaskIntoConstraints", absent: true),
        "horizontalHuggingPriority": .priority("UIViewContentHuggingPriority", 0),
        "verticalHuggingPriority": .priority("UIViewContentHuggingPriority", 1),
        "text": .text("UIText"), "placeholder": .text("UIPlaceholder"), "title": .text("UITitle"),
        "textAlignment": .choice("UITextAlignment", alignments, absent: 4),
        "lineBreakMode": .choice(
            "UILineBreakMode",
            ["wordWrap", "characterWrap", "clip", "headTruncation", "tailTruncation", "middleTruncation"], absent: 4),
        "numberOfLines": .integer("UINumberOfLines"), "minimumFontSize": .number("UIMinimumFontSize"),
        "baselineAdjustment": .choice(
            "UIBaselineAdjustment", ["alignBaselines", "alignCenters", "none"], absent: 0),
        "adjustsFontSizeToFit": .flag("UIAdjustsFontSizeToFit", absent: false), "image": .image("UIImage"),
        "hidesWhenStopped": .flag("UIHidesWhenStopped", absent: true),
        "activityIndicatorView.style": .choice(
            "UIActivityIndicatorViewStyle", ["whiteLarge", "white", "gray"], absent: -1),
        "barButtonItem.style": .choice("UIStyle", ["plain", "bordered", "done"], absent: 1),
        "enabled": .flag("UIEnabled", absent: true),
        "barStyle": .choice("UIBarStyle", ["default", "black"], absent: 0),
        "navigationBar.barStyle": .choice("UIBarStyle", ["default", "blackOpaque", "black"], absent: 0),
        "translucent": .no("UIBarTranslucence", 2),
        "automaticallyAdjustsScrollViewInsets": .no("UIKeyAutomaticallyAdjustsScrollViewInsets", 0),
        "restorationIdentifier": .text("UIRestorationIdentifier"), "reuseIdentifier": .text("UIReuseIdentifier"),
        "storyboardIdentifier": .text("UIStoryboardIdentifier"),
        "searchBarStyle": .choice("UISearchBarStyle", ["default", "prominent", "minimal"], absent: 0),
        "alwaysBounceVertical": .flag("UIAlwaysBounceVertical", absent: false),
        "keyboardDismissMode": .choice("UIKeyboardDismissMode", ["none", "onDrag", "interactive"], absent: 0),
        "rowHeight": .number("UIRowHeight"), "sectionHeaderHeight": .number("UISectionHeaderHeight"),
        "sectionFooterHeight": .number("UISectionFooterHeight"),
        "estimatedRowHeight": .number("UIEstimatedRowHeight"),
        "separatorStyle": .choice("UISeparatorStyleIOS9AndLater", ["none", "default"], absent: 1),
        "tableView.style": .choice("UIStyle", ["plain", "grouped"], absent: 0),
        "indentationWidth": .number("UIIndentationWidth"),
        "selectionStyle": .choice("UISelectionStyle", ["none", "blue", "gray", "default"], absent: 3),
        "borderStyle": .choice("UIBorderStyle", ["none", "line", "bezel", "roundedRect"], absent: 0),
        "contentHorizontalAlignment": .choice(
            "UIContentHorizontalAlignment", ["center", "left", "right", "fill"], absent: 0),
        "contentVerticalAlignment": .choice(
            "UIContentVerticalAlignment", ["center", "top", "bottom", "fill"], absent: 0),
        "autocapitalizationType": .choice(
            "UIAutocapitalizationType", ["none", "words", "sentences", "allCharacters"], absent: -1),
        "returnKeyType": .choice("UIReturnKeyType", ["default", "go", "google", "join", "next"], absent: -1),
        "buttonType": .choice("UIButtonType", ["custom", "system"], absent: -1),
        "progress": .number("UIProgress"), "on": .flag("UISwitchOn", absent: false),
        "numberOfPages": .integer("UINumberOfPages"), "currentPage": .integer("UICurrentPage"),
        "stepper.value": .number("UIStepperValue"), "minimumValue": .number("UIStepperMinimumValue"),
        "maximumValue": .number("UIStepperMaximumValue"), "stepValue": .number("UIStepperStepValue"),
        "selectedSegmentIndex": .integer("UISelectedSegmentIndex"),
        "allowsMultipleSelection": .flag("UIAllowsMultipleSelection", absent: false),
        "minimumLineSpacing": .number("UILineSpacing"), "minimumInteritemSpacing": .number("UIInteritemSpacing"),
        "scrollDirection": .choice("UIScrollDirection", ["vertical", "horizontal"], absent: 0),
        "accessoryType": .choice("UIAccessoryType", ["none", "disclosureIndicator"], absent: 0),
    ]

    /// Attributes for the editor alone, and attributes that are compared elsewhere.
    static let elsewhere: Set<String> = [
        "id", "key", "customClass", "customModule", "sceneMemberID", "userLabel", "tableViewCell", "dataMode",
        "tableViewCell.rowHeight",
    ]

    /// Returns true if the attribute has the value with this spelling in a source.
    func says(_ spelling: String, of element: NibElement) -> Bool {
        let value = value(of: element)
        if case .number = self, let number = value.flatMap({ Double($0) }) { return number == Double(spelling) }
        return value == spelling
    }

    /// Returns the attribute in a source's spelling.
    private func value(of element: NibElement) -> String? {
        func spelled(_ flag: Bool) -> String { flag ? "YES" : "NO" }
        func spelled(_ number: Double?) -> String? { number.map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" } }
        switch self {
        case .text(let key): return element.string(key)
        case .flag(let key, let absent): return spelled(element.boolean(key) ?? absent)
        case .opposite(let key, let absent): return spelled(element.boolean(key).map { !$0 } ?? absent)
        case .integer(let key): return element.integer(key).map { "\($0)" }
        case .number(let key): return spelled(element.double(key))
        case .choice(let key, let names, let absent):
            let number = element.integer(key) ?? absent
            return names.indices.contains(number) ? names[number] : nil
        case .image(let key): return element.imageName(key)
        case .priority(let key, let place):
            return element.priorities(key).flatMap { spelled(place == 0 ? $0.horizontal : $0.vertical) }
        case .no(let key, let number): return element.integer(key).map { spelled($0 != number) }
        }
    }
}
