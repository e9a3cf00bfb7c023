internal import JSONText
internal import WidgetCore
internal import WidgetPredicates

/// A text.
enum LabelWidget: DocumentKind {
    static let spec = KindSpec(
        type: "LabelWidget", "A text, which the reader cannot change.", aliases: ["text"],
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
        type: "TimerWidget", "A moment as text, which follows the clock.",
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

extension LabelWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let label = try maker.add(.label, at: element.place)
        if var text = try element.expression("text", in: &maker) {
            if let placeholder = try element.expression("placeholder", in: &maker)?.literal, let emptyText {
                text.steps.append(.choice(emptyText, whenTrue: .value(placeholder), whenFalse: nil))
            }
            maker.nodes[label][.text] = text
        } else if let placeholder = try element.expression("placeholder", in: &maker) {
            maker.nodes[label][.text] = placeholder
        }
        maker.looks[label].appearance.lines = Int(min(max(element.number("lines") ?? 0, 0), 1_000))
        maker.looks[label].appearance.font = element.words.theme.bodyFont
        maker.looks[label].appearance.foreground = element.words.theme.colors[Theme.text]
        maker.looks[label].appearance.alignment = alignments[element.text("align") ?? ""]
        maker.looks[label].appearance.lineBreak = lineBreaks[element.text("truncate") ?? ""]
        try maker.addEvents(of: element, ["tap": .tap], to: label)
        return Lowered(label)
    }

    private static let alignments: [String: TextAlignment] = ["left": .left, "center": .center, "right": .right]
    private static let lineBreaks: [String: LineBreak] = [
        "head": .truncateHead, "middle": .truncateMiddle, "clip": .clip, "wrap": .wordWrap,
    ]
    /// Compiled once; the text is ours, so it compiles.
    private static let emptyText = try? CompiledPredicate("SELF == nil OR SELF == ''")
}

extension TimerWidget {
    static func lower(_ element: DocumentElement, in maker: inout SceneMaker) throws(ElementFault) -> Lowered {
        let label = try maker.add(.label, at: element.place)
        let isStrict = maker.policy == .strict
        if var date = try element.expression("date", in: &maker) {
            if let reference = element.member("date")?.json["reference"]?.double {
                date = .literal(.date(reference), place: element.place)
            }
            date.steps += [
                .transformer(isStrict ? DocumentTransformers.referenceDate : DocumentTransformers.date),
                .transformer(DocumentTransformers.styles[element.text("style") ?? ""] ?? DocumentTransformers.distance),
            ]
            maker.nodes[label][.text] = date
        }
        maker.looks[label].appearance.font = element.words.theme.bodyFont
        maker.looks[label].appearance.foreground = element.words.theme.colors[Theme.text]
        // Figures of one width, so that nothing moves when they change.
        maker.looks[label].accessibility = AuthoredTraits()
        maker.looks[label].accessibility?.bits = 1 << 9
        let tick = max(element.number("tick") ?? 1, shortestTick)
        maker.tick = min(maker.tick ?? tick, tick)
        return Lowered(label)
    }

    private static let shortestTick = 0.1
}

/// The conversions of values that documents need, by names that no author writes.
enum DocumentTransformers {
    static let date = "document date"
    static let referenceDate = "document reference date"
    static let distance = "document distance"
    static let countdown = "document countdown"
    static let clock = "document clock"

    /// By the styles of timers.
    static let styles = ["relative": distance, "countdown": countdown, "clock": clock]

    static let names = [date, referenceDate, distance, countdown, clock]

    static var all: Transformers {
        Transformers([
            date: .moment(isReference: false), referenceDate: .moment(isReference: true), distance: .distance,
            countdown: .countdown, clock: .date(DatePattern("HH:mm:ss", locale: "en_US_POSIX")),
        ])
    }
}
