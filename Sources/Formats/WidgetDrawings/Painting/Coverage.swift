/// The part of each pixel that an outline covers, row by row.
///
/// A row is cut into strips at the corners of the outline. In a strip where no edges cross, the edges between inside
/// and outside are accumulated by their exact areas; strips with crossings are cut into thinner ones.
struct Coverage {
    struct Edge {
        var top: Double
        var bottom: Double
        /// The place at its top, and the step for each row.
        var x: Double
        var slope: Double
        /// 1 for an edge downwards, -1 for one upwards.
        var winding: Int

        func x(at y: Double) -> Double { x + (y - top) * slope }
    }

    private(set) var edges: [Edge] = []
    let width: Int
    let height: Int

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
    }

    /// Adds the outline of a polygon, given in pixels.
    mutating func add(_ points: [DrawingPoint]) {
        guard var from = points.last else { return }
        for to in points {
            add(from, to)
            from = to
        }
    }

    /// A point farther away than any drawing needs, so that sums stay exact enough.
    private static func near(_ point: DrawingPoint) -> DrawingPoint {
        DrawingPoint(x: min(max(point.x, -1e6), 1e6), y: min(max(point.y, -1e6), 1e6))
    }

    private mutating func add(_ from: DrawingPoint, _ to: DrawingPoint) {
        let (from, to) = (Coverage.near(from), Coverage.near(to))
        let (upper, lower, winding) = from.y < to.y ? (from, to, 1) : (to, from, -1)
        guard upper.y < lower.y, lower.y > 0, upper.y < Double(height) else { return }
        let slope = (lower.x - upper.x) / (lower.y - upper.y)
        let top = max(upper.y, 0)
        let bottom = min(lower.y, Double(height))
        guard top < bottom, slope.isFinite else { return }
        edges.append(
            Edge(top: top, bottom: bottom, x: upper.x + (top - upper.y) * slope, slope: slope, winding: winding))
    }

    /// The number of corners above which a row is cut into equal strips.
    private static let mostCorners = 48
    private static let thinStrips = 8

    /// Calls the body for each row with pixels that are covered, with the part of each pixel from 0 to 1 in the range.
    ///
    /// - Parameter work: reduced by the steps; the scan ends where it is used up.
    func forEachRow(
        _ rule: FillRule, work: inout Int, _ body: (_ row: Int, _ range: Range<Int>, _ part: [Float]) -> Void
    ) {
        guard !self.edges.isEmpty else { return }
        let edges = edges.sorted { $0.top < $1.top }
        // The row's memory is made anew for each outline, four pixels in the time of a step.
        work -= edges.count + width / 4
        var next = 0
        var active: [Edge] = []
        var scan = RowScan(width: width, rule: rule)
        var row = edges.first.map { Int($0.top) } ?? height
        var corners: [Double] = []
        while row < height, work > 0 {
            let (top, bottom) = (Double(row), Double(row + 1))
            active.removeAll { $0.bottom <= top }
            let first = next
            while next < edges.count, edges[next].top < bottom {
                if edges[next].bottom > top { active.append(edges[next]) }
                next += 1
            }
            // The strips of the row find their edges in order then, or nearly so.
            if next > first {
                let middle = top + 0.5
                active.sort { $0.x(at: middle) < $1.x(at: middle) }
            }
            if active.isEmpty {
                guard next < edges.count else { return }
                row = max(Int(edges[next].top), row + 1)
                continue
            }
            corners.removeAll(keepingCapacity: true)
            for edge in active {
                if edge.top > top { corners.append(edge.top) }
                if edge.bottom < bottom { corners.append(edge.bottom) }
            }
            if corners.count > Coverage.mostCorners {
                let count = Double(Coverage.mostCorners)
                corners = (1..<Coverage.mostCorners).map { top + Double($0) / count }
            } else {
                corners.sort()
            }
            corners.append(bottom)
            work -= active.count + corners.count
            var start = top
            for end in corners where end > start {
                work -= active.count + 4
                if !scan.add(active, from: start, to: end, isThin: false, work: &work) {
                    let step = (end - start) / Double(Coverage.thinStrips)
                    for strip in 0..<Coverage.thinStrips {
                        let low = start + Double(strip) * step
                        _ = scan.add(active, from: low, to: low + step, isThin: true, work: &work)
                    }
                    work -= active.count * Coverage.thinStrips
                }
                start = end
            }
            scan.finish { range, part in
                work -= range.count
                body(row, range, part)
            }
            row += 1
        }
    }
}
