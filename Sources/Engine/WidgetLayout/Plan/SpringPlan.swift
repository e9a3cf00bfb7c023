package import WidgetCore

/// A box placed by an autoresizing mask: the flexible margins and lengths share what the container gains or loses.
package struct SpringPlan: Equatable, Sendable {
    package let x: Extent
    package let y: Extent

    /// - Parameters:
    ///   - frame: the box in the container as it was drawn.
    ///   - design: the size that the container had then.
    package init(_ springs: Springs, frame: Frame, design: Size) {
        x = SpringPlan.extent(
            start: frame.x, length: frame.width, of: design.width, springs.contains(.left), springs.contains(.width),
            springs.contains(.right))
        y = SpringPlan.extent(
            start: frame.y, length: frame.height, of: design.height, springs.contains(.top), springs.contains(.height),
            springs.contains(.bottom))
    }

    /// Flexible parts grow in proportion to their lengths. Parts without any length grow equally.
    private static func extent(
        start: Double, length: Double, of design: Double, _ bendsStart: Bool, _ bendsLength: Bool, _ bendsEnd: Bool
    ) -> Extent {
        let (start, length, design) = (Affine.bounded(start), Affine.bounded(length), Affine.bounded(design))
        let parts = [(start, bendsStart), (length, bendsLength), (design - start - length, bendsEnd)]
        let bending = parts.filter { $0.1 }
        let sum = bending.reduce(0) { $0 + $1.0 }
        let isEven = abs(sum) < SpringPlan.smallestSum
        let shares = parts.map { part, bends in
            bends ? (isEven ? 1 / Double(bending.count) : Affine.bounded(part / sum)) : 0
        }
        func affine(_ place: Int) -> Affine {
            Affine(parts[place].0, share: 0) + Affine(-shares[place] * design, share: shares[place])
        }
        var extent = Extent(.start(affine(0)), .fixed(affine(1)))
        extent.isPhysical = true
        return extent
    }

    /// Lengths whose sum is less than this many points count as none.
    private static let smallestSum = 0.001
}
