internal import WidgetCore
internal import WidgetPredicates

/// A list of rows.
enum TableWidget: DocumentKind {
    static let spec = KindSpec(
        type: "TableWidget",
        "Rows, which may lie in sections. A child that is neither a cell nor a section becomes a row.",
        properties: [
            PropertySpec(
                "style", .choice(["auto", "plain", "grouped", "inset"]), initially: .text("auto"), isBindable: false,
                "its looks; by default `grouped` with several sections"),
            PropertySpec(
                "refresh", .text, isBindable: false,
                "the source that is asked again when the reader pulls the table down"),
            PropertySpec("refreshing", .flag, initially: .flag(false), "true while its content is fetched again"),
            PropertySpec("separators", .flag, initially: .flag(true), isBindable: false, "true for lines between rows"),
            PropertySpec(
                "keeps", .choice(["start", "end"]), initially: .text("start"), isBindable: false,
                "`end` for a chat or a log: its end is in sight at first, and stays so while rows come, until the reader scrolls up"
            ),
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
        type: "SectionWidget", "Rows of a table that belong together.",
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
        type: "CellWidget", "A row of a table: its texts, or else its children.",
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
        content: .any,
        events: [
            EventSpec("select", "the row was selected"),
            EventSpec("delete", "the reader deletes the row, by a swipe or a key"),
        ],
        samples: [
            #"{"kind": "table", "children": [{"kind": "cell", "payload": {"title": "Name", "value": "Ann", "accessory": "disclosure"}, "on": {"select": [{"do": "alert", "title": "Ann"}]}}]}"#
        ])
}

extension TableWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let list = try maker.add(.list, at: element.place)
        var words = element.words
        (words.axis, words.isInZStack, words.isInTable) = (.vertical, false, true)
        words.selection = element.value["on"]?["select"]
        for child in try maker.children(of: element, words) { maker.attach(try maker.asRow(child), to: list) }
        let headers = maker.nodes[list].children.count { maker.nodes[$0].kind == .sectionHeader }
        var geometry = ListGeometry()
        switch element.text("style") {
        case "plain": geometry.style = .plain
        case "grouped": geometry.style = .grouped
        case "inset": geometry.style = .insetGrouped
        default: geometry.style = headers > 1 ? .grouped : .plain
        }
        geometry.separators = element.flag("separators") ? .line : .none
        maker.looks[list].list = geometry
        maker.looks[list].scrolling = Scrolling()
        if geometry.style != .plain { ground(list, in: &maker) }
        if element.text("keeps") == "end" {
            maker.nodes[list][.keeps] = .literal(.string("end"), place: maker.nodes[list].place)
        }
        if element.has("refreshing") {
            maker.nodes[list][.refreshing] = try element.expression("refreshing", in: &maker)
        }
        try maker.addEvents(of: element, ["refresh": .refresh], to: list)
        try maker.addRefresh(of: element, to: list)
        return Lowered(list)
    }

    /// Rows of sections lie on lighter grounds than the table.
    private static func ground(_ list: NodeID, in maker: inout SceneMaker) {
        maker.looks[list].appearance.background = .role(.groupedBackground)
        var pending = maker.nodes[list].children
        while let node = pending.popLast() {
            if maker.nodes[node].kind == .row, maker.looks[node].appearance.background == nil {
                maker.looks[node].appearance.background = .role(.secondaryGroupedBackground)
            }
            if maker.nodes[node].repetition != nil { pending += maker.nodes[node].children }
        }
    }
}

