/// Colours that change along a line or between two circles.
struct DrawingGradient: Sendable {
    enum Shape: Sendable {
        case linear(DrawingPoint, DrawingPoint)
        case radial(DrawingPoint, Double, DrawingPoint, Double)
    }

    /// The colours before the first stop and behind the last one.
    enum Spread: Sendable {
        case pad, reflect, repeated
        /// The colours of the ends at those sides, and nothing at the others.
        case ends(before: Bool, after: Bool)
    }

    struct Stop: Equatable, Sendable {
        /// From 0 to 1, and not less than the stop before it.
        var offset: Double
        var color: DrawingColor
    }

    var shape: Shape
    /// At least one.
    var stops: [Stop]
    var spread = Spread.pad
    /// From the shape's coordinates to points of the picture.
    var transform: DrawingTransform

    /// Returns the place of a point along the gradient; `nil` where nothing is painted.
    func place(_ point: DrawingPoint) -> Double? {
        switch shape {
        case .linear(let start, let end):
            let axis = end - start
            let length = axis.dot(axis)
            guard length > 0 else { return spread(1) }
            return spread((point - start).dot(axis) / length)
        case .radial(let start, let first, let end, let last): return radial(point, start, first, end, last)
        }
    }

    /// The largest offset with a circle through the point (ISO 32000-1 §8.7.4.5.4).
    private func radial(
        _ point: DrawingPoint, _ start: DrawingPoint, _ first: Double, _ end: DrawingPoint, _ last: Double
    ) -> Double? {
        let (way, growth) = (end - start, last - first)
        let from = point - start
        let a = way.dot(way) - growth * growth
        let b = from.dot(way) + first * growth
        let c = from.dot(from) - first * first
        var places: [Double] = []
        if abs(a) < 1e-12 {
            guard b != 0 else { return nil }
            places = [c / (2 * b)]
        } else {
            let square = b * b - a * c
            guard square >= 0 else { return nil }
            let root = square.squareRoot()
            places = [(b + root) / a, (b - root) / a]
            if places[0] < places[1] { places.swapAt(0, 1) }
        }
        for place in places where first + place * growth >= 0 {
            if let spread = spread(place) { return spread }
        }
        return nil
    }

    private func spread(_ place: Double) -> Double? {
        guard place.isFinite else { return nil }
        switch spread {
        case .pad: return min(max(place, 0), 1)
        case .repeated: return place - place.rounded(.down)
        case .reflect:
            let rest = place - (place / 2).rounded(.down) * 2
            return rest > 1 ? 2 - rest : rest
        case .ends(let before, let after):
            if place < 0 { return before ? 0 : nil }
            return place > 1 ? (after ? 1 : nil) : place
        }
    }

    static let tableSize = 1_024

    /// The colours at equal distances, premultiplied.
    func table(opacity: Double) -> [SIMD4<Float>] {
        var next = 0
        return (0..<DrawingGradient.tableSize).map { number in
            let place = Double(number) / Double(DrawingGradient.tableSize - 1)
            while next < stops.count, stops[next].offset <= place { next += 1 }
            let color: DrawingColor
            if next == 0 {
                color = stops.first?.color ?? .black
            } else if next == stops.count {
                color = stops[next - 1].color
            } else {
                let (one, other) = (stops[next - 1], stops[next])
                let part = (place - one.offset) / (other.offset - one.offset)
                color = one.color.mixed(other.color, part)
            }
            return color.premultiplied(opacity)
        }
    }
}

extension DrawingColor {
    func mixed(_ other: DrawingColor, _ part: Double) -> DrawingColor {
        DrawingColor(
            red: red + (other.red - red) * part, green: green + (other.green - green) * part,
            blue: blue + (other.blue - blue) * part, alpha: alpha + (other.alpha - alpha) * part)
    }

    func premultiplied(_ opacity: Double) -> SIMD4<Float> {
        func bounded(_ value: Double) -> Double { value.isFinite ? min(max(value, 0), 1) : 0 }
        let alpha = bounded(alpha * opacity)
        return SIMD4(
            Float(bounded(red) * alpha), Float(bounded(green) * alpha), Float(bounded(blue) * alpha), Float(alpha))
    }
}
