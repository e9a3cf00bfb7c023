internal import XMLText

/// Shapes, their paint and their clips.
extension SVGReader {
    mutating func shape(_ element: XMLElement, _ context: Context) throws(DrawingError) {
        let style = context.style
        guard style.isVisible, let outline = try outline(of: element, context) else { return }
        let path = PlacedPath(path: try checked(outline), transform: context.transform)
        if style.hasMarkers, ["path", "line", "polyline", "polygon"].contains(name(element)) {
            throw DrawingError(.unsupported(.markers))
        }
        let fill = try paint(style.fill, style.fillOpacity, outline, context)
        let stroke = try style.pen.width > 0 ? paint(style.stroke, style.strokeOpacity, outline, context) : nil
        if let fill { add(.fill(path, style.fillRule, fill)) }
        guard let stroke else { return }
        if style.own.hasFixedStroke { throw DrawingError(.unsupported(.strokes)) }
        if style.paintsStrokeFirst, fill != nil { throw DrawingError(.unsupported(.styles)) }
        if style.pen.pattern != nil, element["pathLength"] != nil { throw DrawingError(.unsupported(.strokes)) }
        add(.stroke(path, style.pen, stroke))
    }

    /// - Returns: `nil` for a shape without an extent, which is not drawn.
    private mutating func outline(of element: XMLElement, _ context: Context) throws(DrawingError) -> DrawingPath? {
        func length(_ name: String, _ extent: SVGLength.Extent) throws(DrawingError) -> Double {
            try context.size(element[name], extent) ?? 0
        }
        func point(_ x: String, _ y: String) throws(DrawingError) -> DrawingPoint {
            DrawingPoint(x: try length(x, .width), y: try length(y, .height))
        }
        try countAttributes(of: element)
        var path = DrawingPath()
        switch name(element) {
        case "path":
            guard let data = element["d"], data != "none" else { return nil }
            guard let path = SVGPath.path(data, limit: limits.segmentCount) else {
                throw DrawingError(.segmentCount, of: limits)
            }
            return path.isEmpty ? nil : path
        case "rect": return try rectangle(element, context)
        case "circle":
            let radius = try length("r", .diagonal)
            guard radius > 0 else { return nil }
            path.ellipse(try point("cx", "cy"), radius, radius)
        case "ellipse":
            let (rx, ry) = (try context.size(element["rx"], .width), try context.size(element["ry"], .height))
            guard let across = rx ?? ry, let down = ry ?? rx, across > 0, down > 0 else { return nil }
            path.ellipse(try point("cx", "cy"), across, down)
        case "line":
            path.move(to: try point("x1", "y1"))
            path.line(to: try point("x2", "y2"))
        default:
            var scanner = SVGScanner(element["points"] ?? "")
            scanner.skipSpace()
            while let x = scanner.number() {
                scanner.skipSeparator()
                guard let y = scanner.number() else { break }
                scanner.skipSeparator()
                let point = DrawingPoint(x: x, y: y)
                if path.isEmpty { path.move(to: point) } else { path.line(to: point) }
            }
            guard !path.isEmpty else { return nil }
            if name(element) == "polygon" { path.close() }
        }
        return path
    }

    private func rectangle(_ element: XMLElement, _ context: Context) throws(DrawingError) -> DrawingPath? {
        func length(_ name: String, _ extent: SVGLength.Extent) throws(DrawingError) -> Double? {
            try context.size(element[name], extent)
        }
        let (width, height) = (try length("width", .width) ?? 0, try length("height", .height) ?? 0)
        guard width > 0, height > 0 else { return nil }
        let (x, y) = (try length("x", .width) ?? 0, try length("y", .height) ?? 0)
        let own = (try length("rx", .width), try length("ry", .height))
        let rx = min(max(own.0 ?? own.1 ?? 0, 0), width / 2)
        let ry = min(max(own.1 ?? own.0 ?? 0, 0), height / 2)
        var path = DrawingPath()
        guard rx > 0, ry > 0 else {
            path.rectangle(x: x, y: y, width: width, height: height)
            return path
        }
        func corner(_ x: Double, _ y: Double) {
            path.arc(rx, ry, tilt: 0, isLarge: false, isClockwise: true, to: DrawingPoint(x: x, y: y))
        }
        path.move(to: DrawingPoint(x: x + rx, y: y))
        path.line(to: DrawingPoint(x: x + width - rx, y: y))
        corner(x + width, y + ry)
        path.line(to: DrawingPoint(x: x + width, y: y + height - ry))
        corner(x + width - rx, y + height)
        path.line(to: DrawingPoint(x: x + rx, y: y + height))
        corner(x, y + height - ry)
        path.line(to: DrawingPoint(x: x, y: y + ry))
        corner(x + rx, y)
        path.close()
        return path
    }

