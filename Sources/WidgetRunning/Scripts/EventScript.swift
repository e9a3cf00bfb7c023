internal import Bytes
internal import JSONText

/// Steps that are played one after the other, on a clock of the script's own.
package struct EventScript: Sendable {
    struct Entry: Sendable {
        var step: ScriptStep
        /// The step as it is written.
        var text: String
    }

    let entries: [Entry]

    package var steps: [ScriptStep] { entries.map(\.step) }

    package static let empty = EventScript(steps: [])

    package init(steps: [ScriptStep]) {
        entries = steps.map { Entry(step: $0, text: $0.json) }
    }

    /// Reads a JSON array of steps.
    package init(_ bytes: [UInt8]) throws(WidgetError) {
        let document = try rethrowing(
            try JSONDocument(parsing: bytes),
            as: { (error: JSONError) in WidgetError.script("the event script is no JSON: \(error)") })
        guard let elements = document.root.array else { throw .script("the event script must be an array of steps") }
        var entries: [Entry] = []
        for element in elements {
            let text = String(decoding: bytes[element.span.range], as: UTF8.self)
            guard let object = element.object, let step = ScriptStep(object) else {
                throw .script(
                    "\(element.span.position(in: bytes)): \(text.prefix(80)) is no step; a step is \(ScriptStep.names)")
            }
            entries.append(Entry(step: step, text: text))
        }
        self.entries = entries
    }
}
