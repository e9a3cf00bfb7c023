/// Attributes of elements that schemes often set, for editors. Elements have others too: any property of their views.
enum ElementAttributes {
    static let all: [AuthoredKey] = texts + states + values + pictures + forms

    private static let texts = [
        AuthoredKey("text", .text, "the text of a label, field or search bar"),
        AuthoredKey("title", .text, "the title of a button"),
        AuthoredKey("attributedText", .text, "the text, without its attributes"),
        AuthoredKey("currentTitle", .text, "the title of a button"),
        AuthoredKey("placeholder", .text, "the text of an empty field"),
        AuthoredKey("accessibilityLabel", .text, "the name that is read aloud"),
    ]

    private static let states = [
        AuthoredKey("hidden", .boolean, "true if the element is not shown"),
        AuthoredKey("isHidden", .boolean, "true if the element is not shown"),
        AuthoredKey("wx_visible", .boolean, "false if the element is not shown"),
        AuthoredKey("enabled", .boolean, "false if the element cannot be used"),
        AuthoredKey("isEnabled", .boolean, "false if the element cannot be used"),
        AuthoredKey("wx_disabled", .boolean, "true if the element cannot be used"),
        AuthoredKey("userInteractionEnabled", .boolean, "false if the element cannot be touched"),
        AuthoredKey("isUserInteractionEnabled", .boolean, "false if the element cannot be touched"),
        AuthoredKey("editable", .boolean, "false if the text cannot be changed"),
        AuthoredKey("isEditable", .boolean, "false if the text cannot be changed"),
        AuthoredKey("secureTextEntry", .boolean, "true if what is typed is hidden, and left out of recorded scripts"),
        AuthoredKey("wx_readOnly", .boolean, "true if the text cannot be changed"),
        AuthoredKey("alpha", .number, "the opacity, from 0 to 1"),
        AuthoredKey("unveilAlpha", .number, "the opacity at which the element appears"),
        AuthoredKey("animating", .boolean, "true if an activity indicator turns"),
        AuthoredKey("isAnimating", .boolean, "true if an activity indicator turns"),
        AuthoredKey("hidesWhenStopped", .boolean, "true if an activity indicator hides when it does not turn"),
        AuthoredKey("wx_keeps", .choice(["end"]), "the end of a list that stays in sight, as in a chat or a log"),
        AuthoredKey("refreshControl.wx_value", .boolean, "true if a list shows that it is being refreshed"),
    ]

    private static let values = [
        AuthoredKey("value", .any, "the value of a slider or stepper"),
        AuthoredKey("on", .boolean, "the state of a switch"),
        AuthoredKey("isOn", .boolean, "the state of a switch"),
        AuthoredKey("progress", .number, "the part that a progress view shows, from 0 to 1"),
        AuthoredKey("selectedSegmentIndex", .number, "the chosen segment, counted from 0"),
        AuthoredKey("date", .any, "the date of a date picker"),
        AuthoredKey("countDownDuration", .any, "the seconds of a date picker that counts down"),
        AuthoredKey("currentPage", .number, "the page of a page control, counted from 0"),
        AuthoredKey("numberOfPages", .number, "the number of pages"),
        AuthoredKey("titles", .array, "the titles of a picker"),
        AuthoredKey("minimumValue", .number, "the least value"),
        AuthoredKey("maximumValue", .number, "the greatest value"),
        AuthoredKey("stepValue", .number, "the step of a stepper"),
        AuthoredKey("constant", .number, "the constant of a constraint"),
        AuthoredKey("animatedConstant", .number, "the constant of a constraint"),
    ]

    private static let pictures = [
        AuthoredKey("image", .text, "the name of a picture of the bundle"),
        AuthoredKey("wx_imageName", .text, "the name of a picture of the bundle"),
        AuthoredKey("wx_imageUrl", .text, "the address of a picture on the network"),
        AuthoredKey("wx_autoValue", .text, "the name or the address of a picture"),
        AuthoredKey("imageCompression", .number, "the quality of pictures that are sent, from 0 to 1"),
    ]

    private static let forms = [
        AuthoredKey(WidgetKitVocabulary.fieldName, .text, "the field's name in the form's value"),
        AuthoredKey("wx_fieldValue", .any, "the field's value in the form's value"),
        AuthoredKey("dublicateKeyPolicy", .choice(["overwrite", "join", "array"]), "two optional fields of one name"),
        AuthoredKey("acceptsEmptyText", .boolean, "true if an empty text fills a mandatory field"),
        AuthoredKey("resultInfoValueKey", .keyPath, "the member of an upload's answer that is the field's value"),
        AuthoredKey("autoUpload", .boolean, "true if a picked file is sent at once"),
        AuthoredKey("standardShadow", .boolean, "true for a shadow"),
    ]
}
