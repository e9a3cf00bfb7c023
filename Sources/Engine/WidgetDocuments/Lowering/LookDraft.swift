internal import WidgetCore

/// A look while it is made.
struct LookDraft {
    var geometry = Geometry()
    var appearance = Appearance()
    var list: ListGeometry?
    var stack: StackGeometry?
    var scrolling: Scrolling?
    var typing: TypingTraits?
    var accessibility: AuthoredTraits?
    var button: ButtonLook?
    /// Of a search field of a screen of another form.
    var bar: BarGeometry?
    /// True if a rule has a number for the node's length along an axis, or for the most of it.
    var hasOwnWidth = false
    var hasOwnHeight = false

    init() {}

    init(_ look: Look) {
        (geometry, appearance, list, stack) = (look.geometry, look.appearance, look.list, look.stack)
        (scrolling, typing, accessibility) = (look.scrolling, look.typing, look.accessibility)
        (button, bar) = (look.button, look.bar)
    }

    var look: Look {
        Look(
            geometry: geometry, appearance: appearance, list: list, stack: stack, scrolling: scrolling,
            typing: typing, accessibility: accessibility, button: button, bar: bar)
    }
}

extension StackGeometry {
    static func along(_ axis: Axis, spacing: Double = 0, _ alignment: Alignment = .fill) -> StackGeometry {
        var stack = StackGeometry()
        stack.axis = axis
        stack.spacing = spacing
        stack.alignment = alignment
        return stack
    }
}

extension FontRequest {
    /// The font of a text style at the standard setting.
    static func style(_ name: String) -> FontRequest? {
        guard let style = TextStyle(rawValue: name) else { return nil }
        let size: Double =
            switch style {
            case .largeTitle: 34
            case .title1: 28
            case .title2: 22
            case .title3: 20
            case .headline, .body: 17
            case .callout: 16
            case .subheadline: 15
            case .footnote: 13
            case .caption1: 12
            case .caption2: 11
            }
        return FontRequest(size: size, weight: style == .headline ? 600 : 400, style: style)
    }

    static let body = FontRequest(size: 17, style: .body)
}

extension SceneMaker {
    /// A box that holds one node, and is as large as it with its margins.
    mutating func wrap(_ node: NodeID, margins: Insets? = nil) throws(ElementFault) -> NodeID {
        let box = try add(.box, at: nodes[node].place)
        looks[box].stack = .along(.vertical)
        if let margins { setMargins(margins, of: box) }
        attach(node, to: box)
        return box
    }

    mutating func setMargins(_ margins: Insets, of node: NodeID) {
        looks[node].geometry.margins = margins
        looks[node].geometry.addsSafeArea = false
        looks[node].stack?.isMarginsRelative = true
    }

    mutating func rule(
        _ node: NodeID, _ attribute: LayoutRule.Attribute, _ relation: LayoutRule.Relation = .equal, _ constant: Double,
        priority: Float = LayoutRule.required
    ) {
        rules.append(
            LayoutRule(
                LayoutRule.Item(node), attribute, relation, constant: constant, priority: priority, owner: node))
        guard relation != .greaterOrEqual else { return }
        if attribute == .width { looks[node].hasOwnWidth = true }
        if attribute == .height { looks[node].hasOwnHeight = true }
    }

    /// A rule between an edge of a node and the same edge of the one around it.
    mutating func tie(
        _ node: NodeID, _ attribute: LayoutRule.Attribute, _ relation: LayoutRule.Relation = .equal,
        to around: NodeID, _ area: LayoutRule.Area = .bounds, _ constant: Double = 0
    ) {
        rules.append(
            LayoutRule(
                LayoutRule.Item(node), attribute, relation, to: LayoutRule.Item(around, area), attribute,
                constant: constant, owner: around))
    }

    /// Rules that give a node all of the room of the one around it.
    mutating func fill(_ node: NodeID, in around: NodeID, _ area: LayoutRule.Area = .bounds) {
        for attribute in [LayoutRule.Attribute.leading, .trailing, .top, .bottom] {
            tie(node, attribute, to: around, area)
        }
    }

    /// The content of a node that scrolls: as large as it has to be along the axes, and as large as the node across.
    mutating func scroll(_ content: NodeID, in node: NodeID, horizontal: Bool, vertical: Bool, margin: Double = 0) {
        tie(content, .leading, to: node, .bounds, margin)
        tie(content, .trailing, to: node, .bounds, -margin)
        tie(content, .top, to: node, .bounds, margin)
        tie(content, .bottom, to: node, .bounds, -margin)
        if !horizontal { tie(content, .width, to: node, .bounds, -2 * margin) }
        if !vertical { tie(content, .height, to: node, .bounds, -2 * margin) }
    }
}
