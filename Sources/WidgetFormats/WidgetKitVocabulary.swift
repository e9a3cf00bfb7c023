internal import WidgetCore

/// What UIKit and the framework call the properties of elements.
enum WidgetKitVocabulary {
    static let vocabulary = Vocabulary(keys: keys, valueKey: "wx_value", values: values)

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
        "maximumValue": same(.maximum), "stepValue": same(.step), "constant": same("constant"),
        "animatedConstant": same("constant"), "wx_fieldValue": same(.value),
        "hidesWhenStopped": same(.hidesWhenStopped),
        "refreshControl.wx_value": same("refreshing"), "accessibilityLabel": same(.accessibleName),
        "unveilAlpha": same("alpha"), "alpha": same("alpha"),
    ]

    private static let values: [NodeKind: PropertyName] = [
        .label: .text, .textField: .text, .textArea: .text, .searchField: .text, .button: .text, .image: .image,
        .activity: .active, .progress: .value, .toggle: .value, .slider: .value, .stepper: .value, .segments: .value,
        .datePicker: .value, .pageControl: .value, .constraint: "constant", .list: "refreshing", .grid: "refreshing",
    ]

    /// Kinds of which the main value is a person's to change: an assignment gives it once, and what is typed stays.
    static let editable: Set<NodeKind> = [
        .textField, .textArea, .searchField, .toggle, .slider, .stepper, .segments, .datePicker,
    ]
}
