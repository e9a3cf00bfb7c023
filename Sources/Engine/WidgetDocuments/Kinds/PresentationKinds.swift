/// Elements that a tap shows and hides.
enum DisclosureWidget: DocumentKind {
    static let spec = KindSpec(
        of: DisclosureWidget.self, "A title that shows and hides the elements below it.",
        aliases: ["DisclosableWidget"],
        properties: [
            PropertySpec("title", .text, isRequired: true, "the text that is tapped"),
            PropertySpec(
                "expanded", .binding, initially: .flag(false),
                "true while they are shown; a state that is named here follows it"),
        ],
        content: .any,
        samples: [
            #"{"kind": "disclosure", "payload": {"title": "More"}, "children": [{"kind": "label", "payload": {"text": "Details"}}]}"#
        ])
}

/// A message in front of the screen.
enum AlertWidget: DocumentKind {
    static let spec = KindSpec(
        of: AlertWidget.self, "A message that appears in front of the screen.",
        properties: [
            PropertySpec("title", .text, isBindable: false, isRequired: true, "its first line"),
            PropertySpec("message", .text, "the rest of it"),
            PropertySpec(
                "shown", .binding, isRequired: true,
                "the message appears when this becomes true; a state that is named here becomes false again"),
        ],
        samples: [#"{"kind": "alert", "payload": {"title": "Saved", "shown": "$isSaved"}}"#])
}

/// The content of another document.
enum HostWidget: DocumentKind {
    static let spec = KindSpec(
        of: HostWidget.self, "The content of another document of the bundle.",
        properties: [
            PropertySpec(
                "document", .text, isBindable: false, isRequired: true,
                "the name of its file, without `.widgets.json`"),
            PropertySpec("with", .object, "values for its parameters"),
        ],
        samples: [#"{"kind": "host", "payload": {"document": "Header", "with": {"title": "People"}}}"#])
}

/// The documentation of all kinds, as elements.
enum HelpWidget: DocumentKind {
    static let spec = KindSpec(
        of: HelpWidget.self, "The documentation of all kinds, or of one.",
        properties: [PropertySpec("kind", .text, isBindable: false, "the kind; all if left out")],
        samples: [#"{"kind": "help", "payload": {"kind": "spacer"}}"#])
}
