internal import WidgetCore
internal import WidgetPredicates

/// A button.
enum ButtonWidget: DocumentKind {
    static let spec = KindSpec(
        type: "ButtonWidget", "A button.",
        properties: [
            PropertySpec("text", .text, "its title"),
            PropertySpec("image", .text, "the name of a picture in the bundle"),
            PropertySpec(
                "role", .choice(["plain", "prominent", "destructive", "cancel", "submit"]), initially: .text("plain"),
                isBindable: false,
                "its purpose, which decides its looks; `submit` sends the form around it"),
            PropertySpec("enabled", .flag, initially: .flag(true), "false while it cannot be tapped"),
            PropertySpec("selected", .flag, initially: .flag(false), "true while its choice is the present one"),
            PropertySpec(
                "busy", .flag, initially: .flag(false), "true while its work is in progress, when it cannot be tapped"),
        ],
        events: [EventSpec("tap", "it was tapped")],
        samples: [
            #"{"kind": "button", "payload": {"text": "Add"}, "on": {"tap": [{"do": "set", "state": "count", "to": {"$": "count + 1"}}]}}"#
        ])
}

/// A field for one line of text.
enum TextFieldWidget: DocumentKind {
    static let spec = KindSpec(
        type: "TextFieldWidget", "A field for a text.",
        properties: [
            PropertySpec(
                "value", .binding, "its text; a state, or a member of one, that is named here follows what is typed"),
            PropertySpec("placeholder", .text, "the text that is shown while it is empty"),
            PropertySpec("secure", .flag, initially: .flag(false), isBindable: false, "true if the text is secret"),
            PropertySpec(
                "keyboard", .choice(["standard", "email", "url", "number", "decimal", "phone", "search"]),
                initially: .text("standard"), isBindable: false, "the keys that are offered"),
            PropertySpec(
                "content", .choice(FieldContent.allCases.map({ $0.rawValue })), isBindable: false,
                "the meaning of its text, by which browsers complete it"),
            PropertySpec(
                "capitalization", .choice(["none", "words", "sentences", "all"]), initially: .text("sentences"),
                isBindable: false, "the letters that are typed as capitals"),
            PropertySpec("correction", .flag, isBindable: false, "whether slips are corrected; the host's if left out"),
            PropertySpec(
                "returnKey", .choice(["standard", "go", "next", "search", "send", "done"]),
                initially: .text("standard"),
                isBindable: false, "the name of the return key"),
            PropertySpec("multiline", .flag, initially: .flag(false), isBindable: false, "true for several lines"),
            PropertySpec("enabled", .flag, initially: .flag(true), "false while nothing can be typed"),
        ] + FormFields.properties + [
            PropertySpec("pattern", .text, isBindable: false, "the regular expression that its whole text has to match")
        ],
        events: [
            EventSpec("change", "the text changed; it is `$input`"),
            EventSpec("begin", "typing began"),
            EventSpec("end", "typing ended, with the return key or elsewhere"),
            EventSpec("submit", "the return key was pressed; without it, the form around the field is sent"),
            EventSpec("instead", "it was touched in a host without input"),
        ],
        samples: [#"{"kind": "textfield", "payload": {"value": "$name", "placeholder": "Name"}}"#])
}

/// A switch.
enum SwitchWidget: DocumentKind {
    static let spec = KindSpec(
        type: "SwitchWidget", "A switch.", aliases: ["toggle"],
        properties: [
            PropertySpec(
                "value", .binding, initially: .flag(false),
                "true if it is on; a state, or a member of one, that is named here follows it"),
            PropertySpec("label", .text, "its name, beside it"),
            PropertySpec("enabled", .flag, initially: .flag(true), "false while it cannot be changed"),
        ] + FormFields.properties,
        events: [
            EventSpec("change", "it was switched; `$argument` is true if it is on"),
            EventSpec("instead", "it was touched in a host without input"),
        ],
        samples: [#"{"kind": "switch", "payload": {"value": "$wantsNews", "label": "News"}}"#])
}

extension ButtonWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let button = try maker.add(.button, at: element.place)
        if let text = try element.expression("text", in: &maker) { maker.nodes[button][.text] = text }
        if let image = try element.expression("image", in: &maker) { maker.nodes[button][.image] = image }
        maker.nodes[button][.disabled] = try disabled(element, in: &maker)
        // A button that is never selected is not one of several to choose from.
        if element.has("selected"), let selected = try element.expression("selected", in: &maker),
            selected.literal?.truth ?? true
        {
            maker.nodes[button][.selected] = selected
        }
        maker.looks[button].appearance.buttonType = 1
        maker.looks[button].appearance.font = element.words.theme.bodyFont
        if ["plain", "cancel"].contains(element.text("role")) {
            maker.looks[button].appearance.titleColor = element.words.theme.colors[Theme.link]
        }
        switch element.text("role") {
        case "prominent", "submit":
            var look = ButtonLook()
            var configuration = ButtonConfiguration()
            configuration.style = .filled
            look.configuration = configuration
            maker.looks[button].button = look
            maker.nodes[button][.isProminent] = .literal(.boolean(true))
        case "destructive": maker.looks[button].appearance.titleColor = ColorWords.warning
        default: break
        }
        try maker.addEvents(of: element, ["tap": .tap], to: button)
        if element.text("role") == "submit" { maker.submit(from: button, on: .tap, element) }
        return Lowered(button)
    }

    /// A button is disabled unless it is enabled and not busy. One that sends a form is not busy with the form.
    private static func disabled(
        _ element: DocumentElement, in maker: inout SceneMaker
    ) throws(ElementFault) -> Expression? {
        var reasons: [(name: String, expression: Expression)] = []
        if element.has("enabled"), var enabled = try element.expression("enabled", in: &maker) {
            enabled.steps.append(.negation)
            reasons.append(("disabled", enabled))
        }
        if element.has("busy"), var busy = try element.expression("busy", in: &maker) {
            busy.steps += [.negation, .negation]
            reasons.append(("busy", busy))
        }
        if element.text("role") == "submit", let busy = element.words.form?.busy { reasons.append(("sending", busy)) }
        guard reasons.count > 1, let any else { return reasons.first?.expression }
        return Expression(.members(reasons), [.truth(any)], place: element.place, source: "enabled, busy")
    }

    /// Compiled once; the text is ours, so it compiles.
    private static let any = try? CompiledPredicate("disabled == YES OR busy == YES OR sending == YES")
}

extension TextFieldWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let isMultiline = element.flag("multiline")
        let field = try maker.add(isMultiline ? .textArea : .textField, at: element.place)
        let (value, state) = try element.binding("value", in: &maker)
        maker.nodes[field][.text] = value
        maker.nodes[field].state = state
        if let placeholder = try element.expression("placeholder", in: &maker) {
            maker.nodes[field][.placeholder] = placeholder
        }
        if element.flag("secure") { maker.nodes[field][.isSecure] = .literal(.boolean(true)) }
        if element.has("enabled"), var enabled = try element.expression("enabled", in: &maker) {
            enabled.steps.append(.negation)
            maker.nodes[field][.disabled] = enabled
        }
        maker.looks[field].appearance.font = element.words.theme.bodyFont
        maker.looks[field].appearance.foreground = element.words.theme.colors[Theme.text]
        maker.looks[field].appearance.fieldBorder = .rounded
        if isMultiline {
            // A style may make it lower, and it does not take the room that a screen has left.
            maker.rule(field, .height, .greaterOrEqual, multilineHeight, priority: 700)
            maker.rule(field, .height, .equal, multilineHeight, priority: 200)
        }
        var typing = TypingTraits()
        typing.keyboard = keyboards[element.text("keyboard") ?? ""] ?? .standard
        typing.contentType = element.text("content").flatMap(FieldContent.init)?.type
        typing.capitals = capitals[element.text("capitalization") ?? ""] ?? .sentences
        typing.returnKey = returnKeys[element.text("returnKey") ?? ""] ?? .standard
        if element.has("correction") {
            (typing.corrects, typing.checksSpelling) = (element.flag("correction"), element.flag("correction"))
        }
        maker.looks[field].typing = typing
        try maker.addEvents(
            of: element, ["change": .change, "begin": .beginEditing, "end": .endEditing, "submit": .submit],
            to: field)
        try maker.addRules(of: element, to: field)
        if !isMultiline, maker.nodes[field].events[.submit] == nil, element.words.form != nil {
            maker.submit(from: field, on: .submit, element)
        }
        return Lowered(field)
    }

