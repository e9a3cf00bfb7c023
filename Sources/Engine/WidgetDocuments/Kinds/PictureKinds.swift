internal import WidgetCore

/// A picture.
enum ImageWidget: DocumentKind {
    static let spec = KindSpec(
        type: "ImageWidget", "A picture of the bundle, or one that is fetched.",
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
        type: "SpinnerWidget", "A sign that work is in progress.",
        properties: [
            PropertySpec("active", .flag, initially: .flag(true), "true while it turns; otherwise it is not shown"),
            PropertySpec("label", .text, "the work in words"),
        ],
        samples: [#"{"kind": "spinner", "payload": {"label": "Loading people"}}"#])
}

/// A line between elements.
enum DividerWidget: DocumentKind {
    static let spec = KindSpec(
        type: "DividerWidget", "A thin line between elements.",
        properties: [PropertySpec("thickness", .number, initially: .number(1), isBindable: false, "its points across")],
        samples: [#"{"kind": "divider"}"#])
}

/// Room between elements.
enum SpacerWidget: DocumentKind {
    static let spec = KindSpec(
        type: "SpacerWidget", "Room between the elements of a stack.", aliases: ["space"],
        properties: [
            PropertySpec("w", .number, isBindable: false, "its width in points"),
            PropertySpec("h", .number, isBindable: false, "its height in points"),
            PropertySpec(
                "grow", .flag, initially: .flag(true), isBindable: false, "true if it takes the room that is left"),
        ],
        samples: [#"{"kind": "spacer", "payload": {"h": 12}}"#])
}

extension ImageWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let image = try maker.add(.image, at: element.place)
        for (name, property) in [
            ("name", PropertyName.image), ("url", .imageURL), ("alt", .accessibleName),
            ("placeholder", .placeholderImage),
        ] {
            if let expression = try element.expression(name, in: &maker) { maker.nodes[image][property] = expression }
        }
        maker.looks[image].appearance.contentMode = modes[element.text("fit") ?? ""]
        maker.looks[image].appearance.clips = true
        try maker.addEvents(of: element, ["tap": .tap], to: image)
        return Lowered(image)
    }

    private static let modes: [String: ContentMode] = [
        "fit": .aspectFit, "fill": .aspectFill, "stretch": .scaleToFill, "center": .center,
    ]
}

extension SpinnerWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let spinner = try maker.add(.activity, at: element.place)
        maker.nodes[spinner][.active] = try element.expression("active", in: &maker)
        if let label = try element.expression("label", in: &maker) { maker.nodes[spinner][.accessibleName] = label }
        return Lowered(spinner)
    }
}

extension DividerWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let line = try maker.add(.box, at: element.place)
        maker.looks[line].appearance.background = .role(.separator)
        let thickness = min(max(element.number("thickness") ?? 1, 0), 100)
        maker.rule(line, element.words.axis == .vertical ? .height : .width, .equal, thickness)
        return Lowered(line)
    }
}

extension SpacerWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let spacer = try maker.add(.box, at: element.place)
        for (name, attribute) in [("w", LayoutRule.Attribute.width), ("h", .height)] {
            if let length = element.number(name), length >= 0 { maker.rule(spacer, attribute, .equal, length) }
        }
        let hugging: Float = element.flag("grow") ? 1 : 1_000
        maker.looks[spacer].geometry.hugging = Priorities(horizontal: hugging, vertical: hugging)
        return Lowered(spacer)
    }
}
