internal import Bytes
internal import JSONText
internal import Predicates
internal import WidgetCore

/// What somebody does with a widget, one step after the other, on a clock of its own.
package struct EventScript: Sendable {
    enum Step: Sendable {
        case tap(String)
        case input(String, String)
        case submit(String)
        case select(String, section: Int, row: Int)
        case delete(String, section: Int, row: Int)
        case scroll(String, toEnd: Bool)
        case refresh(String)
        case pick(String, file: String)
        case back
        case link(String)
        case wait(Double)
        case expect(String)
        case expectNot(String)
        case snapshot(String)
    }

    struct Entry: Sendable {
        var step: Step
        /// As it is written.
        var text: String
    }

    let entries: [Entry]

    package static let empty = EventScript(entries: [])

    private init(entries: [Entry]) {
        self.entries = entries
    }

    package init(_ bytes: [UInt8]) throws(HostError) {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: bytes)
        } catch {
            throw .script("the event script is no JSON: \(error)")
        }
        guard let elements = document.root.array else { throw .script("the event script must be an array of steps") }
        var entries: [Entry] = []
        for element in elements {
            let text = String(decoding: bytes[element.span.range], as: UTF8.self)
            guard let object = element.object, let step = EventScript.step(object) else {
                throw .script(
                    "\(element.span.position(in: bytes)): \(text.prefix(80)) is no step; a step is tap, input with value, submit, select with row, "
                        + "delete with row, scroll, refresh, pick with file, back, link, wait, expect, expectNot or snapshot"
                )
            }
            entries.append(Entry(step: step, text: text))
        }
        self.entries = entries
    }

    private static func step(_ object: JSONObject) -> Step? {
        if let id = object["tap"]?.string { return .tap(id) }
        if let id = object["input"]?.string { return object["value"]?.string.map { .input(id, $0) } }
        if let id = object["submit"]?.string { return .submit(id) }
        if let id = object["select"]?.string { return place(object).map { .select(id, section: $0, row: $1) } }
        if let id = object["delete"]?.string { return place(object).map { .delete(id, section: $0, row: $1) } }
        if let id = object["scroll"]?.string { return .scroll(id, toEnd: object["to"]?.string != "start") }
        if let id = object["refresh"]?.string { return .refresh(id) }
        if let id = object["pick"]?.string { return object["file"]?.string.map { .pick(id, file: $0) } }
        if object["back"]?.boolean == true { return .back }
        if let url = object["link"]?.string { return .link(url) }
        if let seconds = object["wait"]?.double, 0...1e7 ~= seconds { return .wait(seconds) }
        if let text = object["expect"]?.string { return .expect(text) }
        if let text = object["expectNot"]?.string { return .expectNot(text) }
        return object["snapshot"]?.string.map { .snapshot($0) }
    }

    private static func place(_ object: JSONObject) -> (Int, Int)? {
        guard let row = object["row"]?.integer.flatMap({ Int(exactly: $0) }) else { return nil }
        let section = object["section"].map { $0.integer.flatMap { Int(exactly: $0) } } ?? 0
        return section.map { ($0, row) }
    }
}
