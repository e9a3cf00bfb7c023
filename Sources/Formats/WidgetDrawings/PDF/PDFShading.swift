/// Shadings between two points or two circles (ISO 32000-1 §8.7.4.5) as gradients.
enum PDFShading {
    static func gradient(
        _ value: PDFValue?, _ transform: DrawingTransform, named: [String: PDFValue], in file: inout PDFFile,
        isPattern: Bool
    ) throws(DrawingError) -> DrawingGradient {
        guard let members = try file.resolved(value).dictionary else {
            throw DrawingError(.malformed("a shading is missing"))
        }
        let kind = try file.resolved(members["ShadingType"]).integer
        guard kind == 2 || kind == 3, members["BBox"] == nil, !isPattern || members["Background"] == nil else {
            throw DrawingError(.unsupported(.shadings))
        }
        guard let coordinates = try file.numbers(members["Coords"], most: 6), coordinates.count == (kind == 2 ? 4 : 6)
        else {
            throw DrawingError(.malformed("a shading is malformed"))
        }
        let domain = try file.numbers(members["Domain"], most: 2) ?? [0, 1]
        let extends =
            try file.resolved(members["Extend"]).array?.prefix(2).map { $0.boolean ?? false } ?? [false, false]
        let space = try PDFColorSpace.space(members["ColorSpace"] ?? .null, named: named, in: &file)
        let function = try PDFFunction(members["Function"], in: &file)
        guard domain.count == 2, domain[0] < domain[1], extends.count == 2, function.outputCount == space.count,
            function.inputCount == 1, space.count > 0
        else { throw DrawingError(.malformed("a shading is malformed")) }
        let shape: DrawingGradient.Shape
        if kind == 2 {
            shape = .linear(
                DrawingPoint(x: coordinates[0], y: coordinates[1]), DrawingPoint(x: coordinates[2], y: coordinates[3]))
        } else {
            guard coordinates[2] >= 0, coordinates[5] >= 0 else {
                throw DrawingError(.malformed("a shading is malformed"))
            }
            shape = .radial(
                DrawingPoint(x: coordinates[0], y: coordinates[1]), coordinates[2],
                DrawingPoint(x: coordinates[3], y: coordinates[4]), coordinates[5])
        }
        return DrawingGradient(
            shape: shape, stops: try stops(function, space, domain, &file.work),
            spread: .ends(before: extends[0], after: extends[1]), transform: transform)
    }

    private static let samplesOfPiece = 64
    /// Steps for the memory of a stop, which each use of a shading needs again.
    private static let workOfStop = 64

    /// Stops at the bends of a function, and between them where it is not a line.
    private static func stops(
        _ function: PDFFunction, _ space: PDFColorSpace, _ domain: [Double], _ work: inout DrawingWork
    ) throws(DrawingError) -> [DrawingGradient.Stop] {
        let extent = domain[1] - domain[0]
        let bends = function.bends.filter { $0 > domain[0] && $0 < domain[1] }.sorted()
        let ends = [domain[0]] + bends + [domain[1]]
        let isLinear = function.isLinear && space.isLinear
        let count = isLinear ? 1 : max(samplesOfPiece / max(ends.count - 1, 1), 4)
        try work.spend((ends.count - 1) * (count + 1) * (workOfStop + function.cost + space.cost))
        var stops: [DrawingGradient.Stop] = []
        for (low, high) in zip(ends, ends.dropFirst()) where high > low {
            for number in 0...count {
                // A bend belongs to the piece behind it, so a piece ends just before it.
                let place =
                    low + (high - low)
                    * (number == count && high < domain[1] ? 1 - 1e-9 : Double(number) / Double(count))
                let color = space.color(function.values([place])) ?? .black
                stops.append(DrawingGradient.Stop(offset: (place - domain[0]) / extent, color: color))
            }
        }
        return stops
    }
}

extension PDFColorSpace {
    /// True if a line between colours of the space is one between red, green and blue.
    fileprivate var isLinear: Bool {
        switch self {
        case .gray, .rgb: true
        default: false
        }
    }
}
