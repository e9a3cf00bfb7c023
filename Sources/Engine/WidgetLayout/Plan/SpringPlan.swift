package import WidgetCore

/// A box placed by an autoresizing mask: the flexible margins and lengths share what the container gains or loses.
package enum SpringPlan {
    /// - Parameters:
    ///   - frame: the box in the container as it was drawn.
    ///   - design: the size that the container had then.
    package static func extent(_ springs: Springs, frame: Frame, design: Size, _ axis: Axis) -> Extent {
        switch axis {
        case .horizontal:
            extent(
                start: frame.x, length: frame.width, of: design.width, springs.contains(.left),
                springs.contains(.width), springs.contains(.right))
        case .vertical:
            extent(
                start: frame.y, length: frame.height, of: design.height, springs.contains(.top),
                springs.contains(.height), springs.contains(.bottom))
        }
    }

    /// Flexible parts grow in proportion to their lengths. Parts without any length grow equally.
    private static func extent(
        start: Double, length: Double, of design: Double, _ bendsStart: Bool, _ bendsLength: Bool, _ bendsEnd: Bool
    ) -> Extent {
        let (start, length, design) = (Affine.bounded(start), Affine.bounded(length), Affine.bounded(design))
        let end = design - start - length
        let sum = (bendsStart ? start : 0) + (bendsLength ? length : 0) + (bendsEnd ? end : 0)
        let even = 1.0 / Double((bendsStart ? 1 : 0) + (bendsLength ? 1 : 0) + (bendsEnd ? 1 : 0))
        let isEven = abs(sum) < SpringPlan.smallestSum
        func affine(_ part: Double, _ bends: Bool) -> Affine {
            guard bends else { return Affine(part) }
            let share = isEven ? even : Affine.bounded(part / sum)
            return Affine(part) + Affine(-share * design, share: share)
        }
        var extent = Extent(.start(affine(start, bendsStart)), .fixed(affine(length, bendsLength)))
        extent.isPhysical = true
        return extent
    }

    /// Lengths whose sum is less than this many points count as none.
    private static let smallestSum = 0.001
}
