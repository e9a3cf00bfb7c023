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
    var font = SVGLength.Font()
    var paintsStrokeFirst = false

    /// The properties that children do not inherit.
    struct Own {
        var opacity = 1.0
        var isDisplayed = true
        var clip: String?
        var stopColor = Paint.color(.black)
        var stopOpacity = 1.0
        var isClipped = true
        var hasFixedStroke = false
        /// True if transforms are around another point than 0, 0.
        var hasOrigin = false
    }

    var own = Own()

    /// Properties that an element may have as attributes.
    static let attributes: Set<String> = [
        "fill", "stroke", "color", "fill-rule", "clip-rule", "fill-opacity", "stroke-opacity", "stroke-width",
        "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "opacity",
        "visibility", "display", "clip-path", "mask", "filter", "marker-start", "marker-mid", "marker-end",
        "vector-effect", "paint-order", "stop-color", "stop-opacity", "mix-blend-mode", "overflow", "font-size",
        "transform-origin",
    ]

    /// Properties that only style sheets have.
    private static let ofSheets: Set<String> = ["marker", "font", "transform-box"]

    /// True for a property that decides the size of text.
    static func isFont(_ name: String) -> Bool { name == "font-size" || name == "font" }

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
        guard SVGStyle.attributes.contains(name) || SVGStyle.ofSheets.contains(name) else { return }
        if value.contains("var(") || value.contains("calc(") { throw DrawingError(.unsupported(.styles)) }
        if try setKeyword(name, value.lowercased(), inheriting: parent) { return }
        if try setFeature(name, value) { return }
        let number = Self.number(value)
        switch name {
        case "fill": fill = try Self.paint(value) ?? fill
        case "stroke": stroke = try Self.paint(value) ?? stroke
        case "color": color = try SVGColor.known(value) ?? color
        case "fill-rule": fillRule = Self.rule(value) ?? fillRule
        case "clip-rule": clipRule = Self.rule(value) ?? clipRule
        case "fill-opacity": fillOpacity = number ?? fillOpacity
        case "stroke-opacity": strokeOpacity = number ?? strokeOpacity
        case "opacity": own.opacity = number ?? own.opacity
        case "stop-opacity": own.stopOpacity = number ?? own.stopOpacity
        case "stop-color": own.stopColor = try Self.paint(value) ?? own.stopColor
        case "visibility": isVisible = value == "visible"
        case "display": own.isDisplayed = value != "none"
        case "overflow": own.isClipped = value != "visible" && value != "auto"
        case "transform-origin": own.hasOrigin = value.contains { !"0 px".contains($0) }
        case "transform-box": own.hasOrigin = own.hasOrigin || value != "view-box"
        case "font-size", "font": setFont(name, value, parent.font)
        default: try setPen(name, value, size)
        }
    }

    /// Sets the size of text. It is unknown for a keyword such as `large`.
    private mutating func setFont(_ name: String, _ value: String, _ parent: SVGLength.Font) {
        font.em = nil
        guard name == "font-size", let em = parent.em else { return }
        do throws(DrawingError) {
            font.em = try SVGLength.points(value, of: (em, em), .width, parent)
        } catch {
            font.em = nil
        }
    }

    /// Sets properties that are drawn only in part.
    ///
    /// - Returns: true if the property is one of them.
    private mutating func setFeature(_ name: String, _ value: String) throws(DrawingError) -> Bool {
        switch name {
        case "mask": if value != "none" { throw DrawingError(.unsupported(.masks)) }
        case "filter": if value != "none" { throw DrawingError(.unsupported(.filters)) }
        case "mix-blend-mode": if value != "normal" { throw DrawingError(.unsupported(.blending)) }
        case "marker", "marker-start", "marker-mid", "marker-end": if value != "none" { hasMarkers = true }
        case "vector-effect": own.hasFixedStroke = value != "none"
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

    private mutating func setPen(
        _ name: String, _ value: String, _ size: (width: Double, height: Double)
    ) throws(DrawingError) {
        func length(_ text: String) throws(DrawingError) -> Double? {
            try SVGLength.points(text, of: size, .diagonal, font)
        }
        switch (name, value) {
        case ("stroke-width", _): if let width = try length(value), width >= 0 { pen.width = width }
        case ("stroke-linecap", "butt"): pen.cap = .butt
        case ("stroke-linecap", "round"): pen.cap = .round
        case ("stroke-linecap", "square"): pen.cap = .square
        case ("stroke-linejoin", "miter"), ("stroke-linejoin", "miter-clip"), ("stroke-linejoin", "arcs"):
            pen.join = .miter
        case ("stroke-linejoin", "round"): pen.join = .round
        case ("stroke-linejoin", "bevel"): pen.join = .bevel
        case ("stroke-miterlimit", _):
            if let limit = Double(value), limit >= 1, limit.isFinite { pen.miterLimit = limit }
        case ("stroke-dashoffset", _): pen.dashOffset = try length(value) ?? pen.dashOffset
        case ("stroke-dasharray", "none"): pen.dashes = []
        case ("stroke-dasharray", _):
            var dashes: [Double] = []
            for part in value.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
                guard let dash = try length(String(part)), dash >= 0 else { return }
                guard dashes.count < StrokeStyle.mostDashes else { throw DrawingError(.unsupported(.strokes)) }
                dashes.append(dash)
            }
            pen.dashes = dashes
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

    static func paint(_ value: String) throws(DrawingError) -> Paint? {
        switch value.lowercased() {
        case "none": return Paint.none
        case "currentcolor": return .currentColor
        default: break
        }
        if let (id, rest) = reference(value) {
            // A fallback is a colour, and never another reference.
            return .reference(id, fallback: try rest.lowercased() == "none" ? Paint.none : color(rest))
        }
        if value.hasPrefix("url(") { throw DrawingError(.unsupported(.foreign)) }
        return try color(value)
    }

    private static func color(_ value: String) throws(DrawingError) -> Paint? {
        try SVGColor.known(value).map { .color($0) }
    }

    /// The id of `url(#id)`, and the text behind it.
    private static func reference(_ value: String) -> (id: String, rest: String)? {
        guard value.hasPrefix("url("), let close = value.firstIndex(of: ")") else { return nil }
        var id = value[..<close].dropFirst(4).trimmed
        if let quote = id.first, quote == "\"" || quote == "'", id.last == quote { id = id.dropFirst().dropLast() }
        guard id.hasPrefix("#") else { return nil }
        return (String(id.dropFirst()), String(value[value.index(after: close)...].trimmed))
    }
}