    private static let multilineHeight = 88.0
    private static let capitals: [String: TypingTraits.Capitals] = ["none": .none, "words": .words, "all": .all]
    private static let returnKeys: [String: TypingTraits.ReturnKey] = [
        "go": .go, "next": .next, "search": .search, "send": .send, "done": .done,
    ]
    private static let keyboards: [String: TypingTraits.Keyboard] = [
        "email": .email, "url": .url, "number": .numberPad, "decimal": .decimalPad, "phone": .phonePad,
        "search": .webSearch,
    ]
}

extension SwitchWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let toggle = try maker.add(.toggle, at: element.place)
        maker.looks[toggle].appearance.foreground = element.words.theme.colors[Theme.accent]
        let (value, state) = try element.binding("value", in: &maker)
        maker.nodes[toggle][.value] = value
        maker.nodes[toggle].state = state
        if element.has("enabled"), var enabled = try element.expression("enabled", in: &maker) {
            enabled.steps.append(.negation)
            maker.nodes[toggle][.disabled] = enabled
        }
        try maker.addEvents(of: element, ["change": .change], to: toggle)
        try maker.addRules(of: element, to: toggle)
        guard let name = try element.expression("label", in: &maker) else { return Lowered(toggle) }
        maker.nodes[toggle][.accessibleName] = name
        let line = try maker.add(.box, at: element.place)
        maker.looks[line].stack = .along(.horizontal, spacing: 8, .center)
        let label = try maker.add(.label, at: element.place)
        maker.nodes[label][.text] = name
        // The switch has it as its name.
        maker.nodes[label][.namesControl] = .literal(.boolean(true))
        maker.looks[label].accessibility = AuthoredTraits()
        maker.looks[label].accessibility?.hidesElements = true
        maker.looks[label].appearance.font = element.words.theme.bodyFont
        maker.looks[label].appearance.foreground = element.words.theme.colors[Theme.text]
        maker.looks[label].geometry.hugging = Priorities(horizontal: 249, vertical: 250)
        maker.attach(label, to: line)
        maker.attach(toggle, to: line)
        maker.drawInLine(line)
        return Lowered(line, principal: toggle)
    }
}
