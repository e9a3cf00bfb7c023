/// Reads the operators of a page's content (ISO 32000-1 Annex A) to steps of painting.
struct PDFContent {
    private(set) var file: PDFFile
    private(set) var steps: [DrawingStep] = []
    private var state: PDFState
    private var saved: [PDFState] = []
    private var path = DrawingPath()
    /// The clip that the next painting of the path begins.
    private var pendingClip: FillRule?
    private var operands = PDFOperands()
    private var depth = 0
    private var operatorCount = 0
    private var segmentCount = 0
    private let base: DrawingTransform

    init(_ file: PDFFile, _ place: DrawingTransform) {
        self.file = file
        base = place
        state = PDFState(transform: place)
    }

    /// Reads the content of a page or a form with its resources.
    mutating func read(_ content: [UInt8], _ resources: [String: PDFValue]) throws(DrawingError) {
        var lexer = PDFLexer(content, limits: file.limits)
        let level = saved.count
        operands.removeAll()
        while true {
            switch try lexer.token(hasReferences: false) {
            case .value(let value): try operands.append(value)
            case .word(let word):
                operatorCount += 1
                guard operatorCount <= file.limits.elementCount * 8 else {
                    throw DrawingError(.elementCount, of: file.limits)
                }
                try perform(word, resources, level)
                operands.removeAll()
            case .arrayEnd, .dictionaryEnd: throw DrawingError(.malformed("its content is malformed"))
            case .end:
                while saved.count > level { restore() }
                for _ in 0..<state.clipCount { steps.append(.endClip) }
                state.clipCount = 0
                return
            }
        }
    }

    private mutating func restore() {
        guard let last = saved.popLast() else { return }
        for _ in 0..<state.clipCount { steps.append(.endClip) }
        state = last
    }

    private mutating func perform(
        _ word: String, _ resources: [String: PDFValue], _ level: Int
    ) throws(DrawingError) {
        switch word {
        case "q":
            guard saved.count < PDFContent.mostSaved else { throw DrawingError(.depth, of: file.limits) }
            saved.append(state)
            state.clipCount = 0
        case "Q": if saved.count > level { restore() }
        case "cm":
            let m = try operands.numbers(6)
            state.transform = state.transform.after(
                DrawingTransform(a: m[0], b: m[1], c: m[2], d: m[3], tx: m[4], ty: m[5]))
            guard state.transform.isUsable else { throw DrawingError(.malformed("a transform is too large")) }
        case "gs": try setState(try operands.name(), resources)
        case "Do": try drawObject(try operands.name(), resources)
        case "sh": try shade(try operands.name(), resources)
        case "Tj", "TJ", "'", "\"": throw DrawingError(.unsupported(.text))
        case "BI": throw DrawingError(.unsupported(.pictures))
        default:
            guard try !build(word), try !paint(word), try !setPen(word) else { return }
            try setColor(word, resources)
        }
    }

    private static let mostSaved = 256

    // MARK: - Paths

