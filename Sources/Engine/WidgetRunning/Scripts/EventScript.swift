package import JSONText
internal import WidgetBytes

/// Steps that are played one after the other, on a separate clock that only the script moves.
package struct EventScript: Sendable {
    struct Entry: Sendable {
        var step: ScriptStep
        /// The step as it is written.
        var text: String
    }

    let entries: [Entry]

    package var steps: [ScriptStep] { entries.map { $0.step } }

    package static let empty = EventScript(steps: [])

    /// Bytes of a script that is read or recorded.
    package static let byteCount = 1 << 20

    package init(steps: [ScriptStep]) {
        entries = steps.map { Entry(step: $0, text: $0.json) }
    }

    /// Reads a JSON array of steps.
    package init(_ bytes: [UInt8]) throws(WidgetError) {
        let document = try rethrowing(
            try JSONDocument(parsing: bytes),
            as: { (error: JSONError) in WidgetError.script("the event script is not JSON: \(error)") })
        guard let elements = document.root.array else { throw .script("the event script must be an array of steps") }
        var entries: [Entry] = []
        for element in elements {
            let text = String(decoding: bytes[element.span.range], as: UTF8.self)
            guard let object = element.object, let step = ScriptStep(object) else {
                let place = element.span.position(in: bytes)
                let fault = element.object.flatMap(ScriptVerb.fault).map { ": \($0)" }
                throw .script(
                    "\(place): \(text.prefix(80)) is not a step\(fault ?? "; a step is \(ScriptVerb.sentence)")")
            }
            entries.append(Entry(step: step, text: text))
        }
        self.entries = entries
    }

    /// The script as a JSON array, a step on each line.
    package var document: [UInt8] {
        guard !entries.isEmpty else { return Array("[]\n".utf8) }
        return Array("[\n  \(entries.map { $0.text }.joined(separator: ",\n  "))\n]\n".utf8)
    }
}

/// One step of a script: an act of a user, time that passes, an expectation, or a picture of the screen.
///
/// Steps are values. Scripts spell them as JSON, and the spoken interface of `widget run` in words.
package enum ScriptStep: Equatable, Sendable {
    /// - Parameter refused: true if a form has to refuse it.
    case tap(String, refused: Bool = false)
    case input(String, String)
    case submit(String, refused: Bool = false)
    case select(String, section: Int, row: Int)
    case delete(String, section: Int, row: Int)
    case scroll(String, toEnd: Bool)
    case refresh(String)
    case pick(String, file: String)
    case back
    /// Taps the button of this title in the alert in front.
    case answer(String)
    case link(String)
    /// Seconds, within ``waits``.
    case wait(Double)
    case expect(String)
    case expectNot(String)
    case snapshot(String)

    /// The seconds that one step may wait.
    package static let waits = 0...1e7

    /// True for a step that a form has to refuse.
    var expectsRefusal: Bool {
        switch self {
        case .tap(_, let isRefused), .submit(_, let isRefused): isRefused
        case .input, .select, .delete, .scroll, .refresh, .pick, .back, .answer, .link, .wait, .expect, .expectNot,
            .snapshot:
            false
        }
    }

    /// The step as one that a form has to refuse, if forms refuse such steps.
    var expectingRefusal: ScriptStep {
        switch self {
        case .tap(let name, _): .tap(name, refused: true)
        case .submit(let name, _): .submit(name, refused: true)
        case .input, .select, .delete, .scroll, .refresh, .pick, .back, .answer, .link, .wait, .expect, .expectNot,
            .snapshot:
            self
        }
    }

    // MARK: - JSON

    /// - Returns: `nil` for an object that is not a step.
    package init?(_ object: JSONObject) {
        guard let step = ScriptStep.read(object) else { return nil }
        self = step
    }

    private static func read(_ object: JSONObject) -> ScriptStep? {
        // A second verb would not be played.
        guard ScriptVerb.allCases.filter({ object[$0.rawValue] != nil }).count == 1 else { return nil }
        if let refused = object["refused"] {
            guard let isRefused = refused.boolean else { return nil }
            if let id = object["tap"]?.string { return .tap(id, refused: isRefused) }
            return object["submit"]?.string.map { .submit($0, refused: isRefused) }
        }
        if let id = object["tap"]?.string { return .tap(id) }
        if let id = object["input"]?.string { return object["value"]?.string.map { .input(id, $0) } }
        if let id = object["submit"]?.string { return .submit(id) }
        if let id = object["select"]?.string { return place(object).map { .select(id, section: $0, row: $1) } }
        if let id = object["delete"]?.string { return place(object).map { .delete(id, section: $0, row: $1) } }
        if let id = object["scroll"]?.string { return .scroll(id, toEnd: object["to"]?.string != "start") }
        if let id = object["refresh"]?.string { return .refresh(id) }
        if let id = object["pick"]?.string { return object["file"]?.string.map { .pick(id, file: $0) } }
        if object["back"]?.boolean == true { return .back }
        if let title = object["answer"]?.string { return .answer(title) }
        if let url = object["link"]?.string { return .link(url) }
        if let seconds = object["wait"]?.double, waits ~= seconds { return .wait(seconds) }
        if let text = object["expect"]?.string { return .expect(text) }
        if let text = object["expectNot"]?.string { return .expectNot(text) }
        return object["snapshot"]?.string.map { .snapshot($0) }
    }

    private static func place(_ object: JSONObject) -> (Int, Int)? {
        guard let row = object["row"]?.integer.map({ Int(clamping: $0) }) else { return nil }
        let section = object["section"].map { $0.integer.map { Int(clamping: $0) } } ?? 0
        return section.map { ($0, row) }
    }

    /// The step as a script spells it.
    package var json: String {
        var writer = JSONWriter()
        writer.object { write(to: &$0) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func write(to writer: inout JSONWriter) {
        switch self {
        case .tap(let name, let isRefused):
            writer.member("tap", name)
            if isRefused { writer.member("refused", true) }
        case .input(let name, let value):
            writer.member("input", name)
            writer.member("value", value)
        case .submit(let name, let isRefused):
            writer.member("submit", name)
            if isRefused { writer.member("refused", true) }
        case .select(let name, let section, let row): ScriptStep.write("select", name, section, row, to: &writer)
        case .delete(let name, let section, let row): ScriptStep.write("delete", name, section, row, to: &writer)
        case .scroll(let name, let toEnd):
            writer.member("scroll", name)
            if !toEnd { writer.member("to", "start") }
        case .refresh(let name): writer.member("refresh", name)
        case .pick(let name, let file):
            writer.member("pick", name)
            writer.member("file", file)
        case .back: writer.member("back", true)
        case .answer(let title): writer.member("answer", title)
        case .link(let url): writer.member("link", url)
        case .wait(let seconds): writer.member("wait", seconds)
        case .expect(let text): writer.member("expect", text)
        case .expectNot(let text): writer.member("expectNot", text)
        case .snapshot(let name): writer.member("snapshot", name)
        }
    }

    private static func write(_ verb: String, _ name: String, _ section: Int, _ row: Int, to writer: inout JSONWriter) {
        writer.member(verb, name)
        if section != 0 { writer.member("section", section) }
        writer.member("row", row)
    }
}
