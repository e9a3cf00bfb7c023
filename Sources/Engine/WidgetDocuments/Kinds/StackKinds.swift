/// Elements side by side.
enum HStackWidget: DocumentKind {
    static let spec = KindSpec(
        of: HStackWidget.self, "Elements side by side.",
        properties: StackProperties.of(
            alignments: ["center", "top", "bottom", "fill", "baseline"], initially: "center"),
        content: .any, events: [EventSpec("tap", "something in it was tapped that has no event of the name")],
        samples: [
            #"{"kind": "hstack", "children": [{"kind": "label", "payload": {"text": "Left"}}, {"kind": "spacer"}, {"kind": "label", "payload": {"text": "Right"}}]}"#
        ])
}

/// Elements one above the other.
enum VStackWidget: DocumentKind {
    static let spec = KindSpec(
        of: VStackWidget.self, "Elements one above the other.",
        properties: StackProperties.of(
            alignments: ["fill", "leading", "center", "trailing"], initially: "fill"),
        content: .any, events: [EventSpec("tap", "something in it was tapped that has no event of the name")],
        samples: [
            #"{"kind": "vstack", "payload": {"spacing": 4}, "items": {"in": {"$": "{'One', 'Two'}"}, "as": "word"}, "children": [{"kind": "label", "payload": {"text": "$word"}}]}"#
        ])
}

/// The properties that both stacks have.
enum StackProperties {
    static func of(alignments: [String], initially alignment: String) -> [PropertySpec] {
        [
            PropertySpec(
                "spacing", .number, initially: .number(8), isBindable: false, "the points between two elements"),
            PropertySpec(
                "align", .choice(alignments), initially: .text(alignment), isBindable: false,
                "the places across the stack"),
            PropertySpec(
                "distribute", .choice(["fill", "equal", "spacing", "centering"]), initially: .text("fill"),
                isBindable: false,
                "the sharing of the room along the stack"),
        ]
    }
}

/// Elements in front of each other.
enum ZStackWidget: DocumentKind {
    static let spec = KindSpec(
        of: ZStackWidget.self, "Elements in front of each other, the last one foremost; `style.position` places each.",
        content: .any,
        samples: [
            #"{"kind": "zstack", "style": {"height": 80}, "children": [{"kind": "label", "payload": {"text": "Behind"}}, {"kind": "label", "payload": {"text": "New"}, "style": {"position": "topRight"}}]}"#
        ])
}

/// A box around one element.
enum BoxWidget: DocumentKind {
    static let spec = KindSpec(
        of: BoxWidget.self, "A box around one element.", aliases: ["ContainerWidget", "container"],
        content: .one, events: [EventSpec("tap", "something in it was tapped that has no event of the name")],
        samples: [
            #"{"kind": "box", "style": {"padding": 12, "background": "fill", "cornerRadius": 8}, "children": [{"kind": "label", "payload": {"text": "In a box"}}]}"#
        ])
}

/// A part of the screen that scrolls.
enum ScrollWidget: DocumentKind {
    static let spec = KindSpec(
        of: ScrollWidget.self, "An element that may be larger than its place, and scrolls.",
        properties: [
            PropertySpec(
                "axis", .choice(["vertical", "horizontal", "both"]), initially: .text("vertical"), isBindable: false,
                "the direction in which it scrolls")
        ],
        content: .one,
        samples: [#"{"kind": "scroll", "children": [{"kind": "label", "payload": {"text": "A long text"}}]}"#])
}
