/// The properties of an element that decide its look, as its children inherit them.
struct SVGStyle {
    enum Paint: Equatable {
        case none
        case color(DrawingColor)
        case currentColor
        /// A gradient or a pattern by its id, and the paint where it does not exist.
        indirect case reference(String, fallback: Paint?)
    }

    var fill = Paint.color(.black)
    var stroke = Paint.none
    var color = DrawingColor.black
    var fillRule = FillRule.nonzero
    var clipRule = FillRule.nonzero
    var fillOpacity = 1.0
    var strokeOpacity = 1.0
    var pen = StrokeStyle()
    var isVisible = true
    var hasMarkers = false
    var hasFixedStroke = false
    var paintsStrokeFirst = false

    /// The properties that children do not inherit.
    struct Own {
        var opacity = 1.0
        var isDisplayed = true
        var clip: String?
        var stopColor = Paint.color(.black)
        var stopOpacity = 1.0
        var isClipped = true
    }

    var own = Own()

    /// Properties that an element may have as attributes.
    static let attributes: Set<String> = [
        "fill", "stroke", "color", "fill-rule", "clip-rule", "fill-opacity", "stroke-opacity", "stroke-width",
        "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "opacity",
        "visibility", "display", "clip-path", "mask", "filter", "marker-start", "marker-mid", "marker-end",
        "vector-effect", "paint-order", "stop-color", "stop-opacity", "mix-blend-mode", "overflow",
    ]

    /// Properties of style sheets that move or shape an element, which only attributes do here.
    private static let geometry: Set<String> = [
        "transform", "x", "y", "cx", "cy", "r", "rx", "ry", "d", "width", "height", "translate", "rotate", "scale",
    ]

    /// Sets a property. Values that are not understood are ignored, as the standard wants.
    mutating func set(
        _ name: String, _ value: String, inheriting parent: SVGStyle, of size: (width: Double, height: Double),
        isSheet: Bool
    ) throws(DrawingError) {
        let value = String(value.trimmed)
        if isSheet, SVGStyle.geometry.contains(name) { throw DrawingError(.unsupported(.styles)) }
        guard SVGStyle.attributes.contains(name) || name == "marker" else { return }
        if value.contains("var(") || value.contains("calc(") { throw DrawingError(.unsupported(.styles)) }
        if value == "inherit" { return inherit(name, parent) }
        if try setFeature(name, value) { return }
        let number = Self.number(value)
        switch name {
        case "fill": fill = Self.paint(value) ?? fill
        case "stroke": stroke = Self.paint(value) ?? stroke
        case "color": color = SVGColor.color(value) ?? color
        case "fill-rule": fillRule = Self.rule(value) ?? fillRule
        case "clip-rule": clipRule = Self.rule(value) ?? clipRule
        case "fill-opacity": fillOpacity = number ?? fillOpacity
        case "stroke-opacity": strokeOpacity = number ?? strokeOpacity
        case "opacity": own.opacity = number ?? own.opacity
        case "stop-opacity": own.stopOpacity = number ?? own.stopOpacity
        case "stop-color": own.stopColor = Self.paint(value) ?? own.stopColor
        case "visibility": isVisible = value == "visible"
        case "display": own.isDisplayed = value != "none"
        case "overflow": own.isClipped = value != "visible" && value != "auto"
        default: setPen(name, value, size)
        }
    }

    private mutating func inherit(_ name: String, _ parent: SVGStyle) {
        switch name {
        case "opacity": own.opacity = parent.own.opacity
        case "stop-color": own.stopColor = parent.own.stopColor
        case "stop-opacity": own.stopOpacity = parent.own.stopOpacity
        case "fill": fill = parent.fill
        case "stroke": stroke = parent.stroke
        case "color": color = parent.color
        default: break
        }
    }