    /// - Returns: true for an operator that adds to the path.
    private mutating func build(_ word: String) throws(DrawingError) -> Bool {
        switch word {
        case "m": path.move(to: try operands.points(1)[0])
        case "l": path.line(to: try operands.points(1)[0])
        case "c":
            let points = try operands.points(3)
            path.curve(points[0], points[1], to: points[2])
        case "v":
            let points = try operands.points(2)
            path.curve(path.current, points[0], to: points[1])
        case "y":
            let points = try operands.points(2)
            path.curve(points[0], points[1], to: points[1])
        case "h": path.close()
        case "re":
            let sides = try operands.numbers(4)
            path.rectangle(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
        case "W": pendingClip = .nonzero
        case "W*": pendingClip = .evenOdd
        default: return false
        }
        guard path.isUsable else { throw DrawingError(.malformed("a coordinate is too large")) }
        guard path.segments.count <= file.limits.segmentCount else {
            throw DrawingError(.segmentCount, of: file.limits)
        }
        return true
    }

    /// - Returns: true for an operator that paints the path and ends it.
    private mutating func paint(_ word: String) throws(DrawingError) -> Bool {
        switch word {
        case "n": break
        case "S": stroke()
        case "s":
            path.close()
            stroke()
        case "f", "F": fill(.nonzero)
        case "f*": fill(.evenOdd)
        case "B": try both(.nonzero)
        case "B*": try both(.evenOdd)
        case "b":
            path.close()
            try both(.nonzero)
        case "b*":
            path.close()
            try both(.evenOdd)
        default: return false
        }
        segmentCount += path.segments.count
        guard segmentCount <= file.limits.segmentCount else { throw DrawingError(.segmentCount, of: file.limits) }
        if let rule = pendingClip {
            steps.append(.beginClip(path.isEmpty ? [] : [ClipOutline(path: placed, rule: rule)]))
            state.clipCount += 1
            pendingClip = nil
        }
        path = DrawingPath()
        return true
    }

    private var placed: PlacedPath { PlacedPath(path: path, transform: state.transform) }

    private mutating func fill(_ rule: FillRule) {
        if !path.isEmpty { steps.append(.fill(placed, rule, state.fill.paint)) }
    }

    private mutating func stroke() {
        guard !path.isEmpty else { return }
        var pen = state.pen
        // A line without width is the thinnest that is seen (§8.4.3.2).
        let scale = state.transform.largestScale
        if pen.width == 0, scale > 0 { pen.width = 0.5 / scale }
        steps.append(.stroke(placed, pen, state.stroke.paint))
    }

    /// Fills and strokes. The stroke hides the fill below it, which opacity would show.
    private mutating func both(_ rule: FillRule) throws(DrawingError) {
        guard state.stroke.opacity == 1 || state.fill.opacity == 0 else { throw DrawingError(.unsupported(.blending)) }
        fill(rule)
        stroke()
    }

    // MARK: - State

    /// - Returns: true for an operator that changes the pen, or one without an effect on drawings.
    private mutating func setPen(_ word: String) throws(DrawingError) -> Bool {
        switch word {
        case "w": try setPen(width: operands.numbers(1)[0])
        case "J": setPen(cap: try operands.numbers(1)[0])
        case "j": setPen(join: try operands.numbers(1)[0])
        case "M": setPen(miterLimit: try operands.numbers(1)[0])
        case "d":
            guard let dashes = try file.numbers(operands.values.dropLast().last, most: StrokeStyle.mostDashes) else {
                throw DrawingError(.malformed("an operator lacks its operands"))
            }
            setDashes(dashes, try operands.numbers(1)[0])
        case "i", "ri", "BT", "ET", "BX", "EX", "BMC", "BDC", "EMC", "MP", "DP", "Tc", "Tw", "Tz", "TL", "Tf", "Tr",
            "Ts",
            "Td", "TD", "Tm", "T*", "d0", "d1":
            break
        default: return false
        }
        return true
    }

    private mutating func setPen(width: Double) { state.pen.width = abs(width) }

    private mutating func setPen(cap: Double) { state.pen.cap = cap == 1 ? .round : cap == 2 ? .square : .butt }

    private mutating func setPen(join: Double) { state.pen.join = join == 1 ? .round : join == 2 ? .bevel : .miter }

    private mutating func setPen(miterLimit: Double) { state.pen.miterLimit = max(miterLimit, 1) }

    private mutating func setDashes(_ dashes: [Double], _ offset: Double) {
        state.pen.dashes = dashes.allSatisfy { $0 >= 0 } ? dashes : []
        state.pen.dashOffset = offset
    }

    private static let parameters = ["BM", "SMask", "CA", "ca", "LW", "LC", "LJ", "ML", "D"]

    /// Sets the parameters of a dictionary of state (§8.4.5).
    private mutating func setState(_ name: String, _ resources: [String: PDFValue]) throws(DrawingError) {
        let states = try file.resolved(resources["ExtGState"]).dictionary ?? [:]
        let members = try file.resolved(states[name]).dictionary ?? [:]
        // Always in this order, so that a file with two faults is refused for the same one each time.
        for name in PDFContent.parameters {
            guard let member = members[name] else { continue }
            let value = try file.resolved(member)
            switch name {
            case "CA": state.stroke.opacity = min(max(value.number ?? 1, 0), 1)
            case "ca": state.fill.opacity = min(max(value.number ?? 1, 0), 1)
            case "LW": if let width = value.number { setPen(width: width) }
            case "LC": if let cap = value.number { setPen(cap: cap) }
            case "LJ": if let join = value.number { setPen(join: join) }
            case "ML": if let limit = value.number { setPen(miterLimit: limit) }
            case "D":
                guard let parts = value.array, parts.count == 2 else { continue }
                let offset = try file.resolved(parts[1]).number ?? 0
                if let dashes = try file.numbers(parts[0], most: StrokeStyle.mostDashes) {
                    setDashes(dashes, offset)
                }
            case "BM":
                let mode = value.name ?? value.array?.first?.name ?? ""
                guard mode == "Normal" || mode == "Compatible" else { throw DrawingError(.unsupported(.blending)) }
            case "SMask": guard value.name == "None" else { throw DrawingError(.unsupported(.masks)) }
            default: break
            }
        }
    }

    // MARK: - Colours

    private mutating func setColor(_ word: String, _ resources: [String: PDFValue]) throws(DrawingError) {
        let isStroke = word.first?.isUppercase ?? false
        var ink = isStroke ? state.stroke : state.fill
        switch word {
        case "g", "G", "rg", "RG", "k", "K":
            ink.space = word.lowercased() == "g" ? .gray : word.lowercased() == "rg" ? .rgb : .cmyk
            ink.pattern = nil
            ink.color = ink.space.color(try operands.numbers(ink.space.count)) ?? .black
        case "cs", "CS":
            let named = try file.resolved(resources["ColorSpace"]).dictionary ?? [:]
            ink.space = try PDFColorSpace.space(.name(try operands.name()), named: named, in: &file)
            ink.pattern = nil
            try file.work.spend(ink.space.cost)
            ink.color = ink.space.initial
        case "sc", "SC", "scn", "SCN":
            if case .pattern = ink.space {
                ink.pattern = try pattern(try operands.name(), resources)
            } else {
                try file.work.spend(ink.space.cost)
                guard let color = ink.space.color(operands.components) else {
                    throw DrawingError(.malformed("a colour has another number of components than its space"))
                }
                ink.color = color
            }
        default: return
        }
        if isStroke { state.stroke = ink } else { state.fill = ink }
    }

    private mutating func pattern(_ name: String, _ resources: [String: PDFValue]) throws(DrawingError)
        -> DrawingGradient
    {
        let patterns = try file.resolved(resources["Pattern"]).dictionary ?? [:]
        guard let pattern = try file.resolved(patterns[name]).dictionary,
            try file.resolved(pattern["PatternType"]).integer == 2
        else { throw DrawingError(.unsupported(.patterns)) }
        if pattern["ExtGState"] != nil { throw DrawingError(.unsupported(.patterns)) }
        // A pattern has the plane of the page or the form; the transform at its use does not matter.
        var transform = formTransform ?? base
        if let own = try matrix(pattern["Matrix"]) { transform = transform.after(own) }
        return try gradient(pattern["Shading"], transform, resources, isPattern: true)
    }

    private var formTransform: DrawingTransform?

    private mutating func matrix(_ value: PDFValue?) throws(DrawingError) -> DrawingTransform? {
        guard let numbers = try file.numbers(value, most: 6) else { return nil }
        guard numbers.count == 6 else { throw DrawingError(.malformed("a transform is malformed")) }
        let transform = DrawingTransform(
            a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], tx: numbers[4], ty: numbers[5])
        guard transform.isUsable else { throw DrawingError(.malformed("a transform is too large")) }
        return transform
    }

