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
    /// The document that fills the view.
    static let document = "\(attachments)document"
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
        "placeholder": same(.placeholder), "secureTextEntry": same(.isSecure), "hidden": same(.hidden),
        "isHidden": same(.hidden),
        "wx_visible": inverse(.hidden), "wx_disabled": same(.disabled), "enabled": inverse(.disabled),
        "isEnabled": inverse(.disabled), "userInteractionEnabled": inverse(.disabled),
        "isUserInteractionEnabled": inverse(.disabled), "wx_readOnly": same(.readOnly),
        "editable": inverse(.readOnly), "isEditable": inverse(.readOnly), "wx_imageName": same(.image),
        "image": same(.image), "wx_autoValue": same(.image), "wx_imageUrl": same(.imageURL),
        "isAnimating": same(.active), "animating": same(.active), "on": same(.value), "isOn": same(.value),
        "value": same(.value), "progress": same(.value), "selectedSegmentIndex": same(.value), "date": same(.value),
        "countDownDuration": same(.value),
        "currentPage": same(.value), "numberOfPages": same(.pageCount), "minimumValue": same(.minimum),
        "maximumValue": same(.maximum), "stepValue": same(.step), "constant": same(.constant),
        "animatedConstant": same(.constant), "wx_fieldValue": same(.value),
        "hidesWhenStopped": same(.hidesWhenStopped), "wx_keeps": same(.keeps),
        "refreshControl.\(valueKey)": same(.refreshing), "accessibilityLabel": same(.accessibleName),
        "imageCompression": same(.compression), "unveilAlpha": same(.alpha), "alpha": same(.alpha),
    ]
}
