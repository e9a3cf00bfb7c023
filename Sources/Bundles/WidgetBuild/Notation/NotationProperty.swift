/// A property of a line in the notation of screens: a word, and the form of its value.
package struct NotationProperty: Sendable {
    /// The form of a value.
    enum Form: Sendable {
        /// No value: the word alone says it.
        case flag
        case number
        /// A number that is not negative.
        case length
        case whole
        /// A text in quotation marks.
        case text
        /// A word, or a text in quotation marks.
        case name
        case color
        /// One of these words, each with its spelling in a storyboard.
        case choice(KeyValuePairs<String, String>)
        /// Texts in quotation marks, one at least.
        case texts
        /// Two numbers.
        case size
        /// A key path, and a text, a number, a colour, yes or no.
        case setting
    }

    /// The part of a storyboard's element that has the value.
    enum Store: Sendable {
        case attribute(String)
        /// An attribute of the element's `textInputTraits`.
        case trait(String)
        case color(String)
        /// A runtime attribute with a text, or with the spelling of a word.
        case runtime(String)
        /// A constraint for this side.
        case dimension(String)
        /// Code for the meaning.
        case other
    }

    package let name: String
    let form: Form
    let kinds: Set<NotationKind>
    let store: Store
    /// The value that a flag has in its attribute.
    var flagged = "YES"
    package let meaning: String

    init(
        _ name: String, _ form: Form, _ kinds: Set<NotationKind>, _ store: Store, flagged: String = "YES",
        _ meaning: String
    ) {
        (self.name, self.form, self.kinds, self.store) = (name, form, kinds, store)
        (self.flagged, self.meaning) = (flagged, meaning)
    }

    /// The form of the value, for people.
    package var value: String {
        switch form {
        case .flag: ""
        case .number, .length: "number"
        case .whole: "whole number"
        case .text: "text"
        case .name: "word or text"
        case .color: "colour"
        case .choice(let words): words.map { "`\($0.key)`" }.joined(separator: " ")
        case .texts: "texts"
        case .size: "width, height"
        case .setting: "key, value"
        }
    }

    /// The kinds of lines that can have it, as documents name them.
    package var owners: [String] {
        let hasViews = kinds.isSuperset(of: NotationKind.views)
        let named = NotationKind.allCases.filter {
            kinds.contains($0) && !(hasViews && NotationKind.views.contains($0))
        }
        return (hasViews ? ["views"] : []) + named.map { "`\($0.rawValue)`" }
    }

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    static func named(_ name: String) -> NotationProperty? { byName[name] }

    // MARK: - The table

    private static let typed: Set<NotationKind> = [.textField, .textView, .search]
    private static let written: Set<NotationKind> = [.label, .button, .textField, .textView]
    private static let chains: Set<NotationKind> = [.screen, .view, .form, .scroll, .header, .footer, .cell]
    private static let shown = NotationKind.views.union([.screen, .cell, .header, .footer])

    /// The properties in the order in which they are written.
    package static let all: [NotationProperty] = [
        NotationProperty(
            "named", .name, NotationKind.views.union([.left, .right, .header, .footer]), .other,
            "the name, when it is a word of this list or has other signs than letters, digits and `_`"),
        NotationProperty(
            "initial", .flag, [.screen, .tabs], .other,
            "what the widget begins with; else the first line that is not inside another"),
        NotationProperty(
            "in", .choice(["stack": "stack"]), [.screen], .other, "the screen begins a stack, with a bar above it"),
        NotationProperty("largeTitles", .flag, [.screen], .other, "the bar of its stack has large titles"),
        NotationProperty("barColor", .color, [.screen, .tabs], .other, "the colour of the stack's or the tabs' bar"),
        NotationProperty("back", .text, [.screen], .other, "the title of the button that leads back here"),
        NotationProperty(
            "system", .choice(systemItems), [.left, .right], .attribute("systemItem"),
            "a button of the system, with its sign"),
        NotationProperty(
            "done", .flag, [.left, .right], .attribute("style"), flagged: "done", "it is the bar's main button"),
        NotationProperty("picture", .name, [.image, .button, .left, .right, .tab], .other, "a picture of the bundle"),
        NotationProperty(
            "scale",
            .choice(["fit": "scaleAspectFit", "fill": "scaleAspectFill", "center": "center", "stretch": "scaleToFill"]),
            [.image], .attribute("contentMode"), "the way in which a picture fills its place; `fit` if not said"),
        NotationProperty(
            "style", .choice(textStyles), written.subtracting([.button]), .other, "the font for this purpose"),
        NotationProperty("size", .length, written, .other, "the size of the font; 17 if not said"),
        NotationProperty("bold", .flag, written, .other, "a bold font"),
        NotationProperty("italic", .flag, written, .other, "an italic font"),
        NotationProperty("color", .color, written, .other, "the colour of the text"),
        NotationProperty(
            "align", .choice(["left": "left", "center": "center", "right": "right", "justified": "justified"]),
            [.label, .textField, .textView], .attribute("textAlignment"), "the side at which lines begin"),
        NotationProperty(
            "lines", .whole, [.label], .attribute("numberOfLines"),
            "the most lines; 0 for as many as it takes, 1 if not said"),
        NotationProperty(
            "placeholder", .text, [.textField, .search], .attribute("placeholder"), "shown while nothing is typed"),
        NotationProperty(
            "field", .name, NotationKind.views, .runtime("wx_fieldName"), "its name in the value of a form"),
        NotationProperty(
            "keyboard",
            .choice([
                "ascii": "alphabet", "punctuation": "numbersAndPunctuation", "url": "URL", "number": "numberPad",
                "phone": "phonePad", "email": "emailAddress", "decimal": "decimalPad",
            ]), typed, .trait("keyboardType"), "the keys that are shown"),
        NotationProperty(
            "capitals", .choice(["words": "words", "sentences": "sentences", "all": "allCharacters"]), typed,
            .trait("autocapitalizationType"), "letters that become capitals"),
        NotationProperty(
            "correction", .choice(["no": "no", "yes": "yes"]), typed, .trait("autocorrectionType"),
            "spelling is corrected, or not"),
        NotationProperty(
            "return",
            .choice([
                "go": "go", "join": "join", "next": "next", "search": "search", "send": "send", "done": "done",
                "continue": "continue",
            ]), typed, .trait("returnKeyType"), "the word on the return key"),
        NotationProperty("secure", .flag, typed, .trait("secureTextEntry"), "letters are dots"),
        NotationProperty("readOnly", .flag, [.textView], .attribute("editable"), flagged: "NO", "nothing can be typed"),
        NotationProperty("on", .flag, [.switch], .attribute("on"), "it begins switched on"),
        NotationProperty("value", .number, [.slider, .stepper, .progress], .other, "the number to begin with"),
        NotationProperty("min", .number, [.slider, .stepper], .other, "the least number; 0 if not said"),
        NotationProperty(
            "max", .number, [.slider, .stepper], .other, "the greatest; 1 of a slider, 100 of a stepper if not said"),
        NotationProperty(
            "step", .number, [.stepper], .attribute("stepValue"), "the difference of a touch; 1 if not said"),
        NotationProperty("segments", .texts, [.segmented], .other, "the words to choose from"),
        NotationProperty(
            "selected", .whole, [.segmented], .attribute("selectedSegmentIndex"), "the place of the one chosen, from 0"),
        NotationProperty(
            "mode",
            .choice(["time": "time", "date": "date", "dateAndTime": "dateAndTime", "countDown": "countDownTimer"]),
            [.datePicker], .attribute("datePickerMode"), "the parts of a date; `dateAndTime` if not said"),
        NotationProperty(
            "pages", .whole, [.pageControl], .attribute("numberOfPages"), "the number of dots; 3 if not said"),
        NotationProperty(
            "current", .whole, [.pageControl], .attribute("currentPage"), "the place of the page shown, from 0"),
        NotationProperty("animating", .flag, [.activity], .attribute("animating"), "it turns from the start"),
        NotationProperty("grouped", .flag, [.table], .attribute("style"), flagged: "grouped", "sections are set apart"),
        NotationProperty(
            "separators", .choice(["none": "none"]), [.table], .attribute("separatorStyle"), "no lines between rows"),
        NotationProperty(
            "keeps", .choice(["end": "end"]), [.table], .runtime("wx_keeps"),
            "its end is in sight at first, and stays so while rows come, as in a chat or a log"),
        NotationProperty(
            "rowHeight", .length, [.table], .other, "the height of all rows; their content decides if not said"),
        NotationProperty("itemSize", .size, [.collection], .other, "the size of cells; 160 120 if not said"),
        NotationProperty(
            "direction", .choice(["horizontal": "horizontal"]), [.collection], .other, "cells continue to the right"),
        NotationProperty(
            "accessory",
            .choice([
                "arrow": "disclosureIndicator", "details": "detailDisclosureButton", "check": "checkmark",
                "info": "detailButton",
            ]), [.cell], .attribute("accessoryType"), "the sign at a row's end"),
        NotationProperty(
            "selection", .choice(["none": "none"]), [.cell], .attribute("selectionStyle"),
            "a touched row looks as before"),
        NotationProperty(
            "items", .choice(["start": "leading", "center": "center", "end": "trailing", "baseline": "firstBaseline"]),
            [.column, .row], .attribute("alignment"), "the place of views across the column or row"),
        NotationProperty(
            "share", .choice(["equally": "fillEqually", "byContent": "fillProportionally", "gaps": "equalSpacing"]),
            [.column, .row], .attribute("distribution"), "the way in which views share the space"),
        NotationProperty(
            "spacing", .number, chains.union([.column, .row, .collection]), .other,
            "between two views; 8 if not said, in cells 4, in collections 10"),
        NotationProperty("margin", .number, chains, .other, "around the views; 16 if not said, in cells 12"),
        NotationProperty("width", .length, NotationKind.views, .dimension("width"), "exactly so wide"),
        NotationProperty("height", .length, NotationKind.views, .dimension("height"), "exactly so high"),
        NotationProperty(
            "fill", .flag, NotationKind.views, .attribute("verticalHuggingPriority"), flagged: "1",
            "it takes the height that others leave, as lists do without it"),
        NotationProperty(
            "centered", .flag, NotationKind.views, .other,
            "it lies in the middle, over the other views, and takes no room from them"),
        NotationProperty("background", .color, shown, .color("backgroundColor"), "the colour behind it"),
        NotationProperty(
            "tint", .color, shown.union([.left, .right]), .color("tintColor"), "the colour of what can be touched"),
        NotationProperty("alpha", .number, NotationKind.views, .attribute("alpha"), "from 0, not seen, to 1"),
        NotationProperty("hidden", .flag, NotationKind.views, .attribute("hidden"), "it is not shown"),
        NotationProperty(
            "disabled", .flag, NotationKind.controls.union([.left, .right]), .attribute("enabled"), flagged: "NO",
            "it cannot be touched"),
        NotationProperty(
            "spoken", .text, NotationKind.views.union([.left, .right]), .other,
            "its name for those who listen, and for scripts"),
        NotationProperty(
            "class", .name, NotationKind.views.union([.screen, .cell]), .other,
            "another class of the framework, or of the host"),
        NotationProperty(
            "module", .name, NotationKind.views.union([.screen, .cell]), .other,
            "the module of the class; `WidgetKit` if not said"),
        NotationProperty(
            "set", .setting, NotationKind.views.union([.screen, .cell, .left, .right]), .other,
            "a runtime attribute, such as `set cornerRadius 8`; may be repeated"),
    ]

    private static let systemItems: KeyValuePairs<String, String> = [
        "done": "done", "cancel": "cancel", "edit": "edit", "save": "save", "add": "add", "compose": "compose",
        "reply": "reply", "action": "action", "organize": "organize", "bookmarks": "bookmarks", "search": "search",
        "refresh": "refresh", "stop": "stop", "camera": "camera", "trash": "trash", "play": "play", "pause": "pause",
        "rewind": "rewind", "fastForward": "fastForward", "undo": "undo", "redo": "redo",
    ]

    private static let textStyles: KeyValuePairs<String, String> = [
        "largeTitle": "UICTFontTextStyleTitle0", "title1": "UICTFontTextStyleTitle1",
        "title2": "UICTFontTextStyleTitle2", "title3": "UICTFontTextStyleTitle3",
        "headline": "UICTFontTextStyleHeadline", "subheadline": "UICTFontTextStyleSubhead",
        "body": "UICTFontTextStyleBody", "callout": "UICTFontTextStyleCallout",
        "footnote": "UICTFontTextStyleFootnote", "caption1": "UICTFontTextStyleCaption1",
        "caption2": "UICTFontTextStyleCaption2",
    ]
}
