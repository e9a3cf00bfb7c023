internal import WidgetCore

/// An attribute of a child along one axis, in the direction of the axis.
enum EdgeAttribute: Int, Sendable {
    case start, end, center, length, firstBaseline, lastBaseline

    var isBaseline: Bool { self == .firstBaseline || self == .lastBaseline }
}

/// A rule of one axis between a child of a container and a place in the container, or another child:
/// `child.attribute = multiplier × other + constant`.
struct EdgeRule: Sendable {
    enum Other: Sendable {
        /// A place in the container, or a length.
        case length(Affine)
        case child(Int, EdgeAttribute)
    }

    var child: Int
    var attribute: EdgeAttribute
    var relation: LayoutRule.Relation
    var other: Other
    var multiplier = 1.0
    var constant = Affine.zero
    var priority: Float
    var isPhysical: Bool
}

/// The rule that a child's width is a multiple of its height.
struct RatioRule: Sendable {
    var child: Int
    /// Width by height.
    var ratio: Double
    var constant: Double
    var priority: Float
}

/// The rules of a container by axis, in terms of its children.
struct EdgeRules: Sendable {
    var x: [EdgeRule] = []
    var y: [EdgeRule] = []
    var ratios: [RatioRule] = []
    /// True if a rule reaches into or out of the container's children.
    var hasDistantRule = false
    /// True if a rule compares lengths along both axes of different views, or an unusual pair of attributes.
    var hasUnusualRule = false
}

/// Turns authored rules into rules of edges.
struct EdgeRuleReader {
    let areas: ContainerAreas
    let place: (NodeID) -> Int?
    /// The insets of a child's own margins, for rules that speak of them.
    let childMargins: (NodeID) -> Insets

    /// One side of a rule.
    private enum Side {
        case child(Int, EdgeAttribute, inset: Double)
        case container(Affine)
    }

    func add(_ rule: LayoutRule, constant: Double, to rules: inout EdgeRules) {
        guard rule.multiplier.isFinite, constant.isFinite, rule.priority > 0, rule.priority.isFinite else { return }
        let constant = Affine(Affine.bounded(constant), changedBy: rule.node)
        guard let first = side(rule.first, rule.attribute) else {
            rules.hasDistantRule = true
            return
        }
        guard let item = rule.second, let attribute = rule.secondAttribute else {
            // A place without another view is a place in nothing; the system refuses such rules.
            if case .child(let child, .length, _) = first {
                let edge = EdgeRule(
                    child: child, attribute: .length, relation: rule.relation, other: .length(.zero),
                    constant: constant, priority: rule.priority, isPhysical: false)
                append(edge, rule.attribute.axis, &rules)
            }
            return
        }
        guard let second = side(item, attribute) else {
            rules.hasDistantRule = true
            return
        }
        if rule.attribute.axis != attribute.axis {
            addRatio(rule, constant.value(in: 0), first, second, &rules)
            return
        }
        let multiplier = Affine.bounded(rule.multiplier)
        let isPhysical = isPhysical(rule.attribute) || isPhysical(attribute)
        switch (first, second) {
        case (.child(let child, let own, let inset), .container(let place)):
            let edge = EdgeRule(
                child: child, attribute: own, relation: rule.relation, other: .length(place), multiplier: multiplier,
                constant: constant - Affine(inset), priority: rule.priority, isPhysical: isPhysical)
            append(edge, rule.attribute.axis, &rules)
        case (.container(let place), .child(let child, let own, let inset)):
            guard multiplier != 0 else { return }
            let edge = EdgeRule(
                child: child, attribute: own, relation: multiplier < 0 ? rule.relation : rule.relation.reversed,
                other: .length(place - constant), multiplier: 1 / multiplier, constant: Affine(-inset),
                priority: rule.priority, isPhysical: isPhysical)
            append(edge, rule.attribute.axis, &rules)
        case (.child(let child, let own, let inset), .child(let other, let its, let otherInset)):
            guard child != other else { return }
            let edge = EdgeRule(
                child: child, attribute: own, relation: rule.relation, other: .child(other, its),
                multiplier: multiplier, constant: constant + Affine(multiplier * otherInset - inset),
                priority: rule.priority, isPhysical: isPhysical)
            append(edge, rule.attribute.axis, &rules)
        case (.container, .container): break
        }
    }

    private func append(_ rule: EdgeRule, _ axis: Axis, _ rules: inout EdgeRules) {
        switch axis {
        case .horizontal: rules.x.append(rule)
        case .vertical: rules.y.append(rule)
        }
    }

    private func addRatio(
        _ rule: LayoutRule, _ constant: Double, _ first: Side, _ second: Side, _ rules: inout EdgeRules
    ) {
        guard case .child(let child, .length, _) = first, case .child(let other, .length, _) = second, child == other,
            rule.relation == .equal, rule.multiplier > 0
        else {
            rules.hasUnusualRule = true
            return
        }
        let multiplier = rule.multiplier
        rules.ratios.append(
            rule.attribute == .width
                ? RatioRule(child: child, ratio: multiplier, constant: constant, priority: rule.priority)
                : RatioRule(
                    child: child, ratio: 1 / multiplier, constant: -constant / multiplier, priority: rule.priority))
    }

    private func isPhysical(_ attribute: LayoutRule.Attribute) -> Bool { attribute == .left || attribute == .right }

    /// `nil` for an item that is neither the container nor a child of it.
    private func side(_ item: LayoutRule.Item, _ attribute: LayoutRule.Attribute) -> Side? {
        let edge = attribute.edge
        if item.node == areas.container { return .container(areas.place(item.area, attribute)) }
        guard let child = place(item.node) else { return nil }
        guard item.area == .margins, edge == .start || edge == .end else { return .child(child, edge, inset: 0) }
        let insets = childMargins(item.node)
        let inset =
            switch attribute {
            case .left, .leading: insets.leading
            case .right, .trailing: -insets.trailing
            case .top: insets.top
            default: -insets.bottom
            }
        return .child(child, edge, inset: Affine.bounded(inset))
    }
}

extension LayoutRule.Attribute {
    var edge: EdgeAttribute {
        switch self {
        case .left, .leading, .top: .start
        case .right, .trailing, .bottom: .end
        case .width, .height: .length
        case .centerX, .centerY: .center
        case .firstBaseline: .firstBaseline
        case .lastBaseline: .lastBaseline
        }
    }
}

extension LayoutRule.Relation {
    var reversed: LayoutRule.Relation {
        switch self {
        case .lessOrEqual: .greaterOrEqual
        case .equal: .equal
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
