internal import WidgetCore

/// Elements side by side.
enum HStackWidget: DocumentKind {
    static let spec = KindSpec(
        type: "HStackWidget", "Elements side by side.",
        properties: StackProperties.of(
            alignments: ["center", "top", "bottom", "fill", "baseline"], initially: "center"),
        content: .any, slots: StackProperties.slots,
        events: [EventSpec("tap", "something in it was tapped that has no event of the name")],
        samples: [
            #"{"kind": "hstack", "children": [{"kind": "label", "payload": {"text": "Left"}}, {"kind": "spacer"}, {"kind": "label", "payload": {"text": "Right"}}]}"#
        ])
}

/// Elements one above the other.
enum VStackWidget: DocumentKind {
    static let spec = KindSpec(
        type: "VStackWidget", "Elements one above the other.",
        properties: StackProperties.of(
            alignments: ["fill", "leading", "center", "trailing"], initially: "fill"),
        content: .any, slots: StackProperties.slots,
        events: [EventSpec("tap", "something in it was tapped that has no event of the name")],
        samples: [
            #"{"kind": "vstack", "payload": {"spacing": 4}, "items": {"in": {"$": "{'One', 'Two'}"}, "as": "word"}, "children": [{"kind": "label", "payload": {"text": "$word"}}]}"#
        ])
}

/// The properties that both stacks have.
enum StackProperties {
    private static let longestSpacing = 1_000.0

    /// The points between the elements of a stack.
    static func spacing(_ element: DocumentElement) -> Double {
        min(max(element.number("spacing") ?? 0, 0), longestSpacing)
    }

    static let slots = [SlotSpec("empty", "shown while `items` has nothing")]

    static func of(alignments: [String], initially alignment: String) -> [PropertySpec] {
        [
            PropertySpec(
                "spacing", .length, initially: .number(8), isBindable: false, "the points between two elements"),
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
        type: "ZStackWidget", "Elements in front of each other, the last one foremost; `style.position` places each.",
        content: .any,
        samples: [
            #"{"kind": "zstack", "style": {"height": 80}, "children": [{"kind": "label", "payload": {"text": "Behind"}}, {"kind": "label", "payload": {"text": "New"}, "style": {"position": "topRight"}}]}"#
        ])
}

/// A box around one element.
enum BoxWidget: DocumentKind {
    static let spec = KindSpec(
        type: "BoxWidget", "A box around one element.", aliases: ["ContainerWidget", "container"],
        content: .one, events: [EventSpec("tap", "something in it was tapped that has no event of the name")],
        samples: [
            #"{"kind": "box", "style": {"padding": 12, "background": "fill", "cornerRadius": 8}, "children": [{"kind": "label", "payload": {"text": "In a box"}}]}"#
        ])
}

/// A part of the screen that scrolls.
enum ScrollWidget: DocumentKind {
    static let spec = KindSpec(
        type: "ScrollWidget", "An element that may be larger than its place, and scrolls.",
        properties: [
            PropertySpec(
                "axis", .choice(["vertical", "horizontal", "both"]), initially: .text("vertical"), isBindable: false,
                "the direction in which it scrolls")
        ],
        content: .one,
        samples: [#"{"kind": "scroll", "children": [{"kind": "label", "payload": {"text": "A long text"}}]}"#])
}

extension HStackWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let stack = try StackProperties.stack(element, .horizontal, in: &maker)
        if maker.looks[stack].stack?.distribution == .fill, !maker.takesRoom(in: stack) {
            // Buttons and pictures keep their sizes, at the row's beginning.
            let rest = try maker.add(.box, at: element.place)
            maker.attach(rest, to: stack)
        }
        maker.drawInLine(stack)
        return Lowered(stack)
    }
}

extension VStackWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        Lowered(try StackProperties.stack(element, .vertical, in: &maker))
    }
}

extension StackProperties {
    fileprivate static func stack(
        _ element: DocumentElement, _ axis: Axis, in maker: inout SceneMaker
    ) throws(ElementFault) -> NodeID {
        let stack = try maker.add(.box, at: element.place)
        var geometry = StackGeometry.along(
            axis, spacing: spacing(element),
            alignments[element.text("align") ?? ""] ?? .fill)
        geometry.distribution = distributions[element.text("distribute") ?? ""] ?? .fill
        maker.looks[stack].stack = geometry
        var words = element.words
        (words.axis, words.isInZStack, words.isInTable) = (axis, false, false)
        for child in try maker.children(of: element, words) { maker.attach(child, to: stack) }
        try maker.addEvents(of: element, ["tap": .tap], to: stack)
        return stack
    }

    private static let alignments: [String: StackGeometry.Alignment] = [
        "center": .center, "top": .leading, "leading": .leading, "bottom": .trailing, "trailing": .trailing,
        "fill": .fill, "baseline": .firstBaseline,
    ]
    private static let distributions: [String: StackGeometry.Distribution] = [
        "fill": .fill, "equal": .fillEqually, "spacing": .equalSpacing, "centering": .equalCentering,
    ]
}

extension ZStackWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let overlay = try maker.add(.box, at: element.place)
        var words = element.words
        (words.axis, words.isInZStack, words.isInTable) = (.vertical, true, false)
        for child in try maker.children(of: element, words) {
            maker.attach(child, to: overlay)
            maker.place(child, in: overlay, maker.positions[child] ?? "fill")
        }
        return Lowered(overlay)
    }
}

extension BoxWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let box = try maker.add(.box, at: element.place)
        maker.looks[box].stack = .along(.vertical, spacing: 8)
        var words = element.words
        (words.axis, words.isInZStack, words.isInTable) = (.vertical, false, false)
        for child in try maker.children(of: element, words) { maker.attach(child, to: box) }
        try maker.addEvents(of: element, ["tap": .tap], to: box)
        return Lowered(box)
    }
}

extension ScrollWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let view = try maker.add(.box, at: element.place)
        maker.looks[view].scrolling = Scrolling()
        let content = try maker.add(.box, at: element.place)
        let axis = element.text("axis")
        maker.looks[content].stack = .along(axis == "horizontal" ? .horizontal : .vertical, spacing: 8)
        maker.attach(content, to: view)
        maker.scroll(content, in: view, horizontal: axis != "vertical", vertical: axis != "horizontal")
        var words = element.words
        (words.axis, words.isInZStack, words.isInTable) = (axis == "horizontal" ? .horizontal : .vertical, false, false)
        for child in try maker.children(of: element, words) { maker.attach(child, to: content) }
        return Lowered(view)
    }
}
