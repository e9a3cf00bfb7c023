internal import WidgetSystemCalls

/// An outline of lines and cubic curves. Quadratic curves and arcs are added as cubic ones.
struct DrawingPath: Sendable {
    enum Segment: Sendable {
        case move(DrawingPoint)
        case line(DrawingPoint)
        case curve(DrawingPoint, DrawingPoint, DrawingPoint)
        case close
    }

    private(set) var segments: [Segment] = []
    /// The end of the last segment, and the start of its part of the outline.
    private(set) var current = DrawingPoint.zero
    private(set) var start = DrawingPoint.zero
    /// False if a coordinate is not a number or too large.
    private(set) var isUsable = true

    var isEmpty: Bool { segments.isEmpty }

    private mutating func check(_ points: DrawingPoint...) {
        if !points.allSatisfy({ $0.isUsable }) { isUsable = false }
    }

    mutating func move(to point: DrawingPoint) {
        check(point)
        // Of moves after each other the last one counts.
        if case .move? = segments.last { segments.removeLast() }
        segments.append(.move(point))
        (current, start) = (point, point)
    }

    mutating func line(to point: DrawingPoint) {
        check(point)
        begin()
        segments.append(.line(point))
        current = point
    }

    mutating func curve(_ first: DrawingPoint, _ second: DrawingPoint, to end: DrawingPoint) {
        check(first, second, end)
        begin()
        segments.append(.curve(first, second, end))
        current = end
    }

    mutating func quadratic(_ control: DrawingPoint, to end: DrawingPoint) {
        curve(current.mixed(control, 2 / 3), end.mixed(control, 2 / 3), to: end)
    }

    mutating func close() {
        guard !segments.isEmpty else { return }
        if case .close? = segments.last { return }
        segments.append(.close)
        current = start
    }

    /// Begins a part where the last one began, unless one is open.
    private mutating func begin() {
        switch segments.last {
        case nil, .close?:
            segments.append(.move(current))
            start = current
        default: break
        }
    }

    mutating func rectangle(x: Double, y: Double, width: Double, height: Double) {
        move(to: DrawingPoint(x: x, y: y))
        line(to: DrawingPoint(x: x + width, y: y))
        line(to: DrawingPoint(x: x + width, y: y + height))
        line(to: DrawingPoint(x: x, y: y + height))
        close()
    }

    mutating func ellipse(_ center: DrawingPoint, _ rx: Double, _ ry: Double) {
        move(to: DrawingPoint(x: center.x + rx, y: center.y))
        for quarter in 0..<4 { arc(center, rx, ry, 0, from: Double(quarter) * .pi / 2, by: .pi / 2) }
        close()
    }

    /// A quarter of an ellipse or less, from the current point.
    ///
    /// - Parameter tilt: of the ellipse's axes, in radians.
    private mutating func arc(
        _ center: DrawingPoint, _ rx: Double, _ ry: Double, _ tilt: Double, from start: Double, by sweep: Double
    ) {
        let place = DrawingTransform.translation(center.x, center.y).after(.rotation(tilt)).after(.scale(rx, ry))
        let reach = 4.0 / 3 * Mathematics.sine(sweep / 4) / Mathematics.cosine(sweep / 4)
        let one = DrawingPoint(x: Mathematics.cosine(start), y: Mathematics.sine(start))
        let end = start + sweep
        let other = DrawingPoint(x: Mathematics.cosine(end), y: Mathematics.sine(end))
        curve(
            place(DrawingPoint(x: one.x - reach * one.y, y: one.y + reach * one.x)),
            place(DrawingPoint(x: other.x + reach * other.y, y: other.y - reach * other.x)), to: place(other))
    }

    /// An arc between two points of an ellipse (SVG 2 §9.5.1).
    ///
    /// - Parameter tilt: in degrees.
    mutating func arc(
        _ rx: Double, _ ry: Double, tilt: Double, isLarge: Bool, isClockwise: Bool, to end: DrawingPoint
    ) {
        let from = current
        guard from != end else { return }
        var (rx, ry) = (abs(rx), abs(ry))
        guard rx > 0, ry > 0, rx.isFinite, ry.isFinite, tilt.isFinite else { return line(to: end) }
        let tilt = tilt.truncatingRemainder(dividingBy: 360) * .pi / 180
        let half = DrawingTransform.rotation(-tilt)((from - end) * 0.5)
        // Radii that are too small are made large enough.
        let excess = half.x * half.x / (rx * rx) + half.y * half.y / (ry * ry)
        if excess > 1 { (rx, ry) = (rx * excess.squareRoot(), ry * excess.squareRoot()) }
        let product = rx * rx * half.y * half.y + ry * ry * half.x * half.x
        let rest = max(rx * rx * ry * ry - product, 0)
        guard product > 0 else { return line(to: end) }
        let factor = (rest / product).squareRoot() * (isLarge == isClockwise ? -1 : 1)
        let middle = DrawingPoint(x: factor * rx * half.y / ry, y: -factor * ry * half.x / rx)
        let center = DrawingTransform.rotation(tilt)(middle) + (from + end) * 0.5
        let first = Mathematics.arcTangent(y: (half.y - middle.y) / ry, x: (half.x - middle.x) / rx)
        let last = Mathematics.arcTangent(y: (-half.y - middle.y) / ry, x: (-half.x - middle.x) / rx)
        var sweep = last - first
        if isClockwise, sweep < 0 { sweep += 2 * .pi }
        if !isClockwise, sweep > 0 { sweep -= 2 * .pi }
        guard first.isFinite, sweep.isFinite else {
            isUsable = false
            return
        }
        let count = max(1, Int((abs(sweep) / (.pi / 2) - 1e-9).rounded(.up)))
        for number in 0..<min(count, 5) {
            arc(
                center, rx, ry, tilt, from: first + sweep * Double(number) / Double(count),
                by: sweep / Double(count))
        }
    }

    /// The smallest upright rectangle around the outline; `nil` for an outline without points.
    var bounds: (low: DrawingPoint, high: DrawingPoint)? {
        var (low, high): (DrawingPoint?, DrawingPoint?) = (nil, nil)
        func include(_ point: DrawingPoint) {
            low = DrawingPoint(x: min(low?.x ?? point.x, point.x), y: min(low?.y ?? point.y, point.y))
            high = DrawingPoint(x: max(high?.x ?? point.x, point.x), y: max(high?.y ?? point.y, point.y))
        }
        var from = DrawingPoint.zero
        for segment in segments {
            switch segment {
            case .move(let point), .line(let point):
                include(point)
                from = point
            case .curve(let one, let two, let end):
                include(end)
                // A curve turns back where its derivative along x or y is 0.
                let turns =
                    DrawingPath.turns(from.x, one.x, two.x, end.x) + DrawingPath.turns(from.y, one.y, two.y, end.y)
                for turn in turns { include(Flattening.point(from, one, two, end, at: turn)) }
                from = end
            case .close: break
            }
        }
        guard let low, let high else { return nil }
        return (low, high)
    }

    /// The places between the ends of a cubic curve where one coordinate neither grows nor shrinks.
    private static func turns(_ start: Double, _ one: Double, _ two: Double, _ end: Double) -> [Double] {
        // The derivative is 3 (a t² + b t + c).
        let (a, b, c) = (end - start + 3 * (one - two), 2 * (start - 2 * one + two), one - start)
        let root = max(b * b - 4 * a * c, 0).squareRoot()
        // This sum does not cancel, also for a curve that is nearly quadratic.
        let sum = -(b + (b < 0 ? -root : root)) / 2
        return [sum / a, c / sum].filter { $0 > 0 && $0 < 1 }
    }
}
