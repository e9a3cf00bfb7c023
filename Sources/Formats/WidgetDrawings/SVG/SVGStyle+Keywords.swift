/// Words that every property may have as its value (CSS Cascade 4 §7.3).
extension SVGStyle {
    /// Properties that children do not inherit.
    private static let ofOneElement: Set<String> = [
        "opacity", "display", "clip-path", "mask", "filter", "stop-color", "stop-opacity", "overflow", "vector-effect",
        "mix-blend-mode", "transform-origin", "transform-box",
    ]

    /// Sets a property to what such a word means.
    ///
    /// - Returns: false for another value.
    mutating func setKeyword(
        _ name: String, _ value: String, inheriting parent: SVGStyle
    ) throws(DrawingError) -> Bool {
        switch value {
        case "inherit": copy(name, from: parent)
        case "initial": copy(name, from: SVGStyle())
        case "unset": copy(name, from: SVGStyle.ofOneElement.contains(name) ? SVGStyle() : parent)
        // These mean the value of a rule with less weight, and such values are not kept.
        case "revert", "revert-layer": throw DrawingError(.unsupported(.styles))
        default: return false
        }
        return true
    }

    /// Takes a property over, but no mask, filter or blend mode: an element with one is refused.
    private mutating func copy(_ name: String, from other: SVGStyle) {
        switch name {
        case "fill": fill = other.fill
        case "stroke": stroke = other.stroke
        case "color": color = other.color
        case "fill-rule": fillRule = other.fillRule
        case "clip-rule": clipRule = other.clipRule
        case "fill-opacity": fillOpacity = other.fillOpacity
        case "stroke-opacity": strokeOpacity = other.strokeOpacity
        case "visibility": isVisible = other.isVisible
        case "marker", "marker-start", "marker-mid", "marker-end": hasMarkers = other.hasMarkers
        case "paint-order": paintsStrokeFirst = other.paintsStrokeFirst
        case "font", "font-size": font.em = other.font.em
        case "transform-origin", "transform-box": own.hasOrigin = other.own.hasOrigin
        case "opacity": own.opacity = other.own.opacity
        case "display": own.isDisplayed = other.own.isDisplayed
        case "clip-path": own.clip = other.own.clip
        case "overflow": own.isClipped = other.own.isClipped
        case "stop-color": own.stopColor = other.own.stopColor
        case "stop-opacity": own.stopOpacity = other.own.stopOpacity
        case "vector-effect": own.hasFixedStroke = other.own.hasFixedStroke
        default: copyPen(name, from: other.pen)
        }
    }

    private mutating func copyPen(_ name: String, from other: StrokeStyle) {
        switch name {
        case "stroke-width": pen.width = other.width
        case "stroke-linecap": pen.cap = other.cap
        case "stroke-linejoin": pen.join = other.join
        case "stroke-miterlimit": pen.miterLimit = other.miterLimit
        case "stroke-dasharray": pen.dashes = other.dashes
        case "stroke-dashoffset": pen.dashOffset = other.dashOffset
        default: break
        }
    }
}
