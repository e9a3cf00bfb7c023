/// A text.
enum LabelWidget: DocumentKind {
    static let spec = KindSpec(
        of: LabelWidget.self, "A text, which the reader cannot change.", aliases: ["text"],
        properties: [
            PropertySpec("text", .text, "the text"),
            PropertySpec("placeholder", .text, "the text that is shown in place of an empty one"),
            PropertySpec(
                "lines", .number, initially: .number(0), isBindable: false, "the most lines; 0 for as many as it needs"),
            PropertySpec(
                "align", .choice(["left", "center", "right", "natural"]), initially: .text("natural"),
                isBindable: false,
                "the side at which lines begin"),
            PropertySpec(
                "truncate", .choice(["tail", "head", "middle", "clip", "wrap"]), initially: .text("tail"),
                isBindable: false,
                "the part of a text that does not fit which is left out"),
        ],
        events: [EventSpec("tap", "the text was tapped")],
        samples: [
            #"{"kind": "label", "payload": {"text": "Hello"}}"#,
            #"{"kind": "text", "payload": {"text": {"$": "uppercase('hello')"}, "align": "center"}, "style": {"font": "title1"}}"#,
        ])
}

/// A moment, in words that follow the clock.
enum TimerWidget: DocumentKind {
    static let spec = KindSpec(
        of: TimerWidget.self, "A moment as text, which follows the clock.",
        properties: [
            PropertySpec("date", .date, isRequired: true, "the moment"),
            PropertySpec(
                "style", .choice(["relative", "countdown", "clock"]), initially: .text("relative"), isBindable: false,
                "how far away it is, the time until then, or its own time of day"),
            PropertySpec(
                "tick", .number, initially: .number(1), isBindable: false, "the seconds between two updates of the text"
            ),
        ],
        samples: [
            #"{"kind": "timer", "payload": {"date": "2030-01-01T00:00:00Z", "style": "countdown"}}"#,
            #"{"kind": "timer", "payload": {"date": 4000000000, "tick": 60}}"#,
        ])
}
