/// One row of pixels, which sums up the edges of strips.
struct RowScan {
    private let width: Int
    private let rule: FillRule
    /// The change of coverage at each pixel, from the left.
    private var changes: [Float]
    private var part: [Float]
    private var low: Int
    private var high = 0
    private var crossings: [Crossing] = []

    private struct Crossing {
        var top: Double
        var middle: Double
        var bottom: Double
        var winding: Int
    }

    init(width: Int, rule: FillRule) {
        (self.width, self.rule, low) = (width, rule, width)
        changes = [Float](repeating: 0, count: width + 2)
        part = [Float](repeating: 0, count: width)
    }

    /// Adds a strip of the row.
    ///
    /// - Returns: false, having added nothing, if edges cross in a strip that is not thin.
    mutating func add(
        _ edges: [Coverage.Edge], from top: Double, to bottom: Double, isThin: Bool, work: inout Int
    ) -> Bool {
        let middle = (top + bottom) / 2
        crossings.removeAll(keepingCapacity: true)
        for edge in edges where edge.top <= middle && edge.bottom > middle {
            crossings.append(
                Crossing(
                    top: edge.x(at: top), middle: edge.x(at: middle), bottom: edge.x(at: bottom), winding: edge.winding)
            )
        }
        if crossings.count > 1 { sort() }
        if !isThin {
            for place in crossings.indices.dropFirst() {
                let (left, right) = (crossings[place - 1], crossings[place])
                // Edges that meet in a corner at either end do not cross.
                if left.top > right.top + 1e-9 || left.bottom > right.bottom + 1e-9 { return false }
            }
        }
        var winding = 0
        let height = bottom - top
        for crossing in crossings {
            let wasInside = isInside(winding)
            winding += crossing.winding
            let isInside = isInside(winding)
            guard wasInside != isInside else { continue }
            addEdge(crossing.top, crossing.bottom, isInside ? height : -height, &work)
        }
        return true
    }

    /// Crossings are nearly always in the order of the strip above; then one pass is enough.
    private mutating func sort() {
        var left = crossings.count * 4
        for place in 1..<crossings.count {
            let crossing = crossings[place]
            var hole = place
            while hole > 0, crossings[hole - 1].middle > crossing.middle {
                crossings[hole] = crossings[hole - 1]
                hole -= 1
                left -= 1
            }
            crossings[hole] = crossing
            guard left > 0 else { return crossings.sort { $0.middle < $1.middle } }
        }
    }

    private func isInside(_ winding: Int) -> Bool {
        switch rule {
        case .nonzero: winding != 0
        case .evenOdd: !winding.isMultiple(of: 2)
        }
    }

    /// Adds the area to the right of an edge, the part of it outside the row as if it ran along the row's end.
    private mutating func addEdge(_ first: Double, _ last: Double, _ height: Double, _ work: inout Int) {
        var (left, right) = first < last ? (first, last) : (last, first)
        let end = Double(width)
        let span = right - left
        var height = height
        if left < 0 {
            let outside = span > 0 ? min(-left / span, 1) : 1
            change(0, height * outside)
            mark(0)
            height *= 1 - outside
            left = 0
            right = max(right, 0)
        }
        if right > end {
            let outside = span > 0 ? min((right - end) / span, 1) : 1
            // Of an edge that is left of the row as well, the middle part remains.
            let rest = right - left
            height *= rest > 0 ? max(0, 1 - min((right - end) / rest, 1)) : 1 - outside
            mark(width)
            right = end
            left = min(left, end)
        }
        guard height != 0 else { return }
        inside(left, right, height, &work)
    }

    private mutating func change(_ place: Int, _ value: Double) { changes[place] += Float(value) }

    private mutating func mark(_ place: Int) {
        low = min(low, place)
        high = max(high, min(place, width))
    }

    /// Adds the area to the right of an edge between two places in the row.
    private mutating func inside(_ left: Double, _ right: Double, _ height: Double, _ work: inout Int) {
        let first = Int(left)
        let last = Int(right)
        mark(first)
        mark(min(last + 1, width))
        if first == last {
            let middle = (left + right) / 2 - Double(first)
            change(first, height * (1 - middle))
            change(first + 1, height * middle)
            return
        }
        work -= last - first
        // The area left of the edge grows by a triangle in the first pixel and the last, and by bands between.
        let slope = height / (right - left)
        var place = left
        for pixel in first...last {
            let next = min(Double(pixel + 1), right)
            let step = next - place
            let gained = slope * step
            // What begins in this pixel covers it from its middle on, and the next pixels whole.
            let middle = (place + next) / 2 - Double(pixel)
            change(pixel, gained * (1 - middle))
            change(pixel + 1, gained * middle)
            place = next
        }
    }

    /// Hands out the pixels that were touched, and begins an empty row.
    mutating func finish(_ body: (_ range: Range<Int>, _ part: [Float]) -> Void) {
        guard low < width else {
            reset()
            return
        }
        var sum: Float = 0
        let end = min(high + 1, width)
        for place in low..<end {
            sum += changes[place]
            part[place] = min(max(sum, 0), 1)
        }
        body(low..<end, part)
        reset()
    }

    private mutating func reset() {
        for place in min(low, width)..<min(high + 2, width + 2) { changes[place] = 0 }
        (low, high) = (width, 0)
    }
}
