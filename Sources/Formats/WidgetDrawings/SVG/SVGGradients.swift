internal import XMLText

/// Gradients by their ids, with what they take over from others (SVG 2 §14.2).
extension SVGReader {
    private static let longestChain = 16

    /// - Returns: `nil` for a gradient that paints nothing.
    mutating func gradient(
        _ element: XMLElement, _ opacity: Double, _ outline: DrawingPath, _ context: Context
    ) throws(DrawingError) -> DrawingPaint? {
        var chain = [element]
        while chain.count < SVGReader.longestChain, let id = chain.last.flatMap({ SVGReader.target($0) }),
            let next = ids[id], name(next).hasSuffix("Gradient"),
            !chain.contains(where: { $0.number == next.number })
        {
            chain.append(next)
        }
        for element in chain { try countAttributes(of: element) }
        let stops = try stops(chain, context)
        guard let last = stops.last else { return nil }
        let kind = name(element)
        let ofKind = chain.filter { self.name($0) == kind }
        func attribute(_ name: String) -> String? {
            (SVGReader.isPlace(name) ? ofKind : chain).lazy.compactMap { $0[name] }.first
        }
        func solid() -> DrawingPaint {
            var color = last.color
            color.alpha *= opacity
            return .color(color)
        }
        if stops.count == 1 { return solid() }
        var transform = context.transform
        let isInBox = attribute("gradientUnits") != "userSpaceOnUse"
        if isInBox {
            guard let bounds = outline.bounds, bounds.high.x > bounds.low.x, bounds.high.y > bounds.low.y else {
                return nil
            }
            transform = transform.after(SVGReader.box(bounds))
        }
        if let text = attribute("gradientTransform") {
            guard let own = SVGTransform.transform(text) else {
                throw DrawingError(.malformed("a transform is malformed"))
            }
            transform = transform.after(own)
        }
        guard transform.isUsable else { throw DrawingError(.malformed("a transform is too large")) }
        let size = isInBox ? (width: 1.0, height: 1.0) : context.viewport
        func length(_ name: String, _ usual: String, _ extent: SVGLength.Extent) throws(DrawingError) -> Double {
            // The size of text around a gradient is not that around the shape, and is not known here.
            let value = try SVGLength.points(
                attribute(name) ?? usual, of: size, extent, .unknown)
            guard let value, abs(value) < 1e7 else {
                throw DrawingError(.malformed("a gradient is malformed"))
            }
            return value
        }
        let spread: DrawingGradient.Spread =
            switch attribute("spreadMethod") {
            case "reflect": .reflect
            case "repeat": .repeated
            default: .pad
            }
        let shape: DrawingGradient.Shape
        if kind == "linearGradient" {
            let start = DrawingPoint(x: try length("x1", "0%", .width), y: try length("y1", "0%", .height))
            let end = DrawingPoint(x: try length("x2", "100%", .width), y: try length("y2", "0%", .height))
            if start == end { return solid() }
            shape = .linear(start, end)
        } else {
            let center = DrawingPoint(x: try length("cx", "50%", .width), y: try length("cy", "50%", .height))
            let radius = try length("r", "50%", .diagonal)
            if radius <= 0 { return solid() }
            var focus = DrawingPoint(
                x: try attribute("fx") == nil ? center.x : length("fx", "", .width),
                y: try attribute("fy") == nil ? center.y : length("fy", "", .height))
            let inner = max(try length("fr", "0%", .diagonal), 0)
            // A focus outside the circle lies on it.
            let away = (focus - center).length
            if away > radius { focus = center.mixed(focus, radius * (1 - 1e-6) / away) }
            shape = .radial(focus, inner, center, radius)
        }
        return .gradient(
            DrawingGradient(shape: shape, stops: stops, spread: spread, transform: transform), opacity: opacity)
    }

    /// True for the attributes that a gradient takes over only from one of its kind.
    private static func isPlace(_ name: String) -> Bool {
        !["gradientUnits", "gradientTransform", "spreadMethod"].contains(name)
    }

    private mutating func stops(
        _ chain: [XMLElement], _ context: Context
    ) throws(DrawingError) -> [DrawingGradient.Stop] {
        // They depend on nothing around the shape that has the gradient.
        if let number = chain.first?.number, let known = self.stops[number] { return known }
        let stops = try readStops(chain, context)
        if let number = chain.first?.number { self.stops[number] = stops }
        return stops
    }

    private mutating func readStops(
        _ chain: [XMLElement], _ context: Context
    ) throws(DrawingError) -> [DrawingGradient.Stop] {
        try work.spend(chain.reduce(0) { $0 + $1.children.count })
        guard let owner = chain.first(where: { $0.children.contains { name($0) == "stop" } }) else { return [] }
        var inner = context
        inner.style = SVGStyle()
        inner.depth += 1
        inner.style = try style(of: owner, in: inner)
        var stops: [DrawingGradient.Stop] = []
        for child in owner.children {
            if name(child).hasPrefix("animate") { throw DrawingError(.unsupported(.animation)) }
            guard name(child) == "stop" else { continue }
            try count(elements: 1, depth: inner.depth)
            let style = try style(of: child, in: inner)
            let offset = SVGStyle.number(String((child["offset"] ?? "0").trimmed)) ?? 0
            var color =
                switch style.own.stopColor {
                case .color(let color): color
                case .currentColor: style.color
                default: DrawingColor.black
                }
            color.alpha *= style.own.stopOpacity
            stops.append(DrawingGradient.Stop(offset: max(offset, stops.last?.offset ?? 0), color: color))
        }
        return stops
    }
}
