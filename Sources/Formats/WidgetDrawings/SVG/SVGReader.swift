internal import XMLText

/// Reads the elements of an SVG file that are drawn, in their order, to steps of painting.
struct SVGReader {
    let document: XMLDocument
    let limits: DrawingLimits
    let ids: [String: XMLElement]
    /// The prefixes of names of SVG's elements, in files where SVG is one language of several.
    private let prefixes: Set<String>
    private var sheet = SVGStyleSheet()
    /// Elements are read again each time they are used, and counted here.
    var work: DrawingWork
    /// The stops of gradients by the numbers of their elements.
    var stops: [Int: [DrawingGradient.Stop]] = [:]
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

        func size(_ text: String?, _ extent: SVGLength.Extent) throws(DrawingError) -> Double? {
            guard let text else { return nil }
            return try SVGLength.points(text, of: viewport, extent, style.font)
        }
    }

    /// True if the first element of the file is `svg`, with any prefix.
    static func begins(_ bytes: [UInt8]) -> Bool {
        var position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while position < bytes.count {
            if " \t\r\n".utf8.contains(bytes[position]) {
                position += 1
                continue
            }
            let rest = bytes[position...]
            guard rest.starts(with: "<".utf8) else { return false }
            // A document type names the first element. What it declares is the parser's to refuse.
            if rest.starts(with: "<!DOCTYPE".utf8) {
                let name = rest.dropFirst("<!DOCTYPE".utf8.count).drop { " \t\r\n".utf8.contains($0) }
                return name.starts(with: "svg".utf8)
            }
            // Comments and instructions may come first, and be long.
            let ends = [("<!--", "-->"), ("<?", "?>")]
            guard let end = ends.first(where: { rest.starts(with: $0.0.utf8) })?.1 else {
                let name = rest.dropFirst().prefix { !" \t\r\n/>".utf8.contains($0) }
                return (name.split(separator: UInt8(ascii: ":")).last ?? []).elementsEqual("svg".utf8)
            }
            guard let close = bytes.place(of: end, from: position + 2) else { return false }
            position = close + end.utf8.count
        }
        return false
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
        work = DrawingWork(limits)
        let root = document.root
        var prefixes: Set<String> = ["svg"]
        for attribute in root.attributes where attribute.value == "http://www.w3.org/2000/svg" {
            if attribute.name.hasPrefix("xmlns:") { prefixes.insert(String(attribute.name.dropFirst(6))) }
        }
        self.prefixes = prefixes
        var ids: [String: XMLElement] = [:]
        var pending = [root]
        while let element = pending.popLast() {
            if let id = element["id"], ids[id] == nil { ids[id] = element }
            if SVGReader.name(element, prefixes) == "style" {
                sheet.add(element.text, media: element["media"], type: element["type"])
            }
            pending += element.children.reversed()
        }
        self.ids = ids
    }

    mutating func drawing() throws(DrawingError) -> Drawing {
        let root = document.root
        guard name(root) == "svg" else { throw DrawingError(.notADrawing) }
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
        // So are lengths in units that depend on the place.
        let font = SVGLength.Font(em: root["font-size"] == nil ? 16 : nil)
        func side(_ name: String) -> Double? {
            guard let text = root[name], !text.hasSuffix("%") else { return nil }
            do throws(DrawingError) {
                return try SVGLength.points(text, of: (0, 0), .diagonal, font)
            } catch {
                return nil
            }
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

    /// The name without a prefix of SVG.
    func name(_ element: XMLElement) -> String { SVGReader.name(element, prefixes) }

    private static func name(_ element: XMLElement, _ prefixes: Set<String>) -> String {
        let name = element.name
        guard let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")), prefixes.contains(String(name[..<colon])) else {
            return name
        }
        return String(name[name.utf8.index(after: colon)...])
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

    /// Counts the reading of an element's attributes, which may be long.
    mutating func countAttributes(of element: XMLElement) throws(DrawingError) {
        try work.spend(element.attributes.reduce(16) { $0 + 16 + $1.value.utf8.count * SVGReader.workOfByte })
    }

    /// The steps of reading a byte of text, which takes longer than painting a pixel.
    static let workOfByte = 4

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
        try countAttributes(of: element)
        var style = context.style
        style.own = SVGStyle.Own()
        let classes = Set((element["class"] ?? "").split { $0.isWhitespace }.map { String($0) })
        let rules = try sheet.declarations(
            element: name(element), id: element["id"], classes: classes, counting: &work)
        let all = rules + (element["style"].map { SVGStyleSheet.declarations($0) } ?? [])
        let properties =
            element.attributes.filter { SVGStyle.attributes.contains($0.name) }
            .map { (name: $0.name, value: $0.value, isSheet: false) }
            + (all.filter { !$0.isImportant } + all.filter { $0.isImportant })
            .map { (name: $0.name, value: $0.value, isSheet: true) }
        var refusal: DrawingError?
        // Lengths may be multiples of the size of the text, which is set before them.
        for isFont in [true, false] {
            for property in properties where SVGStyle.isFont(property.name) == isFont {
                do throws(DrawingError) {
                    try style.set(
                        property.name, property.value, inheriting: context.style, of: context.viewport,
                        isSheet: property.isSheet)
                } catch {
                    refusal = refusal ?? error
                }
            }
        }
        // An element that is not displayed may have anything.
        if let refusal, style.own.isDisplayed { throw refusal }
        return style
    }

    /// Applies an element's transform inside the transform of its surroundings, which have its style.
    mutating func applyTransform(of element: XMLElement, _ context: inout Context) throws(DrawingError) {
        guard let text = element["transform"] else { return }
        guard !context.style.own.hasOrigin, name(element) != "svg" else { throw DrawingError(.unsupported(.places)) }
        guard let transform = SVGTransform.transform(text) else {
            throw DrawingError(.malformed("a transform is malformed"))
        }
        context.transform = context.transform.after(transform)
        guard context.transform.isUsable else { throw DrawingError(.malformed("a transform is too large")) }
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
        // The unit `rem` is the size of the root's text.
        if element.number == 0 { inner.style.font.rem = inner.style.font.em }
        try applyTransform(of: element, &inner)
        var clips: [[ClipOutline]] = []
        if let id = inner.style.own.clip, let clip = ids[id], name(clip) == "clipPath" {
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
        let children = element.children
        try work.spend(children.count * SVGReader.workOfElement)
        for child in children { try draw(child, context) }
    }

    private static let workOfElement = 16
    /// Elements with an outline.
    static let shapes: Set<String> = ["path", "rect", "circle", "ellipse", "line", "polyline", "polygon"]

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
        let name = name(element)
        guard !SVGReader.unseen.contains(name) else { return }
        if SVGReader.animation.contains(name) { throw DrawingError(.unsupported(.animation)) }
        switch name {
        case "g", "a":
            try enter(element, context) { (reader: inout SVGReader, inner) throws(DrawingError) in
                try reader.children(of: element, inner)
            }
        case "svg":
            try enter(element, context) { (reader: inout SVGReader, inner) throws(DrawingError) in
                try reader.viewport(element, inner, size: try reader.size(of: element, inner))
            }
        case "use":
            try enter(element, context) { (reader: inout SVGReader, inner) throws(DrawingError) in
                try reader.use(element, inner)
            }
        case _ where SVGReader.shapes.contains(name):
            let children = element.children
            try work.spend(children.count * SVGReader.workOfElement)
            if children.contains(where: { SVGReader.animation.contains(self.name($0)) }) {
                throw DrawingError(.unsupported(.animation))
            }
            try enter(element, context) { (reader: inout SVGReader, inner) throws(DrawingError) in
                try reader.shape(element, inner)
            }
        case "text": if try hasText(element) { try refuse(.text, element, context) }
        case "image": try refuse(.pictures, element, context)
        case "switch": try refuse(.choices, element, context)
        case _ where SVGReader.foreign.contains(name): try refuse(.foreign, element, context)
        case "script": throw DrawingError(.unsupported(.scripts))
        default: break
        }
    }

    /// Refuses an element that is not drawn, unless its author hides it.
    private mutating func refuse(
        _ feature: DrawingError.Feature, _ element: XMLElement, _ context: Context
    ) throws(DrawingError) {
        if try style(of: element, in: context).own.isDisplayed { throw DrawingError(.unsupported(feature)) }
    }

    private mutating func hasText(_ element: XMLElement) throws(DrawingError) -> Bool {
        var pending = [element]
        while let element = pending.popLast() {
            let children = element.children
            try work.spend(
                children.count * SVGReader.workOfElement + element.text.utf8.count * SVGReader.workOfByte)
            if !element.text.trimmed.isEmpty || ["tref", "use"].contains(name(element)) { return true }
            pending += children
        }
        return false
    }
}
