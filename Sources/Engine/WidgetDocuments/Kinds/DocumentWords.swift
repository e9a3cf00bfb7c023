internal import WidgetCore

/// The words of documents that mean the same for every kind: members of elements and scenes, styles, and actions.
package enum DocumentWords {
    /// The version of the form that this program reads.
    package static let schemaVersion = 1
    /// The end of the names of files that are documents.
    package static let ending = ".widgets.json"
    /// The first document of a bundle whose `Info.plist` names no other.
    package static let standardName = "Main\(ending)"
    /// The key of `Info.plist` that names the first document.
    package static let manifestKey = "WidgetDocument"
    /// The folder whose files are components.
    package static let componentFolder = "components/"

    /// The file of the theme that all documents have.
    package static let themeFile = "theme.json"

    /// The members of an element.
    package static let element: [(name: String, about: String)] = [
        ("kind", "the kind, or the name of a component"),
        ("payload", "the properties of the kind"),
        ("id", "a name, by which scripts and other documents know the element"),
        ("children", "the elements in it"),
        ("slots", "elements for the named places of the kind"),
        ("items", "repeats the children for each item of a list"),
        ("if", "the element is shown while this is true"),
        ("on", "the actions of each event"),
        ("style", "looks and size: an object, the name of a style, or a list of both"),
        ("theme", "names of colours, fonts, lengths and styles for the element and what is in it"),
        ("fallback", "the element that is shown where this one cannot be"),
        ("comment", "a remark, which has no effect"),
    ]

    /// The members of `items`.
    package static let items: [(name: String, about: String)] = [
        ("in", "the key path or expression of the list"),
        ("as", "the name that each item has in expressions; `content` is another one"),
        ("key", "the key path or expression that is different for each item, so that what was typed moves with it"),
    ]

    /// The members of a scene.
    package static let scene: [(name: String, about: String)] =
        [
            ("schema", "the version of the form: 1"),
            ("$schema", "the JSON Schema that editors check the document with; hosts do not read it"),
            ("id", "the name of the screen"),
            ("title", "the text of the navigation bar"),
            ("bar", "false for a screen without a navigation bar"),
            ("parameters", "the values that others pass, with their defaults"),
            ("state", "the values that actions change, with what they are at first"),
            ("persist", "the names of states whose values outlive the widget"),
            (
                "sources",
                "values that a service answers with, or fixed ones, by the names that expressions have for them"
            ),
            ("cache", "the keys of the cache that it uses, with the values that are read where none is stored"),
            ("theme", "names of colours, fonts, lengths and styles"),
            ("styles", "looks and sizes, by the names that `style` has for them"),
            ("components", "elements with parameters, under the names by which others use them"),
            ("on", "the actions of `load` and `appear`"),
            ("root", "the element, or a list of elements"),
            ("comment", "a remark, which has no effect"),
        ] + TermWords.members

    /// The members of a value that is one of several.
    package static let match: [(name: String, about: String)] = [
        ("match", "the key path or expression whose value chooses"),
        ("cases", "the values, by the texts that choose them; `true`, `false` and `null` are texts, too"),
        ("else", "the value where no case is chosen; nothing if left out"),
    ]

    /// The members of a source.
    package static let source: [PropertySpec] = [
        PropertySpec("action", .text, isBindable: false, "the action of the service that is asked"),
        PropertySpec(
            "service", .text, isBindable: false, "the service's name; it can be left out where there is only one"),
        PropertySpec("with", .object, "values for the places of the action's description"),
        PropertySpec(
            "part", .text, isBindable: false, "the key path of the value in the answer; the whole answer if left out"),
        PropertySpec(
            "when", .choice(DataSource.Moment.allCases.map({ $0.rawValue })),
            isBindable: false,
            "it is asked when the screen is made, each time it appears, when `with` changes, or by actions alone, as those are that change something on a server"
        ),
        PropertySpec("every", .number, isBindable: false, "it is asked again after so many seconds"),
        PropertySpec("if", .flag, "it is not asked while this is false"),
        PropertySpec("value", .anything, isBindable: false, "a fixed value in place of an answer"),
    ]

    /// The members of a theme.
    package static let theme: [(name: String, about: String)] = [
        ("colors", "colours by their names; `accent`, `link`, `text` and `secondaryText` are those of all elements"),
        ("fonts", "fonts by their names; `body` is that of all texts"),
        ("numbers", "lengths by their names"),
        ("styles", "looks and sizes, by the names that `style` has for them"),
        ("comment", "a remark, which has no effect"),
    ]

    /// The members of a font of a theme.
    package static let font: [(name: String, about: String)] = [
        ("style", "the text style that it begins with, which follows the reader's setting; `body` if left out"),
        ("size", "the size in points"),
        ("weight", "from 100 to 900; 400 is usual, 700 is bold"),
        ("bold", "true for bold"),
        ("italic", "true for italic"),
    ]

    /// The members of a button of an alert.
    package static let alertAction: [PropertySpec] = [
        PropertySpec("title", .text, isRequired: true, "its title"),
        PropertySpec(
            "style", .choice(AlertStyle.allCases.map { $0.rawValue }), initially: .text("default"), isBindable: false,
            "its purpose"),
        PropertySpec("actions", .anything, isBindable: false, "the actions when it is tapped"),
    ]

    /// The corners of a box.
    package static let corners = ["topLeft", "topRight", "bottomLeft", "bottomRight"]

    /// The members of a component.
    package static let component: [(name: String, about: String)] = [
        ("parameters", "its parameters, with their defaults"),
        ("body", "the element that takes its place"),
        ("comment", "a remark, which has no effect"),
    ]

    /// The events that elements of all kinds have, besides `change(EXPRESSION)`.
    package static let elementEvents = [
        EventSpec("appear", "it has come on the screen; `$argument` is its item"),
        EventSpec("appearOnce", "it has come for the first time since the screen was made"),
        EventSpec("disappear", "it has gone, or its screen is about to close"),
    ]

    /// The members of the actions of a change, besides a list of actions alone.
    package static let change: [(name: String, about: String)] = [
        ("initial", "true if the first value counts as a change"), ("then", "the actions"),
    ]

    /// The events of a scene.
    package static let sceneEvents = [
        EventSpec("load", "the screen was made"), EventSpec("appear", "the screen is about to be seen"),
        EventSpec("instead", "a field or switch without such an event was touched in a host without input"),
    ]

    package static let positions = [
        "fill", "left", "top", "bottom", "right", "topLeft", "topRight", "bottomLeft", "bottomRight", "center",
        "centerLeft", "centerTop", "centerBottom", "centerRight", "centerHorizontally", "centerVertically",
    ]

    package static let fonts = [
        "largeTitle", "title1", "title2", "title3", "headline", "body", "callout", "subheadline", "footnote",
        "caption1", "caption2",
    ]

    /// The members of `style`, for elements of every kind.
    package static let style: [PropertySpec] = [
        PropertySpec("width", .length, isBindable: false, "points across"),
        PropertySpec("height", .length, isBindable: false, "points from top to bottom"),
        PropertySpec("minWidth", .length, isBindable: false, "the least width"),
        PropertySpec("maxWidth", .length, isBindable: false, "the largest width"),
        PropertySpec("minHeight", .length, isBindable: false, "the least height"),
        PropertySpec("maxHeight", .length, isBindable: false, "the largest height"),
        PropertySpec("padding", .sides, isBindable: false, "points between the border and the content"),
        PropertySpec("margin", .sides, isBindable: false, "points around the border"),
        PropertySpec("position", .choice(positions), isBindable: false, "the place in a `zstack`"),
        PropertySpec("grow", .flag, isBindable: false, "true if it takes the room that is left in a stack"),
        PropertySpec(
            "shrink", .flag, isBindable: false, "true if it gives way first where a stack has too little room"),
        PropertySpec("background", .color, isBindable: false, "the paint behind it"),
        PropertySpec("color", .color, isBindable: false, "the paint of its text"),
        PropertySpec("tint", .color, isBindable: false, "the paint of its active parts"),
        PropertySpec("font", .font, isBindable: false, "the text style, which follows the reader's setting"),
        PropertySpec("fontSize", .length, isBindable: false, "the size of the text in points"),
        PropertySpec("bold", .flag, isBindable: false, "true for a bold text"),
        PropertySpec("italic", .flag, isBindable: false, "true for an italic text"),
        PropertySpec("alpha", .number, "from 0, where it is not shown, to 1"),
        PropertySpec("hidden", .flag, "true while it is not shown"),
        PropertySpec("clips", .flag, isBindable: false, "true if content outside its border is not shown"),
        PropertySpec("cornerRadius", .length, isBindable: false, "the radius of its corners"),
        PropertySpec(
            "corners", .words(corners), isBindable: false, "the corners that have the radius; all if left out"),
        PropertySpec("borderWidth", .length, isBindable: false, "points across its border"),
        PropertySpec("borderColor", .color, isBindable: false, "the paint of its border"),
        PropertySpec("shadow", .length, isBindable: false, "the radius of its shadow"),
        PropertySpec("accessibilityLabel", .text, "its name for those who cannot see it"),
    ]

    /// The actions of events, by their names under `do`.
    package static let actions: [ActionSpec] = [
        ActionSpec(
            "set", "changes a state",
            [
                stateSpec,
                PropertySpec("to", .anything, isRequired: true, "its new value"),
            ]),
        ActionSpec(
            "toggle", "turns a state from true to false, and back",
            [stateSpec]),
        ActionSpec(
            "push", "shows another document or screen, from which a button leads back",
            [
                PropertySpec(
                    "scene", .text, isBindable: false, isRequired: true,
                    "the name of its file, without `\(ending)`, or that of a screen"),
                PropertySpec("with", .object, "values for its parameters; the content of a screen"),
                resultSpec,
            ]),
        ActionSpec(
            "present", "shows another document or screen in front of this one",
            [
                PropertySpec(
                    "scene", .text, isBindable: false, isRequired: true,
                    "the name of its file, without `\(ending)`, or that of a screen"),
                PropertySpec("with", .object, "values for its parameters; the content of a screen"),
                resultSpec,
            ]),
        ActionSpec("back", "returns to the screen below", [valueSpec]),
        ActionSpec("dismiss", "closes a presented screen", [valueSpec]),
        ActionSpec(
            "append", "adds an item to the end of a list in a state",
            [stateSpec, PropertySpec("item", .anything, "the item"), membersSpec]),
        ActionSpec("remove", "removes items from a list in a state", [stateSpec] + itemSpecs),
        ActionSpec(
            "update", "replaces items of a list in a state",
            [stateSpec, PropertySpec("to", .anything, "the new item"), membersSpec] + itemSpecs),
        ActionSpec(
            "emit", "runs the actions that the element of this component, or host of this document, has in `on`",
            [
                PropertySpec("event", .text, isBindable: false, isRequired: true, "the name of the event there"),
                PropertySpec("value", .anything, "the value that is `$argument` there"),
            ]),
        ActionSpec(
            "focus", "puts the cursor into a field",
            [PropertySpec("id", .text, isBindable: false, isRequired: true, "the name of the field")]),
        ActionSpec(
            "reveal", "chooses a row of a list, without what a touch of it does",
            [
                PropertySpec("list", .text, isBindable: false, isRequired: true, "the name of the table or stack"),
                PropertySpec(
                    "key", .text, isBindable: false,
                    "the member by which the item is found; the item itself if left out"),
                PropertySpec("is", .anything, isRequired: true, "the value that it has"),
            ]),
        ActionSpec(
            "alert", "shows a message",
            [
                PropertySpec("title", .text, isRequired: true, "its first line"),
                PropertySpec("message", .text, "the rest of it"),
                PropertySpec("actions", .anything, isBindable: false, "its buttons; one that closes it if left out"),
            ]),
        ActionSpec(
            "open", "lets the host open an address or a link",
            [
                PropertySpec("url", .text, "the address, in which parts such as `{id:integer}` have values of `with`"),
                PropertySpec("link", .text, isBindable: false, "the name of a link that the document declares"),
                PropertySpec("with", .object, "values for the parts; nothing is opened while one has none"),
            ]),
        ActionSpec(
            "cache", "stores a value beyond the life of the widget, for all that share its group",
            [
                PropertySpec("key", .text, isBindable: false, isRequired: true, "the key, as `cache` declares it"),
                PropertySpec("to", .anything, "the value; without one, what is stored is removed"),
                PropertySpec("for", .number, "the seconds for which it is good; else for ever"),
                PropertySpec("at", .anything, "its time at the source: an older value never replaces a newer one"),
            ]),
        ActionSpec(
            "uncache", "removes a value from the cache",
            [PropertySpec("key", .text, isBindable: false, isRequired: true, "the key, as `cache` declares it")]),
        ActionSpec(
            "refresh", "asks a source again, or all sources that only ask",
            [PropertySpec("source", .text, isBindable: false, "the name of the source; all if left out")]),
        ActionSpec(
            "call", "asks a service",
            [
                PropertySpec("source", .text, isBindable: false, "the source that is asked, and has the status"),
                PropertySpec("action", .text, isBindable: false, "the action of the service, without a source"),
                PropertySpec(
                    "service", .text, isBindable: false,
                    "the service's name; it can be left out where there is only one"),
                PropertySpec("with", .object, "values for the places of the action's description"),
                PropertySpec(
                    "then", .anything, isBindable: false, "the actions after the answer, which is `$argument`"),
                PropertySpec(
                    "else", .anything, isBindable: false, "the actions after a failure, whose reason is `$argument`"),
            ]),
        ActionSpec(
            "after", "takes further actions later",
            [
                PropertySpec("seconds", .number, isBindable: false, isRequired: true, "the delay"),
                PropertySpec("then", .anything, isBindable: false, isRequired: true, "the actions"),
            ]),
        ActionSpec(
            "when", "takes actions if a condition holds",
            [
                PropertySpec("if", .flag, isRequired: true, "the condition"),
                PropertySpec("then", .anything, isBindable: false, isRequired: true, "the actions if it holds"),
                PropertySpec("else", .anything, isBindable: false, "the actions if it does not hold"),
            ]),
    ]

    private static let stateSpec = PropertySpec(
        "state", .text, isBindable: false, isRequired: true,
        "the name of the state, or its way to a member, as in `user.name`")
    private static let resultSpec = PropertySpec(
        "result", .anything, isBindable: false, "the actions when it returns with a value, which is `$argument`")
    private static let valueSpec = PropertySpec("value", .anything, "the value that the screen below gets")
    private static let membersSpec = PropertySpec("with", .object, "the members of the item, by their names")
    private static let itemSpecs = [
        PropertySpec(
            "key", .text, isBindable: false, "the member by which items are found; the item itself if left out"),
        PropertySpec("is", .anything, "the value that the found items have"),
        PropertySpec("at", .number, "the place of the item instead, from 0"),
    ]

    package static func action(_ name: String) -> ActionSpec? { actions.first { $0.name == name } }
}

/// The description of an action.
package struct ActionSpec: Sendable {
    package let name: String
    package let about: String
    package let members: [PropertySpec]

    init(_ name: String, _ about: String, _ members: [PropertySpec]) {
        self.name = name
        self.about = about
        self.members = members
    }
}
