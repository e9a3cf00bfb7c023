/// The pen of a stroke.
struct StrokeStyle: Sendable {
    enum Cap: Sendable { case butt, round, square }
    enum Join: Sendable { case miter, round, bevel }

    var width = 1.0
    var cap = Cap.butt
    var join = Join.miter
    var miterLimit = 4.0
    /// Lengths of dashes and gaps in turn; empty for a line without gaps.
    var dashes: [Double] = []
    var dashOffset = 0.0

    /// The lengths of dashes and gaps, an even number of them; `nil` if they make no pattern, and the line has no gaps.
    var pattern: [Double]? {
        guard !dashes.isEmpty, dashes.allSatisfy({ $0 >= 0 && $0.isFinite }), dashes.reduce(0, +) > 0 else {
            return nil
        }
        return dashes.count.isMultiple(of: 2) ? dashes : dashes + dashes
    }

    /// Returns the dashes of a line, each a line; `nil` if there are more than the limit.
    func dashed(_ line: Polyline, limit: Int) -> [Polyline]? {
        guard let pattern else { return [line] }
        var points = line.points
        var isSmooth = line.isSmooth
        if line.isClosed, let first = points.first {
            points.append(first)
            isSmooth.append(false)
        }
        var (number, left) = start(in: pattern)
        var dashes: [Polyline] = []
        var current: Polyline?
        if number.isMultiple(of: 2), let first = points.first {
            current = Polyline(points: [first], isClosed: false, isSmooth: [false])
        }
        var steps = 0
        for place in points.indices.dropFirst() {
            let (from, to) = (points[place - 1], points[place])
            let length = (to - from).length
            var done = 0.0
            while length - done > left {
                done += left
                let point = from.mixed(to, done / length)
                if var dash = current {
                    dash.points.append(point)
                    dash.isSmooth.append(false)
                    dashes.append(dash)
                    current = nil
                } else {
                    current = Polyline(points: [point], isClosed: false, isSmooth: [false])
                }
                number = (number + 1) % pattern.count
                left = pattern[number]
                steps += 1
                guard steps <= limit else { return nil }
            }
            left -= length - done
            current?.points.append(to)
            current?.isSmooth.append(isSmooth[place])
        }
        if let current, current.points.count > 1 { dashes.append(current) }
        return dashes
    }

    /// The dash or gap that a line begins in, and the rest of its length.
    private func start(in pattern: [Double]) -> (number: Int, left: Double) {
        let sum = pattern.reduce(0, +)
        var offset = (dashOffset.isFinite ? dashOffset : 0).truncatingRemainder(dividingBy: sum)
        if offset < 0 { offset += sum }
        for (number, length) in pattern.enumerated() {
            if offset < length { return (number, length - offset) }
            offset -= length
        }
        return (0, pattern[0])
    }
}
