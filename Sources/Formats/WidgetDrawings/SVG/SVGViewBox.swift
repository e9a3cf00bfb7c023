internal import XMLText

/// The part of a drawing's plane that fills its place.
struct SVGViewBox {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    /// - Returns: `nil` for text that is not four numbers.
    init?(_ text: String) {
        var scanner = SVGScanner(text)
        guard let numbers = scanner.numbers(), numbers.count == 4 else { return nil }
        (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
    }

    /// Returns the map of a box into a place (SVG 2 §8.6); `nil` for a box without an area.
    ///
    /// - Parameter aspect: the value of `preserveAspectRatio`.
    static func transform(
        _ box: SVGViewBox?, into place: (x: Double, y: Double, width: Double, height: Double), _ aspect: String?
    ) -> DrawingTransform? {
        guard let box else { return .translation(place.x, place.y) }
        guard box.width > 0, box.height > 0 else { return nil }
        var (across, down) = (place.width / box.width, place.height / box.height)
        let words = (aspect ?? "").split(separator: " ").filter { $0 != "defer" }
        let align = words.first ?? "xMidYMid"
        var (left, top) = (place.x - box.x * across, place.y - box.y * down)
        if align != "none" {
            let scale = words.contains("slice") ? max(across, down) : min(across, down)
            (across, down) = (scale, scale)
            let (free, below) = (place.width - box.width * scale, place.height - box.height * scale)
            let (along, under) = (
                align.contains("xMin") ? 0 : align.contains("xMax") ? 1 : 0.5,
                align.contains("YMin") ? 0 : align.contains("YMax") ? 1 : 0.5
            )
            (left, top) = (place.x - box.x * scale + free * along, place.y - box.y * scale + below * under)
        }
        return DrawingTransform(a: across, d: down, tx: left, ty: top)
    }
}

/// Elements with a plane of their content: nested drawings, and symbols where they are used.
extension SVGReader {
    mutating func viewport(
        _ element: XMLElement, _ context: Context, size: (width: Double?, height: Double?)
    ) throws(DrawingError) {
        var inner = context
        let isSymbol = name(element) == "symbol"
        let x = try isSymbol ? 0 : inner.size(element["x"], .width) ?? 0
        let y = try isSymbol ? 0 : inner.size(element["y"], .height) ?? 0
        let (width, height) = (size.width ?? inner.viewport.width, size.height ?? inner.viewport.height)
        guard width > 0, height > 0 else { return }
        let box = element["viewBox"].flatMap { SVGViewBox($0) }
        guard let place = SVGViewBox.transform(box, into: (x, y, width, height), element["preserveAspectRatio"]) else {
            return
        }
        let isClipped = inner.style.own.isClipped
        if isClipped {
            var outline = DrawingPath()
            outline.rectangle(x: x, y: y, width: width, height: height)
            let clip = PlacedPath(path: try checked(outline), transform: inner.transform)
            add(.beginClip([ClipOutline(path: clip, rule: .nonzero)]))
        }
        inner.transform = inner.transform.after(place)
        guard inner.transform.isUsable else { throw DrawingError(.malformed("a transform is too large")) }
        inner.viewport = box.map { ($0.width, $0.height) } ?? (width, height)
        try children(of: element, inner)
        if isClipped { add(.endClip) }
    }

    /// Draws another element in this place (SVG 2 §5.5).
    mutating func use(_ element: XMLElement, _ context: Context) throws(DrawingError) {
        guard (element["href"] ?? element["xlink:href"]) != nil else { return }
        guard let id = SVGReader.target(element) else { throw DrawingError(.unsupported(.foreign)) }
        guard let target = ids[id] else { return }
        var inner = context
        try move(&inner, by: element)
        let size = try self.size(of: element, inner)
        switch name(target) {
        case "symbol":
            try enter(target, inner) { (reader: inout SVGReader, inner) throws(DrawingError) in
                try reader.viewport(target, inner, size: size)
            }
        case "svg":
            let own = try self.size(of: target, inner)
            try enter(target, inner) { (reader: inout SVGReader, inner) throws(DrawingError) in
                try reader.viewport(target, inner, size: (size.width ?? own.width, size.height ?? own.height))
            }
        default: try draw(target, inner)
        }
    }

    /// Moves the content of a `use` to its place.
    func move(_ context: inout Context, by element: XMLElement) throws(DrawingError) {
        let x = try context.size(element["x"], .width) ?? 0
        let y = try context.size(element["y"], .height) ?? 0
        context.transform = context.transform.after(.translation(x, y))
        guard context.transform.isUsable else { throw DrawingError(.malformed("a transform is too large")) }
    }

    /// The width and the height that an element says.
    func size(
        of element: XMLElement, _ context: Context
    ) throws(DrawingError) -> (width: Double?, height: Double?) {
        (try context.size(element["width"], .width), try context.size(element["height"], .height))
    }
}