extension SectionWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        guard element.words.isInTable else {
            throw element.value.fault(
                .badPayload, "A section is not in a table", hint: "sections are children of a table")
        }
        var words = element.words
        words.selection = element.value["on"]?["select"] ?? words.selection
        var parts = [try title("title", .sectionHeader, element, in: &maker)].compactMap { $0 }
        for child in try maker.children(of: element, words) { parts.append(try maker.asRow(child)) }
        if let footer = try title("footer", .sectionFooter, element, in: &maker) { parts.append(footer) }
        // Reported only if it is unknown: rows take the actions.
        try maker.addEvents(of: element, [:], to: parts[0])
        return Lowered(all: parts)
    }

    /// A header is there without a title too: it begins the section.
    private static func title(
        _ name: String, _ kind: NodeKind, _ element: DocumentElement, in maker: inout SceneMaker
    ) throws(ElementFault) -> NodeID? {
        let text = try element.expression(name, in: &maker)
        if text == nil, kind == .sectionFooter { return nil }
        let box = try maker.add(kind, at: element.place)
        maker.nodes[box].frame = Frame(x: 0, y: 0, width: 375, height: text == nil ? 8 : 38)
        guard let text else { return box }
        maker.looks[box].stack = .along(.vertical)
        maker.setMargins(
            Insets(top: 12, leading: 16, bottom: 6, trailing: 16, isPhysical: false), of: box)
        let label = try maker.add(.label, at: element.place)
        maker.nodes[label][.text] = text
        maker.looks[label].appearance.font = .style("footnote")
        maker.looks[label].appearance.foreground = element.words.theme.paint(Theme.secondaryText)
        maker.looks[label].appearance.lines = 0
        maker.attach(label, to: box)
        return box
    }
}

extension CellWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let row = try maker.add(.row, at: element.place)
        let content = try maker.add(.box, at: element.place)
        maker.looks[content].geometry.role = .contentView
        // Its row, whose sign at the edge leaves it less room.
        maker.nodes[content].prototype = row
        maker.looks[content].stack = .along(.horizontal, spacing: 12, .center)
        maker.setMargins(Insets(top: 12, leading: 20, bottom: 12, trailing: 20, isPhysical: false), of: content)
        maker.attach(content, to: row)
        if let image = try element.expression("image", in: &maker) {
            let node = try maker.add(.image, at: element.place)
            maker.nodes[node][.image] = image
            maker.looks[node].appearance.contentMode = .aspectFit
            maker.attach(node, to: content)
        }
        try addTexts(element, to: content, in: &maker)
        var words = element.words
        (words.axis, words.isInZStack, words.isInTable) = (.horizontal, false, false)
        for child in try maker.children(of: element, words) { maker.attach(child, to: content) }
        maker.drawInLine(content)
        maker.looks[row].appearance.accessory = accessories[element.text("accessory") ?? ""]
        try maker.addEvents(of: element, ["select": .tap, "delete": .delete], to: row)
        if maker.nodes[row].events[.tap] == nil, let selection = element.words.selection {
            maker.nodes[row].events[.tap] = try maker.steps(of: selection, element.words)
        }
        return Lowered(row)
    }

    private static func addTexts(
        _ element: DocumentElement, to content: NodeID, in maker: inout SceneMaker
    ) throws(ElementFault) {
        var texts: [(NodeID, String)] = []
        for (name, style, color) in [
            ("title", "body", Theme.text), ("subtitle", "subheadline", Theme.secondaryText),
            ("value", "body", Theme.secondaryText),
        ] {
            guard let text = try element.expression(name, in: &maker) else { continue }
            let label = try maker.add(.label, at: element.place)
            maker.nodes[label][.text] = text
            maker.looks[label].appearance.font = element.words.theme.font(style)
            maker.looks[label].appearance.foreground = element.words.theme.paint(color)
            maker.looks[label].appearance.lines = name == "value" ? 1 : 0
            // The room of the row is theirs, so that the value lies at its end. A column hugs as the texts in it do.
            if name != "value" { maker.looks[label].geometry.hugging = Priorities(horizontal: 249, vertical: 250) }
            texts.append((label, name))
        }
        let stacked = texts.filter { $0.1 != "value" }.map { $0.0 }
        if stacked.count > 1 {
            let column = try maker.add(.box, at: element.place)
            maker.looks[column].stack = .along(.vertical, spacing: 2)
            for label in stacked { maker.attach(label, to: column) }
            maker.attach(column, to: content)
        } else if let title = stacked.first {
            maker.attach(title, to: content)
        }
        if let value = texts.first(where: { $0.1 == "value" })?.0 { maker.attach(value, to: content) }
    }

    private static let accessories: [String: Accessory] = [
        "disclosure": .disclosure, "detail": .detail, "checkmark": .checkmark,
    ]
}
