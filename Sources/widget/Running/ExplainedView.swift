import Console
import WidgetCore
import WidgetRunning

/// Every value that is seen, and where it came from: what was authored and where, what an expression has made of which
/// inputs, or what somebody gave.
struct ExplainedView {
    private let instance: WidgetInstance
    private let view: View

    init(_ view: View, of instance: WidgetInstance) {
        self.view = view
        self.instance = instance
    }

    /// A line for each property of each element, and one for each input below it.
    var text: String {
        let evaluator = Evaluator(instance.program, budget: instance.budget)
        // Whatever was shown is evaluated again, with its inputs, a property at a time.
        var budget = instance.budget
        budget.fuel *= 20
        let meter = Meter(budget)
        var text = ""
        view.visit { node in
            for property in node.properties {
                let found = evaluator.explanation(
                    of: property.name, at: node.key, in: instance.store, instance.environment, meter: meter)
                text += ExplainedView.lines(node, property, found)
            }
            return true
        }
        return text
    }

    private static func lines(_ node: ViewNode, _ property: ViewProperty, _ found: Explanation?) -> String {
        let name = node.identifier ?? node.key.description
        let value = QuotedText.of(property.value.shown)
        var line = "\(QuotedText.plain(name)) \(QuotedText.plain(property.name.name)) \(value)"
        guard let found else { return line + "  the state of the screen\n" }
        switch found.origin {
        case .authored: line += "  authored"
        case .bound: line += "  from \(QuotedText.plain(found.source))"
        case .given: line += found.source.isEmpty ? "  given" : "  given by \(QuotedText.plain(found.source))"
        }
        if let place = found.place { line += "  \(QuotedText.plain("\(place)"))" }
        let inputs = found.inputs.map { input in
            "    \(QuotedText.plain(input.keyPath)) is \(QuotedText.of(input.value.shown))\n"
        }
        let more = found.omittedCount > 0 ? "    and \(found.omittedCount) more\n" : ""
        return line + "\n" + inputs.joined() + more
    }
}