    /// Sets properties whose values are drawn only in part.
    ///
    /// - Returns: true if the property is one of them.
    private mutating func setFeature(_ name: String, _ value: String) throws(DrawingError) -> Bool {
        switch name {
        case "mask": if value != "none" { throw DrawingError(.unsupported(.masks)) }
        case "filter": if value != "none" { throw DrawingError(.unsupported(.filters)) }
        case "mix-blend-mode": if value != "normal" { throw DrawingError(.unsupported(.blending)) }
        case "marker", "marker-start", "marker-mid", "marker-end": if value != "none" { hasMarkers = true }
        case "vector-effect": hasFixedStroke = value != "none"
        case "paint-order": paintsStrokeFirst = value != "normal" && !value.hasPrefix("fill")
        case "clip-path":
            own.clip = nil
            if value == "none" { break }
            guard let id = Self.reference(value)?.id else { throw DrawingError(.unsupported(.styles)) }
            own.clip = id
        default: return false
        }
        return true
    }

    private mutating func setPen(_ name: String, _ value: String, _ size: (width: Double, height: Double)) {
        func length(_ text: String) -> Double? { SVGLength.points(text, of: size, .diagonal) }
        switch (name, value) {
        case ("stroke-width", _): if let width = length(value), width >= 0 { pen.width = width }
        case ("stroke-linecap", "butt"): pen.cap = .butt
        case ("stroke-linecap", "round"): pen.cap = .round
        case ("stroke-linecap", "square"): pen.cap = .square
        case ("stroke-linejoin", "miter"), ("stroke-linejoin", "miter-clip"), ("stroke-linejoin", "arcs"):
            pen.join = .miter
        case ("stroke-linejoin", "round"): pen.join = .round
        case ("stroke-linejoin", "bevel"): pen.join = .bevel
        case ("stroke-miterlimit", _):
            if let limit = Double(value), limit >= 1, limit.isFinite { pen.miterLimit = limit }
        case ("stroke-dashoffset", _): pen.dashOffset = length(value) ?? pen.dashOffset
        case ("stroke-dasharray", "none"): pen.dashes = []
        case ("stroke-dasharray", _):
            let parts = value.split { $0 == "," || $0.isWhitespace }.map { length(String($0)) }
            let dashes = parts.compactMap { $0 }
            if dashes.count == parts.count, dashes.count <= 1_000, dashes.allSatisfy({ $0 >= 0 }) {
                pen.dashes = dashes
            }
        default: break
        }
    }

    // MARK: - Values

    private static func rule(_ value: String) -> FillRule? {
        value == "nonzero" ? .nonzero : value == "evenodd" ? .evenOdd : nil
    }

    /// A part of 1, or a percentage.
    static func number(_ value: String) -> Double? {
        let isPercent = value.hasSuffix("%")
        guard let number = Double(isPercent ? String(value.dropLast()) : value), number.isFinite else { return nil }
        return min(max(isPercent ? number / 100 : number, 0), 1)
    }

    static func paint(_ value: String) -> Paint? {
        switch value.lowercased() {
        case "none": return Paint.none
        case "currentcolor": return .currentColor
        default: break
        }
        if let (id, rest) = reference(value) {
            // A fallback is a colour, and never another reference.
            return .reference(id, fallback: rest.lowercased() == "none" ? Paint.none : color(rest))
        }
        return color(value)
    }

    private static func color(_ value: String) -> Paint? { SVGColor.color(value).map { .color($0) } }

    /// The id of `url(#id)`, and the text behind it.
    private static func reference(_ value: String) -> (id: String, rest: String)? {
        guard value.hasPrefix("url("), let close = value.firstIndex(of: ")") else { return nil }
        var id = value[..<close].dropFirst(4).trimmed
        if let quote = id.first, quote == "\"" || quote == "'", id.last == quote { id = id.dropFirst().dropLast() }
        guard id.hasPrefix("#") else { return nil }
        return (String(id.dropFirst()), String(value[value.index(after: close)...].trimmed))
    }
}
