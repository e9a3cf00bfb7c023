/// Paints steps onto pixels, premultiplied and from 0 to 1, group above group.
struct Painter {
    private let width: Int
    private let height: Int
    private let scale: Double
    private let limits: DrawingLimits
    private var layers: [[SIMD4<Float>]]
    /// The opacities of the open groups.
    private var opacities: [Double] = []
    /// The part of each pixel that may be painted; `nil` for all.
    private var clips: [[Float]?] = [nil]
    /// The number of clips with a mask of their own; others share the mask of the clip around them.
    private var maskCount = 0
    private var isMask: [Bool] = []
    /// The colours of the last gradient.
    private var table: (stops: [DrawingGradient.Stop], opacity: Double, colors: [SIMD4<Float>])?
    private var work: Int

    init(width: Int, height: Int, scale: Double, limits: DrawingLimits) {
        (self.width, self.height, self.scale, self.limits) = (width, height, scale, limits)
        layers = [[SIMD4<Float>](repeating: .zero, count: width * height)]
        work = limits.work
    }

    /// Steps for a part of the drawing, however small.
    private static let workOfPart = 64

    mutating func paint(_ steps: [DrawingStep]) throws(DrawingError) {
        for step in steps {
            work -= Painter.workOfPart
            switch step {
            case .fill(let path, let rule, let paint):
                try paintCovered(try coverage(of: path), rule, paint)
            case .stroke(let path, let style, let paint):
                try paintCovered(try coverage(of: path, style), .nonzero, paint)
            case .beginClip(let outlines): try beginClip(outlines)
            case .endClip: endClip()
            case .beginGroup(let opacity):
                try room(for: layers.count + 1)
                layers.append([SIMD4<Float>](repeating: .zero, count: width * height))
                opacities.append(opacity)
                work -= width * height
            case .endGroup: endGroup()
            }
            guard work > 0 else { throw DrawingError(.work, of: limits) }
        }
    }

    /// Refuses more layers and clips than there is room for.
    private func room(for layerCount: Int) throws(DrawingError) {
        // A clip has a number for each pixel, where a layer has four.
        guard (layerCount + maskCount / 4) * width * height <= limits.layerPixelCount + limits.pixelCount else {
            throw DrawingError(.layerPixelCount, of: limits)
        }
    }

    private mutating func endGroup() {
        guard layers.count > 1, let layer = layers.popLast(), let opacity = opacities.popLast() else { return }
        let part = Float(min(max(opacity, 0), 1))
        let below = layers.count - 1
        work -= width * height
        for place in layer.indices where layer[place].w > 0 {
            let source = layer[place] * part
            layers[below][place] = source + layers[below][place] * (1 - source.w)
        }
    }

    // MARK: - Coverage

    private var place: DrawingTransform { .scale(scale, scale) }

    /// The most lines that an outline becomes.
    private var mostLines: Int { limits.segmentCount * 4 }

    private mutating func polylines(_ path: DrawingPath, _ scale: Double) throws(DrawingError) -> [Polyline] {
        guard let lines = Flattening.polylines(path, scale: scale, limit: mostLines) else {
            throw DrawingError(.segmentCount, of: limits)
        }
        work -= lines.reduce(0) { $0 + $1.points.count }
        return lines
    }

    private mutating func coverage(of placed: PlacedPath) throws(DrawingError) -> Coverage {
        var coverage = Coverage(width: width, height: height)
        let transform = place.after(placed.transform)
        for line in try polylines(placed.path, transform.largestScale) where line.points.count > 1 {
            coverage.add(line.points.map { transform($0) })
        }
        return coverage
    }

    private mutating func coverage(of placed: PlacedPath, _ style: StrokeStyle) throws(DrawingError) -> Coverage {
        var coverage = Coverage(width: width, height: height)
        let transform = place.after(placed.transform)
        let scale = transform.largestScale
        guard scale > 0, scale.isFinite, style.width > 0 else { return coverage }
        let pattern = style.pattern
        work -= style.dashes.count
        for line in try polylines(placed.path, scale) {
            var dashes = [line]
            if let pattern {
                guard let parts = pattern.dashes(of: line, work: &work) else { throw DrawingError(.work, of: limits) }
                dashes = parts
            }
            for dash in dashes {
                work -= dash.points.count
                for piece in StrokeOutline(dash, style, scale: scale).pieces {
                    work -= piece.count
                    coverage.add(piece.map { transform($0) })
                }
                guard work > 0 else { throw DrawingError(.work, of: limits) }
                guard coverage.edges.count <= mostLines else { throw DrawingError(.segmentCount, of: limits) }
            }
        }
        return coverage
    }

    // MARK: - Clips

    private mutating func beginClip(_ outlines: [ClipOutline]) throws(DrawingError) {
        work -= outlines.count
        if outlines.contains(where: { covers($0) }) {
            clips.append(clips[clips.count - 1])
            isMask.append(false)
            return
        }
        var union = try mask(outlines, depth: 0)
        if let outer = clips[clips.count - 1] {
            for place in union.indices { union[place] *= outer[place] }
        }
        clips.append(union)
        isMask.append(true)
        maskCount += 1
        try room(for: layers.count)
    }

