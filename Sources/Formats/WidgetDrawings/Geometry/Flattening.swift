/// A part of an outline as straight lines.
struct Polyline: Sendable {
    var points: [DrawingPoint]
    /// True if its author closed it; strokes have a join there, and no ends.
    var isClosed: Bool
    /// True at points inside a curve, where lines meet without a corner.
    var isSmooth: [Bool]
}

/// Curves as lines, near enough to be the same on every pixel.
enum Flattening {
    /// The largest distance from the curve, in pixels.
    private static let tolerance = 0.02
    private static let mostLines = 128.0

    /// Returns the ends of the lines of a curve, without its start.
    ///
    /// The number of lines follows from the second differences (Wang's bound).
    static func points(
        _ start: DrawingPoint, _ one: DrawingPoint, _ two: DrawingPoint, _ end: DrawingPoint, scale: Double
    ) -> [DrawingPoint] {
        let bend = max((start - one * 2 + two).length, (one - two * 2 + end).length) * scale
        let wanted = (0.75 * bend / tolerance).squareRoot().rounded(.up)
        let count = wanted.isFinite ? Int(min(max(wanted, 1), mostLines)) : Int(mostLines)
        var points: [DrawingPoint] = []
        points.reserveCapacity(count)
        for number in 1..<max(count, 1) {
            points.append(point(start, one, two, end, at: Double(number) / Double(count)))
        }
        points.append(end)
        return points
    }

    /// The point of a curve at a place from 0 to 1.
    static func point(
        _ start: DrawingPoint, _ one: DrawingPoint, _ two: DrawingPoint, _ end: DrawingPoint, at t: Double
    ) -> DrawingPoint {
        let rest = 1 - t
        let (w0, w1, w2, w3) = (rest * rest * rest, 3 * rest * rest * t, 3 * rest * t * t, t * t * t)
        return DrawingPoint(
            x: w0 * start.x + w1 * one.x + w2 * two.x + w3 * end.x,
            y: w0 * start.y + w1 * one.y + w2 * two.y + w3 * end.y)
    }

    /// Returns the parts of an outline in its own coordinates.
    ///
    /// - Parameters:
    ///   - scale: pixels along one unit of them.
    ///   - limit: the most lines.
    /// - Returns: `nil` for more lines than the limit.
    static func polylines(_ path: DrawingPath, scale: Double, limit: Int) -> [Polyline]? {
        var lines: [Polyline] = []
        var left = limit
        for segment in path.segments {
            left -= 1
            guard left >= 0 else { return nil }
            switch segment {
            case .move(let point):
                lines.append(Polyline(points: [point], isClosed: false, isSmooth: [false]))
            case .line(let point):
                guard !lines.isEmpty else { continue }
                lines[lines.count - 1].points.append(point)
                lines[lines.count - 1].isSmooth.append(false)
            case .curve(let one, let two, let end):
                guard let start = lines.last?.points.last else { continue }
                let points = points(start, one, two, end, scale: scale)
                left -= points.count
                lines[lines.count - 1].points += points
                lines[lines.count - 1].isSmooth += (1...points.count).map { $0 < points.count }
            case .close:
                guard !lines.isEmpty else { continue }
                lines[lines.count - 1].isClosed = true
            }
        }
        return lines
    }
}
