internal import XMLText

/// Reads the elements of an SVG file that are drawn, in their order, to steps of painting.
struct SVGReader {
    let document: XMLDocument
    let limits: DrawingLimits
    let ids: [String: XMLElement]
    private var sheet = SVGStyleSheet()
    private(set) var steps: [DrawingStep] = []
    private var elementCount = 0
    private var segmentCount = 0

    /// The surroundings of an element.
    struct Context {
        var style: SVGStyle
        var transform: DrawingTransform
        /// The size that percentages are of.
        var viewport: (width: Double, height: Double)
        var depth: Int

        func size(_ text: String?, _ extent: SVGLength.Extent) -> Double? {
            text.flatMap { SVGLength.points($0, of: viewport, extent) }
        }
    }

    /// True for a file whose root element is that of SVG, as its beginning shows.
    static func begins(_ bytes: [UInt8]) -> Bool {
        let head = String(decoding: bytes.prefix(1 << 12), as: UTF8.self)
        return head.contains("<svg") || head.contains(":svg") || head.contains("<!DOCTYPE svg")
    }

    init(_ bytes: [UInt8], limits: DrawingLimits) throws(DrawingError) {
        var rules = XMLRules()
        rules.documentType = "svg"
        do throws(XMLError) {
            document = try XMLDocument(
                parsing: bytes,
                limits: XMLLimits(byteCount: limits.byteCount, elementCount: limits.elementCount), rules: rules)
        } catch {
            throw DrawingError(.malformed("it is not read as XML: \(error.reason)"))
        }
        self.limits = limits
        var ids: [String: XMLElement] = [:]
        var pending = [document.root]
        while let element = pending.popLast() {
            if let id = element["id"], ids[id] == nil { ids[id] = element }
            if SVGReader.name(element) == "style" { sheet.add(element.text) }
            pending += element.children.reversed()
        }
        self.ids = ids
    }

    mutating func drawing() throws(DrawingError) -> Drawing {
        let root = document.root
        guard SVGReader.name(root) == "svg" else { throw DrawingError(.notADrawing) }
        let (size, box) = try SVGReader.size(of: root)
        do throws(DrawingError) {
            guard sheet.isSimple else { throw DrawingError(.unsupported(.styles)) }
            let place = SVGViewBox.transform(box, into: (0, 0, size.width, size.height), root["preserveAspectRatio"])
            guard let place, place.isUsable else { throw DrawingError(.malformed("its viewBox has no area")) }
            let context = Context(
                style: SVGStyle(), transform: place,
                viewport: box.map { ($0.width, $0.height) } ?? size, depth: 0)
            try enter(root, context) { (reader: inout SVGReader, inner) throws(DrawingError) in
                try reader.children(of: root, inner)
            }
        } catch {
            throw error.sized(size.width, size.height)
        }
        return Drawing(width: size.width, height: size.height, steps: steps)
    }

    private static func size(
        of root: XMLElement
    ) throws(DrawingError) -> (size: (width: Double, height: Double), box: SVGViewBox?) {
        let box = root["viewBox"].flatMap { SVGViewBox($0) }
        // Percentages are of the place where the picture is shown, which has the size of the box.
        func side(_ name: String) -> Double? {
            guard let text = root[name], !text.hasSuffix("%") else { return nil }
            return SVGLength.points(text, of: (0, 0), .diagonal)
        }
        var (width, height) = (side("width"), side("height"))
        if let box, box.width > 0, box.height > 0 {
            if width == nil, let height { width = height * box.width / box.height }
            if height == nil, let width { height = width * box.height / box.width }
            (width, height) = (width ?? box.width, height ?? box.height)
        }
        guard let width, let height else { throw DrawingError(.malformed("it says no size")) }
        guard width > 0, height > 0, width <= Drawing.largestSide, height <= Drawing.largestSide else {
            throw DrawingError(.malformed("its size is nothing, or too large"))
        }
        return ((width, height), box)
    }

    /// The name without the prefix that files have in which SVG is one language of several.
    static func name(_ element: XMLElement) -> String {
        element.name.hasPrefix("svg:") ? String(element.name.dropFirst(4)) : element.name
    }

    /// The id that an element refers to.
    static func target(_ element: XMLElement) -> String? {
        guard let link = element["href"] ?? element["xlink:href"], link.hasPrefix("#") else { return nil }
        return String(link.dropFirst())
    }

    // MARK: - Limits

    mutating func count(elements: Int, depth: Int) throws(DrawingError) {
        elementCount += elements
        guard elementCount <= limits.elementCount else { throw DrawingError(.elementCount, of: limits) }
        guard depth <= limits.depth else { throw DrawingError(.depth, of: limits) }
    }

    mutating func checked(_ path: DrawingPath) throws(DrawingError) -> DrawingPath {
        segmentCount += path.segments.count
        guard segmentCount <= limits.segmentCount else { throw DrawingError(.segmentCount, of: limits) }
        guard path.isUsable else { throw DrawingError(.malformed("a coordinate is too large")) }
        return path
    }

    mutating func add(_ step: DrawingStep) { steps.append(step) }

    // MARK: - Elements

