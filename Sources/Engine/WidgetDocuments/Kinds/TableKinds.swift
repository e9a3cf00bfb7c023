/// A list of rows.
enum TableWidget: DocumentKind {
    static let spec = KindSpec(
        of: TableWidget.self,
        "Rows, which may lie in sections. A child that is neither a cell nor a section becomes a row.",
        properties: [
            PropertySpec(
                "style", .choice(["auto", "plain", "grouped", "inset"]), initially: .text("auto"), isBindable: false,
                "its looks; by default `grouped` with several sections"),
            PropertySpec("refreshing", .flag, initially: .flag(false), "true while its content is fetched again"),
            PropertySpec("separators", .flag, initially: .flag(true), isBindable: false, "true for lines between rows"),
        ],
        content: .any,
        slots: [SlotSpec("empty", "shown while `items` has nothing")],
        events: [
            EventSpec("select", "a row was selected whose cell and section have no such event; `$content` is its item"),
            EventSpec("refresh", "the reader asks for new content"),
        ],
        samples: [
            #"{"kind": "table", "items": {"in": {"$": "{'Ann', 'Bo'}"}, "as": "name"}, "slots": {"empty": {"kind": "label", "payload": {"text": "No people yet"}}}, "children": [{"kind": "cell", "payload": {"title": "$name"}}]}"#
        ])
}

/// Rows of a table under one title.
enum SectionWidget: DocumentKind {
    static let spec = KindSpec(
        of: SectionWidget.self, "Rows of a table that belong together.",
        properties: [
            PropertySpec("title", .text, "the text above its rows"),
            PropertySpec("footer", .text, "the text below its rows"),
        ],
        content: .any,
        events: [EventSpec("select", "a row of it was selected whose cell has no such event")],
        samples: [
            #"{"kind": "table", "children": [{"kind": "section", "payload": {"title": "Colors"}, "children": [{"kind": "cell", "payload": {"title": "Red"}}]}]}"#
        ])
}

/// A row of a table.
enum CellWidget: DocumentKind {
    static let spec = KindSpec(
        of: CellWidget.self, "A row of a table: its texts, or else its children.",
        properties: [
            PropertySpec("title", .text, "the first text"),
            PropertySpec("subtitle", .text, "the smaller text below it"),
            PropertySpec("value", .text, "the text at the trailing edge"),
            PropertySpec("image", .text, "the name of a picture at the leading edge"),
            PropertySpec(
                "accessory", .choice(["none", "disclosure", "detail", "checkmark"]), initially: .text("none"),
                isBindable: false,
                "the sign at the trailing edge"),
        ],
        content: .any, events: [EventSpec("select", "the row was selected")],
        samples: [
            #"{"kind": "table", "children": [{"kind": "cell", "payload": {"title": "Name", "value": "Ann", "accessory": "disclosure"}, "on": {"select": [{"do": "alert", "title": "Ann"}]}}]}"#
        ])
}
