/// A picture.
enum ImageWidget: DocumentKind {
    static let spec = KindSpec(
        of: ImageWidget.self, "A picture of the bundle, or one that is fetched.",
        properties: [
            PropertySpec("name", .text, "the picture's name in the bundle"),
            PropertySpec("url", .text, "the address of a picture"),
            PropertySpec("alt", .text, "the picture in words, for those who cannot see it"),
            PropertySpec("placeholder", .text, "the name of the picture that is shown until there is another"),
            PropertySpec(
                "fit", .choice(["fit", "fill", "stretch", "center"]), initially: .text("fit"), isBindable: false,
                "the way in which the picture fills its frame"),
        ],
        events: [EventSpec("tap", "the picture was tapped")],
        samples: [
            #"{"kind": "image", "payload": {"name": "Logo", "alt": "Our sign"}, "style": {"width": 40, "height": 40}}"#
        ])
}

/// A sign that work is in progress.
enum SpinnerWidget: DocumentKind {
    static let spec = KindSpec(
        of: SpinnerWidget.self, "A sign that work is in progress.",
        properties: [
            PropertySpec("active", .flag, initially: .flag(true), "true while it turns; otherwise it is not shown"),
            PropertySpec("label", .text, "the work in words"),
        ],
        samples: [#"{"kind": "spinner", "payload": {"label": "Loading people"}}"#])
}

/// A line between elements.
enum DividerWidget: DocumentKind {
    static let spec = KindSpec(
        of: DividerWidget.self, "A thin line between elements.",
        properties: [PropertySpec("thickness", .number, initially: .number(1), isBindable: false, "its points across")],
        samples: [#"{"kind": "divider"}"#])
}

/// Room between elements.
enum SpacerWidget: DocumentKind {
    static let spec = KindSpec(
        of: SpacerWidget.self, "Room between the elements of a stack.", aliases: ["space"],
        properties: [
            PropertySpec("w", .number, isBindable: false, "its width in points"),
            PropertySpec("h", .number, isBindable: false, "its height in points"),
            PropertySpec(
                "grow", .flag, initially: .flag(true), isBindable: false, "true if it takes the room that is left"),
        ],
        samples: [#"{"kind": "spacer", "payload": {"h": 12}}"#])
}
