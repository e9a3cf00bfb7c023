internal import WidgetSystemCalls

struct DrawingPoint: Equatable, Sendable {
    var x: Double
    var y: Double

    static let zero = DrawingPoint(x: 0, y: 0)

    static func + (a: DrawingPoint, b: DrawingPoint) -> DrawingPoint { DrawingPoint(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: DrawingPoint, b: DrawingPoint) -> DrawingPoint { DrawingPoint(x: a.x - b.x, y: a.y - b.y) }
    static func * (a: DrawingPoint, factor: Double) -> DrawingPoint { DrawingPoint(x: a.x * factor, y: a.y * factor) }

    var length: Double { (x * x + y * y).squareRoot() }

    /// The product of two vectors along each other.
    func dot(_ other: DrawingPoint) -> Double { x * other.x + y * other.y }

    /// The product of two vectors across each other: positive if the other one lies clockwise, with y downwards.
    func cross(_ other: DrawingPoint) -> Double { x * other.y - y * other.x }

    /// A point between two: 0 is this one and 1 the other.
    func mixed(_ other: DrawingPoint, _ part: Double) -> DrawingPoint { self + (other - self) * part }

    /// False for coordinates that are not numbers, and for those too far away to be drawn.
    var isUsable: Bool { abs(x) <= DrawingPoint.farthest && abs(y) <= DrawingPoint.farthest }

    static let farthest = 1e7
}

/// An affine map of the plane: `x' = a x + c y + tx`, `y' = b x + d y + ty`.
struct DrawingTransform: Equatable, Sendable {
    var a = 1.0
    var b = 0.0
    var c = 0.0
    var d = 1.0
    var tx = 0.0
    var ty = 0.0

    static let identity = DrawingTransform()

    static func scale(_ x: Double, _ y: Double) -> DrawingTransform { DrawingTransform(a: x, d: y) }

    static func translation(_ x: Double, _ y: Double) -> DrawingTransform { DrawingTransform(tx: x, ty: y) }

    /// - Parameter angle: in radians, clockwise with y downwards.
    static func rotation(_ angle: Double) -> DrawingTransform {
        let (sine, cosine) = (Mathematics.sine(angle), Mathematics.cosine(angle))
        return DrawingTransform(a: cosine, b: sine, c: -sine, d: cosine)
    }

    func callAsFunction(_ point: DrawingPoint) -> DrawingPoint {
        DrawingPoint(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
    }

    /// Returns the map that does the other one first, then this one.
    func after(_ first: DrawingTransform) -> DrawingTransform {
        DrawingTransform(
            a: a * first.a + c * first.b, b: b * first.a + d * first.b, c: a * first.c + c * first.d,
            d: b * first.c + d * first.d, tx: a * first.tx + c * first.ty + tx, ty: b * first.tx + d * first.ty + ty)
    }

    var determinant: Double { a * d - b * c }

    /// `nil` for a map onto a line or a point.
    var inverse: DrawingTransform? {
        let determinant = determinant
        guard determinant.isFinite, abs(determinant) > 1e-18 else { return nil }
        return DrawingTransform(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    }

    /// The largest factor of a length.
    var largestScale: Double {
        let (sum, difference) = (a * a + b * b + c * c + d * d, determinant)
        let root = max(sum * sum - 4 * difference * difference, 0).squareRoot()
        return max((sum + root) / 2, 0).squareRoot()
    }

    /// False with a coefficient that is not a number, or too large.
    var isUsable: Bool {
        [a, b, c, d].allSatisfy { abs($0) <= 1e9 } && abs(tx) <= 1e12 && abs(ty) <= 1e12
    }
}
