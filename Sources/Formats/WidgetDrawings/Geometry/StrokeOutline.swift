internal import WidgetSystemCalls

/// The area that a pen covers, as convex pieces that all turn the same way: their union is the stroke.
///
/// A single outline around the stroke would cross itself at narrow turns, and enclose points outside of the stroke.
struct StrokeOutline {
    private(set) var pieces: [[DrawingPoint]] = []
    private let style: StrokeStyle
    private let half: Double
    /// The angle of a line of a round end or join, in radians.
    private let turn: Double

    /// - Parameter scale: pixels along one unit of the line's coordinates.
    init(_ line: Polyline, _ style: StrokeStyle, scale: Double) {
        self.style = style
        half = style.width / 2
        // The sagitta of a chord, r (1 - cos(a / 2)), is about r a² / 8.
        turn = min(max((8 * 0.03 / max(half * scale, 0.03)).squareRoot(), 0.05), .pi / 4)
        add(line)
    }

    private mutating func add(_ line: Polyline) {
        var points: [DrawingPoint] = []
        var isSmooth: [Bool] = []
        for (place, point) in line.points.enumerated() {
            // A step too short for a direction is left out.
            if let last = points.last, (point - last).length <= 1e-9 { continue }
            points.append(point)
            isSmooth.append(line.isSmooth[place])
        }
        if line.isClosed, points.count > 1, let first = points.first, let last = points.last,
            (first - last).length <= 1e-9
        {
            points.removeLast()
            isSmooth.removeLast()
        }
        guard points.count > 1 else { return addDot(line, points.first) }
        let isClosed = line.isClosed && points.count > 1
        let count = isClosed ? points.count : points.count - 1
        var directions: [DrawingPoint] = []
        for place in 0..<count {
            let step = points[(place + 1) % points.count] - points[place]
            directions.append(step * (1 / step.length))
        }
        var band = Band(points[0], StrokeOutline.normal(directions[0]) * half)
        for (place, direction) in directions.enumerated() {
            let to = points[(place + 1) % points.count]
            if place + 1 < count, isSmooth[place + 1],
                let side = bend(place + 1, points, direction, directions[place + 1])
            {
                band.add(to, side)
                continue
            }
            band.add(to, StrokeOutline.normal(direction) * half)
            pieces.append(band.outline)
            if place + 1 < count {
                band = Band(to, StrokeOutline.normal(directions[place + 1]) * half)
                addJoin(to, direction, directions[place + 1], isSmooth: isSmooth[place + 1])
            } else if isClosed {
                addJoin(to, direction, directions[0], isSmooth: isSmooth[0])
            }
        }
        guard !isClosed, let first = directions.first, let last = directions.last else { return }
        addCap(points[0], first * -1)
        addCap(points[points.count - 1], last)
    }

    /// The area along lines that bend a little only, as one piece.
    private struct Band {
        private var one: [DrawingPoint]
        private var other: [DrawingPoint]

        init(_ point: DrawingPoint, _ side: DrawingPoint) {
            (one, other) = ([point - side], [point + side])
        }

        mutating func add(_ point: DrawingPoint, _ side: DrawingPoint) {
            one.append(point - side)
            other.append(point + side)
        }

        var outline: [DrawingPoint] { one + other.reversed() }
    }

    /// Returns the way from a point inside a curve to the side of the stroke; `nil` where the side would turn back,
    /// because the curve is narrower than the pen.
    private func bend(
        _ place: Int, _ points: [DrawingPoint], _ incoming: DrawingPoint, _ outgoing: DrawingPoint
    ) -> DrawingPoint? {
        let dot = incoming.dot(outgoing)
        guard dot > 0.8 else { return nil }
        // tan²(a / 2) = (1 - cos a) / (1 + cos a)
        let back = half * (max(1 - dot, 0) / (1 + dot)).squareRoot() * 2
        let next = points[(place + 1) % points.count]
        guard back < (points[place] - points[place - 1]).length, back < (next - points[place]).length else {
            return nil
        }
        let middle = StrokeOutline.normal(incoming) + StrokeOutline.normal(outgoing)
        return middle * (half / (1 + dot))
    }

    /// A direction turned by a quarter, clockwise with y downwards.
    private static func normal(_ direction: DrawingPoint) -> DrawingPoint {
        DrawingPoint(x: -direction.y, y: direction.x)
    }

    /// A line without length has ends, unless they are flat.
    private mutating func addDot(_ line: Polyline, _ point: DrawingPoint?) {
        guard let point, line.points.count > 1 || line.isClosed else { return }
        switch style.cap {
        case .butt: break
        case .round: addFan(point, from: DrawingPoint(x: half, y: 0), by: 2 * .pi, isWedge: false)
        case .square:
            pieces.append([
                DrawingPoint(x: point.x - half, y: point.y - half), DrawingPoint(x: point.x + half, y: point.y - half),
                DrawingPoint(x: point.x + half, y: point.y + half), DrawingPoint(x: point.x - half, y: point.y + half),
            ])
        }
    }

    private mutating func addCap(_ point: DrawingPoint, _ direction: DrawingPoint) {
        let side = StrokeOutline.normal(direction) * half
        switch style.cap {
        case .butt: break
        case .round: addFan(point, from: side * -1, by: .pi, isWedge: false)
        case .square:
            let ahead = direction * half
            pieces.append([point - side, point - side + ahead, point + side + ahead, point + side])
        }
    }

    /// The gap at the outer side of a corner.
    private mutating func addJoin(
        _ point: DrawingPoint, _ incoming: DrawingPoint, _ outgoing: DrawingPoint, isSmooth: Bool
    ) {
        let (cross, dot) = (incoming.cross(outgoing), incoming.dot(outgoing))
        let angle = Mathematics.arcTangent(y: cross, x: dot)
        guard abs(angle) > 1e-6 else { return }
        // A turn clockwise opens a gap on the left, which is the other side of the normal.
        let outside = angle > 0 ? -1.0 : 1
        let (first, last) = (
            StrokeOutline.normal(incoming) * (half * outside), StrokeOutline.normal(outgoing) * (half * outside)
        )
        if isSmooth || style.join == .round {
            return addFan(point, from: first, by: angle, isWedge: true)
        }
        var corner = [point, point + first, point + last]
        if style.join == .miter {
            // The ratio of the miter to the width is 1 / sin(θ / 2), and θ the angle between the lines.
            let ratio = (2 / max(1 + dot, 1e-12)).squareRoot()
            if ratio <= style.miterLimit {
                let middle = first + last
                let length = middle.length
                if length > 0 { corner.insert(point + middle * (half * ratio / length), at: 2) }
            }
        }
        // The corner of a turn the other way is turned round, as all pieces turn the same way.
        pieces.append(angle > 0 ? corner : corner.reversed())
    }

    /// A part of a circle around the point.
    ///
    /// - Parameter isWedge: true for a piece with the point as a corner; false for a half or a whole circle.
    private mutating func addFan(_ point: DrawingPoint, from: DrawingPoint, by angle: Double, isWedge: Bool) {
        let count = max(1, Int((abs(angle) / turn).rounded(.up)))
        var fan = isWedge ? [point] : []
        for number in 0...count {
            let rotation = DrawingTransform.rotation(angle * Double(number) / Double(count))
            fan.append(point + rotation(from))
        }
        pieces.append(angle > 0 ? fan : fan.reversed())
    }
}