    /// Returns the style of an element.
    mutating func style(of element: XMLElement, in context: Context) throws(DrawingError) -> SVGStyle {
        var style = context.style
        style.own = SVGStyle.Own()
        let classes = (element["class"] ?? "").split { $0.isWhitespace }
        let attributes = element.attributes.filter { SVGStyle.attributes.contains($0.name) }
        for attribute in attributes {
            try style.set(
                attribute.name, attribute.value, inheriting: context.style, of: context.viewport, isSheet: false)
        }
        let rules = sheet.declarations(element: SVGReader.name(element), id: element["id"], classes: classes)
        let all = rules + (element["style"].map { SVGStyleSheet.declarations($0) } ?? [])
        try count(elements: all.count / 8, depth: context.depth)
        for isImportant in [false, true] {
            for declaration in all where declaration.isImportant == isImportant {
                try style.set(
                    declaration.name, declaration.value, inheriting: context.style, of: context.viewport,
                    isSheet: true)
            }
        }
        return style
    }

    /// Paints an element's content with its transform, clip and opacity.
    mutating func enter(
        _ element: XMLElement, _ context: Context,
        _ body: (inout SVGReader, Context) throws(DrawingError) -> Void
    ) throws(DrawingError) {
        try count(elements: 1, depth: context.depth)
        var inner = context
        inner.depth += 1
        inner.style = try style(of: element, in: context)
        guard inner.style.own.isDisplayed else { return }
        for name in ["systemLanguage", "requiredExtensions"] where element[name] != nil {
            throw DrawingError(.unsupported(.choices))
        }
        if let text = element["transform"], SVGReader.name(element) != "svg" {
            guard element["transform-origin"] == nil else { throw DrawingError(.unsupported(.styles)) }
            guard let transform = SVGTransform.transform(text) else {
                throw DrawingError(.malformed("a transform is malformed"))
            }
            inner.transform = inner.transform.after(transform)
            guard inner.transform.isUsable else { throw DrawingError(.malformed("a transform is too large")) }
        }
        var clips: [[ClipOutline]] = []
        if let id = inner.style.own.clip, let clip = ids[id], SVGReader.name(clip) == "clipPath" {
            clips = try self.clips(clip, of: element, inner)
        }
        for clip in clips { steps.append(.beginClip(clip)) }
        let opacity = inner.style.own.opacity
        if opacity < 1 { steps.append(.beginGroup(opacity: opacity)) }
        let before = steps.count
        if opacity > 0 { try body(&self, inner) }
        if opacity < 1 {
            if steps.count == before { steps.removeLast() } else { steps.append(.endGroup) }
        }
        for _ in clips { steps.append(.endClip) }
    }

    mutating func children(of element: XMLElement, _ context: Context) throws(DrawingError) {
        for child in element.children { try draw(child, context) }
    }

    /// Elements that describe others, or nothing that is seen.
    private static let unseen: Set<String> = [
        "defs", "symbol", "clipPath", "mask", "marker", "pattern", "linearGradient", "radialGradient", "filter",
        "style",
        "title", "desc", "metadata", "view", "cursor", "stop",
    ]
    private static let foreign: Set<String> = [
        "foreignObject", "video", "audio", "canvas", "iframe", "solidcolor", "mesh",
    ]
    private static let animation: Set<String> = [
        "animate", "animateTransform", "animateMotion", "animateColor", "set", "discard",
    ]

    mutating func draw(_ element: XMLElement, _ context: Context) throws(DrawingError) {
        let name = SVGReader.name(element)
        guard !SVGReader.unseen.contains(name) else { return }
        if SVGReader.animation.contains(name) { throw DrawingError(.unsupported(.animation)) }
        if SVGReader.foreign.contains(name) { throw DrawingError(.unsupported(.foreign)) }
        switch name {
        case "g", "a":
            try enter(element, context) { (reader: inout SVGReader, inner) throws(DrawingError) in
                try reader.children(of: element, inner)
            }
        case "svg":
            try enter(element, context) { (reader: inout SVGReader, inner) throws(DrawingError) in
                try reader.viewport(
                    element, inner, size: (inner.size(element["width"], .width), inner.size(element["height"], .height))
                )
            }
        case "use":
            try enter(element, context) { (reader: inout SVGReader, inner) throws(DrawingError) in
                try reader.use(element, inner)
            }
        case "path", "rect", "circle", "ellipse", "line", "polyline", "polygon":
            for child in element.children where SVGReader.animation.contains(SVGReader.name(child)) {
                throw DrawingError(.unsupported(.animation))
            }
            try enter(element, context) { (reader: inout SVGReader, inner) throws(DrawingError) in
                try reader.shape(element, inner)
            }
        case "text": if SVGReader.hasText(element) { throw DrawingError(.unsupported(.text)) }
        case "image": throw DrawingError(.unsupported(.pictures))
        case "switch": throw DrawingError(.unsupported(.choices))
        case "script": throw DrawingError(.unsupported(.scripts))
        default: break
        }
    }

    private static func hasText(_ element: XMLElement) -> Bool {
        var pending = [element]
        while let element = pending.popLast() {
            if !element.text.trimmed.isEmpty || name(element) == "tref" || name(element) == "use" { return true }
            pending += element.children
        }
        return false
    }
}
