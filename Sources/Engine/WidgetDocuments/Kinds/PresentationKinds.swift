internal import WidgetCore
internal import WidgetPredicates

/// Elements that a tap shows and hides.
enum DisclosureWidget: DocumentKind {
    static let spec = KindSpec(
        type: "DisclosureWidget", "A title that shows and hides the elements below it.",
        aliases: ["DisclosableWidget"],
        properties: [
            PropertySpec("title", .text, isRequired: true, "the text that is tapped"),
            PropertySpec(
                "expanded", .binding, initially: .flag(false),
                "true while they are shown; a state, or a member of one, that is named here follows it"),
        ],
        content: .any,
        samples: [
            #"{"kind": "disclosure", "payload": {"title": "More"}, "children": [{"kind": "label", "payload": {"text": "Details"}}]}"#
        ])
}

/// A message in front of the screen.
enum AlertWidget: DocumentKind {
    static let spec = KindSpec(
        type: "AlertWidget", "A message that appears in front of the screen.",
        properties: [
            PropertySpec("title", .text, isRequired: true, "its first line"),
            PropertySpec("message", .text, "the rest of it"),
            PropertySpec("actions", .anything, isBindable: false, "its buttons; one that closes it if left out"),
            PropertySpec(
                "shown", .binding, isRequired: true,
                "the message appears when this becomes true; a state, or a member of one, that is named here becomes false again"
            ),
        ],
        samples: [#"{"kind": "alert", "payload": {"title": "Saved", "shown": "$isSaved"}}"#])
}

/// The content of another document.
enum HostWidget: DocumentKind {
    static let spec = KindSpec(
        type: "HostWidget", "The content of another document of the bundle, or of a screen of its storyboard.",
        properties: [
            PropertySpec(
                "document", .text, isBindable: false, isRequired: true,
                "the name of its file, without `.widgets.json`, or that of the screen"),
            PropertySpec("with", .object, "values for its parameters; the content of a screen"),
        ],
        samples: [#"{"kind": "host", "payload": {"document": "Header", "with": {"title": "People"}}}"#])
}

/// The documentation of all kinds, as elements.
enum HelpWidget: DocumentKind {
    static let spec = KindSpec(
        type: "HelpWidget", "The documentation of all kinds, or of one.",
        properties: [PropertySpec("kind", .text, isBindable: false, "the kind; all if left out")],
        samples: [#"{"kind": "help", "payload": {"kind": "spacer"}}"#])
}

extension DisclosureWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let box = try maker.add(.box, at: element.place)
        maker.looks[box].stack = .along(.vertical, spacing: 8)
        var (expanded, bound) = try element.binding("expanded", in: &maker)
        if bound == nil, expanded?.literal != nil {
            // Nothing else knows whether it is open.
            let state = "disclosure#\(maker.newSuffix(for: element.value))"
            maker.setState(state, expanded?.literal ?? .boolean(false))
            (expanded, bound) = (try maker.keyPath(state, element.value), StatePath(state))
        }
        let line = try maker.add(.box, at: element.place)
        maker.looks[line].stack = .along(.horizontal, spacing: 8, .center)
        let title = try maker.add(.button, at: element.place)
        maker.nodes[title][.text] = try element.expression("title", in: &maker)
        maker.looks[title].appearance.buttonType = 1
        maker.looks[title].geometry.hugging = Priorities(horizontal: 249, vertical: 250)
        if let bound, var opposite = expanded {
            opposite.steps.append(.negation)
            maker.nodes[title].events[.tap] = [.assign(.state(bound), opposite)]
        }
        let sign = try maker.add(.label, at: element.place)
        if var open = expanded, let isTrue {
            open.steps += [
                .negation, .negation,
                .choice(isTrue, whenTrue: .value(.string("▾")), whenFalse: .value(.string("▸"))),
            ]
            maker.nodes[sign][.text] = open
        }
        maker.attach(title, to: line)
        maker.attach(sign, to: line)
        maker.drawInLine(line)
        maker.attach(line, to: box)
        let content = try maker.add(.box, at: element.place)
        maker.looks[content].stack = .along(.vertical, spacing: 8)
        if var closed = expanded {
            closed.steps.append(.negation)
            maker.nodes[content][.hidden] = closed
        }
        var words = element.words
        (words.axis, words.isInZStack, words.isInTable) = (.vertical, false, false)
        for child in try maker.children(of: element, words) { maker.attach(child, to: content) }
        maker.attach(content, to: box)
        return Lowered(box, principal: title)
    }

    /// Compiled once; the text is ours, so it compiles.
    private static let isTrue = try? CompiledPredicate("SELF == YES")
}

extension AlertWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        // A node that is never shown: its place decides which names the texts know.
        let node = try maker.add(.box, at: element.place)
        maker.nodes[node][.hidden] = .literal(.boolean(true))
        let (shown, state) = try element.binding("shown", in: &maker)
        let message = try element.expression("message", in: &maker) ?? .literal(.string(""))
        var steps = [
            try maker.alert(
                title: try element.expression("title", in: &maker), message: message,
                actions: element.member("actions"), element.words, depth: 0)
        ]
        if let state { steps.append(.assign(.state(state), .literal(.boolean(false)))) }
        if let shown {
            maker.observations.append(Observation(whenTrue: shown, at: node, steps))
        }
        return Lowered(node)
    }
}

extension HostWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        try maker.host(element)
    }
}

extension HelpWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let registry = maker.library.registry
        var specs = registry.specs
        if let name = element.text("kind") {
            guard let spec = registry.spec(name) else {
                throw (element.member("kind") ?? element.value).fault(
                    .unknownKind, "No kind is called \(name.excerpt)", hint: registry.hint(name))
            }
            specs = [spec]
        }
        let stack = try maker.add(.box, at: element.place)
        maker.looks[stack].stack = .along(.vertical, spacing: 4)
        for spec in specs {
            var lines = [(spec.name, "headline"), (spec.about, "body")]
            for property in spec.properties {
                let initial = KindHelp.initial(property)
                let notes = initial.isEmpty ? (property.isRequired ? ", required" : "") : ", \(initial) by default"
                lines.append(("\(property.name): \(property.about) (\(property.type.word)\(notes))", "footnote"))
            }
            for (text, style) in lines {
                let label = try maker.add(.label, at: element.place)
                maker.nodes[label][.text] = .literal(.string(text))
                maker.looks[label].appearance.font = .style(style)
                maker.looks[label].appearance.lines = 0
                maker.attach(label, to: stack)
            }
        }
        return Lowered(stack)
    }
}
