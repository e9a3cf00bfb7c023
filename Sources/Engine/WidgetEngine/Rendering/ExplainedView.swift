internal import WidgetBytes
package import WidgetCore
internal import WidgetPredicates
package import WidgetRunning

/// Every visible value with its origin: the place where it was authored, the expression and inputs that it was computed
/// from, or the user or service that gave it.
package struct ExplainedView {
    private let instance: WidgetInstance
    private let view: View
    /// The place in the author's file for one in the bundle.
    private let place: (Place) -> Place

    package init(_ view: View, of instance: WidgetInstance, place: @escaping (Place) -> Place) {
        self.view = view
        self.instance = instance
        self.place = place
    }

    /// A line for each property of each element, and one for each input below it.
    package var text: String {
        let evaluator = Evaluator(instance.program, budget: instance.budget)
        // Everything that was shown is evaluated again with its inputs, a property at a time, so it may cost more.
        var budget = instance.budget
        budget.fuel *= 20
        let meter = Meter(budget)
        var text = ""
        var shown: Set<ViewKey> = []
        view.visit { node in
            shown.insert(node.key)
            for property in node.properties {
                if property.name == .text, node.isTrue(.isSecure) {
                    text += "\(ShownText.plain(node.identifier ?? node.key.description)) text is a secret\n"
                    continue
                }
                let found = evaluator.explanation(
                    of: property.name, at: node.key, in: instance.store, instance.environment, meter: meter)
                text += lines(node, property, found)
            }
            return true
        }
        return text + hidden(shown, evaluator, meter) + held
    }

    /// A line for each element that a condition hides, and one for each input of it.
    private func hidden(_ shown: Set<ViewKey>, _ evaluator: Evaluator, _ meter: Meter) -> String {
        HiddenElements(instance.program, instance.store, shown: shown).all(evaluator, instance.environment, meter)
            .map { element in
                let place = element.found.place.map { "  \(ShownText.plain("\(self.place($0))"))" } ?? ""
                let why = "is hidden by \(ShownText.plain(element.found.source))\(place)"
                return "\(ShownText.plain(element.name)) \(why)\n\(inputs(element.found))"
            }.joined()
    }

    /// The most records that are named.
    private static let recordCount = 20

    /// A line for each state, and for the last records and requests.
    private var held: String {
        let held = HeldValues(instance.program, instance.store, instance.requests, in: view)
        var lines = held.named.map { "\($0.kind) \($0.name) is \($0.value)" }
        let records = held.records(atMost: ExplainedView.recordCount)
        lines += records.map { "record \($0.name): \($0.fields.joined(separator: ", "))" }
        if held.recordCount > records.count {
            lines.append("and \(held.recordCount - records.count) records before these")
        }
        lines += held.requests.map { sent in
            let answer = sent.answer.isEmpty ? "" : ": \(sent.answer)"
            return "request \(sent.action): \(sent.method) \(sent.address), \(sent.status)\(answer)"
        }
        return lines.map { "\(ShownText.plain($0))\n" }.joined()
    }

    private func inputs(_ found: Explanation) -> String {
        let inputs = found.inputs.map { input in
            "    \(ShownText.plain(input.keyPath)) is \(ShownText.quoted(input.value.shown))\n"
        }
        return inputs.joined() + (found.omittedCount > 0 ? "    and \(found.omittedCount) more\n" : "")
    }

    private func lines(_ node: ViewNode, _ property: ViewProperty, _ found: Explanation?) -> String {
        let name = node.identifier ?? node.key.description
        let value = ShownText.quoted(property.value.shown)
        var line = "\(ShownText.plain(name)) \(ShownText.plain(property.name.name)) \(value)"
        guard let found else { return line + "  the state of the screen\n" }
        switch found.origin {
        case .authored: line += "  authored"
        case .bound: line += "  from \(ShownText.plain(found.source))"
        case .given: line += found.source.isEmpty ? "  given" : "  given by \(ShownText.plain(found.source))"
        }
        if let written = found.place { line += "  \(ShownText.plain("\(place(written))"))" }
        return line + "\n" + inputs(found)
    }
}