    private mutating func endClip() {
        guard let last = isMask.popLast() else { return }
        clips.removeLast()
        if last { maskCount -= 1 }
    }

    /// True for an outline that every pixel lies in.
    private func covers(_ outline: ClipOutline) -> Bool {
        guard outline.within.isEmpty, outline.path.path.segments.count <= 6 else { return false }
        let transform = place.after(outline.path.transform)
        guard transform.b == 0, transform.c == 0 else { return false }
        guard let lines = Flattening.polylines(outline.path.path, scale: 1, limit: 1_000), lines.count == 1,
            var corners = lines.first?.points.map({ transform($0) })
        else { return false }
        if corners.count == 5, corners[0] == corners[4] { corners.removeLast() }
        guard corners.count == 4, Set(corners.map({ $0.x })).count == 2, Set(corners.map({ $0.y })).count == 2,
            corners[0].x == corners[1].x || corners[0].y == corners[1].y,
            corners[0].x != corners[2].x, corners[0].y != corners[2].y, corners[1].x != corners[3].x
        else { return false }
        let (xs, ys) = (corners.map { $0.x }, corners.map { $0.y })
        return (xs.min() ?? 1) <= 0 && (ys.min() ?? 1) <= 0 && (xs.max() ?? 0) >= Double(width)
            && (ys.max() ?? 0) >= Double(height)
    }

    /// The union of outlines, each cut by the clips within it.
    private mutating func mask(_ outlines: [ClipOutline], depth: Int) throws(DrawingError) -> [Float] {
        // Each depth has up to three numbers for a pixel at once.
        try room(for: layers.count + depth)
        var union = [Float](repeating: 0, count: width * height)
        work -= width * height + Painter.workOfPart
        for outline in outlines {
            work -= Painter.workOfPart
            var own = union
            if !outline.within.isEmpty { own = [Float](repeating: 0, count: width * height) }
            let width = width
            try coverage(of: outline.path).forEachRow(outline.rule, work: &work) { row, range, part in
                for column in range {
                    let place = row * width + column
                    own[place] += part[column] * (1 - own[place])
                }
            }
            for clip in outline.within {
                let inner = try mask(clip, depth: depth + 1)
                for place in own.indices { own[place] *= inner[place] }
            }
            if outline.within.isEmpty {
                union = own
            } else {
                for place in union.indices { union[place] += own[place] * (1 - union[place]) }
            }
            work -= width * height
            guard work > 0 else { throw DrawingError(.work, of: limits) }
        }
        return union
    }

    // MARK: - Paint

    private mutating func paintCovered(
        _ coverage: Coverage, _ rule: FillRule, _ paint: DrawingPaint
    ) throws(DrawingError) {
        let top = layers.count - 1
        // The layer is taken out while it is written, so that it is not copied.
        var layer: [SIMD4<Float>] = []
        swap(&layer, &layers[top])
        defer { swap(&layer, &layers[top]) }
        let clip = clips[clips.count - 1]
        let width = width
        var steps = work
        switch paint {
        case .color(let color):
            let source = color.premultiplied(1)
            guard source.w > 0 else { return }
            coverage.forEachRow(rule, work: &steps) { row, range, part in
                for column in range where part[column] > 0 {
                    let place = row * width + column
                    let covered = part[column] * (clip?[place] ?? 1)
                    let shown = source * covered
                    layer[place] = shown + layer[place] * (1 - shown.w)
                }
            }
        case .gradient(let gradient, let opacity):
            guard let inverse = self.place.after(gradient.transform).inverse else { return }
            let table = colors(of: gradient, opacity, work: &steps)
            guard steps > 0 else { break }
            let last = Double(DrawingGradient.tableSize - 1)
            coverage.forEachRow(rule, work: &steps) { row, range, part in
                for column in range where part[column] > 0 {
                    let place = row * width + column
                    let point = inverse(DrawingPoint(x: Double(column) + 0.5, y: Double(row) + 0.5))
                    guard let along = gradient.place(point) else { continue }
                    let shown = table[Int((along * last).rounded())] * (part[column] * (clip?[place] ?? 1))
                    layer[place] = shown + layer[place] * (1 - shown.w)
                }
            }
        }
        work = steps
    }

    /// The colours of a gradient, reused while they equal the last gradient's.
    private mutating func colors(
        of gradient: DrawingGradient, _ opacity: Double, work: inout Int
    ) -> [SIMD4<Float>] {
        work -= gradient.stops.count
        if let table, table.opacity == opacity, table.stops == gradient.stops { return table.colors }
        work -= DrawingGradient.tableSize
        let colors = gradient.table(opacity: opacity)
        table = (gradient.stops, opacity, colors)
        return colors
    }

    /// Red, green, blue and alpha of eight bits, not premultiplied.
    var pixels: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: width * height * 4)
        for (place, pixel) in (layers.first ?? []).enumerated() where pixel.w > 0 {
            for channel in 0..<3 {
                bytes[place * 4 + channel] = UInt8((min(max(pixel[channel] / pixel.w, 0), 1) * 255).rounded())
            }
            bytes[place * 4 + 3] = UInt8((min(max(pixel.w, 0), 1) * 255).rounded())
        }
        return bytes
    }
}
