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

    /// The most lengths of dashes and gaps.
    static let mostDashes = 1_000

    /// The pattern of the dashes; `nil` for a line without gaps.
    var pattern: DashPattern? {
        guard !dashes.isEmpty, dashes.allSatisfy({ $0 >= 0 && $0.isFinite }), dashes.reduce(0, +) > 0 else {
            return nil
        }
        return DashPattern(dashes.count.isMultiple(of: 2) ? dashes : dashes + dashes, offset: dashOffset)
    }
}

/// Lengths of dashes and gaps in turn, an even number of them, and where in them a line begins.
struct DashPattern: Sendable {
    private let lengths: [Double]
    private let first: Int
    /// The rest of the first dash or gap.
    private let rest: Double

    fileprivate init(_ lengths: [Double], offset: Double) {
        self.lengths = lengths
        let sum = lengths.reduce(0, +)
        var offset = (offset.isFinite ? offset : 0).truncatingRemainder(dividingBy: sum)
        if offset < 0 { offset += sum }
        for (number, length) in lengths.enumerated() {
            if offset < length {
                (first, rest) = (number, length - offset)
                return
            }
            offset -= length
        }
        (first, rest) = (0, lengths[0])
    }

    private static let mostDashes = 50_000
    /// Steps for one dash or gap.
    private static let workOfDash = 16

    /// Returns the dashes of a line, each a line; `nil` if there are too many, or for more work than is left.
    ///
    /// - Parameter work: reduced by the steps.
    func dashes(of line: Polyline, work: inout Int) -> [Polyline]? {
        var points = line.points
        var isSmooth = line.isSmooth
        if line.isClosed, let first = points.first {
            points.append(first)
            isSmooth.append(false)
        }
        var (number, left) = (first, rest)
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
                number = (number + 1) % lengths.count
                left = lengths[number]
                steps += 1
                work -= DashPattern.workOfDash
                guard steps <= DashPattern.mostDashes, work > 0 else { return nil }
            }
            left -= length - done
            current?.points.append(to)
            current?.isSmooth.append(isSmooth[place])
        }
        if let current, current.points.count > 1 { dashes.append(current) }
        return dashes
    }
}
