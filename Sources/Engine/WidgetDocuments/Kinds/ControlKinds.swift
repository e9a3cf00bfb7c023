/// A button.
enum ButtonWidget: DocumentKind {
    static let spec = KindSpec(
        of: ButtonWidget.self, "A button.",
        properties: [
            PropertySpec("text", .text, "its title"),
            PropertySpec("image", .text, "the name of a picture in the bundle"),
            PropertySpec(
                "role", .choice(["plain", "prominent", "destructive", "cancel"]), initially: .text("plain"),
                isBindable: false,
                "its purpose, which decides its looks"),
            PropertySpec("enabled", .flag, initially: .flag(true), "false while it cannot be tapped"),
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
        of: TextFieldWidget.self, "A field for a text.",
        properties: [
            PropertySpec("value", .binding, "its text; a state that is named here follows what is typed"),
            PropertySpec("placeholder", .text, "the text that is shown while it is empty"),
            PropertySpec("secure", .flag, initially: .flag(false), isBindable: false, "true if the text is secret"),
            PropertySpec(
                "keyboard", .choice(["standard", "email", "url", "number", "decimal", "phone", "search"]),
                initially: .text("standard"), isBindable: false, "the keys that are offered"),
            PropertySpec("multiline", .flag, initially: .flag(false), isBindable: false, "true for several lines"),
            PropertySpec("enabled", .flag, initially: .flag(true), "false while nothing can be typed"),
        ],
        events: [
            EventSpec("change", "the text changed; it is `$input`"),
            EventSpec("begin", "typing began"),
            EventSpec("submit", "the return key was pressed"),
        ],
        samples: [#"{"kind": "textfield", "payload": {"value": "$name", "placeholder": "Name"}}"#])
}

/// A switch.
enum SwitchWidget: DocumentKind {
    static let spec = KindSpec(
        of: SwitchWidget.self, "A switch.", aliases: ["toggle"],
        properties: [
            PropertySpec(
                "value", .binding, initially: .flag(false), "true if it is on; a state that is named here follows it"),
            PropertySpec("label", .text, "its name, beside it"),
            PropertySpec("enabled", .flag, initially: .flag(true), "false while it cannot be changed"),
        ],
        events: [EventSpec("change", "it was switched; `$argument` is true if it is on")],
        samples: [#"{"kind": "switch", "payload": {"value": "$wantsNews", "label": "News"}}"#])
}
