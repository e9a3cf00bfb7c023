internal import JSONText
internal import WidgetCore
internal import WidgetPredicates

/// Styles: looks and sizes that elements of every kind can have.
extension SceneMaker {
    /// Applies a style to a node.
    ///
    /// A fault of a style is reported, and the element is shown without the style.
    ///
    /// - Returns: the node, or the outermost box around it.
    mutating func apply(
        _ value: DocumentValue, to node: NodeID, _ words: Lexicon
    ) throws(ElementFault) -> NodeID {
        let style: CheckedMembers
        do throws(ElementFault) {
            style = try CheckedMembers(
                try members(ofStyle: value, words.theme), DocumentWords.style, of: "style", around: value,
                theme: words.theme, &self)
        } catch {
            if policy == .fail || policy == .strict { throw error }
            report(error.diagnostic)
            return node
        }
        applyText(style, to: node, words.theme)
        var outer = node
        if let padding = style["padding"].flatMap({ SideWords.insets($0.json, words.theme) }) {
            if looks[node].stack != nil, looks[node].geometry.margins == nil {
                setMargins(padding, of: node)
            } else {
                outer = try wrap(node, margins: padding)
            }
        }
        applyPaint(style, to: outer, words.theme)
        applySize(style, to: outer)
        if let margin = style["margin"].flatMap({ SideWords.insets($0.json, words.theme) }) {
            outer = try wrap(outer, margins: margin)
        }
        if let position = style.text("position") {
            positions[outer] = position
            if !words.isInZStack {
                report(
                    Finding(
                        .warning, .badValue, "A position has no effect here", at: style["position"]?.place,
                        hint: "it places elements in a zstack"))
            }
        }
        for (name, property, target) in [
            ("alpha", PropertyName.alpha, outer), ("hidden", .hidden, outer),
            ("accessibilityLabel", .accessibleName, node),
        ] {
            guard let expression = try style.expression(name, words, &self) else { continue }
            nodes[target][property] = expression
        }
        return outer
    }

    private mutating func applyText(_ style: CheckedMembers, to node: NodeID, _ theme: Theme) {
        if let paint = paint(style, "color", theme) {
            looks[node].appearance.foreground = paint
            if nodes[node].kind == .button { looks[node].appearance.titleColor = paint }
        }
        looks[node].appearance.tint = paint(style, "tint", theme) ?? looks[node].appearance.tint
        var font = style.text("font").flatMap(theme.font) ?? looks[node].appearance.font
        if let size = style.number("fontSize"), size > 0 {
            font = FontRequest(size: size, weight: font?.weight ?? 400)
        }
        if style.flag("bold") {
            font = font ?? .body
            font?.weight = 700
        }
        if style.flag("italic") {
            font = font ?? .body
            font?.isItalic = true
        }
        looks[node].appearance.font = font
    }

    private mutating func applyPaint(_ style: CheckedMembers, to node: NodeID, _ theme: Theme) {
        if let paint = paint(style, "background", theme) { looks[node].appearance.background = paint }
        if let radius = style.number("cornerRadius") {
            looks[node].appearance.cornerRadius = max(radius, 0)
            // Corners of what lies in it are cut as well, unless the author says otherwise.
            looks[node].appearance.clips = true
        }
        if let corners = style["corners"] {
            let names = corners.asList.compactMap { $0.json.string }
            looks[node].appearance.corners = Set(names.compactMap(Corner.init))
        }
        if style["clips"] != nil { looks[node].appearance.clips = style.flag("clips") }
        if let width = style.number("borderWidth") { looks[node].appearance.borderWidth = max(width, 0) }
        if let paint = paint(style, "borderColor", theme) {
            looks[node].appearance.border = paint
            if style["borderWidth"] == nil { looks[node].appearance.borderWidth = 1 }
        }
        if let radius = style.number("shadow"), radius > 0 {
            looks[node].appearance.shadow = Shadow(
                paint: .value(RGBA(red: 0, green: 0, blue: 0, alpha: UInt8(255))), opacity: 0.3,
                offset: Size(width: 0, height: 1), radius: radius)
        }
    }

    private mutating func applySize(_ style: CheckedMembers, to node: NodeID) {
        let table: [(String, LayoutRule.Attribute, LayoutRule.Relation)] = [
            ("width", .width, .equal), ("height", .height, .equal), ("minWidth", .width, .greaterOrEqual),
            ("minHeight", .height, .greaterOrEqual), ("maxWidth", .width, .lessOrEqual),
            ("maxHeight", .height, .lessOrEqual),
        ]
        for (name, attribute, relation) in table {
            guard let length = style.number(name), length >= 0 else { continue }
            rule(node, attribute, relation, length)
        }
        if style["grow"] != nil {
            let hugging: Float = style.flag("grow") ? 1 : 251
            looks[node].geometry.hugging = Priorities(horizontal: hugging, vertical: hugging)
        }
        if style["shrink"] != nil {
            let resistance: Float = style.flag("shrink") ? 1 : 1_000
            looks[node].geometry.resistance = Priorities(horizontal: resistance, vertical: resistance)
        }
    }

    private func paint(_ style: CheckedMembers, _ name: String, _ theme: Theme) -> Paint? {
        style.text(name).flatMap(theme.paint)
    }
}

extension SideWords {
    /// The distances that a number or an object of sides says; `nil` if it is neither.
    static func insets(_ json: JSONValue, _ theme: Theme) -> Insets? {
        if let all = theme.length(json), isUsable(all) {
            return Insets(top: all, leading: all, bottom: all, trailing: all, isPhysical: false)
        }
        guard let object = json.object else { return nil }
        var sides: [String: Double] = [:]
        for member in object.members {
            guard all.contains(member.name), let number = theme.length(member.value), isUsable(number) else {
                return nil
            }
            sides[member.name] = number
        }
        let (x, y) = (sides["horizontal"] ?? 0, sides["vertical"] ?? 0)
        return Insets(
            top: sides["top"] ?? y, leading: sides["left"] ?? x, bottom: sides["bottom"] ?? y,
            trailing: sides["right"] ?? x)
    }

    private static func isUsable(_ length: Double) -> Bool { length >= 0 && length <= 10_000 }
}
