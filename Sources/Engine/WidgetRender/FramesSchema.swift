package import JSONText
internal import WidgetCore
internal import WidgetLayout

extension ViewFrames {
    /// The description of the document, for hosts that read it.
    package static var schema: JSONSchemaDocument {
        JSONSchemaDocument(
            "Frames of a widget's screen",
            JSONSchema.object(
                [
                    member("alerts", .list(of: .reference("alert")), "messages over the screen, the last one on top"),
                    member(
                        "diagnostics", .list(of: .reference("diagnostic")),
                        "faults of the widget, contradicting rules of its layout among them"),
                    member("elements", .list(of: .reference("element")), "visible elements, in the order of reading"),
                    member(
                        "insets",
                        .object(
                            ["bottom", "left", "right", "top"].map { JSONSchema.Member($0, .number, "points") },
                            isClosed: true),
                        "the margins around the widget, if it has any"),
                    member("screen", .text, "the screen's name"),
                    member("title", .text, "the screen's title"),
                    member("viewport", .reference("viewport"), "the screen that it was laid out for"),
                    member("visible", .flag, "false while the widget has nothing to show"),
                ], isClosed: true
            ).with(.required(["alerts", "diagnostics", "elements", "screen", "title", "viewport"])),
            definitions: [
                .init("alert", alert), .init("color", color), .init("diagnostic", diagnostic),
                .init("element", element),
                .init("font", font), .init("lengths", .list(of: .number).described("points")),
                .init("viewport", viewport),
            ])
    }

    private static func member(_ name: String, _ schema: JSONSchema, _ about: String) -> JSONSchema.Member {
        // Draft 7 ignores what is beside a reference.
        if case .reference? = schema.rules.first {
            return JSONSchema.Member(name, JSONSchema(.allOf([schema])), about)
        }
        return JSONSchema.Member(name, schema, about)
    }

    private static let color = JSONSchema(
        .kinds([.string]), .pattern("^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$"),
        about: "red, green, blue and, if it is not opaque, alpha; for the scheme of the viewport")

    private static var alert: JSONSchema {
        JSONSchema.object(
            [
                member("buttons", .list(of: .text), "its buttons"), member("message", .text, "its text"),
                member(
                    "styles", .list(of: .words(AlertStyle.allCases.map { $0.rawValue })),
                    "of its buttons, if one is not usual"),
                member("title", .text, "its title"),
            ], isClosed: true)
    }

    private static var diagnostic: JSONSchema {
        JSONSchema.object([
            member("code", .text, "the kind of fault; codes are added and never reused"),
            member("message", .text, "one sentence"), member("hint", .text, "the next step"),
            member("severity", .words(["warning", "error"]), "error if a part does not work"),
            member("file", .text, "the authored file"), member("line", .number, "from 1"),
            member("column", .number, "from 1"), member("path", .text, "the path of keys in the file"),
        ]).with(.required(["code", "message", "severity"]))
    }

    private static var font: JSONSchema {
        JSONSchema.object(
            [
                member("family", .text, "the system's font if not given"), member("italic", .flag, "true or not given"),
                member("monospaced", .flag, "true or not given"),
                member("size", .number, "points, at the text size of the viewport"),
                member("weight", JSONSchema(.kinds([.integer]), .range(atLeast: 100, atMost: 900)), "400 is regular"),
            ], isClosed: true
        ).with(.required(["size", "weight"]))
    }

    private static var element: JSONSchema {
        let length = JSONSchema.number
        return JSONSchema.object(
            [
                member("alpha", length, "0 to 1; 1 if not given"),
                member("background", .reference("color"), "clear if not given"),
                member("baseline", length, "the y of the first line's baseline, on the screen"),
                member(
                    "border",
                    JSONSchema.object([
                        member("color", .reference("color"), "of the border"),
                        member("width", length, "points"),
                    ]), "within the frame"),
                member("clipped", .flag, "true if a part lies outside of the screen or of an element that clips"),
                member("content", .reference("lengths"), "width and height of what scrolls in it"),
                member("cornerRadius", length, "points"),
                member(
                    "corners", .list(of: .words(Corner.allCases.map({ $0.rawValue }))),
                    "those that are round; all if left out"),
                member("font", .reference("font"), "of its text"),
                member("foreground", .reference("color"), "of its text, or of the part of a control that is on"),
                member(
                    "frame", .reference("lengths"),
                    "x, y, width and height on the screen; edges are on pixels, and x grows to the right in every language"
                ),
                member("identifier", .text, "its author's name for it"),
                member("key", .text, "its identity from view to view; events name it"),
                member("kind", .text, "the kind of element, such as label or list; new ones may be added"),
                member("lines", JSONSchema(.kinds([.integer])), "lines of its text"),
                member("name", .text, "its name for assistive technology"),
                member(
                    "paint", JSONSchema(.kinds([.integer])), "its place in paint order: higher ones cover lower ones"),
                member("parent", .text, "the key of the element that it lies in"),
                member("role", .text, "its role for assistive technology, in the words of ARIA"),
                member("state", .list(of: .text), "such as disabled, focused, selected"),
                member(
                    "symbol", .words(SystemSymbol.allCases.map({ $0.rawValue })),
                    "the drawing of the system's that a button shows, beside its text or in place of one"),
                member("text", .text, "the whole text, of elements that show one"),
                member("truncated", .flag, "true if its text has more than its frame holds"),
                member("value", .text, "its value for assistive technology"),
            ], isClosed: true
        ).with(.required(["frame", "key", "kind", "paint", "role"]))
    }

    private static var viewport: JSONSchema {
        JSONSchema.object(
            [
                member("direction", .words(Viewport.Direction.allCases.map { $0.rawValue }), "of text"),
                member("safeArea", .reference("lengths"), "top, left, bottom and right parts that the device covers"),
                member("scale", JSONSchema(.kinds([.integer]), .range(atLeast: 1)), "pixels of a point"),
                member("scheme", .words(Viewport.Scheme.allCases.map { $0.rawValue }), "of colours"),
                member("size", .reference("lengths"), "width and height"),
                member("textSize", .words(Viewport.TextSize.allCases.map { $0.rawValue }), "the reader's; L is usual"),
            ], isClosed: true
        ).with(.required(["direction", "safeArea", "scale", "scheme", "size", "textSize"]))
    }
}
