internal import JSONText
internal import WidgetCore
internal import WidgetHosting
internal import WidgetLive
internal import WidgetRender
internal import WidgetRunning

/// Outcomes of acts, and ends of viewings, as the messages between a host and a cell have them.
enum CellAnswers {
    static func write(_ outcome: LiveOutcome, to json: inout JSONWriter) {
        guard case .refused(let refusal) = outcome else { return json.member("outcome", "taken") }
        write(refusal, to: &json)
    }

    static func write(_ refusal: LiveRefusal, to json: inout JSONWriter) {
        switch refusal {
        case .tooManyViewings, .tooManyOfAddress, .over: json.member("outcome", "over")
        case .tooFast(let seconds):
            json.member("outcome", "fast")
            json.member("seconds", seconds)
        case .malformed(let reason):
            json.member("outcome", "malformed")
            json.member("reason", reason)
        case .unavailable(let reason), .unreadable(let reason):
            json.member("outcome", "unavailable")
            json.member("reason", reason)
        }
    }

    static func outcome(_ message: CellMessage) -> LiveOutcome {
        switch message.text("outcome") {
        case "taken": .taken
        case "fast": .refused(.tooFast(retryAfter: min(max(message.head["seconds"]?.double ?? 1, 0), 60)))
        case "malformed": .refused(.malformed(String((message.text("reason") ?? "").prefix(200))))
        default: .refused(.over)
        }
    }

    static func write(_ part: PrintedPart, to json: inout JSONWriter) {
        json.member("number", part.number)
        json.member("title", part.title)
        json.member("sheet", part.sheet)
        if part.isAwaiting { json.member("awaiting", true) }
        if part.depth > 0 { json.member("depth", part.depth) }
        if let link = part.link { json.member("link", link) }
        if let anchor = part.anchor { json.member("anchor", anchor) }
    }

    /// A page that a cell has printed. The addresses of its sheets are those that the host knows.
    ///
    /// - Parameter sheet: the address of the program's sheet.
    static func part(_ message: CellMessage, at place: LivePlace, _ sheet: String) -> PrintedPart? {
        guard let number = message.integer("number"), let rules = message.text("sheet") else { return nil }
        let title = String((message.text("title") ?? "").prefix(1_000))
        var part = PrintedPart(
            number: number, html: message.body, title: title, sheet: rules, sheets: place.sheets(for: number, sheet))
        part.isAwaiting = message.head["awaiting"]?.boolean ?? false
        part.depth = min(max(message.integer("depth") ?? 0, 0), LiveLimits.depth)
        // Texts of a cell become parts of an address: no longer ones than a link and an element have.
        part.link = message.text("link").flatMap { $0.utf8.count <= ShownPlace.linkByteCount ? $0 : nil }
        part.anchor = message.text("anchor").flatMap { anchor in
            let letter = place.options.letter
            return anchor.hasPrefix(letter) && ViewKey(String(anchor.dropFirst(letter.count))) != nil ? anchor : nil
        }
        return part
    }

    /// The end of a viewing that its widget has caused.
    static func write(_ ending: LiveEnding, to json: inout JSONWriter) {
        guard case .tooLarge(let limit) = ending else { return }
        json.member("limit", limit)
    }

    static func ending(_ message: CellMessage) -> LiveEnding {
        message.integer("limit").map { .tooLarge(limit: $0) } ?? .stopped
    }
}
