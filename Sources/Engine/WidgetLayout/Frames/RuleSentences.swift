package import WidgetCore

/// The rules of a screen as an author would write them: `title.leading = icon.trailing + 8`.
package struct RuleSentences: Sendable {
    private let scene: Scene

    package init(_ scene: Scene) { self.scene = scene }

    /// The author's name of a node, or its kind with its number.
    package func name(_ node: NodeID) -> String {
        guard let own = scene.node(node) else { return "a view" }
        if let identifier = own.identifier { return identifier.excerpt }
        guard let path = own.place?.path, !path.isEmpty else { return "\(own.kind.row.name) \(node)" }
        return "\(path.excerpt) \(node)"
    }

    package func text(_ rule: LayoutRule) -> String {
        let relation =
            switch rule.relation {
            case .lessOrEqual: "≤"
            case .equal: "="
            case .greaterOrEqual: "≥"
            }
        var text = "\(name(rule.first.node)).\(rule.attribute.name) \(relation) "
        if let second = rule.second, let attribute = rule.secondAttribute {
            text += "\(name(second.node)).\(attribute.name)"
            if rule.multiplier != 1 { text += " × \(number(rule.multiplier))" }
            if rule.constant != 0 { text += " \(rule.constant < 0 ? "-" : "+") \(number(abs(rule.constant)))" }
        } else {
            text += number(rule.constant)
        }
        return text
    }

    private func number(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\((value * 1_000).rounded() / 1_000)"
    }
}