    private mutating func gradient(
        _ value: PDFValue?, _ transform: DrawingTransform, _ resources: [String: PDFValue], isPattern: Bool
    ) throws(DrawingError) -> DrawingGradient {
        let named = try file.resolved(resources["ColorSpace"]).dictionary ?? [:]
        return try PDFShading.gradient(value, transform, named: named, in: &file, isPattern: isPattern)
    }

    /// Paints a shading on all of the clip.
    private mutating func shade(_ name: String, _ resources: [String: PDFValue]) throws(DrawingError) {
        let shadings = try file.resolved(resources["Shading"]).dictionary ?? [:]
        let gradient = try gradient(shadings[name], state.transform, resources, isPattern: false)
        var area = DrawingPath()
        let side = Drawing.largestSide
        area.rectangle(x: -side, y: -side, width: 2 * side, height: 2 * side)
        steps.append(
            .fill(
                PlacedPath(path: area, transform: .identity), .nonzero, .gradient(gradient, opacity: state.fill.opacity)
            ))
    }

    // MARK: - Forms

    private mutating func drawObject(_ name: String, _ resources: [String: PDFValue]) throws(DrawingError) {
        let objects = try file.resolved(resources["XObject"]).dictionary ?? [:]
        let object = try file.resolved(objects[name])
        guard let form = object.dictionary else { return }
        switch try file.resolved(form["Subtype"]).name {
        case "Form": break
        case "Image": throw DrawingError(.unsupported(.pictures))
        default: return
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= file.limits.depth else { throw DrawingError(.depth, of: file.limits) }
        let before = (state, path, formTransform)
        state.clipCount = 0
        if let own = try matrix(form["Matrix"]) { state.transform = state.transform.after(own) }
        guard state.transform.isUsable else { throw DrawingError(.malformed("a transform is too large")) }
        formTransform = state.transform
        let sides = try file.numbers(form["BBox"], most: 4) ?? []
        var box = DrawingPath()
        if sides.count == 4 {
            box.rectangle(x: sides[0], y: sides[1], width: sides[2] - sides[0], height: sides[3] - sides[1])
            guard box.isUsable else { throw DrawingError(.malformed("a coordinate is too large")) }
            steps.append(
                .beginClip([ClipOutline(path: PlacedPath(path: box, transform: state.transform), rule: .nonzero)]))
        }
        let isGroup = try beginGroup(form["Group"])
        let inner = try file.resolved(form["Resources"]).dictionary ?? resources
        let content = try file.data(of: object)
        path = DrawingPath()
        try read(content, inner)
        if isGroup { steps.append(.endGroup) }
        if sides.count == 4 { steps.append(.endClip) }
        (state, path, formTransform) = before
    }

    /// Begins a group with the opacity of areas, which its content then does not have (§11.6.6).
    private mutating func beginGroup(_ value: PDFValue?) throws(DrawingError) -> Bool {
        guard let group = try file.resolved(value).dictionary, try file.resolved(group["S"]).name == "Transparency"
        else { return false }
        if try file.resolved(group["K"]).boolean == true { throw DrawingError(.unsupported(.blending)) }
        let opacity = state.fill.opacity
        (state.fill.opacity, state.stroke.opacity) = (1, 1)
        guard opacity < 1 else { return false }
        steps.append(.beginGroup(opacity: opacity))
        return true
    }
}
