internal import WidgetCore

/// The edges of a container that bars of the screen may cover.
package struct CoveredEdges: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let top = CoveredEdges(rawValue: 1)
    package static let bottom = CoveredEdges(rawValue: 2)
    package static let sides = CoveredEdges(rawValue: 4)
    package static let all: CoveredEdges = [.top, .bottom, .sides]
}

/// The areas of a container that rules speak of, as places along its axes.
struct ContainerAreas: Sendable {
    let container: NodeID
    let covered: CoveredEdges
    private let margins: (top: Affine, leading: Affine, bottom: Affine, trailing: Affine)

    /// Margins of the container around a container, each less the distance from that edge; `nil` at edges that nothing
    /// ties.
    struct Inherited: Sendable {
        var top, leading, bottom, trailing: Affine?
    }
    private let isReadable: Bool

    /// - Parameters:
    ///   - hasScreenMargins: true for the root of a screen and for the content of a row.
    ///   - isRow: true for the content of a row.
    ///   - inherited: for a container that keeps the margins of the one around it.
    init(
        _ container: NodeID, _ geometry: Geometry, covered: CoveredEdges, hasScreenMargins: Bool, isRow: Bool,
        inherited: Inherited = Inherited()
    ) {
        self.container = container
        self.covered = covered
        isReadable = hasScreenMargins
        var side = Affine()
        side.margin = 1
        let usual = Affine(SystemMeasures.margin)
        var (top, leading, bottom, trailing) = (usual, usual, usual, usual)
        if let insets = geometry.margins {
            top = Affine(Affine.bounded(insets.top))
            leading = Affine(Affine.bounded(insets.leading))
            bottom = Affine(Affine.bounded(insets.bottom))
            trailing = Affine(Affine.bounded(insets.trailing))
        } else if hasScreenMargins {
            (leading, trailing) = (side, side)
            let vertical = Affine(isRow ? SystemMeasures.rowMargin : 0)
            (top, bottom) = (vertical, vertical)
        }
        if geometry.addsSafeArea {
            top = top + ContainerAreas.safe(covered.contains(.top), start: true)
            bottom = bottom + ContainerAreas.safe(covered.contains(.bottom), start: false)
            leading = leading + ContainerAreas.safe(covered.contains(.sides), start: true)
            trailing = trailing + ContainerAreas.safe(covered.contains(.sides), start: false)
        }
        margins = (
            ContainerAreas.larger(top, inherited.top), ContainerAreas.larger(leading, inherited.leading),
            ContainerAreas.larger(bottom, inherited.bottom), ContainerAreas.larger(trailing, inherited.trailing)
        )
    }

    /// The larger of two margins on a narrow screen without bars. One that depends on a length does not count.
    private static func larger(_ own: Affine, _ other: Affine?) -> Affine {
        guard let other, other.share == 0, other.readable == 0, other.terms.isEmpty else { return own }
        let more = other - own
        return more.constant + narrowScreenMargin * more.margin > 0 ? other : own
    }

    private static let narrowScreenMargin = 16.0

    /// The margins that a child at a place inherits.
    func inherited(at box: PlannedBox) -> Inherited {
        Inherited(
            top: box.y.startDistance.map { margins.top - $0 },
            leading: box.x.startDistance.map { margins.leading - $0 },
            bottom: box.y.endDistance.map { margins.bottom - $0 },
            trailing: box.x.endDistance.map { margins.trailing - $0 })
    }

    private static func safe(_ isCovered: Bool, start: Bool) -> Affine {
        var inset = Affine()
        guard isCovered else { return inset }
        if start { inset.safeStart = 1 } else { inset.safeEnd = 1 }
        return inset
    }

    func place(_ area: LayoutRule.Area, _ attribute: LayoutRule.Attribute) -> Affine {
        let (start, end) = span(area, attribute.axis)
        switch attribute.edge {
        case .start, .firstBaseline: return start
        case .end, .lastBaseline: return end
        case .center: return 0.5 * (start + end)
        case .length: return end - start
        }
    }

    private func span(_ area: LayoutRule.Area, _ axis: Axis) -> (start: Affine, end: Affine) {
        let isVertical = axis == .vertical
        let start = ContainerAreas.safe(covered.contains(isVertical ? .top : .sides), start: true)
        let end = Affine.whole - ContainerAreas.safe(covered.contains(isVertical ? .bottom : .sides), start: false)
        switch area {
        case .bounds, .scrollContent, .scrollFrame: return (.zero, .whole)
        case .safeArea: return (start, end)
        case .topGuide: return isVertical ? (.zero, start) : (.zero, .whole)
        case .bottomGuide: return isVertical ? (end, .whole) : (.zero, .whole)
        case .margins:
            return isVertical
                ? (margins.top, .whole - margins.bottom) : (margins.leading, .whole - margins.trailing)
        case .readable:
            guard !isVertical, isReadable else { return span(.margins, axis) }
            var inset = Affine()
            inset.readable = 1
            return (inset, .whole - inset)
        }
    }
}