    // MARK: - Paint

    /// - Returns: `nil` for no paint.
    private mutating func paint(
        _ paint: SVGStyle.Paint, _ opacity: Double, _ outline: DrawingPath, _ context: Context
    ) throws(DrawingError) -> DrawingPaint? {
        guard opacity > 0 else { return nil }
        switch paint {
        case .none: return nil
        case .color(var color):
            color.alpha *= opacity
            return .color(color)
        case .currentColor:
            var color = context.style.color
            color.alpha *= opacity
            return .color(color)
        case .reference(let id, let fallback):
            guard let server = ids[id] else {
                return try fallback.map { (paint) throws(DrawingError) in
                    try self.paint(paint, opacity, outline, context)
                } ?? nil
            }
            switch name(server) {
            case "linearGradient", "radialGradient": return try gradient(server, opacity, outline, context)
            case "pattern": throw DrawingError(.unsupported(.patterns))
            default: return nil
            }
        }
    }

    // MARK: - Clips

    /// The outlines of a clip, and of the clips that cut it.
    mutating func clips(
        _ clip: XMLElement, of element: XMLElement, _ context: Context
    ) throws(DrawingError) -> [[ClipOutline]] {
        try count(elements: 1, depth: context.depth)
        var inner = context
        inner.depth += 1
        inner.style = SVGStyle()
        // The size of text around the clip is not that around the shape.
        inner.style.font = .unknown
        let style = try style(of: clip, in: inner)
        inner.style = style
        if clip["clipPathUnits"] == "objectBoundingBox" {
            guard SVGReader.shapes.contains(name(element)) else { throw DrawingError(.unsupported(.masks)) }
            guard let bounds = try outline(of: element, context)?.bounds else { return [[]] }
            inner.transform = inner.transform.after(SVGReader.box(bounds))
        }
        try applyTransform(of: clip, &inner)
        try work.spend(clip.children.count)
        var union: [ClipOutline] = []
        for child in clip.children { try addClip(child, inner, &union) }
        guard let id = style.own.clip, let other = ids[id], name(other) == "clipPath" else { return [union] }
        return try [union] + clips(other, of: element, inner)
    }

    private mutating func addClip(
        _ element: XMLElement, _ context: Context, _ union: inout [ClipOutline]
    ) throws(DrawingError) {
        try count(elements: 1, depth: context.depth)
        var inner = context
        inner.depth += 1
        inner.style = try style(of: element, in: context)
        guard inner.style.own.isDisplayed else { return }
        try applyTransform(of: element, &inner)
        var within: [[ClipOutline]] = []
        if let id = inner.style.own.clip, let clip = ids[id], name(clip) == "clipPath" {
            within = try clips(clip, of: element, inner)
        }
        switch name(element) {
        case let name where SVGReader.shapes.contains(name):
            guard inner.style.isVisible, let outline = try outline(of: element, inner) else { return }
            let path = PlacedPath(path: try checked(outline), transform: inner.transform)
            union.append(ClipOutline(path: path, rule: inner.style.clipRule, within: within))
        case "use":
            guard let id = SVGReader.target(element), let target = ids[id] else { return }
            try move(&inner, by: element)
            var used: [ClipOutline] = []
            try addClip(target, inner, &used)
            for var outline in used {
                outline.within += within
                union.append(outline)
            }
        case "text": throw DrawingError(.unsupported(.text))
        default: break
        }
    }

    /// The map of a box of 1 × 1 onto a shape.
    static func box(_ bounds: (low: DrawingPoint, high: DrawingPoint)) -> DrawingTransform {
        DrawingTransform(
            a: bounds.high.x - bounds.low.x, d: bounds.high.y - bounds.low.y, tx: bounds.low.x, ty: bounds.low.y)
    }
}
